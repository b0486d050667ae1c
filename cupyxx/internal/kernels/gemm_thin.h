// SPDX-License-Identifier: MIT
// Device-safe. Products of a few rows by a large matrix whose factors may be rounded to 10 bits
// (TF32): each element of the matrix goes once from memory to the registers of the tensor cores.
// Warps divide the inner dimension, and so do the blocks of a cluster; their sums are added in a
// fixed order.
#pragma once

#include "cupyxx/internal/kernels/cluster.h"

namespace cupyxx::kernels {

/// C = relu(A B + C + bias); all but A and B optional. Distances in elements. Of A, and of B along
/// its contiguous dimension, two neighbours are read at a time: pointers are multiples of 8 bytes,
/// lda, ldb, k and, unless k is contiguous in B, n are even.
struct GemmThinArguments {
  const float* a;
  const float* b;
  float* c;
  const float* bias;  // n elements, or null
  int m, n, k;
  int lda, ldb, ldc;
  int split;  // blocks in a cluster
  int chunk;  // of k, for each of them; a multiple of 8
  int accumulate, relu;
};

inline constexpr int kThinColumns = 32;  // of a block
inline constexpr int kThinWarps = 8;

/// Floats of shared memory: sums of all warps, and those that other blocks send.
inline constexpr int thin_floats(int row_tiles, int split) {
  const int elements = kThinColumns * 8 * row_tiles;
  return kThinWarps * elements + (split == 1 ? 0 : (elements + split - 1) / split * split);
}

#if defined(__CUDACC__)

__device__ __forceinline__ unsigned as_tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

__device__ __forceinline__ void multiply_tf32(float (&sum)[4], const unsigned (&a)[4], unsigned b0,
                                              unsigned b1) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ float2 pair_if(bool holds, const float* at) {
  return holds ? *reinterpret_cast<const float2*>(at) : float2{0, 0};
}

/// kAlongB: k is the contiguous dimension of B. The block has kRowTiles times eight rows of C, all
/// there are. gridDim.x = tiles of columns x split, in clusters of `split` blocks.
///
/// The columns of C are the rows of what the tensor cores multiply. Lanes 4 g + t take pairs of k,
/// 2 t and 2 t + 1 in place of t and t + 4, and if n is contiguous pairs of columns, 2 g and
/// 2 g + 1 in place of g and g + 8.
template <bool kAlongB, int kRowTiles>
__device__ __forceinline__ void gemm_thin(const GemmThinArguments& p) {
  constexpr int kTiles = kThinColumns / 16, kTurns = 2, kStep = 8 * kThinWarps;
  constexpr int kElements = kThinColumns * 8 * kRowTiles, kThreads = 32 * kThinWarps;
  float* const memory = block_memory();
  float* const mail = memory + kThinWarps * kElements;
  const int rank = static_cast<int>(cluster_rank()), split = p.split;
  if (split > 1) cluster_arrive();
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  const int g = lane / 4, t = lane % 4;
  const int first_j = static_cast<int>(blockIdx.x) / split * kThinColumns;
  const int end_k = (rank + 1) * p.chunk < p.k ? (rank + 1) * p.chunk : p.k;
  float sum[kTiles][kRowTiles][4] = {};

  await_kernel_before();
  allow_next_kernel();

#pragma unroll 1
  for (int first = rank * p.chunk + warp * 8; first < end_k; first += kTurns * kStep) {
    float2 x[kTurns][kRowTiles], w[kTurns][kTiles][2];
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
      const int k = first + turn * kStep + 2 * t;
      const bool is_on = k < end_k;  // and so is k + 1: both ends are even
#pragma unroll
      for (int i = 0; i < kTiles; ++i) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int j = first_j + 16 * i + (kAlongB ? g + 8 * half : 2 * g);
          const long long row = kAlongB ? j : k + half;
          w[turn][i][half] = pair_if(is_on && j < p.n, p.b + row * p.ldb + (kAlongB ? k : j));
        }
      }
#pragma unroll
      for (int i = 0; i < kRowTiles; ++i) {
        const int row = 8 * i + g;
        x[turn][i] = pair_if(is_on && row < p.m, p.a + static_cast<long long>(row) * p.lda + k);
      }
    }
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
#pragma unroll
      for (int i = 0; i < kTiles; ++i) {
        const float2 one = w[turn][i][0], other = w[turn][i][1];
        const unsigned factor[4] = {as_tf32(one.x), as_tf32(kAlongB ? other.x : one.y),
                                    as_tf32(kAlongB ? one.y : other.x), as_tf32(other.y)};
#pragma unroll
        for (int r = 0; r < kRowTiles; ++r) {
          multiply_tf32(sum[i][r], factor, as_tf32(x[turn][r].x), as_tf32(x[turn][r].y));
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < kTiles; ++i) {
#pragma unroll
    for (int r = 0; r < kRowTiles; ++r) {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        memory[warp * kElements + ((i * kRowTiles + r) * 4 + q) * 32 + lane] = sum[i][r][q];
      }
    }
  }
  __syncthreads();
  if (split > 1) cluster_wait();  // the others have begun
  // Where element e of the tile is summed up: the sums of warps here, those of blocks in block
  // e / box.
  const int box = (kElements + split - 1) / split;
  const auto write = [&](int e, float value) {
    const int from = e % 32, q = e / 32 % 4, r = e / 128 % kRowTiles, i = e / 128 / kRowTiles;
    const int inner = kAlongB ? from / 4 + q / 2 * 8 : from / 4 * 2 + q / 2;
    const int row = 8 * r + 2 * (from % 4) + q % 2, j = first_j + 16 * i + inner;
    if (row >= p.m || j >= p.n) return;
    float* const to = p.c + static_cast<long long>(row) * p.ldc + j;
    if (p.accumulate) value += *to;
    if (p.bias != nullptr) value += p.bias[j];
    *to = p.relu && value < 0 ? 0 : value;
  };
  for (int e = thread; e < kElements; e += kThreads) {
    float value = memory[e];
#pragma unroll
    for (int i = 1; i < kThinWarps; ++i) value += memory[i * kElements + e];
    if (split == 1) {
      write(e, value);
    } else {
      send_float(mail + rank * box + e % box, static_cast<unsigned>(e / box), value);
    }
  }
  if (split == 1) return;
  cluster_barrier();
  for (int own = thread; own < box && rank * box + own < kElements; own += kThreads) {
    float value = mail[own];
    for (int i = 1; i < split; ++i) value += mail[i * box + own];
    write(rank * box + own, value);
  }
}

#endif

}  // namespace cupyxx::kernels
