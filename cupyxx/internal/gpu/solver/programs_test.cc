// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/solver/programs.h"

#include <gtest/gtest.h>

#include "cupyxx/error.h"

namespace cupyxx::internal::gpu {
namespace {

TEST(SolverPrograms, Compile) {
  const jit::Program program = check_info_program();
  if (jit::nvrtc_available()) {
    EXPECT_FALSE(jit::compile_cached(program, "compute_90").empty());
  } else {  // a build without CUDA
    EXPECT_THROW(jit::compile(program, "compute_90"), Error);
  }
}

}  // namespace
}  // namespace cupyxx::internal::gpu
