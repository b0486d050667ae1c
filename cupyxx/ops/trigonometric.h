// SPDX-License-Identifier: MIT
// Device-safe. Trigonometric and hyperbolic functions.
#pragma once

#include "cupyxx/ops/complex_math.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

struct Sin : VectorFunction {
  static constexpr const char* name = "sin";
  static constexpr const char* doc = "Sine of radians.";
  static constexpr unsigned bundled = kEveryday | kIntegers;
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::sin(x);
  }
};

struct Cos : VectorFunction {
  static constexpr const char* name = "cos";
  static constexpr const char* doc = "Cosine of radians.";
  static constexpr unsigned bundled = kEveryday | kIntegers;
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::cos(x);
  }
};

struct Tan : VectorFunction {
  static constexpr const char* name = "tan";
  static constexpr const char* doc = "Tangent of radians.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::tan(x);
  }
};

struct Arcsin : VectorFunction {
  static constexpr const char* name = "arcsin";
  static constexpr const char* doc = "Inverse sine in [-pi/2, pi/2].";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::asin(x);
  }
};

struct Arccos : VectorFunction {
  static constexpr const char* name = "arccos";
  static constexpr const char* doc = "Inverse cosine in [0, pi].";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::acos(x);
  }
};

struct Arctan : VectorFunction {
  static constexpr const char* name = "arctan";
  static constexpr const char* doc = "Inverse tangent in [-pi/2, pi/2].";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::atan(x);
  }
};

struct Sinh : VectorFunction {
  static constexpr const char* name = "sinh";
  static constexpr const char* doc = "Hyperbolic sine.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::sinh(x);
  }
};

struct Cosh : VectorFunction {
  static constexpr const char* name = "cosh";
  static constexpr const char* doc = "Hyperbolic cosine.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::cosh(x);
  }
};

struct Tanh : VectorFunction {
  static constexpr const char* name = "tanh";
  static constexpr const char* doc = "Hyperbolic tangent.";
  static constexpr unsigned bundled = kEveryday | kIntegers;
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::tanh(x);
  }
};

struct Arcsinh : VectorFunction {
  static constexpr const char* name = "arcsinh";
  static constexpr const char* doc = "Inverse hyperbolic sine.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::asinh(x);
  }
};

struct Arccosh : VectorFunction {
  static constexpr const char* name = "arccosh";
  static constexpr const char* doc = "Inverse hyperbolic cosine.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::acosh(x);
  }
};

struct Arctanh : VectorFunction {
  static constexpr const char* name = "arctanh";
  static constexpr const char* doc = "Inverse hyperbolic tangent.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::atanh(x);
  }
};

struct Arctan2 : VectorFunction {
  static constexpr const char* name = "arctan2";
  static constexpr const char* doc = "Angle of the point (y, x), in [-pi, pi].";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return m::atan2(x, y);
  }
};

struct Hypot : VectorFunction {
  static constexpr const char* name = "hypot";
  static constexpr const char* doc = "sqrt(x**2 + y**2) without overflow.";
  static constexpr bool reorderable = true;
  static constexpr Identity identity = Identity::zero;
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return m::hypot(x, y);
  }
};

struct Deg2rad : VectorFunction {
  static constexpr const char* name = "deg2rad";
  static constexpr const char* doc = "Degrees to radians.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return x * static_cast<T>(0.017453292519943295769236907684886127);
  }
};

struct Rad2deg : VectorFunction {
  static constexpr const char* name = "rad2deg";
  static constexpr const char* doc = "Radians to degrees.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return x * static_cast<T>(57.29577951308232087679815481410517);
  }
};

using TrigonometricOps = OpList<Sin, Cos, Tan, Arcsin, Arccos, Arctan, Arctan2, Hypot, Sinh, Cosh,
                                Tanh, Arcsinh, Arccosh, Arctanh, Deg2rad, Rad2deg>;

}  // namespace cupyxx::ops
