// SPDX-License-Identifier: MIT
// Device-safe. The order of elements as unsigned keys, which the host's loops use too, and stable
// sorting of rows by them: short rows in one block, long ones digit by digit from the lowest. The
// host's side is internal/gpu/sorting/sorting.cc.
#pragma once

#include "cupyxx/internal/kernels/scan.h"

namespace cupyxx::internal::kernels {

using ops::i16;
using ops::i32;
using ops::i8;
using ops::u16;
using ops::u8;

/// An unsigned number with the order of the elements: negative zero equals zero, NaN equals NaN and
/// comes last. bool goes as u8, float16 as half.
template <class T>
struct SortKey;

template <class T, class Key>
struct UnsignedKey {
  using type = Key;
  static CUPYXX_FN Key of(T x) { return x; }
};
template <class T, class Key>
struct SignedKey {
  using type = Key;
  static CUPYXX_FN Key of(T x) {
    return static_cast<Key>(static_cast<Key>(x) ^ (Key(1) << (sizeof(T) * 8 - 1)));
  }
};
/// From the bits of a floating number whose infinity has the given bits.
template <class Key>
CUPYXX_FN Key floating_key(Key bits, Key infinity) {
  constexpr Key kSign = static_cast<Key>(Key(1) << (sizeof(Key) * 8 - 1));
  const Key magnitude = static_cast<Key>(bits & static_cast<Key>(~kSign));
  if (magnitude > infinity) return static_cast<Key>(~Key(0));
  if (magnitude == 0) return kSign;
  return bits & kSign ? static_cast<Key>(~bits) : static_cast<Key>(bits | kSign);
}

template <>
struct SortKey<u8> : UnsignedKey<u8, u8> {};
template <>
struct SortKey<u16> : UnsignedKey<u16, u16> {};
template <>
struct SortKey<u32> : UnsignedKey<u32, u32> {};
template <>
struct SortKey<u64> : UnsignedKey<u64, u64> {};
template <>
struct SortKey<i8> : SignedKey<i8, u8> {};
template <>
struct SortKey<i16> : SignedKey<i16, u16> {};
template <>
struct SortKey<i32> : SignedKey<i32, u32> {};
template <>
struct SortKey<i64> : SignedKey<i64, u64> {};
template <>
struct SortKey<half> {
  using type = u16;
  static CUPYXX_FN u16 of(half x) { return floating_key<u16>(x.bits, 0x7c00); }
};
template <>
struct SortKey<bfloat16> {
  using type = u16;
  static CUPYXX_FN u16 of(bfloat16 x) { return floating_key<u16>(x.bits, 0x7f80); }
};
template <>
struct SortKey<float> {
  using type = u32;
  static CUPYXX_FN u32 of(float x) {
    return floating_key<u32>(internal::float_bits(x), 0x7f800000u);
  }
};
template <>
struct SortKey<double> {
  using type = u64;
  static CUPYXX_FN u64 of(double x) {
#if defined(__CUDACC__)
    const u64 bits = static_cast<u64>(__double_as_longlong(x));
#else
    const u64 bits = __builtin_bit_cast(u64, x);
#endif
    return floating_key<u64>(bits, 0x7ff0000000000000UL);
  }
};

/// Number of the n sorted elements before `key`, or not after it.
template <class T>
CUPYXX_FN i64 search_row(const T* sorted, i64 n, typename SortKey<T>::type key, bool right) {
  i64 low = 0, high = n;
  while (low < high) {
    const i64 middle = low + (high - low) / 2;
    const auto at = SortKey<T>::of(sorted[middle]);
    if (right ? !(key < at) : at < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// A row of up to this many elements is sorted by one block; shorter ones share it.
inline constexpr int kShortRow = 2048;
inline constexpr int kSortThreads = 256;
inline constexpr int kSortWarps = kSortThreads / 32;
inline constexpr int kDigits = 256;

inline constexpr int kSortPerThread = 16;
/// Elements of a long row that a block puts in order.
inline constexpr int kSortTile = kSortThreads * kSortPerThread;

/// Rows of n elements at `source`; the sorted ones and their places within the row go to what is
/// not null.
struct SortArgs {
  const void* source;
  void* values;
  i64* places;
  const void* from;  // long rows: elements, or keys, from and to
  void* to;
  void* order[2];  // places beside the keys, u32 or u64, from and to
  i64* counts;     // rows x digits x tiles
  i64 rows;
  i64 n;
  i64 tiles;  // per row
  int shift;
  int width;   // of a short row: the power of two that holds it
  int shared;  // rows of a block, a power of two: width * shared <= kShortRow
};

struct SearchArgs {
  const void* sorted;
  const void* values;
  i64* out;
  i64 n;
  i64 count;
  int right;
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

/// Several rows in a block: a bitonic network over (key, place), whose places make equal keys
/// differ. Rows stand one after the other and begin at multiples of their width, so that no pair of
/// the network reaches into another row.
template <class T>
CUPYXX_FN void sort_short(const SortArgs& args) {
  using Key = typename SortKey<T>::type;
  __shared__ Key keys[kShortRow];
  __shared__ u16 places[kShortRow];
  const i64 first = static_cast<i64>(blockIdx.x) * args.shared;
  const int n = static_cast<int>(args.n), width = args.width, count = width * args.shared;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const auto exists = [&](int i) { return (i & (width - 1)) < n && first + i / width < args.rows; };
  const auto row_of = [&](int i) { return (first + i / width) * args.n; };
  const T* source = static_cast<const T*>(args.source);
  for (int i = thread; i < count; i += threads) {
    const int place = i & (width - 1);
    keys[i] = exists(i) ? SortKey<T>::of(source[row_of(i) + place]) : static_cast<Key>(~Key(0));
    places[i] = static_cast<u16>(place);  // the filling stays behind equal keys
  }
  for (int size = 2; size <= width; size *= 2) {
    for (int gap = size / 2; gap > 0; gap /= 2) {
      __syncthreads();
      for (int t = thread; t < count / 2; t += threads) {
        const int i = 2 * gap * (t / gap) + t % gap, j = i + gap;
        const bool up = (i & (width - 1) & size) == 0;
        const bool after = keys[j] < keys[i] || (keys[j] == keys[i] && places[j] < places[i]);
        if (after == up) {
          const Key key = keys[i];
          keys[i] = keys[j];
          keys[j] = key;
          const u16 place = places[i];
          places[i] = places[j];
          places[j] = place;
        }
      }
    }
  }
  __syncthreads();
  for (int i = thread; i < count; i += threads) {
    if (!exists(i)) continue;
    const i64 row = row_of(i), to = row + (i & (width - 1));
    if (args.values != nullptr) static_cast<T*>(args.values)[to] = source[row + places[i]];
    if (args.places != nullptr) args.places[to] = places[i];
  }
}

/// Keys of all elements, and their places.
template <class T, class Place>
CUPYXX_FN void sort_keys(const SortArgs& args) {
  using Key = typename SortKey<T>::type;
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x, size = args.rows * args.n;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += step) {
    static_cast<Key*>(args.to)[i] = SortKey<T>::of(static_cast<const T*>(args.source)[i]);
    static_cast<Place*>(args.order[1])[i] = static_cast<Place>(i % args.n);
  }
}

/// For elements that are sorted without places.
struct NoPlace {};
template <class Place>
inline constexpr bool kHasPlaces = true;
template <>
inline constexpr bool kHasPlaces<NoPlace> = false;

/// A tile of a row in one pass, a warp's part of it in the registers of the warp.
template <class T>
struct SortTile {
  i64 row, tile;
  i64 first;  // element of all rows
  int count;  // elements of the tile that exist

  CUPYXX_FN explicit SortTile(const SortArgs& args)
      : row(blockIdx.x / args.tiles), tile(blockIdx.x - row * args.tiles) {
    const i64 begin = tile * kSortTile;
    first = row * args.n + begin;
    count = static_cast<int>(args.n - begin < kSortTile ? args.n - begin : kSortTile);
  }

  /// Where this thread's k-th element stands in the tile: neighbours are in neighbouring lanes.
  static CUPYXX_FN int place(int k) {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    return (warp * kSortPerThread + k) * 32 + lane;
  }
  template <class Value>
  CUPYXX_FN void load(const void* from, Value (&values)[kSortPerThread]) const {
    const Value* in = static_cast<const Value*>(from) + first;
#pragma unroll
    for (int k = 0; k < kSortPerThread; ++k) {
      if (place(k) < count) values[k] = in[place(k)];
    }
  }
  /// What does not exist counts as the last digit, behind all that do.
  CUPYXX_FN int digit(const SortArgs& args, int at, const T& value) const {
    return at < count ? static_cast<int>(SortKey<T>::of(value) >> args.shift & (kDigits - 1))
                      : kDigits - 1;
  }
  /// The place of a digit's count among those of all rows.
  CUPYXX_FN i64 slot(const SortArgs& args, int digit) const {
    return (row * kDigits + digit) * args.tiles + tile;
  }
};

/// The lanes of the warp that have the same digit.
CUPYXX_FN u32 lanes_with(int digit) {
#if defined(CUPYXX_EMULATED_DEVICE)
  return __match_any_sync(0xffffffffu, digit);
#else
  // Eight votes are quicker than the instruction for any values.
  u32 same = 0xffffffffu;
#pragma unroll
  for (int bit = 0; bit < 8; ++bit) {
    const bool set = (digit >> bit & 1) != 0;
    const u32 votes = __ballot_sync(0xffffffffu, set);
    same &= set ? votes : ~votes;
  }
  return same;
#endif
}

/// Counts a digit for the warp; how many of the warp's elements before this one have it.
CUPYXX_FN u32 rank_in_warp(int digit, u32* counts) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const u32 same = lanes_with(digit);
  const int leader = __popc((same & (0u - same)) - 1);
  u32 before = 0;
  if (lane == leader) before = atomicAdd(&counts[digit], static_cast<u32>(__popc(same)));
  before = __shfl_sync(0xffffffffu, before, leader);
  return before + __popc(same & ((1u << lane) - 1));
}

/// How often each digit stands in each tile.
template <class T>
CUPYXX_FN void sort_count(const SortArgs& args) {
  using Tile = SortTile<T>;
  __shared__ u32 counts[kSortWarps][kDigits];
  const Tile tile(args);
  T values[kSortPerThread];
  tile.load(args.from, values);
  const int thread = static_cast<int>(threadIdx.x);
  for (int w = 0; w < kSortWarps; ++w) counts[w][thread] = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kSortPerThread; ++k) {
    const int digit = tile.digit(args, Tile::place(k), values[k]);
    // High digits are often all the same, and adding to one place takes turns.
    const int first = __shfl_sync(0xffffffffu, digit, 0);
    if (__all_sync(0xffffffffu, digit == first)) {
      if (thread % 32 == 0) atomicAdd(&counts[thread / 32][digit], 32u);
    } else {
      atomicAdd(&counts[thread / 32][digit], 1u);
    }
  }
  __syncthreads();
  i64 sum = thread == kDigits - 1 ? tile.count - kSortTile : 0;
  for (int w = 0; w < kSortWarps; ++w) sum += counts[w][thread];
  args.counts[tile.slot(args, thread)] = sum;
}

/// Moves each element behind those of lower digits and of its own digit before it; `counts` has
/// been scanned. Tiles are put in order in shared memory first, so that neighbours write
/// neighbours.
template <class T, class Place>
CUPYXX_FN void sort_scatter(const SortArgs& args) {
  using Tile = SortTile<T>;
  constexpr int kWidest = sizeof(T) > sizeof(Place) ? sizeof(T) : sizeof(Place);
  __shared__ u32 starts[kSortWarps][kDigits];  // counts of the warps, then where their elements go
  __shared__ i64 shift[kDigits];               // from a place in the ordered tile to one in the row
  __shared__ int warps[kSortWarps];
  __shared__ Vector<u64, 2> memory[kSortTile * kWidest / 16];
  const Tile tile(args);
  const int thread = static_cast<int>(threadIdx.x);
  T values[kSortPerThread];
  tile.load(args.from, values);
  for (int w = 0; w < kSortWarps; ++w) starts[w][thread] = 0;
  __syncthreads();
  u32 to[kSortPerThread];
#pragma unroll
  for (int k = 0; k < kSortPerThread; ++k) {
    to[k] = rank_in_warp(tile.digit(args, Tile::place(k), values[k]), starts[thread / 32]);
  }
  __syncthreads();
  int total = 0, before;
  for (int w = 0; w < kSortWarps; ++w) total += static_cast<int>(starts[w][thread]);
  const int inclusive = warp_inclusive<ScanSum>(total);
  join_warps<ScanSum>(of_last_lane(inclusive), warps, before);
  u32 start = static_cast<u32>(before + inclusive - total);
  const i64 slot = tile.slot(args, thread);
  shift[thread] = (tile.tile == 0 && thread == 0 ? 0 : args.counts[slot - 1]) - start;
  for (int w = 0; w < kSortWarps; ++w) {
    const u32 count = starts[w][thread];
    starts[w][thread] = start;
    start += count;
  }
  __syncthreads();
  T* const ordered = reinterpret_cast<T*>(memory);
#pragma unroll
  for (int k = 0; k < kSortPerThread; ++k) {
    to[k] += starts[thread / 32][tile.digit(args, Tile::place(k), values[k])];
    ordered[to[k]] = values[k];
  }
  __syncthreads();
  T* const out = static_cast<T*>(args.to) + tile.row * args.n;
  i64 target[kSortPerThread];
#pragma unroll
  for (int k = 0; k < kSortPerThread; ++k) {
    const int i = k * kSortThreads + thread;
    if (i >= tile.count) continue;
    const T value = ordered[i];
    target[k] = i + shift[tile.digit(args, i, value)];
    out[target[k]] = value;
  }
  if constexpr (kHasPlaces<Place>) {
    Place places[kSortPerThread];
    tile.load(args.order[0], places);
    Place* const ordered_places = reinterpret_cast<Place*>(memory);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kSortPerThread; ++k) ordered_places[to[k]] = places[k];
    __syncthreads();
    Place* const out_places = static_cast<Place*>(args.order[1]) + tile.row * args.n;
#pragma unroll
    for (int k = 0; k < kSortPerThread; ++k) {
      const int i = k * kSortThreads + thread;
      if (i < tile.count) out_places[target[k]] = ordered_places[i];
    }
  }
}

/// Brings sorted places to their results.
template <class Unit, class Place>
CUPYXX_FN void sort_finish(const SortArgs& args) {
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x, size = args.rows * args.n;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += step) {
    const i64 place = static_cast<i64>(static_cast<const Place*>(args.order[1])[i]);
    if (args.values != nullptr) {
      static_cast<Unit*>(args.values)[i] =
          static_cast<const Unit*>(args.source)[i / args.n * args.n + place];
    }
    if (args.places != nullptr) args.places[i] = place;
  }
}

template <class T>
CUPYXX_FN void search(const SearchArgs& args) {
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < args.count; i += step) {
    const auto key = SortKey<T>::of(static_cast<const T*>(args.values)[i]);
    args.out[i] = search_row(static_cast<const T*>(args.sorted), args.n, key, args.right != 0);
  }
}

#endif

}  // namespace cupyxx::internal::kernels
