// SPDX-License-Identifier: MIT
// Beside tests that are run again with CUPYXX_CPU: that it is obeyed.
#include "cupyxx/extension/instruction_set.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace chainerxx::internal::cpu {
namespace {

using cupyxx::extension::arch;
using cupyxx::extension::arch_name;

TEST(InstructionSet, IsTheOneThatIsAskedFor) {
  const char* const wanted = std::getenv("CUPYXX_CPU");
  ASSERT_NE(wanted, nullptr);
  // A processor without AVX2 has less.
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  EXPECT_EQ(arch_name(arch()), has_avx2 ? std::string(wanted) : "baseline");
}

}  // namespace
}  // namespace chainerxx::internal::cpu
