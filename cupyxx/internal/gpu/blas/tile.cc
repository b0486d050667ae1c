// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/tile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/blas/tile_plan.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {
namespace {

const jit::Kernel* kernel_for(int device, const TileVariant& v) {
  static extension::KernelSlot slots[2][2][kMostTileVariants];
  return slots[v.along_a][v.along_b][v.number].get(device, [&] { return gemm_tile_program(v); });
}

// Matrix units, which multiply shorter factors, win as soon as a product is no longer tiny.
bool is_for_tiles(const GemmCall& call) {
  constexpr std::int64_t kMostReducedWork = std::int64_t{1} << 22;
  if (call.dtype != float32) return false;
  return call.compute == Precision::float32 ||
         call.m * call.n <= kMostReducedWork / std::max<std::int64_t>(call.k, 1);
}

// A thread remembers the plans of its latest products.
const TilePlan& plan_for(int device, const GemmCall& call) {
  struct Seen {
    std::int64_t m = -1, n = 0, k = 0, batch = 0, lda = 0, ldb = 0, ldc = 0;
    unsigned rest = 0;
    TilePlan plan{};

    bool operator==(const Seen& o) const {
      return m == o.m && n == o.n && k == o.k && batch == o.batch && lda == o.lda && ldb == o.ldb &&
             ldc == o.ldc && rest == o.rest;
    }
  };
  constexpr std::size_t kSeen = 64;
  static thread_local Seen seen[kSeen];
  Seen key{.m = call.m,
           .n = call.n,
           .k = call.k,
           .batch = call.batch,
           .lda = call.lda,
           .ldb = call.ldb,
           .ldc = call.ldc,
           .rest = static_cast<unsigned>(device) << 2 | static_cast<unsigned>(call.trans_a) << 1 |
                   static_cast<unsigned>(call.trans_b)};
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (const std::int64_t part : {key.m, key.n, key.k, key.batch, std::int64_t{key.rest}}) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  Seen& slot = seen[hash % kSeen];
  if (!(slot == key)) {
    const DeviceInfo& info = device_info(device);
    key.plan = plan_tiles(call, info.multiprocessors, info.compute_capability >= 90);
    if (info.compute_capability < 80) key.plan.split = 0;  // copies that need no registers
    slot = key;
  }
  return slot.plan;
}

}  // namespace

bool takes_gemm_tile(int device, const GemmCall& call) {
  return is_for_tiles(call) && plan_for(device, call).split != 0;
}

bool gemm_tile(int device, void* stream, const GemmCall& call) {
  if (!is_for_tiles(call)) return false;
  const TilePlan& plan = plan_for(device, call);
  if (plan.split == 0) return false;
  const kernels::GemmTileArguments arguments = tile_arguments(call, plan);
  jit::LaunchShape shape;
  shape.grid_x = static_cast<unsigned>(plan.blocks());
  shape.grid_z = static_cast<unsigned>(call.batch);
  shape.block_x = static_cast<unsigned>(plan.variant.threads());
  shape.shared_bytes = tile_bytes(plan, arguments);
  shape.cluster_x = static_cast<unsigned>(plan.split);
  jit::launch(kernel_for(device, plan.variant), shape, stream, &arguments);
  return true;
}

}  // namespace cupyxx::internal::gpu
