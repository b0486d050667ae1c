// SPDX-License-Identifier: MIT
#include "cupyxx/extension/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace cupyxx::extension {
namespace {

TEST(Environment, ChoosesAmongWords) {
  setenv("CUPYXX_TEST_WORD", "two", 1);
  EXPECT_EQ(environment_choice("CUPYXX_TEST_WORD", {"one", "two"}), 1u);
  setenv("CUPYXX_TEST_WORD", "", 1);
  EXPECT_EQ(environment_choice("CUPYXX_TEST_WORD", {"one", "two"}), std::nullopt);
  unsetenv("CUPYXX_TEST_WORD");
  EXPECT_EQ(environment_choice("CUPYXX_TEST_WORD", {"one", "two"}), std::nullopt);
}

TEST(Environment, SaysOnceWhatItIgnores) {
  setenv("CUPYXX_TEST_WORD", "tow", 1);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(environment_choice("CUPYXX_TEST_WORD", {"one", "two", "three"}), std::nullopt);
  EXPECT_EQ(environment_choice("CUPYXX_TEST_WORD", {"one", "two", "three"}), std::nullopt);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "cupyxx: CUPYXX_TEST_WORD=tow is ignored; known are one, two and three\n");
}

}  // namespace
}  // namespace cupyxx::extension
