// SPDX-License-Identifier: MIT
#include "chainerxx/configuration.h"

#include <gtest/gtest.h>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

TEST(Configuration, ModesLastAsLongAsTheirObjects) {
  ASSERT_TRUE(is_training() && is_recording() && !is_debug());
  {
    const using_config test("train", false), watched("debug", true);
    const no_backprop_mode without_graph;
    EXPECT_FALSE(is_training());
    EXPECT_TRUE(is_debug());
    EXPECT_FALSE(is_recording());
    {
      const force_backprop_mode with_graph;
      EXPECT_TRUE(is_recording());
      const using_config off("enable_backprop", false);
      EXPECT_FALSE(is_recording());
    }
    EXPECT_FALSE(is_recording());
  }
  EXPECT_TRUE(is_training() && is_recording() && !is_debug());
}

TEST(Configuration, OtherNamesAreRefused) {
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [] { const using_config scope("volatile", true); },
      "using_config: there is no mode \"volatile\"; there are train, enable_backprop and debug");
  EXPECT_TRUE(is_training() && is_recording());
}

}  // namespace
}  // namespace chainerxx
