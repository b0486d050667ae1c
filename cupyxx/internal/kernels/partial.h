// SPDX-License-Identifier: MIT
// Device text. What blocks that split a result leave to the last one of them.
#pragma once

namespace cupyxx::kernels {

/// An accumulator as words, for shuffles and for memory that other blocks read.
template <class A>
struct Words {
  static constexpr int kCount = (sizeof(A) + 3) / 4;
  unsigned w[kCount];
  Words() = default;
  __device__ __forceinline__ explicit Words(const A& a) {
    w[kCount - 1] = 0;
    memcpy(w, &a, sizeof(A));
  }
  __device__ __forceinline__ A value() const {
    A a;
    memcpy(&a, w, sizeof(A));
    return a;
  }
};

template <class A>
__device__ __forceinline__ void store_part(unsigned* parts, long slot, const A& a) {
  const Words<A> words(a);
#pragma unroll
  for (int i = 0; i < Words<A>::kCount; ++i) {
    __stcg(parts + slot * Words<A>::kCount + i, words.w[i]);
  }
}

template <class A>
__device__ __forceinline__ A load_part(const unsigned* parts, long slot) {
  Words<A> words;
#pragma unroll
  for (int i = 0; i < Words<A>::kCount; ++i) {
    words.w[i] = __ldcg(parts + slot * Words<A>::kCount + i);
  }
  return words.value();
}

/// True in the block that is last to arrive of `parts` blocks; what the others stored is visible.
__device__ __forceinline__ bool last_of(unsigned* ticket, unsigned parts) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    last = atomicAdd(ticket, 1u) == parts - 1;
    if (last) *ticket = 0;
  }
  __syncthreads();
  if (last) __threadfence();
  return last;
}

}  // namespace cupyxx::kernels
