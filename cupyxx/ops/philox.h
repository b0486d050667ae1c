// SPDX-License-Identifier: MIT
// Device-safe: read by the host compiler and, embedded as text, by NVRTC. The counter-based
// generator Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as
// 1, 2, 3", 2011) and what turns its words into numbers. Everything here is plain arithmetic
// without calls of a mathematical library, so that host and device agree bit for bit (both are
// compiled without contraction).
#pragma once

#include "cupyxx/half.h"

namespace cupyxx::random {

/// Four words of a counter, or of a result.
struct Words {
  unsigned w[4];
};

/// Where a stream stands: the seed is the key, the offset counts blocks of four words.
struct PhiloxState {
  unsigned long seed;
  unsigned long offset;
};

namespace philox {
inline constexpr unsigned kMultiplier0 = 0xD2511F53u;
inline constexpr unsigned kMultiplier1 = 0xCD9E8D57u;
inline constexpr unsigned kWeyl0 = 0x9E3779B9u;
inline constexpr unsigned kWeyl1 = 0xBB67AE85u;
inline constexpr int kRounds = 10;

CUPYXX_FN unsigned low(unsigned long x) { return static_cast<unsigned>(x); }
CUPYXX_FN unsigned high(unsigned long x) { return static_cast<unsigned>(x >> 32); }

/// One round on a counter.
CUPYXX_FN void round(unsigned& c0, unsigned& c1, unsigned& c2, unsigned& c3, unsigned k0,
                     unsigned k1) {
  const unsigned long p0 = static_cast<unsigned long>(kMultiplier0) * c0;
  const unsigned long p1 = static_cast<unsigned long>(kMultiplier1) * c2;
  c0 = high(p1) ^ c1 ^ k0;
  c2 = high(p0) ^ c3 ^ k1;
  c1 = low(p1);
  c3 = low(p0);
}
}  // namespace philox

/// The block of four words at a counter, under a key.
CUPYXX_FN Words philox4x32_10(const unsigned (&counter)[4], const unsigned (&key)[2]) {
  unsigned c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  unsigned k0 = key[0], k1 = key[1];
#pragma GCC unroll 10  // so that loops over blocks vectorise
  for (int i = 0; i < philox::kRounds; ++i) {
    philox::round(c0, c1, c2, c3, k0, k1);
    k0 += philox::kWeyl0;
    k1 += philox::kWeyl1;
  }
  return {{c0, c1, c2, c3}};
}

/// Block number `block` after a stream's place.
CUPYXX_FN Words philox_block(const PhiloxState& state, unsigned long block) {
  const unsigned long at = state.offset + block;
  const unsigned counter[4] = {philox::low(at), philox::high(at), 0, 0};
  const unsigned key[2] = {philox::low(state.seed), philox::high(state.seed)};
  return philox4x32_10(counter, key);
}

/// Uniform in [0, 1): a multiple of 2^-24.
CUPYXX_FN float uniform_float(unsigned word) {
  return static_cast<float>(static_cast<int>(word >> 8)) * 5.9604644775390625e-8f;
}

/// Uniform in [0, 1): a multiple of 2^-53.
CUPYXX_FN double uniform_double(unsigned word0, unsigned word1) {
  const unsigned long bits = (static_cast<unsigned long>(word1) << 32 | word0) >> 11;
  return static_cast<double>(static_cast<long>(bits)) * 1.1102230246251565404e-16;
}

/// Uniform in [0, range): the upper half of a 128-bit product; a bias of at most range / 2^64.
CUPYXX_FN unsigned long uniform_below(unsigned long range, unsigned word0, unsigned word1) {
  const unsigned long bits = static_cast<unsigned long>(word1) << 32 | word0;
  const unsigned long a = philox::high(bits), b = philox::low(bits);
  const unsigned long c = philox::high(range), d = philox::low(range);
  const unsigned long middle = b * c + (b * d >> 32);
  const unsigned long carry = a * d + philox::low(middle);
  return a * c + (middle >> 32) + (carry >> 32);
}

namespace philox {

CUPYXX_FN float square_root(float x) {
#if defined(__CUDACC__)
  return ::sqrtf(x);
#else
  return __builtin_sqrtf(x);
#endif
}
CUPYXX_FN double square_root(double x) {
#if defined(__CUDACC__)
  return ::sqrt(x);
#else
  return __builtin_sqrt(x);
#endif
}

/// Splits a positive normal number into a mantissa in [1/sqrt(2), sqrt(2)) and an exponent.
CUPYXX_FN float split(float x, int& exponent) {
  const unsigned bits = internal::float_bits(x) + (0x3f800000u - 0x3f3504f3u);
  exponent = static_cast<int>(bits >> 23) - 127;
  return internal::bits_float((bits & 0x007fffffu) + 0x3f3504f3u);
}
CUPYXX_FN double split(double x, int& exponent) {
#if defined(__CUDACC__)
  unsigned long bits = static_cast<unsigned long>(__double_as_longlong(x));
#else
  unsigned long bits = __builtin_bit_cast(unsigned long, x);
#endif
  bits += 0x3ff0000000000000ul - 0x3fe6a09e667f3bcdul;
  exponent = static_cast<int>(bits >> 52) - 1023;
  bits = (bits & 0x000ffffffffffffful) + 0x3fe6a09e667f3bcdul;
#if defined(__CUDACC__)
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return __builtin_bit_cast(double, bits);
#endif
}

/// -2 ln(x) for 0 < x <= 1: the series of 2 atanh((m - 1) / (m + 1)) and the exponent.
template <class T>
CUPYXX_FN T minus_two_log(T x) {
  constexpr int kTerms = sizeof(T) == 4 ? 5 : 11;  // (0.1716^2)^terms is below half an ulp
  int exponent;
  const T m = split(x, exponent);
  const T s = (m - 1) / (m + 1);
  const T s2 = s * s;
  T sum = T(1) / (2 * kTerms + 1);
  for (int i = kTerms - 1; i > 0; --i) sum = sum * s2 + T(1) / (2 * i + 1);
  const T log_m = 2 * s + 2 * s * s2 * sum;
  return -2 * (static_cast<T>(exponent) * T(0.693147180559945309417) + log_m);
}

/// Cosine and sine of 2 pi u for 0 <= u < 1: the quarter is exact, the rest are Taylor's series.
template <class T>
CUPYXX_FN void cos_sin_2pi(T u, T& cosine, T& sine) {
  constexpr int kTerms = sizeof(T) == 4 ? 6 : 10;
  const T quarters = 4 * u;
  const int quarter = static_cast<int>(quarters + T(0.5));
  const T x = (quarters - static_cast<T>(quarter)) * T(1.57079632679489661923);
  const T x2 = x * x;
  T s = 1, c = 1;
  for (int i = kTerms - 1; i > 0; --i) {
    s = 1 - s * x2 * (T(1) / ((2 * i) * (2 * i + 1)));
    c = 1 - c * x2 * (T(1) / ((2 * i - 1) * (2 * i)));
  }
  s *= x;
  const bool swap = (quarter & 1) != 0;
  const T a = swap ? s : c;
  const T b = swap ? c : s;
  cosine = ((quarter + 1) & 2) != 0 ? -a : a;
  sine = (quarter & 2) != 0 ? -b : b;
}

}  // namespace philox

/// Two independent standard normal numbers from two uniforms in [0, 1) (Box and Muller, 1958).
template <class T>
CUPYXX_FN void box_muller(T u0, T u1, T& first, T& second) {
  const T radius = philox::square_root(philox::minus_two_log(1 - u0));
  T cosine, sine;
  philox::cos_sin_2pi(u1, cosine, sine);
  first = radius * cosine;
  second = radius * sine;
}

/// Four standard normal numbers from a block.
CUPYXX_FN void normal_floats(const Words& words, float (&z)[4]) {
  box_muller(uniform_float(words.w[0]), uniform_float(words.w[1]), z[0], z[1]);
  box_muller(uniform_float(words.w[2]), uniform_float(words.w[3]), z[2], z[3]);
}

/// Two standard normal numbers from a block.
CUPYXX_FN void normal_doubles(const Words& words, double (&z)[2]) {
  box_muller(uniform_double(words.w[0], words.w[1]), uniform_double(words.w[2], words.w[3]), z[0],
             z[1]);
}

}  // namespace cupyxx::random
