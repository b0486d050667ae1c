// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/thin.h"

#include <algorithm>
#include <cstdint>

#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/blas/programs.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/gemm_thin.h"

namespace cupyxx::internal::gpu {
namespace {

bool has_pairs(const void* data, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(data) % 8 == 0 && ld % 2 == 0;
}

bool is_thin(const GemmCall& call) {
  constexpr std::int64_t kFewest = 5, kMost = 32, kMostExtent = std::int64_t{1} << 30;
  if (call.dtype != float32 || call.compute == Precision::float32 || call.batch != 1 ||
      call.trans_a || call.m < kFewest || call.m > kMost || call.has_epilogue() ||
      call.row_sums != nullptr) {
    return false;
  }
  for (const std::int64_t extent : {call.n, call.k, call.lda, call.ldb, call.ldc}) {
    if (extent < 1 || extent > kMostExtent) return false;
  }
  return call.ldb % 4 != 0 && call.k % 2 == 0 && (call.trans_b || call.n % 2 == 0) &&
         has_pairs(call.a, call.lda) && has_pairs(call.b, call.ldb);
}

kernels::GemmThinArguments arguments_of(const GemmCall& call, std::int64_t split) {
  kernels::GemmThinArguments p{};
  p.a = static_cast<const float*>(call.a);
  p.b = static_cast<const float*>(call.b);
  p.c = static_cast<float*>(call.c);
  p.bias = static_cast<const float*>(call.bias);
  p.m = static_cast<int>(call.m);
  p.n = static_cast<int>(call.n);
  p.k = static_cast<int>(call.k);
  p.lda = static_cast<int>(call.lda);
  p.ldb = static_cast<int>(call.ldb);
  p.ldc = static_cast<int>(call.ldc);
  p.split = static_cast<int>(split);
  p.chunk = static_cast<int>(((call.k + split - 1) / split + 7) / 8 * 8);
  p.accumulate = call.accumulate;
  p.relu = call.relu;
  return p;
}

}  // namespace

bool gemm_thin(int device, void* stream, const GemmCall& call) {
  if (!is_thin(call)) return false;
  const DeviceInfo& info = device_info(device);
  if (info.compute_capability < 80) return false;
  constexpr int kMostRowTiles = 4;
  constexpr std::int64_t kMostSplit = 8, kEach = 8 * kernels::kThinWarps;
  static extension::KernelSlot slots[2][kMostRowTiles];
  const int row_tiles = static_cast<int>((call.m + 7) / 8);
  const std::int64_t tiles = (call.n + kernels::kThinColumns - 1) / kernels::kThinColumns;
  // Two blocks for each multiprocessor, whose warps all have something to do.
  const std::int64_t fit = std::min(2 * info.multiprocessors / tiles, call.k / kEach);
  const bool has_clusters = info.compute_capability >= 90;
  const std::int64_t split = has_clusters ? std::clamp<std::int64_t>(fit, 1, kMostSplit) : 1;
  const kernels::GemmThinArguments arguments = arguments_of(call, split);
  jit::LaunchShape shape;
  shape.grid_x = static_cast<unsigned>(tiles * split);
  shape.block_x = 32 * kernels::kThinWarps;
  shape.shared_bytes = static_cast<unsigned>(kernels::thin_floats(row_tiles, arguments.split)) * 4u;
  shape.cluster_x = static_cast<unsigned>(split);
  jit::launch(slots[call.trans_b][row_tiles - 1].get(
                  device, [&] { return gemm_thin_program(call.trans_b, row_tiles); }),
              shape, stream, &arguments);
  return true;
}

}  // namespace cupyxx::internal::gpu
