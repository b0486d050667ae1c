// SPDX-License-Identifier: MIT
// A convolution and a ReLU in one function against the two of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/testing/rounding.h"
#include "chainerxx/grad.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using testing::product_rounding;

class ConvolutionReluTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ConvolutionReluTest);

/// Of the layers below: windows, groups, few channels under a large window, products of pixels.
struct Case {
  Shape x;
  std::int64_t out, ksize;
  Convolution2DOptions options;
};
const Case kCases[] = {
    {{2, 16, 9, 8}, 24, 3, {.pad = 1}},
    {{2, 16, 9, 8}, 24, 3, {.stride = 2, .pad = 1, .nobias = true}},
    {{2, 5, 7, 6}, 7, 3, {}},
    {{2, 16, 7, 6}, 32, 1, {}},
    {{2, 16, 7, 6}, 32, 1, {.nobias = true}},
    {{2, 16, 7, 6}, 32, 3, {.pad = 1, .groups = 4}},
    {{2, 3, 17, 15}, 16, 7, {.stride = 2, .pad = 3}},
    {{0, 3, 5, 5}, 4, 3, {.pad = 1}},
};

/// The scope of a whole step for images of this type.
Precision precision_of(cupyxx::dtype type, bool tf32) {
  return type == cupyxx::bfloat16_ ? Precision::bfloat16
         : type == cupyxx::float16 ? Precision::float16
         : tf32                    ? Precision::tf32
                                   : Precision::float32;
}

ndarray draw(const Shape& shape, cupyxx::dtype type) {
  static cupyxx::random::RandomState state(5);
  return cupyxx::asarray(state.normal(0, 1, shape)).astype(type);
}

/// Calls `f(case, type, layout, precision)` for all of them.
template <class F>
void for_each_case(const F& f) {
  for (const Case& c : kCases) {
    for (const cupyxx::dtype type :
         {cupyxx::float64, cupyxx::float32, cupyxx::float16, cupyxx::bfloat16_}) {
      for (const Layout layout : {Layout::plain, Layout::channels_last}) {
        f(c, type, layout, false);
        if (type == cupyxx::float32) f(c, type, layout, true);
      }
    }
  }
}

TEST_P(ConvolutionReluTest, IsTheTwoFunctions) {
  for_each_case([](const Case& c, cupyxx::dtype type, Layout layout, bool tf32) {
    const LayoutScope lies(layout);
    const PrecisionScope precision(precision_of(type, tf32));
    Convolution2DOptions options = c.options;
    options.dtype = type.itemsize() == 2 ? cupyxx::float32 : type;
    Convolution2D layer(c.x[1], c.out, c.ksize, options);
    if (!layer.b.is_none()) layer.b.set(draw(layer.b.shape(), layer.b.dtype()));
    const ndarray x = draw(c.x, type);
    const Variable vx(x), wx(x);
    const Variable y = layer.relu(vx);
    const Variable plain = layer(wx);
    EXPECT_EQ(y.dtype(), plain.dtype());
    expect_array_equal(cupyxx::array(y.data().strides()), cupyxx::array(plain.data().strides()));
    const double near = 4 * product_rounding(type, tf32);
    const auto terms = [](std::int64_t n) { return std::sqrt(static_cast<double>(n)); };
    const auto wide = [](const ndarray& a) { return a.astype(cupyxx::float64); };
    expect_allclose(wide(y.data()), wide(relu(plain).data()), near,
                    near * terms(c.x[1] * c.ksize * c.ksize));
    // The gradient passes where this result is positive.
    const ndarray gy = draw(y.shape(), y.dtype());
    y.backward(gy);
    const ndarray gW = layer.gW.copy(), gb = layer.gb.is_none() ? ndarray() : layer.gb.copy();
    layer.zero_grads();
    plain.backward(gy * (y.data() > 0).astype(gy.dtype()));
    expect_allclose(wide(vx.grad()), wide(wx.grad()), near, near);
    expect_allclose(wide(gW), wide(layer.gW), near, near);
    if (!gb.is_none()) expect_allclose(wide(gb), wide(layer.gb), near, near);
  });
}

TEST_P(ConvolutionReluTest, NaNStaysAndNothingIsBelowZero) {
  for_each_case([](const Case& c, cupyxx::dtype type, Layout layout, bool tf32) {
    if (c.x[0] == 0) return;
    const LayoutScope lies(layout);
    const PrecisionScope precision(precision_of(type, tf32));
    Convolution2DOptions options = c.options;
    options.dtype = type.itemsize() == 2 ? cupyxx::float32 : type;
    const Convolution2D layer(c.x[1], c.out, c.ksize, options);
    const ndarray x = draw(c.x, type);
    x(0, 0, 2, 2) = std::numeric_limits<double>::quiet_NaN();
    const ndarray y = layer.relu(Variable(x)).data(), plain = layer(Variable(x)).data();
    expect_array_equal(cupyxx::isnan(y), cupyxx::isnan(plain));
    EXPECT_GT(cupyxx::isnan(y).sum().item<int>(), 0);
    EXPECT_FALSE((y < 0).any().item<bool>());
  });
}

TEST_P(ConvolutionReluTest, HasGradientsOfGradients) {
  for (const Case& c : kCases) {
    Convolution2DOptions options = c.options;
    options.dtype = cupyxx::float64;
    Convolution2D layer(c.x[1], c.out, c.ksize, options);
    const ndarray x = draw(c.x, cupyxx::float64);
    const auto second = [&](bool joined) {
      layer.zero_grads();
      const Variable vx(x);
      const Variable y = joined ? layer.relu(vx) : relu(layer(vx));
      const std::vector<Variable> gx = grad({sum(y * y)}, {vx}, {.enable_double_backprop = true});
      sum(gx[0] * gx[0]).backward();
      return std::pair(vx.grad(), layer.gW.copy());
    };
    const auto joined = second(true), apart = second(false);
    expect_allclose(joined.first, apart.first, 1e-11, 1e-11);
    expect_allclose(joined.second, apart.second, 1e-11, 1e-11);
  }
}

TEST_P(ConvolutionReluTest, TakesItsSizeFromTheFirstCall) {
  const Convolution2D layer(cupyxx::none, 4, 3);
  EXPECT_EQ(layer.relu(Variable(draw({2, 3, 5, 5}, cupyxx::float32))).shape(), (Shape{2, 4, 3, 3}));
  EXPECT_EQ(layer.W.shape(), (Shape{4, 3, 3, 3}));
}

}  // namespace
}  // namespace chainerxx::functions
