// SPDX-License-Identifier: MIT
// Device text. One result of one contiguous run, which all blocks split: more loads under way than
// reduce_rows has, for elements of two bytes, of which a load brings many.
#pragma once

#include "cupyxx/internal/kernels/reduce.h"

namespace cupyxx::kernels {

/// A block has kThreads. Packets start where the run is aligned; the first block takes the elements
/// before and after them singly.
template <class Op, class T, class I, int kVec, int kThreads, int kDims>
__device__ __forceinline__ void reduce_run(const ReduceArgs<kDims>& a) {
  using A = typename Op::template Acc<T, I>;
  constexpr int kFlight = 8;
  constexpr I kStep = kThreads;
  constexpr unsigned kBytes = kVec * sizeof(T);
  const unsigned part = blockIdx.y, parts = gridDim.y;
  const I tid = threadIdx.x, count = static_cast<I>(a.reduced);
  const unsigned beyond = static_cast<unsigned>(reinterpret_cast<unsigned long>(a.in)) % kBytes;
  const I before = beyond == 0 ? 0 : (kBytes - beyond) / static_cast<unsigned>(sizeof(T));
  const I head = before < count ? before : count;
  const I packets = (count - head) / kVec;
  const I per_part = (packets + parts - 1) / parts;
  const I begin = part * per_part < packets ? part * per_part : packets;
  const I end = begin + per_part < packets ? begin + per_part : packets;
  const char* const first = a.in + head * sizeof(T);
  const auto load = [first](I p) {
    return load_packet<T, kVec>(first + static_cast<unsigned long>(p) * kBytes);
  };

  A acc = Op::template identity<A>();
  I p = begin + tid;
  for (; p < end && end - p > (kFlight - 1) * kStep; p += kFlight * kStep) {
    Packet<T, kVec> x[kFlight];
#pragma unroll
    for (int k = 0; k < kFlight; ++k) x[k] = load(p + k * kStep);
#pragma unroll
    for (int k = 0; k < kFlight; ++k) {
      absorb<Op>(acc, x[k].x, head + (p + k * kStep) * kVec, I(1));
    }
  }
  for (; p < end; p += kStep) absorb<Op>(acc, load(p).x, head + p * kVec, I(1));
  if (part == 0) {
    const T* const elements = reinterpret_cast<const T*>(a.in);
    const I after = head + packets * kVec + tid;
    if (tid < head) {
      const T x[1] = {elements[tid]};
      absorb<Op>(acc, x, tid, I(1));
    }
    if (after < count) {
      const T x[1] = {elements[after]};
      absorb<Op>(acc, x, after, I(1));
    }
  }

  acc = combine_block<Op>(acc);
  if (tid == 0) store_part(a.partials, part, acc);
  if (!last_of(a.tickets, parts)) return;
  acc = Op::template identity<A>();
  for (unsigned s = threadIdx.x; s < parts; s += kThreads) {
    acc = Op::combine(acc, load_part<A>(a.partials, s));
  }
  acc = combine_block<Op>(acc);
  if (tid == 0) write_result<Op, T, I>(a, 0, acc);
}

}  // namespace cupyxx::kernels
