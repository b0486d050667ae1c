// SPDX-License-Identifier: MIT
#include "examples/program/means.h"

#include <gtest/gtest.h>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"

namespace examples {
namespace {

namespace cp = cupyxx;

class MeansTest : public cp::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(MeansTest);

TEST_P(MeansTest, CountItems) {
  RunningMean mean;
  mean.add(cp::array(1.0f), 3);
  mean.add(cp::array(5.0f));
  EXPECT_EQ(mean.count(), 4);
  EXPECT_EQ(mean.sum(), 8);
  EXPECT_EQ(mean.value(), 2);
}

TEST_P(MeansTest, SumsAreNotThoseOfTheArrayTheyBeganWith) {
  const cp::ndarray sums = cp::array(std::vector<double>{6, 1});
  RunningMean mean(sums(0), 2);
  mean.add(cp::array(3.0));
  EXPECT_EQ(mean.value(), 3);
  EXPECT_EQ(sums(0).item<double>(), 6);
}

}  // namespace
}  // namespace examples
