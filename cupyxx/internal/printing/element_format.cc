// SPDX-License-Identifier: MIT
#include "cupyxx/internal/printing/element_format.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cupyxx/error.h"
#include "cupyxx/internal/element_types.h"

namespace cupyxx::internal::printing {
namespace {

template <class T>
T load(const void* elements, std::size_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(elements) + i * sizeof(T), sizeof(T));
  return value;
}

/// Parts of complex numbers stand one after another.
double load_float(cupyxx::dtype type, const void* elements, std::size_t i) {
  double value = 0;
  const bool is_number = with_element_type(type.real_part(), [&]<class T>() {
    if constexpr (!is_complex<T>) value = static_cast<Computed<T>>(load<T>(elements, i));
  });
  if (!is_number) {
    throw TypeError(message("array_repr: elements of the dtype have no text; ", type.name()));
  }
  return value;
}

std::string integer_text(cupyxx::dtype type, const void* elements, std::size_t i) {
  const auto size = static_cast<std::size_t>(type.itemsize());
  std::uint64_t bits = 0;  // the low bytes come first
  std::memcpy(&bits, static_cast<const char*>(elements) + i * size, size);
  const auto unused = 64 - 8 * size;
  return type.is_signed_integer()
             ? std::to_string(static_cast<std::int64_t>(bits << unused) >> unused)
             : std::to_string(bits);
}

std::string bool_text(const void* elements, std::size_t i) {
  return load<std::uint8_t>(elements, i) != 0 ? "True" : "False";
}

// Each part has the layout of its own column; "j" stands before the padding of the second one.
std::vector<std::string> complex_texts(cupyxx::dtype type, const void* elements, std::size_t count,
                                       FloatOptions options) {
  std::vector<double> real(count), imaginary(count);
  for (std::size_t i = 0; i < count; ++i) {
    real[i] = load_float(type, elements, 2 * i);
    imaginary[i] = load_float(type, elements, 2 * i + 1);
  }
  std::vector<std::string> words = format_floats(real, type.real_part(), options);
  options.plus_sign = true;
  const std::vector<std::string> seconds = format_floats(imaginary, type.real_part(), options);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = seconds[i].find_last_not_of(' ') + 1;
    words[i] += seconds[i].substr(0, end) + "j" + seconds[i].substr(end);
  }
  return words;
}

}  // namespace

std::vector<std::string> format_elements(cupyxx::dtype type, const void* elements,
                                         std::size_t count, const FloatOptions& options,
                                         bool is_scalar) {
  if (type.is_complex()) return complex_texts(type, elements, count, options);
  if (!type.is_bool() && !type.is_integer()) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = load_float(type, elements, i);
    return format_floats(values, type, options);
  }
  std::vector<std::string> words(count);
  std::size_t width = type.is_bool() && !is_scalar ? 5 : 0;
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = type.is_bool() ? bool_text(elements, i) : integer_text(type, elements, i);
    width = std::max(width, words[i].size());
  }
  if (!is_scalar) {
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
  }
  return words;
}

std::string format_element(cupyxx::dtype type, const void* element) {
  if (type.is_bool()) return bool_text(element, 0);
  if (type.is_integer()) return integer_text(type, element, 0);
  if (type.is_complex()) {
    return format_complex(load_float(type, element, 0), load_float(type, element, 1),
                          type.real_part());
  }
  return format_float(load_float(type, element, 0), type);
}

}  // namespace cupyxx::internal::printing
