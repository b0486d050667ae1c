// SPDX-License-Identifier: MIT
// The programs of reductions, as the launcher, the bundle and the tests see them.
#pragma once

#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/reduction_plan.h"

namespace cupyxx::internal::gpu {

/// The templates of internal/kernels/reduce.h.
enum class ReduceKernel : std::uint8_t { rows_short, rows, columns };
inline constexpr int kReduceKernelCount = 3;

/// What chooses a program beside operation and dtype.
struct ReduceVariant {
  ReduceKernel kernel;
  bool packets = false;  // 16-byte accesses (columns of 1-byte elements: 8)
  bool wide = false;     // 64-bit indices
};

/// Elements of one access.
constexpr int packet_size(ReduceVariant variant, dtype in) {
  if (!variant.packets) return 1;
  const int elements = 16 / static_cast<int>(in.itemsize());
  return variant.kernel == ReduceKernel::columns && elements > 8 ? 8 : elements;
}

jit::Program reduce_program(ReduceOp op, dtype in, ReduceVariant variant);

}  // namespace cupyxx::internal::gpu
