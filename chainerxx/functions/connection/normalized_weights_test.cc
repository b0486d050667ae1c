// SPDX-License-Identifier: MIT
// Layers with normalised weights: singular values of linalg::svd, the formulas in double, finite
// differences, and what becomes of u.
#include "chainerxx/functions/connection/normalized_weights.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/functions/math/sum.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx::functions {
namespace {

using cupyxx::float64;
using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class NormalizedWeightsTest : public cupyxx::testing::DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    cupyxx::random::seed(7);
  }
};
CUPYXX_TEST_ON_DEVICES(NormalizedWeightsTest);

ndarray waves(const Shape& shape, double phase) {
  return cupyxx::sin(cupyxx::square(cupyxx::arange(shape.element_count()) + phase)).reshape(shape);
}
Linear linear_layer() {
  return {4, 3, {.initialW = waves({3, 4}, 0.3), .initial_bias = waves({3}, 2), .dtype = float64}};
}
double largest(const ndarray& matrix) {
  return cupyxx::linalg::svd(matrix, false, false).s(0).item<double>();
}

TEST_P(NormalizedWeightsTest, ThePowerIterationFindsTheLargestSingularValue) {
  SpectralNormalization layer(linear_layer());
  EXPECT_EQ(layer.u().shape(), Shape{3});
  const Variable x(waves({2, 4}, 5));
  Variable y;
  for (int i = 0; i < 200; ++i) y = layer(x);
  const ndarray W = layer.layer.W;
  expect_allclose(y.data(), cupyxx::matmul(x.data(), W.T()) / largest(W) + layer.layer.b, 1e-11,
                  1e-12);
}

// By hand from the vector that there was before.
TEST_P(NormalizedWeightsTest, OneStepIsMadeBeforeEachCall) {
  SpectralNormalization layer(linear_layer(), {.factor = 0.5});
  const ndarray W = layer.layer.W, before = layer.u().copy();
  const auto unit = [](const ndarray& a) { return a / cupyxx::sqrt(cupyxx::square(a).sum()); };
  const ndarray v = unit(cupyxx::matmul(before, W)), u = unit(cupyxx::matmul(W, v));
  const ndarray sigma = cupyxx::matmul(cupyxx::matmul(u, W), v);
  const Variable x(waves({2, 4}, 5));
  const ndarray expected = cupyxx::matmul(x.data(), W.T()) / sigma * 0.5 + layer.layer.b;
  {
    const TrainScope test(false);
    expect_allclose(layer(x).data(), expected, 1e-11, 1e-12);
    expect_array_equal(layer.u(), before);
  }
  expect_allclose(layer(x).data(), expected, 1e-11, 1e-12);
  expect_allclose(layer.u(), u, 1e-11, 1e-12);
}

/// The gradients of a set by W of its layer against finite differences of sum(y * gy).
template <class Set>
void expect_gradients(Set& set, const ndarray& x, double tolerance) {
  const TrainScope test(false);
  const ndarray gy = waves(set(Variable(x)).shape(), 9);
  const auto loss = [&] { return (set(Variable(x)).data() * gy).sum().template item<double>(); };
  set.zero_grads();
  Variable y = set(Variable(x));
  y.set_grad(gy);
  y.backward();
  const ndarray whole = set.layer.W;
  const ndarray W = whole.ravel(), gW = set.layer.gW.ravel();
  ASSERT_EQ(W.data(), whole.data());  // a view
  for (std::int64_t i = 0; i < W.size(); ++i) {
    const double at = W(i).template item<double>(), step = 1e-5;
    W(i) = at + step;
    const double above = loss();
    W(i) = at - step;
    const double below = loss();
    W(i) = at;
    EXPECT_NEAR(gW(i).template item<double>(), (above - below) / (2 * step), tolerance) << i;
  }
}

// Where the iteration has ended the vectors do not change the value in first order.
TEST_P(NormalizedWeightsTest, GradientsGoThroughTheSingularValue) {
  SpectralNormalization products(linear_layer());
  SpectralNormalization images(Convolution2D(
      2, 3, {2, 1}, {.pad = 1, .initialW = waves({3, 2, 2, 1}, 1), .dtype = float64}));
  SpectralNormalization back(Deconvolution2D(
      3, 2, 2, {.stride = 2, .initialW = waves({3, 2, 2, 2}, 1), .dtype = float64}));
  EXPECT_EQ(back.u().shape(), Shape{2});
  const Variable x(waves({2, 4}, 5)), z(waves({1, 2, 3, 3}, 5)), t(waves({1, 3, 2, 2}, 5));
  for (int i = 0; i < 300; ++i) {
    products(x);
    images(z);
    back(t);
  }
  expect_gradients(products, x.data(), 1e-7);
  expect_gradients(images, z.data(), 1e-7);
  expect_gradients(back, t.data(), 1e-7);
}

TEST_P(NormalizedWeightsTest, GammaStartsAsTheSingularValue) {
  SpectralNormalization layer(linear_layer(), {.use_gamma = true});
  const Variable x(waves({2, 4}, 5));
  Variable y;
  for (int i = 0; i < 200; ++i) y = layer(x);
  expect_allclose(y.data(), layer.layer(x).data(), 1e-11, 1e-12);
  layer.zero_grads();
  sum(y).backward();
  const std::vector<std::string> names = layer.names();
  EXPECT_EQ(names, (std::vector<std::string>{"layer", "singular", "gamma"}));
  EXPECT_EQ(layer.parameters().size(), 3u);  // W, b and gamma, without u
  EXPECT_EQ(layer.fields().size(), 4u);
  struct Critic : FunctionSet {
    SpectralNormalization<Linear>& score =
        add("score", SpectralNormalization(linear_layer(), {.use_gamma = true}));
  } critic;
  (*critic.score.gamma()).W(cupyxx::ellipsis) = 3;
  const auto copy = deep_copy(critic);
  EXPECT_EQ(copy.score.gamma()->W.item<double>(), 3);
}

TEST_P(NormalizedWeightsTest, FiltersHaveDeviationOne) {
  WeightStandardization layer(Convolution2D(
      2, 3, {2, 1}, {.nobias = true, .initialW = waves({3, 2, 2, 1}, 1), .dtype = float64}));
  const ndarray W = ndarray(layer.layer.W).reshape({3, 4});
  const ndarray centred = W - W.mean(1).reshape({3, 1});
  const ndarray standard =
      centred / (cupyxx::sqrt(cupyxx::square(centred).mean(1)) + 1e-6).reshape({3, 1});
  const Variable x(waves({1, 2, 3, 3}, 5));
  expect_allclose(layer(x).data(), convolution_2d(x, standard.reshape({3, 2, 2, 1})).data(), 1e-11,
                  1e-12);
  expect_gradients(layer, x.data(), 1e-7);
}

TEST_P(NormalizedWeightsTest, AFilterOfEqualNumbersIsNothing) {
  WeightStandardization layer(Linear(3, 2, {.nobias = true, .initialW = 0.25, .dtype = float64}));
  const Variable y = layer(Variable(waves({2, 3}, 1)));
  expect_array_equal(y.data(), cupyxx::zeros({2, 2}));
  sum(y).backward();
  EXPECT_TRUE(cupyxx::isfinite(layer.layer.gW).all().item<bool>());
}

TEST_P(NormalizedWeightsTest, LayersMayWaitForTheirSizes) {
  struct Critic : FunctionSet {
    SpectralNormalization<Linear>& score =
        add("score", SpectralNormalization(Linear(cupyxx::none, 1)));
    Variable operator()(const Variable& x) { return score(x); }
  } critic;
  EXPECT_EQ(critic(Variable(cupyxx::ones({2, 5}, cupyxx::float32))).shape(), (Shape{2, 1}));
  EXPECT_EQ(critic.score.u().dtype(), cupyxx::float32);
  EXPECT_EQ(critic.fields()[2].name, "score/singular/u");
  auto copy = deep_copy(critic);
  expect_array_equal(copy.score.u(), critic.score.u());
  EXPECT_NE(copy.score.u().data(), critic.score.u().data());
  const Variable x(cupyxx::ones({2, 5}, cupyxx::float32));
  expect_array_equal(copy(x).data(), critic(x).data());
  expect_error<cupyxx::ValueError>(
      [] { SpectralNormalization set(Linear(cupyxx::none, 1), {.use_gamma = true}); },
      "SpectralNormalization: gamma needs the sizes of the layer, which waits for one");
  expect_error<cupyxx::ValueError>(
      [] { SpectralNormalization set(linear_layer(), {.n_power_iteration = 0}); },
      "SpectralNormalization: n_power_iteration is not positive; 0");
  expect_error<cupyxx::ValueError>([] { SpectralNormalization set(Linear(0, 3)); },
                                   "SpectralNormalization: W has no elements; (3, 0)");
}

}  // namespace
}  // namespace chainerxx::functions
