// SPDX-License-Identifier: MIT
// Device-safe: read by the host compiler and, embedded as text, by NVRTC. What the kernels of this
// folder share: the type they compute in, mathematics `m::`, and sums over a block.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace chainerxx::internal::kernels {

template <class T>
struct ComputeOf {
  using type = T;
};
template <>
struct ComputeOf<cupyxx::half> {
  using type = float;
};
template <>
struct ComputeOf<cupyxx::bfloat16> {
  using type = float;
};
/// float for float16 and bfloat16, else the type itself.
template <class T>
using Compute = typename ComputeOf<T>::type;

namespace m = cupyxx::ops::m;

template <class C>
CUPYXX_FN C minus_infinity() {
  return -m::exp(C(1000));
}

CUPYXX_FN float erf(float x) { return ::erff(x); }
CUPYXX_FN double erf(double x) { return ::erf(x); }

#if defined(__CUDACC__)
CUPYXX_FN long global_thread() { return static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; }
CUPYXX_FN long global_threads() { return static_cast<long>(gridDim.x) * blockDim.x; }

/// The sum over a warp, in every lane.
template <class T>
CUPYXX_FN T warp_sum(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(0xffffffffu, value, lanes);
  return value;
}
template <class T>
CUPYXX_FN T warp_max(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    const T other = __shfl_xor_sync(0xffffffffu, value, lanes);
    value = other > value || other != other ? other : value;
  }
  return value;
}

/// The warps' values, each in the lane of its warp's number, and `missing` in the lanes beyond.
template <class T>
CUPYXX_FN T exchange_in_block(T value, T missing) {
  __shared__ T partial[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  __syncthreads();  // earlier ones have been read
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  return lane < blockDim.x / 32 ? partial[lane] : missing;
}

/// The sum over a block of up to 1024 threads, in every thread; the order is fixed.
template <class T>
CUPYXX_FN T block_sum(T value) {
  return warp_sum(exchange_in_block(warp_sum(value), T(0)));
}
template <class T>
CUPYXX_FN T block_max(T value) {
  value = warp_max(value);
  return warp_max(exchange_in_block(value, value));
}
#endif

}  // namespace chainerxx::internal::kernels
