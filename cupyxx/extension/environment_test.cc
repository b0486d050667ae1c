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

TEST(Environment, SwitchesByOneListOfWords) {
  constexpr const char* kName = "CUPYXX_TEST_SWITCH";
  for (const char* off : {"0", "off", "false", "no", "OFF", "False"}) {
    setenv(kName, off, 1);
    EXPECT_FALSE(environment_switch(kName, true)) << off;
  }
  for (const char* on : {"1", "on", "true", "yes", "Yes", "TRUE"}) {
    setenv(kName, on, 1);
    EXPECT_TRUE(environment_switch(kName, false)) << on;
  }
  for (const bool otherwise : {false, true}) {
    setenv(kName, "", 1);
    EXPECT_EQ(environment_switch(kName, otherwise), otherwise);
    unsetenv(kName);
    EXPECT_EQ(environment_switch(kName, otherwise), otherwise);
  }
  setenv(kName, "maybe", 1);
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(environment_switch(kName, false));
  EXPECT_TRUE(environment_switch(kName, true));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "cupyxx: CUPYXX_TEST_SWITCH=maybe is ignored; known are 0, off, false, no, 1, on, true "
            "and yes\n");
}

}  // namespace
}  // namespace cupyxx::extension
