// SPDX-License-Identifier: MIT
// Convolutions over any number of axes, and strides by position, which all layers take.
#include "chainerxx/functions/connection/convolution_nd.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class ConvolutionNDTest : public cupyxx::testing::DeviceTest {
 protected:
  ndarray draw(const Shape& shape) {
    return random_.uniform(shape, {.low = -1, .high = 1}).astype(cupyxx::float32);
  }

  cupyxx::random::RandomState random_{5};
};
CUPYXX_TEST_ON_DEVICES(ConvolutionNDTest);

// Of PyTorch 1.13, for waves of sines: the sum of all elements times cosines, and the first four.
void expect_waves(const Variable& y, const Shape& shape, double sum,
                  const std::vector<double>& first) {
  ASSERT_EQ(y.shape(), shape);
  const ndarray all = y.data().ravel();
  EXPECT_NEAR((all * cupyxx::cos(cupyxx::arange(all.size()))).sum().item<double>(), sum, 1e-11);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_NEAR(all(static_cast<std::int64_t>(i)).item<double>(), first[i], 1e-13);
  }
}
Variable waves(const Shape& shape, double phase) {
  const ndarray all = cupyxx::sin(cupyxx::arange(shape.element_count()) + phase) * 0.5;
  return Variable(all.reshape(shape));
}

// They read what lies behind a shape without axes.
TEST_P(ConvolutionNDTest, SizesOfAnyNumberOfAxesThatAreNoneAreErrors) {
  const Variable x = waves({1, 2, 3, 4, 3}, 0), W = waves({2, 2, 1, 2, 1}, 1);
  expect_error<cupyxx::ValueError>([&] { convolution_3d(x, W, {}, {.stride = cupyxx::none}); },
                                   "convolution_3d: the stride is None");
  expect_error<cupyxx::ValueError>([&] { deconvolution_nd(x, W, {}, {.pad = cupyxx::none}); },
                                   "deconvolution_nd: the padding is None");
  expect_error<cupyxx::ValueError>([&] { convolution_nd(x, W, {}, {.dilate = cupyxx::none}); },
                                   "convolution_nd: the dilation is None");
  expect_error<cupyxx::ValueError>([] { Convolution3D(2, 3, cupyxx::none); },
                                   "Convolution3D: the window is None");
}

TEST_P(ConvolutionNDTest, OfAnyNumberOfAxesAreThoseOfPyTorch) {
  const Variable b = waves({6}, 3);
  expect_waves(
      convolution_3d(waves({2, 4, 5, 4, 6}, 1), waves({6, 2, 3, 2, 3}, 2), b,
                     {.stride = {2, 1, 2}, .pad = {1, 0, 2}, .dilate = {1, 2, 1}, .groups = 2}),
      {2, 6, 3, 2, 4}, -3.3707196548999354,
      {0.040203379616798, 0.301822633119123, -0.379033592585207, 0.209786441691434});
  expect_waves(convolution_1d(waves({2, 4, 9}, 1), waves({6, 2, 3}, 2), b,
                              {.stride = 2, .pad = 1, .dilate = 2, .groups = 2}),
               {2, 6, 4}, 1.373911832561444,
               {0.384691741850599, 0.620617074109204, -0.602583148174558, -0.046790242488594});
  expect_waves(convolution_nd(waves({2, 2, 3, 2, 3, 2}, 1), waves({3, 2, 2, 1, 2, 2}, 2)),
               {2, 3, 2, 2, 2, 1}, 0.042958854270928507,
               {0.040814444907375, -0.114247755582304, 0.069076481953676, -0.111765158118655});
  expect_waves(deconvolution_3d(waves({2, 4, 3, 2, 3}, 1), waves({4, 3, 3, 2, 3}, 2), b,
                                {.stride = {2, 1, 2},
                                 .pad = {1, 0, 1},
                                 .dilate = {1, 2, 1},
                                 .groups = 2,
                                 .outsize = {6, 4, 5}}),
               {2, 6, 6, 4, 5}, -2.629640670175765,
               {0.163527142284057, 0.046785593258382, 0.202441221517751, 0.037168741988925});
  expect_waves(deconvolution_1d(waves({2, 4, 5}, 1), waves({4, 3, 3}, 2), b,
                                {.stride = 2, .pad = 1, .dilate = 2, .groups = 2}),
               {2, 6, 11}, -0.45869309307983736,
               {0.070560004029934, 0.180189210839768, 0.070560004029934, -0.389304540046037});
}

TEST_P(ConvolutionNDTest, LayersOfThreeAxesAreTheirFunctions) {
  Convolution3D layer(2, 4, {2, 1, 2}, {.stride = {1, 2, 1}, .groups = 2});
  const Variable x(draw({2, 2, 3, 4, 3}));
  const Variable y = convolution_3d(x, Variable(layer.W), Variable(layer.b), layer.options());
  expect_array_equal(layer(x).data(), y.data());
  const Function& base = layer;
  expect_array_equal(base(x).data(), y.data());
  EXPECT_EQ(layer.W.shape(), Shape({4, 1, 2, 1, 2}));
  EXPECT_TRUE(layer(Variable(x.data(), true)).volatile_());
  EXPECT_EQ(Deconvolution3D(2, 4, 2, {.groups = 2}).W.shape(), Shape({2, 2, 2, 2, 2}));
}

// `L.Convolution2D(in, out, 3, 2, 1, nobias=True)`, as programs of Chainer write it.
TEST_P(ConvolutionNDTest, StridesByPositionStandBeforeNames) {
  const auto same = [](const auto& placed, const auto& named) {
    EXPECT_EQ(placed.options().stride, named.options().stride);
    EXPECT_EQ(placed.options().pad, named.options().pad);
    EXPECT_EQ(placed.W.shape(), named.W.shape());
    EXPECT_EQ(placed.b.is_none(), named.b.is_none());
  };
  same(Convolution2D(2, 4, 3, 2, 1, {.nobias = true, .groups = 2}),
       Convolution2D(2, 4, 3, {.stride = 2, .pad = 1, .nobias = true, .groups = 2}));
  same(Convolution2D(2, 4, 3, {2, 1}, {.nobias = true}),
       Convolution2D(2, 4, 3, {.stride = {2, 1}, .nobias = true}));
  same(Deconvolution2D(2, 4, 3, 2, {1, 0}, {.initialW = 1}),
       Deconvolution2D(2, 4, 3, {.stride = 2, .pad = {1, 0}, .initialW = 1}));
  const auto same_nd = [&](const auto& placed, const auto& named, const Shape& shape) {
    const Variable x(draw(shape));
    EXPECT_EQ(placed.b.is_none(), named.b.is_none());
    expect_array_equal(placed(x).data(), named(x).data());
  };
  same_nd(Convolution1D(2, 4, 3, 2, 1, false, 1),
          Convolution1D(2, 4, 3, {.stride = 2, .pad = 1, .initialW = 1}), {2, 2, 7});
  same_nd(Convolution3D(2, 4, 2, 2, 1, {.nobias = true, .initialW = 1}),
          Convolution3D(2, 4, 2, {.stride = 2, .pad = 1, .nobias = true, .initialW = 1}),
          {1, 2, 3, 4, 3});
  same_nd(ConvolutionND(2, 2, 4, 3, {2, 1}, 1, true, 1),
          ConvolutionND(2, 2, 4, 3, {.stride = {2, 1}, .pad = 1, .nobias = true, .initialW = 1}),
          {1, 2, 5, 4});
  same_nd(Deconvolution1D(2, 4, 3, 2, 1, true, 1),
          Deconvolution1D(2, 4, 3, {.stride = 2, .pad = 1, .nobias = true, .initialW = 1}),
          {2, 2, 4});
  same_nd(Deconvolution3D(2, 1, 2, 2, 0, {.initialW = 1}),
          Deconvolution3D(2, 1, 2, {.stride = 2, .initialW = 1}), {1, 2, 2, 3, 2});
  same_nd(DeconvolutionND(2, 2, 1, 3, 2, 1, false, 1),
          DeconvolutionND(2, 2, 1, 3, {.stride = 2, .pad = 1, .initialW = 1}), {1, 2, 3, 2});
}

TEST(ConvolutionND, StridesAreGivenOnce) {
  const auto refused = [](const auto& call, const std::string& message) {
    expect_error<cupyxx::ValueError>(call, message);
  };
  refused([] { Convolution2D(2, 4, 3, 2, 1, {.stride = 3}); },
          "Convolution2D: the stride is given twice; (2, 2) and (3, 3)");
  refused(
      [] {
        Deconvolution2D(2, 4, 3, 2, 1, {.pad = {0, 1}});
      },
      "Deconvolution2D: the padding is given twice; (1, 1) and (0, 1)");
  refused(
      [] {
        Convolution3D(2, 4, 3, 2, 1, {.stride = {1, 1, 2}});
      },
      "Convolution3D: the stride is given twice; (2,) and (1, 1, 2)");
  refused([] { Deconvolution1D(2, 4, 3, 2, 1, {.pad = 2}); },
          "Deconvolution1D: the padding is given twice; (1,) and (2,)");
}

TEST_P(ConvolutionNDTest, OfAnyNumberOfAxesRefuseWhatDoesNotFit) {
  const Variable x(cupyxx::ones({1, 2, 3, 3, 3})), W(cupyxx::ones({2, 2, 2, 2, 2}));
  const Variable line(cupyxx::ones({1, 2, 3}));
  expect_error<cupyxx::ShapeError>([&] { convolution_3d(line, W); },
                                   "convolution_3d: x is not (n, channels) and 3 axes; (1, 2, 3)");
  expect_error<cupyxx::ShapeError>(
      [&] { deconvolution_1d(x, W); },
      "deconvolution_1d: x is not (n, channels) and 1 axis; (1, 2, 3, 3, 3)");
  expect_error<cupyxx::ShapeError>([&] { convolution_nd(line, W); },
                                   "convolution_nd: x and W are not (n, channels, ...) and filters "
                                   "of as many axes; (1, 2, 3) and (2, 2, 2, 2, 2)");
  expect_error<cupyxx::ShapeError>([&] { convolution_nd(x, W, nullptr, {.groups = 2}); },
                                   "convolution_nd: x has other channels than W; (1, 2, 3, 3, 3) "
                                   "and (2, 2, 2, 2, 2) in 2 groups");
  expect_error<cupyxx::ShapeError>([&] { convolution_nd(x, W, cupyxx::ones({3})); },
                                   "convolution_nd: b is not (2,); (3,)");
  expect_error<cupyxx::ValueError>(
      [&] {
        convolution_nd(x, W, nullptr, {.stride = {1, 2}});
      },
      "convolution_nd: the stride is not of 3 axes");
  expect_error<cupyxx::ValueError>(
      [&] {
        convolution_nd(x, W, nullptr, {.pad = {0, 0, -1}});
      },
      "convolution_nd: the padding is out of range along an axis; -1");
  expect_error<cupyxx::ValueError>(
      [&] { deconvolution_nd(x, W, nullptr, {.groups = 3}); },
      "deconvolution_nd: the groups do not divide the channels; 3 and 2");
  expect_error<cupyxx::ShapeError>(
      [&] {
        convolution_nd(x, cupyxx::ones({2, 2, 4, 1, 1}));
      },
      "convolution_nd: the window is larger than the padded input; window (4, 1, 1), pad (0, 0, "
      "0), input (1, 2, 3, 3, 3)");
  expect_error<cupyxx::ShapeError>(
      [&] {
        deconvolution_nd(x, W, nullptr, {.outsize = {9, 4, 4}});
      },
      "deconvolution_nd: an output of extent 9 does not come of this input; (1, 2, 3, 3, 3)");
  expect_error<cupyxx::ValueError>(
      [&] {
        convolution_nd(x, cupyxx::ones({2, 2, 0, 1, 1}));
      },
      "convolution_nd: the window must not be empty; (2, 2, 0, 1, 1)");
  expect_error<cupyxx::ValueError>([] { ConvolutionND(7, 1, 1, 1); },
                                   "ConvolutionND: signals have 1 to 6 axes; 7");
  expect_error<cupyxx::ValueError>(
      [] {
        Convolution1D(1, 1, {2, 2});
      },
      "Convolution1D: the window is not of 1 axes");
  expect_error<cupyxx::ValueError>([] { Deconvolution3D(1, -1, 2); },
                                   "Deconvolution3D: a size is negative; (1, -1)");
  expect_error<typecheck::InvalidType>(
      [] {
        Convolution1D(2, 1, 2)(cupyxx::ones({1, 2, 3}));
      },
      "Expect: ");
}

}  // namespace
}  // namespace chainerxx::functions
