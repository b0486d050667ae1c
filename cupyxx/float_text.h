// SPDX-License-Identifier: MIT
// One floating number as text: NumPy's format_float_positional and format_float_scientific.
#pragma once

#include <string>
#include <type_traits>

#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of format_float_positional and format_float_scientific. Numbers of digits of -1 are not
/// given.
struct FloatTextOptions {
  int precision = -1;      ///< digits after the point at most; without `unique` exactly so many
  bool unique = true;      ///< the fewest digits that name the value among those of its dtype
  bool fractional = true;  ///< false: `precision` counts all digits from the first one not zero
  /// What becomes of zeros at the end: 'k' keeps them, '.' drops them, '0' drops all but one behind
  /// the point, '-' drops the point as well.
  char trim = 'k';
  bool sign = false;    ///< '+' in front of positive numbers
  int pad_left = -1;    ///< characters in front of the point at least
  int pad_right = -1;   ///< characters behind it at least
  int exp_digits = -1;  ///< of the exponent at least; 2 unless given
  int min_digits = -1;  ///< digits behind the point at least
};

namespace internal {
CUPYXX_API std::string positional(double x, dtype type, const FloatTextOptions& options);
CUPYXX_API std::string scientific(double x, dtype type, const FloatTextOptions& options);
template <class T>
inline constexpr bool kIsNumber =
    std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
constexpr dtype float_of() {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, long double>) {
    return float64;
  } else {
    return dtype_of<T>();
  }
}
}  // namespace internal

/// 123.45. Throws ValueError for options that exclude each other.
template <class T>
requires internal::kIsNumber<T> std::string format_float_positional(
    T x, const FloatTextOptions& options = {}) {
  return internal::positional(static_cast<double>(x), internal::float_of<T>(), options);
}
/// 1.2345e+02.
template <class T>
requires internal::kIsNumber<T> std::string format_float_scientific(
    T x, const FloatTextOptions& options = {}) {
  return internal::scientific(static_cast<double>(x), internal::float_of<T>(), options);
}
/// The same of the only element of an array. Synchronises.
CUPYXX_API std::string format_float_positional(const ndarray& x,
                                               const FloatTextOptions& options = {});
CUPYXX_API std::string format_float_scientific(const ndarray& x,
                                               const FloatTextOptions& options = {});

}  // namespace cupyxx
