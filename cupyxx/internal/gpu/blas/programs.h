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
/// B, and how a tile is divided (kernels::TileShape).
struct TileVariant {
  bool along_a, along_b;
  int lanes_m, lanes_n, each_m, each_n, groups;
  int number = 0;  // its place among those of its form

  int rows() const { return lanes_m * each_m; }
  int columns() const { return lanes_n * each_n; }
  int threads() const { return lanes_m * lanes_n * groups; }
};
jit::Program gemm_tile_program(const TileVariant& variant);
/// All that there are for one form of the operands, at most kMostTileVariants.
std::vector<TileVariant> tile_variants(bool along_a, bool along_b);
inline constexpr int kMostTileVariants = 6;

/// The kernel of kernels/gemm_thin.h: whether the inner dimension is the contiguous one of B, and
/// for how many times eight rows.
jit::Program gemm_thin_program(bool along_b, int row_tiles);

/// Those that everybody uses, for the kernel bundle.
std::vector<jit::Program> common_gemm_programs();

}  // namespace cupyxx::internal::gpu
