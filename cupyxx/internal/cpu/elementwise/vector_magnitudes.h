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

/// Magnitudes of sixteen complex numbers with an error below one unit of the last place, where each
/// is 0 or has squares that fit float32; false otherwise.
[[gnu::always_inline]] inline bool magnitudes(const float* z, float* out) {
  const __m512 first = _mm512_loadu_ps(z), second = _mm512_loadu_ps(z + 16);
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  const __m512 x = _mm512_permutex2var_ps(first, even, second);
  const __m512 y = _mm512_permutex2var_ps(first, odd, second);
  const __m512 sum = _mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y));
  // Of what is neither 0 nor NaN nor infinite nor far from 1 nothing is lost.
  const __mmask16 is_small = _mm512_cmp_ps_mask(sum, _mm512_set1_ps(0x1p-90f), _CMP_LT_OQ);
  const __mmask16 is_large = _mm512_cmp_ps_mask(sum, _mm512_set1_ps(0x1p126f), _CMP_NLT_UQ);
  const __mmask16 is_some =
      _mm512_cmp_ps_mask(_mm512_or_ps(x, y), _mm512_setzero_ps(), _CMP_NEQ_UQ);
  if (((is_small & is_some) | is_large) != 0) return false;
  _mm512_storeu_ps(out, _mm512_sqrt_ps(sum));
  return true;
}

#pragma GCC diagnostic pop

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
