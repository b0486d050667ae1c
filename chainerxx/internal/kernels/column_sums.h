// SPDX-License-Identifier: MIT
// Device-safe. Adds the sums of a matrix's columns to a vector: the gradient of a bias.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

struct ColumnSumsArgs {
  const void* matrix;  // rows x columns, contiguous
  void* out;           // columns
  long rows;
  long columns;
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
#endif

}  // namespace chainerxx::internal::kernels
