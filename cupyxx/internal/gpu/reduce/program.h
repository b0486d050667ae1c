// SPDX-License-Identifier: MIT
// The programs of reductions, as the launcher, the bundle and the tests see them.
#pragma once

#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/reduction_plan.h"

namespace cupyxx::internal::gpu {

/// The templates of internal/kernels/reduce.h, and that of reduce_run.h.
enum class ReduceKernel : std::uint8_t { rows_short, rows, columns, run };
inline constexpr int kReduceKernelCount = 4;
/// Threads of a block of `run`; others have at most 256.
inline constexpr int kRunThreads = 512;

/// What chooses a program beside operation and dtype.
struct ReduceVariant {
  ReduceKernel kernel;
  bool packets = false;    // accesses of 16 bytes, 8 for 1-byte elements
  bool wide = false;       // 64-bit indices
  bool many = false;       // more axes than kernels::kFewReduceDims
  bool unrounded = false;  // the result has the type in which it is made
};

/// Elements of one access.
constexpr int packet_size(ReduceVariant variant, dtype in) {
  if (!variant.packets) return 1;
  return in.itemsize() == 1 ? 8 : 16 / static_cast<int>(in.itemsize());
}

jit::Program reduce_program(ReduceOp op, dtype in, ReduceVariant variant);

}  // namespace cupyxx::internal::gpu
