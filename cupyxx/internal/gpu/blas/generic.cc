// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/generic.h"

#include <algorithm>

#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/gpu/blas/programs.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/kernels/gemm_generic.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr std::int64_t kDotChunk = 8192;
constexpr std::int64_t kDotBlocks = 512;

const jit::Kernel* kernel_for(int device, GemmKernel which, cupyxx::dtype dtype) {
  static extension::KernelSlot slots[3][dtype::kComputeCount];
  return slots[static_cast<int>(which)][static_cast<int>(dtype.code())].get(
      device, [=] { return gemm_program(which, dtype); });
}

}  // namespace

void gemm_generic(int device, void* stream, const GemmCall& call) {
  const kernels::GemmArguments arguments{.a = call.a,
                                         .b = call.b,
                                         .c = call.c,
                                         .bias = call.bias,
                                         .m = call.m,
                                         .n = call.n,
                                         .k = call.k,
                                         .row_a = call.row_a(),
                                         .col_a = call.col_a(),
                                         .row_b = call.row_b(),
                                         .col_b = call.col_b(),
                                         .row_c = call.ldc,
                                         .batch = call.batch,
                                         .stride_a = call.stride_a,
                                         .stride_b = call.stride_b,
                                         .stride_c = call.stride_c,
                                         .accumulate = call.accumulate,
                                         .relu = call.relu};
  const auto tiles = [](std::int64_t extent) {
    return (extent + kernels::kGemmTile - 1) / kernels::kGemmTile;
  };
  jit::LaunchShape shape;
  shape.grid_x = static_cast<unsigned>(tiles(call.m) * tiles(call.n));
  shape.grid_z = static_cast<unsigned>(std::min<std::int64_t>(call.batch, 65535));
  shape.block_x = kernels::kGemmThreads;
  jit::launch(kernel_for(device, GemmKernel::gemm, call.dtype), shape, stream, &arguments);
}

void dot_generic(int device, void* stream, const GemmCall& call) {
  kernels::DotArguments arguments{.a = call.a,
                                  .b = call.b,
                                  .c = call.c,
                                  .bias = call.bias,
                                  .parts = nullptr,
                                  .k = call.k,
                                  .step_a = call.col_a(),
                                  .step_b = call.row_b(),
                                  .chunk = call.k,
                                  .accumulate = call.accumulate,
                                  .relu = call.relu};
  const std::int64_t blocks =
      std::clamp<std::int64_t>((call.k + kDotChunk - 1) / kDotChunk, 1, kDotBlocks);
  jit::LaunchShape shape;
  shape.grid_x = static_cast<unsigned>(blocks);
  shape.block_x = kernels::kGemmThreads;
  const jit::Kernel* sum = kernel_for(device, GemmKernel::dot, call.dtype);
  if (blocks == 1) {
    jit::launch(sum, shape, stream, &arguments);
    return;
  }
  constexpr std::size_t kWidestSum = 16;
  const jit::Kernel* join = kernel_for(device, GemmKernel::dot_join, call.dtype);
  Storage* parts = allocate(device, static_cast<std::size_t>(blocks) * kWidestSum);
  try {
    arguments.parts = parts->data;
    arguments.chunk = (call.k + blocks - 1) / blocks;
    jit::launch(sum, shape, stream, &arguments);
    arguments.k = blocks;
    shape.grid_x = 1;
    jit::launch(join, shape, stream, &arguments);
  } catch (...) {
    release(parts);
    throw;
  }
  release(parts);  // the pool hands it out again in the order of the stream
}

}  // namespace cupyxx::internal::gpu
