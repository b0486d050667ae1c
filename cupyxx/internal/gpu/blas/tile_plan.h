// SPDX-License-Identifier: MIT
// How a float32 product is cut for the kernels of kernels/gemm_tile.h.
#pragma once

#include "cupyxx/internal/gemm_call.h"
#include "cupyxx/internal/gpu/blas/programs.h"
#include "cupyxx/internal/kernels/gemm_tile.h"

namespace cupyxx::internal::gpu {

struct TilePlan {
  TileVariant variant{};
  int tiles_m = 0, tiles_n = 0;
  int split = 0;  // 0: the product is not one for these kernels
  int chunk = 0;

  int blocks() const { return tiles_m * tiles_n * split; }
};

/// Estimates, from the number of multiprocessors, how to cut a product into tiles so that it ends
/// first; equal products are cut equally. `split` is 0 where the library's product is better: for
/// other dtypes, for empty products, and for large ones, which fill the machine without being
/// split.
TilePlan plan_tiles(const GemmCall& call, int multiprocessors, bool has_clusters);

/// A plan of this variant that cuts the inner dimension into `split` parts.
TilePlan cut_tiles(const GemmCall& call, const TileVariant& variant, int split);

/// What the kernel is given for a product and its plan.
kernels::GemmTileArguments tile_arguments(const GemmCall& call, const TilePlan& plan);
/// The dynamic shared memory of its blocks, in bytes.
unsigned tile_bytes(const TilePlan& plan, const kernels::GemmTileArguments& arguments);

}  // namespace cupyxx::internal::gpu
