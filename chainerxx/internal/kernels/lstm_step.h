// SPDX-License-Identifier: MIT
// Device-safe. A step of long short-term memory with its product by the recurrent weights, for
// small batches, where a product by itself leaves most of a device idle: a warp takes four rows of
// weights and five of the batch. Backward, rows are four times as long and as few: the warps of a
// block share them.
#pragma once

#include "chainerxx/internal/kernels/lstm.h"

namespace chainerxx::internal::kernels {

/// Forward: gates += h_prev U^T, then the cells.
struct LstmStepArgs {
  const void* weights;  // U (4 units, units)
  const void* h_prev;   // (n, units)
  void* gates;          // (n, 4 units)
  LstmArgs cells;       // of gates, inner 1
  long n;
  long units;
};

/// Backward: gh += gates_after U, the gradient that the next step brings, then that of the cells.
struct LstmStepGradArgs {
  const void* weights;      // U^T (units, 4 units)
  const void* gates_after;  // (n, 4 units), gradients by the gates of the next step
  void* gh;                 // (n, units)
  LstmGradArgs cells;
  long n;
  long units;
};

/// The most warps that share rows.
constexpr int kMostStepWarps = 8;

#if defined(__CUDACC__)
/// The products of kRows rows with kBatch others, all of `size` elements, in every lane of a warp;
/// of several warps each takes the elements of its part.
template <class T>
struct WarpProducts {
  using C = Compute<T>;
  static constexpr int kRows = 4, kBatch = 5;
  C sum[kRows][kBatch] = {};

  /// Rows beyond the last repeat it.
  CUPYXX_FN WarpProducts(const T* rows, long row, long row_count, const T* batch, long first,
                         long n, long size, long part = 0, long parts = 1) {
    const T* a[kRows];
    const T* b[kBatch];
#pragma unroll
    for (int r = 0; r < kRows; ++r) a[r] = rows + (row + r < row_count ? row + r : row) * size;
#pragma unroll
    for (int k = 0; k < kBatch; ++k) b[k] = batch + (first + k < n ? first + k : first) * size;
#pragma unroll 4
    for (long i = 32 * part + threadIdx.x % 32; i < size; i += 32 * parts) {
      C x[kBatch];
#pragma unroll
      for (int k = 0; k < kBatch; ++k) x[k] = static_cast<C>(b[k][i]);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const C w = static_cast<C>(a[r][i]);
#pragma unroll
        for (int k = 0; k < kBatch; ++k) sum[r][k] += w * x[k];
      }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int k = 0; k < kBatch; ++k) sum[r][k] = warp_sum(sum[r][k]);
    }
  }

  CUPYXX_FN C at(int r, int k) const {
    C found = 0;
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
#pragma unroll
      for (int j = 0; j < kBatch; ++j) found = i == r && j == k ? sum[i][j] : found;
    }
    return found;
  }
};

/// Calls `body(tile of rows, first of the batch)` by groups, of which this thread is in `group`.
template <class T, class Body>
CUPYXX_FN void for_tiles(long rows, long n, long group, long groups, Body&& body) {
  constexpr long kBatch = WarpProducts<T>::kBatch;
  const long chunks = (n + kBatch - 1) / kBatch;
  for (long tile = group; tile < rows * chunks; tile += groups) {
    body(tile / chunks, tile % chunks * kBatch);
  }
}

/// The four rows of a unit's gates; a lane for each of its cells.
template <class T>
CUPYXX_FN void lstm_step(const LstmStepArgs& args) {
  using C = Compute<T>;
  const long warp = global_thread() / 32, warps = global_threads() / 32;
  for_tiles<T>(args.units, args.n, warp, warps, [&](long unit, long first) {
    const WarpProducts<T> products(static_cast<const T*>(args.weights), 4 * unit, 4 * args.units,
                                   static_cast<const T*>(args.h_prev), first, args.n, args.units);
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (lane >= products.kBatch || first + lane >= args.n) return;
    const long cell = (first + lane) * args.units + unit;
    T* const gates = static_cast<T*>(args.gates) + 4 * cell;
#pragma unroll
    for (int gate = 0; gate < 4; ++gate) {
      gates[gate] = T(static_cast<C>(gates[gate]) + products.at(gate, lane));
    }
    lstm_cell<T>(args.cells, cell);
  });
}

/// Rows are those of four units; a lane of the first warp for each of their cells. A block has at
/// most kMostStepWarps warps, whose sums are added in their order.
template <class T>
CUPYXX_FN void lstm_step_grad(const LstmStepGradArgs& args) {
  using C = Compute<T>;
  constexpr int kRows = WarpProducts<T>::kRows, kBatch = WarpProducts<T>::kBatch;
  __shared__ C partial[kMostStepWarps][kRows * kBatch];
  const int lane = static_cast<int>(threadIdx.x % 32), row = lane / kBatch, k = lane % kBatch;
  const int part = static_cast<int>(threadIdx.x / 32), parts = static_cast<int>(blockDim.x / 32);
  const long tiles = (args.units + kRows - 1) / kRows;
  for_tiles<T>(tiles, args.n, blockIdx.x, gridDim.x, [&](long tile, long first) {
    const long unit = tile * kRows;
    const WarpProducts<T> products(static_cast<const T*>(args.weights), unit, args.units,
                                   static_cast<const T*>(args.gates_after), first, args.n,
                                   4 * args.units, part, parts);
    if (row < kRows) partial[part][lane] = products.at(row, k);
    __syncthreads();
    if (part == 0 && row < kRows && unit + row < args.units && first + k < args.n) {
      C sum = 0;
      for (int i = 0; i < parts; ++i) sum += partial[i][lane];
      const long cell = (first + k) * args.units + unit + row;
      T* const gh = static_cast<T*>(args.gh) + cell;
      *gh = T(static_cast<C>(*gh) + sum);
      lstm_grad_cell<T>(args.cells, cell);
    }
    __syncthreads();  // the sums have been read
  });
}
#endif

}  // namespace chainerxx::internal::kernels
