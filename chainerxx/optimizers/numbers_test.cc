// SPDX-License-Identifier: MIT
// Numbers that no algorithm can compute with are refused where they are given.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "chainerxx/optimizers/optimizers.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::optimizers {
namespace {

using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Refusal {
  std::string text;
  std::function<void()> call;
};

void expect_refusals(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.text);
    expect_error<cupyxx::ValueError>(refusal.call, refusal.text);
  }
}

TEST(Numbers, OfOptionsAreChecked) {
  expect_refusals({
      {"SGD: lr is negative or not finite; -1", [] { SGD optimizer(-1); }},
      {"SGD: lr is negative or not finite; nan", [] { SGD optimizer({.lr = kNan}); }},
      {"SGD: lr is negative or not finite; inf", [] { SGD optimizer({.lr = kInfinity}); }},
      {"MomentumSGD: momentum is not in [0, 1); 1", [] { MomentumSGD optimizer(0.1, 1); }},
      {"MomentumSGD: momentum is not in [0, 1); -0.9",
       [] { MomentumSGD optimizer({.momentum = -0.9}); }},
      {"CorrectedMomentumSGD: momentum is not in [0, 1); nan",
       [] { CorrectedMomentumSGD optimizer({.momentum = kNan}); }},
      {"NesterovAG: lr is negative or not finite; -0.1", [] { NesterovAG optimizer(-0.1); }},
      {"Adam: beta1 is not in [0, 1); 2", [] { Adam optimizer({.beta1 = 2}); }},
      {"Adam: beta2 is not in [0, 1); 1", [] { Adam optimizer({.beta2 = 1}); }},
      {"Adam: eps is negative or not finite; -1e-08", [] { Adam optimizer({.eps = -1e-8}); }},
      {"Adamax: alpha is negative or not finite; -1", [] { Adamax optimizer(-1); }},
      {"Adamax: beta2 is not in [0, 1); 1", [] { Adamax optimizer({.beta2 = 1}); }},
      {"AdamW: weight_decay is negative or not finite; -1",
       [] { AdamW optimizer({.weight_decay = -1}); }},
      {"AMSGrad: alpha is negative or not finite; -1", [] { AMSGrad optimizer(-1); }},
      {"RAdam: beta2 is not in [0, 1); -1", [] { RAdam optimizer({.beta2 = -1}); }},
      {"AdaBound/AMSBound: gamma is negative or not finite; -1",
       [] { AdaBound optimizer({.gamma = -1}); }},
      {"AdaBound/AMSBound: final_lr is negative or not finite; nan",
       [] { AMSBound optimizer({.final_lr = kNan}); }},
      {"AdaDelta: rho is not in [0, 1); 1.5", [] { AdaDelta optimizer(1.5); }},
      {"AdaGrad: eps is negative or not finite; -1", [] { AdaGrad optimizer({.eps = -1}); }},
      {"RMSprop: alpha is not in [0, 1); 1", [] { RMSprop optimizer({.alpha = 1}); }},
      {"RMSpropGraves: momentum is not in [0, 1); 7",
       [] { RMSpropGraves optimizer({.momentum = 7}); }},
      {"SMORMS3: lr is negative or not finite; -1", [] { SMORMS3 optimizer(-1); }},
      {"MSVAG: beta is not in [0, 1); 1", [] { MSVAG optimizer({.beta = 1}); }},
      {"MSVAG: weight_decay_rate is negative or not finite; -1",
       [] { MSVAG optimizer({.weight_decay_rate = -1}); }},
      {"LAMB: weight_decay is negative or not finite; -1",
       [] { LAMB optimizer({.weight_decay = -1}); }},
      {"LARS: trust_coefficient is negative or not finite; -1",
       [] { LARS optimizer({.trust_coefficient = -1}); }},
  });
}

// A refused number leaves the former one.
TEST(Numbers, ThatAreSetAreChecked) {
  SGD sgd(0.5);
  Adam adam;
  expect_refusals({
      {"SGD: lr is negative or not finite; -1", [&] { sgd.lr = -1; }},
      {"SGD: lr is negative or not finite; -0.5", [&] { sgd.lr -= 1; }},
      {"SGD: lr is negative or not finite; -1", [&] { sgd.lr *= -2; }},
      {"SGD: lr is negative or not finite; inf", [&] { sgd.lr /= 0; }},
      {"SGD: lr is negative or not finite; nan", [&] { sgd.set_lr(kNan); }},
      {"Adam: beta1 is not in [0, 1); 1", [&] { adam.set_beta1(1); }},
      {"Adam: alpha is negative or not finite; -1", [&] { adam.set_alpha(-1); }},
  });
  EXPECT_EQ(sgd.lr(), 0.5);
  EXPECT_EQ(adam.beta1(), 0.9);
}

// It was NaN.
TEST(Numbers, TheRateOfAdamNeedsAnUpdate) {
  Adam adam;
  expect_error<cupyxx::ValueError>([&] { adam.lr(); },
                                   "Adam.lr: there has been no update yet, whose number it depends "
                                   "on; alpha is 0.001");
  adam.set_t(1);
  EXPECT_DOUBLE_EQ(adam.lr(), 0.001 * std::sqrt(1 - 0.999) / (1 - 0.9));
}

TEST(Numbers, OfHooksAreChecked) {
  expect_refusals({
      {"WeightDecay: rate is negative or not finite; -0.1", [] { WeightDecay hook(-0.1); }},
      {"Lasso: rate is negative or not finite; nan", [] { Lasso hook(kNan); }},
      {"GradientClipping: threshold is negative or NaN; -1", [] { GradientClipping hook(-1); }},
      {"GradientHardClipping: the bounds are not in order; 1.0 and -1.0",
       [] { GradientHardClipping hook(1, -1); }},
      {"GradientLARS: eps is negative or not finite; -1", [] { GradientLARS hook(0, 0, -1); }},
      {"GradientNoise: eta is negative or not finite; -1", [] { GradientNoise hook(-1); }},
  });
  EXPECT_NO_THROW(GradientClipping{kInfinity});
}

class NumbersTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NumbersTest);

TEST_P(NumbersTest, OfCallsAndGroupsAreChecked) {
  const cupyxx::ndarray p = cupyxx::array({1.0f, 2.0f}), g = cupyxx::array({1.0f, 1.0f});
  SGD optimizer(1);
  optimizer.setup(std::vector{p}, std::vector{g});
  optimizer.group("default").rate = -1;
  expect_refusals({
      {"weight_decay: decay is negative or not finite; -1", [&] { optimizer.weight_decay(-1); }},
      {"lasso: rate is negative or not finite; inf", [&] { optimizer.lasso(kInfinity); }},
      {"update: the rate or the decay of group \"default\" is negative or NaN; -1.0 and 1.0",
       [&] { optimizer.update(); }},
  });
  EXPECT_EQ(optimizer.t(), 0);
  expect_elements<float>(g, {2}, {1, 1});
  expect_elements<float>(p, {2}, {1, 2});
}

// 0 stands for what is switched off.
TEST_P(NumbersTest, MayBeZero) {
  const cupyxx::ndarray p = cupyxx::array({1.0f}), g = cupyxx::array({1.0f});
  MomentumSGD optimizer({.lr = 0, .momentum = 0});
  optimizer.setup(std::vector{p}, std::vector{g});
  optimizer.add_hook(WeightDecay(0));
  optimizer.update();
  expect_elements<float>(p, {1}, {1});
  Adam adam({.alpha = 1, .beta1 = 0, .beta2 = 0, .eps = 0});
  adam.setup(std::vector{p}, std::vector{g});
  adam.update();
  expect_elements<float>(p, {1}, {0});
}

}  // namespace
}  // namespace chainerxx::optimizers
