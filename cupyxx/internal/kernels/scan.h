// SPDX-License-Identifier: MIT
// Device-safe. Running sums and products along rows. Which thread adds what depends on the sizes
// only, so equal input gives equal bits. The host's side is internal/gpu/sorting/sorting.cc.
//
// A row is read once: tiles leave their totals for the later ones. Tiles stand in groups; a tile
// adds the totals of those before it in its group, always in one order, to what stands before the
// group, which the last tile of the group before has left. So the chain through the row has one
// link per group, and the values depend on no race.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::kernels {

inline constexpr int kScanThreads = 256;
inline constexpr int kScanWarps = kScanThreads / 32;
inline constexpr int kScanPerThread = 16;
inline constexpr int kScanPerWarp = 32 * kScanPerThread;
/// Elements of a block.
inline constexpr int kScanTile = kScanThreads * kScanPerThread;
/// Tiles of a group.
inline constexpr int kScanGroup = 256;

/// Rows of n elements; `out` may be `in`.
struct ScanArgs {
  const void* in;
  void* out;
  i64 rows;
  i64 n;
  i64 tiles;   // of a row
  i64 groups;  // of a row
  // Of rows that are several tiles; all zeros before the launch.
  u64* ticket;
  u64* parts;  // totals of the tiles, then what stands before each group: scan_words() of each
};

/// A part in memory is words of 32 bits, each of which brings along that it is there: so whoever
/// waits for a part reads it in the same access, and nothing has to be fenced.
constexpr int scan_words(int bytes) { return bytes / 4; }

struct ScanSum {
  template <class T>
  static CUPYXX_FN T identity() {
    return T(0);
  }
  static CUPYXX_FN i64 join(i64 a, i64 b) { return ops::wrap_add(a, b); }
  template <class T>
  static CUPYXX_FN T join(T a, T b) {
    return a + b;
  }
};

struct ScanProduct {
  template <class T>
  static CUPYXX_FN T identity() {
    return T(1);
  }
  static CUPYXX_FN i64 join(i64 a, i64 b) { return ops::wrap_mul(a, b); }
  template <class T>
  static CUPYXX_FN T join(T a, T b) {
    return a * b;
  }
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

/// The value of the lane `step` below in the warp.
template <class T>
CUPYXX_FN T lane_below(T value, int step) {
  return __shfl_up_sync(0xffffffffu, value, step);
}
template <class T>
CUPYXX_FN complex<T> lane_below(complex<T> value, int step) {
  return {lane_below(value.re, step), lane_below(value.im, step)};
}
template <class T>
CUPYXX_FN T of_last_lane(T value) {
  return __shfl_sync(0xffffffffu, value, 31);
}
template <class T>
CUPYXX_FN complex<T> of_last_lane(complex<T> value) {
  return {of_last_lane(value.re), of_last_lane(value.im)};
}

/// What this lane and those before it hold, joined.
template <class Op, class T>
CUPYXX_FN T warp_inclusive(T mine) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int step = 1; step < 32; step *= 2) {
    const T other = lane_below(mine, step);
    if (lane >= step) mine = Op::join(other, mine);
  }
  return mine;
}

/// The elements of a warp: vectors of 16 bytes, 32 neighbours at a time.
template <class T>
struct ScanPiece {
  static constexpr int kV = 16 / sizeof(T), kVectors = kScanPerThread / kV;
  T at[kVectors][kV];

  /// The first of vector `k` of this lane.
  static CUPYXX_FN int place(int k) { return (k * 32 + static_cast<int>(threadIdx.x) % 32) * kV; }

  /// `left` elements are there; the others become `rest`.
  CUPYXX_FN void load(const T* in, i64 left, T rest) {
    if (is_whole(in, left)) {
#pragma unroll
      for (int k = 0; k < kVectors; ++k) {
        const auto vector = *reinterpret_cast<const Vector<T, kV>*>(in + place(k));
#pragma unroll
        for (int e = 0; e < kV; ++e) at[k][e] = vector.at[e];
      }
      return;
    }
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
#pragma unroll
      for (int e = 0; e < kV; ++e) at[k][e] = place(k) + e < left ? in[place(k) + e] : rest;
    }
  }

  CUPYXX_FN void store(T* out, i64 left) const {
    if (is_whole(out, left)) {
#pragma unroll
      for (int k = 0; k < kVectors; ++k) {
        Vector<T, kV> vector;
#pragma unroll
        for (int e = 0; e < kV; ++e) vector.at[e] = at[k][e];
        store_vector(out + place(k), vector);
      }
      return;
    }
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
#pragma unroll
      for (int e = 0; e < kV; ++e) {
        if (place(k) + e < left) out[place(k) + e] = at[k][e];
      }
    }
  }

  /// In one access. A plain assignment is taken apart where the other way out is inlined beside it:
  /// compilers join the two element by element.
  static CUPYXX_FN void store_vector(T* out, const Vector<T, kV>& vector) {
#if defined(CUPYXX_EMULATED_DEVICE)
    *reinterpret_cast<Vector<T, kV>*>(out) = vector;
#else
    __stcs(reinterpret_cast<uint4*>(out), *reinterpret_cast<const uint4*>(&vector));
#endif
  }

  static CUPYXX_FN bool is_whole(const T* first, i64 left) {
    return left >= kScanPerWarp && reinterpret_cast<u64>(first) % 16 == 0;
  }

  /// Makes running values within the warp; the total.
  template <class Op>
  CUPYXX_FN T run() {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    T total = Op::template identity<T>();
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
#pragma unroll
      for (int e = 1; e < kV; ++e) at[k][e] = Op::join(at[k][e - 1], at[k][e]);
      const T inclusive = warp_inclusive<Op>(at[k][kV - 1]);
      const T left = lane_below(inclusive, 1);
      if (k > 0 || lane > 0) {
        put_before<Op>(k, lane == 0 ? total : k == 0 ? left : Op::join(total, left));
      }
      total = k == 0 ? of_last_lane(inclusive) : Op::join(total, of_last_lane(inclusive));
    }
    return total;
  }

  template <class Op>
  CUPYXX_FN void put_before(int k, T value) {
#pragma unroll
    for (int e = 0; e < kV; ++e) at[k][e] = Op::join(value, at[k][e]);
  }
  template <class Op>
  CUPYXX_FN void put_before(T value) {
#pragma unroll
    for (int k = 0; k < kVectors; ++k) put_before<Op>(k, value);
  }
};

/// The values that the warps hold, joined; every thread of a warp has its warp's.
template <class Op, class T>
CUPYXX_FN T join_warps(T mine, T* shared, T& before) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[warp] = mine;
  __syncthreads();
  T total = shared[0];
  before = Op::template identity<T>();
  for (int w = 1; w < kScanWarps; ++w) {
    if (w == warp) before = total;
    total = Op::join(total, shared[w]);
  }
  return total;
}

template <class T>
union ScanWords {
  static constexpr int kCount = scan_words(sizeof(T));
  T value;
  u32 word[kCount];
  CUPYXX_FN ScanWords() {}  // NOLINT(modernize-use-equals-default): T may have a constructor
};

template <class T>
CUPYXX_FN void leave_part(const ScanArgs& args, i64 slot, const T& value) {
  ScanWords<T> words;
  words.value = value;
  volatile u64* part = args.parts + slot * words.kCount;
#pragma unroll
  for (int i = 0; i < words.kCount; ++i) part[i] = u64{1} << 32 | words.word[i];
}

template <class T>
CUPYXX_FN T await_part(const ScanArgs& args, i64 slot) {
  ScanWords<T> words;
  const volatile u64* part = args.parts + slot * words.kCount;
#pragma unroll
  for (int i = 0; i < words.kCount; ++i) {
    u64 found = part[i];
    while (found >> 32 == 0) {
      // Those who wait must not keep the memory from those who work.
      __nanosleep(20);
      found = part[i];
    }
    words.word[i] = static_cast<u32>(found);
  }
  return words.value;
}

/// What stands before a tile of a row, whose total is `mine`. Only tiles with smaller tickets are
/// waited for, and those are running or done. One warp waits for all; the others rest.
template <class Op, class T>
CUPYXX_FN T before_tile(const ScanArgs& args, i64 row, i64 tile, T mine, T* shared) {
  const i64 group = tile / kScanGroup;
  const int within = static_cast<int>(tile % kScanGroup), thread = static_cast<int>(threadIdx.x);
  const i64 first = row * args.tiles + group * kScanGroup;
  const i64 before_group = args.rows * args.tiles + row * args.groups + group;
  if (thread == 0 && tile + 1 < args.tiles) leave_part(args, first + within, mine);
  __syncthreads();
  if (thread < 32) {
    T before = Op::template identity<T>();
    for (int i = thread; i < within; i += 32) {
      before = Op::join(before, await_part<T>(args, first + i));
    }
    before = of_last_lane(warp_inclusive<Op>(before));
    if (group > 0) {
      const T carried = await_part<T>(args, before_group);
      before = within == 0 ? carried : Op::join(carried, before);
    }
    if (thread == 0) {
      if (within == kScanGroup - 1 && group + 1 < args.groups) {
        leave_part(args, before_group + 1, Op::join(before, mine));
      }
      *shared = before;
    }
  }
  __syncthreads();
  return *shared;
}

/// A block per tile. Where a row is several tiles, they are taken in the order of tickets.
template <class Op, class T>
CUPYXX_FN void scan_tiles(const ScanArgs& args) {
  __shared__ T shared[kScanWarps];
  __shared__ u32 ticket;
  i64 number = blockIdx.x;
  if (args.tiles > 1) {
    if (threadIdx.x == 0) ticket = atomicAdd(reinterpret_cast<u32*>(args.ticket), 1u);
    __syncthreads();
    number = ticket;
  }
  const i64 row = number / args.tiles, tile = number - row * args.tiles;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const i64 begin = tile * kScanTile + warp * kScanPerWarp;
  ScanPiece<T> piece;
  piece.load(static_cast<const T*>(args.in) + row * args.n + begin, args.n - begin,
             Op::template identity<T>());
  T before;
  const T total = join_warps<Op>(piece.template run<Op>(), shared, before);
  if (tile > 0 || args.tiles > 1) {
    const T before_all = before_tile<Op>(args, row, tile, total, shared);
    if (tile > 0) before = warp == 0 ? before_all : Op::join(before_all, before);
  }
  if (tile > 0 || warp > 0) piece.template put_before<Op>(before);
  piece.store(static_cast<T*>(args.out) + row * args.n + begin, args.n - begin);
}

/// A warp per row, of up to kScanPerWarp elements.
template <class Op, class T>
CUPYXX_FN void scan_short(const ScanArgs& args) {
  const i64 row = static_cast<i64>(blockIdx.x) * kScanWarps + threadIdx.x / 32;
  if (row >= args.rows) return;
  ScanPiece<T> piece;
  piece.load(static_cast<const T*>(args.in) + row * args.n, args.n, Op::template identity<T>());
  piece.template run<Op>();
  piece.store(static_cast<T*>(args.out) + row * args.n, args.n);
}

#endif

}  // namespace cupyxx::internal::kernels
