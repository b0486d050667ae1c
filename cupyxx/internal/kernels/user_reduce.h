// SPDX-License-Identifier: MIT
// Device text. The schedules of internal/kernels/reduce.h for users' reductions: several inputs of
// any types, a combination without an identity. A kernel's own text gives
//   load    load.operator()<V>(at): V neighbouring elements of each input
//   map     map(packet, e, i): the value of element e of a packet, which has number i
//   combine combine(a, b)
//   finish  finish(part, at, out): writes the outputs of result `out`
// `at` holds the byte offsets of the operands; the one behind the last counts elements in C order.
#pragma once

#include "cupyxx/internal/kernels/partial.h"
#include "cupyxx/internal/kernels/user_kernel.h"

namespace cupyxx::internal::kernels {

/// What was combined so far, if anything.
template <class R>
struct Part {
  R value;
  bool has;
};

template <class R, class Combine>
CUPYXX_FN void add(Part<R>& part, const R& value, const Combine& combine) {
  part.value = part.has ? combine(part.value, value) : value;
  part.has = true;
}

template <class R, class Combine>
CUPYXX_FN void merge(Part<R>& part, const Part<R>& other, const Combine& combine) {
  if (other.has) add(part, other.value, combine);
}

template <class I>
CUPYXX_FN I quotient(I n, const Divider& divider, i64 extent) {
  if constexpr (sizeof(I) == 4) {
    return divide(n, divider);
  } else {
    return n / static_cast<I>(extent);
  }
}

/// Adds to `at` the place of an index over the axes from `first` below `end`, for the operands in
/// the mask.
template <unsigned kMask, class I, class Args, int kCount>
CUPYXX_FN void walk(const Args& args, I index, int first, int end, i64 (&at)[kCount]) {
#pragma unroll 1
  for (int axis = end - 1; axis >= first; --axis) {
    I here = index;
    if (axis > first) {
      index = quotient(index, args.divider[axis], args.extent[axis]);
      here -= index * static_cast<I>(args.extent[axis]);
    }
#pragma unroll
    for (int k = 0; k < kCount; ++k) {
      if (kMask >> k & 1u) at[k] += static_cast<i64>(here) * args.stride[k][axis];
    }
  }
}

/// Combines a packet's elements and adds them.
template <int kVec, class R, class Packet, class Map, class Combine>
CUPYXX_FN void absorb(Part<R>& part, const Packet& packet, i64 i, i64 step, const Map& map,
                      const Combine& combine) {
  R value[kVec];
#pragma unroll
  for (int e = 0; e < kVec; ++e) value[e] = map(packet, e, i + e * step);
#pragma unroll
  for (int width = 1; width < kVec; width *= 2) {
#pragma unroll
    for (int e = 0; e + width < kVec; e += 2 * width)
      value[e] = combine(value[e], value[e + width]);
  }
  add(part, value[0], combine);
}

/// Over `lanes` neighbouring lanes, a power of two; the first has the result.
template <class R, class Combine>
CUPYXX_FN void merge_lanes(Part<R>& part, unsigned lanes, const Combine& combine) {
  for (unsigned delta = 1; delta < lanes; delta *= 2) {
    cupyxx::kernels::Words<Part<R>> words(part);
#pragma unroll
    for (int i = 0; i < words.kCount; ++i) {
      words.w[i] = __shfl_down_sync(0xffffffffu, words.w[i], delta, lanes);
    }
    // The lanes beyond the end get their own values again.
    if ((threadIdx.x & (lanes - 1)) + delta < lanes) merge(part, words.value(), combine);
  }
}

/// Over a block of at most 1024 threads; thread 0 has the result.
template <class R, class Combine>
CUPYXX_FN void merge_block(Part<R>& part, const Combine& combine) {
  __shared__ cupyxx::kernels::Words<Part<R>> warps[32];
  merge_lanes(part, 32, combine);
  const unsigned count = blockDim.x >> 5;
  if (count == 1) return;
  __syncthreads();  // an earlier use of `warps` is over
  if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = cupyxx::kernels::Words<Part<R>>(part);
  __syncthreads();
  if (threadIdx.x < 32) {
    part.has = false;
    if (threadIdx.x < count) part = warps[threadIdx.x].value();
    merge_lanes(part, 32, combine);
  }
}

template <class Args>
CUPYXX_FN i64 number_step(const Args& args, i64 axis) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of arrays.
  constexpr int kCounter = static_cast<int>(sizeof args.stride / sizeof args.stride[0]) - 1;
  return args.stride[kCounter][axis];
}

/// Rows of few elements: 2^lanes_log2 lanes share a row, each group of lanes has four in flight.
template <class R, class I, int kVec, unsigned kInputs, unsigned kPlaces, class Args, class Load,
          class Map, class Combine, class Finish>
CUPYXX_FN void user_rows_short(const Args& args, const Load& load, const Map& map,
                               const Combine& combine, const Finish& finish) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of arrays.
  constexpr int kCount = static_cast<int>(sizeof args.stride / sizeof args.stride[0]);
  constexpr int kRows = 4;
  const int first = static_cast<int>(args.kept_rank), end = static_cast<int>(args.rank);
  const unsigned lanes = 1u << args.lanes_log2;
  const unsigned lane = threadIdx.x & (lanes - 1);
  const unsigned groups = blockDim.x >> args.lanes_log2;
  const i64 top =
      static_cast<i64>(blockIdx.x) * (groups * kRows) + (threadIdx.x >> args.lanes_log2);
  i64 at[kRows][kCount];
  Part<R> part[kRows];
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    const i64 row = top + static_cast<i64>(j) * groups;
#pragma unroll
    for (int k = 0; k < kCount; ++k) at[j][k] = 0;
    // Rows beyond the end read the last one again and write nothing.
    walk<kPlaces>(args, static_cast<I>(row < args.kept ? row : args.kept - 1), 0, first, at[j]);
    part[j].has = false;
  }
  const i64 step = end > first ? number_step(args, end - 1) : 0;
  const I count = static_cast<I>(args.reduced);
  for (I r = lane * kVec; r < count; r += lanes * kVec) {
    i64 offset[kCount] = {};
    walk<kInputs>(args, r, first, end, offset);
    decltype(load.template operator()<kVec>(offset)) packet[kRows];
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      i64 place[kCount];
#pragma unroll
      for (int k = 0; k < kCount; ++k) place[k] = at[j][k] + offset[k];
      packet[j] = load.template operator()<kVec>(place);
    }
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      absorb<kVec>(part[j], packet[j], at[j][kCount - 1] + offset[kCount - 1], step, map, combine);
    }
  }
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    merge_lanes(part[j], lanes, combine);
    const i64 row = top + static_cast<i64>(j) * groups;
    if (lane == 0 && row < args.kept) finish(part[j], at[j], row);
  }
}

/// A block per row and part. `head(at)` is how many elements stand before the first aligned packet.
template <class R, class I, int kVec, unsigned kInputs, unsigned kPlaces, class Args, class Head,
          class Load, class Map, class Combine, class Finish>
CUPYXX_FN void user_rows(const Args& args, const Head& head_of, const Load& load, const Map& map,
                         const Combine& combine, const Finish& finish) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of arrays.
  constexpr int kCount = static_cast<int>(sizeof args.stride / sizeof args.stride[0]);
  constexpr int kFlight = kVec == 1 ? 8 : 4;
  const int first = static_cast<int>(args.kept_rank), end = static_cast<int>(args.rank);
  const i64 row = blockIdx.x;
  const unsigned index = blockIdx.y, parts = gridDim.y;
  const I tid = threadIdx.x, threads = blockDim.x;
  i64 at[kCount] = {};
  walk<kPlaces>(args, static_cast<I>(row), 0, first, at);
  const I count = static_cast<I>(args.reduced);
  I head = kVec > 1 && end - first == 1 ? static_cast<I>(head_of(at)) : 0;
  head = head < count ? head : count;
  const I packets = (count - head) / kVec;
  const I per_part = (packets + parts - 1) / parts;
  const I begin = index * per_part < packets ? index * per_part : packets;
  const I stop = begin + per_part < packets ? begin + per_part : packets;
  const i64 step = end > first ? number_step(args, end - 1) : 0;

  Part<R> part;
  part.has = false;
  const auto take = [&]<int kWidth>(I r) {
    i64 place[kCount];
#pragma unroll
    for (int k = 0; k < kCount; ++k) place[k] = at[k];
    walk<kInputs>(args, r, first, end, place);
    absorb<kWidth>(part, load.template operator()<kWidth>(place), place[kCount - 1], step, map,
                   combine);
  };
  if (kVec > 1 && index == 0) {
    if (tid < head) take.template operator()<1>(tid);
    const I r = head + packets * kVec + tid;
    if (r < count) take.template operator()<1>(r);
  }
  I p = begin + tid;
  for (; p < stop && stop - p > (kFlight - 1) * threads; p += kFlight * threads) {
    decltype(load.template operator()<kVec>(at)) packet[kFlight];
    i64 number[kFlight];
#pragma unroll
    for (int j = 0; j < kFlight; ++j) {
      i64 place[kCount];
#pragma unroll
      for (int k = 0; k < kCount; ++k) place[k] = at[k];
      walk<kInputs>(args, head + (p + j * threads) * kVec, first, end, place);
      packet[j] = load.template operator()<kVec>(place);
      number[j] = place[kCount - 1];
    }
#pragma unroll
    for (int j = 0; j < kFlight; ++j) {
      absorb<kVec>(part, packet[j], number[j], step, map, combine);
    }
  }
  for (; p < stop; p += threads) take.template operator()<kVec>(head + p * kVec);

  merge_block(part, combine);
  if (parts > 1) {
    const i64 slot = row * parts;
    if (tid == 0) cupyxx::kernels::store_part(args.partials, slot + index, part);
    if (!cupyxx::kernels::last_of(args.tickets + row, parts)) return;
    part.has = false;
    for (unsigned s = threadIdx.x; s < parts; s += blockDim.x) {
      merge(part, cupyxx::kernels::load_part<Part<R>>(args.partials, slot + s), combine);
    }
    merge_block(part, combine);
  }
  if (tid == 0) finish(part, at, row);
}

/// Over threadIdx.y; the threads with threadIdx.y == 0 have the results.
template <int kVec, class R, class Combine>
CUPYXX_FN void merge_columns(Part<R> (&part)[kVec], const Combine& combine) {
  __shared__ cupyxx::kernels::Words<Part<R>> shared[256];
  if (blockDim.y == 1) return;
  const unsigned place = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
  for (int e = 0; e < kVec; ++e) {
    for (unsigned half_y = blockDim.y / 2; half_y > 0; half_y /= 2) {
      __syncthreads();
      if (threadIdx.y >= half_y && threadIdx.y < 2 * half_y) {
        shared[place] = cupyxx::kernels::Words<Part<R>>(part[e]);
      }
      __syncthreads();
      if (threadIdx.y < half_y) {
        merge(part[e], shared[place + half_y * blockDim.x].value(), combine);
      }
    }
  }
}

/// Each thread has kVec neighbouring columns (the last kept axis) and every blockDim.y-th row of
/// its part. gridDim.x runs over the tiles of columns and the other kept axes.
template <class R, class I, int kVec, unsigned kInputs, unsigned kPlaces, class Args, class Load,
          class Map, class Combine, class Finish>
CUPYXX_FN void user_columns(const Args& args, const Load& load, const Map& map,
                            const Combine& combine, const Finish& finish) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of arrays.
  constexpr int kCount = static_cast<int>(sizeof args.stride / sizeof args.stride[0]);
  constexpr int kFlight = 4;
  const int first = static_cast<int>(args.kept_rank), end = static_cast<int>(args.rank);
  const int inner = first - 1;
  const unsigned index = blockIdx.y, parts = gridDim.y;
  const I tiles = static_cast<I>(args.tiles);
  const I outer = static_cast<I>(blockIdx.x) / tiles;
  const I tile = static_cast<I>(blockIdx.x) - outer * tiles;
  const i64 column = (static_cast<i64>(tile) * blockDim.x + threadIdx.x) * kVec;
  const bool inside = column < args.extent[inner];
  i64 at[kCount] = {};
  walk<kPlaces>(args, outer, 0, inner, at);
#pragma unroll
  for (int k = 0; k < kCount; ++k) at[k] += (inside ? column : 0) * args.stride[k][inner];
  const I count = static_cast<I>(args.reduced);
  const I per_part = (count + parts - 1) / parts;
  const I begin = index * per_part < count ? index * per_part : count;
  const I stop = begin + per_part < count ? begin + per_part : count;
  const I rows = blockDim.y;
  const i64 step = number_step(args, inner);

  Part<R> part[kVec];
#pragma unroll
  for (int e = 0; e < kVec; ++e) part[e].has = false;
  if (inside) {
    I r = begin + threadIdx.y;
    for (; r < stop && stop - r > (kFlight - 1) * rows; r += kFlight * rows) {
      decltype(load.template operator()<kVec>(at)) packet[kFlight];
      i64 number[kFlight];
#pragma unroll
      for (int j = 0; j < kFlight; ++j) {
        i64 place[kCount];
#pragma unroll
        for (int k = 0; k < kCount; ++k) place[k] = at[k];
        walk<kInputs>(args, r + j * rows, first, end, place);
        packet[j] = load.template operator()<kVec>(place);
        number[j] = place[kCount - 1];
      }
#pragma unroll
      for (int e = 0; e < kVec; ++e) {
        R value[kFlight];
#pragma unroll
        for (int j = 0; j < kFlight; ++j) value[j] = map(packet[j], e, number[j] + e * step);
        add(part[e], combine(combine(value[0], value[1]), combine(value[2], value[3])), combine);
      }
    }
    for (; r < stop; r += rows) {
      i64 place[kCount];
#pragma unroll
      for (int k = 0; k < kCount; ++k) place[k] = at[k];
      walk<kInputs>(args, r, first, end, place);
      const auto packet = load.template operator()<kVec>(place);
#pragma unroll
      for (int e = 0; e < kVec; ++e) {
        add(part[e], map(packet, e, place[kCount - 1] + e * step), combine);
      }
    }
  }
  merge_columns(part, combine);
  if (parts > 1) {
    const i64 width = static_cast<i64>(blockDim.x) * kVec;
    const i64 slots = static_cast<i64>(blockIdx.x) * parts * width + threadIdx.x * kVec;
    if (threadIdx.y == 0) {
#pragma unroll
      for (int e = 0; e < kVec; ++e) {
        cupyxx::kernels::store_part(args.partials, slots + index * width + e, part[e]);
      }
    }
    if (!cupyxx::kernels::last_of(args.tickets + blockIdx.x, parts)) return;
#pragma unroll
    for (int e = 0; e < kVec; ++e) {
      part[e].has = false;
      for (unsigned s = threadIdx.y; s < parts; s += blockDim.y) {
        merge(part[e], cupyxx::kernels::load_part<Part<R>>(args.partials, slots + s * width + e),
              combine);
      }
    }
    merge_columns(part, combine);
  }
  if (inside && threadIdx.y == 0) {
#pragma unroll
    for (int e = 0; e < kVec; ++e) {
      i64 place[kCount];
#pragma unroll
      for (int k = 0; k < kCount; ++k) place[k] = at[k] + e * args.stride[k][inner];
      finish(part[e], place, static_cast<i64>(outer) * args.extent[inner] + column + e);
    }
  }
}

}  // namespace cupyxx::internal::kernels
