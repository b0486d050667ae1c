// SPDX-License-Identifier: MIT
// Elements in files without a header, and npy files as memory.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/foreign_storage.h"
#include "cupyxx/core/nested_list.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/io/atomic_file.h"
#include "cupyxx/internal/io/mapped_file.h"
#include "cupyxx/internal/io/npy.h"
#include "cupyxx/internal/io/number_text.h"
#include "cupyxx/internal/io/truth_values.h"
#include "cupyxx/io.h"

namespace cupyxx {

namespace {

using internal::io::File;

ndarray host_array(std::int64_t size, dtype type) {
  const DeviceScope host(Device::cpu());
  return empty({size}, type);
}

std::string read_whole(const std::string& path) {
  const File file(path, "fromfile");
  std::string bytes(file.size(), '\0');
  file.read_at(0, bytes.data(), bytes.size());
  return bytes;
}

void skip_space(std::string_view& text) {
  const std::size_t at = text.find_first_not_of(" \t\n\v\f\r");
  text.remove_prefix(at == std::string_view::npos ? text.size() : at);
}

// Whether the separator, blanks around it included, stands in front; it is removed then.
bool skip_separator(std::string_view& text, std::string_view separator) {
  const std::string_view before = text;
  skip_space(text);
  const std::size_t first = separator.find_first_not_of(" \t\n\v\f\r");
  if (first == std::string_view::npos) return text.size() < before.size();
  const std::size_t last = separator.find_last_not_of(" \t\n\v\f\r");
  const std::string_view bare = separator.substr(first, last + 1 - first);
  if (!text.starts_with(bare)) return false;
  text.remove_prefix(bare.size());
  return true;
}

// Whether a number that was read, "2.5", is no whole one, as "2.", "1e3" and "7" are.
bool has_fraction(std::string_view number) {
  if (number.find_first_of(".eE") == std::string_view::npos) return false;
  alignas(16) char element[16];
  if (!internal::io::read_number("fromstring", number, float64, element)) return false;
  double value = 0;
  std::memcpy(&value, element, sizeof value);
  return value != std::trunc(value);
}

// The elements of a text; `where` names the text in errors.
ndarray parse(const char* operation, const std::string& where, std::string_view text, dtype type,
              std::int64_t count, const std::string& separator) {
  std::vector<char> elements;
  const auto itemsize = static_cast<std::size_t>(type.itemsize());
  std::int64_t found = 0;
  while (count < 0 || found < count) {
    skip_space(text);
    if (text.empty()) break;
    alignas(16) char element[16];
    const std::string_view rest = text;
    if (!internal::io::read_number(operation, text, type, element)) {
      throw ValueError(message(operation, ": ", where, ": element ", found, " is no number; '",
                               text.substr(0, 20), "'"));
    }
    const std::string_view read = rest.substr(0, rest.size() - text.size());
    if (type.is_integer() && has_fraction(read)) {
      throw ValueError(message(operation, ": ", where, ": element ", found, " is no integer, as ",
                               type.name(), " needs; '", read, "'"));
    }
    elements.insert(elements.end(), element, element + itemsize);
    ++found;
    if (skip_separator(text, separator)) continue;
    skip_space(text);
    if (text.empty() || found == count) break;
    throw ValueError(message(operation, ": ", where, ": no separator '", separator,
                             "' after element ", found - 1, "; '", text.substr(0, 20), "'"));
  }
  const ndarray result = host_array(found, type);
  if (found != 0) std::memcpy(result.elements(), elements.data(), elements.size());
  return result.to(current_device());
}

}  // namespace

ndarray fromfile(const std::string& path, cupyxx::dtype dtype, const FromfileOptions& options) {
  dtype = internal::one_dtype("fromfile", dtype, options.dtype);
  if (!dtype) dtype = float64;
  if (!options.sep.empty()) {
    if (options.offset != 0) {
      throw TypeError(message("fromfile: an offset is for binary files only; ", options.offset));
    }
    return parse("fromfile", path, read_whole(path), dtype, options.count, options.sep);
  }
  if (options.offset < 0) {
    throw ValueError(message("fromfile: the offset is negative; ", options.offset));
  }
  const File file(path, "fromfile");
  const auto size = static_cast<std::int64_t>(file.size());
  const auto rest = std::max<std::int64_t>(0, size - options.offset);
  std::int64_t count = rest / dtype.itemsize();
  if (options.count >= 0) count = std::min(count, options.count);
  const ndarray result = host_array(count, dtype);
  if (count == 0) return result.to(current_device());
  file.read_at(static_cast<std::uint64_t>(options.offset), result.elements(),
               static_cast<std::size_t>(result.nbytes()));
  if (dtype.is_bool()) {
    internal::io::to_truth_values(result.elements(), static_cast<std::size_t>(count));
  }
  return result.to(current_device());
}

ndarray fromstring(const std::string& text, cupyxx::dtype dtype, internal::Int64 count,
                   const std::string& sep) {
  if (sep.empty()) throw ValueError("fromstring: a separator is needed; bytes are for frombuffer");
  return parse("fromstring", "text", text, dtype ? dtype : float64, count, sep);
}

ndarray fromstring(const std::string& text, cupyxx::dtype dtype, const FromstringOptions& options) {
  return fromstring(text, internal::one_dtype("fromstring", dtype, options.dtype), options.count,
                    options.sep);
}

void tofile(const ndarray& a, const std::string& path, const std::string& sep,
            const std::string& format) {
  if (a.is_none()) throw ValueError("tofile: the array is None");
  // Contiguous: ravel() of a strided vector is the vector itself.
  const ndarray host = internal::contiguous(a.to_cpu().ravel());
  std::vector<std::string> parts;
  if (!format.empty()) parts = internal::io::split_format("tofile", format);
  if (parts.size() > 1) {
    throw ValueError(message("tofile: a format has one conversion of a number; '", format, "'"));
  }
  if (!sep.empty() && !parts.empty() && !internal::io::takes_text(parts[0]) &&
      a.dtype().is_complex()) {
    throw TypeError(message("tofile: '", format, "' formats real numbers, not ", a.dtype().name(),
                            "; '%s', or a.real() and a.imag()"));
  }
  internal::io::AtomicFile file("tofile", path);
  if (sep.empty()) {
    if (host.nbytes() != 0) file.write(host.elements(), static_cast<std::size_t>(host.nbytes()));
    file.commit();
    return;
  }
  const NestedList list = host.tolist();
  std::string text;
  for (const NestedList& item : list) {
    if (!text.empty()) text += sep;
    text += parts.empty() ? item.number().str()
                          : internal::io::format_number("tofile", parts[0], item.number());
  }
  file.write(text.data(), text.size());
  file.commit();
}

namespace internal {

ndarray load_mapped(const std::string& path, std::string_view mode) {
  const bool reads = mode == "r" || mode == "readonly";
  const bool writes = mode == "r+" || mode == "readwrite";
  if (mode == "w+" || mode == "write") {
    throw ValueError(
        "load: the mmap_mode 'w+' would empty the file before it is read; 'r+' writes "
        "to what it holds");
  }
  if (!reads && !writes && mode != "c" && mode != "copyonwrite") {
    throw ValueError(message("load: the mmap_mode must be 'r', 'r+' or 'c'; '", mode, "'"));
  }
  const io::MapMode map_mode = reads    ? io::MapMode::read
                               : writes ? io::MapMode::write
                                        : io::MapMode::copy_on_write;
  const auto file = std::make_shared<const File>(path);
  io::FileSource source(file);
  const io::NpyHeader header = io::read_npy_header(source);
  if (header.big_endian && header.dtype.itemsize() > 1) {
    source.fail(
        message("big-endian elements cannot be mapped, only loaded; ", header.dtype.name()));
  }
  Shape shape(header.shape);
  Strides strides = contiguous_strides(shape, header.dtype.itemsize());
  if (header.fortran_order) {
    std::reverse(shape.begin(), shape.end());
    strides = contiguous_strides(shape, header.dtype.itemsize());
    std::reverse(shape.begin(), shape.end());
    std::reverse(strides.begin(), strides.end());
  }
  if (header.nbytes == 0) return empty(shape, header.dtype);
  const std::uint64_t offset = file->size() - source.remaining();
  if (offset % static_cast<std::uint64_t>(header.dtype.itemsize()) != 0 && offset % 16 != 0) {
    source.fail(
        message("the elements are not aligned, so they can only be loaded; offset ", offset));
  }
  auto bytes = std::make_unique<io::MappedBytes>(
      io::map_file(path, offset, static_cast<std::size_t>(header.nbytes), map_mode));
  Storage* storage = nullptr;
  try {
    const auto count = static_cast<std::size_t>(header.nbytes);
    if (header.dtype.is_bool() && io::find_no_truth_value(bytes->data, count) != count) {
      source.fail(message("a bool element is neither 0 nor 1, so they can only be loaded; element ",
                          io::find_no_truth_value(bytes->data, count)));
    }
    storage = wrap_memory({.device = Device::cpu(),
                           .data = bytes->data,
                           .nbytes = static_cast<std::size_t>(header.nbytes),
                           .release =
                               [](void* context) {
                                 const std::unique_ptr<io::MappedBytes> mapped(
                                     static_cast<io::MappedBytes*>(context));
                                 io::unmap(*mapped);
                               },
                           .context = bytes.get()});
  } catch (...) {
    io::unmap(*bytes);
    throw;
  }
  void* first = bytes.release()->data;
  return wrap_array(storage, first, header.dtype, shape, strides, map_mode != io::MapMode::read)
      .to(current_device());
}

}  // namespace internal

}  // namespace cupyxx
