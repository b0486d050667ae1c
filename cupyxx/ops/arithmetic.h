// SPDX-License-Identifier: MIT
// Device-safe. Sums, products, quotients and remainders.
#pragma once

#include "cupyxx/ops/complex_math.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

struct Add : OpBase {
  static constexpr const char* name = "add";
  static constexpr const char* doc = "x + y; logical or for bool.";
  static constexpr bool reorderable = true;
  static constexpr bool widens = true;
  static constexpr Identity identity = Identity::zero;
  static constexpr Fold fold = Fold::sum;
  static constexpr unsigned bundled = kEveryday | kBroadcasts | kPlaces;
  using loops = AllLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if constexpr (is_bool<T>) {
      return x || y;
    } else if constexpr (is_inexact<T>) {
      return x + y;
    } else {
      return wrap_add(x, y);
    }
  }
};

struct Subtract : OpBase {
  static constexpr const char* name = "subtract";
  static constexpr const char* doc = "x - y; not for bool.";
  static constexpr unsigned bundled = kEveryday | kBroadcasts | kPlaces;
  static constexpr bool no_bool = true;
  using loops = NumberLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if constexpr (is_inexact<T>) {
      return x - y;
    } else {
      return wrap_sub(x, y);
    }
  }
};

struct Multiply : OpBase {
  static constexpr const char* name = "multiply";
  static constexpr const char* doc = "x * y; logical and for bool.";
  static constexpr bool reorderable = true;
  static constexpr bool widens = true;
  static constexpr Identity identity = Identity::one;
  static constexpr Fold fold = Fold::prod;
  static constexpr unsigned bundled = kEveryday | kBroadcasts | kPlaces;
  using loops = AllLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if constexpr (is_bool<T>) {
      return x && y;
    } else if constexpr (is_inexact<T>) {
      return x * y;
    } else {
      return wrap_mul(x, y);
    }
  }
};

struct TrueDivide : OpBase {
  static constexpr const char* name = "true_divide";
  static constexpr const char* doc = "x / y in floating point.";
  static constexpr unsigned bundled = kEveryday | kBroadcasts | kIntegers;
  static constexpr bool integers_divide_to_double = true;
  using loops = FloatLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return x / y;
  }
};

/// Quotient and remainder of floor division, by NumPy's rules for zeros and signs.
template <class T>
CUPYXX_FN Pair<T, T> floor_divmod(T x, T y) {
  if constexpr (is_float<T>) {
    T rest = m::fmod(x, y);
    if (y == 0) return {x / y, rest};
    T quotient = (x - rest) / y;
    if (rest != 0) {
      if ((y < 0) != (rest < 0)) {
        rest += y;
        quotient -= 1;
      }
    } else {
      rest = m::copysign(T(0), y);
    }
    T floored;
    if (quotient != 0) {
      floored = m::floor(quotient);
      if (quotient - floored > T(0.5)) floored += 1;
    } else {
      floored = m::copysign(T(0), x / y);
    }
    return {floored, rest};
  } else {
    if (y == 0) return {0, 0};
    if constexpr (is_signed<T>) {
      if (y == T(-1)) return {wrap_sub(T(0), x), 0};  // the smallest integer has no negative
      const T quotient = static_cast<T>(x / y);
      const T rest = static_cast<T>(x % y);
      if (rest != 0 && (rest < 0) != (y < 0)) {
        return {static_cast<T>(quotient - 1), static_cast<T>(rest + y)};
      }
      return {quotient, rest};
    } else {
      return {static_cast<T>(x / y), static_cast<T>(x % y)};
    }
  }
}

struct FloorDivide : OpBase {
  static constexpr const char* name = "floor_divide";
  static constexpr const char* doc =
      "Largest integer not above x / y; integer division by zero gives 0.";
  using loops = NumberLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if constexpr (is_float<T>) {
      if (y == 0) return x / y;
    }
    return floor_divmod(x, y).first;
  }
};

struct Remainder : OpBase {
  static constexpr const char* name = "remainder";
  static constexpr const char* doc = "x - floor_divide(x, y) * y, with the sign of y.";
  using loops = NumberLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return floor_divmod(x, y).second;
  }
};

struct DivMod : OpBase {
  static constexpr const char* name = "divmod";
  static constexpr const char* doc = "Quotient and remainder of floor division.";
  using loops = NumberLoops<PairOf2>;
  template <class T>
  CUPYXX_FN static Pair<T, T> apply(T x, T y) {
    return floor_divmod(x, y);
  }
};

struct Fmod : OpBase {
  static constexpr const char* name = "fmod";
  static constexpr const char* doc = "C's remainder, with the sign of x.";
  using loops = NumberLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if constexpr (is_float<T>) {
      return m::fmod(x, y);
    } else {
      if (y == 0) return 0;
      if constexpr (is_signed<T>) {
        if (y == T(-1)) return 0;
      }
      return static_cast<T>(x % y);
    }
  }
};

struct Negative : OpBase {
  static constexpr const char* name = "negative";
  static constexpr const char* doc = "-x; not for bool.";
  static constexpr bool no_bool = true;
  using loops = NumberLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_inexact<T>) {
      return -x;
    } else {
      return wrap_sub(T(0), x);
    }
  }
};

struct Positive : OpBase {
  static constexpr const char* name = "positive";
  static constexpr const char* doc = "+x; not for bool.";
  static constexpr bool no_bool = true;
  using loops = NumberLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return x;
  }
};

struct Power : OpBase {
  static constexpr const char* name = "power";
  static constexpr const char* doc = "x ** y; negative integer exponents are an error.";
  static constexpr bool vector_function = true;
  static constexpr bool checks_negative_power = true;
  using loops = NumberLoops<Same2>;
  using complex_loops = ComplexLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    if constexpr (is_inexact<T>) {
      return m::pow(x, y);
    } else {
      T result = 1;
      for (T base = x, exponent = y; exponent > 0; exponent = static_cast<T>(exponent >> 1)) {
        if (exponent & 1) result = wrap_mul(result, base);
        base = wrap_mul(base, base);
      }
      return result;
    }
  }
};

struct Absolute : OpBase {
  static constexpr const char* name = "absolute";
  static constexpr const char* doc = "Magnitude.";
  using loops = AllLoops<Same1>;
  using complex_loops = Loops<float(complex<float>), double(complex<double>)>;
  template <class T>
  CUPYXX_FN static RealOf<T> apply(T x) {
    if constexpr (is_inexact<T>) {
      return m::fabs(x);
    } else if constexpr (!is_bool<T> && is_signed<T>) {
      return x < 0 ? wrap_sub(T(0), x) : x;
    } else {
      return x;
    }
  }
};

struct Rint : OpBase {
  static constexpr const char* name = "rint";
  static constexpr const char* doc = "Nearest integer, ties to even.";
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::rint(x);
  }
};

struct Sign : OpBase {
  static constexpr const char* name = "sign";
  static constexpr const char* doc =
      "-1, 0 or 1; NaN for NaN; of the real part, or else of the imaginary one; not for bool.";
  static constexpr bool no_bool = true;
  using loops = NumberLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_complex<T>) {
      if (x != x) return static_cast<RealOf<T>>(m::not_a_number());
      return static_cast<RealOf<T>>((x > T(0)) - (x < T(0)));
    } else if constexpr (is_float<T>) {
      return x != x ? x : static_cast<T>((x > 0) - (x < 0));
    } else if constexpr (is_signed<T>) {
      return static_cast<T>((x > 0) - (x < 0));
    } else {
      return static_cast<T>(x > 0);
    }
  }
};

struct Square : OpBase {
  static constexpr const char* name = "square";
  static constexpr const char* doc = "x * x.";
  using loops = NumberLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_inexact<T>) {
      return x * x;
    } else {
      return wrap_mul(x, x);
    }
  }
};

struct Sqrt : OpBase {
  static constexpr const char* name = "sqrt";
  static constexpr const char* doc = "Non-negative square root.";
  static constexpr unsigned bundled = kEveryday | kIntegers;
  using loops = FloatLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::sqrt(x);
  }
};

struct Cbrt : OpBase {
  static constexpr const char* name = "cbrt";
  static constexpr const char* doc = "Cube root.";
  static constexpr bool vector_function = true;
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return m::cbrt(x);
  }
};

/// NumPy's own order of operations, which differs from that of 1 / z.
template <class T>
CUPYXX_FN complex<T> reciprocal_of(const complex<T>& z) {
  if (m::fabs(z.im) <= m::fabs(z.re)) {
    const T ratio = z.im / z.re;
    const T scale = z.re + z.im * ratio;
    return {1 / scale, -ratio / scale};
  }
  const T ratio = z.re / z.im;
  const T scale = z.re * ratio + z.im;
  return {ratio / scale, -1 / scale};
}

struct Reciprocal : OpBase {
  static constexpr const char* name = "reciprocal";
  static constexpr const char* doc = "1 / x.";
  using loops = NumberLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_complex<T>) {
      return reciprocal_of(x);
    } else if constexpr (is_float<T>) {
      return 1 / x;
    } else if (x == 0) {
      // What x86 makes of a value that no integer holds, which NumPy shows.
      return cast<T>(1e300);
    } else {
      return static_cast<T>(1 / x);
    }
  }
};

struct Conjugate : OpBase {
  static constexpr const char* name = "conjugate";
  static constexpr const char* doc = "The complex conjugate; x itself where it is real.";
  using loops = NumberLoops<Same1>;
  using complex_loops = ComplexLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_complex<T>) {
      return {x.re, -x.im};
    } else {
      return x;
    }
  }
};

using ArithmeticOps =
    OpList<Add, Subtract, Multiply, TrueDivide, FloorDivide, Negative, Positive, Power, Remainder,
           Fmod, DivMod, Absolute, Rint, Sign, Square, Sqrt, Cbrt, Reciprocal, Conjugate>;

}  // namespace cupyxx::ops
