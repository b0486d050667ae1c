// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <istream>
#include <iterator>
#include <limits>
#include <string_view>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/io/byte_source.h"
#include "cupyxx/internal/io/number_text.h"
#include "cupyxx/io.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace {

constexpr const char* kName = "genfromtxt";
constexpr std::string_view kBlanks = " \t\r\f\v";

std::string_view stripped(std::string_view text, std::string_view blanks = kBlanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Without the blanks at its ends; a tabulator is none where it separates fields, the first and the
/// last of which may be missing.
std::string_view line_of_fields(std::string_view line, std::string_view delimiter) {
  return delimiter.find('\t') == delimiter.npos ? stripped(line) : stripped(line, " \r\f\v");
}

void split(std::string_view line, std::string_view delimiter,
           std::vector<std::string_view>& fields) {
  fields.clear();
  line = line_of_fields(line, delimiter);
  if (line.empty()) return;
  while (true) {
    const std::size_t end = delimiter.empty() ? line.find_first_of(kBlanks) : line.find(delimiter);
    fields.push_back(stripped(line.substr(0, end)));
    if (end == line.npos) return;
    line.remove_prefix(end + (delimiter.empty() ? 0 : delimiter.size()));
    if (delimiter.empty()) line = stripped(line);
  }
}

struct Row {
  std::int64_t line = 0;
  std::vector<std::string_view> fields;
};

/// The rows of a text, one after the other: a table of them would be larger than the text.
class Rows {
 public:
  Rows(std::string_view text, const GenfromtxtOptions& options) : rest_(text), options_(options) {}

  /// False behind the last row.
  bool next(Row& row) {
    while (!rest_.empty()) {
      std::string_view line = internal::io::take_line(rest_);
      if (++line_ <= options_.skip_header) continue;
      if (!options_.comments.empty()) line = line.substr(0, line.find(options_.comments));
      split(line, options_.delimiter, row.fields);
      if (row.fields.empty()) continue;
      row.line = line_;
      return true;
    }
    return false;
  }

 private:
  std::string_view rest_;
  const GenfromtxtOptions& options_;
  std::int64_t line_ = 0;
};

bool same_word(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
         });
}

/// The chosen columns; negative ones are counted from the end of the first row. Throws ValueError
/// for one that it lacks.
std::vector<std::int64_t> chosen_columns(const GenfromtxtOptions& options, std::size_t columns) {
  const auto count = static_cast<std::int64_t>(columns);
  std::vector<std::int64_t> chosen;
  for (const std::int64_t column : options.usecols) {
    if (column < -count || column >= count) {
      throw ValueError(message(kName, ": there is no column ", column, " of ", count));
    }
    chosen.push_back(column < 0 ? column + count : column);
  }
  return chosen;
}

class Reader {
 public:
  Reader(const GenfromtxtOptions& options, std::size_t columns, std::int64_t rows)
      : options_(options), type_(options.dtype ? options.dtype : float64) {
    if (options.usecols.empty()) {
      for (std::size_t i = 0; i < columns; ++i) columns_.push_back(static_cast<std::int64_t>(i));
    }
    for (const std::int64_t column : chosen_columns(options, columns)) columns_.push_back(column);
    const std::size_t fillings = options.filling_values.size();
    if (fillings > 1 && fillings != columns_.size()) {
      throw ValueError(message(kName, ": there are ", fillings, " filling_values for ",
                               columns_.size(), " columns"));
    }
    const DeviceScope host(Device::cpu());
    table_ = empty({rows, static_cast<std::int64_t>(columns_.size())}, type_);
    if (table_.size() != 0) end_ = static_cast<char*>(table_.elements());
  }

  void add(const Row& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      alignas(16) char element[16];
      const std::int64_t column = columns_[i];
      const std::string_view field = row.fields[static_cast<std::size_t>(column)];
      if (!read(field, element)) {
        if (!options_.loose && !is_missing(field)) {
          throw ValueError(message(kName, ": line ", row.line, ", column ", column,
                                   " is no number of ", type_.name(), "; '", field, "'"));
        }
        fill(i, element);
      }
      std::memcpy(end_, element, static_cast<std::size_t>(type_.itemsize()));
      end_ += type_.itemsize();
    }
  }

  const ndarray& table() const { return table_; }

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
    // NumPy reads integers of 64 bits as Python's int(), narrower ones as int(float()).
    const bool is_wide = type_.is_integer() && type_.itemsize() == 8;
    if (is_wide && field.find_first_of(".eE") != field.npos) return false;
    const std::string digits = without_underscores(field);
    std::string_view rest = digits;
    return internal::io::read_number(kName, rest, type_, element) && rest.empty();
  }
  /// Python's "1_000" is 1000.
  static std::string without_underscores(std::string_view field) {
    const auto is_digit = [field](std::size_t i) {
      return i < field.size() && field[i] >= '0' && field[i] <= '9';
    };
    std::string text;
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (field[i] != '_' || i == 0 || !is_digit(i - 1) || !is_digit(i + 1)) text += field[i];
    }
    return text;
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
  std::vector<std::int64_t> columns_;
  ndarray table_;
  char* end_ = nullptr;  // of the elements so far
};

/// Rows of another length than the first's, or without a chosen column: all are counted, the first
/// ones are named.
class WrongRows {
 public:
  WrongRows(std::size_t columns, const GenfromtxtOptions& options)
      : columns_(columns), chosen_(chosen_columns(options, columns)) {}

  bool has(const Row& row) const {
    if (chosen_.empty()) return row.fields.size() != columns_;
    const auto count = static_cast<std::int64_t>(row.fields.size());
    return std::any_of(chosen_.begin(), chosen_.end(),
                       [count](std::int64_t column) { return column >= count; });
  }
  void add(const Row& row) {
    constexpr std::int64_t kNamed = 100;
    if (++count_ > kNamed) return;
    text_ += "\n    Line #" + std::to_string(row.line) + " (got " +
             std::to_string(row.fields.size()) + " columns instead of " + std::to_string(columns_) +
             ")";
    if (count_ == kNamed) text_ += "\n    and others";
  }
  void check() const {
    if (count_ == 0) return;
    throw ValueError(message(kName, ": some errors were detected", text_));
  }

 private:
  std::size_t columns_;
  std::vector<std::int64_t> chosen_;
  std::int64_t count_ = 0;
  std::string text_;
};

ndarray read(const std::string& content, const GenfromtxtOptions& options) {
  if (options.ndmin < 0 || options.ndmin > 2) {
    throw ValueError(message(kName, ": ndmin must be 0, 1 or 2; ", options.ndmin));
  }
  if (options.skip_footer > 0 && options.max_rows >= 0) {
    throw ValueError(message(kName, ": skip_footer and max_rows exclude each other; ",
                             options.skip_footer, " and ", options.max_rows));
  }
  Row row;
  std::int64_t all = std::numeric_limits<std::int64_t>::max();
  if (options.skip_footer > 0) {
    all = 0;
    for (Rows rows(content, options); rows.next(row);) ++all;
    all -= std::min(all, options.skip_footer);
  }
  std::size_t columns = 0;
  if (options.max_rows != 0 && Rows(content, options).next(row)) columns = row.fields.size();
  if (all == 0 || columns == 0) {
    const Shape none_found = options.ndmin < 2 ? Shape{0}
                             : options.unpack  ? Shape{1, 0}
                                               : Shape{0, 1};
    return empty(none_found, options.dtype ? options.dtype : float64);
  }

  WrongRows wrong(columns, options);
  // Rows that are left out do not count.
  const std::int64_t most = options.max_rows < 0 ? all : options.max_rows;
  std::int64_t seen = 0, kept = 0;
  for (Rows rows(content, options); seen < all && kept < most && rows.next(row); ++seen) {
    if (wrong.has(row)) {
      wrong.add(row);
    } else {
      ++kept;
    }
  }
  if (options.invalid_raise) wrong.check();
  Reader reader(options, columns, kept);
  Rows rows(content, options);
  for (std::int64_t added = 0; added < kept && rows.next(row);) {
    if (wrong.has(row)) continue;
    reader.add(row);
    ++added;
  }
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
  if (stream.bad()) throw IOError(message(kName, ": the stream cannot be read"));
  return read(content, options);
}

}  // namespace cupyxx
