// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/solver/programs.h"

#include <gtest/gtest.h>

#include "cupyxx/error.h"
#include "cupyxx/testing/waits_first.h"

namespace cupyxx::internal::gpu {
namespace {

TEST(SolverPrograms, Compile) {
  const jit::Program program = check_info_program();
  if (jit::nvrtc_available()) {
    EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "");
  } else {  // a build without CUDA
    EXPECT_THROW(jit::compile(program, "compute_90"), Error);
  }
}

}  // namespace
}  // namespace cupyxx::internal::gpu
