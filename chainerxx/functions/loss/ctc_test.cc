// SPDX-License-Identifier: MIT
// The gradient of the kernel beside that of the composition; their values are checked against
// Chainer's and against finite differences elsewhere.
#include "chainerxx/functions/loss/ctc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/grad.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using Numbers = std::vector<std::int32_t>;

struct Case {
  std::string name;
  int moments;
  Numbers labels;  // of two sequences
  int blank;
  Numbers input_lengths{}, label_lengths{};
  cupyxx::dtype dtype = cupyxx::float64;
  Reduce reduce = Reduce::mean;
};

std::vector<Case> cases() {
  return {{"different labels", 4, {0, 1, 2, 0}, 3},
          {"repeated labels", 5, {0, 0, 1, 1}, 3},
          {"the blank among the classes", 4, {0, 2, 2, 3}, 1},
          {"lengths", 4, {0, 1, 2, 0}, 3, {4, 2}, {2, 1}},
          {"nothing to spell", 3, {0, 1, 2, 0}, 3, {3, 3}, {0, 2}},
          {"no time and nothing to spell", 3, {0, 1, 2, 0}, 3, {0, 3}, {0, 2}},
          {"too short for its labels", 2, {0, 0, 1, 2}, 3},
          {"lengths beyond the arrays", 3, {0, 1, 2, 0}, 3, {9, -1}, {7, -1}},
          {"one moment, one label", 1, {2, 1}, 0},
          {"float32", 6, {0, 0, 1, 2}, 3, {}, {}, cupyxx::float32},
          {"the sum", 4, {0, 1, 2, 0}, 3, {4, 2}, {2, 1}, cupyxx::float64, Reduce::sum},
          {"each", 4, {0, 1, 2, 0}, 3, {4, 2}, {2, 1}, cupyxx::float64, Reduce::no},
          {"each of float32", 5, {0, 0, 1, 1}, 3, {}, {}, cupyxx::float32, Reduce::no}};
}

class CtcTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(CtcTest);

TEST_P(CtcTest, BothFormsOfTheGradientAgree) {
  cupyxx::random::RandomState random(3);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    std::vector<Variable> x;
    for (int i = 0; i < c.moments; ++i) {
      x.emplace_back(random.normal({2, 4}).astype(c.dtype));
    }
    const auto labels = static_cast<std::int64_t>(c.labels.size() / 2);
    const Variable t(cupyxx::array(c.labels).reshape({2, labels}));
    CtcLengths lengths;
    {
      const cupyxx::DeviceScope host(cupyxx::Device::cpu());  // any device will do
      if (!c.input_lengths.empty()) lengths.input = cupyxx::array(c.input_lengths);
      if (!c.label_lengths.empty()) lengths.label = cupyxx::array(c.label_lengths);
    }
    lengths.reduce = c.reduce;
    Variable y = connectionist_temporal_classification(x, t, c.blank, lengths);
    expect_allclose(
        connectionist_temporal_classification(x, t, c.blank, lengths.input, lengths.label, c.reduce)
            .data(),
        y.data(), 0, 0);
    if (c.reduce == Reduce::no) {
      EXPECT_EQ(y.shape(), cupyxx::Shape{2});
      y = sum(y * Variable(cupyxx::array({2, -3}).astype(c.dtype)));
    }
    const std::vector<Variable> composed = grad({y}, x, {.enable_double_backprop = true});
    y.backward();
    const double tolerance = c.dtype == cupyxx::float64 ? 1e-12 : 1e-5;
    for (std::size_t i = 0; i < x.size(); ++i) {
      expect_allclose(composed[i].data(), x[i].grad(), tolerance, tolerance);
    }
  }
}

// Two sequences of their own lengths beside each other are two calls.
TEST_P(CtcTest, LossesOfEachSequence) {
  cupyxx::random::RandomState random(5);
  std::vector<Variable> x, first, second;
  for (int i = 0; i < 4; ++i) {
    const ndarray both = random.normal({2, 4});
    x.emplace_back(both);
    first.emplace_back(both(cupyxx::slice(0, 1)));
    if (i < 3) second.emplace_back(both(cupyxx::slice(1, 2)));
  }
  const Variable t(cupyxx::array(Numbers{0, 1, 2, 0}).reshape({2, 2}));
  const Variable t1(cupyxx::array(Numbers{0, 1}).reshape({1, 2}));
  const Variable t2(cupyxx::array(Numbers{2}).reshape({1, 1}));
  const ndarray inputs = cupyxx::array(Numbers{4, 3}), labels = cupyxx::array(Numbers{2, 1});
  const ndarray each = connectionist_temporal_classification(
                           x, t, 3, {.input = inputs, .label = labels, .reduce = "no"})
                           .data();
  const double a = connectionist_temporal_classification(first, t1, 3).item<double>();
  const double b = connectionist_temporal_classification(second, t2, 3).item<double>();
  expect_allclose(each, cupyxx::array({a, b}), 1e-14, 0);
  const CtcLengths all{.input = inputs, .label = labels, .reduce = Reduce::sum};
  EXPECT_NEAR(connectionist_temporal_classification(x, t, 3, all).item<double>(), a + b, 1e-13);
}

TEST_P(CtcTest, WhatCannotBeSpelledIsInfinite) {
  const std::vector<Variable> x(2, Variable(cupyxx::zeros({1, 3}, cupyxx::float32)));
  const Variable t(cupyxx::array(Numbers{1, 1}).reshape({1, 2}));  // needs a blank between
  EXPECT_TRUE(std::isinf(connectionist_temporal_classification(x, t, 0).data().item<double>()));
}

}  // namespace
}  // namespace chainerxx::functions
