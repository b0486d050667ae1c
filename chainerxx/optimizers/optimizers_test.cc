// SPDX-License-Identifier: MIT
// What Chainer's reference cases do not hold.
#include "chainerxx/optimizers/optimizers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::optimizers {
namespace {

class OptimizersTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(OptimizersTest);

// The recurrence of the paper, in float64.
TEST_P(OptimizersTest, AdamWDecaysBesideItsSteps) {
  const std::vector<double> start = {1, -2, 0.5}, gradient = {0.1, -0.2, 3};
  const cupyxx::ndarray p = cupyxx::array(start), g = cupyxx::array(gradient);
  AdamW optimizer({.alpha = 0.01, .weight_decay = 0.1});
  optimizer.setup(std::vector{p}, std::vector{g});
  std::vector<double> x = start, m(3), v(3);
  for (int t = 1; t <= 3; ++t) {
    optimizer.update();
    for (std::size_t i = 0; i < 3; ++i) {
      m[i] = 0.9 * m[i] + 0.1 * gradient[i];
      v[i] = 0.999 * v[i] + 0.001 * gradient[i] * gradient[i];
      // As in Adam, eps stands beside the root of the uncorrected moment.
      const double rate = 0.01 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
      x[i] -= 0.01 * 0.1 * x[i] + rate * m[i] / (std::sqrt(v[i]) + 1e-8);
    }
  }
  const auto found = p.to_vector<double>();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], x[i], 1e-12);
}

TEST(Schedules, FollowTheirFormulas) {
  EXPECT_DOUBLE_EQ(ExponentialDecay(0.5)(3), 0.125);
  const StepDecay step(0.1, 10);
  EXPECT_DOUBLE_EQ(step(9), 1);
  EXPECT_DOUBLE_EQ(step(10), 0.1);
  const PolynomialDecay square(4, 2);
  EXPECT_DOUBLE_EQ(square(1), 0.5625);
  EXPECT_DOUBLE_EQ(square(9), 0);
  const CosineDecay cosine(10, 0.2);
  EXPECT_DOUBLE_EQ(cosine(0), 1);
  EXPECT_DOUBLE_EQ(cosine(5), 0.6);
  EXPECT_DOUBLE_EQ(cosine(99), 0.2);
  const WarmUp warm(4, ExponentialDecay(0.5));
  EXPECT_DOUBLE_EQ(warm(0), 0.25);
  EXPECT_DOUBLE_EQ(warm(3), 1);
  EXPECT_DOUBLE_EQ(warm(5), 0.5);
}

}  // namespace
}  // namespace chainerxx::optimizers
