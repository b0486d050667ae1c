// SPDX-License-Identifier: MIT
#include "cupyxx/precision.h"

#include <gtest/gtest.h>

#include <thread>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

TEST(PrecisionTest, HasNames) {
  for (const Precision p :
       {Precision::float32, Precision::tf32, Precision::bfloat16, Precision::float16}) {
    EXPECT_EQ(precision_of(name_of(p)), p);
  }
  EXPECT_EQ(name_of(Precision::tf32), "tf32");
  testing::expect_error<ValueError>(
      [] { (void)precision_of("half", "train_gpt: --precision"); },
      "train_gpt: --precision: there is no such precision; 'half' instead of float32, tf32, "
      "bfloat16 or float16");
}

TEST(PrecisionTest, IsOneOfFour) {
  const auto seventh = static_cast<Precision>(7);
  testing::expect_error<ValueError>([&] { (void)name_of(seventh); },
                                    "name_of: there is no such precision; number 7 instead of "
                                    "float32, tf32, bfloat16 or float16");
  testing::expect_error<ValueError>([&] { const ComputeScope scope(seventh); },
                                    "ComputeScope: there is no such precision; number 7 instead of "
                                    "float32, tf32, bfloat16 or float16");
  EXPECT_EQ(compute_precision(), Precision::float32);
}

TEST(PrecisionTest, HoldsUntilTheEndOfTheScopeAndForItsThread) {
  EXPECT_EQ(compute_precision(), Precision::float32);
  {
    const ComputeScope outer(Precision::tf32);
    {
      const ComputeScope inner(Precision::bfloat16);
      EXPECT_EQ(compute_precision(), Precision::bfloat16);
      std::thread([] { EXPECT_EQ(compute_precision(), Precision::float32); }).join();
    }
    EXPECT_EQ(compute_precision(), Precision::tf32);
  }
  EXPECT_EQ(compute_precision(), Precision::float32);
}

}  // namespace
}  // namespace cupyxx
