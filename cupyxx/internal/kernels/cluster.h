// SPDX-License-Identifier: MIT
// Device-safe. Copies into shared memory beside the arithmetic, and clusters: blocks that read each
// other's shared memory. Below compute capability 9.0 every block is a cluster of its own.
#pragma once

namespace cupyxx::kernels {

/// Four floats that travel together.
struct alignas(16) Quad {
  float x[4];
};

#if defined(__CUDACC__)

/// The dynamic shared memory of the block.
__device__ __forceinline__ float* block_memory() {
  extern __shared__ Quad memory[];
  return memory[0].x;
}

/// Starts a copy of `bytes` bytes into shared memory; the rest of the kBytes there becomes zero.
template <int kBytes>
__device__ __forceinline__ void copy_async(float* to, const float* from, int bytes) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
                 "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from),
                 "r"(bytes)
                 : "memory");
  }
}
/// The same of 16 bytes, where a condition holds; without a branch.
__device__ __forceinline__ void copy_async_if(bool holds, float* to, const float* from, int bytes) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile(
      "{\n\t.reg .pred holds;\n\tsetp.ne.b32 holds, %0, 0;\n\t"
      "@holds cp.async.cg.shared.global [%1], [%2], 16, %3;\n\t}" ::"r"(static_cast<int>(holds)),
      "r"(address), "l"(from), "r"(bytes)
      : "memory");
}
/// Ends a group of copies.
__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits for the thread's own copies, but for those of the last kLeft groups.
template <int kLeft>
__device__ __forceinline__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

/// The number of the block in its cluster.
__device__ __forceinline__ unsigned cluster_rank() {
#if __CUDA_ARCH__ >= 900
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#else
  return 0;
#endif
}

/// Waits for all threads of the cluster; what they stored is visible then.
__device__ __forceinline__ void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
#else
  __syncthreads();
#endif
}

/// The halves of a barrier: what was done before the first is visible behind the second.
__device__ __forceinline__ void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
}
__device__ __forceinline__ void cluster_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

/// Stores into another block of the cluster, at the place that `to` is here.
__device__ __forceinline__ void send_quad(float* to, unsigned rank, const Quad& value) {
#if __CUDA_ARCH__ >= 900
  const auto own = static_cast<unsigned>(__cvta_generic_to_shared(to));
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(own), "r"(rank));
  asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(value.x[0]),
               "f"(value.x[1]), "f"(value.x[2]), "f"(value.x[3])
               : "memory");
#else
  *reinterpret_cast<Quad*>(to) = value;
#endif
}
__device__ __forceinline__ void send_float(float* to, unsigned rank, float value) {
#if __CUDA_ARCH__ >= 900
  const auto own = static_cast<unsigned>(__cvta_generic_to_shared(to));
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(own), "r"(rank));
  asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
#else
  *to = value;
#endif
}

/// For kernels that were launched to begin before the one before them has ended: waits for it and
/// for all that it stored.
__device__ __forceinline__ void await_kernel_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// Lets a kernel begin that waits for this one by await_kernel_before().
__device__ __forceinline__ void allow_next_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

#endif

}  // namespace cupyxx::kernels
