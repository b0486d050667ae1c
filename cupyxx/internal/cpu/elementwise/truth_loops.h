// SPDX-License-Identifier: MIT
// Truth values of numbers of 4 and 8 bytes with AVX2, 32 at a time: the compiler takes the masks of
// its comparisons apart, one number after the other. Compiled as loops.h says; with AVX-512, where
// masks are bits, the operations' own loops are as fast.
#pragma once

#if defined(__AVX2__) && !defined(__AVX512DQ__)
#define CUPYXX_TRUTH_LOOPS

#include <immintrin.h>

#include <utility>

#include "cupyxx/complex.h"
#include "cupyxx/ops/comparison.h"
#include "cupyxx/ops/floating.h"

namespace cupyxx::internal::cpu {
namespace {

template <class T>
struct LanesOf {
  typedef T type __attribute__((vector_size(32)));                             // NOLINT
  typedef T anywhere __attribute__((vector_size(32), aligned(1), may_alias));  // NOLINT
};
/// As many numbers as a register holds.
template <class T>
using Lanes = typename LanesOf<T>::type;

template <class T>
[[gnu::always_inline]] inline Lanes<T> load_lanes(const T* from) {
  return *reinterpret_cast<const typename LanesOf<T>::anywhere*>(from);
}
template <class T>
[[gnu::always_inline]] inline Lanes<T> all_lanes(T number) {
  return Lanes<T>{} + number;
}

// What the masks of an operation are: all bits of a number or none.
struct GreaterMask {
  using Op = ops::Greater;
  template <class V>
  static auto of(V x, V y) {
    return x > y;
  }
};
struct GreaterEqualMask {
  using Op = ops::GreaterEqual;
  template <class V>
  static auto of(V x, V y) {
    return x >= y;
  }
};
struct LessMask {
  using Op = ops::Less;
  template <class V>
  static auto of(V x, V y) {
    return x < y;
  }
};
struct LessEqualMask {
  using Op = ops::LessEqual;
  template <class V>
  static auto of(V x, V y) {
    return x <= y;
  }
};
struct EqualMask {
  using Op = ops::Equal;
  template <class V>
  static auto of(V x, V y) {
    return x == y;
  }
};
struct NotEqualMask {
  using Op = ops::NotEqual;
  template <class V>
  static auto of(V x, V y) {
    return x != y;
  }
};
struct AndMask {
  using Op = ops::LogicalAnd;
  template <class V>
  static auto of(V x, V y) {
    return ~((x == V{}) | (y == V{}));
  }
};
struct OrMask {
  using Op = ops::LogicalOr;
  template <class V>
  static auto of(V x, V y) {
    return ~((x == V{}) & (y == V{}));
  }
};
struct XorMask {
  using Op = ops::LogicalXor;
  template <class V>
  static auto of(V x, V y) {
    return (x == V{}) ^ (y == V{});
  }
};
struct NotMask {
  using Op = ops::LogicalNot;
  template <class V>
  static auto of(V x) {
    return x == V{};
  }
};
struct NanMask {
  using Op = ops::IsNan;
  template <class V>
  static auto of(V x) {
    return x != x;
  }
};
struct InfiniteMask {
  using Op = ops::IsInf;
  template <class V>
  static auto of(V x) {
    const V difference = x - x;  // NaN of infinity and NaN
    return (difference != difference) & (x == x);
  }
};
struct FiniteMask {
  using Op = ops::IsFinite;
  template <class V>
  static auto of(V x) {
    return x - x == V{};
  }
};

template <bool kStream>
[[gnu::always_inline]] inline void store_half(bool* to, __m128i bytes) {
  if constexpr (kStream) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), bytes);
  } else {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  }
}

/// 32 masks of 8 bytes, `mask(k)` being four of them, as bytes of 0 and 1. Each packing halves the
/// masks within both halves of a register, so that those of the first two of each four are in the
/// lower half and the others in the upper one.
template <class F>
[[gnu::always_inline]] inline __m256i pack_long_masks(const F& mask) {
  const auto two = [&](int k) {  // in order: the processor asks ahead for what is read upward
    const auto first = (__m256i)mask(k);
    const auto second = (__m256i)mask(k + 1);
    return _mm256_packs_epi32(first, second);
  };
  const auto four = [&](int k) {
    const __m256i first = two(k);
    const __m256i second = two(k + 2);
    return _mm256_packs_epi32(first, second);
  };
  const __m256i first = four(0);
  const __m256i second = four(4);
  return _mm256_and_si256(_mm256_packs_epi16(first, second), _mm256_set1_epi8(1));
}

template <bool kStream, class F>
[[gnu::always_inline]] inline void store_long_masks(bool* to, const F& mask) {
  const __m256i bytes = pack_long_masks(mask);
  const __m128i low = _mm256_castsi256_si128(bytes), high = _mm256_extracti128_si256(bytes, 1);
  store_half<kStream>(to, _mm_unpacklo_epi16(low, high));
  store_half<kStream>(to + 16, _mm_unpackhi_epi16(low, high));
}

/// The same of 4 bytes, `mask(k)` being eight of them.
template <bool kStream, class F>
[[gnu::always_inline]] inline void store_short_masks(bool* to, const F& mask) {
  const auto first = (__m256i)mask(0);
  const auto second = (__m256i)mask(1);
  const auto third = (__m256i)mask(2);
  const auto fourth = (__m256i)mask(3);
  const __m256i packed =
      _mm256_packs_epi16(_mm256_packs_epi32(first, second), _mm256_packs_epi32(third, fourth));
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i bytes =
      _mm256_and_si256(_mm256_permutevar8x32_epi32(packed, order), _mm256_set1_epi8(1));
  store_half<kStream>(to, _mm256_castsi256_si128(bytes));
  store_half<kStream>(to + 16, _mm256_extracti128_si256(bytes, 1));
}

/// `lanes(i)` is the masks of the numbers from i on, `one(i)` the truth of number i.
template <class T, bool kStream, class F, class G>
[[gnu::always_inline]] inline void store_truths(bool* to, std::int64_t n, const F& lanes,
                                                const G& one) {
  std::int64_t i = 0;
  if constexpr (kStream) {
    for (; i < n && (reinterpret_cast<std::uintptr_t>(to + i) & 63) != 0; ++i) to[i] = one(i);
  }
  for (; i + 32 <= n; i += 32) {
    const auto mask = [&](int k) { return lanes(i + k * std::int64_t{32 / sizeof(T)}); };
    if constexpr (sizeof(T) == 8) {
      store_long_masks<kStream>(to + i, mask);
    } else {
      store_short_masks<kStream>(to + i, mask);
    }
  }
  for (; i < n; ++i) to[i] = one(i);
  if constexpr (kStream) _mm_sfence();
}

/// One after the other, wherever they lie.
template <class Op, class T, std::size_t... I>
void each_truth(char* const* data, const std::int64_t* strides, std::int64_t n,
                std::index_sequence<I...> /*inputs*/) {
  for (std::int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<bool*>(data[0] + i * strides[0]) =
        Op::apply(*reinterpret_cast<const T*>(data[I] + i * strides[I])...);
  }
}

/// Loops of one operand that lies side by side. Results past the caches with kStream.
template <class Mask, class T, bool kStream = false>
void truth_loop1(char* const* data, const std::int64_t* strides, std::int64_t n) {
  using Op = typename Mask::Op;
  if (strides[0] != 1 || strides[1] != sizeof(T)) {
    return each_truth<Op, T>(data, strides, n, std::index_sequence<1>{});
  }
  const auto* x = reinterpret_cast<const T*>(data[1]);
  store_truths<T, kStream>(
      reinterpret_cast<bool*>(data[0]), n,
      [=](std::int64_t i) { return Mask::of(load_lanes(x + i)); },
      [=](std::int64_t i) { return Op::apply(x[i]); });
}

/// Loops of two, either of which may be one number for all.
template <class Mask, class T, bool kStream = false>
void truth_loop2(char* const* data, const std::int64_t* strides, std::int64_t n) {
  using Op = typename Mask::Op;
  const bool is_dense = strides[0] == 1 && (strides[1] == sizeof(T) || strides[1] == 0) &&
                        (strides[2] == sizeof(T) || strides[2] == 0);
  if (!is_dense || n == 0 || strides[1] + strides[2] == 0) {
    return each_truth<Op, T>(data, strides, n, std::index_sequence<1, 2>{});
  }
  auto* out = reinterpret_cast<bool*>(data[0]);
  const auto* x = reinterpret_cast<const T*>(data[1]);
  const auto* y = reinterpret_cast<const T*>(data[2]);
  if (strides[1] != 0 && strides[2] != 0) {
    store_truths<T, kStream>(
        out, n, [=](std::int64_t i) { return Mask::of(load_lanes(x + i), load_lanes(y + i)); },
        [=](std::int64_t i) { return Op::apply(x[i], y[i]); });
  } else if (strides[1] != 0) {
    const T number = *y;
    const Lanes<T> numbers = all_lanes(number);
    store_truths<T, kStream>(
        out, n, [=](std::int64_t i) { return Mask::of(load_lanes(x + i), numbers); },
        [=](std::int64_t i) { return Op::apply(x[i], number); });
  } else {
    const T number = *x;
    const Lanes<T> numbers = all_lanes(number);
    store_truths<T, kStream>(
        out, n, [=](std::int64_t i) { return Mask::of(numbers, load_lanes(y + i)); },
        [=](std::int64_t i) { return Op::apply(number, y[i]); });
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
