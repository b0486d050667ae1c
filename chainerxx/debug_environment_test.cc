// SPDX-License-Identifier: MIT
// With CHAINER_DEBUG=1, which the build sets for this test.
#include <gtest/gtest.h>

#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

TEST(DebugEnvironment, SwitchesTheModeOn) {
  EXPECT_TRUE(is_debug());
  const Variable x(cupyxx::array({-1.0f}));
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { functions::log(x); }, "log: output 0 holds nan at (0,); shape (1,), float32");
  const DebugScope off(false);
  EXPECT_NO_THROW(functions::log(x));
}

}  // namespace
}  // namespace chainerxx
