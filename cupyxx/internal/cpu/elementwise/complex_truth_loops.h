// SPDX-License-Identifier: MIT
// Truth values of complex128 with AVX2, 32 at a time, as truth_loops.h has those of other numbers.
// Compiled as loops.h says.
#pragma once

#include "cupyxx/internal/cpu/elementwise/truth_loops.h"

#if defined(CUPYXX_TRUTH_LOOPS)

namespace cupyxx::internal::cpu {
namespace {

/// Real and imaginary parts of four numbers.
struct Parts4 {
  __m256d re, im;

  /// Of the numbers 0, 2, 1 and 3, which costs least.
  [[gnu::always_inline]] static Parts4 load(const double* from) {
    const __m256d first = _mm256_loadu_pd(from), second = _mm256_loadu_pd(from + 4);
    return {_mm256_unpacklo_pd(first, second), _mm256_unpackhi_pd(first, second)};
  }
  [[gnu::always_inline]] static Parts4 repeat(const double* from) {
    return {_mm256_broadcast_sd(from), _mm256_broadcast_sd(from + 1)};
  }
};

// What the masks of an operation are, in NumPy's order: real parts first.
struct ComplexNanMask {
  using Op = ops::IsNan;
  static auto of(Parts4 x) { return (x.re != x.re) | (x.im != x.im); }
};
struct ComplexInfiniteMask {
  using Op = ops::IsInf;
  static auto of(Parts4 x) { return InfiniteMask::of(x.re) | InfiniteMask::of(x.im); }
};
struct ComplexFiniteMask {
  using Op = ops::IsFinite;
  static auto of(Parts4 x) { return FiniteMask::of(x.re) & FiniteMask::of(x.im); }
};
struct ComplexNotMask {
  using Op = ops::LogicalNot;
  static auto of(Parts4 x) { return (x.re == __m256d{}) & (x.im == __m256d{}); }
};
struct ComplexLessMask {
  using Op = ops::Less;
  static auto of(Parts4 x, Parts4 y) {
    return ((x.re < y.re) & (x.im == x.im) & (y.im == y.im)) | ((x.re == y.re) & (x.im < y.im));
  }
};
struct ComplexLessEqualMask {
  using Op = ops::LessEqual;
  static auto of(Parts4 x, Parts4 y) {
    return ((x.re < y.re) & (x.im == x.im) & (y.im == y.im)) | ((x.re == y.re) & (x.im <= y.im));
  }
};
struct ComplexGreaterMask {
  using Op = ops::Greater;
  static auto of(Parts4 x, Parts4 y) { return ComplexLessMask::of(y, x); }
};
struct ComplexGreaterEqualMask {
  using Op = ops::GreaterEqual;
  static auto of(Parts4 x, Parts4 y) { return ComplexLessEqualMask::of(y, x); }
};
struct ComplexEqualMask {
  using Op = ops::Equal;
  static auto of(Parts4 x, Parts4 y) { return (x.re == y.re) & (x.im == y.im); }
};
struct ComplexNotEqualMask {
  using Op = ops::NotEqual;
  static auto of(Parts4 x, Parts4 y) { return (x.re != y.re) | (x.im != y.im); }
};
struct ComplexAndMask {
  using Op = ops::LogicalAnd;
  static auto of(Parts4 x, Parts4 y) { return ~(ComplexNotMask::of(x) | ComplexNotMask::of(y)); }
};
struct ComplexOrMask {
  using Op = ops::LogicalOr;
  static auto of(Parts4 x, Parts4 y) { return ~(ComplexNotMask::of(x) & ComplexNotMask::of(y)); }
};
struct ComplexXorMask {
  using Op = ops::LogicalXor;
  static auto of(Parts4 x, Parts4 y) { return ComplexNotMask::of(x) ^ ComplexNotMask::of(y); }
};

/// 32 masks, where those of `mask(k)` are of the numbers 0, 2, 1 and 3 of its four.
template <class F>
[[gnu::always_inline]] inline void store_turned_masks(bool* to, const F& mask) {
  const __m256i bytes = pack_long_masks(mask);
  const __m128i even = _mm256_castsi256_si128(bytes), odd = _mm256_extracti128_si256(bytes, 1);
  store_half<false>(to, _mm_unpacklo_epi8(even, odd));
  store_half<false>(to + 16, _mm_unpackhi_epi8(even, odd));
}

/// Loops of one operand (I is 1) or two (1, 2), side by side or one number for all.
template <class Mask, std::size_t... I>
void complex_truth_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  using T = complex<double>;
  std::int64_t i = 0;
  if (strides[0] == 1 && ((strides[I] == sizeof(T) || strides[I] == 0) && ...)) {
    const std::int64_t step[] = {0, strides[I] == 0 ? 0 : 1 ...};
    const auto load = [&](std::size_t operand, int k) {
      const auto* from = reinterpret_cast<const double*>(data[operand]);
      return step[operand] != 0 ? Parts4::load(from + 2 * i + 8 * k) : Parts4::repeat(from);
    };
    for (; i + 32 <= n; i += 32) {
      store_turned_masks(reinterpret_cast<bool*>(data[0]) + i,
                         [&](int k) { return Mask::of(load(I, k)...); });
    }
  }
  char* const rest[] = {data[0] + i * strides[0], (data[I] + i * strides[I])...};
  each_truth<typename Mask::Op, T>(rest, strides, n - i, std::index_sequence<I...>{});
}

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
