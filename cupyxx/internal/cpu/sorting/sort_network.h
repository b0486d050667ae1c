// SPDX-License-Identifier: MIT
// A bitonic network over keys in vector registers: no branch depends on the keys. For files that
// are compiled once per instruction set, each of which has this in its own unnamed namespace.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

namespace cupyxx::internal::cpu {

namespace {

#if defined(__AVX512F__)
constexpr int kSortBytes = 64;
#elif defined(__AVX2__)
constexpr int kSortBytes = 32;
#else
constexpr int kSortBytes = 16;
#endif

/// Sorts as many unsigned keys as kRows vectors hold. A lane of the vectors holds neighbours: key i
/// stands in lane i / kRows of vector i % kRows, until all are in order. So most steps compare
/// whole vectors.
template <class Key, int kBytes, int kRows>
struct SortNetwork {
  typedef Key Vector __attribute__((vector_size(kBytes)));  // NOLINT(modernize-use-using)
  static constexpr int kLanes = kBytes / static_cast<int>(sizeof(Key));
  static constexpr int kSize = kRows * kLanes;
  static_assert(kRows % kLanes == 0);
  template <int... kLane>
  using Numbers = std::integer_sequence<int, kLane...>;
  using Lanes = std::make_integer_sequence<int, kLanes>;

  static Vector least(Vector x, Vector y) { return x < y ? x : y; }
  static Vector most(Vector x, Vector y) { return x < y ? y : x; }

  static void order(Vector& x, Vector& y) {
    const Vector low = least(x, y);
    y = most(x, y);
    x = low;
  }

  /// Lane i of the result is lane i ^ kMask.
  template <int kMask, int... kLane>
  static Vector exchanged(Vector x, Numbers<kLane...>) {
    return __builtin_shufflevector(x, x, (kLane ^ kMask)...);
  }
  template <int kMask>
  static Vector exchanged(Vector x) {
    return exchanged<kMask>(x, Lanes());
  }
  /// The lanes without the bit kBit from x, those with it from y.
  template <int kBit, int... kLane>
  static Vector joined(Vector x, Vector y, Numbers<kLane...>) {
    return __builtin_shufflevector(x, y, ((kLane & kBit) != 0 ? kLanes + kLane : kLane)...);
  }
  template <int kBit>
  static Vector joined(Vector x, Vector y) {
    return joined<kBit>(x, y, Lanes());
  }

  /// Puts each lane in order with lane i ^ kMask; those with the bit kBit take the larger key.
  template <int kMask, int kBit>
  static void order_lanes(Vector& x) {
    const Vector other = exchanged<kMask>(x);
    x = joined<kBit>(least(x, other), most(x, other));
  }
  template <int kGap>
  static void order_lanes_from(Vector& x) {
    if constexpr (kGap >= 1) {
      order_lanes<kGap, kGap>(x);
      order_lanes_from<kGap / 2>(x);
    }
  }

  /// Sorts the lanes of one vector.
  template <int kGroup = 2>
  static void sort_lanes(Vector& x) {
    if constexpr (kGroup <= kLanes) {
      order_lanes<kGroup - 1, kGroup / 2>(x);
      order_lanes_from<kGroup / 4>(x);
      sort_lanes<2 * kGroup>(x);
    }
  }

  static void order_rows_from(Vector* v, int gap) {
    for (; gap >= 1; gap /= 2) {
      for (int r = 0; r < kRows; ++r) {
        if ((r & gap) == 0) order(v[r], v[r + gap]);
      }
    }
  }
  /// Sorts each lane.
  static void sort_rows(Vector* v) {
    for (int size = 2; size <= kRows; size *= 2) {
      for (int r = 0; r < kRows; ++r) {
        const int other = r ^ (size - 1);
        if (r < other) order(v[r], v[other]);
      }
      order_rows_from(v, size / 4);
    }
  }

  /// From sorted groups of kGroup / 2 lanes to groups of kGroup, and on to all lanes.
  template <int kGroup>
  static void merge_lanes(Vector* v) {
    if constexpr (kGroup <= kLanes) {
      for (int r = 0; r < kRows / 2; ++r) {  // a key meets its mirror image in the group
        const Vector x = v[r], y = v[kRows - 1 - r];
        const Vector of_x = exchanged<kGroup - 1>(x), of_y = exchanged<kGroup - 1>(y);
        v[r] = joined<kGroup / 2>(least(x, of_y), most(x, of_y));
        v[kRows - 1 - r] = joined<kGroup / 2>(least(y, of_x), most(y, of_x));
      }
      for (int r = 0; r < kRows; ++r) order_lanes_from<kGroup / 4>(v[r]);
      order_rows_from(v, kRows / 2);
      merge_lanes<2 * kGroup>(v);
    }
  }

  template <int kGap, int... kLane>
  static void exchange_blocks(Vector& x, Vector& y, Numbers<kLane...>) {
    const Vector first =
        __builtin_shufflevector(x, y, ((kLane & kGap) != 0 ? kLanes + (kLane ^ kGap) : kLane)...);
    y = __builtin_shufflevector(x, y, ((kLane & kGap) != 0 ? kLanes + kLane : kLane ^ kGap)...);
    x = first;
  }
  /// Transposes each square of kLanes vectors.
  template <int kGap>
  static void transpose(Vector* v) {
    if constexpr (kGap < kLanes) {
      for (int r = 0; r < kRows; ++r) {
        if ((r & kGap) == 0) exchange_blocks<kGap>(v[r], v[r + kGap], Lanes());
      }
      transpose<2 * kGap>(v);
    }
  }

  /// Sorts n <= kSize keys.
  static void sort(Key* keys, std::int64_t n) {
    Key memory[kSize];
    Vector v[kRows];
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(Key);
    std::memset(memory, 0xff, sizeof(memory));  // what is not there is put last
    std::memcpy(memory, keys, bytes);
    std::memcpy(v, memory, sizeof(v));
    sort_rows(v);
    merge_lanes<2>(v);
    transpose<1>(v);
    for (int r = 0; r < kRows; ++r) {
      std::memcpy(memory + r % kLanes * kRows + r / kLanes * kLanes, &v[r], sizeof(Vector));
    }
    std::memcpy(keys, memory, bytes);
  }
};

}  // namespace

}  // namespace cupyxx::internal::cpu
