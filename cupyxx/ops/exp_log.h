// SPDX-License-Identifier: MIT
// Device-safe. Exponentials and logarithms.
#pragma once

#include "cupyxx/ops/complex_math.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

struct Exp : VectorFunction {
  static constexpr const char* name = "exp";
  static constexpr const char* doc = "e ** x.";
  static constexpr unsigned bundled = kEveryday | kIntegers;
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::exp(x);
  }
};

struct Exp2 : VectorFunction {
  static constexpr const char* name = "exp2";
  static constexpr const char* doc = "2 ** x.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::exp2(x);
  }
};

struct Expm1 : VectorFunction {
  static constexpr const char* name = "expm1";
  static constexpr const char* doc = "exp(x) - 1, accurate near zero.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::expm1(x);
  }
};

struct Log : VectorFunction {
  static constexpr const char* name = "log";
  static constexpr const char* doc = "Natural logarithm.";
  static constexpr unsigned bundled = kEveryday | kIntegers;
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::log(x);
  }
};

struct Log2 : VectorFunction {
  static constexpr const char* name = "log2";
  static constexpr const char* doc = "Logarithm of base 2.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::log2(x);
  }
};

struct Log10 : VectorFunction {
  static constexpr const char* name = "log10";
  static constexpr const char* doc = "Logarithm of base 10.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::log10(x);
  }
};

struct Log1p : VectorFunction {
  static constexpr const char* name = "log1p";
  static constexpr const char* doc = "log(1 + x), accurate near zero.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::log1p(x);
  }
};

struct LogAddExp : VectorFunction {
  static constexpr const char* name = "logaddexp";
  static constexpr const char* doc = "log(exp(x) + exp(y)) without overflow.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::minus_infinity;
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if (x == y) return x + static_cast<T>(0.693147180559945309417232121458176568);
    const T difference = x - y;
    if (difference > 0) return x + m::log1p(m::exp(-difference));
    if (difference <= 0) return y + m::log1p(m::exp(difference));
    return difference;  // NaN
  }
};

struct LogAddExp2 : VectorFunction {
  static constexpr const char* name = "logaddexp2";
  static constexpr const char* doc = "log2(2**x + 2**y) without overflow.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::minus_infinity;
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    constexpr T kLog2e = static_cast<T>(1.442695040888963407359924681001892137);
    if (x == y) return x + 1;
    const T difference = x - y;
    if (difference > 0) return x + kLog2e * m::log1p(m::exp2(-difference));
    if (difference <= 0) return y + kLog2e * m::log1p(m::exp2(difference));
    return difference;  // NaN
  }
};

using ExpLogOps = OpList<Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, LogAddExp, LogAddExp2>;

}  // namespace cupyxx::ops
