// SPDX-License-Identifier: MIT
// Device text. Reductions in one launch, the same bits every time:
//   rows_short   a few lanes (at most a warp) per result, four results at a time
//   rows         a block per result, or several blocks that split it
//   columns      threads along a kept axis, blocks split the reduced axes
// Where blocks split a result, each writes its part, takes a ticket, and the last one combines the
// parts in their order and puts the ticket counter back to zero.
#pragma once

#include "cupyxx/internal/kernels/partial.h"
#include "cupyxx/internal/kernels/reduce_args.h"
#include "cupyxx/ops/reductions.h"

namespace cupyxx::kernels {

template <class T, int kVec>
struct alignas(kVec == 1 ? alignof(T) : sizeof(T) * kVec) Packet {
  T x[kVec];
};

template <class T, int kVec>
__device__ __forceinline__ Packet<T, kVec> load_packet(const char* p) {
  return *reinterpret_cast<const Packet<T, kVec>*>(p);
}

__device__ __forceinline__ unsigned divide(unsigned n, const ReduceDim& dim) {
  return (__umulhi(n, dim.multiplier) + n) >> dim.shift;
}
__device__ __forceinline__ unsigned long divide(unsigned long n, const ReduceDim& dim) {
  return n / static_cast<unsigned long>(dim.extent);
}

template <class I, int kDims>
__device__ __forceinline__ long reduced_offset(const ReduceArgs<kDims>& a, I index) {
  long offset = 0;
#pragma unroll 1
  for (int d = a.reduced_ndim - 1; d > 0; --d) {
    const ReduceDim& dim = a.reduced_dims[d];
    const I quotient = divide(index, dim);
    offset += static_cast<long>(index - quotient * static_cast<I>(dim.extent)) * dim.stride;
    index = quotient;
  }
  return offset + static_cast<long>(index) * a.reduced_dims[0].stride;
}

/// Offsets of a kept index over the first `ndim` kept axes.
template <class I, int kDims>
__device__ __forceinline__ void kept_offsets(const ReduceArgs<kDims>& a, I index, int ndim,
                                             long& in, long& out) {
  in = out = 0;
#pragma unroll 1
  for (int d = ndim - 1; d > 0; --d) {
    const ReduceDim& dim = a.kept_dims[d];
    const I quotient = divide(index, dim);
    const long rest = static_cast<long>(index - quotient * static_cast<I>(dim.extent));
    in += rest * dim.stride;
    out += rest * dim.out_stride;
    index = quotient;
  }
  if (ndim > 0) {
    in += static_cast<long>(index) * a.kept_dims[0].stride;
    out += static_cast<long>(index) * a.kept_dims[0].out_stride;
  }
}

/// Combines kCount elements, `step` places apart, into an accumulator.
template <class Op, class A, class T, class I, int kCount>
__device__ __forceinline__ void absorb(A& acc, const T (&x)[kCount], I index, I step) {
  if constexpr (ops::has_moments<Op>) {
    decltype(A::mean) values[kCount];
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      values[i] = static_cast<decltype(A::mean)>(static_cast<ops::Value<T>>(x[i]));
    }
    Op::absorb(acc, values);
  } else {
    A part[kCount];
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      part[i] =
          Op::template map<A>(static_cast<ops::Value<T>>(x[i]), index + static_cast<I>(i) * step);
    }
#pragma unroll
    for (int width = 1; width < kCount; width *= 2) {
#pragma unroll
      for (int i = 0; i + width < kCount; i += 2 * width) {
        part[i] = Op::combine(part[i], part[i + width]);
      }
    }
    acc = Op::combine(acc, part[0]);
  }
}

/// Combines the accumulators of `lanes` neighbouring lanes, a power of two; the first has the
/// result.
template <class Op, class A>
__device__ __forceinline__ A combine_lanes(A acc, unsigned lanes) {
  for (unsigned delta = 1; delta < lanes; delta *= 2) {
    Words<A> words(acc);
#pragma unroll
    for (int i = 0; i < Words<A>::kCount; ++i) {
      words.w[i] = __shfl_down_sync(0xffffffffu, words.w[i], delta, lanes);
    }
    acc = Op::combine(acc, words.value());
  }
  return acc;
}

/// Combines the accumulators of a block of at most 1024 threads; thread 0 has the result.
template <class Op, class A>
__device__ __forceinline__ A combine_block(A acc) {
  __shared__ Words<A> warps[32];
  acc = combine_lanes<Op>(acc, 32);
  const unsigned count = blockDim.x >> 5;
  if (count == 1) return acc;
  __syncthreads();  // an earlier use of `warps` is over
  if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = Words<A>(acc);
  __syncthreads();
  if (threadIdx.x < 32) {
    acc = threadIdx.x < count ? warps[threadIdx.x].value() : Op::template identity<A>();
    acc = combine_lanes<Op>(acc, 32);
  }
  return acc;
}

template <class Op, class T, class I, int kDims>
__device__ __forceinline__ void write_result(const ReduceArgs<kDims>& a, long offset,
                                             const typename Op::template Acc<T, I>& acc) {
  using O = typename Op::template Out<T>;
  const ops::Finish finish{static_cast<double>(a.reduced), a.ddof};
  *reinterpret_cast<O*>(a.out + offset) = Op::template finish<O>(acc, finish);
}

/// Rows of few elements: 2^lanes_log2 lanes share a row, each group of lanes has four rows in
/// flight. A packet never crosses the end of a run.
template <class Op, class T, class I, int kVec, int kDims>
__device__ __forceinline__ void reduce_rows_short(const ReduceArgs<kDims>& a) {
  using A = typename Op::template Acc<T, I>;
  constexpr int kRows = 4;
  const unsigned lanes = 1u << a.lanes_log2;
  const unsigned lane = threadIdx.x & (lanes - 1);
  const unsigned groups = blockDim.x >> a.lanes_log2;
  const long first =
      static_cast<long>(blockIdx.x) * (groups * kRows) + (threadIdx.x >> a.lanes_log2);

  const char* in[kRows];
  long out[kRows];
  A acc[kRows];
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const long row = first + static_cast<long>(k) * groups;
    long in_offset;
    // Rows beyond the end read the last one again and write nothing.
    kept_offsets(a, static_cast<I>(row < a.kept ? row : a.kept - 1), a.kept_ndim, in_offset,
                 out[k]);
    in[k] = a.in + in_offset;
    acc[k] = Op::template identity<A>();
  }
  const I count = static_cast<I>(a.reduced);
  for (I r = lane * kVec; r < count; r += lanes * kVec) {
    const long offset = reduced_offset(a, r);
    Packet<T, kVec> x[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) x[k] = load_packet<T, kVec>(in[k] + offset);
#pragma unroll
    for (int k = 0; k < kRows; ++k) absorb<Op>(acc[k], x[k].x, r, I(1));
  }
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    acc[k] = combine_lanes<Op>(acc[k], lanes);
    if (lane == 0 && first + static_cast<long>(k) * groups < a.kept) {
      write_result<Op, T, I>(a, out[k], acc[k]);
    }
  }
}

/// A block per row and part. With one reduced axis packets start where the row is aligned, and the
/// elements before and after are taken singly; with several axes the host has checked alignment.
template <class Op, class T, class I, int kVec, int kDims>
__device__ __forceinline__ void reduce_rows(const ReduceArgs<kDims>& a) {
  using A = typename Op::template Acc<T, I>;
  constexpr int kFlight = 4;
  const I row = static_cast<I>(blockIdx.x);
  const unsigned part = blockIdx.y, parts = gridDim.y;
  const I tid = threadIdx.x, threads = blockDim.x;
  long in_offset, out_offset;
  kept_offsets(a, row, a.kept_ndim, in_offset, out_offset);
  const char* in = a.in + in_offset;

  const I count = static_cast<I>(a.reduced);
  I head = 0;
  if (kVec > 1 && a.reduced_ndim == 1) {
    constexpr unsigned kBytes = kVec * sizeof(T);
    const unsigned beyond = static_cast<unsigned>(reinterpret_cast<unsigned long>(in)) % kBytes;
    head = beyond == 0 ? 0 : (kBytes - beyond) / static_cast<unsigned>(sizeof(T));
    head = head < count ? head : count;
  }
  const I packets = (count - head) / kVec;
  const I per_part = (packets + parts - 1) / parts;
  const I begin = part * per_part < packets ? part * per_part : packets;
  const I end = begin + per_part < packets ? begin + per_part : packets;

  A acc = Op::template identity<A>();
  if (kVec > 1 && part == 0) {
    if (tid < head) {
      const T x[1] = {*reinterpret_cast<const T*>(in + reduced_offset(a, tid))};
      absorb<Op>(acc, x, tid, I(1));
    }
    const I r = head + packets * kVec + tid;
    if (r < count) {
      const T x[1] = {*reinterpret_cast<const T*>(in + reduced_offset(a, r))};
      absorb<Op>(acc, x, r, I(1));
    }
  }
  I p = begin + tid;
  for (; p < end && end - p > (kFlight - 1) * threads; p += kFlight * threads) {
    long offsets[kFlight];
#pragma unroll
    for (int k = 0; k < kFlight; ++k) {
      offsets[k] = reduced_offset(a, head + (p + k * threads) * kVec);
    }
    Packet<T, kVec> x[kFlight];
#pragma unroll
    for (int k = 0; k < kFlight; ++k) x[k] = load_packet<T, kVec>(in + offsets[k]);
#pragma unroll
    for (int k = 0; k < kFlight; ++k) {
      absorb<Op>(acc, x[k].x, head + (p + k * threads) * kVec, I(1));
    }
  }
  for (; p < end; p += threads) {
    const I r = head + p * kVec;
    absorb<Op>(acc, load_packet<T, kVec>(in + reduced_offset(a, r)).x, r, I(1));
  }

  acc = combine_block<Op>(acc);
  if (parts > 1) {
    if (tid == 0) store_part(a.partials, static_cast<long>(row) * parts + part, acc);
    if (!last_of(a.tickets + row, parts)) return;
    acc = Op::template identity<A>();
    for (I s = tid; s < parts; s += threads) {
      acc = Op::combine(acc, load_part<A>(a.partials, static_cast<long>(row) * parts + s));
    }
    acc = combine_block<Op>(acc);
  }
  if (tid == 0) write_result<Op, T, I>(a, out_offset, acc);
}

/// Combines column accumulators over threadIdx.y, a few columns of the thread at a time; the
/// threads with threadIdx.y == 0 have the results.
template <class Op, class A, int kVec>
__device__ __forceinline__ void combine_columns(A (&acc)[kVec]) {
  constexpr int kThreads = 256;
  constexpr int kFit = 32768 / (kThreads * static_cast<int>(sizeof(Words<A>)));
  constexpr int kAtOnce = kFit >= kVec ? kVec : kFit >= 2 ? 2 : 1;
  __shared__ Words<A> shared[kAtOnce * kThreads];
  if (blockDim.y == 1) return;
  const unsigned place = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
  for (int j = 0; j < kVec; j += kAtOnce) {
    for (unsigned half_y = blockDim.y / 2; half_y > 0; half_y /= 2) {
      __syncthreads();
      if (threadIdx.y >= half_y && threadIdx.y < 2 * half_y) {
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) shared[k * kThreads + place] = Words<A>(acc[j + k]);
      }
      __syncthreads();
      if (threadIdx.y < half_y) {
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
          acc[j + k] =
              Op::combine(acc[j + k], shared[k * kThreads + place + half_y * blockDim.x].value());
        }
      }
    }
  }
}

/// Each thread has kVec neighbouring columns (the last kept axis) and every blockDim.y-th row of
/// its part. gridDim.x runs over the tiles of columns and the other kept axes.
template <class Op, class T, class I, int kVec, int kDims>
__device__ __forceinline__ void reduce_columns(const ReduceArgs<kDims>& a) {
  using A = typename Op::template Acc<T, I>;
  constexpr int kFlight = 4;
  const unsigned part = blockIdx.y, parts = gridDim.y;
  const I tiles = static_cast<I>(a.tiles);
  const I outer = static_cast<I>(blockIdx.x) / tiles;
  const I tile = static_cast<I>(blockIdx.x) - outer * tiles;
  const ReduceDim& inner = a.kept_dims[a.kept_ndim - 1];
  const long column = (static_cast<long>(tile) * blockDim.x + threadIdx.x) * kVec;
  const bool inside = column < inner.extent;
  long in_offset, out_offset;
  kept_offsets(a, outer, a.kept_ndim - 1, in_offset, out_offset);
  const char* in = a.in + in_offset + (inside ? column : 0) * inner.stride;

  const I count = static_cast<I>(a.reduced);
  const I per_part = (count + parts - 1) / parts;
  const I begin = part * per_part < count ? part * per_part : count;
  const I end = begin + per_part < count ? begin + per_part : count;
  const I rows = blockDim.y;

  A acc[kVec];
#pragma unroll
  for (int j = 0; j < kVec; ++j) acc[j] = Op::template identity<A>();
  if (inside) {
    I r = begin + threadIdx.y;
    for (; r < end && end - r > (kFlight - 1) * rows; r += kFlight * rows) {
      long offsets[kFlight];
#pragma unroll
      for (int k = 0; k < kFlight; ++k) offsets[k] = reduced_offset(a, r + k * rows);
      Packet<T, kVec> x[kFlight];
#pragma unroll
      for (int k = 0; k < kFlight; ++k) x[k] = load_packet<T, kVec>(in + offsets[k]);
#pragma unroll
      for (int j = 0; j < kVec; ++j) {
        const T column_x[kFlight] = {x[0].x[j], x[1].x[j], x[2].x[j], x[3].x[j]};
        absorb<Op>(acc[j], column_x, r, rows);
      }
    }
    for (; r < end; r += rows) {
      const Packet<T, kVec> x = load_packet<T, kVec>(in + reduced_offset(a, r));
#pragma unroll
      for (int j = 0; j < kVec; ++j) {
        const T column_x[1] = {x.x[j]};
        absorb<Op>(acc[j], column_x, r, rows);
      }
    }
  }
  combine_columns<Op>(acc);
  if (parts > 1) {
    const long width = static_cast<long>(blockDim.x) * kVec;
    const long slots = static_cast<long>(blockIdx.x) * parts * width + threadIdx.x * kVec;
    if (threadIdx.y == 0) {
#pragma unroll
      for (int j = 0; j < kVec; ++j) store_part(a.partials, slots + part * width + j, acc[j]);
    }
    if (!last_of(a.tickets + blockIdx.x, parts)) return;
#pragma unroll
    for (int j = 0; j < kVec; ++j) {
      acc[j] = Op::template identity<A>();
      for (unsigned s = threadIdx.y; s < parts; s += blockDim.y) {
        acc[j] = Op::combine(acc[j], load_part<A>(a.partials, slots + s * width + j));
      }
    }
    combine_columns<Op>(acc);
  }
  if (inside && threadIdx.y == 0) {
#pragma unroll
    for (int j = 0; j < kVec; ++j) {
      write_result<Op, T, I>(a, out_offset + (column + j) * inner.out_stride, acc[j]);
    }
  }
}

}  // namespace cupyxx::kernels
