// SPDX-License-Identifier: MIT
#include "cupyxx/genfromtxt.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <istream>
#include <iterator>
#include <string_view>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/io/byte_source.h"
#include "cupyxx/internal/io/number_text.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace {

constexpr const char* kName = "genfromtxt";
constexpr std::string_view kBlanks = " \t\r\f\v";

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view line, std::string_view delimiter) {
  std::vector<std::string_view> fields;
  line = stripped(line);
  if (line.empty()) return fields;
  while (true) {
    const std::size_t end = delimiter.empty() ? line.find_first_of(kBlanks) : line.find(delimiter);
    fields.push_back(stripped(line.substr(0, end)));
    if (end == line.npos) return fields;
    line.remove_prefix(end + (delimiter.empty() ? 0 : delimiter.size()));
    if (delimiter.empty()) line = stripped(line);
  }
}

struct Row {
  std::int64_t line;
  std::vector<std::string_view> fields;
};

bool same_word(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
         });
}

class Reader {
 public:
  Reader(const GenfromtxtOptions& options, std::size_t columns)
      : options_(options), type_(options.dtype ? options.dtype : float64) {
    if (options.usecols.empty()) {
      for (std::size_t i = 0; i < columns; ++i) columns_.push_back(i);
    }
    for (const std::int64_t column : options.usecols) {
      const auto count = static_cast<std::int64_t>(columns);
      if (column < -count || column >= count) {
        throw ValueError(std::string(kName) + ": there is no column " + std::to_string(column) +
                         " of " + std::to_string(count));
      }
      columns_.push_back(static_cast<std::size_t>(column < 0 ? column + count : column));
    }
    const std::size_t fillings = options.filling_values.size();
    if (fillings > 1 && fillings != columns_.size()) {
      throw ValueError(std::string(kName) + ": there are " + std::to_string(fillings) +
                       " filling_values for " + std::to_string(columns_.size()) + " columns");
    }
  }

  void add(const Row& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      alignas(16) char element[16];
      const std::string_view field = row.fields[columns_[i]];
      if (!read(field, element)) {
        if (!options_.loose && !is_missing(field)) {
          throw ValueError(std::string(kName) + ": line " + std::to_string(row.line) + ", column " +
                           std::to_string(columns_[i]) + " is no number of " +
                           std::string(type_.name()) + "; '" + std::string(field) + "'");
        }
        fill(i, element);
      }
      elements_.insert(elements_.end(), element, element + type_.itemsize());
    }
    ++rows_;
  }

  ndarray table() const {
    const DeviceScope host(Device::cpu());
    ndarray made = empty({rows_, static_cast<std::int64_t>(columns_.size())}, type_);
    if (made.size() != 0) std::memcpy(made.elements(), elements_.data(), elements_.size());
    return made;
  }

 private:
  bool is_missing(std::string_view field) const {
    return field.empty() ||
           std::find(options_.missing_values.begin(), options_.missing_values.end(), field) !=
               options_.missing_values.end();
  }
  bool read(std::string_view field, void* element) const {
    if (is_missing(field)) return false;
    if (type_.is_bool()) {
      const bool yes = same_word(field, "true") || field == "1";
      if (!yes && !same_word(field, "false") && field != "0") return false;
      std::memcpy(element, &yes, 1);
      return true;
    }
    std::string_view rest = field;
    if (type_.is_integer() && field.find_first_of(".eE") != field.npos) return false;
    return internal::io::read_number(kName, rest, type_, element) && rest.empty();
  }
  void fill(std::size_t column, void* element) const {
    const std::vector<Scalar>& given = options_.filling_values;
    const Scalar usual = type_.is_bool()      ? Scalar(false)
                         : type_.is_integer() ? Scalar(-1)
                                              : Scalar(std::nan(""));
    const Scalar value = given.empty() ? usual : given[given.size() == 1 ? 0 : column];
    // -1 of unsigned integers is their largest number, as NumPy's.
    if (given.empty() && type_.is_unsigned_integer()) {
      std::memset(element, 0xff, static_cast<std::size_t>(type_.itemsize()));
    } else {
      value.store(kName, type_, element);
    }
  }

  const GenfromtxtOptions& options_;
  dtype type_;
  std::vector<std::size_t> columns_;
  std::vector<char> elements_;
  std::int64_t rows_ = 0;
};

// The rows of one length; the others are an error or left out.
std::vector<Row> of_one_length(std::vector<Row> rows, bool raises) {
  if (rows.empty()) return rows;
  const std::size_t columns = rows[0].fields.size();
  std::string wrong;
  std::vector<Row> kept;
  for (Row& row : rows) {
    if (row.fields.size() == columns) {
      kept.push_back(std::move(row));
      continue;
    }
    wrong += "\n    Line #" + std::to_string(row.line) + " (got " +
             std::to_string(row.fields.size()) + " columns instead of " + std::to_string(columns) +
             ")";
  }
  if (raises && !wrong.empty()) {
    throw ValueError(std::string(kName) + ": some errors were detected" + wrong);
  }
  return kept;
}

ndarray read(const std::string& content, const GenfromtxtOptions& options) {
  if (options.ndmin < 0 || options.ndmin > 2) {
    throw ValueError(std::string(kName) + ": ndmin must be 0, 1 or 2; " +
                     std::to_string(options.ndmin));
  }
  if (options.skip_footer > 0 && options.max_rows >= 0) {
    throw ValueError(std::string(kName) + ": skip_footer and max_rows exclude each other; " +
                     std::to_string(options.skip_footer) + " and " +
                     std::to_string(options.max_rows));
  }
  std::vector<Row> rows;
  std::string_view rest = content;
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    if (number <= options.skip_header) continue;
    if (options.max_rows >= 0 && static_cast<std::int64_t>(rows.size()) >= options.max_rows) break;
    if (!options.comments.empty()) line = line.substr(0, line.find(options.comments));
    if (auto fields = split(line, options.delimiter); !fields.empty()) {
      rows.push_back({number, std::move(fields)});
    }
  }
  const auto footer =
      std::clamp<std::int64_t>(options.skip_footer, 0, static_cast<std::int64_t>(rows.size()));
  rows.resize(rows.size() - static_cast<std::size_t>(footer));
  if (rows.empty()) return empty({0}, options.dtype ? options.dtype : float64);
  rows = of_one_length(std::move(rows), options.invalid_raise);
  Reader reader(options, rows[0].fields.size());
  for (const Row& row : rows) reader.add(row);
  ndarray table = reader.table();
  if (options.ndmin < 2) table = squeeze(table);
  if (table.ndim() < options.ndmin) table = table.reshape({table.size()});
  table = table.to(current_device());
  return options.unpack && table.ndim() == 2 ? table.T() : table;
}

}  // namespace

ndarray genfromtxt(const std::string& path, const GenfromtxtOptions& options) {
  const internal::io::File file(path, kName);
  std::string content(file.size(), '\0');
  file.read_at(0, content.data(), content.size());
  return read(content, options);
}

ndarray genfromtxt(std::istream& stream, const GenfromtxtOptions& options) {
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw IOError(std::string(kName) + ": the stream cannot be read");
  return read(content, options);
}

}  // namespace cupyxx
