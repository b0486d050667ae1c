// SPDX-License-Identifier: MIT
// Magnitudes of complex64 with AVX-512. Compiled as loops.h says.
#pragma once

#if defined(__AVX512DQ__)

#include <immintrin.h>

namespace cupyxx::internal::cpu {
namespace {

// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"

/// Magnitudes of eight complex numbers, those of which none is infinite or NaN; false otherwise.
/// The squares are exact in float64, their sum is rounded once, and its root has an error of 2^-50.
[[gnu::always_inline]] inline bool magnitudes(const float* z, float* out) {
  const __m512 parts = _mm512_loadu_ps(z);
  const __m512d first = _mm512_cvtps_pd(_mm512_castps512_ps256(parts));
  const __m512d second = _mm512_cvtps_pd(_mm512_extractf32x8_ps(parts, 1));
  const __m512d a = _mm512_mul_pd(first, first), b = _mm512_mul_pd(second, second);
  // Numbers 0, 4, 1, 5, 2, 6, 3, 7.
  const __m512d sum = _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
  constexpr int kInfiniteOrNan = 0x01 | 0x80 | 0x08;
  if (_mm512_fpclass_pd_mask(sum, kInfiniteOrNan) != 0) return false;
  // Goldschmidt's iteration, twice: cheaper than a root of eight.
  const __m512d half = _mm512_set1_pd(0.5), inverse = _mm512_rsqrt14_pd(sum);
  __m512d root = _mm512_mul_pd(sum, inverse), h = _mm512_mul_pd(inverse, half);
  const __m512d error = _mm512_fnmadd_pd(root, h, half);
  root = _mm512_fmadd_pd(root, error, root);
  h = _mm512_fmadd_pd(h, error, h);
  root = _mm512_fmadd_pd(_mm512_fnmadd_pd(root, root, sum), h, root);
  const __mmask8 is_zero = _mm512_cmp_pd_mask(sum, _mm512_setzero_pd(), _CMP_EQ_OQ);
  const __m256 mixed = _mm512_cvtpd_ps(_mm512_mask_blend_pd(is_zero, root, sum));
  const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
  _mm256_storeu_ps(out, _mm256_permutevar8x32_ps(mixed, order));
  return true;
}

#pragma GCC diagnostic pop

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
