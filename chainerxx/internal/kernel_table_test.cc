// SPDX-License-Identifier: MIT
// Every kernel compiles for every element type; no device is needed.
#include "chainerxx/internal/kernel_table.h"

#include <gtest/gtest.h>

#include "cupyxx/internal/jit/kernel.h"

namespace chainerxx::internal {
namespace {

namespace jit = cupyxx::internal::jit;

class KernelTableTest : public ::testing::TestWithParam<int> {};

TEST_P(KernelTableTest, CompilesForEveryType) {
  if (!jit::nvrtc_available()) return;
  for (const cupyxx::dtype type : kKernelTypes) {
    const jit::Program program = kernel_program(static_cast<KernelName>(GetParam()), type);
    EXPECT_FALSE(jit::compile_cached(program, "compute_90").empty()) << program.name;
  }
}

INSTANTIATE_TEST_SUITE_P(, KernelTableTest,
                         ::testing::Range(0, static_cast<int>(KernelName::count)));

}  // namespace
}  // namespace chainerxx::internal
