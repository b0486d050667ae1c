// SPDX-License-Identifier: MIT
// Logarithms and hyperbolic functions with AVX-512, for which the C library's vectors are slow.
// Errors are below 2.6 ulp; tables and polynomials are fitted in 60 digits. Compiled as loops.h
// says.
#pragma once

#if defined(__AVX512DQ__)

#include <immintrin.h>

#include <algorithm>

#include "cupyxx/internal/cpu/elementwise/block_loops.h"
#include "cupyxx/internal/cpu/elementwise/power_loops.h"

namespace cupyxx::internal::cpu {
namespace {

// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"

#define CUPYXX_INLINE __attribute__((always_inline)) inline

/// c[0] + c[1] x + ...
template <int kTerms>
CUPYXX_INLINE __m512d series(__m512d x, const double (&c)[kTerms]) {
  __m512d sum = _mm512_set1_pd(c[kTerms - 1]);
#pragma GCC unroll 16
  for (int i = kTerms - 2; i >= 0; --i) sum = _mm512_fmadd_pd(sum, x, _mm512_set1_pd(c[i]));
  return sum;
}
template <int kTerms>
CUPYXX_INLINE __m512 series(__m512 x, const float (&c)[kTerms]) {
  __m512 sum = _mm512_set1_ps(c[kTerms - 1]);
#pragma GCC unroll 16
  for (int i = kTerms - 2; i >= 0; --i) sum = _mm512_fmadd_ps(sum, x, _mm512_set1_ps(c[i]));
  return sum;
}

// Minus the natural logarithms of kInverses.
alignas(64) constexpr double kNaturalLogs[16] = {0,
                                                 0x1.f0a30c01162a8p-5,
                                                 0x1.e27076e2af2eap-4,
                                                 0x1.5ff3070a793d6p-3,
                                                 0x1.c8ff7c79a9a2p-3,
                                                 0x1.1675cababa60fp-2,
                                                 0x1.4618bc21c5ec2p-2,
                                                 0x1.739d7f6bbd007p-2,
                                                 0x1.947941c2116fbp-2,
                                                 0,
                                                 0,
                                                 0,
                                                 -0x1.1178e8227e47ap-2,
                                                 -0x1.a93ed3c8ad9e5p-3,
                                                 -0x1.1178e8227e47ap-3,
                                                 -0x1.08598b59e3a06p-4};
// The inverses of power_loops.h rounded, and minus their logarithms.
alignas(64) constexpr float kFloatInverses[16] = {1,
                                                  0x1.e1e1e2p-1f,
                                                  0x1.c71c72p-1f,
                                                  0x1.af286cp-1f,
                                                  0x1.99999ap-1f,
                                                  0x1.861862p-1f,
                                                  0x1.745d18p-1f,
                                                  0x1.642c86p-1f,
                                                  0x1.58ed24p-1f,
                                                  1,
                                                  1,
                                                  1,
                                                  0x1.4e5e0ap+0f,
                                                  0x1.3b13b2p+0f,
                                                  0x1.24924ap+0f,
                                                  0x1.111112p+0f};
alignas(64) constexpr float kFloatLogs[16] = {0,
                                              0x1.f0a30ap-5f,
                                              0x1.e27074p-4f,
                                              0x1.5ff306p-3f,
                                              0x1.c8ff7ap-3f,
                                              0x1.1675cap-2f,
                                              0x1.4618bap-2f,
                                              0x1.739d7ep-2f,
                                              0x1.94793ep-2f,
                                              0,
                                              0,
                                              0,
                                              -0x1.1178e6p-2f,
                                              -0x1.a93ed8p-3f,
                                              -0x1.1178eep-3f,
                                              -0x1.08599ap-4f};

/// ln(x + low...), where low is what rounding has taken from x, and 0 in the lanes of `extra`,
/// whose logarithms have ln(2) added. -infinity of zeros, NaN of negative numbers.
template <class... Low>
CUPYXX_INLINE __m512d logarithm(__m512d x, __mmask8 extra, Low... low) {
  // ln(1 + r) = r + r^2 (...) for |r| <= 1 / 24.
  constexpr double kLog1p[] = {-0.5,
                               0x1.555555555533cp-2,
                               -0x1.ffffffffffc27p-3,
                               0x1.999999a16d06cp-3,
                               -0x1.5555555c81e26p-3,
                               0x1.24920a269502bp-3,
                               -0x1.ffff8c8290f22p-4,
                               0x1.c893e0aaf7a11p-4,
                               -0x1.9af1c1c9d937bp-4};
  const __m512d one = _mm512_set1_pd(1);
  const __m512d m = _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  // Of the mantissa's own exponent only what 0.75 has below 1 remains.
  const __m512d exponent = _mm512_sub_pd(_mm512_getexp_pd(x), _mm512_getexp_pd(m));
  const __m512d place = _mm512_fmadd_pd(m, _mm512_set1_pd(16), _mm512_set1_pd(0x1.8p52));
  const auto pick = [&](const double(&table)[16]) {
    return _mm512_permutex2var_pd(_mm512_load_pd(table), _mm512_castpd_si512(place),
                                  _mm512_load_pd(table + 8));
  };
  const __m512d inverse = pick(kInverses);
  __m512d r = _mm512_fmsub_pd(m, inverse, one);
  if constexpr (sizeof...(low) != 0) {
    const __m512d back = _mm512_sub_pd(_mm512_setzero_pd(), exponent);
    r = _mm512_add_pd(r, _mm512_scalef_pd(_mm512_mul_pd(low..., inverse), back));
  }
  const __m512d e = _mm512_mask_add_pd(exponent, extra, exponent, one);
  const __m512d whole =
      _mm512_fmadd_pd(e, _mm512_set1_pd(0x1.62e42fefa39efp-1), pick(kNaturalLogs));
  return _mm512_add_pd(whole, _mm512_fmadd_pd(_mm512_mul_pd(r, r), series(r, kLog1p), r));
}

/// The same of float32.
template <class... Low>
CUPYXX_INLINE __m512 logarithm(__m512 x, __mmask16 extra, Low... low) {
  constexpr float kLog1p[] = {-0x1.fffffcp-2f, 0x1.555552p-2f, -0x1.004c66p-2f, 0x1.9a1c92p-3f};
  const __m512 one = _mm512_set1_ps(1);
  const __m512 m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  const __m512 exponent = _mm512_sub_ps(_mm512_getexp_ps(x), _mm512_getexp_ps(m));
  const __m512 place = _mm512_fmadd_ps(m, _mm512_set1_ps(16), _mm512_set1_ps(0x1.8p23f));
  const auto pick = [&](const float(&table)[16]) {
    return _mm512_permutexvar_ps(_mm512_castps_si512(place), _mm512_load_ps(table));
  };
  const __m512 inverse = pick(kFloatInverses);
  __m512 r = _mm512_fmsub_ps(m, inverse, one);
  if constexpr (sizeof...(low) != 0) {
    const __m512 back = _mm512_sub_ps(_mm512_setzero_ps(), exponent);
    r = _mm512_add_ps(r, _mm512_scalef_ps(_mm512_mul_ps(low..., inverse), back));
  }
  const __m512 e = _mm512_mask_add_ps(exponent, extra, exponent, one);
  const __m512 whole = _mm512_fmadd_ps(e, _mm512_set1_ps(0x1.62e43p-1f), pick(kFloatLogs));
  return _mm512_add_ps(whole, _mm512_fmadd_ps(_mm512_mul_ps(r, r), series(r, kLog1p), r));
}

struct VectorLog {
  CUPYXX_INLINE static __m512d run(__m512d x) { return logarithm(x, 0); }
};

/// ln(1 + w) with w = t + sqrt(t^2 + 2 t), t = x - 1; ln(2 x) where that is the same.
struct VectorArccosh {
  CUPYXX_INLINE static __m512d run(__m512d x) {
    const __m512d one = _mm512_set1_pd(1);
    const __mmask8 is_large = _mm512_cmp_pd_mask(x, _mm512_set1_pd(0x1p28), _CMP_GE_OQ);
    const __mmask8 is_below = _mm512_cmp_pd_mask(x, one, _CMP_LT_OQ);
    const __m512d t =
        _mm512_mask_blend_pd(is_below, _mm512_sub_pd(x, one), _mm512_set1_pd(__builtin_nan("")));
    const __m512d root = _mm512_sqrt_pd(_mm512_fmadd_pd(t, t, _mm512_add_pd(t, t)));
    const __m512d w = _mm512_add_pd(root, t), sum = _mm512_add_pd(one, w);
    // Both sums may lose what the smaller number has.
    const __m512d lost = _mm512_add_pd(_mm512_sub_pd(root, w), t);
    const __m512d low = _mm512_maskz_add_pd(static_cast<__mmask8>(~is_large),
                                            _mm512_sub_pd(w, _mm512_sub_pd(sum, one)), lost);
    return logarithm(_mm512_mask_blend_pd(is_large, sum, x), is_large, low);
  }
  CUPYXX_INLINE static __m512 run(__m512 x) {
    const __m512 one = _mm512_set1_ps(1);
    const __mmask16 is_large = _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p14f), _CMP_GE_OQ);
    const __mmask16 is_below = _mm512_cmp_ps_mask(x, one, _CMP_LT_OQ);
    const __m512 t =
        _mm512_mask_blend_ps(is_below, _mm512_sub_ps(x, one), _mm512_set1_ps(__builtin_nanf("")));
    const __m512 root = _mm512_sqrt_ps(_mm512_fmadd_ps(t, t, _mm512_add_ps(t, t)));
    const __m512 w = _mm512_add_ps(root, t), sum = _mm512_add_ps(one, w);
    // Both sums may lose what the smaller number has.
    const __m512 lost = _mm512_add_ps(_mm512_sub_ps(root, w), t);
    const __m512 low = _mm512_maskz_add_ps(static_cast<__mmask16>(~is_large),
                                           _mm512_sub_ps(w, _mm512_sub_ps(sum, one)), lost);
    return logarithm(_mm512_mask_blend_ps(is_large, sum, x), is_large, low);
  }
};

// tanh(c + r) for 16 intervals, two for each power of two from 1/16 to 8 and what is below: their
// middles c, and the coefficients of polynomials in r.
alignas(64) constexpr float kTanhMiddles[16] = {
    0,         0x1.4p-4f, 0x1.cp-4f, 0x1.4p-3f, 0x1.cp-3f, 0x1.4p-2f, 0x1.cp-2f, 0x1.4p-1f,
    0x1.cp-1f, 0x1.4p+0f, 0x1.cp+0f, 0x1.4p+1f, 0x1.cp+1f, 0x1.4p+2f, 0x1.cp+2f, 0x1.4p+3f};
alignas(64) constexpr float kTanh[7][16] = {
    {0, 0x1.3f59bep-4f, 0x1.be38d8p-4f, 0x1.3d6bc8p-3f, 0x1.b8fd04p-3f, 0x1.35f98ap-2f,
     0x1.a5729ep-2f, 0x1.1bf47ep-1f, 0x1.68665p-1f, 0x1.b2523cp-1f, 0x1.e1fbfap-1f, 0x1.f92582p-1f,
     0x1.ff112cp-1f, 0x1.fff41ap-1f, 0x1.ffffc8p-1f, 1},
    {1, 0x1.fce33ep-1f, 0x1.f9ec6cp-1f, 0x1.f3b36p-1f, 0x1.e842cap-1f, 0x1.d11574p-1f,
     0x1.a945bap-1f, 0x1.6284c4p-1f, 0x1.02500ap-1f, 0x1.1f250cp-2f, 0x1.d22c94p-4f, 0x1.b3b05ap-6f,
     0x1.dd3a34p-9f, 0x1.7d62cap-13f, 0x1.bf1b1ap-19f, 0x1.107e28p-27f},
    {0, -0x1.3d68c8p-4f, -0x1.b8ed1ep-4f, -0x1.35cbcp-3f, -0x1.a48aaep-3f, -0x1.19922p-2f,
     -0x1.5e0f0ap-2f, -0x1.893b5ap-2f, -0x1.6ba7ccp-2f, -0x1.e7291ap-3f, -0x1.b6d854p-4f,
     -0x1.adda94p-6f, -0x1.dc59bap-9f, -0x1.7ce9f4p-13f, -0x1.be96eep-19f, -0x1.32b7bap-27f},
    {-0x1.555536p-2f, -0x1.4d1256p-2f, -0x1.45460cp-2f, -0x1.352042p-2f, -0x1.183afap-2f,
     -0x1.c1a4bp-3f, -0x1.16e21p-3f, -0x1.244146p-6f, 0x1.4f12bp-4f, 0x1.bbb43p-4f, 0x1.01c108p-4f,
     0x1.16d01p-6f, 0x1.3c1c26p-9f, 0x1.f269ecp-14f, 0x1.242fa8p-19f, 0x1.c9f89cp-28f},
    {0, 0x1.a35a7cp-5f, 0x1.20b7c4p-4f, 0x1.8e2d5cp-4f, 0x1.04dcccp-3f, 0x1.43d312p-3f,
     0x1.5c26d8p-3f, 0x1.1a68f2p-3f, 0x1.f20842p-5f, -0x1.9c5e8ap-7f, -0x1.81644ap-6f,
     -0x1.07c96ap-7f, -0x1.39f7f4p-10f, -0x1.f6f01p-15f, -0x1.26f24cp-20f, -0x1.5ea2fap-30f},
    {0x1.106b92p-3f, 0x1.0310b4p-3f, 0x1.ec1bb6p-4f, 0x1.b70904p-4f, 0x1.5bf1ep-4f, 0x1.74c922p-5f,
     -0x1.86b6acp-8f, -0x1.bd1d9cp-5f, -0x1.df9ed6p-5f, -0x1.429dacp-6f, 0x1.c86f8ep-9f,
     0x1.7a7c9cp-9f, 0x1.011848p-11f, 0x1.ddb864p-16f, 0x1.18a1b4p-21f, 0x1.8a4ep-32f},
    {0, -0x1.d54b5ap-6f, -0x1.3f3eb8p-5f, -0x1.accd7cp-5f, -0x1.0b587ap-4f, -0x1.288b58p-4f,
     -0x1.f8ee9cp-5f, -0x1.89de3p-6f, 0x1.a9cacap-7f, 0x1.ee7208p-7f, 0x1.0fe45cp-9f,
     -0x1.6f7c26p-11f, -0x1.488dcp-13f, -0x1.3156d8p-17f, -0x1.67642p-23f, -0x1.692ecp-30f}};

struct VectorTanh {
  /// expm1(2 |x|) / (expm1(2 |x|) + 2)
  CUPYXX_INLINE static __m512d run(__m512d x) {
    // e^r = 1 + r + r^2 (...) for |r| <= ln(2) / 2.
    constexpr double kExpm1[] = {0.5,
                                 0x1.5555555555557p-3,
                                 0x1.5555555555556p-5,
                                 0x1.11111111100bep-7,
                                 0x1.6c16c16c162c3p-10,
                                 0x1.a01a01abf85abp-13,
                                 0x1.a01a01a6e1e2ap-16,
                                 0x1.71de01fdbf9cap-19,
                                 0x1.27e4db46cddd1p-22,
                                 0x1.af4e554377204p-26,
                                 0x1.1f7340dbc337ep-29};
    const __m512d sign = _mm512_and_pd(x, _mm512_set1_pd(-0.0));
    const __m512d size = _mm512_andnot_pd(_mm512_set1_pd(-0.0), x);
    // NaN remains: it is the second operand. From 20 on the result is 1.
    const __m512d twice = _mm512_min_pd(_mm512_set1_pd(44), _mm512_add_pd(size, size));
    const __m512d n =
        _mm512_roundscale_pd(_mm512_mul_pd(twice, _mm512_set1_pd(0x1.71547652b82fep0)),
                             _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m512d r =
        _mm512_fnmadd_pd(n, _mm512_set1_pd(0x1.cf79abc9e3b3ap-40),
                         _mm512_fnmadd_pd(n, _mm512_set1_pd(0x1.62e42fefap-1), twice));
    const __m512d p = _mm512_fmadd_pd(_mm512_mul_pd(r, r), series(r, kExpm1), r);
    const __m512d scale = _mm512_scalef_pd(_mm512_set1_pd(1), n);
    const __m512d e = _mm512_fmadd_pd(p, scale, _mm512_sub_pd(scale, _mm512_set1_pd(1)));
    const __m512d ratio = _mm512_div_pd(e, _mm512_add_pd(e, _mm512_set1_pd(2)));
    return _mm512_or_pd(ratio, sign);
  }
  CUPYXX_INLINE static __m512 run(__m512 x) {
    const __m512 sign = _mm512_and_ps(x, _mm512_set1_ps(-0.0f));
    const __m512 size =
        _mm512_min_ps(_mm512_set1_ps(11), _mm512_andnot_ps(_mm512_set1_ps(-0.0f), x));
    // The exponent and one bit of the mantissa.
    const __m512i bits = _mm512_srli_epi32(_mm512_castps_si512(size), 22);
    const __m512i place = _mm512_max_epi32(
        _mm512_sub_epi32(bits, _mm512_set1_epi32((0x3d800000 >> 22) - 1)), _mm512_setzero_si512());
    const auto pick = [&](const float(&table)[16]) {
      return _mm512_permutexvar_ps(place, _mm512_load_ps(table));
    };
    const __m512 r = _mm512_sub_ps(size, pick(kTanhMiddles));
    __m512 sum = pick(kTanh[6]);
#pragma GCC unroll 6
    for (int i = 5; i >= 0; --i) sum = _mm512_fmadd_ps(sum, r, pick(kTanh[i]));
    return _mm512_or_ps(sum, sign);
  }
};

/// Vectors of a type: how they are loaded and stored.
struct DoubleVector {
  using T = double;
  CUPYXX_INLINE static __m512d load(const T* from) { return _mm512_loadu_pd(from); }
  CUPYXX_INLINE static void store(T* to, __m512d x) { _mm512_storeu_pd(to, x); }
};
struct FloatVector {
  using T = float;
  CUPYXX_INLINE static __m512 load(const T* from) { return _mm512_loadu_ps(from); }
  CUPYXX_INLINE static void store(T* to, __m512 x) { _mm512_storeu_ps(to, x); }
};

/// The loop of a function of one operand: what is no whole vector goes through one, so that a
/// number gives the same bits at every place.
template <class Function, class Vector>
void vector_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  using T = typename Vector::T;
  constexpr std::int64_t kLanes = 64 / sizeof(T);
  char* out = data[0];
  const char* x = data[1];
  const std::int64_t out_stride = strides[0], x_stride = strides[1];
  std::int64_t i = 0;
  if (out_stride == sizeof(T) && x_stride == sizeof(T)) {
    for (; i + kLanes <= n; i += kLanes) {
      Vector::store(reinterpret_cast<T*>(out) + i,
                    Function::run(Vector::load(reinterpret_cast<const T*>(x) + i)));
    }
  }
  for (; i < n; i += kLanes) {
    const std::int64_t count = std::min(kLanes, n - i);
    T block[kLanes];
    load_block(block, x + i * x_stride, x_stride, count);
    Vector::store(block, Function::run(Vector::load(block)));
    store_block(block, out + i * out_stride, out_stride, count);
  }
}

#undef CUPYXX_INLINE
#pragma GCC diagnostic pop

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
