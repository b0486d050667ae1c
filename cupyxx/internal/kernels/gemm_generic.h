// SPDX-License-Identifier: MIT
// Device-safe: read by the host compiler for the arguments and, embedded as text, by NVRTC.
// Matrix products of any dtype and layout, and dot products. Sums are of type A, elements of S.
#pragma once

#include "cupyxx/complex.h"
#include "cupyxx/half.h"

namespace cupyxx::kernels {

/// C = relu(A B + C + bias); distances in elements.
struct GemmArguments {
  const void* a;
  const void* b;
  void* c;
  const void* bias;  // or null
  long long m, n, k;
  long long row_a, col_a, row_b, col_b, row_c;
  long long batch, stride_a, stride_b, stride_c;
  int accumulate, relu;
};

/// The same for m = n = 1. Each block sums `chunk` products into `parts`; an only block finishes.
struct DotArguments {
  const void* a;
  const void* b;
  void* c;
  const void* bias;
  void* parts;
  long long k, step_a, step_b, chunk;
  int accumulate, relu;
};

inline constexpr int kGemmThreads = 256;
inline constexpr int kGemmTile = 32;

#if defined(__CUDACC__)

/// Sum of products for numbers, "or" of "and"s for bool.
template <bool kTruth, class A>
__device__ __forceinline__ A gemm_step(A sum, A x, A y) {
  if constexpr (kTruth) {
    return sum | (x & y);
  } else {
    return sum + x * y;
  }
}
template <bool kTruth, class A>
__device__ __forceinline__ A gemm_join(A x, A y) {
  if constexpr (kTruth) {
    return x | y;
  } else {
    return x + y;
  }
}

template <class S, class A, bool kTruth>
__device__ __forceinline__ void gemm_store(S* c, A sum, const S* bias, int accumulate, int relu) {
  if (bias) sum = gemm_join<kTruth>(sum, static_cast<A>(*bias));
  if (accumulate) sum = gemm_join<kTruth>(sum, static_cast<A>(*c));
  S value = static_cast<S>(sum);
  if (relu && value < S(0)) value = S(0);
  *c = value;
}

/// One block per tile of C; gridDim.z blocks share the batch.
template <class S, class A, bool kTruth>
__device__ void gemm(const GemmArguments& p) {
  __shared__ A a_tile[kGemmTile][kGemmTile + 1];
  __shared__ A b_tile[kGemmTile][kGemmTile + 1];
  constexpr int kHalf = kGemmTile / 2;
  const long long tiles = (p.n + kGemmTile - 1) / kGemmTile;
  const long long first_i = blockIdx.x / tiles * kGemmTile;
  const long long first_j = blockIdx.x % tiles * kGemmTile;
  const int tx = threadIdx.x % kHalf, ty = threadIdx.x / kHalf;
  for (long long item = blockIdx.z; item < p.batch; item += gridDim.z) {
    const S* a = static_cast<const S*>(p.a) + item * p.stride_a;
    const S* b = static_cast<const S*>(p.b) + item * p.stride_b;
    A sums[2][2] = {};
    for (long long first_l = 0; first_l < p.k; first_l += kGemmTile) {
      for (int t = threadIdx.x; t < kGemmTile * kGemmTile; t += kGemmThreads) {
        // Neighbouring threads read neighbouring elements.
        const int slow = t / kGemmTile, fast = t % kGemmTile;
        const int ai = p.col_a == 1 ? slow : fast, al = p.col_a == 1 ? fast : slow;
        const long long i = first_i + ai, la = first_l + al;
        a_tile[ai][al] = i < p.m && la < p.k ? static_cast<A>(a[i * p.row_a + la * p.col_a]) : A(0);
        const int bl = p.col_b == 1 ? slow : fast, bj = p.col_b == 1 ? fast : slow;
        const long long j = first_j + bj, lb = first_l + bl;
        b_tile[bl][bj] = j < p.n && lb < p.k ? static_cast<A>(b[lb * p.row_b + j * p.col_b]) : A(0);
      }
      __syncthreads();
#pragma unroll 8
      for (int l = 0; l < kGemmTile; ++l) {
        const A x0 = a_tile[ty][l], x1 = a_tile[ty + kHalf][l];
        const A y0 = b_tile[l][tx], y1 = b_tile[l][tx + kHalf];
        sums[0][0] = gemm_step<kTruth>(sums[0][0], x0, y0);
        sums[0][1] = gemm_step<kTruth>(sums[0][1], x0, y1);
        sums[1][0] = gemm_step<kTruth>(sums[1][0], x1, y0);
        sums[1][1] = gemm_step<kTruth>(sums[1][1], x1, y1);
      }
      __syncthreads();
    }
    for (int r = 0; r < 2; ++r) {
      for (int s = 0; s < 2; ++s) {
        const long long i = first_i + ty + r * kHalf, j = first_j + tx + s * kHalf;
        if (i >= p.m || j >= p.n) continue;
        gemm_store<S, A, kTruth>(static_cast<S*>(p.c) + item * p.stride_c + i * p.row_c + j,
                                 sums[r][s], p.bias ? static_cast<const S*>(p.bias) + j : nullptr,
                                 p.accumulate, p.relu);
      }
    }
  }
}

/// The sum over a block, in thread 0.
template <class A, bool kTruth>
__device__ A gemm_block_sum(A sum) {
  __shared__ A sums[kGemmThreads];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kGemmThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      sums[threadIdx.x] = gemm_join<kTruth>(sums[threadIdx.x], sums[threadIdx.x + half]);
    }
    __syncthreads();
  }
  return sums[0];
}

template <class S, class A, bool kTruth>
__device__ void dot(const DotArguments& p) {
  const S* a = static_cast<const S*>(p.a);
  const S* b = static_cast<const S*>(p.b);
  const long long begin = blockIdx.x * p.chunk;
  const long long end = begin + p.chunk < p.k ? begin + p.chunk : p.k;
  A sum = A(0);
#pragma unroll 4
  for (long long l = begin + threadIdx.x; l < end; l += kGemmThreads) {
    sum = gemm_step<kTruth>(sum, static_cast<A>(a[l * p.step_a]), static_cast<A>(b[l * p.step_b]));
  }
  sum = gemm_block_sum<A, kTruth>(sum);
  if (threadIdx.x != 0) return;
  if (gridDim.x > 1) {
    static_cast<A*>(p.parts)[blockIdx.x] = sum;
  } else {
    gemm_store<S, A, kTruth>(static_cast<S*>(p.c), sum, static_cast<const S*>(p.bias), p.accumulate,
                             p.relu);
  }
}

/// Adds up the parts of dot(); p.k of them. One block.
template <class S, class A, bool kTruth>
__device__ void dot_join(const DotArguments& p) {
  A sum = A(0);
  for (long long l = threadIdx.x; l < p.k; l += kGemmThreads) {
    sum = gemm_join<kTruth>(sum, static_cast<const A*>(p.parts)[l]);
  }
  sum = gemm_block_sum<A, kTruth>(sum);
  if (threadIdx.x == 0) {
    gemm_store<S, A, kTruth>(static_cast<S*>(p.c), sum, static_cast<const S*>(p.bias), p.accumulate,
                             p.relu);
  }
}

#endif

}  // namespace cupyxx::kernels
