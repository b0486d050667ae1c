// SPDX-License-Identifier: MIT
#include "chainerxx/utils/walker_alias.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx::utils {
namespace {

using cupyxx::testing::expect_error;

class WalkerAliasTest : public cupyxx::testing::DeviceTest {};

TEST_P(WalkerAliasTest, DrawsInTheGivenProportions) {
  const std::vector<double> weights = {5, 0, 3, 1, 0.5, 0.5};
  WalkerAlias alias(weights);
  if (device().is_cuda()) alias.to_gpu(device().index);
  cupyxx::random::seed(7);
  constexpr int kCount = 200000;
  const auto drawn = alias.sample({kCount / 2, 2}).to_vector<int>();
  std::vector<int> counts(weights.size());
  for (const int i : drawn) ++counts.at(static_cast<std::size_t>(i));
  EXPECT_EQ(counts[1], 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double p = weights[i] / 10;
    const double deviation = std::sqrt(kCount * p * (1 - p));
    EXPECT_NEAR(counts[i], kCount * p, 4 * deviation) << i;
  }
}

TEST_P(WalkerAliasTest, GivesNumbersOfTheShapeOnItsDevice) {
  WalkerAlias alias({1});
  if (device().is_cuda()) alias.to_gpu(device().index);
  const cupyxx::ndarray drawn = alias.sample({2, 3});
  EXPECT_EQ(drawn.shape(), (cupyxx::Shape{2, 3}));
  EXPECT_EQ(drawn.dtype(), cupyxx::int32);
  EXPECT_EQ(drawn.device(), device());
  EXPECT_EQ(drawn.to_vector<int>(), std::vector<int>(6, 0));
  EXPECT_TRUE(alias.to_cpu().sample({2}).device().is_cpu());
  EXPECT_EQ(alias.sample({0}).size(), 0);
}

TEST_P(WalkerAliasTest, RefusesWhatIsNoDistribution) {
  expect_error<cupyxx::ValueError>([] { WalkerAlias({}); },
                                   "WalkerAlias: there are no probabilities");
  expect_error<cupyxx::ValueError>(
      [] {
        WalkerAlias({1, -2});
      },
      "WalkerAlias: this is no probability; -2.0");
  expect_error<cupyxx::ValueError>(
      [] {
        WalkerAlias({0, 0});
      },
      "WalkerAlias: all probabilities are 0");
}

CUPYXX_TEST_ON_DEVICES(WalkerAliasTest);

}  // namespace
}  // namespace chainerxx::utils
