// SPDX-License-Identifier: MIT
// BUILD.bazel sets CHAINER_TYPE_CHECK=False for this binary, whose process reads it once.
#include <gtest/gtest.h>

#include <cstdlib>

#include "typecheck/expect.h"

TEST(Enabled, FollowsTheEnvironment) {
  const char* text = std::getenv("CHAINER_TYPE_CHECK");
  const bool expected = text == nullptr || std::atoi(text) != 0;
  EXPECT_EQ(typecheck::enabled(), expected);
}

TEST(Enabled, ReadsTheEnvironmentOnce) {
  const bool first = typecheck::enabled();
  ASSERT_EQ(setenv("CHAINER_TYPE_CHECK", first ? "0" : "1", 1), 0);
  EXPECT_EQ(typecheck::enabled(), first);
  ASSERT_EQ(setenv("CHAINER_TYPE_CHECK", first ? "1" : "0", 1), 0);
}
