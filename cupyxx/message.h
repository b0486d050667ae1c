// SPDX-License-Identifier: MIT
// Texts of errors.
//
//   throw ShapeError(message("solve: a has shape ", a.shape(), ", which is not square"));
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace cupyxx {

namespace internal {

// No reals (how many digits?), no `bool` ("true", "True" or "1"?), and nothing becomes a `char` by
// conversion.
template <class T>
concept PlainInteger = std::integral<T> && !std::same_as<T, char> && !std::same_as<T, bool>;

inline void append_part(std::string& text, std::string_view part) { text += part; }
void append_part(std::string& text, std::same_as<char> auto part) { text += part; }
void append_part(std::string& text, PlainInteger auto number) { text += std::to_string(number); }
template <class T>
requires requires(const T& value) {
  { value.str() } -> std::convertible_to<std::string>;
}
void append_part(std::string& text, const T& value) { text += value.str(); }

}  // namespace internal

/// One text of all parts: texts, integers, and what has `str()` (shapes, numbers, devices).
template <class... Part>
std::string message(const Part&... parts) {
  std::string text;
  (internal::append_part(text, parts), ...);
  return text;
}

}  // namespace cupyxx
