// SPDX-License-Identifier: MIT
// Pooling: hand-computed values, gradients against finite differences, bad input.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "chainerxx/functions/array/images.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/functions/pooling/pooling_nd.h"
#include "chainerxx/functions/pooling/regions.h"
#include "chainerxx/functions/pooling/spatial_pyramid_pooling_2d.h"
#include "chainerxx/functions/pooling/window_elements.h"
#include "chainerxx/utils/conv.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "gradcheck/gradcheck.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

constexpr double kInf = std::numeric_limits<double>::infinity();

class PoolingTest : public cupyxx::testing::DeviceTest {
 protected:
  PoolingTest() : random_(3) {}
  /// All elements differ by far more than the step of a difference.
  ndarray distinct(const Shape& shape, cupyxx::dtype type = cupyxx::float64) {
    const std::int64_t n = shape.element_count();
    return (random_.permutation(n).astype(cupyxx::float64) / static_cast<double>(n) - 0.5)
        .reshape(shape)
        .astype(type);
  }
  template <class F>
  void check(F&& f, const Shape& shape) {
    const ndarray x = distinct(shape);
    const Shape out = f(Variable(x)).shape();
    gradcheck::check_backward([&](const Variable& v) { return f(v); }, {x}, {distinct(out)},
                              {.eps = 1e-4, .atol = 1e-9, .rtol = 1e-7});
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(PoolingTest);

TEST_P(PoolingTest, TakesTheLargestUnderEachWindow) {
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
    const ndarray x = cupyxx::array({{1, 5, 2, 0}, {4, 3, 8, 7}, {9, 6, 1, 2}})
                          .astype(type)
                          .reshape({1, 1, 3, 4});
    const Variable v(x);
    expect_elements<double>(max_pooling_2d(v, 2).data(), {1, 1, 2, 2}, {5, 8, 9, 2});
    expect_elements<double>(max_pooling_2d(v, 2, {.cover_all = false}).data(), {1, 1, 1, 2},
                            {5, 8});
    expect_elements<double>(max_pooling_2d(v, {2, 3}, {.stride = 1}).data(), {1, 1, 2, 2},
                            {8, 8, 9, 8});
    expect_elements<double>(max_pooling_2d(v, 3, {.stride = {2, 3}, .pad = 1}).data(), {1, 1, 2, 2},
                            {5, 8, 9, 8});
    expect_elements<double>(max_pooling_2d(v, {1, 2}, {.stride = {1, 3}}).data(), {1, 1, 3, 2},
                            {5, 0, 4, 7, 9, 2});
    EXPECT_EQ(max_pooling_2d(v, 2).dtype(), type);
  }
}

TEST_P(PoolingTest, TheFirstOfEqualElementsGetsTheGradient) {
  const Variable x(cupyxx::zeros({1, 1, 2, 4}, cupyxx::float32));
  const Variable y = max_pooling_2d(x, 2);
  y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
  y.backward();
  expect_elements<double>(x.grad(), {1, 1, 2, 4}, {1, 0, 1, 0, 0, 0, 0, 0});
}

TEST_P(PoolingTest, PaddingCountsAsMinusInfinity) {
  const Variable x(cupyxx::full({1, 1, 1, 2}, -3, cupyxx::float32));
  const Variable y = max_pooling_2d(x, 1, {.stride = 1, .pad = {0, 1}});
  expect_elements<double>(y.data(), {1, 1, 1, 4}, {-kInf, -3, -3, -kInf});
  y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
  y.backward();
  expect_elements<double>(x.grad(), {1, 1, 1, 2}, {1, 1});
  const Variable low(cupyxx::full({1, 1, 1, 2}, -kInf, cupyxx::float32));
  const Variable z = max_pooling_2d(low, {1, 2});
  z.set_grad(cupyxx::ones(z.shape(), cupyxx::float32));
  z.backward();
  expect_elements<double>(low.grad(), {1, 1, 1, 2}, {1, 0});
}

TEST_P(PoolingTest, NanWins) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ndarray x = cupyxx::array({1.0f, nan, 3.0f, 4.0f}).reshape({1, 1, 1, 4});
  const auto y = max_pooling_2d(Variable(x), {1, 2}).data().to_vector<double>();
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 4);
}

TEST_P(PoolingTest, SquaresOfTwoOfAnyWidthTakeTheFirstLargest) {
  for (const std::int64_t width : {2, 5, 24, 33, 70}) {
    const std::int64_t planes = 3, height = 6, oh = 3, ow = width / 2;
    std::vector<float> x(static_cast<std::size_t>(planes * height * width));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i * 7919 % 5);  // many ties
      if (i % 41 == 3) x[i] = std::numeric_limits<float>::quiet_NaN();
    }
    std::vector<float> largest, gradient(x.size());
    for (std::int64_t row = 0; row < planes * oh; ++row) {
      for (std::int64_t ox = 0; ox < ow; ++ox) {
        const auto corner = static_cast<std::size_t>(2 * row * width + 2 * ox);
        const auto below = corner + static_cast<std::size_t>(width);
        std::size_t at = corner;
        for (const std::size_t other : {corner + 1, below, below + 1}) {
          if (x[other] > x[at] || std::isnan(x[other])) at = other;
        }
        largest.push_back(x[at]);
        gradient[at] += 1;
      }
    }
    const Shape shape = {1, planes, height, width};
    for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
      const Variable v(cupyxx::array(x).astype(type).reshape(shape));
      const Variable y = max_pooling_2d(v, 2, {.cover_all = false});
      const ndarray wanted = cupyxx::array(largest).astype(type).reshape({1, planes, oh, ow});
      EXPECT_TRUE(cupyxx::array_equal(y.data(), wanted, true)) << width << " " << type.name();
      y.set_grad(cupyxx::ones(y.shape(), type));
      y.backward();
      expect_array_equal(v.grad(), cupyxx::array(gradient).astype(type).reshape(shape));
    }
  }
}

/// The maxima of windows and how often each element is one, the first of equal ones, NaN before
/// all.
struct Maxima {
  std::vector<float> largest, gradient;

  Maxima(const std::vector<float>& x, std::int64_t planes, std::int64_t h, std::int64_t w,
         std::int64_t side, std::int64_t stride, std::int64_t pad, std::int64_t oh, std::int64_t ow)
      : gradient(x.size()) {
    for (std::int64_t i = 0; i < planes * oh * ow; ++i) {
      const std::int64_t plane = i / (oh * ow), oy = i / ow % oh, ox = i % ow;
      const float* best = nullptr;
      for (std::int64_t k = 0; k < side * side; ++k) {
        const std::int64_t row = oy * stride - pad + k / side,
                           column = ox * stride - pad + k % side;
        if (row < 0 || row >= h || column < 0 || column >= w) continue;
        const float* const other = &x[static_cast<std::size_t>((plane * h + row) * w + column)];
        if (best == nullptr || *other > *best || std::isnan(*other)) best = other;
      }
      largest.push_back(best != nullptr ? *best : -static_cast<float>(kInf));
      if (best != nullptr) gradient[static_cast<std::size_t>(best - x.data())] += 1;
    }
  }
};

TEST_P(PoolingTest, EverydayWindowsTakeTheFirstLargestOfImagesOfAnySize) {
  struct Case {
    std::int64_t planes, h, w, side, stride, pad;
    bool cover_all;
  };
  const Case cases[] = {
      {3, 113, 112, 3, 2, 1, false}, {40, 13, 13, 3, 2, 0, true}, {2, 55, 55, 3, 2, 0, true},
      {1, 14, 300, 3, 2, 1, false},  {3, 9, 600, 2, 2, 0, true},  {2100, 6, 7, 3, 2, 1, true},
      {2, 20, 30, 3, 1, 1, false},   {2, 27, 40, 2, 1, 0, false}, {3, 48, 200, 3, 2, 0, true},
      {2, 30, 31, 3, 3, 1, true},    {2, 40, 50, 5, 3, 2, true}};
  for (const Case& c : cases) {
    std::vector<float> x(static_cast<std::size_t>(c.planes * c.h * c.w));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i * 7919 % 5) - 2;  // many ties
      if (i % 41 == 3) x[i] = std::numeric_limits<float>::quiet_NaN();
    }
    const MaxPooling2DOptions options = {
        .stride = c.stride, .pad = c.pad, .cover_all = c.cover_all};
    const Shape shape = {1, c.planes, c.h, c.w};
    for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
      SCOPED_TRACE(::testing::Message() << &c - cases << " " << type.name());
      const Variable v(cupyxx::array(x).astype(type).reshape(shape));
      const Variable y = max_pooling_2d(v, c.side, options);
      const std::int64_t oh = y.shape()[2], ow = y.shape()[3];
      const Maxima wanted(x, c.planes, c.h, c.w, c.side, c.stride, c.pad, oh, ow);
      EXPECT_TRUE(cupyxx::array_equal(
          y.data(), cupyxx::array(wanted.largest).astype(type).reshape(y.shape()), true));
      y.set_grad(cupyxx::ones(y.shape(), type));
      y.backward();
      expect_array_equal(v.grad(), cupyxx::array(wanted.gradient).astype(type).reshape(shape));
    }
  }
}

TEST_P(PoolingTest, GradientsOfMaximaHaveTheSameBitsEachTime) {
  const Variable x(random_.standard_normal({4, 8, 57, 61}).astype(cupyxx::float32));
  const ndarray gy = random_.standard_normal({4, 8, 29, 31}).astype(cupyxx::float32);
  ndarray first;
  for (int turn = 0; turn < 3; ++turn) {
    const Variable y = max_pooling_2d(x, 3, {.stride = 2, .pad = 1, .cover_all = false});
    y.set_grad(gy);
    x.cleargrad();
    y.backward();
    if (turn == 0) first = x.grad().copy();
    expect_array_equal(x.grad(), first);
  }
  const Variable channels_last(
      cupyxx::ascontiguousarray(x.data().transpose({0, 2, 3, 1})).transpose({0, 3, 1, 2}));
  const Variable y = max_pooling_2d(channels_last, 3, {.stride = 2, .pad = 1, .cover_all = false});
  y.set_grad(gy);
  y.backward();
  expect_allclose(channels_last.grad(), first, 1e-6, 1e-6);
}

TEST_P(PoolingTest, AveragesDivideByTheWholeWindow) {
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
    const Variable v(
        cupyxx::array({{1, 5, 2}, {4, 3, 8}, {9, 6, 1}}).astype(type).reshape({1, 1, 3, 3}));
    expect_elements<double>(average_pooling_2d(v, 2).data(), {1, 1, 1, 1}, {3.25});
    expect_elements<double>(average_pooling_2d(v, 2, {.cover_all = true}).data(), {1, 1, 2, 2},
                            {3.25, 2.5, 3.75, 0.25});
    expect_elements<double>(average_pooling_2d(v, 2, {.pad = 1}).data(), {1, 1, 2, 2},
                            {0.25, 1.75, 3.25, 4.5});
    EXPECT_EQ(average_pooling_2d(v, 2).dtype(), type);
  }
}

TEST_P(PoolingTest, AWindowMayBeTheWholeImage) {
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
    const Variable v(cupyxx::arange(128).astype(type).reshape({1, 2, 4, 16}));
    const Variable y = average_pooling_2d(v, {4, 16});
    expect_elements<double>(y.data(), {1, 2, 1, 1}, {31.5, 95.5});
    y.set_grad(cupyxx::array({64, -128}).astype(type).reshape(y.shape()));
    y.backward();
    expect_array_equal(v.grad()(0, 0), cupyxx::ones({4, 16}, type));
    expect_array_equal(v.grad()(0, 1), cupyxx::full({4, 16}, -2, type));
    const Variable odd(cupyxx::arange(35).astype(type).reshape({1, 1, 5, 7}));
    expect_elements<double>(average_pooling_2d(odd, {5, 7}).data(), {1, 1, 1, 1}, {17});
  }
}

TEST_P(PoolingTest, UnpoolingSpreadsElements) {
  const Variable v(cupyxx::array({{1, 2}, {3, 4}}).astype(cupyxx::float32).reshape({1, 1, 2, 2}));
  expect_elements<double>(unpooling_2d(v, 2, {.cover_all = false}).data(), {1, 1, 4, 4},
                          {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4});
  expect_elements<double>(unpooling_2d(v, 2).data(), {1, 1, 3, 3}, {1, 1, 2, 1, 1, 2, 3, 3, 4});
  expect_elements<double>(unpooling_2d(v, 2, {.stride = 1, .cover_all = false}).data(),
                          {1, 1, 3, 3}, {1, 3, 2, 4, 10, 6, 3, 7, 4});
  EXPECT_EQ(unpooling_2d(v, 2, {.outsize = {4, 3}}).shape(), Shape({1, 1, 4, 3}));
  expect_error<typecheck::InvalidType>([&] { unpooling_2d(v, 2, {.outsize = 9}); },
                                       "Expect: in_types[0].shape[2] == expected_h\n"
                                       "Actual: 2 != 5");
  expect_error<cupyxx::ShapeError>(
      [&] { unpooling_2d(v, 1, {.pad = 2}); },
      "unpooling_2d: nothing is left of the output; input (1, 1, 2, 2), window (1, 1), pad (2, 2)");
}

TEST_P(PoolingTest, GradientsMatchFiniteDifferences) {
  const Shape s = {2, 3, 7, 6};
  check([](const Variable& x) { return max_pooling_2d(x, 2); }, s);
  check([](const Variable& x) { return max_pooling_2d(x, 3, {.stride = 2}); }, s);
  check([](const Variable& x) { return max_pooling_2d(x, 3, {.stride = 2, .cover_all = false}); },
        s);
  check(
      [](const Variable& x) {
        return max_pooling_2d(x, {3, 2}, {.stride = {1, 2}, .pad = {1, 0}});
      },
      s);
  check([](const Variable& x) { return average_pooling_2d(x, 2); }, s);
  check([](const Variable& x) { return average_pooling_2d(x, 3, {.stride = 2, .pad = 1}); }, s);
  check(
      [](const Variable& x) {
        return average_pooling_2d(x, {3, 2}, {.stride = {1, 3}, .cover_all = true});
      },
      s);
  check([](const Variable& x) { return unpooling_2d(x, 3, {.stride = 2, .pad = 1}); },
        {1, 2, 3, 4});
  check(
      [](const Variable& x) {
        return unpooling_2d(x, {2, 3}, {.cover_all = false});
      },
      {1, 2, 3, 4});
  check([](const Variable& x) { return spatial_pyramid_pooling_2d(x, 2); }, s);
  check([](const Variable& x) { return spatial_pyramid_pooling_2d<AveragePooling2D>(x, 2); }, s);
}

TEST_P(PoolingTest, NarrowTypesHaveTheGradientsOfFloat64) {
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32}) {
    const ndarray x = distinct({1, 2, 6, 5}, type);
    std::vector<ndarray> grads;
    for (const cupyxx::dtype t : {type, cupyxx::float64}) {
      const Variable v(x.astype(t));
      for (const Variable& y : {max_pooling_2d(v, 3, {.stride = 1, .pad = 1}),
                                average_pooling_2d(v, 3, {.stride = 2, .pad = 1})}) {
        y.set_grad(cupyxx::ones(y.shape(), t));
        y.backward();
      }
      grads.push_back(v.grad().astype(cupyxx::float64));
    }
    expect_allclose(grads[0], grads[1], type == cupyxx::float16 ? 2e-3 : 1e-6);
  }
}

TEST_P(PoolingTest, PyramidsHaveOneLengthForAllImages) {
  for (const Shape& s : {Shape({2, 3, 5, 4}), Shape({2, 3, 9, 8}), Shape({2, 3, 16, 12})}) {
    EXPECT_EQ(spatial_pyramid_pooling_2d(Variable(distinct(s)), 3).shape(), Shape({2, 63, 1, 1}));
    EXPECT_EQ(spatial_pyramid_pooling_2d<AveragePooling2D>(Variable(distinct(s)), 3).shape(),
              Shape({2, 63, 1, 1}));
  }
  const Variable x(distinct({2, 3, 5, 4}));
  expect_error<cupyxx::ValueError>(
      [&] { spatial_pyramid_pooling_2d(x, 0); },
      "spatial_pyramid_pooling_2d: the pyramid's height is outside of [1, 20]; 0");
  expect_error<typecheck::InvalidType>(
      [&] { spatial_pyramid_pooling_2d(Variable(x.data()(0)), 1); },
      "Expect: in_types[0].ndim == 4\nActual: 3 != 4");
}

TEST_P(PoolingTest, TakesEmptyArrays) {
  for (const Shape& s : {Shape({0, 2, 4, 4}), Shape({2, 0, 4, 4})}) {
    const Variable x(cupyxx::ones(s, cupyxx::float32));
    for (const Variable& y : {max_pooling_2d(x, 2), average_pooling_2d(x, 2)}) {
      EXPECT_EQ(y.shape(), Shape({s[0], s[1], 2, 2}));
      y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
      y.backward();
      EXPECT_EQ(x.grad().shape(), s);
    }
  }
}

TEST_P(PoolingTest, RefusesBadInput) {
  const Variable x(cupyxx::ones({1, 2, 3, 4}, cupyxx::float32));
  expect_error<cupyxx::ShapeError>(
      [&] {
        max_pooling_2d(x, {4, 1}, {.stride = 1});
      },
      "max_pooling_2d: the window is larger than the padded input; window (4, 1), pad (0, 0), "
      "input (1, 2, 3, 4)");
  expect_error<cupyxx::ShapeError>(
      [&] { average_pooling_2d(x, 5, {.stride = 5}); },
      "average_pooling_2d: the window is larger than the padded input; window (5, 5), pad (0, 0), "
      "input (1, 2, 3, 4)");
  EXPECT_EQ(max_pooling_2d(x, 5).shape(), Shape({1, 2, 1, 1}));  // covers all
  expect_error<cupyxx::ValueError>([&] { max_pooling_2d(x, 0); },
                                   "max_pooling_2d: the window must not be empty; (0, 0)");
  expect_error<cupyxx::ValueError>([&] { average_pooling_2d(x, 2, {.stride = 0}); },
                                   "average_pooling_2d: the stride must be positive; (0, 0)");
  expect_error<cupyxx::ValueError>(
      [&] {
        max_pooling_2d(x, 2, {.pad = {0, -1}});
      },
      "max_pooling_2d: the padding must not be negative; (0, -1)");
  expect_error<typecheck::InvalidType>([&] { max_pooling_2d(Variable(x.data()(0)), 2); },
                                       "Expect: in_types[0].ndim == 4\nActual: 3 != 4");
  expect_error<typecheck::InvalidType>(
      [&] {
        average_pooling_2d(Variable(cupyxx::ones({1, 1, 2, 2}, cupyxx::int64)), 2);
      },
      "Expect: in_types[0].dtype.kind == f\nActual: i != f");
}

Variable waves(const Shape& shape) {
  return Variable((cupyxx::sin(cupyxx::arange(shape.element_count()) + 1.0) * 0.5).reshape(shape));
}
/// The sum of all elements times cosines.
double summary(const Variable& y) {
  const ndarray all = y.data().ravel();
  return (all * cupyxx::cos(cupyxx::arange(all.size()))).sum().item<double>();
}

// PyTorch 1.13 gives these.
TEST_P(PoolingTest, OfAnyNumberOfAxesIsThatOfPyTorch) {
  const Variable volume = waves({2, 3, 5, 4, 6}), line = waves({2, 3, 9});
  const Variable largest = max_pooling_3d(
      volume, {2, 3, 2}, {.stride = {2, 1, 2}, .pad = {1, 1, 0}, .cover_all = false});
  EXPECT_EQ(largest.shape(), Shape({2, 3, 3, 4, 3}));
  EXPECT_NEAR(summary(largest), 0.35907922713366114, 1e-12);
  EXPECT_NEAR(
      summary(average_pooling_3d(volume, {2, 3, 2}, {.stride = {2, 1, 2}, .pad = {1, 1, 0}})),
      -0.013631449951405805, 1e-12);
  EXPECT_NEAR(summary(max_pooling_1d(line, 3, {.stride = 2, .cover_all = false})),
              -0.33488879747506595, 1e-12);
  EXPECT_NEAR(summary(average_pooling_1d(line, 3, {.stride = 2, .pad = 1})), -0.04676399947124711,
              1e-12);
  expect_allclose(global_average_pooling(volume).data(), volume.data().mean({2, 3, 4}), 1e-13);
}

TEST_P(PoolingTest, ImagesAreResizedAsByPyTorch) {
  const Variable x = waves({1, 2, 3, 4});
  const auto second = [&](const ResizeImagesOptions& options) {
    return resize_images(x, {5, 3}, options).data()(0, 1);
  };
  expect_allclose(second({}),
                  cupyxx::array({{0.21008351841332, 0.410223798962997, -0.143951658332533},
                                 {-0.135307613763229, 0.129973144842908, 0.156260483515641},
                                 {-0.480698745939779, -0.150277509277181, 0.456472625363814},
                                 {-0.031185463335875, -0.182022718821787, 0.001841722180251},
                                 {0.418327819268028, -0.213767928366394, -0.452789181003312}}),
                  1e-12);
  expect_allclose(second({.align_corners = false}),
                  cupyxx::array({{0.25762021165234, 0.410223798962997, -0.065769061930684},
                                 {-0.030693696547578, 0.186023275666926, 0.117692011618293},
                                 {-0.463164558847455, -0.150277509277181, 0.392883621941757},
                                 {0.023455520630512, -0.188371760730709, -0.111552161933711},
                                 {0.347868906949156, -0.213767928366394, -0.447842684517357}}),
                  1e-12);
  expect_allclose(second({.mode = ResizeMode::nearest})(cupyxx::slice(), 1),
                  cupyxx::array({0.495303677847435, 0.495303677847435, -0.375493623385838,
                                 -0.375493623385838, -0.004425654645202}),
                  1e-12);
}

TEST_P(PoolingTest, DepthBecomesSpaceAndBack) {
  const Variable x(cupyxx::arange(16).astype(cupyxx::float32).reshape({1, 8, 1, 2}));
  const Variable y = depth2space(x, 2);  // channels 2 (2 i + j) + k
  expect_elements<float>(y.data(), {1, 2, 2, 4},
                         {0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15});
  expect_array_equal(space2depth(y, 2).data(), x.data());
}

TEST_P(PoolingTest, MaximaGoBackToTheirPlaces) {
  const Variable x(cupyxx::array({{1, 5, 2, 0}, {4, 3, 8, 7}, {9, 6, 1, 2}})
                       .astype(cupyxx::float32)
                       .reshape({1, 1, 3, 4}));
  const PooledWithIndices pooled = max_pooling_2d_with_indices(x, 2);
  expect_elements<std::int64_t>(pooled.indices, {1, 1, 2, 2}, {1, 2, 0, 1});
  expect_elements<float>(upsampling_2d(pooled.y, pooled.indices, 2, {.outsize = {3, 4}}).data(),
                         {1, 1, 3, 4}, {0, 5, 0, 0, 0, 0, 8, 0, 9, 0, 0, 2});
  const PooledWithIndices padded = max_pooling_2d_with_indices(x, 3, {.stride = 2, .pad = 1});
  expect_array_equal(padded.y.data(), max_pooling_2d(x, 3, {.stride = 2, .pad = 1}).data());
  expect_elements<std::int64_t>(padded.indices(0, 0, 0), {3}, {5, 7, 6});
  // In Chainer's order.
  expect_array_equal(upsampling_2d(pooled.y, pooled.indices, 2, 2, 0, {3, 4}).data(),
                     upsampling_2d(pooled.y, pooled.indices, 2, {.outsize = {3, 4}}).data());
  EXPECT_THROW(upsampling_2d(pooled.y, pooled.indices + 4, 2).data().get(), cupyxx::IndexError);
}

TEST_P(PoolingTest, WindowsLieSideBySide) {
  const Variable x(distinct({2, 3, 5, 4}));
  const ndarray expected = utils::im2col(x.data(), {3, 2}, {.stride = 2, .pad = 1});
  const Variable y = im2col(x, {3, 2}, {.stride = 2, .pad = 1});
  expect_array_equal(y.data(), expected.reshape({2, 18, 3, 3}));
}

// Girshick's and He's definitions, element by element.
TEST_P(PoolingTest, RegionsArePooled) {
  const ndarray x = distinct({2, 1, 6, 7});
  const std::vector<double> host = x.to_vector<double>();
  const auto pixel = [&](std::size_t image, std::int64_t row, std::int64_t column) {
    return host[image * 42 + static_cast<std::size_t>(row * 7 + column)];
  };
  const ndarray rois = cupyxx::array({{1, 1, 2, 11, 9}, {0, 12, 10, 30, 30}});
  const std::vector<double> found =
      roi_pooling_2d(Variable(x), rois, 2, 3, 0.5).data().to_vector<double>();
  // The first is x from 0 (0.5, to even) to 6 (5.5), y from 1 to 4 (4.5): 7 by 4 pixels.
  const std::int64_t columns[3][2] = {{0, 3}, {2, 5}, {4, 7}}, rows[2][2] = {{1, 3}, {3, 5}};
  for (std::size_t i = 0; i < 6; ++i) {
    double largest = -1;
    for (std::int64_t r = rows[i / 3][0]; r < rows[i / 3][1]; ++r) {
      for (std::int64_t c = columns[i % 3][0]; c < columns[i % 3][1]; ++c) {
        largest = std::max(largest, pixel(1, r, c));
      }
    }
    EXPECT_EQ(found[i], largest) << i;
  }
  // Of the second only the last row and column lie in the image: parts beyond are 0.
  EXPECT_EQ(found[6], pixel(0, 5, 6));
  EXPECT_EQ(found[11], 0);

  const ndarray aligned = cupyxx::array({{1.0, 2.0, 6.0, 8.0}});
  const std::vector<double> averages =
      roi_average_align_2d(Variable(x), aligned, cupyxx::array({1}), {1, 2}, 0.5, {2, 1})
          .data()
          .to_vector<double>();
  const auto at = [&](double row, double column) {  // bilinear
    const auto r = static_cast<std::int64_t>(row), c = static_cast<std::int64_t>(column);
    const double a = row - static_cast<double>(r), b = column - static_cast<double>(c);
    return (pixel(1, r, c) * (1 - b) + pixel(1, r, c + 1) * b) * (1 - a) +
           (pixel(1, r + 1, c) * (1 - b) + pixel(1, r + 1, c + 1) * b) * a;
  };
  // Rows 0.5 to 3, columns 1 to 4: two samples of a part below each other.
  EXPECT_NEAR(averages[0], (at(1.125, 1.75) + at(2.375, 1.75)) / 2, 1e-14);
  EXPECT_NEAR(averages[1], (at(1.125, 3.25) + at(2.375, 3.25)) / 2, 1e-14);
}

}  // namespace
}  // namespace chainerxx::functions
