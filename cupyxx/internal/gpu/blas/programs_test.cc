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
    EXPECT_THROW(jit::compile(gemm_program(GetParam(), float32), "sm_90"), Error);
    return;
  }
  for (int code = 0; code < dtype::kComputeCount; ++code) {
    const jit::Program program = gemm_program(GetParam(), static_cast<dtype::Code>(code));
    EXPECT_FALSE(jit::compile(program, "sm_90").empty()) << program.name;
  }
}

INSTANTIATE_TEST_SUITE_P(, GemmProgram,
                         ::testing::Values(GemmKernel::gemm, GemmKernel::dot,
                                           GemmKernel::dot_join));

}  // namespace
}  // namespace cupyxx::internal::gpu
