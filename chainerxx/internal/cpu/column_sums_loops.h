// SPDX-License-Identifier: MIT
// The loop of column_sums.cc, once per instruction set.
#pragma once

#include <cstdint>

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal::cpu {

/// Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct ColumnSumsLoops {
  using C = kernels::Compute<T>;
  /// sums[c] += matrix[r * stride + c] for all rows and columns.
  static void add_rows(const T* matrix, C* sums, std::int64_t rows, std::int64_t stride,
                       std::int64_t columns);
};

}  // namespace chainerxx::internal::cpu
