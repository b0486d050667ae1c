// SPDX-License-Identifier: MIT
// What the driver test knows of an operation: its value by another way than its body, and which
// operands to try. An operation without its row in a *_cases.h does not compile.
#pragma once

#include <cmath>

#include "cupyxx/dtype.h"

namespace cupyxx::ops {

/// Wide enough that a rounding in it is far below one of float64: the extended type of x86.
using Real = long double;
using Integer = __int128;

/// Operands of a floating loop; integer operands arrive converted.
struct Reals {
  Real x = 0, y = 0, z = 0, w = 0;
  dtype type = {};  // the loop's floating type
};

/// Operands of an integer or bool loop. Results wrap around in the loop's type.
struct Integers {
  Integer x = 0, y = 0, z = 0;
  dtype type = {};

  bool is_bool() const { return type.is_bool(); }
  int bits() const { return static_cast<int>(8 * type.itemsize()); }
};

/// x * y modulo 2^128; products of 64-bit integers may need all bits.
inline Integer product(Integer x, Integer y) {
  return static_cast<Integer>(static_cast<unsigned __int128>(x) *
                              static_cast<unsigned __int128>(y));
}

struct Range {
  double low, high;
};

/// One row. Bounds are for float32 and float64; 16-bit floats are computed in float32 and rounded
/// once.
struct Case {
  Real (*real)(const Reals&) = nullptr;
  Integer (*integer)(const Integers&) = nullptr;
  Real (*second_real)(const Reals&) = nullptr;  // of operations with two outputs
  Integer (*second_integer)(const Integers&) = nullptr;
  double ulp = 0.5;     // 0.5 is a correctly rounded result
  Range x = {-20, 20};  // floating operands, besides the special values
  Range y = {-20, 20};
  Range integer_y = {-1e19, 1e19};  // integer operands, cut to their type
  bool zero_sign = true;            // the sign of a zero result is defined
};

template <class Op>
struct MissingCase {
  static constexpr bool value = false;
};

/// The row of an operation.
template <class Op>
constexpr Case missing_case() {
  static_assert(MissingCase<Op>::value, "every operation needs a row in its family's *_cases.h");
  return {};
}
template <class Op>
inline constexpr Case kCase = missing_case<Op>();

/// A function of the C library as a reference.
template <Real (*kFunction)(Real)>
Real library(const Reals& a) {
  return kFunction(a.x);
}
template <Real (*kFunction)(Real, Real)>
Real library(const Reals& a) {
  return kFunction(a.x, a.y);
}

/// Distance from |x| to the next larger value of a floating type.
inline Real spacing(Real x, dtype type) {
  const bool is_half = type == float16;
  const bool is_single = type == float32;
  const bool is_brain = type == bfloat16_;
  const int digits = is_half ? 11 : is_brain ? 8 : is_single ? 24 : 53;
  const int lowest = is_half ? -14 : is_brain || is_single ? -126 : -1022;
  int exponent = 0;
  frexpl(x, &exponent);
  return ldexpl(1, (x == 0 || exponent - 1 < lowest ? lowest : exponent - 1) - digits + 1);
}

}  // namespace cupyxx::ops
