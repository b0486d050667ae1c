// SPDX-License-Identifier: MIT
// Compiled once per instruction set. Everything but those of RoutineLoops is in the unnamed
// namespace: code for one instruction set must not be shared with another by the linker.
#if defined(__AVX512BW__)
// GCC 12 warns of what its own header leaves undefined on purpose.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#endif

#include <cstring>
#include <type_traits>

#include "cupyxx/internal/cpu/routine_loops.h"

namespace cupyxx::internal::cpu {

namespace {

using i64 = std::int64_t;

#if defined(__AVX512F__)
constexpr int kBytes = 64;
#elif defined(__AVX2__)
constexpr int kBytes = 32;
#else
constexpr int kBytes = 16;
#endif
constexpr int kVectors = 4;  // of sums, which stay in registers

i64 least(i64 x, i64 y) { return x < y ? x : y; }
i64 most(i64 x, i64 y) { return x > y ? x : y; }

struct Products {
  template <class T>
  static T join(T sum, T x, T y) {
    if constexpr (std::is_same_v<T, std::uint16_t>) {
      return static_cast<T>(sum + std::uint32_t{x} * y);  // as int it might overflow
    } else {
      return static_cast<T>(sum + x * y);
    }
  }
};
struct Both {
  template <class T>
  static T join(T sum, T x, T y) {
    return static_cast<T>(sum | (x & y));
  }
};

template <class Op, class T>
void convolve_typed(const ConvolveLoop& loop, i64 begin, i64 end) {
  typedef T Vector __attribute__((vector_size(kBytes)));  // NOLINT(modernize-use-using)
  constexpr i64 kLanes = kBytes / sizeof(T), kWidth = kLanes * kVectors;
  const auto* a = static_cast<const T*>(loop.a);
  const auto* taps = static_cast<const T*>(loop.taps);
  auto* out = static_cast<T*>(loop.out);
  const i64 n = loop.n, m = loop.m;
  // sum, and the taps in [from, to) that meet an element; `first` is where tap 0 stands.
  const auto add = [&](T sum, i64 first, i64 from, i64 to) {
    to = least(to, n - first);
    for (i64 j = most(from, -first); j < to; ++j) sum = Op::join(sum, a[first + j], taps[j]);
    return sum;
  };
  i64 o = begin;
  for (; end - o >= kWidth; o += kWidth) {
    const i64 first = o - loop.before;
    // Taps that meet an element for every output of the block.
    const i64 from = most(0, -first), to = least(m, n - (first + kWidth - 1));
    if (to <= from) {
      for (i64 w = 0; w < kWidth; ++w) out[o + w] = add(T(0), first + w, 0, m);
      continue;
    }
    T sums[kWidth] = {};
    if (from > 0) {
      for (i64 w = 1; w < kWidth; ++w) sums[w] = add(T(0), first + w, 0, from);
    }
    Vector sum[kVectors];
    std::memcpy(sum, sums, sizeof(sum));
    const T* elements = a + first;
    for (i64 j = from; j < to; ++j) {
      const Vector tap = taps[j] - Vector{};
      for (int k = 0; k < kVectors; ++k) {
        Vector x;
        std::memcpy(&x, elements + j + k * kLanes, sizeof(x));
        sum[k] = Op::join(sum[k], x, tap);
      }
    }
    if (to == m) {
      std::memcpy(out + o, sum, sizeof(sum));
      continue;
    }
    std::memcpy(sums, sum, sizeof(sum));
    for (i64 w = 0; w < kWidth; ++w) out[o + w] = add(sums[w], first + w, to, m);
  }
  for (; o < end; ++o) out[o] = add(T(0), o - loop.before, 0, m);
}

template <class T>
void equal_typed(const EqualLoop& loop) {
  constexpr i64 kBlock = 2048, kTogether = 4;
  const auto* x = static_cast<const T*>(loop.x);
  const auto* values = static_cast<const T*>(loop.values);
  for (i64 begin = 0; begin < loop.n; begin += kBlock) {
    const i64 n = least(kBlock, loop.n - begin);
    const T* block = x + begin;
    std::uint8_t* out = loop.out + begin;
    std::memset(out, 0, static_cast<std::size_t>(n));
    for (i64 k = 0; k < loop.count; k += kTogether) {
      const auto value = [&](i64 i) { return values[least(k + i, loop.count - 1)]; };
      const T p = value(0), q = value(1), r = value(2), s = value(3);
#pragma omp simd
      for (i64 i = 0; i < n; ++i) {
        const T y = block[i];
        out[i] = static_cast<std::uint8_t>(out[i] | (y == p) | (y == q) | (y == r) | (y == s));
      }
    }
  }
}

}  // namespace

template <>
void RoutineLoops<Arch::CUPYXX_ARCH>::convolve_range(const ConvolveLoop& loop, i64 begin, i64 end) {
  switch (loop.type) {
    case LoopType::f64:
      return convolve_typed<Products, double>(loop, begin, end);
    case LoopType::f32:
      return convolve_typed<Products, float>(loop, begin, end);
    case LoopType::i64:
      return convolve_typed<Products, std::uint64_t>(loop, begin, end);
    case LoopType::i32:
      return convolve_typed<Products, std::uint32_t>(loop, begin, end);
    case LoopType::i16:
      return convolve_typed<Products, std::uint16_t>(loop, begin, end);
    case LoopType::i8:
      return convolve_typed<Products, std::uint8_t>(loop, begin, end);
    case LoopType::b8:
      return convolve_typed<Both, std::uint8_t>(loop, begin, end);
  }
}

template <>
void RoutineLoops<Arch::CUPYXX_ARCH>::equal_any(const EqualLoop& loop) {
  switch (loop.type) {
    case LoopType::f64:
      return equal_typed<double>(loop);
    case LoopType::f32:
      return equal_typed<float>(loop);
    case LoopType::i64:
      return equal_typed<std::uint64_t>(loop);
    case LoopType::i32:
      return equal_typed<std::uint32_t>(loop);
    case LoopType::i16:
      return equal_typed<std::uint16_t>(loop);
    case LoopType::i8:
    case LoopType::b8:
      return equal_typed<std::uint8_t>(loop);
  }
}

template <>
void RoutineLoops<Arch::CUPYXX_ARCH>::extend_range(const i64* index, i64 n, i64& low, i64& high) {
  i64 smallest = low, largest = high;
#pragma omp simd reduction(min : smallest) reduction(max : largest)
  for (i64 i = 0; i < n; ++i) {
    smallest = index[i] < smallest ? index[i] : smallest;
    largest = index[i] > largest ? index[i] : largest;
  }
  low = smallest;
  high = largest;
}

template <>
void RoutineLoops<Arch::CUPYXX_ARCH>::count_from_front(const i64* index, i64 n, i64 extent,
                                                       i64* out) {
#pragma omp simd
  for (i64 i = 0; i < n; ++i) out[i] = index[i] + (index[i] < 0 ? extent : 0);
}

// The sign of x | (extent - 1 - x) says of each index whether it is outside.
template <>
bool RoutineLoops<Arch::CUPYXX_ARCH>::all_from_front(const i64* index, i64 n, i64 extent) {
  using Eight = std::uint64_t __attribute__((vector_size(64)));
  const auto last = static_cast<std::uint64_t>(extent) - 1;
  Eight signs = {};
  i64 i = 0;
  for (; n - i >= 8; i += 8) {
    Eight x;
    std::memcpy(&x, index + i, sizeof(x));
    signs |= x | (last - x);
  }
  std::uint64_t sign = 0;
  for (int k = 0; k < 8; ++k) sign |= signs[k];
  for (; i < n; ++i) {
    const auto x = static_cast<std::uint64_t>(index[i]);
    sign |= x | (last - x);
  }
  return sign >> 63 == 0;
}

template <>
i64 RoutineLoops<Arch::CUPYXX_ARCH>::pack_bits(const std::uint8_t* from, i64 n, bool swapped,
                                               std::uint8_t* to) {
  i64 i = 0;
#if defined(__AVX512BW__)
  const __m512i order = swapped ? _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607)
                                : _mm512_set4_epi32(0x0f0e0d0c, 0x0b0a0908, 0x07060504, 0x03020100);
  for (; i + 64 <= n; i += 64, to += 8) {
    const __m512i bytes = _mm512_shuffle_epi8(_mm512_loadu_si512(from + i), order);
    const std::uint64_t bits = _mm512_test_epi8_mask(bytes, bytes);
    std::memcpy(to, &bits, sizeof(bits));
  }
#else
  static_cast<void>(from), static_cast<void>(n), static_cast<void>(swapped), static_cast<void>(to);
#endif
  return i;
}

template <>
void RoutineLoops<Arch::CUPYXX_ARCH>::running_sums(const i64* in, i64* out, i64 n) {
  i64 i = 0;
  std::uint64_t sum = 0;
#if defined(__AVX512F__)
  // The sums of eight in three steps; the one before them is added last, so that no vector waits
  // for more than a sum of the one before.
  using Eight = std::uint64_t __attribute__((vector_size(64)));
  const Eight none = {};
  Eight before = {};
  for (; n - i >= 8; i += 8) {
    Eight x;
    std::memcpy(&x, in + i, sizeof(x));
    x += __builtin_shufflevector(x, none, 8, 0, 1, 2, 3, 4, 5, 6);
    x += __builtin_shufflevector(x, none, 8, 8, 0, 1, 2, 3, 4, 5);
    x += __builtin_shufflevector(x, none, 8, 8, 8, 8, 0, 1, 2, 3);
    const Eight sums = x + before;
    std::memcpy(out + i, &sums, sizeof(sums));
    before += __builtin_shufflevector(x, x, 7, 7, 7, 7, 7, 7, 7, 7);
  }
  sum = before[0];
#endif
  for (; i < n; ++i) {
    sum += static_cast<std::uint64_t>(in[i]);
    out[i] = static_cast<i64>(sum);
  }
}

}  // namespace cupyxx::internal::cpu
