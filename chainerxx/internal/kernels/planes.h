// SPDX-License-Identifier: MIT
// Device-safe. A bias on the channels of (outer, channels, inner) arrays, and its gradient. The
// bias may be float32 beside narrow planes.
#pragma once

#include "chainerxx/internal/kernels/channel_rows.h"
#include "chainerxx/internal/kernels/parameters.h"
#include "chainerxx/internal/kernels/pooling.h"

namespace chainerxx::internal::kernels {

struct PlanesArgs {
  void* planes;   // (outer, channels, inner), contiguous
  void* channel;  // (channels,)
  long outer;
  long channels;
  long inner;
  int wide = 0;                  // whether channel is float32 beside narrower planes
  long splits = 0;               // of the rows, for their sums
  double* partials = nullptr;    // splits x channels
  const void* result = nullptr;  // of a ReLU, like planes; or marked places of maxima (pooling.h)
  void* masked = nullptr;        // gets the planes where the result is positive, else 0
};

/// What of the planes is added up.
enum class Summed { all, where_positive, where_unmarked };

#if defined(__CUDACC__)
/// planes += channel; a block takes one plane after another.
template <class T>
CUPYXX_FN void add_to_planes(const PlanesArgs& args) {
  using C = Compute<T>;
  for (long plane = blockIdx.x; plane < args.outer * args.channels; plane += gridDim.x) {
    T* const at = static_cast<T*>(args.planes) + plane * args.inner;
    const C value = parameter_at<T>(args.channel, plane % args.channels, args.wide);
    for (long i = threadIdx.x; i < args.inner; i += blockDim.x)
      at[i] = T(static_cast<C>(at[i]) + value);
  }
}

/// channel += the sum over outer and inner; a block takes one channel after another, and a warp of
/// it one plane after another.
template <class T>
CUPYXX_FN void plane_sums(const PlanesArgs& args) {
  using C = Compute<T>;
  for (long c = blockIdx.x; c < args.channels; c += gridDim.x) {
    double sum = 0;
    for (long o = threadIdx.x / 32; o < args.outer; o += blockDim.x / 32) {
      const T* const at = static_cast<const T*>(args.planes) + (o * args.channels + c) * args.inner;
      C part = 0;
      for (long i = threadIdx.x % 32; i < args.inner; i += 32) part += static_cast<C>(at[i]);
      sum += static_cast<double>(part);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) add_to_parameter<T>(args.channel, c, args.wide, sum);
  }
}

/// planes += channel where inner is 1.
template <class T, int kWidth>
CUPYXX_FN void add_to_rows(const PlanesArgs& args) {
  using C = Compute<T>;
  constexpr int kRows = 4;
  const long c = first_channel<kWidth>();
  if (c >= args.channels) return;
  C bias[kWidth];
  for (int i = 0; i < kWidth; ++i) bias[i] = parameter_at<T>(args.channel, c + i, args.wide);
  const long step = static_cast<long>(gridDim.x) * blockDim.y;
  for_strips<kRows, false>(args.outer, args.channels, step, c, [&](const auto& strip) {
    RowPacks<T, kWidth, kRows> x(args.planes, strip);
    x.for_each(strip,
               [&](int k, int i) { x.row[k].x[i] = T(static_cast<C>(x.row[k].x[i]) + bias[i]); });
    x.store(args.planes, strip);
  });
}

/// The sums of some rows, one split of them a block, where inner is 1. Where the result is
/// positive, the masked planes are made on the way.
template <class T, int kWidth, Summed kSummed = Summed::all>
CUPYXX_FN void row_sums(const PlanesArgs& args) {
  using C = Compute<T>;
  constexpr int kRows = kSummed == Summed::all ? 8 : 4;
  __shared__ BlockSums<kWidth, 1> sums;
  sums.clear();
  const long c = first_channel<kWidth>();
  if (c < args.channels) {
    C part[kWidth] = {};
    int pending = 0;
    for_strips<kRows, false>(
        args.outer, args.channels, args.splits * blockDim.y, c, [&](const auto& strip) {
          RowPacks<T, kWidth, kRows> x(args.planes, strip);
          if constexpr (kSummed == Summed::where_unmarked) {
            const RowPacks<unsigned char, kWidth, kRows> places(args.result, strip);
            x.for_each(strip, [&](int k, int i) {
              if (places.row[k].x[i] & kNotPositive) x.row[k].x[i] = T(C(0));
            });
          }
          if constexpr (kSummed == Summed::where_positive) {
            const RowPacks<T, kWidth, kRows> y(args.result, strip);
            x.for_each(strip, [&](int k, int i) {
              if (!(static_cast<C>(y.row[k].x[i]) > C(0))) x.row[k].x[i] = T(C(0));
            });
            x.store(args.masked, strip);
          }
          x.for_each(strip, [&](int k, int i) { part[i] += static_cast<C>(x.row[k].x[i]); });
          pending += kRows;
          if (pending < kRowsPerSum) return;
          pending = 0;
          sums.take(0, part);
        });
    sums.take(0, part);
  }
  sums.finish([&](long channel, const double(&sum)[1]) {
    if (channel < args.channels) args.partials[blockIdx.x * args.channels + channel] = sum[0];
  });
}

/// channel += the sums of the splits, in a fixed order; a warp a channel.
template <class T>
CUPYXX_FN void add_row_sums(const PlanesArgs& args) {
  for (long c = global_thread() / 32; c < args.channels; c += global_threads() / 32) {
    double sum = 0;
    for (long s = threadIdx.x % 32; s < args.splits; s += 32) {
      sum += args.partials[s * args.channels + c];
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) add_to_parameter<T>(args.channel, c, args.wide, sum);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
