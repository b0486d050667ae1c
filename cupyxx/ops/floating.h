// SPDX-License-Identifier: MIT
// Device-safe. Properties and parts of floating values, and rounding.
#pragma once

#include "cupyxx/ops/complex_math.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

struct IsFinite : OpBase {
  static constexpr const char* name = "isfinite";
  static constexpr const char* doc = "Neither infinite nor NaN.";
  using loops = AllLoops<Bool1>;
  using complex_loops = ComplexLoops<Bool1>;
  template <class T>
  CUPYXX_FN static bool apply(T x) {
    if constexpr (is_inexact<T>) {
      return x - x == 0;
    } else {
      return true;
    }
  }
};

struct IsInf : OpBase {
  static constexpr const char* name = "isinf";
  static constexpr const char* doc = "Infinite.";
  using loops = AllLoops<Bool1>;
  using complex_loops = ComplexLoops<Bool1>;
  template <class T>
  CUPYXX_FN static bool apply(T x) {
    if constexpr (is_inexact<T>) {
      return m::isinf(x);
    } else {
      return false;
    }
  }
};

struct IsNan : OpBase {
  static constexpr const char* name = "isnan";
  static constexpr const char* doc = "Not a number.";
  using loops = AllLoops<Bool1>;
  using complex_loops = ComplexLoops<Bool1>;
  template <class T>
  CUPYXX_FN static bool apply(T x) {
    return x != x;
  }
};

struct Signbit : OpBase {
  static constexpr const char* name = "signbit";
  static constexpr const char* doc = "Whether the sign bit is set.";
  using loops = FloatLoops<Bool1>;
  template <class T>
  CUPYXX_FN static bool apply(T x) {
    return m::signbit(x);
  }
};

struct Copysign : OpBase {
  static constexpr const char* name = "copysign";
  static constexpr const char* doc = "Magnitude of x with the sign of y.";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return m::copysign(x, y);
  }
};

struct Nextafter : OpBase {
  static constexpr const char* name = "nextafter";
  static constexpr const char* doc = "The next representable value after x towards y.";
  static constexpr bool native_half = true;
  static constexpr bool native_bfloat16 = true;
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if constexpr (is_same<T, half> || is_same<T, bfloat16>) {
      const float from = x;
      const float to = y;
      if (from != from || to != to) return T(from + to);
      if (from == to) return x;
      T next = x;
      if (from == 0) {
        next.bits = to > 0 ? 1 : 0x8001;
      } else {
        next.bits = static_cast<unsigned short>(next.bits + ((from < to) == (from > 0) ? 1 : -1));
      }
      return next;
    } else {
      return m::nextafter(x, y);
    }
  }
};

struct Modf : OpBase {
  static constexpr const char* name = "modf";
  static constexpr const char* doc = "Fractional and integral parts.";
  using loops = FloatLoops<PairOf1>;
  template <class T>
  CUPYXX_FN static Pair<T, T> apply(T x) {
    const T whole = m::trunc(x);
    return {m::copysign(m::isinf(x) ? T(0) : x - whole, x), whole};
  }
};

struct Ldexp : OpBase {
  static constexpr const char* name = "ldexp";
  static constexpr const char* doc = "x * 2**y.";
  using loops =
      Loops<half(half, i32), bfloat16(bfloat16, i32), float(float, i32), half(half, i64),
            bfloat16(bfloat16, i64), float(float, i64), double(double, i32), double(double, i64)>;
  template <class T, class N>
  CUPYXX_FN static T apply(T x, N n) {
    // No finite value survives a shift by more than this.
    constexpr N kFar = 10000;
    return m::ldexp(x, static_cast<int>(n > kFar ? kFar : n < -kFar ? -kFar : n));
  }
};

struct Frexp : OpBase {
  static constexpr const char* name = "frexp";
  static constexpr const char* doc = "Mantissa in [0.5, 1) and exponent.";
  using loops = Loops<Pair<half, i32>(half), Pair<bfloat16, i32>(bfloat16), Pair<float, i32>(float),
                      Pair<double, i32>(double)>;
  template <class T>
  CUPYXX_FN static Pair<T, i32> apply(T x) {
    if (x - x != 0) return {x, 0};  // infinite or NaN
    int exponent = 0;
    const T mantissa = m::frexp(x, &exponent);
    return {mantissa, exponent};
  }
};

struct Floor : OpBase {
  static constexpr const char* name = "floor";
  static constexpr const char* doc = "Largest integer not above x.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::floor(x);
  }
};

struct Ceil : OpBase {
  static constexpr const char* name = "ceil";
  static constexpr const char* doc = "Smallest integer not below x.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::ceil(x);
  }
};

struct Trunc : OpBase {
  static constexpr const char* name = "trunc";
  static constexpr const char* doc = "x without its fraction.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::trunc(x);
  }
};

using FloatingOps = OpList<IsFinite, IsInf, IsNan, Signbit, Copysign, Nextafter, Modf, Ldexp, Frexp,
                           Floor, Ceil, Trunc>;

}  // namespace cupyxx::ops
