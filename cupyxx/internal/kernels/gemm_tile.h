// SPDX-License-Identifier: MIT
// Device-safe. Products of float32 in one launch, for results too small to fill the machine by
// themselves: the blocks of a cluster share a tile, each sums a part of the inner dimension, and
// they add their parts through shared memory in a fixed order.
#pragma once

#include "cupyxx/internal/kernels/cluster.h"

namespace cupyxx::kernels {

/// C = relu(A B + C + bias); all but A and B optional. Distances in elements.
struct GemmTileArguments {
  const float* a;
  const float* b;
  float* c;
  const float* bias;  // n elements, or null
  float* row_sums;    // m elements or null: the sums of A's rows are added to them
  long long stride_a, stride_b, stride_c;  // of the batch, gridDim.z
  int m, n, k;
  int lda, ldb, ldc;
  int tiles_n;  // tiles along n
  int split;    // blocks in a cluster
  int chunk;    // of k, for each of them; a multiple of 4
  int accumulate, relu;
  int packed_a, packed_b, packed_c;  // whether 16 bytes may be moved at once
};

inline constexpr int kTileThreads = 128;  // 8 along m, 16 along n
inline constexpr int kTileLanesM = 8, kTileLanesN = 16;
inline constexpr int kTileDepth = 16;  // of k, in one stage
inline constexpr int kTileStages = 4;
inline constexpr int kTileGap = 8;  // between rows of the finished tile, against bank conflicts

/// One operand's part of a stage. kAlong: k is the contiguous dimension in memory. kLanes threads
/// have kEach rows (or columns) each.
template <bool kAlong, int kLanes, int kEach>
struct TileSide {
  static constexpr int kExtent = kLanes * kEach;
  static constexpr int kPitch = kAlong ? kTileDepth + 4 : kExtent;
  static constexpr int kFloats = kPitch * (kAlong ? kExtent : kTileDepth);

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)
  /// Which row (or column) of the tile is a thread's i-th.
  static __device__ __forceinline__ int place(int lane, int i) {
    return kAlong ? lane + kLanes * i : i / 4 * (4 * kLanes) + lane * 4 + i % 4;
  }

  /// Starts the copy of a stage: k from `first_k` to `end_k`, rows from `first` to `end`.
  template <int kUnit>
  static __device__ __forceinline__ void copy(float* stage, const float* from, int ld, int first,
                                              int end, int first_k, int end_k) {
    constexpr int kInner = (kAlong ? kTileDepth : kExtent) / kUnit;
    constexpr int kOuter = kAlong ? kExtent : kTileDepth;
    const int first_inner = kAlong ? first_k : first, end_inner = kAlong ? end_k : end;
    const int first_outer = kAlong ? first : first_k, end_outer = kAlong ? end : end_k;
#pragma unroll(kUnit == 4 ? 8 : 1)
    for (int begin = 0; begin < kInner * kOuter; begin += kTileThreads) {
      const int unit = begin + static_cast<int>(threadIdx.x);
      if (kInner * kOuter % kTileThreads != 0 && unit >= kInner * kOuter) break;
      const int outer = unit / kInner, inner = unit % kInner * kUnit;
      int left = end_inner - (first_inner + inner);
      left = first_outer + outer < end_outer && left > 0 ? (left < kUnit ? left : kUnit) : 0;
      const float* source =
          left > 0 ? from + static_cast<long long>(first_outer + outer) * ld + first_inner + inner
                   : from;
      copy_async<kUnit * 4>(stage + outer * kPitch + inner, source, left * 4);
    }
  }

  /// A thread's elements at k, k + 1, k + 2 and k + 3 of a stage.
  static __device__ __forceinline__ void load(const float* stage, int lane, int k,
                                              float (&values)[4][kEach]) {
    if constexpr (kAlong) {
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const Quad quad = *reinterpret_cast<const Quad*>(stage + (lane + kLanes * i) * kPitch + k);
#pragma unroll
        for (int q = 0; q < 4; ++q) values[q][i] = quad.x[q];
      }
    } else {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
#pragma unroll
        for (int i = 0; i < kEach; i += 4) {
          const Quad quad =
              *reinterpret_cast<const Quad*>(stage + (k + q) * kPitch + i * kLanes + lane * 4);
#pragma unroll
          for (int r = 0; r < 4; ++r) values[q][i + r] = quad.x[r];
        }
      }
    }
  }
#endif
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

template <class Side>
__device__ __forceinline__ void copy_side(float* stage, const float* from, int ld, int first,
                                          int end, int first_k, int end_k, int packed) {
  if (packed) {
    Side::template copy<4>(stage, from, ld, first, end, first_k, end_k);
  } else {
    Side::template copy<1>(stage, from, ld, first, end, first_k, end_k);
  }
}

/// Adds up a tile's parts, one in each block of the cluster; every block finishes a share of it.
template <int kRows, int kColumns>
__device__ __forceinline__ void finish_tile(const GemmTileArguments& p, const float* part,
                                            unsigned rank, int first_i, int first_j) {
  constexpr int kRowQuads = kColumns / 4;
  constexpr int kMostSplit = 8;
  const unsigned split = static_cast<unsigned>(p.split);
  float* c = p.c + blockIdx.z * p.stride_c;
#pragma unroll 2
  for (int quad = static_cast<int>(rank * kTileThreads + threadIdx.x); quad < kRows * kRowQuads;
       quad += p.split * kTileThreads) {
    const int row = quad / kRowQuads, column = quad % kRowQuads * 4;
    const int i = first_i + row, j = first_j + column;
    if (i >= p.m || j >= p.n) continue;
    const float* here = part + row * (kColumns + kTileGap) + column;
    Quad sum;
    if (split == 1) {
      sum = *reinterpret_cast<const Quad*>(here);
    } else {
      Quad parts[kMostSplit];
#pragma unroll
      for (unsigned s = 0; s < kMostSplit; ++s) {
        if (s < split) parts[s] = peer_quad(here, s);
      }
      sum = parts[0];
#pragma unroll
      for (unsigned s = 1; s < kMostSplit; ++s) {
        if (s >= split) continue;
#pragma unroll
        for (int q = 0; q < 4; ++q) sum.x[q] += parts[s].x[q];
      }
    }
    float* to = c + static_cast<long long>(i) * p.ldc + j;
    if (p.packed_c && j + 3 < p.n) {
      if (p.accumulate) {
        const Quad old = *reinterpret_cast<const Quad*>(to);
#pragma unroll
        for (int q = 0; q < 4; ++q) sum.x[q] += old.x[q];
      }
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        if (p.bias) sum.x[q] += p.bias[j + q];
        if (p.relu && sum.x[q] < 0) sum.x[q] = 0;
      }
      *reinterpret_cast<Quad*>(to) = sum;
    } else {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        if (j + q >= p.n) continue;
        if (p.accumulate) sum.x[q] += to[q];
        if (p.bias) sum.x[q] += p.bias[j + q];
        if (p.relu && sum.x[q] < 0) sum.x[q] = 0;
        to[q] = sum.x[q];
      }
    }
  }
}

/// gridDim.x = tiles x split, in clusters of `split` blocks.
template <bool kAlongA, bool kAlongB, int kEachM, int kEachN>
__device__ __forceinline__ void gemm_tile(const GemmTileArguments& p) {
  using SideA = TileSide<kAlongA, kTileLanesM, kEachM>;
  using SideB = TileSide<kAlongB, kTileLanesN, kEachN>;
  constexpr int kRows = SideA::kExtent, kColumns = SideB::kExtent;
  constexpr int kStage = SideA::kFloats + SideB::kFloats;
  float* const memory = block_memory();
  const unsigned rank = cluster_rank();
  const int thread = static_cast<int>(threadIdx.x);
  // A warp has 4 x 8 places; neighbouring lanes share one along m or n, so that a warp's load of 16
  // bytes a lane takes two passes over the banks.
  const int lane = thread % 32, warp = thread / 32;
  const int ty = warp / 2 * 4 + lane % 2 + lane / 16 * 2;
  const int tx = warp % 2 * 8 + lane / 2 % 8;

  const int tile = static_cast<int>(blockIdx.x) / p.split;
  const int first_i = tile / p.tiles_n * kRows, first_j = tile % p.tiles_n * kColumns;
  const float* const a = p.a + blockIdx.z * p.stride_a;
  const float* const b = p.b + blockIdx.z * p.stride_b;
  const int first_k = static_cast<int>(rank) * p.chunk;
  const int end_k = first_k + p.chunk < p.k ? first_k + p.chunk : p.k;
  const int steps = (p.chunk + kTileDepth - 1) / kTileDepth;
  const auto start = [&](int step) {
    if (step < steps) {
      float* const stage = memory + step % kTileStages * kStage;
      const int k = first_k + step * kTileDepth;
      copy_side<SideA>(stage, a, p.lda, first_i, p.m, k, end_k, p.packed_a);
      copy_side<SideB>(stage + SideA::kFloats, b, p.ldb, first_j, p.n, k, end_k, p.packed_b);
    }
    commit_copies();
  };

  const bool sums_rows = p.row_sums != nullptr && first_j == 0 && thread < kRows;
  float row_sum = 0;
  float sums[kEachM][kEachN] = {};
#pragma unroll
  for (int step = 0; step < kTileStages - 1; ++step) start(step);
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    await_copies<kTileStages - 2>();
    __syncthreads();  // the stage has arrived, and all are done with the one before
    start(step + kTileStages - 1);
    const float* const stage = memory + step % kTileStages * kStage;
    if (sums_rows) {
#pragma unroll
      for (int k = 0; k < kTileDepth; ++k) {
        row_sum += stage[kAlongA ? thread * SideA::kPitch + k : k * SideA::kPitch + thread];
      }
    }
#pragma unroll
    for (int k = 0; k < kTileDepth; k += 4) {
      float x[4][kEachM], y[4][kEachN];
      SideA::load(stage, ty, k, x);
      SideB::load(stage + SideA::kFloats, tx, k, y);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
#pragma unroll
        for (int i = 0; i < kEachM; ++i) {
#pragma unroll
          for (int j = 0; j < kEachN; ++j) sums[i][j] = fmaf(x[q][i], y[q][j], sums[i][j]);
        }
      }
    }
  }

  await_copies<0>();
  __syncthreads();
  constexpr int kPitch = kColumns + kTileGap;
#pragma unroll
  for (int i = 0; i < kEachM; ++i) {
#pragma unroll
    for (int j = 0; j < kEachN; ++j) {
      memory[SideA::place(ty, i) * kPitch + SideB::place(tx, j)] = sums[i][j];
    }
  }
  float* const row_parts = memory + kRows * kPitch;  // a quad each
  if (sums_rows) row_parts[thread * 4] = row_sum;
  if (p.split == 1) {
    __syncthreads();
  } else {
    cluster_barrier();
  }
  finish_tile<kRows, kColumns>(p, memory, rank, first_i, first_j);
  if (sums_rows && rank == 0 && first_i + thread < p.m) {
    for (int s = 1; s < p.split; ++s) {
      row_sum += peer_quad(row_parts + thread * 4, static_cast<unsigned>(s)).x[0];
    }
    p.row_sums[first_i + thread] += row_sum;
  }
  if (p.split > 1) cluster_barrier();  // nobody leaves while others read
}

#endif

}  // namespace cupyxx::kernels
