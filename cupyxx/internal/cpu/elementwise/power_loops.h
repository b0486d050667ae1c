// SPDX-License-Identifier: MIT
// Powers of floating numbers with AVX-512. Each step for a vector waits for the one before, so
// several vectors take it in turn. Compiled as loops.h says.
#pragma once

#if defined(__AVX512DQ__)

#include <immintrin.h>

#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/vector_math.h"

namespace cupyxx::internal::cpu {
namespace {

// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"

#define CUPYXX_INLINE __attribute__((always_inline)) inline

/// Vectors of eight numbers that take each step one after the other.
template <int kCount>
struct Vectors {
  __m512d v[kCount];

  /// f(k) for each of them.
  template <class F>
  CUPYXX_INLINE static Vectors each(F f) {
    Vectors result;
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) result.v[k] = f(k);
    return result;
  }
  CUPYXX_INLINE static Vectors all(double x) {
    return each([&](int) { return _mm512_set1_pd(x); });
  }
  friend CUPYXX_INLINE Vectors operator+(const Vectors& x, const Vectors& y) {
    return each([&](int k) { return _mm512_add_pd(x.v[k], y.v[k]); });
  }
  friend CUPYXX_INLINE Vectors operator-(const Vectors& x, const Vectors& y) {
    return each([&](int k) { return _mm512_sub_pd(x.v[k], y.v[k]); });
  }
  friend CUPYXX_INLINE Vectors operator*(const Vectors& x, const Vectors& y) {
    return each([&](int k) { return _mm512_mul_pd(x.v[k], y.v[k]); });
  }
  /// x y + z
  friend CUPYXX_INLINE Vectors fused(const Vectors& x, const Vectors& y, const Vectors& z) {
    return each([&](int k) { return _mm512_fmadd_pd(x.v[k], y.v[k], z.v[k]); });
  }
  /// What x y has beyond `product`, which is x y rounded.
  friend CUPYXX_INLINE Vectors beyond(const Vectors& x, const Vectors& y, const Vectors& product) {
    return each([&](int k) { return _mm512_fmsub_pd(x.v[k], y.v[k], product.v[k]); });
  }
  /// c[0] + c[1] x + ...
  template <int kTerms>
  friend CUPYXX_INLINE Vectors polynomial(const Vectors& x, const double (&c)[kTerms]) {
    Vectors sum = all(c[kTerms - 1]);
#pragma GCC unroll 16
    for (int i = kTerms - 2; i >= 0; --i) sum = fused(sum, x, all(c[i]));
    return sum;
  }
  friend CUPYXX_INLINE Vectors rounded(const Vectors& x) {
    return each([&](int k) {
      return _mm512_roundscale_pd(x.v[k], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    });
  }
};

// x = 2^e m with m in [0.75, 1.5), which is near k / 16 for an integer k of 12 to 24: entry k mod
// 16 of the tables is a number near 16 / k, minus its logarithm of base 2 in whole 2^-40, and what
// the logarithm has beyond that.
alignas(64) constexpr double kInverses[16] = {1,
                                              0x1.e1e1e1e1e1e1ep-1,
                                              0x1.c71c71c71c71cp-1,
                                              0x1.af286bca1af28p-1,
                                              0x1.999999999999ap-1,
                                              0x1.8618618618618p-1,
                                              0x1.745d1745d1746p-1,
                                              0x1.642c8590b2164p-1,
                                              0x1.58ed2308158edp-1,
                                              1,
                                              1,
                                              1,
                                              0x1.4e5e0a72f0539p+0,
                                              0x1.3b13b13b13b14p+0,
                                              0x1.2492492492492p+0,
                                              0x1.1111111111111p+0};
alignas(64) constexpr double kLogs[16] = {0,
                                          0x1.663f6fac90000p-4,
                                          0x1.5c01a39fc0000p-3,
                                          0x1.fbc16b9028000p-3,
                                          0x1.49a784bcd0000p-2,
                                          0x1.91bba891f0000p-2,
                                          0x1.d6753e0330000p-2,
                                          0x1.0c10500d64000p-1,
                                          0x1.23c41d4272000p-1,
                                          0,
                                          0,
                                          0,
                                          -0x1.8a8980abfc000p-2,
                                          -0x1.32bfee3710000p-2,
                                          -0x1.8a8980abf8000p-3,
                                          -0x1.7d60496d00000p-4};
alignas(64) constexpr double kLogRests[16] = {0,
                                              0x1.317ee20c9d519p-44,
                                              -0x1.4babedb842443p-42,
                                              -0x1.7f2f9ae39c1e8p-43,
                                              0x1.b898cf4b5a447p-42,
                                              0x1.70a26072b5824p-42,
                                              -0x1.5f1ba6b7d0fccp-42,
                                              -0x1.5652ca22c62dap-43,
                                              0x1.f214c4fd1a9dcp-43,
                                              0,
                                              0,
                                              0,
                                              0x1.67d63f674c5d6p-45,
                                              0x1.196290940346ap-42,
                                              -0x1.e97c1e0d76c5fp-42,
                                              0x1.12d42864c5030p-42};

/// A positive number as 2^e m, and the place of m in the tables.
template <int kCount>
struct Parts {
  using Some = Vectors<kCount>;
  Some e, m, place;

  CUPYXX_INLINE explicit Parts(const Some& x) {
    m = Some::each(
        [&](int k) { return _mm512_getmant_pd(x.v[k], _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src); });
    e = Some::each(
        [&](int k) { return _mm512_sub_pd(_mm512_getexp_pd(x.v[k]), _mm512_getexp_pd(m.v[k])); });
    // The low bits of the sum are the rounded number.
    place = fused(m, Some::all(16), Some::all(0x1.8p52));
  }
  CUPYXX_INLINE Some from(const double (&table)[16]) const {
    return Some::each([&](int k) {
      return _mm512_permutex2var_pd(_mm512_load_pd(table), _mm512_castpd_si512(place.v[k]),
                                    _mm512_load_pd(table + 8));
    });
  }
};

/// x^y of positive finite numbers, in float64.
template <int kCount>
CUPYXX_INLINE void float_powers(const float* x, const float* y, float* out) {
  using Some = Vectors<kCount>;
  // The logarithm of base 2 has a relative error of 2^-35, also near 1, and the power one of 2^-28.
  constexpr double kLog2[] = {0x1.71547652dd519p+0,  -0x1.71547652f932ap-1, 0x1.ec708644d2e61p-2,
                              -0x1.715461c387a76p-2, 0x1.2803ae51cca70p-2,  -0x1.ed673706f2d91p-3};
  constexpr double kExp2[] = {1,
                              0x1.62e430d03470fp-1,
                              0x1.ebfbe045f4d57p-3,
                              0x1.c6aecc669a6d3p-5,
                              0x1.3b2a1b71521c4p-7,
                              0x1.5f48c04fd4e49p-10,
                              0x1.443fffc7ffc45p-13};
  const auto wide = [](const float* from) {
    return Some::each([&](int k) { return _mm512_cvtps_pd(_mm256_loadu_ps(from + 8 * k)); });
  };
  const Parts<kCount> parts(wide(x));
  const Some r = beyond(parts.m, parts.from(kInverses), Some::all(1));
  const Some log = fused(r, polynomial(r, kLog2), parts.e + parts.from(kLogs));
  const Some exponent = log * wide(y), n = rounded(exponent);
  const Some power = polynomial(exponent - n, kExp2);
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) {
    _mm256_storeu_ps(out + 8 * k, _mm512_cvtpd_ps(_mm512_scalef_pd(power.v[k], n.v[k])));
  }
}

/// x^y of positive finite numbers, with an error of little more than one unit in the last place:
/// the logarithm and its product with y are sums of a number and what it lacks.
template <int kCount>
CUPYXX_INLINE void double_powers(const double* x, const double* y, double* out) {
  using Some = Vectors<kCount>;
  const auto load = [](const double* from) {
    return Some::each([&](int k) { return _mm512_loadu_pd(from + 8 * k); });
  };
  // m times its inverse is 1 + r + r_low.
  const Parts<kCount> parts(load(x));
  const Some inverse = parts.from(kInverses);
  const Some near_one = parts.m * inverse;
  const Some r = near_one - Some::all(1), r_low = beyond(parts.m, inverse, near_one);
  // log2(1 + r) = r c with c = C + r d and d = D + r q(r), where C and D are 1 / ln(2) and half of
  // it. No sum loses more than its smaller part does, since that comes last.
  const Some kC = Some::all(0x1.71547652b82fep+0), kCLow = Some::all(0x1.777d0ffda0d24p-56);
  const Some kD = Some::all(-0x1.71547652b82fep-1), kDLow = Some::all(-0x1.777d0ffda0d24p-57);
  constexpr double kQ[] = {0x1.ec709dc3a03fdp-2,  -0x1.71547652b8190p-2, 0x1.2776c50ef9aadp-2,
                           -0x1.ec709dc9e9591p-3, 0x1.a61762ad7b4bap-3,  -0x1.71543a9628d9fp-3,
                           0x1.484adcb32624ep-3,  -0x1.2848f760afe82p-3, 0x1.0d5c8cb695732p-3};
  const Some rq = r * polynomial(r, kQ);
  const Some d = kD + rq, d_low = (kD - d) + rq + kDLow;
  const Some rd = r * d, rd_low = fused(r, d_low, beyond(r, d, rd));
  const Some c = kC + rd, c_low = (kC - c) + rd + (rd_low + kCLow);
  const Some rc = r * c, slope = c + rd;  // nearly that of the logarithm
  const Some rc_low = fused(r_low, slope, fused(r, c_low, beyond(r, c, rc)));
  const Some whole = parts.e + parts.from(kLogs);
  const Some log = whole + rc, log_low = (whole - log) + rc + (rc_low + parts.from(kLogRests));
  // Beyond the limits powers are 0 and infinity.
  const Some factor = load(y);
  const Some product = log * factor,
             product_low = fused(log_low, factor, beyond(log, factor, product));
  const Some exponent = Some::each([&](int k) {
    return _mm512_max_pd(_mm512_min_pd(product.v[k], _mm512_set1_pd(1100)), _mm512_set1_pd(-1100));
  });
  const Some n = rounded(exponent), near_zero = exponent - n;
  const Some fraction = Some::each([&](int k) {
    const __mmask8 is_inside = _mm512_cmp_pd_mask(exponent.v[k], product.v[k], _CMP_EQ_OQ);
    return _mm512_maskz_add_pd(is_inside, near_zero.v[k], product_low.v[k]);
  });
  const Some power = polynomial(fraction, ops::vector_math::Format<double>::kExp2);
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) {
    _mm512_storeu_pd(out + 8 * k, _mm512_scalef_pd(power.v[k], n.v[k]));
  }
}

// What is no power of a positive finite number is made again, alone.
constexpr int kNotFinite = 0x01 | 0x80 | 0x08 | 0x10;
constexpr int kNotPositive = kNotFinite | 0x02 | 0x04 | 0x40;

template <class T>
void make_again(unsigned places, const T* x, const T* y, T* out) {
  for (; places != 0; places &= places - 1) {
    const int l = __builtin_ctz(places);
    out[l] = ops::Power::apply(x[l], y[l]);
  }
}

struct FloatPowers {
  template <int kLanes>
  static bool run(const float (&x)[kLanes], const float (&y)[kLanes], float (&out)[kLanes]) {
    float_powers<kLanes / 8>(x, y, out);
    for (int l = 0; l < kLanes; l += 16) {
      const auto bad = _mm512_fpclass_ps_mask(_mm512_loadu_ps(x + l), kNotPositive) |
                       _mm512_fpclass_ps_mask(_mm512_loadu_ps(y + l), kNotFinite);
      if (bad != 0) make_again(static_cast<unsigned>(bad), x + l, y + l, out + l);
    }
    return true;
  }
  static float one(float x, float y) { return ops::Power::apply(x, y); }
};

struct DoublePowers {
  template <int kLanes>
  static bool run(const double (&x)[kLanes], const double (&y)[kLanes], double (&out)[kLanes]) {
    double_powers<kLanes / 8>(x, y, out);
    for (int l = 0; l < kLanes; l += 8) {
      const auto bad = _mm512_fpclass_pd_mask(_mm512_loadu_pd(x + l), kNotPositive) |
                       _mm512_fpclass_pd_mask(_mm512_loadu_pd(y + l), kNotFinite);
      if (bad != 0) make_again(static_cast<unsigned>(bad), x + l, y + l, out + l);
    }
    return true;
  }
  static double one(double x, double y) { return ops::Power::apply(x, y); }
};

#undef CUPYXX_INLINE
#pragma GCC diagnostic pop

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
