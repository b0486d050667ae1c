// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/tile_plan.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cupyxx::internal::gpu {
namespace {

// Above this many multiplications, those of padding included, cuBLASLt's larger tiles win.
constexpr std::int64_t kMostWork = std::int64_t{1} << 28;
constexpr std::int64_t kMostBlocksEach = 4;  // on a multiprocessor

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Whether every row of a matrix begins at a multiple of 16 bytes.
bool is_packed(const void* data, std::int64_t ld, std::int64_t stride) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && ld % 4 == 0 && stride % 4 == 0;
}

// An estimate in cycles: the arithmetic and the loads from shared memory of the blocks that share a
// multiprocessor, and what it costs to begin a stage and to join and write the tile. A block alone
// on its multiprocessor has one warp on each scheduler, whose loads nobody hides (41 % of the issue
// slots were used on an H200).
std::int64_t cycles(const TilePlan& plan, std::int64_t blocks, int multiprocessors) {
  const std::int64_t m = plan.variant.each_m, n = plan.variant.each_n;
  const std::int64_t steps = ceil_div(plan.chunk, kernels::kTileDepth);
  const std::int64_t slots = multiprocessors / plan.split * plan.split;
  const std::int64_t each = ceil_div(blocks, slots);
  const std::int64_t join = plan.split > 1 ? 400 + 30 * plan.split : 0;
  const std::int64_t block = steps * kernels::kTileDepth * (m * n + m + n) + 8 * m * n / plan.split;
  const std::int64_t exposed = 22 * block / 10;
  return std::max(each * block * 11 / 10, exposed) + 60 * steps + join;
}

}  // namespace

TilePlan plan_tiles(const GemmCall& call, int multiprocessors, bool has_clusters) {
  TilePlan best;
  constexpr std::int64_t kMostExtent = 1 << 30;  // of a tile's end, in 32 bits
  if (call.dtype != float32 || call.m < 1 || call.n < 1 || call.k < 1 || multiprocessors < 8) {
    return best;
  }
  for (const std::int64_t extent : {call.m, call.n, call.k, call.lda, call.ldb, call.ldc}) {
    if (extent > kMostExtent) return best;
  }
  if (call.batch < 1 || call.batch > 65535 || call.m > kMostWork / call.n ||
      call.m * call.n > kMostWork / call.k || call.m * call.n * call.k > kMostWork / call.batch) {
    return best;
  }
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const bool along_a = !call.trans_a, along_b = call.trans_b;
  for (const int each_m : {8, 7, 4}) {
    if (!along_a && each_m % 4 != 0) continue;  // rows come in fours
    const std::int64_t rows = kernels::kTileLanesM * each_m, tiles_m = ceil_div(call.m, rows);
    for (const int each_n : {8, 4}) {
      const std::int64_t columns = kernels::kTileLanesN * each_n;
      const std::int64_t tiles_n = ceil_div(call.n, columns);
      if (tiles_m * rows * tiles_n * columns > 2 * kMostWork / call.k) continue;
      for (const int split : {1, 2, 4, 8}) {
        TilePlan plan{{along_a, along_b, each_m, each_n},
                      static_cast<int>(tiles_m),
                      static_cast<int>(tiles_n),
                      split,
                      0};
        plan.chunk = static_cast<int>(ceil_div(ceil_div(call.k, split), 4) * 4);
        if (split > 1 && (!has_clusters || plan.chunk < kernels::kTileDepth)) break;
        const std::int64_t blocks = tiles_m * tiles_n * split * call.batch;
        if (blocks > kMostBlocksEach * multiprocessors) break;
        const std::int64_t cost = cycles(plan, blocks, multiprocessors);
        if (cost >= least) continue;
        least = cost;
        best = plan;
      }
    }
  }
  return best;
}

kernels::GemmTileArguments tile_arguments(const GemmCall& call, const TilePlan& plan) {
  const bool several = call.batch > 1;
  kernels::GemmTileArguments p{};
  p.a = static_cast<const float*>(call.a);
  p.b = static_cast<const float*>(call.b);
  p.c = static_cast<float*>(call.c);
  p.bias = static_cast<const float*>(call.bias);
  p.row_sums = static_cast<float*>(call.row_sums);
  p.stride_a = several ? call.stride_a : 0;
  p.stride_b = several ? call.stride_b : 0;
  p.stride_c = several ? call.stride_c : 0;
  p.m = static_cast<int>(call.m);
  p.n = static_cast<int>(call.n);
  p.k = static_cast<int>(call.k);
  p.lda = static_cast<int>(call.lda);
  p.ldb = static_cast<int>(call.ldb);
  p.ldc = static_cast<int>(call.ldc);
  p.tiles_n = plan.tiles_n;
  p.split = plan.split;
  p.chunk = plan.chunk;
  p.accumulate = call.accumulate;
  p.relu = call.relu;
  p.packed_a = is_packed(call.a, call.lda, p.stride_a);
  p.packed_b = is_packed(call.b, call.ldb, p.stride_b);
  p.packed_c = is_packed(call.c, call.ldc, p.stride_c);
  return p;
}

}  // namespace cupyxx::internal::gpu
