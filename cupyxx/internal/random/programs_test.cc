// SPDX-License-Identifier: MIT
// The kernels compile. No device is needed.
#include "cupyxx/internal/random/programs.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/testing/waits_first.h"

namespace cupyxx::internal::gpu {
namespace {

TEST(RandomPrograms, CompileForEveryDistributionAndDtype) {
  std::set<std::string> names;
  for (const jit::Program& program : all_random_programs()) {
    EXPECT_TRUE(names.insert(program.name).second) << program.name;
    if (jit::nvrtc_available()) {
      EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
          << program.name;
    } else {  // a build without CUDA
      EXPECT_THROW(jit::compile(program, "compute_90"), Error);
    }
  }
}

// The enumerators name the bodies that stand at their place in the lists.
TEST(SampleInfo, HasTheNameOfItsEnumerator) {
  EXPECT_STREQ(sample_info(Sample::normal).name, "normal");
  EXPECT_STREQ(sample_info(Sample::vonmises).name, "vonmises");
  EXPECT_EQ(sample_info(Sample::vonmises).type, "VonMises");
  EXPECT_STREQ(sample_info(Sample::standard_t).name, "standard_t");
  EXPECT_EQ(sample_info(Sample::standard_t).type, "StudentT");
  EXPECT_STREQ(sample_info(Sample::poisson).name, "poisson");
  EXPECT_STREQ(sample_info(Sample::randint).name, "randint");
  EXPECT_STREQ(sample_info(Sample::randint_of_words).name, "randint_of_words");
}

}  // namespace
}  // namespace cupyxx::internal::gpu
