// SPDX-License-Identifier: MIT
// Numbers as narrower integers and floating ones as integers with AVX2, as ops::cast has them: cut
// off, or truncated, narrow ones through int32, and the smallest integer in the place of what none
// holds. Compiled as loops.h says.
#pragma once

#include "cupyxx/ops/prelude.h"

#if defined(__AVX2__) && !defined(__AVX512DQ__)
#define CUPYXX_TRUNCATION

#include <immintrin.h>

namespace cupyxx::internal::cpu {
namespace {

/// Eight numbers. Below 2^51 a sum with 1.5 * 2^52 has the integer in its last bits; the processor
/// converts larger ones one by one.
[[gnu::always_inline]] inline void truncate_long(ops::i64* to, const double* from) {
  const __m256d shift = _mm256_set1_pd(0x1.8p52), limit = _mm256_set1_pd(0x1p51);
  const __m256d sign = _mm256_set1_pd(-0.0);
  const __m256d first =
      _mm256_round_pd(_mm256_loadu_pd(from), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  const __m256d second =
      _mm256_round_pd(_mm256_loadu_pd(from + 4), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  const __m256d fits =
      _mm256_and_pd(_mm256_cmp_pd(_mm256_andnot_pd(sign, first), limit, _CMP_LT_OQ),
                    _mm256_cmp_pd(_mm256_andnot_pd(sign, second), limit, _CMP_LT_OQ));
  if (_mm256_movemask_pd(fits) == 0b1111) {
    const auto bits = _mm256_castpd_si256(shift);
    const auto integers = [&](__m256d x) {
      return _mm256_sub_epi64(_mm256_castpd_si256(_mm256_add_pd(x, shift)), bits);
    };
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), integers(first));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 4), integers(second));
    return;
  }
  for (int i = 0; i < 8; ++i) to[i] = _mm_cvttsd_si64(_mm_load_sd(from + i));
}

/// Whether int32 is on the way from floating numbers to integers.
template <class To, class From>
inline constexpr bool truncates_short = (ops::is_same<From, double> || ops::is_same<From, float>)&&(
    ops::is_same<To, ops::i8> || ops::is_same<To, ops::u8> || ops::is_same<To, ops::i16> ||
    ops::is_same<To, ops::u16> || ops::is_same<To, ops::i32>);

/// Eight of them as int32.
[[gnu::always_inline]] inline __m256i truncated(const double* from) {
  const __m128i low = _mm256_cvttpd_epi32(_mm256_loadu_pd(from));
  const __m128i high = _mm256_cvttpd_epi32(_mm256_loadu_pd(from + 4));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}
[[gnu::always_inline]] inline __m256i truncated(const float* from) {
  return _mm256_cvttps_epi32(_mm256_loadu_ps(from));
}

/// 32 numbers; what is wider than To is cut off.
template <class To, class From>
[[gnu::always_inline]] inline void truncate_short(To* to, const From* from) {
  auto* out = reinterpret_cast<__m256i*>(to);
  const __m256i a = truncated(from), b = truncated(from + 8);
  const __m256i c = truncated(from + 16), d = truncated(from + 24);
  if constexpr (sizeof(To) == 4) {
    _mm256_storeu_si256(out, a);
    _mm256_storeu_si256(out + 1, b);
    _mm256_storeu_si256(out + 2, c);
    _mm256_storeu_si256(out + 3, d);
  } else {
    // Packing saturates, and works within both halves of a register.
    const __m256i mask = _mm256_set1_epi32(sizeof(To) == 1 ? 0xff : 0xffff);
    const auto pack = [&](__m256i x, __m256i y) {
      return _mm256_packus_epi32(_mm256_and_si256(x, mask), _mm256_and_si256(y, mask));
    };
    const __m256i first = pack(a, b), second = pack(c, d);
    if constexpr (sizeof(To) == 2) {
      _mm256_storeu_si256(out, _mm256_permute4x64_epi64(first, 0b11011000));
      _mm256_storeu_si256(out + 1, _mm256_permute4x64_epi64(second, 0b11011000));
    } else {
      const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
      _mm256_storeu_si256(out,
                          _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second), order));
    }
  }
}

template <class To, class From>
inline constexpr bool cuts_to_bytes = (ops::is_same<From, ops::i64> ||
                                       ops::is_same<From, ops::u64>)&&(ops::is_same<To, ops::i8> ||
                                                                       ops::is_same<To, ops::u8>);

/// The last bytes of 32 numbers. Each packing halves the numbers within both halves of a register:
/// those of the first two of each four end in the lower half, the others in the upper one.
template <class From>
[[gnu::always_inline]] inline void cut_to_bytes(void* to, const From* from) {
  const auto four = [&](int k) {
    return _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 4 * k)),
                            _mm256_set1_epi64x(0xff));
  };
  const auto two = [&](int k) {  // in order: the processor asks ahead for what is read upward
    const __m256i first = four(k);
    const __m256i second = four(k + 1);
    return _mm256_packs_epi32(first, second);
  };
  const __m256i a = two(0);
  const __m256i b = two(2);
  const __m256i c = two(4);
  const __m256i d = two(6);
  const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
  const __m128i low = _mm256_castsi256_si128(bytes), high = _mm256_extracti128_si256(bytes, 1);
  auto* out = reinterpret_cast<__m128i*>(to);
  _mm_storeu_si128(out, _mm_unpacklo_epi16(low, high));
  _mm_storeu_si128(out + 1, _mm_unpackhi_epi16(low, high));
}

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
