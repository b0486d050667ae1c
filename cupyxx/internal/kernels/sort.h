// SPDX-License-Identifier: MIT
// Device-safe. The order of elements as unsigned keys, which the host's loops use too, and stable
// sorting of rows by them: short rows in one block, long ones digit by digit from the lowest. The
// host's side is internal/gpu/sorting.cc.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

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

/// A row of up to this many elements is sorted by one block.
inline constexpr int kShortRow = 2048;
inline constexpr int kShortThreads = 256;
inline constexpr int kSortThreads = 256;
inline constexpr int kSortTile = 4096;
inline constexpr int kDigits = 256;

/// Rows of n elements at `source`; the sorted ones and their places within the row go to what is
/// not null.
struct SortArgs {
  const void* source;
  void* values;
  i64* places;
  void* keys[2];   // long rows: from and to
  void* order[2];  // places beside the keys, u32 or u64
  i64* counts;     // rows x digits x tiles
  i64 rows;
  i64 n;
  i64 tiles;  // per row
  int shift;
  int width;  // of a short row: the power of two that holds it
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

/// One block per row: a bitonic network over (key, place), whose places make equal keys differ.
template <class T>
CUPYXX_FN void sort_short(const SortArgs& args) {
  using Key = typename SortKey<T>::type;
  __shared__ Key keys[kShortRow];
  __shared__ u16 places[kShortRow];
  const i64 row = blockIdx.x;
  const T* source = static_cast<const T*>(args.source) + row * args.n;
  const int n = static_cast<int>(args.n), width = args.width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    keys[i] = i < n ? SortKey<T>::of(source[i]) : static_cast<Key>(~Key(0));
    places[i] = static_cast<u16>(i);  // the filling stays behind equal keys
  }
  for (int size = 2; size <= width; size *= 2) {
    for (int gap = size / 2; gap > 0; gap /= 2) {
      __syncthreads();
      for (int t = threadIdx.x; t < width / 2; t += blockDim.x) {
        const int i = 2 * gap * (t / gap) + t % gap, j = i + gap;
        const bool up = (i & size) == 0;
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
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (args.values != nullptr) static_cast<T*>(args.values)[row * args.n + i] = source[places[i]];
    if (args.places != nullptr) args.places[row * args.n + i] = places[i];
  }
}

/// Keys of all elements, and their places.
template <class T, class Place>
CUPYXX_FN void sort_keys(const SortArgs& args) {
  using Key = typename SortKey<T>::type;
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x, size = args.rows * args.n;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += step) {
    static_cast<Key*>(args.keys[0])[i] = SortKey<T>::of(static_cast<const T*>(args.source)[i]);
    static_cast<Place*>(args.order[0])[i] = static_cast<Place>(i % args.n);
  }
}

/// How often each digit stands in each tile.
template <class Key>
CUPYXX_FN void sort_count(const SortArgs& args) {
  __shared__ u32 counts[kDigits];
  const i64 block = blockIdx.x, row = block / args.tiles, tile = block - row * args.tiles;
  const Key* keys = static_cast<const Key*>(args.keys[0]) + row * args.n;
  counts[threadIdx.x] = 0;
  __syncthreads();
  const i64 begin = tile * kSortTile;
  const i64 end = begin + kSortTile < args.n ? begin + kSortTile : args.n;
  for (i64 i = begin + threadIdx.x; i < end; i += kSortThreads) {
    atomicAdd(&counts[(keys[i] >> args.shift) & (kDigits - 1)], 1u);
  }
  __syncthreads();
  args.counts[(row * kDigits + threadIdx.x) * args.tiles + tile] = counts[threadIdx.x];
}

/// Moves each element behind those of lower digits and of its own digit before it; `counts` has
/// been scanned.
template <class Key, class Place>
CUPYXX_FN void sort_scatter(const SortArgs& args) {
  constexpr int kWarps = kSortThreads / 32;
  __shared__ i64 next[kDigits];  // where the next element of a digit goes
  __shared__ u32 before[kWarps][kDigits];
  const i64 block = blockIdx.x, row = block / args.tiles, tile = block - row * args.tiles;
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const Key* keys = static_cast<const Key*>(args.keys[0]) + row * args.n;
  const Place* order = static_cast<const Place*>(args.order[0]) + row * args.n;
  Key* keys_out = static_cast<Key*>(args.keys[1]) + row * args.n;
  Place* order_out = static_cast<Place*>(args.order[1]) + row * args.n;
  const i64 slot = thread * args.tiles + tile;
  next[thread] = slot == 0 ? 0 : args.counts[row * kDigits * args.tiles + slot - 1];
  const i64 begin = tile * kSortTile;
  const i64 end = begin + kSortTile < args.n ? begin + kSortTile : args.n;
  for (i64 start = begin; start < end; start += kSortThreads) {
    for (int w = 0; w < kWarps; ++w) before[w][thread] = 0;
    __syncthreads();
    const i64 i = start + thread;
    const bool used = i < end;
    const Key key = used ? keys[i] : Key(0);
    const int digit = used ? static_cast<int>((key >> args.shift) & (kDigits - 1)) : kDigits;
    const u32 same = __match_any_sync(0xffffffffu, digit);
    const int rank = __popc(same & ((1u << lane) - 1));
    if (used && rank == 0) before[warp][digit] = __popc(same);
    __syncthreads();
    u32 sum = 0;
    for (int w = 0; w < kWarps; ++w) {
      const u32 count = before[w][thread];
      before[w][thread] = sum;
      sum += count;
    }
    __syncthreads();
    if (used) {
      const i64 to = next[digit] + before[warp][digit] + rank;
      keys_out[to] = key;
      order_out[to] = order[i];
    }
    __syncthreads();
    next[thread] += sum;
  }
}

/// Brings sorted places to their results.
template <class Unit, class Place>
CUPYXX_FN void sort_finish(const SortArgs& args) {
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x, size = args.rows * args.n;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += step) {
    const i64 place = static_cast<i64>(static_cast<const Place*>(args.order[0])[i]);
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
