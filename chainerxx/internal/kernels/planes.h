// SPDX-License-Identifier: MIT
// Device-safe. A bias on the channels of (outer, channels, inner) arrays, and its gradient.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

struct PlanesArgs {
  void* planes;   // (outer, channels, inner), contiguous
  void* channel;  // (channels,)
  long outer;
  long channels;
  long inner;
};

#if defined(__CUDACC__)
/// planes += channel; a block takes one plane after another.
template <class T>
CUPYXX_FN void add_to_planes(const PlanesArgs& args) {
  using C = Compute<T>;
  for (long plane = blockIdx.x; plane < args.outer * args.channels; plane += gridDim.x) {
    T* const at = static_cast<T*>(args.planes) + plane * args.inner;
    const C value = static_cast<C>(static_cast<const T*>(args.channel)[plane % args.channels]);
    for (long i = threadIdx.x; i < args.inner; i += blockDim.x)
      at[i] = T(static_cast<C>(at[i]) + value);
  }
}

/// channel += the sum over outer and inner; a block takes one channel after another, and a warp of
/// it one plane after another.
template <class T>
CUPYXX_FN void plane_sums(const PlanesArgs& args) {
  using C = Compute<T>;
  T* const out = static_cast<T*>(args.channel);
  for (long c = blockIdx.x; c < args.channels; c += gridDim.x) {
    double sum = 0;
    for (long o = threadIdx.x / 32; o < args.outer; o += blockDim.x / 32) {
      const T* const at = static_cast<const T*>(args.planes) + (o * args.channels + c) * args.inner;
      C part = 0;
      for (long i = threadIdx.x % 32; i < args.inner; i += 32) part += static_cast<C>(at[i]);
      sum += static_cast<double>(part);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
      out[c] = T(static_cast<C>(static_cast<double>(static_cast<C>(out[c])) + sum));
    }
  }
}
#endif

}  // namespace chainerxx::internal::kernels
