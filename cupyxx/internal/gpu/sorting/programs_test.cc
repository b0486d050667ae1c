// SPDX-License-Identifier: MIT
// The kernels compile for every dtype. No device is needed.
#include "cupyxx/internal/gpu/sorting/programs.h"

#include <gtest/gtest.h>

#include <set>

#include "cupyxx/error.h"
#include "cupyxx/testing/waits_first.h"

namespace cupyxx::internal::gpu {
namespace {

TEST(SortingPrograms, CompileForEveryDtype) {
  std::set<std::string> names;
  for (const jit::Program& program : all_sorting_programs()) {
    EXPECT_TRUE(names.insert(program.name).second) << program.name;
    if (jit::nvrtc_available()) {
      EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
          << program.name;
    } else {  // a build without CUDA
      EXPECT_THROW(jit::compile(program, "compute_90"), Error);
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::gpu
