// SPDX-License-Identifier: MIT
// NumPy's constants. `newaxis` is in index.h.
#pragma once

namespace cupyxx {

/// The ratio of a circle's circumference to its diameter.
inline constexpr double pi = 3.141592653589793238462643383279502884;
/// The base of natural logarithms.
inline constexpr double e = 2.718281828459045235360287471352662498;
/// Euler's constant.
inline constexpr double euler_gamma = 0.577215664901532860606512090082402431;
/// Positive infinity.
inline constexpr double inf = __builtin_inf();
/// Not a number.
inline constexpr double nan = __builtin_nan("");

}  // namespace cupyxx
