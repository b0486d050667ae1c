// SPDX-License-Identifier: MIT
// Device-safe. Adds the sums of a matrix's columns to a vector: the gradient of a bias.
#pragma once

#include "chainerxx/internal/kernels/pack.h"
#include "chainerxx/internal/kernels/sum_of_parts.h"

namespace chainerxx::internal::kernels {

struct ColumnSumsArgs {
  const void* matrix;  // rows x columns, contiguous
  void* out;           // columns
  long rows;
  long columns;
  void* parts = nullptr;  // part_count x columns, of the type that sums are computed in
  long part_count = 0;
};

#if defined(__CUDACC__)
/// A block of 32 x 8 threads takes 32 columns; the order of the sum is fixed.
template <class T>
CUPYXX_FN void column_sums(const ColumnSumsArgs& args) {
  using C = Compute<T>;
  __shared__ C partial[8][33];
  const T* const matrix = static_cast<const T*>(args.matrix);
  T* const out = static_cast<T*>(args.out);
  const long column = static_cast<long>(blockIdx.x) * 32 + threadIdx.x;
  C sum = 0;
  if (column < args.columns) {
    for (long row = threadIdx.y; row < args.rows; row += 8) {
      sum += static_cast<C>(matrix[row * args.columns + column]);
    }
  }
  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= args.columns) return;
  for (int k = 1; k < 8; ++k) sum += partial[k][threadIdx.x];
  out[column] = T(static_cast<C>(out[column]) + sum);
}

/// The sums of a part of the rows, to row blockIdx.y of `parts`, for columns that are a multiple of
/// a pack: a block of 32 x 8 threads takes 32 packs of columns, each thread every so many-th row.
template <class T>
CUPYXX_FN void column_sum_parts(const ColumnSumsArgs& args) {
  using C = Compute<T>;
  constexpr int kWidth = kPackWidth<T>, kAhead = 4;  // rows that are read at once
  constexpr int kColumns = 32 * kWidth;
  __shared__ C partial[8][kColumns];
  const T* const matrix = static_cast<const T*>(args.matrix);
  const long begin = static_cast<long>(blockIdx.x) * kColumns;
  const long place = begin + static_cast<long>(threadIdx.x) * kWidth, n = args.columns;
  const long step = static_cast<long>(gridDim.y) * 8;
  C sum[kWidth] = {};
  const auto add = [&](const Pack<T, kWidth>& pack) {
#pragma unroll
    for (int i = 0; i < kWidth; ++i) sum[i] += static_cast<C>(pack.x[i]);
  };
  if (place < n) {
    long row = static_cast<long>(blockIdx.y) * 8 + threadIdx.y;
    for (; row + (kAhead - 1) * step < args.rows; row += kAhead * step) {
      Pack<T, kWidth> packs[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        packs[k] = pack_at<T, kWidth>(matrix, (row + k * step) * n + place);
      }
#pragma unroll
      for (int k = 0; k < kAhead; ++k) add(packs[k]);
    }
    for (; row < args.rows; row += step) add(pack_at<T, kWidth>(matrix, row * n + place));
  }
#pragma unroll
  for (int i = 0; i < kWidth; ++i) partial[threadIdx.y][threadIdx.x * kWidth + i] = sum[i];
  __syncthreads();
  C* const part = static_cast<C*>(args.parts) + static_cast<long>(blockIdx.y) * n;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < kColumns && begin + i < n; i += 256) {
    C all = partial[0][i];
    for (int k = 1; k < 8; ++k) all += partial[k][i];
    part[begin + i] = all;
  }
}

/// Adds the parts to `out`, which is of their type.
template <class T>
CUPYXX_FN void add_column_parts(const ColumnSumsArgs& args) {
  using C = Compute<T>;
  const long column = static_cast<long>(blockIdx.x) * kPartColumns + threadIdx.x;
  const double sum =
      sum_of_parts(static_cast<const C*>(args.parts), args.part_count, args.columns, column);
  if (threadIdx.y != 0 || column >= args.columns) return;
  C* const out = static_cast<C*>(args.out) + column;
  *out = static_cast<C>(static_cast<double>(*out) + sum);
}
#endif

}  // namespace chainerxx::internal::kernels
