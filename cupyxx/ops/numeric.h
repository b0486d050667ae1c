// SPDX-License-Identifier: MIT
// Device-safe. Divisors of integers, steps, magnitudes and powers in floating point.
#pragma once

#include "cupyxx/ops/complex_math.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

/// |x| as a number that wraps around; the magnitude of the smallest integer fits.
template <class T>
CUPYXX_FN Wrap<T> magnitude(T x) {
  if constexpr (is_signed<T>) {
    if (x < 0) return Wrap<T>(0) - Wrap<T>(x);
  }
  return Wrap<T>(x);
}

template <class U>
CUPYXX_FN U greatest_divisor(U x, U y) {
  while (x != 0) {
    const U rest = y % x;
    y = x;
    x = rest;
  }
  return y;
}

struct Gcd : OpBase {
  static constexpr const char* name = "gcd";
  static constexpr const char* doc = "Greatest common divisor of |x| and |y|.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::zero;
  static constexpr bool no_bool = true;
  using loops = IntLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return static_cast<T>(greatest_divisor(magnitude(x), magnitude(y)));
  }
};

struct Lcm : OpBase {
  static constexpr const char* name = "lcm";
  static constexpr const char* doc = "Lowest common multiple of |x| and |y|.";
  static constexpr bool no_bool = true;
  using loops = IntLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    const Wrap<T> a = magnitude(x), b = magnitude(y), divisor = greatest_divisor(a, b);
    return divisor == 0 ? T(0) : static_cast<T>(a / divisor * b);
  }
};

struct Fabs : OpBase {
  static constexpr const char* name = "fabs";
  static constexpr const char* doc = "Magnitude, in floating point.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::fabs(x);
  }
};

struct Heaviside : OpBase {
  static constexpr const char* name = "heaviside";
  static constexpr const char* doc = "0 for x < 0, y for x = 0, 1 for x > 0.";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if (x != x) return x;
    return x == 0 ? y : x < 0 ? T(0) : T(1);
  }
};

struct FloatPower : OpBase {
  static constexpr const char* name = "float_power";
  static constexpr const char* doc = "x ** y in float64, or complex128.";
  using loops = Loops<double(double, double)>;
  using complex_loops = Loops<complex<double>(complex<double>, complex<double>)>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return m::pow(x, y);
  }
};

using NumericOps = OpList<Gcd, Lcm, Fabs, Heaviside, FloatPower>;

}  // namespace cupyxx::ops
