// SPDX-License-Identifier: MIT
#include "chainerxx/initializers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "chainerxx/functions/connection/bilinear.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/connection/embed_id.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/connection/lstm_sequence.h"
#include "chainerxx/functions/connection/parameter.h"
#include "chainerxx/functions/connection/scale.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/functions/normalization/layer_norm.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::initializers {
namespace {

namespace F = chainerxx::functions;
using cupyxx::float16;
using cupyxx::float32;
using cupyxx::float64;
using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class InitializersTest : public cupyxx::testing::DeviceTest {
 protected:
  InitializersTest() { cupyxx::random::seed(1); }
};
CUPYXX_TEST_ON_DEVICES(InitializersTest);

double deviation(const ndarray& a) { return std::sqrt(cupyxx::square(a).mean().item<double>()); }
double largest(const ndarray& a) { return cupyxx::absolute(a).max().item<double>(); }

TEST_P(InitializersTest, FansAreThoseOfChainer) {
  const auto fans = [](const Shape& shape) {
    const Fans f = get_fans(shape);
    return std::pair<long, long>(f.fan_in, f.fan_out);
  };
  EXPECT_EQ(fans({3, 5}), std::pair(5L, 3L));
  EXPECT_EQ(fans({8, 4, 3, 2}), std::pair(24L, 48L));
  expect_error<cupyxx::ValueError>([] { get_fans({7}); },
                                   "get_fans: the shape has fewer than two axes; (7,)");
}

// The formulas of Chainer's manual: of 48000 numbers the deviation is within 2 %.
TEST_P(InitializersTest, RandomNumbersHaveTheirDeviationsAndBounds) {
  const Shape shape = {60, 100, 4, 2};  // fan_in 800, fan_out 480
  const auto normal = [&](const Initial& initial, double expected) {
    EXPECT_NEAR(deviation(generate_array(initial, shape, float64)), expected, 0.02 * expected);
  };
  const auto uniform = [&](const Initial& initial, double bound) {
    const ndarray a = generate_array(initial, shape, float64);
    EXPECT_LE(largest(a), bound);
    EXPECT_GT(largest(a), 0.999 * bound);
    EXPECT_NEAR(deviation(a), bound / std::sqrt(3), 0.02 * bound);
  };
  normal("Normal", 0.05);
  normal(Normal(2), 2);
  normal("LeCunNormal", std::sqrt(1 / 800.0));
  normal("GlorotNormal", std::sqrt(2 / 1280.0));
  normal(GlorotNormal(3), 3 * std::sqrt(2 / 1280.0));
  normal("HeNormal", std::sqrt(2 / 800.0));
  normal(HeNormal(1, FanOption::fan_out), std::sqrt(2 / 480.0));
  uniform("Uniform", 0.05);
  uniform("LeCunUniform", std::sqrt(3 / 800.0));
  uniform("GlorotUniform", std::sqrt(6 / 1280.0));
  uniform("HeUniform", std::sqrt(6 / 800.0));
  uniform(HeUniform(2, FanOption::fan_out), 2 * std::sqrt(6 / 480.0));
}

TEST_P(InitializersTest, OrthogonalRowsOrColumns) {
  const ndarray wide = generate_array("Orthogonal", {3, 2, 4}, float64).reshape({3, 8});
  expect_allclose(wide.dot(wide.T()), cupyxx::eye(3, 3, 0, float64) * 1.21, 1e-12, 1e-12);
  const ndarray tall = generate_array(Orthogonal(1), {5, 2}, float64);
  expect_allclose(tall.T().dot(tall), cupyxx::eye(2, 2, 0, float64), 1e-12, 1e-12);
  EXPECT_EQ(std::abs(generate_array(Orthogonal(2), {}, float64).item<double>()), 2);
  EXPECT_EQ(generate_array("Orthogonal", {2, 3}, float16).dtype(), float16);
  const auto make = [](OrthogonalMode mode, const Shape& shape) {
    return [=] { generate_array(Orthogonal(1, mode), shape); };
  };
  expect_error<cupyxx::ValueError>(
      make(OrthogonalMode::projection, {5, 2}),
      "Orthogonal: a matrix of 5 rows and 2 columns is no projection; shape (5, 2)");
  expect_error<cupyxx::ValueError>(
      make(OrthogonalMode::embedding, {2, 5}),
      "Orthogonal: a matrix of 2 rows and 5 columns is no embedding; shape (2, 5)");
  expect_error<cupyxx::ValueError>(
      make(OrthogonalMode::basis, {2, 5}),
      "Orthogonal: a matrix of 2 rows and 5 columns is no basis; shape (2, 5)");
  expect_error<cupyxx::ValueError>(make(OrthogonalMode::automatic, {0, 5}),
                                   "Orthogonal: the array has no elements; (0, 5)");
}

TEST_P(InitializersTest, FixedNumbers) {
  expect_array_equal(generate_array(Identity(2), {2, 2}),
                     cupyxx::array({{2, 0}, {0, 2}}).astype(float32));
  expect_array_equal(generate_array("Zero", {2}), cupyxx::zeros({2}, float32));
  expect_array_equal(generate_array("One", {2}, float16), cupyxx::ones({2}, float16));
  EXPECT_EQ(cupyxx::isnan(generate_array("NaN", {2, 3})).sum().item<int>(), 6);
  expect_array_equal(generate_array(0.5, {2}), cupyxx::full({2}, 0.5, float32));
  const ndarray row = cupyxx::array({1.0, 2.0});
  expect_array_equal(generate_array(Constant(row), {2, 2}),
                     cupyxx::array({{1, 2}, {1, 2}}).astype(float32));
  const ndarray copy = generate_array(row, {2}, float64);
  expect_array_equal(copy, row);
  EXPECT_FALSE(copy.shares_memory(row));
}

// The filters of torchvision's and Caffe's FCN for a window of 4 and of 3.
TEST_P(InitializersTest, UpsamplingFiltersInterpolate) {
  const ndarray w = generate_array("UpsamplingDeconvFilter", {2, 2, 4, 4}, float64);
  const ndarray row = cupyxx::array({0.25, 0.75, 0.75, 0.25});
  expect_allclose(w(0, 0), cupyxx::expand_dims(row, 1) * row, 1e-15);
  expect_array_equal(w(1, 0), cupyxx::zeros({4, 4}));
  const ndarray odd = generate_array(UpsamplingDeconvFilter(2), {1, 1, 3, 3}, float64);
  const ndarray odd_row = cupyxx::array({0.5, 1.0, 0.5});
  expect_allclose(odd(0, 0), cupyxx::expand_dims(odd_row, 1) * odd_row * 2, 1e-15);
}

struct Alternating final : Initializer {
  void operator()(const ndarray& array) const override {
    array.fill(1);
    array(cupyxx::slice(cupyxx::none, cupyxx::none, 2)) = -1;
  }
};

TEST_P(InitializersTest, LayersTakeThemByNameObjectNumberAndArray) {
  const F::Linear named(4, 3, {.initialW = "One", .initial_bias = 0.5});
  expect_array_equal(named.W, cupyxx::ones({3, 4}, float32));
  expect_array_equal(named.b, cupyxx::full({3}, 0.5, float32));
  const F::Linear own(2, 3, {.initialW = Alternating(), .dtype = float64});
  expect_array_equal(own.W, cupyxx::array({{-1.0, -1.0}, {1.0, 1.0}, {-1.0, -1.0}}));
  const F::Convolution2D conv(3, 2, {5, 1}, {.initialW = HeNormal(), .initial_bias = "Normal"});
  EXPECT_EQ(conv.W.shape(), Shape({2, 3, 5, 1}));
  EXPECT_GT(largest(conv.b), 0);
  const F::Deconvolution2D up(2, 2, 4, {.nobias = true, .initialW = "UpsamplingDeconvFilter"});
  EXPECT_EQ(up.W(0, 0, 1, 1).item<float>(), 0.5625f);
  const F::EmbedID embed(4, 4, {.initialW = Identity(), .dtype = float16});
  expect_array_equal(embed.W, cupyxx::eye(4, 4, 0, float16));
  const F::Scale scale({2}, 1, {.nobias = false, .initialW = 3, .initial_bias = "One"});
  expect_array_equal(scale.W, cupyxx::full({2}, 3, float32));
  expect_array_equal(scale.b, cupyxx::ones({2}, float32));
  const F::Bilinear form(2, 2, 3, {.initialW = "Zero", .initial_V1 = "One", .initial_bias = 2});
  expect_array_equal(form.V1, cupyxx::ones({2, 3}, float32));
  expect_array_equal(form.b, cupyxx::full({3}, 2, float32));
  const F::LSTMSequence lstm(2, 1, {.initialW = "One", .initialU = 2, .initial_bias = 0.5});
  expect_array_equal(lstm.W, cupyxx::ones({4, 2}, float32));
  expect_array_equal(lstm.U, cupyxx::full({4, 1}, 2, float32));
  expect_array_equal(lstm.b, cupyxx::full({4}, 0.5, float32));
  const F::LayerNorm norm(3, {.initial_gamma = 2, .initial_beta = "One"});
  expect_array_equal(norm.gamma, cupyxx::full({3}, 2, float32));
  expect_array_equal(norm.beta, cupyxx::ones({3}, float32));
  const F::BatchNormalization batch(3, {.initial_gamma = 0.5, .initial_beta = -1});
  expect_array_equal(batch.gamma, cupyxx::full({3}, 0.5, float32));
  expect_array_equal(batch.beta, cupyxx::full({3}, -1, float32));
  const F::Parameter parameter("One", {2, 3}, float64);
  expect_array_equal(parameter.W, cupyxx::ones({2, 3}));
  expect_array_equal(parameter.gW, cupyxx::zeros({2, 3}));
  const ndarray given = cupyxx::ones({3, 4}, float64);
  EXPECT_EQ(F::Linear(4, 3, {.initialW = given}).W.body(), given.body());
}

TEST_P(InitializersTest, WithoutThemLayersDrawWhatTheyAlwaysDrew) {
  cupyxx::random::seed(7);
  const F::Linear layer(4, 3);
  cupyxx::random::seed(7);
  expect_array_equal(layer.W, cupyxx::random::normal({3, 4}, {.scale = 0.5, .dtype = float32}));
  cupyxx::random::seed(7);
  const F::Linear none(4, 3, {.initialW = cupyxx::none});
  expect_array_equal(none.W, layer.W);
}

TEST_P(InitializersTest, WhatTheyRefuse) {
  expect_error<cupyxx::ValueError>([] { F::Linear(4, 3, {.initialW = "henormal"}); },
                                   "initializers: there is none of this name; \"henormal\"");
  expect_error<cupyxx::ValueError>([] { F::Linear(4, 3, {.initial_bias = "HeNormal"}); },
                                   "get_fans: the shape has fewer than two axes; (3,)");
  expect_error<cupyxx::ValueError>([] { F::Linear(4, 3, {.initialW = "Identity"}); },
                                   "Identity: the array is no square matrix; (3, 4)");
  expect_error<cupyxx::ValueError>(
      [] {
        generate_array("UpsamplingDeconvFilter", {2, 1, 3, 3});
      },
      "UpsamplingDeconvFilter: the array is not (channels, channels, k, k); (2, 1, 3, 3)");
  expect_error<cupyxx::ValueError>([] { Normal(-1); }, "Normal: the scale is negative; -1");
  expect_error<cupyxx::ValueError>([] { HeUniform(std::nan("")); },
                                   "HeUniform: the scale is negative; nan");
  expect_error<cupyxx::TypeError>([] { Constant{ndarray()}; }, "Constant: the array is None");
  expect_error<cupyxx::ValueError>([] { generate_array({}, {2}); },
                                   "generate_array: None says no starting value");
  expect_error<cupyxx::DtypeError>([] { generate_array(1, {2}, cupyxx::int32); },
                                   "generate_array: parameters are floating; int32");
  expect_error<cupyxx::ShapeError>(
      [] { generate_array(cupyxx::ones({3}), {2}); },
      "generate_array: the array has the wrong shape; (3,) instead of");
  expect_error<cupyxx::ValueError>([] { generate_array(1, {-2}); },
                                   "generate_array: a size is negative; (-2,)");
}

}  // namespace
}  // namespace chainerxx::initializers
