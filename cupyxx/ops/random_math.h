// SPDX-License-Identifier: MIT
// Device-safe. Logarithm, exponential, sine and cosine from additions, multiplications, divisions
// and square roots alone. All of these round correctly on the host and on devices, and neither side
// contracts what is not written as fused; so random numbers are equal bit for bit everywhere. Only
// `fast_square_root` is not: normal numbers of float32 differ in their last bits.
// Polynomials are minimax (Remez' exchange in 50 digits), errors below an ulp.
//
// `Fused` says whether multiply_add rounds once. Fills of whole arrays say true, as their host
// loops are compiled for processors with that instruction; samplers of one number say false.
#pragma once

#include "cupyxx/half.h"

namespace cupyxx::random::m {

#if defined(__CUDACC__)
CUPYXX_FN float fused(float x, float y, float z) { return __fmaf_rn(x, y, z); }
CUPYXX_FN double fused(double x, double y, double z) { return __fma_rn(x, y, z); }
#else
CUPYXX_FN float fused(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
CUPYXX_FN double fused(double x, double y, double z) { return __builtin_fma(x, y, z); }
#endif

#if defined(__CUDACC__)
CUPYXX_FN float absolute(float x) { return fabsf(x); }
#else
CUPYXX_FN float absolute(float x) { return __builtin_fabsf(x); }
#endif

template <bool Fused, class T>
CUPYXX_FN T multiply_add(T x, T y, T z) {
  if constexpr (Fused) {
    return fused(x, y, z);
  } else {
    return x * y + z;
  }
}

/// c[0] + c[1] x + ... by Horner's rule.
template <bool Fused, class T, int kCount>
CUPYXX_FN T polynomial(T x, const T (&c)[kCount]) {
  T sum = c[kCount - 1];
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 16
#endif
  for (int i = kCount - 2; i >= 0; --i) sum = multiply_add<Fused>(sum, x, c[i]);
  return sum;
}

CUPYXX_FN unsigned long double_bits(double x) {
#if defined(__CUDACC__)
  return static_cast<unsigned long>(__double_as_longlong(x));
#else
  return __builtin_bit_cast(unsigned long, x);
#endif
}
CUPYXX_FN double bits_double(unsigned long x) {
#if defined(__CUDACC__)
  return __longlong_as_double(static_cast<long long>(x));
#else
  return __builtin_bit_cast(double, x);
#endif
}

/// The square root of a number between 2^-100 and 2^100: correctly rounded on the host, within two
/// units in the last place on devices, in two instructions there instead of five.
CUPYXX_FN float fast_square_root(float x) {
#if defined(__CUDACC__)
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return x * r;
#else
  return __builtin_sqrtf(x);
#endif
}
/// The square root, correctly rounded.
CUPYXX_FN double square_root(double x) {
#if defined(__CUDACC__)
  return ::sqrt(x);
#else
  return __builtin_sqrt(x);
#endif
}

/// 10^-30 - 2 ln(x) for 0 < x <= 1: never 0, so that its square root needs no special case.
CUPYXX_FN float minus_two_log(float x) {
  // A mantissa in [1/sqrt(2), sqrt(2)) less 1, and the exponent times 2^23.
  const unsigned bits = internal::float_bits(x);
  const unsigned exponent = (bits - 0x3f3504f3u) & 0xff800000u;
  const float f = internal::bits_float(bits - exponent) - 1.0f;
  constexpr float kTwoLn2 = -0x1.62e43p-23f;  // -2 ln(2) 2^-23
  const float whole =
      multiply_add<true>(static_cast<float>(static_cast<int>(exponent)), kTwoLn2, 1e-30f);
  constexpr float kLog[] = {-0x1.0p+1f,      0x1.fffff8p-1f,  -0x1.555792p-1f,
                            0x1.000570p-1f,  -0x1.98b74ep-2f, 0x1.5332c8p-2f,
                            -0x1.3238e8p-2f, 0x1.263abep-2f,  -0x1.6542acp-3f};
  return multiply_add<true>(f, polynomial<true>(f, kLog), whole);
}

/// The bits of x's mantissa as a number in [1, 2).
CUPYXX_FN float mantissa(unsigned bits) {
#if defined(__CUDACC__)
  // One instruction takes one constant: the other one is kept in a register.
  unsigned one;
  asm("mov.b32 %0, 0x3f800000;" : "=r"(one));
#else
  constexpr unsigned one = 0x3f800000u;
#endif
  return internal::bits_float((bits & 0x007fffffu) | one);
}

/// 10^-30 - 2 ln(x / 2^31) for x = |number| + 1/2. The relative error is at most 2^-19.4, and half
/// of that in the radius, its square root: samples of 10^11 numbers do not show it.
CUPYXX_FN float square_of_radius(int number) {
  // x = m 2^e, and its bits lie d = (e - 31 + m - 1) 2^23 above those of 2^31. So -2 ln(x / 2^31)
  // is -2 ln(2) 2^-23 d plus 2 ln(2) (m - 1) - 2 ln(m), which is small and 0 at both ends.
  const unsigned bits = internal::float_bits(absolute(static_cast<float>(number)) + 0.5f);
  const auto d = static_cast<float>(static_cast<int>(bits - 0x4f000000u));
  const float f = mantissa(bits) - 2.0f;
  constexpr float kRest[] = {0x1.8b9120p-2f,  -0x1.172298p-3f, 0x1.acd868p-5f,
                             -0x1.ada140p-6f, -0x1.12c61cp-9f, -0x1.dba34cp-7f};
  constexpr float kTwoLn2 = -0x1.62e43p-23f;
  return multiply_add<true>(fused(f, f, f), polynomial<true>(f, kRest),
                            multiply_add<true>(d, kTwoLn2, 1e-30f));
}

/// ln(x) for a positive normal x.
template <bool Fused>
CUPYXX_FN double log(double x) {
  unsigned long bits = double_bits(x) + (0x3ff0000000000000ul - 0x3fe6a09e667f3bcdul);
  const double exponent = static_cast<double>(static_cast<int>(bits >> 52) - 1023);
  bits = (bits & 0x000ffffffffffffful) + 0x3fe6a09e667f3bcdul;
  const double f = bits_double(bits) - 1.0;  // in [1/sqrt(2) - 1, sqrt(2) - 1)
  // ln(1 + f) = 2 atanh(s) = 2 s + s^3 P(s^2); 2 s = f - s f keeps the bits of f.
  const double s = f / (f + 2.0), s2 = s * s;
  constexpr double kLog[] = {0x1.555555555557cp-1, 0x1.99999999847e9p-2, 0x1.2492493fad552p-2,
                             0x1.c71c52be8192ap-3, 0x1.746647dd066c2p-3, 0x1.399d294f88f5bp-3,
                             0x1.2f50f43e64db5p-3};
  const double rest = s * (s2 * polynomial<Fused>(s2, kLog) - f);
  constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
  return exponent * kLn2High + (f + (rest + exponent * kLn2Low));
}

CUPYXX_FN double minus_two_log(double x) { return -2.0 * log<true>(x); }

/// Cosine and sine of |x| <= pi / 2; the cosine within 2^-24.
CUPYXX_FN void cos_sin(float x, float& cosine, float& sine) {
  const float x2 = x * x;
  constexpr float kSin[] = {-0x1.55554ep-3f, 0x1.110efap-7f, -0x1.9f71e4p-13f, 0x1.5da8d4p-19f};
  constexpr float kCos[] = {1.0f, -0x1.ffffd2p-2f, 0x1.554fb8p-5f, -0x1.6b398ep-10f,
                            0x1.852322p-16f};
  cosine = polynomial<true>(x2, kCos);
  sine = fused(x * x2, polynomial<true>(x2, kSin), x);
}

/// Cosine and sine of pi x for |x| <= 1/2.
template <bool Fused>
CUPYXX_FN void cos_sin_pi(double x, double& cosine, double& sine) {
  const double y = x * 3.14159265358979323846, y2 = y * y;
  constexpr double kSin[] = {-0x1.5555555555555p-3,  0x1.11111111110dbp-7,   -0x1.a01a01a015aa8p-13,
                             0x1.71de3a52e3d61p-19,  -0x1.ae6454ea4a5e6p-26, 0x1.6123d0ac08458p-33,
                             -0x1.ae4411ac3b26dp-41, 0x1.8838a90dea88ap-49};
  constexpr double kCos[] = {1.0,
                             -0x1.0p-1,
                             0x1.5555555555555p-5,
                             -0x1.6c16c16c16b9bp-10,
                             0x1.a01a01a0143c4p-16,
                             -0x1.27e4fb752f346p-22,
                             0x1.1eed8ddcd78b4p-29,
                             -0x1.9396a01b73ec6p-37,
                             0x1.ae43888f8e671p-45,
                             -0x1.5ca3e79f93133p-53};
  cosine = polynomial<Fused>(y2, kCos);
  sine = multiply_add<Fused>(y * y2, polynomial<Fused>(y2, kSin), y);
}

/// e^x.
template <bool Fused>
CUPYXX_FN double exp(double x) {
  if (!(x >= -746.0)) return x != x ? x : 0.0;
  if (x > 710.0) x = 710.0;
  // x = n ln(2) + r, the sum of 1.5 2^52 rounds to an integer.
  constexpr double kMagic = 6755399441055744.0;
  const double shifted = x * 1.44269504088896340736 + kMagic;
  const double n = shifted - kMagic;
  const double r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
  constexpr double kExp[] = {0.5,
                             0x1.555555555555cp-3,
                             0x1.555555555555ep-5,
                             0x1.111111110ebbap-7,
                             0x1.6c16c16c135acp-10,
                             0x1.a01a01b3b827ap-13,
                             0x1.a01a01b44c3f7p-16,
                             0x1.71ddef9b571c0p-19,
                             0x1.27e4bf41fac6cp-22,
                             0x1.af6cbf81fed1bp-26,
                             0x1.1f9dd752e6e08p-29};
  const double y = 1.0 + (r + r * r * polynomial<Fused>(r, kExp));
  // 2^n in two factors, as it need not be a normal number.
  const long whole = static_cast<long>(static_cast<int>(n)), half = whole >> 1;
  const auto power = [](long e) { return bits_double(static_cast<unsigned long>(e + 1023) << 52); };
  return y * power(half) * power(whole - half);
}

}  // namespace cupyxx::random::m
