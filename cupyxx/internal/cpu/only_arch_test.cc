// SPDX-License-Identifier: MIT
// A program that has the loops of one instruction set alone, and is told to use a lower one: it is
// compiled as such a program (see BUILD.bazel), with the library's own choice in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::cpu {
namespace {

constexpr Arch kOnly = Arch::CUPYXX_ONLY_ARCH;

bool supports_only() {
  if (kOnly == Arch::avx512) return __builtin_cpu_supports("avx512vl");
  return __builtin_cpu_supports("avx2");
}

TEST(OnlyArch, IsTakenOrTheErrorSaysWhatIsNotAllowed) {
  static_assert(is_compiled(kOnly) && !is_compiled(Arch::baseline));
  // An older processor allows less than CUPYXX_CPU.
  const Arch processor = __builtin_cpu_supports("avx2") ? Arch::avx2 : Arch::baseline;
  const Arch told = std::string(std::getenv("CUPYXX_CPU")) == "avx2" ? Arch::avx2 : Arch::baseline;
  testing::expect_error<Error>([] { arch(); }, std::string("this program was compiled for ") +
                                                   arch_name(kOnly) + " alone, and " +
                                                   arch_name(std::min(processor, told)) +
                                                   " is what this processor or CUPYXX_CPU allows");

  // What failed is asked again.
  ::unsetenv("CUPYXX_CPU");
  if (!supports_only()) return;
  EXPECT_EQ(arch(), kOnly);
}

}  // namespace
}  // namespace cupyxx::internal::cpu
