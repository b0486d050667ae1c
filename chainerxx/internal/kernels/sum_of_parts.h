// SPDX-License-Identifier: MIT
// Device-safe. What the blocks of another kernel have left as sums of their own, one row each, is
// added up by columns.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

/// The threads of a block: a warp has four rows of eight columns.
inline constexpr unsigned kPartColumns = 8, kPartRows = 128;

#if defined(__CUDACC__)
/// The sum of a column of `count` rows of parts, in a block of kPartColumns x kPartRows
/// threads; whole for those of threadIdx.y 0. The order is fixed.
template <class C>
CUPYXX_FN double sum_of_parts(const C* parts, long count, long columns, long column) {
  __shared__ double partial[32][9];
  double sum = 0;
  if (column < columns) {
#pragma unroll 4
    for (long i = threadIdx.y; i < count; i += kPartRows) {
      sum += static_cast<double>(parts[i * columns + column]);
    }
  }
  const auto add_four_rows = [&] {  // of a warp
    for (int lanes = 16; lanes >= 8; lanes /= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
  };
  add_four_rows();
  partial[threadIdx.y / 4][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y >= 4) return 0;
  sum = 0;
  for (unsigned k = threadIdx.y; k < 32; k += 4) sum += partial[k][threadIdx.x];
  add_four_rows();
  return sum;
}
#endif

}  // namespace chainerxx::internal::kernels
