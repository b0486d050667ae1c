// SPDX-License-Identifier: MIT
// A search takes as many steps whatever it finds, so that several walk together: none waits for the
// memory of another, and no branch depends on the elements. All but the one function is in the
// unnamed namespace: code for one instruction set must not be shared with another by the linker.
#include "cupyxx/internal/cpu/sorting/search_loops.h"

#include <cstring>

namespace cupyxx::internal::cpu {

namespace {

using i64 = std::int64_t;

constexpr int kTogether = 32;

/// Whether x stands before a value, or not after it. NaN is after all numbers.
template <bool kRight, class T>
bool is_passed(T x, T value) {
  if constexpr (kRight) return (x <= value) | (value != value);
  return (x < value) | ((value != value) & (x == x));
}

/// Of n > 0 elements those that kTogether values have passed.
template <bool kRight, class T>
void search_some(const T* sorted, i64 n, const T* values, i64* out) {
  T value[kTogether];
  std::memcpy(value, values, sizeof(value));
  i64 at[kTogether] = {};  // as many are passed
  i64 length = n;          // of those behind them that may be, too
  while (length > 1) {
    const i64 half = length / 2;
    const T* const last = sorted + half - 1;
#pragma omp simd
    for (int i = 0; i < kTogether; ++i) {
      at[i] += half & -i64{is_passed<kRight>(last[at[i]], value[i])};
    }
    length -= half;
  }
#pragma omp simd
  for (int i = 0; i < kTogether; ++i) {
    out[i] = at[i] + i64{is_passed<kRight>(sorted[at[i]], value[i])};
  }
}

template <bool kRight, class T>
void search_all(const SearchLoop& loop) {
  const auto* sorted = static_cast<const T*>(loop.sorted);
  const auto* values = static_cast<const T*>(loop.values);
  i64 i = 0;
  for (; loop.count - i >= kTogether; i += kTogether) {
    search_some<kRight>(sorted, loop.n, values + i, loop.out + i);
  }
  const auto rest = static_cast<std::size_t>(loop.count - i);
  if (rest == 0) return;
  T some[kTogether] = {};
  i64 found[kTogether];
  std::memcpy(some, values + i, rest * sizeof(T));
  search_some<kRight>(sorted, loop.n, some, found);
  std::memcpy(loop.out + i, found, rest * sizeof(i64));
}

template <class T>
void search_typed(const SearchLoop& loop) {
  loop.right ? search_all<true, T>(loop) : search_all<false, T>(loop);
}

}  // namespace

template <>
void SearchLoops<Arch::CUPYXX_ARCH>::search_sorted(const SearchLoop& loop) {
  switch (loop.type) {
    case SortType::u32:
      return search_typed<std::uint32_t>(loop);
    case SortType::i32:
      return search_typed<std::int32_t>(loop);
    case SortType::f32:
      return search_typed<float>(loop);
    case SortType::u64:
      return search_typed<std::uint64_t>(loop);
    case SortType::i64:
      return search_typed<std::int64_t>(loop);
    default:
      return search_typed<double>(loop);
  }
}

}  // namespace cupyxx::internal::cpu
