// SPDX-License-Identifier: MIT
// Every kernel compiles for every element type; no device is needed.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "chainerxx/internal/kernel_library.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"
#include "cupyxx/testing/waits_first.h"

namespace chainerxx::internal {
namespace {

using cupyxx::extension::KernelFamily;

std::vector<const KernelFamily*> all_kernels() {
  std::vector<const KernelFamily*> all;
  for (const KernelFamily* k = kLibrary.kernels; k != nullptr; k = k->next()) all.push_back(k);
  return all;
}

class KernelsTest : public ::testing::TestWithParam<const KernelFamily*> {};

TEST_P(KernelsTest, CompileForEveryType) {
  if (!KernelFamily::can_compile()) return;
  for (const cupyxx::dtype type :
       {cupyxx::float16, cupyxx::bfloat16_, cupyxx::float32, cupyxx::float64}) {
    EXPECT_EQ(cupyxx::testing::before_waiting(GetParam()->compile(type, "compute_90")), "")
        << GetParam()->name_of(type);
  }
}

INSTANTIATE_TEST_SUITE_P(, KernelsTest, ::testing::ValuesIn(all_kernels()),
                         [](const auto& tested) { return std::string(tested.param->name()); });

TEST(KernelLibrary, NamesKernelsAndTypes) {
  std::set<std::string> names;
  for (const KernelFamily* kernel : all_kernels()) {
    EXPECT_TRUE(names.insert(kernel->name()).second) << kernel->name();
  }
  const KernelFamily& kernel = *kLibrary.kernels;
  EXPECT_EQ(kernel.name_of(cupyxx::float32), std::string(kernel.name()) + "_float32");
  cupyxx::testing::expect_error<cupyxx::DtypeError>(
      [&] { (void)kernel.compile(cupyxx::int32, "compute_90"); },
      "chainerxx: there is no kernel for this dtype; int32");
}

}  // namespace
}  // namespace chainerxx::internal
