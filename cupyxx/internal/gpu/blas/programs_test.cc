// SPDX-License-Identifier: MIT
// The kernels compile for every dtype. No device is needed.
#include "cupyxx/internal/gpu/blas/programs.h"

#include <gtest/gtest.h>

#include "cupyxx/error.h"

namespace cupyxx::internal::gpu {
namespace {

class GemmProgram : public ::testing::TestWithParam<GemmKernel> {};

TEST_P(GemmProgram, CompilesForEveryDtype) {
  if (!jit::nvrtc_available()) {  // a build without CUDA
    EXPECT_THROW(jit::compile(gemm_program(GetParam(), float32), "compute_90"), Error);
    return;
  }
  for (int code = 0; code < dtype::kComputeCount; ++code) {
    const jit::Program program = gemm_program(GetParam(), static_cast<dtype::Code>(code));
    EXPECT_FALSE(jit::compile(program, "compute_90").empty()) << program.name;
  }
}

INSTANTIATE_TEST_SUITE_P(, GemmProgram,
                         ::testing::Values(GemmKernel::gemm, GemmKernel::dot,
                                           GemmKernel::dot_join));

TEST(GemmTileProgram, CompilesInEveryVariantWithinTheDeviceLimits) {
  if (!jit::nvrtc_available()) return;
  for (const bool along_a : {false, true}) {
    for (const bool along_b : {false, true}) {
      for (const int each_m : {4, 7, 8}) {
        if (!along_a && each_m == 7) continue;
        for (const int each_n : {4, 8}) {
          const TileVariant variant{along_a, along_b, each_m, each_n};
          const jit::Program program = gemm_tile_program(variant);
          EXPECT_FALSE(jit::compile_cached(program, "compute_90").empty()) << program.name;
          // Three blocks fit a multiprocessor of 227 KiB.
          EXPECT_LE(gemm_tile_bytes(variant), 75u << 10) << program.name;
        }
      }
    }
  }
  // Without clusters.
  EXPECT_FALSE(jit::compile_cached(gemm_tile_program({true, true, 8, 8}), "sm_80").empty());
}

}  // namespace
}  // namespace cupyxx::internal::gpu
