// SPDX-License-Identifier: MIT
// The kernels compile for every dtype. No device is needed.
#include "cupyxx/internal/gpu/blas/programs.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/blas/tile_plan.h"
#include "cupyxx/testing/waits_first.h"

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
    EXPECT_EQ(testing::before_waiting(jit::compile(program, "compute_90")), "") << program.name;
  }
}

INSTANTIATE_TEST_SUITE_P(, GemmProgram,
                         ::testing::Values(GemmKernel::gemm, GemmKernel::dot,
                                           GemmKernel::dot_join));

TEST(GemmTileProgram, CompilesInEveryVariantWithinTheDeviceLimits) {
  if (!jit::nvrtc_available()) return;
  for (const bool along_a : {false, true}) {
    for (const bool along_b : {false, true}) {
      for (const TileVariant& variant : tile_variants(along_a, along_b)) {
        const jit::Program program = gemm_tile_program(variant);
        EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
            << program.name;
        const GemmCall call{
            .dtype = float32, .accumulate = true, .m = 100, .n = 1001, .k = 1000, .ldc = 1001};
        for (const int split : {1, 8}) {
          const TilePlan plan = cut_tiles(call, variant, split);
          EXPECT_LE(tile_bytes(plan, tile_arguments(call, plan)), 227u << 10) << program.name;
        }
      }
    }
  }
  // Without clusters.
  const jit::Program plain = gemm_tile_program(tile_variants(true, true)[0]);
  EXPECT_FALSE(jit::compile_cached(plain, "sm_80").empty());
}

// Loaded kernels are kept by these numbers.
TEST(GemmTileProgram, VariantsOfAFormHaveNumbersOfTheirOwn) {
  for (const bool along_a : {false, true}) {
    for (const bool along_b : {false, true}) {
      const std::vector<TileVariant> variants = tile_variants(along_a, along_b);
      ASSERT_LE(std::ssize(variants), kMostTileVariants);
      std::set<std::string> names;
      for (int i = 0; i < std::ssize(variants); ++i) {
        EXPECT_EQ(variants[static_cast<std::size_t>(i)].number, i);
        names.insert(gemm_tile_program(variants[static_cast<std::size_t>(i)]).name);
      }
      EXPECT_EQ(names.size(), variants.size());
    }
  }
}

TEST(GemmThinProgram, CompilesForEveryNumberOfRows) {
  if (!jit::nvrtc_available()) return;
  for (const bool along_b : {false, true}) {
    for (int tiles = 1; tiles <= 4; ++tiles) {
      const jit::Program program = gemm_thin_program(along_b, tiles);
      EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
          << program.name;
      EXPECT_FALSE(jit::compile_cached(program, "sm_80").empty()) << program.name;  // no clusters
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::gpu
