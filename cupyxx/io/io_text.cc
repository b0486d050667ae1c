// SPDX-License-Identifier: MIT
// Tables of numbers as text.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <istream>
#include <iterator>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/complex.h"
#include "cupyxx/core/body.h"
#include "cupyxx/core/nested_list.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/io/atomic_file.h"
#include "cupyxx/internal/io/byte_source.h"
#include "cupyxx/internal/io/number_text.h"
#include "cupyxx/io.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace {

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// The fields of a line, blanks around them removed.
std::vector<std::string_view> fields_of(std::string_view line, const std::string& delimiter) {
  std::vector<std::string_view> fields;
  if (delimiter.empty()) {
    for (line = stripped(line); !line.empty(); line = stripped(line)) {
      const std::size_t end = std::min(line.find_first_of(" \t\r\v\f"), line.size());
      fields.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
    return fields;
  }
  if (stripped(line).empty()) return fields;
  for (;;) {
    const std::size_t end = line.find(delimiter);
    fields.push_back(stripped(line.substr(0, end)));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + delimiter.size());
  }
}

// Rows of elements as they are found.
struct Table {
  const std::string& path;
  const LoadtxtOptions& options;
  dtype type;
  std::vector<char> elements = {};
  std::int64_t rows = 0, columns = -1;

  [[noreturn]] void fail(std::int64_t line, const std::string& what) const {
    throw ValueError(message("loadtxt: ", path, ": line ", line, ": ", what));
  }

  void add(std::int64_t line, const std::vector<std::string_view>& fields) {
    const auto found = static_cast<std::int64_t>(fields.size());
    if (options.usecols.empty()) {
      if (columns >= 0 && columns != found) {
        fail(line, message("the number of columns changed; ", columns, " and ", found));
      }
      columns = found;
      for (std::int64_t i = 0; i < found; ++i) add_field(line, fields, i);
    } else {
      columns = static_cast<std::int64_t>(options.usecols.size());
      for (const std::int64_t column : options.usecols) {
        if (column < -found || column >= found) {
          fail(line, message("there is no column ", column, " of ", found));
        }
        add_field(line, fields, column < 0 ? column + found : column);
      }
    }
    ++rows;
  }

  void add_field(std::int64_t line, const std::vector<std::string_view>& fields,
                 std::int64_t column) {
    std::string_view text = fields[static_cast<std::size_t>(column)];
    alignas(16) char element[16];
    if (!internal::io::read_number("loadtxt", text, type, element) || !text.empty()) {
      fail(line, message("column ", column, " is no number of ", type.name(), "; '",
                         fields[static_cast<std::size_t>(column)], "'"));
    }
    elements.insert(elements.end(), element, element + type.itemsize());
  }
};

// As NumPy: axes of extent 1 go as far as `ndmin` allows, and come back as columns.
ndarray with_rank(ndarray a, int ndmin) {
  if (a.ndim() > ndmin) {
    a = squeeze(a);
  }
  if (a.ndim() >= ndmin) return a;
  if (ndmin == 1) return a.reshape({a.size()});
  return a.reshape({a.size(), 1});
}

}  // namespace

namespace {

ndarray read_table(const std::string& path, std::string_view content,
                   const LoadtxtOptions& options);
std::string table_text(const ndarray& a, const SavetxtOptions& options);

}  // namespace

ndarray loadtxt(const std::string& path, cupyxx::dtype dtype) {
  return loadtxt(path, LoadtxtOptions{.dtype = dtype});
}

ndarray loadtxt(const std::string& path, const LoadtxtOptions& options) {
  const internal::io::File file(path, "loadtxt");
  std::string content(file.size(), '\0');
  file.read_at(0, content.data(), content.size());
  return read_table(path, content, options);
}

ndarray loadtxt(std::istream& in, const LoadtxtOptions& options) {
  const std::string content((std::istreambuf_iterator<char>(in)), {});
  return read_table("the stream", content, options);
}

void savetxt(const std::string& path, const ndarray& a, const SavetxtOptions& options) {
  const std::string text = table_text(a, options);
  internal::io::AtomicFile file("savetxt", path);
  file.write(text.data(), text.size());
  file.commit();
}

void savetxt(std::ostream& out, const ndarray& a, const SavetxtOptions& options) {
  const std::string text = table_text(a, options);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out) throw IOError("savetxt: cannot write to the stream");
}

namespace {

ndarray read_table(const std::string& path, std::string_view content,
                   const LoadtxtOptions& options) {
  if (options.ndmin < 0 || options.ndmin > 2) {
    throw ValueError(message("loadtxt: ndmin must be 0, 1 or 2; ", options.ndmin));
  }
  std::string_view rest = content;
  Table table{path, options, options.dtype ? options.dtype : float64};
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    std::string_view line = internal::io::take_line(rest);
    if (number <= options.skiprows) continue;
    if (!options.comments.empty()) line = line.substr(0, line.find(options.comments));
    const auto fields = fields_of(line, options.delimiter);
    if (fields.empty()) continue;
    if (options.max_rows >= 0 && table.rows >= options.max_rows) break;
    table.add(number, fields);
  }
  ndarray host;
  {
    const DeviceScope scope(Device::cpu());
    const auto chosen = static_cast<std::int64_t>(options.usecols.size());
    host = empty({table.rows, std::max<std::int64_t>({table.columns, chosen, 1})}, table.type);
  }
  if (host.size() != 0) std::memcpy(host.elements(), table.elements.data(), table.elements.size());
  const ndarray result = with_rank(host, options.ndmin).to(current_device());
  return options.unpack ? result.T() : result;
}

std::string table_text(const ndarray& a, const SavetxtOptions& options) {
  if (a.is_none()) throw ValueError("savetxt: the array is None");
  if (a.ndim() < 1 || a.ndim() > 2) {
    throw ValueError(message("savetxt: expected a 1-D or 2-D array; shape ", a.shape()));
  }
  const ndarray table = (a.ndim() == 1 ? a.reshape({a.size(), 1}) : a).to_cpu();
  const auto columns = static_cast<std::size_t>(table.shape()[1]);
  auto parts = internal::io::split_format("savetxt", options.fmt);
  const bool repeats = parts.size() == 1;
  const bool is_complex = table.dtype().is_complex();
  const std::size_t wanted = is_complex ? 2 * columns : columns;
  if (!repeats && parts.size() != wanted) {
    throw ValueError(message("savetxt: fmt has ", parts.size(), " conversions for ", columns,
                             is_complex ? " complex columns; '" : " columns; '", options.fmt, "'"));
  }
  std::string text;
  const auto add_comment = [&](const std::string& lines) {
    if (lines.empty()) return;
    text += options.comments;
    for (const char c : lines) {
      text += c;
      if (c == '\n') text += options.comments;
    }
    text += options.newline;
  };
  // A number as Python prints it depends on its dtype, which lists do not keep.
  const auto element = [&](const ndarray& row, std::size_t column, const std::string& part,
                           const Scalar& number) {
    if (!internal::io::takes_text(part))
      return internal::io::format_number("savetxt", part, number);
    return internal::io::format_text(part, row(static_cast<std::int64_t>(column)).str());
  };
  add_comment(options.header);
  std::int64_t at = 0;
  for (const NestedList& numbers : table.tolist()) {
    const ndarray row = table(at++);
    const ndarray imaginary = is_complex ? row.imag() : ndarray();
    const ndarray real = is_complex ? row.real() : row;
    std::string line;
    std::size_t column = 0;
    for (const NestedList& item : numbers) {
      if (repeats && column != 0) line += options.delimiter;
      const std::size_t part = repeats ? 0 : is_complex ? 2 * column : column;
      if (is_complex) {
        const complex<double> z = item.number().as_complex();
        const std::string second =
            element(imaginary, column, parts[repeats ? 0 : part + 1], z.imag());
        line += (repeats ? " (" : "") + element(real, column, parts[part], z.real());
        line += repeats ? "+" + second + "j)" : second;
      } else {
        line += element(real, column, parts[part], item.number());
      }
      ++column;
    }
    // NumPy's way to the sign of an imaginary part.
    for (std::size_t k = line.find("+-"); is_complex && k != std::string::npos;) {
      line.erase(k, 1);
      k = line.find("+-", k);
    }
    text += line + options.newline;
  }
  add_comment(options.footer);
  return text;
}

}  // namespace

std::istream& operator>>(std::istream& in, View&& element) {
  if (element.size() != 1) {
    throw ValueError(message("operator>>: it reads one element; the shape ", element.shape()));
  }
  const auto read = [&](auto value) {
    if (in >> value) element.fill(value);
  };
  const dtype type = element.dtype();
  if (type.is_bool()) {
    read(false);
  } else if (type.is_complex()) {
    std::complex<double> value;
    if (in >> value) element.fill(complex<double>(value.real(), value.imag()));
  } else if (!type.is_integer()) {
    read(0.0);
  } else if (type == uint64 && (in >> std::ws).peek() != '-') {  // C++ would wrap it around
    read(std::uint64_t{0});
  } else {
    read(std::int64_t{0});
  }
  return in;
}

std::istream& operator>>(std::istream& in, View& named) {
  if (!named.is_none()) internal::own_element(named.body());
  return in >> std::move(named);
}

}  // namespace cupyxx
