// SPDX-License-Identifier: MIT
// The sources of the product kernels; no device is needed to make them.
#pragma once

#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

enum class GemmKernel { gemm, dot, dot_join };

/// The source of a kernel for a dtype.
jit::Program gemm_program(GemmKernel kernel, cupyxx::dtype dtype);

/// One kernel of kernels/gemm_tile.h: whether the inner dimension is the contiguous one of A and of
/// B, and how many rows and columns a thread has.
struct TileVariant {
  bool along_a, along_b;
  int each_m, each_n;
};
jit::Program gemm_tile_program(const TileVariant& variant);
/// Its dynamic shared memory.
unsigned gemm_tile_bytes(const TileVariant& variant);

/// Those that everybody uses, for the kernel bundle.
std::vector<jit::Program> common_gemm_programs();

}  // namespace cupyxx::internal::gpu
