// SPDX-License-Identifier: MIT
// Debug mode: the function that first produced a NaN or an infinity.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chainerxx/function.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/grad.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

using cupyxx::testing::expect_error;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class DebugTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(DebugTest);

Variable row(std::initializer_list<float> values) { return Variable(cupyxx::array(values)); }

TEST_P(DebugTest, NamesTheFunctionOfTheFirstNan) {
  const Variable x(cupyxx::array({{1.0f, 4.0f}, {2.0f, -1.0f}}));
  const auto network = [&] { return functions::exp(functions::sqrt(x) * 2 + 1); };
  EXPECT_TRUE(std::isnan(network().data().to_vector<float>()[3]));
  const DebugScope debug;
  expect_error<cupyxx::ValueError>(network,
                                   "sqrt: output 0 holds nan at (1, 1); shape (2, 2), float32");
}

TEST_P(DebugTest, NamesTheFunctionOfTheFirstInfinity) {
  const DebugScope debug;
  expect_error<cupyxx::ValueError>(
      [] {
        functions::exp(row({1, 100, 2}));
      },
      "exp: output 0 holds inf at (1,); shape (3,), float32");
  expect_error<cupyxx::ValueError>([] { functions::log(row({0})); },
                                   "log: output 0 holds -inf at (0,); shape (1,), float32");
}

TEST_P(DebugTest, NarrowTypesAreSearchedToo) {
  const DebugScope debug;
  for (const cupyxx::dtype type : {cupyxx::bfloat16_, cupyxx::float16}) {
    const std::string name(type.name());
    expect_error<cupyxx::ValueError>(
        [&] {
          functions::sqrt(Variable(cupyxx::array({4.0f, -1.0f}).astype(type)));
        },
        "sqrt: output 0 holds nan at (1,); shape (2,), " + name);
    expect_error<cupyxx::ValueError>(
        [&] {
          functions::log(Variable(cupyxx::array({0.0f, 1.0f}).astype(type)));
        },
        "log: output 0 holds -inf at (0,); shape (2,), " + name);
  }
  // What a product cannot read in its type.
  functions::Linear layer(2, 2);
  const PrecisionScope scope(Precision::float16);
  expect_error<cupyxx::ValueError>(
      [&] {
        layer(Variable(cupyxx::array({{1e6f, 1.0f}})));
      },
      "Cast: output 0 holds inf at (0, 0); shape (1, 2), float16");
}

TEST_P(DebugTest, NanCountsBeforeInfinity) {
  const DebugScope debug;
  expect_error<cupyxx::ValueError>(
      [] {
        functions::log(row({0, -1}));
      },
      "log: output 0 holds nan at (1,)");
}

TEST_P(DebugTest, SaysNothingWhereTheInputsHadIt) {
  const DebugScope debug;
  EXPECT_TRUE(std::isnan((row({kNan}) * 2).data().item<float>()));
  EXPECT_EQ((row({kInf}) + 1).data().item<float>(), kInf);
  // Infinities that become a NaN are a new mistake.
  expect_error<cupyxx::ValueError>([] { row({kInf}) - row({kInf}); },
                                   "_ - _: output 0 holds nan at (0,)");
}

TEST_P(DebugTest, MasksOfInfinitiesPass) {
  const DebugScope debug;
  const Variable x(cupyxx::ones({1, 3, 2}, cupyxx::float32));
  EXPECT_NO_THROW(functions::scaled_dot_product_attention(x, x, x, {.is_causal = true}));
}

TEST_P(DebugTest, NamesTheFunctionInBackward) {
  const Variable x = row({4, 0});
  const auto run = [&] { functions::sum(functions::sqrt(x) * 3).backward(); };
  EXPECT_NO_THROW(run());
  const DebugScope debug;
  expect_error<cupyxx::ValueError>(
      run, "sqrt: the gradient of input 0 holds inf at (1,); shape (2,), float32");
  expect_error<cupyxx::ValueError>(
      [&] { grad({functions::sum(functions::sqrt(x))}, {x}, {.enable_double_backprop = true}); },
      "sqrt: the gradient of input 0 holds inf at (1,)");
}

TEST_P(DebugTest, NamesParameters) {
  functions::Linear layer(2, 2, {.nobias = true});
  layer.W(1, 0) = kNan;
  const Variable x(cupyxx::ones({1, 2}, cupyxx::float32));
  const DebugScope debug;
  expect_error<cupyxx::ValueError>(
      [&] { layer(x); },
      "Linear: output 0 holds nan at (0, 1); shape (1, 2), float32; so does its parameter W at (1, "
      "0)");
}

TEST_P(DebugTest, NamesGradientsOfParameters) {
  functions::Linear layer(1, 1, {.nobias = true});
  layer.W.fill(0);
  const Variable x(cupyxx::full({1, 1}, 1e30, cupyxx::float32));
  const DebugScope debug;
  const Variable y = layer(x);
  y.set_grad(cupyxx::full({1, 1}, 1e30, cupyxx::float32));
  expect_error<cupyxx::ValueError>(
      [&] { y.backward(); },
      "Linear: the gradient of parameter W holds inf at (0, 0); shape (1, 1), float32");
}

TEST_P(DebugTest, NamesSumsThatOverflow) {
  const Variable x = row({1});
  const Variable y = x * 3e38f + x * 3e38f;
  const DebugScope debug;
  expect_error<cupyxx::ValueError>(
      [&] {
        y.set_grad(cupyxx::ones({1}, cupyxx::float32));
        y.backward();
      },
      "_ * 3.0000000054977558e+38: the sum of the gradients of input 0 "
      "holds inf at (0,)");
}

TEST_P(DebugTest, IntegersAndEmptyArraysPass) {
  const DebugScope debug;
  EXPECT_NO_THROW(functions::softmax_cross_entropy(Variable(cupyxx::zeros({2, 3}, cupyxx::float32)),
                                                   cupyxx::array({0, 1})));
  EXPECT_NO_THROW(functions::exp(Variable(cupyxx::zeros({0, 3}, cupyxx::float32))));
}

TEST(DebugMode, ScopesOverrideTheMode) {
  EXPECT_FALSE(is_debug());
  set_debug(true);
  EXPECT_TRUE(is_debug());
  {
    const DebugScope off(false);
    EXPECT_FALSE(is_debug());
    const DebugScope on;
    EXPECT_TRUE(is_debug());
  }
  EXPECT_TRUE(is_debug());
  set_debug(false);
  EXPECT_FALSE(is_debug());
}

}  // namespace
}  // namespace chainerxx
