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

/// What another block of the cluster has where `here` is.
__device__ __forceinline__ Quad peer_quad(const float* here, unsigned rank) {
  Quad value;
#if __CUDA_ARCH__ >= 900
  const auto own = static_cast<unsigned>(__cvta_generic_to_shared(here));
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(own), "r"(rank));
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x[0]), "=f"(value.x[1]), "=f"(value.x[2]), "=f"(value.x[3])
               : "r"(address)
               : "memory");
#else
  value = *reinterpret_cast<const Quad*>(here);
#endif
  return value;
}

#endif

}  // namespace cupyxx::kernels
