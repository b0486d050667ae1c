// SPDX-License-Identifier: MIT
// The cases of parallel_training_test.cc by processes.
#include <gtest/gtest.h>

#include "cupyxx/comm/testing/launch.h"

namespace chainerxx {
namespace {

TEST(ParallelProcesses, DoWhatOneProcessDoes) {
  for (const int count : {2, 4}) {
    const auto launched = cupyxx::comm::testing::launch_by_mpirun(
        {.count = count, .filter = "Parallel/*:*Parallel.*OfTheWorld/*"});
    EXPECT_TRUE(launched.is_success()) << launched.output;
  }
}

}  // namespace
}  // namespace chainerxx
