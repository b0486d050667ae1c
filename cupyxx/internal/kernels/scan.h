// SPDX-License-Identifier: MIT
// Device-safe. Running sums and products along rows, and what is built on them: positions of set
// flags. Which thread adds what depends on the sizes only, so equal input gives equal bits. The
// host's side is internal/gpu/sorting.cc.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::kernels {

inline constexpr int kScanThreads = 256;
inline constexpr int kScanPerThread = 8;
inline constexpr int kScanChunk = kScanThreads * kScanPerThread;

/// One launch over `rows * chunks` blocks, a chunk of a row each.
struct ScanArgs {
  const void* in;     // rows x n
  void* out;          // rows x n; of the totals' kernel: rows x chunks
  const void* carry;  // rows x chunks, scanned; null when a row is one chunk
  i64 rows;
  i64 n;
  i64 chunks;
};

/// Positions of the set ones of n flags, whose running count is known.
struct CompactArgs {
  const unsigned char* flags;
  const i64* count;
  i64* out;
  i64 n;
};

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

/// What the threads before this one hold, joined; `total` becomes what all of them hold.
template <class Op, class T>
CUPYXX_FN T block_exclusive(T mine, T* shared, T& total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T inclusive = mine;
  for (int step = 1; step < 32; step *= 2) {
    const T other = lane_below(inclusive, step);
    if (lane >= step) inclusive = Op::join(other, inclusive);
  }
  const T left = lane_below(inclusive, 1);
  if (lane == 31) shared[warp] = inclusive;
  __syncthreads();
  T before = Op::template identity<T>();
  total = before;
  for (int i = 0; i < kScanThreads / 32; ++i) {
    if (i == warp) before = total;
    total = Op::join(total, shared[i]);
  }
  return lane == 0 ? before : Op::join(before, left);
}

template <class Op, class T>
CUPYXX_FN void scan_load(const ScanArgs& args, i64 row, i64 begin, T (&values)[kScanPerThread]) {
  const T* in = static_cast<const T*>(args.in) + row * args.n;
  for (int i = 0; i < kScanPerThread; ++i) {
    values[i] = begin + i < args.n ? in[begin + i] : Op::template identity<T>();
  }
}

/// The total of each chunk.
template <class Op, class T>
CUPYXX_FN void scan_totals(const ScanArgs& args) {
  __shared__ T shared[kScanThreads / 32];
  const i64 block = blockIdx.x, row = block / args.chunks, chunk = block - row * args.chunks;
  T values[kScanPerThread];
  scan_load<Op, T>(args, row, chunk * kScanChunk + threadIdx.x * kScanPerThread, values);
  T mine = values[0];
  for (int i = 1; i < kScanPerThread; ++i) mine = Op::join(mine, values[i]);
  T total;
  block_exclusive<Op, T>(mine, shared, total);
  if (threadIdx.x == 0) static_cast<T*>(args.out)[block] = total;
}

/// The running values of each chunk, after those of the chunks before it.
template <class Op, class T>
CUPYXX_FN void scan_chunks(const ScanArgs& args) {
  __shared__ T shared[kScanThreads / 32];
  const i64 block = blockIdx.x, row = block / args.chunks, chunk = block - row * args.chunks;
  const i64 begin = chunk * kScanChunk + threadIdx.x * kScanPerThread;
  T values[kScanPerThread];
  scan_load<Op, T>(args, row, begin, values);
  for (int i = 1; i < kScanPerThread; ++i) values[i] = Op::join(values[i - 1], values[i]);
  T total;
  T before = block_exclusive<Op, T>(values[kScanPerThread - 1], shared, total);
  if (chunk > 0) before = Op::join(static_cast<const T*>(args.carry)[block - 1], before);
  T* out = static_cast<T*>(args.out) + row * args.n;
  for (int i = 0; i < kScanPerThread; ++i) {
    if (begin + i < args.n) out[begin + i] = Op::join(before, values[i]);
  }
}

CUPYXX_FN void compact(const CompactArgs& args) {
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < args.n; i += step) {
    if (args.flags[i] != 0) args.out[args.count[i] - 1] = i;
  }
}

#endif

}  // namespace cupyxx::internal::kernels
