// SPDX-License-Identifier: MIT
// Device-safe: read by the host compiler and, embedded as text, by NVRTC. What the bodies of
// operations are written with: element types, lists of loops, and the mathematics `m::`.
#pragma once

#include "cupyxx/complex.h"
#include "cupyxx/half.h"
#include "cupyxx/ops/properties.h"

#if !defined(__CUDACC__)
#include "cupyxx/ops/host_math.h"
#endif

namespace cupyxx::ops {

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned;
using i64 = long;
using u64 = unsigned long;

/// The result of an operation with two outputs.
template <class A, class B>
struct Pair {
  A first;
  B second;
};

/// The loops of an operation in NumPy's order, as function types: `float(float, float)`, or
/// `Pair<float, int>(float)` for two outputs.
template <class... Signatures>
struct Loops {};

/// One signature per element type: `PerType<Same2, i8, float>` is Loops<i8(i8, i8), float(...)>.
template <template <class> class Signature, class... T>
using PerType = Loops<typename Signature<T>::type...>;

template <class T>
struct Same1 {
  using type = T(T);
};
template <class T>
struct Same2 {
  using type = T(T, T);
};
template <class T>
struct Same3 {
  using type = T(T, T, T);
};
template <class T>
struct Same4 {
  using type = T(T, T, T, T);
};
template <class T>
struct Bool1 {
  using type = bool(T);
};
template <class T>
struct Bool2 {
  using type = bool(T, T);
};
template <class T>
struct PairOf1 {
  using type = Pair<T, T>(T);
};
template <class T>
struct PairOf2 {
  using type = Pair<T, T>(T, T);
};

template <template <class> class S>
using IntLoops = PerType<S, i8, u8, i16, u16, i32, u32, i64, u64>;
template <template <class> class S>
using BoolIntLoops = PerType<S, bool, i8, u8, i16, u16, i32, u32, i64, u64>;
template <template <class> class S>
using FloatLoops = PerType<S, half, bfloat16, float, double>;
template <template <class> class S>
using NumberLoops = PerType<S, i8, u8, i16, u16, i32, u32, i64, u64, half, bfloat16, float, double>;
template <template <class> class S>
using AllLoops =
    PerType<S, bool, i8, u8, i16, u16, i32, u32, i64, u64, half, bfloat16, float, double>;
template <template <class> class S>
using ComplexLoops = PerType<S, complex<float>, complex<double>>;

/// A list of operations; from it come the CPU loops, the GPU programs, the tests and the docs.
template <class... Op>
struct OpList {};

/// What every operation has; an operation hides what differs.
struct OpBase {
  using complex_loops = Loops<>;          // these follow the other loops
  static constexpr bool no_bool = false;  // bool operands are an error, not int8
  static constexpr bool integers_divide_to_double = false;
  static constexpr bool native_half = false;  // the body itself takes half, not float
  static constexpr bool native_bfloat16 = false;
  static constexpr bool compares = false;  // integers out of range compare exactly
  static constexpr bool checks_negative_power = false;
  static constexpr bool reads_truth = false;  // operands are zero or not, nothing else
  static constexpr bool copies = false;       // the result is the operand, cast
  static constexpr int parameters = 0;        // the last operands, which are numbers as a rule
  // The host's compiler has the function in vectors, for neighbouring elements only.
  static constexpr bool vector_function = false;
  static constexpr unsigned bundled = kEveryday;

  // Of reductions; of operations with two operands and one result.
  static constexpr bool reorderable = false;  // elements may be combined in any order
  static constexpr bool widens = false;       // small integers are combined in 64 bits
  static constexpr Identity identity = Identity::none;
  static constexpr Fold fold = Fold::none;
};

/// An operation that the host's compiler has in vectors.
struct VectorFunction : OpBase {
  static constexpr bool vector_function = true;
};

/// The type in which an operation's body sees elements of type T.
template <class Op, class T>
struct ComputeTypeOf {
  using type = T;
};
template <class Op>
requires(!Op::native_half) struct ComputeTypeOf<Op, half> {
  using type = float;
};
template <class Op>
requires(!Op::native_bfloat16) struct ComputeTypeOf<Op, bfloat16> {
  using type = float;
};
template <class Op, class T>
using ComputeType = typename ComputeTypeOf<Op, T>::type;

template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;

template <class T>
inline constexpr bool is_float = false;
template <>
inline constexpr bool is_float<float> = true;
template <>
inline constexpr bool is_float<double> = true;
/// Whether arithmetic is that of + - * / rather than of integers that wrap around.
template <class T>
inline constexpr bool is_inexact = is_float<T> || is_complex<T>;
template <class T>
inline constexpr bool is_bool = false;
template <>
inline constexpr bool is_bool<bool> = true;
template <class T>
inline constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(1);

/// The unsigned type in which integers of T wrap around without undefined behaviour.
template <int kSize>
struct WrapOf {
  using type = u32;
};
template <>
struct WrapOf<8> {
  using type = u64;
};
template <class T>
using Wrap = typename WrapOf<sizeof(T)>::type;

template <class T>
CUPYXX_FN T wrap_add(T x, T y) {
  return static_cast<T>(Wrap<T>(x) + Wrap<T>(y));
}
template <class T>
CUPYXX_FN T wrap_sub(T x, T y) {
  return static_cast<T>(Wrap<T>(x) - Wrap<T>(y));
}
template <class T>
CUPYXX_FN T wrap_mul(T x, T y) {
  return static_cast<T>(Wrap<T>(x) * Wrap<T>(y));
}

/// The mathematics that bodies may use, the same on host and device.
namespace m {

#define CUPYXX_MATH_1(name)                              \
  CUPYXX_FN float name(float x) { return ::name##f(x); } \
  CUPYXX_FN double name(double x) { return ::name(x); }
#define CUPYXX_MATH_2(name)                                          \
  CUPYXX_FN float name(float x, float y) { return ::name##f(x, y); } \
  CUPYXX_FN double name(double x, double y) { return ::name(x, y); }

CUPYXX_MATH_1(exp)
CUPYXX_MATH_1(exp2)
CUPYXX_MATH_1(expm1)
CUPYXX_MATH_1(log)
CUPYXX_MATH_1(log2)
CUPYXX_MATH_1(log10)
CUPYXX_MATH_1(log1p)
CUPYXX_MATH_1(sqrt)
CUPYXX_MATH_1(cbrt)
CUPYXX_MATH_1(sin)
CUPYXX_MATH_1(cos)
CUPYXX_MATH_1(tan)
CUPYXX_MATH_1(asin)
CUPYXX_MATH_1(acos)
CUPYXX_MATH_1(atan)
CUPYXX_MATH_1(sinh)
CUPYXX_MATH_1(cosh)
CUPYXX_MATH_1(tanh)
CUPYXX_MATH_1(asinh)
CUPYXX_MATH_1(acosh)
CUPYXX_MATH_1(atanh)
CUPYXX_MATH_1(floor)
CUPYXX_MATH_1(ceil)
CUPYXX_MATH_1(trunc)
CUPYXX_MATH_1(rint)
CUPYXX_MATH_1(fabs)
CUPYXX_MATH_2(pow)
CUPYXX_MATH_2(atan2)
CUPYXX_MATH_2(hypot)
CUPYXX_MATH_2(fmod)
CUPYXX_MATH_2(copysign)
CUPYXX_MATH_2(nextafter)

#undef CUPYXX_MATH_1
#undef CUPYXX_MATH_2

CUPYXX_FN float ldexp(float x, int n) { return ::ldexpf(x, n); }
CUPYXX_FN double ldexp(double x, int n) { return ::ldexp(x, n); }
CUPYXX_FN float frexp(float x, int* n) { return ::frexpf(x, n); }
CUPYXX_FN double frexp(double x, int* n) { return ::frexp(x, n); }

template <class T>
CUPYXX_FN bool isnan(T x) {
  return x != x;
}
CUPYXX_FN bool isinf(float x) { return m::fabs(x) > 3.402823466e+38f; }
CUPYXX_FN bool isinf(double x) { return m::fabs(x) > 1.7976931348623157e+308; }
CUPYXX_FN bool signbit(float x) { return (internal::float_bits(x) >> 31) != 0; }
CUPYXX_FN bool signbit(double x) {
#if defined(__CUDACC__)
  return __double_as_longlong(x) < 0;
#else
  return __builtin_bit_cast(i64, x) < 0;
#endif
}

}  // namespace m

/// A value of another element type, as NumPy's astype: bool is "not zero", integers wrap, floating
/// values truncate; what no integer holds gives the smallest one, as x86 does.
template <class To, class From>
CUPYXX_FN To cast(From x) {
  if constexpr (is_same<To, From>) {
    return x;
  } else if constexpr (is_same<From, half> || is_same<From, bfloat16>) {
    return cast<To>(static_cast<float>(x));
  } else if constexpr (is_complex<To>) {
    using Part = RealOf<To>;
    if constexpr (is_complex<From>) {
      return To(static_cast<Part>(x.re), static_cast<Part>(x.im));
    } else {
      return To(cast<Part>(x));
    }
  } else if constexpr (is_complex<From> && !is_bool<To>) {
    return cast<To>(x.re);  // as NumPy, which warns
  } else if constexpr (is_bool<To>) {
    return x != 0;
  } else if constexpr (is_float<From> && !is_float<To> && !is_same<To, half> &&
                       !is_same<To, bfloat16>) {
    // Through int32 for narrow types and int64 for the others, as compilers for x86 do.
    if constexpr (sizeof(To) < 4) {
      return static_cast<To>(x > static_cast<From>(-2147483649.0) &&
                                     x < static_cast<From>(2147483648.0)
                                 ? static_cast<i32>(x)
                                 : static_cast<i32>(-2147483647 - 1));
    } else if constexpr (is_same<To, i32>) {
      return x >= static_cast<From>(-2147483648.0) && x < static_cast<From>(2147483648.0)
                 ? static_cast<i32>(x)
                 : static_cast<i32>(-2147483647 - 1);
    } else {
      constexpr From kTwo63 = static_cast<From>(9223372036854775808.0);
      constexpr i64 kMin = -9223372036854775807L - 1;
      if constexpr (is_same<To, u64>) {
        if (x >= kTwo63) {
          return x < 2 * kTwo63 ? static_cast<u64>(static_cast<i64>(x - kTwo63)) ^ (1UL << 63) : 0;
        }
      }
      return static_cast<To>(x >= -kTwo63 && x < kTwo63 ? static_cast<i64>(x) : kMin);
    }
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace cupyxx::ops
