// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/tile_plan.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cupyxx::internal::gpu {
namespace {

// Above this many multiplications cuBLASLt's larger tiles win (on an H200 from 256 x 1024 x 1024).
constexpr std::int64_t kMostWork = std::int64_t{1} << 27;
constexpr std::int64_t kMostBlocksEach = 4;  // on a multiprocessor
constexpr int kMostSplit = 8;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Whether every row of a matrix begins at a multiple of 16 bytes.
bool is_packed(const void* data, std::int64_t ld, std::int64_t stride) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && ld % 4 == 0 && stride % 4 == 0;
}

// What the blocks of a variant cost on an H200, in cycles: a stage of one that has its
// multiprocessor for itself, what each further one adds, and how many find room there.
struct Cost {
  std::int64_t alone, further, resident;
};
Cost cost_of(const TileVariant& v) {
  if (v.each_n == 8 && v.lanes_n == 16) return {v.each_m == 8 ? 3800 : 3500, 0, 1};
  if (v.each_n == 8) return v.each_m == 8 ? Cost{2300, 1500, 2} : Cost{2070, 1150, 2};
  if (v.each_m == 5) return {960, 330, 4};
  return v.groups == 1 ? Cost{1700, 900, 4} : Cost{1800, 1200, 2};
}

// An estimate in cycles. Clusters stay in a group of multiprocessors, and these groups have odd
// sizes: how many find a place at a time was asked of an H200, for one and for two blocks on each
// multiprocessor.
std::int64_t cycles(const TilePlan& plan, std::int64_t batch, int multiprocessors) {
  constexpr std::int64_t kByOne[] = {0, 132, 66, 39, 30, 22, 17, 15, 15};
  constexpr std::int64_t kByTwo[] = {0, 264, 132, 79, 62, 47, 39, 32, 30};
  const Cost cost = cost_of(plan.variant);
  const std::int64_t tiles = std::int64_t{plan.tiles_m} * plan.tiles_n * batch;
  const std::int64_t twice = cost.resident == 1 ? 2 * kByOne[plan.split] : kByTwo[plan.split];
  const auto places = std::max<std::int64_t>(twice * multiprocessors / 132, 1);
  const std::int64_t each = ceil_div(2 * tiles, places);  // clusters that share multiprocessors
  const std::int64_t at_once = std::min(each, cost.resident);
  const std::int64_t stage = cost.alone + (at_once - 1) * cost.further;
  const std::int64_t main = ceil_div(each, at_once) * stage * plan.chunk / kernels::kTileDepth;
  const bool is_small = plan.variant.each_n == 4;
  const std::int64_t ends = plan.split == 1 ? 4500 : is_small ? 6500 : 8600;
  return main + ends + (each > 1 ? 1000 : 0);  // only one block may begin early
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
  if (call.m <= 32 && call.n >= 2048) return best;  // 11 us for 20 x 2600 x 650, where ours take 14
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const TileVariant& variant : tile_variants(!call.trans_a, call.trans_b)) {
    for (int split = 1; split <= kMostSplit; ++split) {
      const TilePlan plan = cut_tiles(call, variant, split);
      if (split > 1 && (!has_clusters || plan.chunk < kernels::kTileDepth / 2)) break;
      const std::int64_t tiles = std::int64_t{plan.tiles_m} * plan.tiles_n;
      if (tiles * plan.variant.rows() * plan.variant.columns() > 2 * kMostWork / call.k) break;
      if (tiles * split * call.batch > kMostBlocksEach * multiprocessors) break;
      const std::int64_t cost = cycles(plan, call.batch, multiprocessors);
      if (cost >= least) continue;
      least = cost;
      best = plan;
    }
  }
  return best;
}

TilePlan cut_tiles(const GemmCall& call, const TileVariant& variant, int split) {
  return {variant, static_cast<int>(ceil_div(call.m, variant.rows())),
          static_cast<int>(ceil_div(call.n, variant.columns())), split,
          static_cast<int>(ceil_div(ceil_div(call.k, split), 4) * 4)};
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
  p.is_direct = plan.split == 1 && p.packed_c && call.n % 4 == 0;
  // Behind the stages, where groups of threads exchange their parts later on; in their place when
  // no other block sends any.
  const TileVariant& v = plan.variant;
  const int units = v.each_m * v.each_n / 4, group = v.lanes_m * v.lanes_n;
  const int stages = kernels::kTileStages * kernels::kTileDepth * (v.rows() + v.columns());
  const int front = std::max(stages, v.groups == 1 ? 0 : units * v.threads() * 4);
  p.box = (units + plan.split - 1) / plan.split * group * 4;
  const int parts = plan.split * (p.box + v.rows());
  p.mail = plan.split == 1 ? 0 : front;
  p.bias_at = plan.split == 1 ? std::max(front, parts) : front + parts;
  return p;
}

unsigned tile_bytes(const TilePlan& plan, const kernels::GemmTileArguments& p) {
  const int more = p.is_direct ? 0 : plan.variant.columns() + (p.accumulate ? p.box : 0);
  return static_cast<unsigned>(p.bias_at + more) * 4u;
}

}  // namespace cupyxx::internal::gpu
