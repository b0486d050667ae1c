// SPDX-License-Identifier: MIT
// What Chainer's reference cases do not hold.
#include "chainerxx/optimizers/optimizers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

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

/// Ten steps with gradients that fall as 1 / t.
std::vector<double> after_ten_steps(Optimizer& optimizer) {
  const cupyxx::ndarray p = cupyxx::array({1.0, -2.0, 0.5}), g = cupyxx::zeros({3});
  optimizer.setup(std::vector{p}, std::vector{g});
  for (int t = 1; t <= 10; ++t) {
    cupyxx::copyto(g, cupyxx::array({0.1 / t, -0.2 / t, 3.0 / t}));
    optimizer.update();
  }
  return p.to_vector<double>();
}

// Chainer's recurrence in float64, in which the v of the present step stands.
TEST_P(OptimizersTest, NesterovIsChainers) {
  NesterovAG optimizer({.lr = 0.01, .momentum = 0.8});
  const auto found = after_ten_steps(optimizer);
  const std::vector<double> start = {1, -2, 0.5}, gradient = {0.1, -0.2, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    double x = start[i], v = 0;
    for (int t = 1; t <= 10; ++t) {
      const double g = gradient[i] / t;
      v = 0.8 * v - 0.01 * g;
      x += 0.8 * 0.8 * v - 1.8 * 0.01 * g;
    }
    EXPECT_NEAR(found[i], x, 1e-13);
  }
}

// The recurrence of the paper, in float64; the largest second moment is that of an early step.
TEST_P(OptimizersTest, AmsGradDividesByTheLargestMoment) {
  AMSGrad optimizer({.alpha = 0.01, .beta2 = 0.5});
  const auto found = after_ten_steps(optimizer);
  const std::vector<double> start = {1, -2, 0.5}, gradient = {0.1, -0.2, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    double x = start[i], m = 0, v = 0, largest = 0;
    for (int t = 1; t <= 10; ++t) {
      m = 0.9 * m + 0.1 * gradient[i] / t;
      v = 0.5 * v + 0.5 * gradient[i] * gradient[i] / (t * t);
      largest = std::max(largest, v);
      const double rate = 0.01 * std::sqrt(1 - std::pow(0.5, t)) / (1 - std::pow(0.9, t));
      x -= rate * m / (std::sqrt(largest) + 1e-8);
    }
    EXPECT_NEAR(found[i], x, 1e-12);
  }
}

// The recurrence of section 7.1 of the paper in float64, eps as PyTorch has it.
TEST_P(OptimizersTest, AdamaxDividesByTheLargestGradient) {
  for (const double eps : {0.0, 1e-3}) {
    Adamax optimizer({.alpha = 0.01, .beta2 = 0.5, .eps = eps});
    const auto found = after_ten_steps(optimizer);
    const std::vector<double> start = {1, -2, 0.5}, gradient = {0.1, -0.2, 3};
    for (std::size_t i = 0; i < 3; ++i) {
      double x = start[i], m = 0, u = 0;
      for (int t = 1; t <= 10; ++t) {
        const double g = gradient[i] / t;
        m = 0.9 * m + 0.1 * g;
        u = std::max(0.5 * u, std::abs(g) + eps);
        x -= 0.01 / (1 - std::pow(0.9, t)) * m / u;
      }
      EXPECT_NEAR(found[i], x, 1e-12);
    }
  }
}

TEST_P(OptimizersTest, AdamaxLeavesWhatHasNoGradient) {
  const cupyxx::ndarray p = cupyxx::array({1.0, 2.0, 3.0});
  const cupyxx::ndarray g = cupyxx::array({0.0, 4.0, std::nan("")});
  Adamax optimizer({.alpha = 0.5, .eps = 0});
  optimizer.setup(std::vector{p}, std::vector{g});
  optimizer.update();
  const auto found = p.to_vector<double>();
  EXPECT_EQ(found[0], 1);
  EXPECT_NEAR(found[1], 1.5, 1e-15);
  EXPECT_TRUE(std::isnan(found[2]));
}

// PyTorch 1.13 gives these in float64.
TEST_P(OptimizersTest, MomentsOfAmsGradAndRAdamAreThoseOfPyTorch) {
  AMSGrad ams_grad({.alpha = 0.01, .eps = 0});
  RAdam r_adam({.alpha = 0.01});
  const auto expect = [](Optimizer& optimizer, const std::vector<double>& expected) {
    const auto found = after_ten_steps(optimizer);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
  };
  expect(ams_grad, {0.922871736121841, -1.922871736121841, 0.422871736121841});
  expect(r_adam, {0.9955252975898302, -1.9922918910714862, 0.40175655168686736});
}

// The recurrence of PyTorch's SGD, whose rate is that of the step; by hand the velocities are -1,
// -1.5 and -1.75.
TEST_P(OptimizersTest, CorrectedMomentumForgetsEarlierRates) {
  const cupyxx::ndarray p = cupyxx::array({8.0}), g = cupyxx::array({1.0});
  CorrectedMomentumSGD corrected({.lr = 1, .momentum = 0.5});
  corrected.setup(std::vector{p}, std::vector{g});
  for (const double rate : {1.0, 0.5, 2.0}) {
    corrected.lr = rate;
    corrected.update();
  }
  EXPECT_EQ(p.item<double>(), 8 - 1 * 1 - 0.5 * 1.5 - 2 * 1.75);
  CorrectedMomentumSGD of_one_rate(0.1, 0.8);
  MomentumSGD classical(0.1, 0.8);
  const auto found = after_ten_steps(of_one_rate), expected = after_ten_steps(classical);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);
}

// Luo's recurrence, in float64; the bounds meet within ten steps, so that both are reached.
TEST_P(OptimizersTest, BoundedAdamEndsAsSgd) {
  const std::vector<double> start = {1, -2, 0.5}, gradient = {0.1, -0.2, 3};
  for (const bool amsgrad : {false, true}) {
    const AdaBoundOptions options{.alpha = 0.01, .beta2 = 0.5, .final_lr = 0.05, .gamma = 0.3};
    AdaBound plain(options);
    AMSBound largest_moment(options);
    const auto found = after_ten_steps(amsgrad ? static_cast<Optimizer&>(largest_moment) : plain);
    int at_lower = 0, at_upper = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      double x = start[i], m = 0, v = 0, largest = 0;
      for (int t = 1; t <= 10; ++t) {
        m = 0.9 * m + 0.1 * gradient[i] / t;
        v = 0.5 * v + 0.5 * gradient[i] * gradient[i] / (t * t);
        largest = amsgrad ? std::max(largest, v) : v;
        const double rate = 0.01 * std::sqrt(1 - std::pow(0.5, t)) / (1 - std::pow(0.9, t));
        const double lower = 0.05 * (1 - 1 / (0.3 * t + 1)), upper = 0.05 * (1 + 1 / (0.3 * t));
        const double step = rate / (std::sqrt(largest) + 1e-8);
        at_lower += step < lower;
        at_upper += step > upper;
        x -= std::clamp(step, lower, upper) * m;
      }
      EXPECT_NEAR(found[i], x, 1e-12);
    }
    EXPECT_GT(at_lower, 0);
    EXPECT_GT(at_upper, 0);
  }
}

TEST_P(OptimizersTest, BoundsChangeAsTheRateDoes) {
  const cupyxx::ndarray p = cupyxx::array({0.0}), g = cupyxx::array({1e-3});
  AdaBound optimizer({.alpha = 0.5, .final_lr = 0.1, .gamma = 1e9});  // both bounds are final_lr
  optimizer.setup(std::vector{p}, std::vector{g});
  optimizer.alpha = 0.25;
  optimizer.update();
  EXPECT_NEAR(p.item<double>(), -0.1 * 0.5 * 1e-4, 1e-12);
}

// Chainer's update, in float64.
TEST_P(OptimizersTest, MsvagShortensUncertainSteps) {
  MSVAG optimizer({.lr = 0.1, .beta = 0.8, .eta = 0.5, .weight_decay_rate = 0.01});
  const std::vector<double> start = {1, -2, 0.5}, gradient = {0.1, -0.2, 3};
  const auto found = after_ten_steps(optimizer);
  for (std::size_t i = 0; i < 3; ++i) {
    double x = start[i], m = 0, v = 0;
    for (int t = 1; t <= 10; ++t) {
      const double g = gradient[i] / t, power = std::pow(0.8, t);
      m += 0.2 * (g - m);
      v += 0.2 * (g * g - v);
      double rho = 0.04 * (1 - power * power) / ((1 - power) * (1 - power) * (1 - 0.64));
      rho = std::min(rho, 0.9999);
      const double mean = m / (1 - power), second = v / (1 - power);
      const double s = (second - mean * mean) / (1 - rho);
      const double factor = std::clamp(mean * mean / (mean * mean + rho * s), 0.0, 1.0);
      x -= 0.5 * (0.1 * mean * factor + 0.01 * x);
    }
    EXPECT_NEAR(found[i], x, 1e-9);
  }
  const cupyxx::ndarray p = cupyxx::array({3.0}), none = cupyxx::array({0.0});
  MSVAG idle(0.1);
  idle.setup(std::vector{p}, std::vector{none});
  idle.update();
  EXPECT_EQ(p.item<double>(), 3);
}

TEST_P(OptimizersTest, NoiseHasItsDeviation) {
  const cupyxx::ndarray p = cupyxx::zeros({20000}), g = cupyxx::full({20000}, 2.0);
  SGD optimizer({.lr = 0});
  optimizer.setup(std::vector{p}, std::vector{g});
  optimizer.add_hook(GradientNoise(0.25));  // at t = 0 the deviation is the root
  optimizer.update();
  const double mean = g.mean().item<double>();
  EXPECT_NEAR(mean, 2, 0.02);
  EXPECT_NEAR(cupyxx::square(g - mean).mean().item<double>(), 0.25, 0.02);
  const cupyxx::ndarray before = g.copy();
  optimizer.set_t(99);
  optimizer.update();
  EXPECT_NEAR(cupyxx::square(g - before).mean().item<double>(), 0.25 / std::pow(100, 0.55), 2e-3);
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { optimizer.add_noise(-1); }, "add_noise: the deviation is negative or not finite; -1.0");
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [] { GradientNoise(-0.5); }, "GradientNoise: eta is negative or not finite; -0.5");
}

// Norms of 5 and 10: the rate is 5 / (10 + 0.1 * 5 + 1e-9).
TEST_P(OptimizersTest, GradientsAreScaledToTheirParameters) {
  const cupyxx::ndarray p = cupyxx::array({3.0, -4.0}), g = cupyxx::array({6.0, 8.0});
  const cupyxx::ndarray small = cupyxx::array({1e-3}), its = cupyxx::array({2.0});
  SGD optimizer({.lr = 0});
  optimizer.setup(std::vector{p, small}, std::vector{g, its});
  optimizer.add_hook(GradientLARS(1e-2, 0.1));
  optimizer.update();
  const double rate = 5 / (10 + 0.1 * 5 + 1e-9);
  const auto found = g.to_vector<double>();
  EXPECT_NEAR(found[0], rate * (6 + 0.3), 1e-12);
  EXPECT_NEAR(found[1], rate * (8 - 0.4), 1e-12);
  EXPECT_NEAR(its.item<double>(), 2 + 1e-4, 1e-12);
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { optimizer.scale_to_parameters(0, -1, 0); },
      "scale_to_parameters: a number is negative or NaN; 0.0, -1.0 and 0.0");
}

TEST_P(OptimizersTest, LassoPullsTowardsZero) {
  const cupyxx::ndarray p = cupyxx::array({1.0, -2.0, 0.0}), g = cupyxx::array({0.5, 0.5, 0.5});
  SGD optimizer({.lr = 1});
  optimizer.setup(std::vector{p}, std::vector{g});
  optimizer.add_hook(Lasso(0.25));
  optimizer.update();
  EXPECT_EQ(g.to_vector<double>(), (std::vector<double>{0.75, 0.25, 0.5}));
  EXPECT_EQ(p.to_vector<double>(), (std::vector<double>{0.25, -2.25, -0.5}));
}

TEST_P(OptimizersTest, HardClippingBoundsEachNumber) {
  const cupyxx::ndarray p = cupyxx::zeros({4});
  const cupyxx::ndarray g = cupyxx::array({-3.0, -0.5, 0.5, std::nan("")});
  SGD optimizer({.lr = 1});
  optimizer.setup(std::vector{p}, std::vector{g});
  optimizer.add_hook(GradientHardClipping(-1, 0.25));
  optimizer.update();
  const auto found = g.to_vector<double>();
  EXPECT_EQ(found[0], -1);
  EXPECT_EQ(found[1], -0.5);
  EXPECT_EQ(found[2], 0.25);
  EXPECT_TRUE(std::isnan(found[3]));
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { optimizer.clip_grad_values(1, -1); },
      "clip_grad_values: the bounds are not in order; 1.0 and -1.0");
}

// PyTorch's OneCycleLR with max_lr 1.
TEST(Schedules, OneCycleRisesAndFalls) {
  const OneCycle cycle(10);
  const std::vector<double> expected = {0.04,
                                        0.52,
                                        1.0,
                                        0.9504846320134737,
                                        0.8117456539497631,
                                        0.6112620219362893,
                                        0.38874197806371075,
                                        0.18825834605023697,
                                        0.049519367986526286,
                                        4e-06};
  for (std::size_t t = 0; t < 10; ++t) {
    EXPECT_NEAR(cycle(static_cast<std::int64_t>(t)), expected[t], 1e-15) << t;
  }
  EXPECT_NEAR(cycle(99), 4e-6, 1e-15);
}

TEST(Schedules, APlateauLowersTheRate) {
  Plateau plateau(0.5, 1, 0.1);
  EXPECT_EQ(plateau(10), 1);
  EXPECT_EQ(plateau(9.5), 1);  // less, but not by a tenth
  EXPECT_EQ(plateau(9.5), 0.5);
  EXPECT_EQ(plateau(8), 0.5);
  EXPECT_EQ(plateau(std::nan("")), 0.5);
  EXPECT_EQ(plateau(std::nan("")), 0.25);
}

// A share of a negative least is below it; a loss that stands there counted as progress.
TEST(Schedules, APlateauOfNegativeLosses) {
  Plateau plateau(0.5, 1, 0.1);
  EXPECT_EQ(plateau(-10), 1);
  EXPECT_EQ(plateau(-12), 1);
  EXPECT_EQ(plateau(-12), 1);
  EXPECT_EQ(plateau(-11), 0.5);
  EXPECT_EQ(plateau.least, -12);
}

TEST(Schedules, FollowTheirFormulas) {
  EXPECT_DOUBLE_EQ(ExponentialDecay(0.5)(3), 0.125);
  const StepDecay step(0.1, 10);
  EXPECT_DOUBLE_EQ(step(9), 1);
  EXPECT_DOUBLE_EQ(step(10), 0.1);
  const PolynomialDecay square(4, 2);
  EXPECT_DOUBLE_EQ(square(1), 0.5625);
  EXPECT_DOUBLE_EQ(square(9), 0);
  EXPECT_DOUBLE_EQ(PolynomialDecay(0)(0), 0);
  const CosineDecay cosine(10, 0.2);
  EXPECT_DOUBLE_EQ(cosine(0), 1);
  EXPECT_DOUBLE_EQ(cosine(5), 0.6);
  EXPECT_DOUBLE_EQ(cosine(99), 0.2);
  const WarmUp warm(4, ExponentialDecay(0.5));
  EXPECT_DOUBLE_EQ(warm(0), 0.25);
  EXPECT_DOUBLE_EQ(warm(3), 1);
  EXPECT_DOUBLE_EQ(warm(5), 0.5);
}

double norm(const std::vector<double>& a) {
  double sum = 0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

// The recurrences of the papers, in float64.
TEST_P(OptimizersTest, LambStepsAreAsLongAsTheRateSays) {
  LAMB optimizer({.alpha = 0.01, .weight_decay = 0.1});
  const auto found = after_ten_steps(optimizer);
  std::vector<double> x = {1, -2, 0.5}, m(3), v(3), step(3);
  const std::vector<double> gradient = {0.1, -0.2, 3};
  for (int t = 1; t <= 10; ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double g = gradient[i] / t;
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      const double first = m[i] / (1 - std::pow(0.9, t)), second = v[i] / (1 - std::pow(0.999, t));
      step[i] = first / (std::sqrt(second) + 1e-6) + 0.1 * x[i];
    }
    const double trust = norm(x) / norm(step);
    for (std::size_t i = 0; i < 3; ++i) x[i] -= 0.01 * trust * step[i];
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], x[i], 1e-12);
}

TEST_P(OptimizersTest, LarsScalesTheRateOfEachParameter) {
  LARS optimizer({.lr = 0.5, .weight_decay = 0.1, .trust_coefficient = 0.02});
  const auto found = after_ten_steps(optimizer);
  std::vector<double> x = {1, -2, 0.5}, v(3);
  const std::vector<double> gradient = {0.1, -0.2, 3};
  for (int t = 1; t <= 10; ++t) {
    std::vector<double> g = gradient;
    for (double& each : g) each /= t;
    const double local = 0.02 * norm(x) / (norm(g) + 0.1 * norm(x) + 1e-9);
    for (std::size_t i = 0; i < 3; ++i) {
      v[i] = 0.9 * v[i] + 0.5 * local * (g[i] + 0.1 * x[i]);
    }
    for (std::size_t i = 0; i < 3; ++i) x[i] -= v[i];
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], x[i], 1e-12);
}

/// One parameter with its gradient, as numbers.
struct Plain {
  std::vector<double> p, g, m, v;
};

void lamb_step(Plain& a, int t) {
  std::vector<double> step;
  for (std::size_t i = 0; i < a.p.size(); ++i) {
    a.m[i] = 0.9 * a.m[i] + 0.1 * a.g[i];
    a.v[i] = 0.999 * a.v[i] + 0.001 * a.g[i] * a.g[i];
    const double first = a.m[i] / (1 - std::pow(0.9, t));
    step.push_back(first / (std::sqrt(a.v[i] / (1 - std::pow(0.999, t))) + 1e-6) + 0.1 * a.p[i]);
  }
  const double trust = norm(a.p) / norm(step);
  for (std::size_t i = 0; i < a.p.size(); ++i) a.p[i] -= 0.01 * trust * step[i];
}

void lars_step(Plain& a, int) {
  const double local = 0.02 * norm(a.p) / (norm(a.g) + 0.1 * norm(a.p) + 1e-9);
  for (std::size_t i = 0; i < a.p.size(); ++i) {
    a.v[i] = 0.9 * a.v[i] + 0.5 * local * (a.g[i] + 0.1 * a.p[i]);
    a.p[i] -= a.v[i];
  }
}

// Parameters of many chunks and of a part of one, the last of them in columns.
TEST_P(OptimizersTest, LarsAndLambMeasureEachParameterByItself) {
  const std::vector<cupyxx::Shape> shapes = {{300001}, {3}, {700, 300}};
  for (const bool is_lamb : {false, true}) {
    for (const cupyxx::dtype type : {cupyxx::float32, cupyxx::float64}) {
      std::vector<std::vector<double>> found[2];
      for (auto& results : found) {
        cupyxx::random::seed(5);
        std::vector<cupyxx::ndarray> parameters, gradients;
        std::vector<Plain> plain;
        for (const cupyxx::Shape& shape : shapes) {
          parameters.push_back(cupyxx::random::standard_normal(shape).astype(type));
          gradients.push_back(cupyxx::random::standard_normal(shape).astype(type));
          if (shape.ndim() == 2)
            parameters.back() = parameters.back().T().copy(cupyxx::Order::C).T();
          const auto n = static_cast<std::size_t>(shape.element_count());
          plain.push_back({parameters.back().to_vector<double>(),
                           gradients.back().to_vector<double>(), std::vector<double>(n),
                           std::vector<double>(n)});
        }
        LAMB lamb({.alpha = 0.01, .weight_decay = 0.1});
        LARS lars({.lr = 0.5, .weight_decay = 0.1, .trust_coefficient = 0.02});
        Optimizer& optimizer = is_lamb ? static_cast<Optimizer&>(lamb) : lars;
        optimizer.setup(parameters, gradients);
        for (int t = 1; t <= 3; ++t) {
          optimizer.update();
          for (Plain& each : plain) is_lamb ? lamb_step(each, t) : lars_step(each, t);
        }
        const double bound = type == cupyxx::float32 ? 2e-6 : 1e-12;
        for (std::size_t k = 0; k < plain.size(); ++k) {
          results.push_back(parameters[k].to_vector<double>());
          for (std::size_t i = 0; i < plain[k].p.size(); ++i) {
            ASSERT_NEAR(results[k][i], plain[k].p[i], bound * (1 + std::abs(plain[k].p[i])))
                << is_lamb << " " << type.name() << " " << k << " " << i;
          }
        }
      }
      EXPECT_EQ(found[0], found[1]);  // the same bits
    }
  }
}

// Zeros have no norm: the rate is as it was. 16-bit parameters have states of float32.
TEST_P(OptimizersTest, LarsAndLambTakeZerosAndHalves) {
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32}) {
    const cupyxx::ndarray p = cupyxx::zeros({2}, type), g = cupyxx::full({2}, 0.5, type);
    LARS lars({.lr = 0.25});
    lars.setup(std::vector{p}, std::vector{g});
    lars.update();
    EXPECT_EQ(p.astype(cupyxx::float64).to_vector<double>(), (std::vector<double>{-0.125, -0.125}));
    EXPECT_EQ(lars.fields()[0].array->dtype(), cupyxx::float32);
    LAMB lamb({.alpha = 0.25, .eps = 0});
    p.fill(0);
    lamb.setup(std::vector{p}, std::vector{g});
    lamb.update();
    EXPECT_NEAR(p.astype(cupyxx::float64).to_vector<double>()[0], -0.25, 1e-3);
  }
}

}  // namespace
}  // namespace chainerxx::optimizers
