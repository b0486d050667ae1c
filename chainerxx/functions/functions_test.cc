// SPDX-License-Identifier: MIT
// Gradients against finite differences, and what the golden cases do not reach.
#include "chainerxx/functions/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "chainerxx/grad.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "gradcheck/gradcheck.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

class FunctionsTest : public cupyxx::testing::DeviceTest {
 protected:
  FunctionsTest() : random_(11) {}
  ndarray draw(const Shape& shape, double low = -1, double high = 1) {
    return random_.uniform(shape, {.low = low, .high = high});
  }
  /// Checks a function of one array of float64.
  template <class F>
  void check(F&& f, const Shape& shape, double low = -1, double high = 1) {
    const ndarray x = draw(shape, low, high);
    const Variable y = f(Variable(x));
    gradcheck::check_backward([&](const Variable& v) { return f(v); }, {x}, {draw(y.shape())},
                              {.eps = 1e-4, .atol = 1e-6, .rtol = 1e-5});
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(FunctionsTest);

TEST_P(FunctionsTest, GradientsMatchFiniteDifferences) {
  check([](const Variable& x) { return relu(x); }, {3, 4}, 0.1, 1);
  check([](const Variable& x) { return sigmoid(x); }, {3, 4});
  check([](const Variable& x) { return functions::tanh(x); }, {3, 4});
  check([](const Variable& x) { return softmax(x); }, {3, 4});
  check([](const Variable& x) { return softmax(x); }, {2, 3, 2, 2});
  check([](const Variable& x) { return functions::exp(x); }, {5});
  check([](const Variable& x) { return functions::log(x); }, {5}, 0.5, 2);
  check([](const Variable& x) { return functions::sin(x); }, {5});
  check([](const Variable& x) { return functions::cos(x); }, {5});
  check([](const Variable& x) { return sum(x, 1); }, {2, 3, 4});
  check([](const Variable& x) { return sum(x, {0, -1}); }, {2, 3, 4});
  check([](const Variable& x) { return reshape(x, {-1, 2}); }, {2, 3, 4});
  check([](const Variable& x) { return concat({x, x * 2, x * x}); }, {2, 3});
  check([](const Variable& x) { return concat(x, x * 2); }, {2, 3});
  check([](const Variable& x) { return identity(x); }, {3});
  check([](const Variable& x) { return functions::pow(x, 3) / (x + 2); }, {4}, 0.5, 1);
  check([](const Variable& x) { return functions::pow(x, x) - functions::pow(2, x); }, {4}, 0.5, 1);
  check([](const Variable& x) { return absolute(x); }, {4}, 0.5, 1);
}

TEST_P(FunctionsTest, LossesMatchFiniteDifferences) {
  const ndarray t = cupyxx::array({0, 2, -1, 1});
  const ndarray other = draw({4, 3});
  for (const bool normalize : {true, false}) {
    check(
        [&](const Variable& x) {
          return softmax_cross_entropy(x, t, {.normalize = normalize}) * 2;
        },
        {4, 3});
  }
  const ndarray planes = cupyxx::array({{0, 1, -1}, {2, 2, 0}});
  check([&](const Variable& x) { return softmax_cross_entropy(x, planes); }, {2, 3, 3});
  check([&](const Variable& x) { return mean_squared_error(x, other); }, {4, 3});
  check([&](const Variable& x) { return mean_squared_error(Variable(other), x); }, {4, 3});
}

TEST_P(FunctionsTest, LinearMatchesFiniteDifferences) {
  Linear f(6, 4, {.bias = 0.5, .dtype = cupyxx::float64});
  const ndarray x = draw({3, 2, 3});
  gradcheck::check_backward([&](const Variable& v) { return f(v); }, {x}, {draw({3, 4})},
                            {.parameters = {f.W, f.b}, .gradients = {f.gW, f.gb}});
  gradcheck::check_backward(
      [](const Variable& a, const Variable& w, const Variable& b) { return linear(a, w, b); },
      {draw({3, 6}), draw({4, 6}), draw({4})}, {draw({3, 4})});
  gradcheck::check_backward([](const Variable& a, const Variable& w) { return linear(a, w); },
                            {draw({3, 6}), draw({4, 6})}, {draw({3, 4})});
}

/// x^2 y, as a user writes it; its gradient is right or that of x y.
class SquareTimes : public FunctionOf<SquareTimes> {
 public:
  explicit SquareTimes(double slope = 2) : slope_(slope) {}
  std::vector<ndarray> forward(ArraySpan in) override { return {in[0] * in[0] * in[1]}; }
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override {
    return {in[0] * in[1] * slope_ * gy[0], in[0] * in[0] * gy[0]};
  }
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override {
    return {in[0] * in[1] * slope_ * gy[0], in[0] * in[0] * gy[0]};
  }

 private:
  double slope_;
};

TEST_P(FunctionsTest, FunctionsAreCheckedAsTheyAre) {
  const ndarray x = draw({3}), y = draw({3}), gy = draw({3});
  gradcheck::check_backward(SquareTimes(), {x, y}, gy);
  gradcheck::check_double_backward(SquareTimes(), {x, y}, gy, {draw({3}), draw({3})});
  EXPECT_THROW(gradcheck::check_backward(SquareTimes(1), {x, y}, gy), gradcheck::Mismatch);
  gradcheck::check_backward(Tanh(), x, gy);
  gradcheck::check_backward(LSTM(), {draw({2, 1}), draw({2, 4})}, {draw({2, 1}), draw({2, 1})});
  gradcheck::check_backward(Concat(0), {x, y}, draw({6}));
  const Linear f(3, 2, {.dtype = cupyxx::float64});
  gradcheck::check_backward(f, draw({4, 3}), draw({4, 2}),
                            {.parameters = {f.W, f.b}, .gradients = {f.gW, f.gb}});
}

TEST_P(FunctionsTest, LinearStartsAsTheManualSays) {
  cupyxx::random::seed(5);
  const Linear f(400, 300, {.wscale = 2, .bias = 3});
  EXPECT_EQ(f.W.shape(), Shape({300, 400}));
  EXPECT_EQ(f.W.dtype(), cupyxx::float32);
  EXPECT_NEAR(f.W.std().item<double>(), 2 / std::sqrt(400.0), 1e-3);
  EXPECT_EQ(f.b(299).item<float>(), 3);
  EXPECT_EQ(f.gW.sum().item<float>(), 0);
  const Linear without(2, 3, {.nobias = true});
  EXPECT_TRUE(without.b.is_none());
  expect_error<cupyxx::ShapeError>(
      [] {
        Linear(2, 3, {.initialW = cupyxx::ones({2, 3})});
      },
      "Linear: initialW has the wrong shape; (2, 3) instead of (3, 2)");
  const Linear half(2, 3, {.dtype = cupyxx::float16});
  EXPECT_EQ(half.W.dtype(), cupyxx::float16);
}

TEST_P(FunctionsTest, LinearAccumulatesAndSkipsConstants) {
  Linear f(2, 2, {.initialW = cupyxx::array({{1.0f, 2.0f}, {3.0f, 4.0f}})});
  const ndarray x = cupyxx::array({{1.0f, 1.0f}});
  for (int i = 0; i < 2; ++i) {
    const Variable y = f(x);
    y.set_grad(cupyxx::ones({1, 2}, cupyxx::float32));
    y.backward();
  }
  expect_elements<float>(f.gW, {2, 2}, {2, 2, 2, 2});
  expect_elements<float>(f.gb, {2}, {2, 2});
  const Variable v(x);
  const Variable y = f(v);
  y.set_grad(cupyxx::ones({1, 2}, cupyxx::float32));
  f.W.fill(0);
  expect_error<cupyxx::ValueError>([&] { y.backward(); },
                                   "Linear: an array that backward needs was changed in place");
}

TEST_P(FunctionsTest, LinearChecksItsInput) {
  Linear f(3, 2);
  expect_error<typecheck::InvalidType>(
      [&] {
        f(Variable(cupyxx::ones({2, 4}, cupyxx::float32)));
      },
      "Expect: prod(in_types[0].shape[1:]) == W.shape[1]\nActual: 4 != 3");
}

TEST_P(FunctionsTest, EmptyBatchesPass) {
  Linear f(3, 2);
  const Variable x(cupyxx::zeros({0, 3}, cupyxx::float32));
  const Variable y = softmax(relu(f(x)));
  EXPECT_EQ(y.shape(), Shape({0, 2}));
  y.set_grad(cupyxx::zeros({0, 2}, cupyxx::float32));
  y.backward();
  EXPECT_EQ(x.grad().shape(), Shape({0, 3}));
  const Variable loss = softmax_cross_entropy(f(x), cupyxx::zeros({0}, cupyxx::int32));
  EXPECT_EQ(loss.data().item<float>(), 0);
}

TEST_P(FunctionsTest, SoftmaxOverNoClassesIsEmpty) {
  const Variable x(cupyxx::zeros({2, 0}));
  EXPECT_EQ(softmax(x).shape(), Shape({2, 0}));
  EXPECT_EQ(log_softmax(x).shape(), Shape({2, 0}));
  EXPECT_EQ(log_softmax(x, 0).shape(), Shape({2, 0}));
}

// Pixel i is floor(i size / count) in whole numbers: size / count, rounded first, gave 0 for 49.
TEST_P(FunctionsTest, NearestPixelsAreThoseOfWholeNumbers) {
  const Variable x(cupyxx::arange(2, cupyxx::float64).reshape({1, 1, 1, 2}));
  const Variable y = resize_images(x, {1, 98}, {.mode = ResizeMode::nearest});
  expect_array_equal(y.data().ravel(), (cupyxx::arange(98) >= 49).astype(cupyxx::float64));
}

TEST_P(FunctionsTest, ActivationsPassNanOn) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Variable y = relu(Variable(cupyxx::array({nan, -1.0f, 2.0f})));
  EXPECT_TRUE(std::isnan(y.data()(0).item<float>()));
  EXPECT_EQ(y.data()(1).item<float>(), 0);
}

TEST_P(FunctionsTest, CrossEntropyOfIgnoredLabelsIsZero) {
  const Variable x(draw({3, 4}));
  const Variable loss = softmax_cross_entropy(x, cupyxx::full({3}, -1, cupyxx::int32));
  EXPECT_EQ(loss.data().item<double>(), 0);
  loss.backward();
  EXPECT_EQ(cupyxx::count_nonzero(x.grad()), 0);
}

TEST_P(FunctionsTest, CrossEntropyIsFiniteForExtremeLogits) {
  const Variable x(cupyxx::array({{1000.0f, 0.0f}, {-1000.0f, 0.0f}}));
  const Variable loss = softmax_cross_entropy(x, cupyxx::array({1, 1}));
  EXPECT_EQ(loss.data().item<float>(), 500);
}

// Large batches take another path; the reference is the definition in float64 on the host.
TEST_P(FunctionsTest, CrossEntropyOfLargeBatches) {
  const std::int64_t n = 6000, classes = 40;
  const ndarray x = draw({n, classes}, -5, 5);
  const ndarray t = random_.randint(-1, classes, {n});
  const Variable v(x);
  const Variable loss = softmax_cross_entropy(v, t);
  loss.backward();
  const auto logits = x.to_vector<double>();
  const auto labels = t.to_vector<std::int64_t>();
  double expected = 0, count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t label = labels[static_cast<std::size_t>(i)];
    if (label == -1) continue;
    double sum = 0;
    for (std::int64_t c = 0; c < classes; ++c) {
      sum += std::exp(logits[static_cast<std::size_t>(i * classes + c)]);
    }
    expected += std::log(sum) - logits[static_cast<std::size_t>(i * classes + label)];
    ++count;
  }
  EXPECT_NEAR(loss.data().item<double>(), expected / count, 1e-9);
  EXPECT_NEAR(v.grad().sum().item<double>(), 0, 1e-9);
}

TEST_P(FunctionsTest, LabelsOutOfRangeAreIndexErrors) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
  for (const int label : {3, -2}) {
    EXPECT_THROW(softmax_cross_entropy(x, cupyxx::array({0, label})).data().item<float>(),
                 cupyxx::IndexError);
  }
}

TEST_P(FunctionsTest, CrossEntropyChecksItsTypes) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
  expect_error<typecheck::InvalidType>(
      [&] { softmax_cross_entropy(x, cupyxx::zeros({4}, cupyxx::int32)); },
      "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 4");
}

TEST_P(FunctionsTest, AccuracyCountsTheFirstLargest) {
  const Variable y(cupyxx::array({{0.1f, 0.9f}, {0.5f, 0.5f}, {0.3f, 0.7f}, {1.0f, 0.0f}}));
  EXPECT_EQ(accuracy(y, cupyxx::array({1, 0, 0, 0})).data().item<float>(), 0.75f);
  EXPECT_EQ(accuracy(reshape(y, {4, 2, 1, 1}), cupyxx::array({1, 1, 1, 1})).data().item<float>(),
            0.5f);
}

TEST_P(FunctionsTest, DropoutKeepsTheShareAndItsGradient) {
  cupyxx::random::seed(1);
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
    const std::int64_t n = 50001;
    const Variable x(cupyxx::ones({n}, type));
    const Variable y = dropout(x, 0.25);
    const auto values = y.data().to_vector<double>();
    double kept = 0;
    for (const double v : values) {
      ASSERT_TRUE(v == 0 || std::abs(v - 1 / 0.75) < 1e-3) << v;
      kept += v != 0;
    }
    EXPECT_NEAR(kept / static_cast<double>(n), 0.75, 0.01);
    y.set_grad(cupyxx::ones({n}, type));
    y.backward();
    expect_array_equal(x.grad(), y.data());
  }
}

TEST_P(FunctionsTest, DropoutIsTheSameOnEveryDevice) {
  cupyxx::random::seed(77);
  const Variable here = dropout(Variable(cupyxx::ones({1000}, cupyxx::float32)), 0.5);
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  cupyxx::random::seed(77);
  const Variable there = dropout(Variable(cupyxx::ones({1000}, cupyxx::float32)), 0.5);
  EXPECT_EQ(here.data().to_vector<float>(), there.data().to_vector<float>());
}

TEST_P(FunctionsTest, DropoutFollowsTheModeOfTheThread) {
  const Variable x(cupyxx::ones({8}, cupyxx::float32));
  EXPECT_EQ(dropout(x, 0.5, false).node(), x.node());
  {
    const TrainScope evaluation(false);
    EXPECT_EQ(dropout(x).node(), x.node());
  }
  EXPECT_NE(dropout(x).node(), x.node());
  expect_error<cupyxx::ValueError>([&] { dropout(x, 1.0); },
                                   "dropout: the ratio is outside of [0, 1); 1.0");
}

TEST_P(FunctionsTest, ConcatChecksTheOtherAxes) {
  const Variable a(cupyxx::ones({2, 3}, cupyxx::float32)), b(cupyxx::ones({3, 3}, cupyxx::float32));
  expect_error<typecheck::InvalidType>(
      [&] {
        concat({a, b});
      },
      "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 3");
  EXPECT_EQ(concat({a, b}, 0).shape(), Shape({5, 3}));
}

TEST_P(FunctionsTest, SequencesArePaddedAndTransposed) {
  const Variable a(cupyxx::array({1.0, 2.0, 3.0})), b(cupyxx::array({4.0}));
  expect_array_equal(pad_sequence({a, b}, 4, -1).data(),
                     cupyxx::array({{1.0, 2.0, 3.0, -1.0}, {4.0, -1.0, -1.0, -1.0}}));
  const std::vector<Variable> steps = transpose_sequence({a, b});
  ASSERT_EQ(steps.size(), 3u);
  expect_array_equal(steps[0].data(), cupyxx::array({1.0, 4.0}));
  expect_array_equal(steps[2].data(), cupyxx::array({3.0}));
  const std::vector<Variable> back = transpose_sequence(steps);
  ASSERT_EQ(back.size(), 2u);
  expect_array_equal(back[0].data(), a.data());
  expect_array_equal(separate(cupyxx::array({{1.0, 2.0}, {3.0, 4.0}}), 1)[1].data(),
                     cupyxx::array({2.0, 4.0}));
  expect_array_equal(
      scatter_add(a, {cupyxx::array({0, 0, 2})}, cupyxx::array({1.0, 2.0, 4.0})).data(),
      cupyxx::array({4.0, 2.0, 7.0}));
}

TEST_P(FunctionsTest, DiagonalsAreNumPys) {
  const ndarray x = draw({3, 4, 2});
  for (const int offset : {-5, -3, -1, 0, 2, 4, 7}) {
    expect_array_equal(diagonal(Variable(x), offset).data(), cupyxx::diagonal(x, offset));
    expect_array_equal(diagonal(Variable(x), offset, 2, 0).data(),
                       cupyxx::diagonal(x, offset, 2, 0));
  }
}

TEST_P(FunctionsTest, ZoneoutAndDropconnectKeepTheirShares) {
  cupyxx::random::seed(4);
  const Variable h(cupyxx::zeros({100, 100})), x(cupyxx::ones({100, 100}));
  EXPECT_NEAR(zoneout(h, x, 0.3, true).data().mean().item<double>(), 0.7, 0.02);
  EXPECT_EQ(zoneout(h, x, 0.3, false).node(), x.node());
  const Variable W(cupyxx::ones({50, 100})), b(cupyxx::full({50}, 3.0));
  const ndarray y = simplified_dropconnect(x, W, b, 0.25, true).data();
  EXPECT_NEAR(y.mean().item<double>(), 103, 0.5);
  EXPECT_GT(y.std().item<double>(), 4);  // sqrt(100 / 3)
  expect_array_equal(simplified_dropconnect(x, W, b, 0.25, false).data(), linear(x, W, b).data());
  cupyxx::random::seed(4);
  const ndarray slopes = rrelu(Variable(cupyxx::full({1000}, -1.0)), 0.1, 0.3, true).data();
  EXPECT_NEAR(slopes.mean().item<double>(), -0.2, 0.01);
  EXPECT_GE(slopes.min().item<double>(), -0.3);
}

// PyTorch 1.13's grid_sample and affine_grid, both with align_corners, give these.
TEST_P(FunctionsTest, GridsAreThoseOfPyTorch) {
  const Variable x((cupyxx::sin(cupyxx::arange(12) + 1.0) * 0.5).reshape({1, 1, 3, 4}));
  const Variable theta(cupyxx::array({{{0.5, -0.25, 0.125}, {0.25, 1.5, -0.5}}}));
  const Variable grid = spatial_transformer_grid(theta, {2, 3});
  EXPECT_EQ(grid.shape(), Shape({1, 2, 2, 3}));
  cupyxx::testing::expect_allclose(grid.data().ravel(),
                                   cupyxx::array({-0.125, 0.375, 0.875, -0.625, -0.125, 0.375,
                                                  -2.25, -2.0, -1.75, 0.75, 1.0, 1.25}),
                                   1e-14);
  cupyxx::testing::expect_allclose(
      spatial_transformer_sampler(x, grid).data().ravel(),
      cupyxx::array({0.0, 0.0, -0.07355525324080835, -0.11922883758100311, -0.3432557266417683,
                     -0.3641349847561169}),
      1e-12, 1e-15);
}

}  // namespace
}  // namespace chainerxx::functions
