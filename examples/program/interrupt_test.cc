// SPDX-License-Identifier: MIT
#include "examples/program/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace examples {
namespace {

int before = 0;

TEST(InterruptScope, NotesSignal) {
  for (const int number : {SIGINT, SIGTERM}) {
    const InterruptScope scope;
    EXPECT_FALSE(scope.requested());
    raise(number);
    EXPECT_TRUE(scope.requested());
  }
}

TEST(InterruptScope, RestoresPreviousHandler) {
  signal(SIGINT, [](int) { ++before; });
  {
    const InterruptScope scope;
    raise(SIGINT);
    EXPECT_EQ(before, 0);
  }
  raise(SIGINT);
  EXPECT_EQ(before, 1);
  signal(SIGINT, SIG_DFL);
}

TEST(InterruptScope, IsOneForAllThreads) {
  const InterruptScope outer;
  raise(SIGINT);
  {
    const InterruptScope inner;
    EXPECT_TRUE(inner.requested());
  }
  EXPECT_TRUE(outer.requested());
}

TEST(InterruptScopeDeathTest, LetsSecondSignalEndTheProgram) {
  EXPECT_EXIT(
      {
        const InterruptScope scope;
        raise(SIGINT);
        raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace examples
