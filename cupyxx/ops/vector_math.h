// SPDX-License-Identifier: MIT
// Exponentials without branches, tables or calls, for processors with fused multiply-add: compilers
// vectorise loops around them, and a number gives the same bits in a vector as alone. Errors are
// below one ulp, subnormal results included. Polynomials are minimax (Remez' exchange in 50
// digits).
#pragma once

#include "cupyxx/half.h"

namespace cupyxx::ops::vector_math {

CUPYXX_FN float fused(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
CUPYXX_FN double fused(double x, double y, double z) { return __builtin_fma(x, y, z); }
CUPYXX_FN float absolute(float x) { return __builtin_fabsf(x); }
CUPYXX_FN double absolute(double x) { return __builtin_fabs(x); }
CUPYXX_FN float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
CUPYXX_FN double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }

/// c[0] + c[1] x + ... by Horner's rule.
template <class T, int kCount>
CUPYXX_FN T polynomial(T x, const T (&c)[kCount]) {
  T sum = c[kCount - 1];
#pragma GCC unroll 16
  for (int i = kCount - 2; i >= 0; --i) sum = fused(sum, x, c[i]);
  return sum;
}

template <class T>
struct Format;

template <>
struct Format<float> {
  using Bits = unsigned;
  static constexpr int kMantissa = 23;
  static constexpr Bits kExponent = 0x7f800000;
  static constexpr float kShift = 0x1.8p23f + 254;  // 254: twice the bias
  static constexpr float kLog2e = 0x1.715476p0f;
  static constexpr float kLn2High = 0x1.62e4p-1f;  // its products with exponents are exact
  static constexpr float kLn2Low = 0x1.7f7d1cp-20f;
  static constexpr float kExpLimit = 160;   // results are infinite or zero well before,
  static constexpr float kExp2Limit = 230;  // exponents fit twice their field
  // e^r = 1 + r + r^2 (...) for |r| <= ln(2) / 2.
  static constexpr float kExp[] = {
      1, 1, 0x1.fffffcp-2f, 0x1.55549p-3f, 0x1.5558f8p-5f, 0x1.123b02p-7f, 0x1.6a2288p-10f};
  // 2^r = 1 + r (...) for |r| <= 1 / 2.
  static constexpr float kExp2[] = {1,
                                    0x1.62e43p-1f,
                                    0x1.ebfbdcp-3f,
                                    0x1.c6aee8p-5f,
                                    0x1.3b2d4cp-7f,
                                    0x1.5f3e52p-10f,
                                    0x1.41fc28p-13f};
};

template <>
struct Format<double> {
  using Bits = unsigned long;
  static constexpr int kMantissa = 52;
  static constexpr Bits kExponent = 0x7ff0000000000000;
  static constexpr double kShift = 0x1.8p52 + 2046;
  static constexpr double kLog2e = 0x1.71547652b82fep0;
  static constexpr double kLn2High = 0x1.62e42fefap-1;
  static constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
  static constexpr double kExpLimit = 1400;
  static constexpr double kExp2Limit = 2000;
  static constexpr double kExp[] = {1,
                                    1,
                                    0x1.000000000000ap-1,
                                    0x1.55555555554f8p-3,
                                    0x1.555555555075dp-5,
                                    0x1.1111111128169p-7,
                                    0x1.6c16c1846dbc1p-10,
                                    0x1.a01a0128fa4e1p-13,
                                    0x1.a0199949ef650p-16,
                                    0x1.71df273446956p-19,
                                    0x1.28ae2f5193e59p-22,
                                    0x1.ad7e575dd8e53p-26};
  static constexpr double kExp2[] = {1,
                                     0x1.62e42fefa39efp-1,
                                     0x1.ebfbdff82c5a4p-3,
                                     0x1.c6b08d7049fe8p-5,
                                     0x1.3b2ab6fba0121p-7,
                                     0x1.5d87fe78cd646p-10,
                                     0x1.4309130ed7638p-13,
                                     0x1.ffcbfba9a7698p-17,
                                     0x1.62bfc7a0da62ap-20,
                                     0x1.b5267c925014cp-24,
                                     0x1.e61b498786fa5p-28,
                                     0x1.e79c2a2ac0f87p-32};
};

/// x, but no further from zero than the limit; NaN remains. One comparison: of two, with selects in
/// each other, GCC makes four.
template <class T>
CUPYXX_FN T limited(T x, T limit) {
  const T end = with_sign(limit, x);
  return absolute(x) > limit ? end : x;
}

/// y 2^n, where `shifted` is Format<T>::kShift + n, which has n and twice the bias in its low bits.
/// In two factors: their exponents do not leave the field before the product does, and only the
/// second product rounds, to a subnormal number.
template <class T>
CUPYXX_FN T scaled(T y, T shifted) {
  using F = Format<T>;
  const auto bits = __builtin_bit_cast(typename F::Bits, shifted);
  const auto part = bits << (F::kMantissa - 1) & F::kExponent;
  const auto rest = (bits << F::kMantissa) - part;
  return y * __builtin_bit_cast(T, part) * __builtin_bit_cast(T, rest);
}

/// e^x.
template <class T>
CUPYXX_FN T exp(T x) {
  using F = Format<T>;
  const T v = limited(x, F::kExpLimit);
  const T shifted = fused(v, F::kLog2e, F::kShift);  // rounds to an integer
  const T n = shifted - F::kShift;
  const T r = fused(n, -F::kLn2Low, fused(n, -F::kLn2High, v));
  return scaled(polynomial(r, F::kExp), shifted);
}

/// 2^x.
template <class T>
CUPYXX_FN T exp2(T x) {
  using F = Format<T>;
  const T v = limited(x, F::kExp2Limit);
  const T shifted = v + F::kShift;
  return scaled(polynomial(v - (shifted - F::kShift), F::kExp2), shifted);
}

}  // namespace cupyxx::ops::vector_math
