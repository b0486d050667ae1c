// SPDX-License-Identifier: MIT
#include <iterator>

#include "cupyxx/internal/cpu/elementwise/complex_vectors.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/elementwise/vector_magnitudes.h"
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/arithmetic.h"

namespace cupyxx::internal::cpu {

// Code for one instruction set must not be shared with another by the linker.
namespace {

struct PowerZero {
  template <class T>
  static T apply(T) {
    return 1;  // also of NaN
  }
};

struct PowerOne {
  template <class T>
  static T apply(T x) {
    return x;
  }
};

struct PowerMinusOne {
  template <class T>
  static T apply(T x) {
    return 1 / x;
  }
};

struct PowerHalf {
  // The power of -0 is +0 and that of -infinity is +infinity, of which the root knows nothing.
  template <class T>
  static T apply(T x) {
    constexpr T kInfinity = static_cast<T>(__builtin_inf());
    const T root = ops::m::sqrt(x) + T(0);
    return x == -kInfinity ? kInfinity : root;
  }
};

struct PowerTwo {
  template <class T>
  static T apply(T x) {
    if constexpr (ops::is_inexact<T>) {
      return x * x;
    } else {
      return ops::wrap_mul(x, x);
    }
  }
};

struct PowerThree {
  template <class T>
  static T apply(T x) {
    if constexpr (ops::is_float<T>) {
      return x * x * x;
    } else {
      return ops::wrap_mul(ops::wrap_mul(x, x), x);
    }
  }
};

template <class T>
constexpr LoopFn kFloatPowers[] = {&Loop<PowerZero, T(T)>::run,     &Loop<PowerOne, T(T)>::run,
                                   &Loop<PowerMinusOne, T(T)>::run, &Loop<PowerHalf, T(T)>::run,
                                   &Loop<PowerTwo, T(T)>::run,      &Loop<PowerThree, T(T)>::run};
template <class T>
constexpr LoopFn kIntegerPowers[] = {
    &Loop<PowerZero, T(T)>::run, &Loop<PowerOne, T(T)>::run,  nullptr, nullptr,
    &Loop<PowerTwo, T(T)>::run,  &Loop<PowerThree, T(T)>::run};
static_assert(std::size(kFloatPowers<float>) == kExponentCount);
static_assert(std::size(kIntegerPowers<int>) == kExponentCount);

/// Squares of float32 neither overflow nor vanish in float64. Those of float64 are taken of numbers
/// that a power of two has brought near 1 where they would.
struct Magnitude {
  static float apply(complex<float> z) {
    const double x = z.re, y = z.im;
    const auto root = static_cast<float>(ops::m::sqrt(x * x + y * y));
    return infinite(x) | infinite(y) ? static_cast<float>(__builtin_inf()) : root;
  }
  static double apply(complex<double> z) {
    const double x = ops::m::fabs(z.re), y = ops::m::fabs(z.im);
    const double large = x > y ? x : y, small = x > y ? y : x;
    const bool is_huge = large > 0x1p+500, is_tiny = large < 0x1p-450;
    const double scale = is_huge ? 0x1p-600 : is_tiny ? 0x1p+600 : 1.0;
    const double back = is_huge ? 0x1p+600 : is_tiny ? 0x1p-600 : 1.0;
    const double a = large * scale, b = small * scale;
#if defined(__FMA__)
    const double square = __builtin_fma(a, a, b * b);
#else
    const double square = a * a + b * b;
#endif
    const double root = ops::m::sqrt(square) * back;
    return infinite(x) | infinite(y) ? __builtin_inf() : root;
  }

 private:
  static bool infinite(double x) { return ops::m::fabs(x) == __builtin_inf(); }
};

#if defined(__AVX512DQ__)
void magnitude_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  using Ordinary = Loop<Magnitude, float(complex<float>)>;
  if (strides[0] != sizeof(float) || strides[1] != sizeof(complex<float>)) {
    return Ordinary::run(data, strides, n);
  }
  auto* out = reinterpret_cast<float*>(data[0]);
  const auto* z = reinterpret_cast<const float*>(data[1]);
  const std::int64_t whole = n / 16 * 16;
  const auto run_ordinary = [&](std::int64_t i, std::int64_t count) {
    char* const block[] = {data[0] + i * strides[0], data[1] + i * strides[1]};
    Ordinary::run(block, strides, count);
  };
  for (std::int64_t i = 0; i < whole; i += 16) {
    if (!magnitudes(z + 2 * i, out + i)) run_ordinary(i, 16);
  }
  run_ordinary(whole, n - whole);
}
#else
constexpr LoopFn magnitude_loop = &Loop<Magnitude, float(complex<float>)>::run;
#endif

// Complex numbers in NumPy's order, without branches.
struct Less {
  template <class C>
  static bool apply(C x, C y) {
    return ((x.re < y.re) & (x.im == x.im) & (y.im == y.im)) | ((x.re == y.re) & (x.im < y.im));
  }
};
struct LessEqual {
  template <class C>
  static bool apply(C x, C y) {
    return ((x.re < y.re) & (x.im == x.im) & (y.im == y.im)) | ((x.re == y.re) & (x.im <= y.im));
  }
};
struct Greater {
  template <class C>
  static bool apply(C x, C y) {
    return Less::apply(y, x);
  }
};
struct GreaterEqual {
  template <class C>
  static bool apply(C x, C y) {
    return LessEqual::apply(y, x);
  }
};
struct Equal {
  template <class C>
  static bool apply(C x, C y) {
    return (x.re == y.re) & (x.im == y.im);
  }
};
struct NotEqual {
  template <class C>
  static bool apply(C x, C y) {
    return (x.re != y.re) | (x.im != y.im);
  }
};
struct IsNan {
  template <class C>
  static bool apply(C x) {
    return (x.re != x.re) | (x.im != x.im);
  }
};
struct IsFinite {
  template <class C>
  static bool apply(C x) {
    return (x.re - x.re == 0) & (x.im - x.im == 0);
  }
};
struct LogicalNot {
  template <class C>
  static bool apply(C x) {
    return (x.re == 0) & (x.im == 0);
  }
};

// Truth values are bytes of 0 and 1.
using Truth = unsigned char;
struct TruthAnd {
  static Truth apply(Truth x, Truth y) { return x & y; }
};
struct TruthOr {
  static Truth apply(Truth x, Truth y) { return x | y; }
};
struct TruthXor {
  static Truth apply(Truth x, Truth y) { return x ^ y; }
};
struct TruthNot {
  static Truth apply(Truth x) { return x ^ 1; }
};

/// The parts of a floating number, taken out of its bits.
template <class T>
struct Parts;
template <>
struct Parts<double> {
  using Bits = ops::u64;
  static constexpr int kShift = 52, kBias = 1022, kMask = 0x7ff;
  static constexpr double kScale = 0x1p54;
};
template <>
struct Parts<float> {
  using Bits = ops::u32;
  static constexpr int kShift = 23, kBias = 126, kMask = 0xff;
  static constexpr float kScale = 0x1p54f;
};

/// The bits of the exponent of a number that is brought out of the subnormal ones.
template <class T>
typename Parts<T>::Bits normal_bits(T x, bool& tiny) {
  using P = Parts<T>;
  using B = typename P::Bits;
  tiny = (__builtin_bit_cast(B, x) & (B(P::kMask) << P::kShift)) == 0;
  return __builtin_bit_cast(B, tiny ? x * P::kScale : x);
}
template <class T>
bool has_no_exponent(T x) {
  return (x == 0) | !(x - x == 0);  // infinite and NaN, too
}

struct Exponents {
  template <class T>
  static ops::i32 apply(T x) {
    using P = Parts<T>;
    bool tiny;
    const auto bits = normal_bits(x, tiny);
    const auto field = static_cast<ops::i32>(bits >> P::kShift & P::kMask);
    return has_no_exponent(x) ? 0 : field - P::kBias - (tiny ? 54 : 0);
  }
};
struct Mantissas {
  template <class T>
  static T apply(T x) {
    using P = Parts<T>;
    using B = typename P::Bits;
    bool tiny;
    const B bits = normal_bits(x, tiny);
    const B half = (bits & ~(B(P::kMask) << P::kShift)) | (B(P::kBias) << P::kShift);
    return has_no_exponent(x) ? x : __builtin_bit_cast(T, half);
  }
};

// The bits of numbers of one sign are in their order.
struct NextAfter {
  template <class T>
  static T apply(T x, T y) {
    using B = typename Parts<T>::Bits;
    const B bits = __builtin_bit_cast(B, x), sign = B(1) << (8 * sizeof(T) - 1);
    const bool away = (x < y) == (x > 0);
    const T moved = __builtin_bit_cast(T, away ? bits + 1 : bits - 1);
    const T least = __builtin_bit_cast(T, (__builtin_bit_cast(B, y) & sign) | 1);
    const T next = x == 0 ? least : moved;
    const T known = (x != x) | (y != y) ? x + y : y;  // not a number, or equal
    return (x < y) | (x > y) ? next : known;
  }
};

template <class T>
void frexp_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  if (strides[0] == sizeof(T) && strides[1] == sizeof(ops::i32) && strides[2] == sizeof(T)) {
    auto* mantissa = reinterpret_cast<T*>(data[0]);
    auto* exponent = reinterpret_cast<ops::i32*>(data[1]);
    const auto* x = reinterpret_cast<const T*>(data[2]);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
      const T value = x[i];
      exponent[i] = Exponents::apply(value);
      mantissa[i] = Mantissas::apply(value);
    }
    return;
  }
  // The exponents first: the mantissas may take the place of the numbers.
  char* const exponents[] = {data[1], data[2]};
  const std::int64_t exponent_strides[] = {strides[1], strides[2]};
  Loop<Exponents, ops::i32(T)>::run(exponents, exponent_strides, n);
  char* const mantissas[] = {data[0], data[2]};
  const std::int64_t mantissa_strides[] = {strides[0], strides[2]};
  Loop<Mantissas, T(T)>::run(mantissas, mantissa_strides, n);
}

#if defined(CUPYXX_COMPLEX_VECTORS)
template <class T>
constexpr LoopFn kComplexSquare = &complex_loop<SquareVectors, PowerTwo, T>;
#else
template <class T>
constexpr LoopFn kComplexSquare = &Loop<PowerTwo, complex<T>(complex<T>)>::run;
#endif

using Single = complex<float>;
using Double = complex<double>;
constexpr LoopEntry kEntries[] = {
    {"absolute", complex64, magnitude_loop},
#if defined(__FMA__)  // the sum of squares is not exact enough without
    {"absolute", complex128, &Loop<Magnitude, double(Double)>::run},
#endif
#if defined(CUPYXX_COMPLEX_VECTORS)
    {"conjugate", complex64, &complex_loop<ConjugateVectors, ops::Conjugate, float>},
    {"conjugate", complex128, &complex_loop<ConjugateVectors, ops::Conjugate, double>},
    {"square", complex64, kComplexSquare<float>},
    {"square", complex128, kComplexSquare<double>},
#endif
    {"less", complex64, &Loop<Less, bool(Single, Single)>::run},
    {"less", complex128, &Loop<Less, bool(Double, Double)>::run},
    {"less_equal", complex64, &Loop<LessEqual, bool(Single, Single)>::run},
    {"less_equal", complex128, &Loop<LessEqual, bool(Double, Double)>::run},
    {"greater", complex64, &Loop<Greater, bool(Single, Single)>::run},
    {"greater", complex128, &Loop<Greater, bool(Double, Double)>::run},
    {"greater_equal", complex64, &Loop<GreaterEqual, bool(Single, Single)>::run},
    {"greater_equal", complex128, &Loop<GreaterEqual, bool(Double, Double)>::run},
    {"equal", complex64, &Loop<Equal, bool(Single, Single)>::run},
    {"equal", complex128, &Loop<Equal, bool(Double, Double)>::run},
    {"not_equal", complex64, &Loop<NotEqual, bool(Single, Single)>::run},
    {"not_equal", complex128, &Loop<NotEqual, bool(Double, Double)>::run},
    {"isnan", complex64, &Loop<IsNan, bool(Single)>::run},
    {"isnan", complex128, &Loop<IsNan, bool(Double)>::run},
    {"isfinite", complex64, &Loop<IsFinite, bool(Single)>::run},
    {"isfinite", complex128, &Loop<IsFinite, bool(Double)>::run},
    {"logical_not", complex64, &Loop<LogicalNot, bool(Single)>::run},
    {"logical_not", complex128, &Loop<LogicalNot, bool(Double)>::run},
    {"logical_and", bool_, &Loop<TruthAnd, Truth(Truth, Truth)>::run},
    {"logical_or", bool_, &Loop<TruthOr, Truth(Truth, Truth)>::run},
    {"logical_xor", bool_, &Loop<TruthXor, Truth(Truth, Truth)>::run},
    {"logical_not", bool_, &Loop<TruthNot, Truth(Truth)>::run},
    {"nextafter", float32, &Loop<NextAfter, float(float, float)>::run},
    {"nextafter", float64, &Loop<NextAfter, double(double, double)>::run},
    {"frexp", float32, &frexp_loop<float>},
    {"frexp", float64, &frexp_loop<double>},
};

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::power(dtype type, Exponent exponent) {
  const auto at = static_cast<int>(exponent);
  switch (type.code()) {
    case dtype::Code::int8:
      return kIntegerPowers<ops::i8>[at];
    case dtype::Code::uint8:
      return kIntegerPowers<ops::u8>[at];
    case dtype::Code::int16:
      return kIntegerPowers<ops::i16>[at];
    case dtype::Code::uint16:
      return kIntegerPowers<ops::u16>[at];
    case dtype::Code::int32:
      return kIntegerPowers<ops::i32>[at];
    case dtype::Code::uint32:
      return kIntegerPowers<ops::u32>[at];
    case dtype::Code::int64:
      return kIntegerPowers<ops::i64>[at];
    case dtype::Code::uint64:
      return kIntegerPowers<ops::u64>[at];
    case dtype::Code::float32:
      return kFloatPowers<float>[at];
    case dtype::Code::float64:
      return kFloatPowers<double>[at];
    case dtype::Code::complex64:
      return exponent == Exponent::two ? kComplexSquare<float> : nullptr;
    case dtype::Code::complex128:
      return exponent == Exponent::two ? kComplexSquare<double> : nullptr;
    default:
      return nullptr;
  }
}

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::find(const OpInfo& op, dtype type) {
  return find_loop(kEntries, op, type);
}

}  // namespace cupyxx::internal::cpu
