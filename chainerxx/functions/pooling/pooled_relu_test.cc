// SPDX-License-Identifier: MIT
// Maxima of what a convolution with a ReLU has made: their gradient may leave out what the ReLU
// stops, where nobody but the convolution sees it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "chainerxx/function_hook.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/functions/testing/rounding.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using testing::product_rounding;

class PooledReluTest : public cupyxx::testing::DeviceTest {
 protected:
  static ndarray draw(const cupyxx::Shape& shape, cupyxx::dtype type = cupyxx::float32) {
    static cupyxx::random::RandomState state(5);
    return cupyxx::asarray(state.normal(0, 1, shape)).astype(type);
  }
  /// A layer half of whose windows are below zero as a whole.
  static Convolution2D layer(std::int64_t out = 16, bool nobias = false,
                             cupyxx::dtype type = cupyxx::float32) {
    Convolution2D conv(8, out, 3, {.pad = 1, .nobias = nobias, .dtype = type});
    if (!nobias) conv.b.set(draw({out}, type) - 2);
    return conv;
  }
  static ndarray wide(const ndarray& a) { return a.astype(cupyxx::float64); }
};
CUPYXX_TEST_ON_DEVICES(PooledReluTest);

struct Windows {
  std::int64_t ksize;
  MaxPooling2DOptions options;
};
const Windows kWindows[] = {
    {2, {.stride = 2}},           {3, {.stride = 2}},
    {3, {.stride = 2, .pad = 1}}, {3, {.stride = 1, .pad = 1}},
    {2, {.stride = 3}},           {12, {.stride = 4, .pad = 5}},  // places of more than a byte
};

TEST_P(PooledReluTest, GradientsAreThoseOfTheThreeFunctions) {
  for (const Windows& windows : kWindows) {
    for (const std::int64_t out : {16, 5}) {
      for (const bool nobias : {false, true}) {
        for (const Precision precision :
             {Precision::float32, Precision::tf32, Precision::bfloat16, Precision::float16}) {
          for (const Layout layout : {Layout::plain, Layout::channels_last}) {
            const LayoutScope lies(layout);
            const PrecisionScope scope(precision);
            Convolution2D conv = layer(out, nobias);
            const ndarray x = draw({3, 8, 13, 11});
            const Variable vx(x), wx(x);
            const Variable y = max_pooling_2d(conv.relu(vx), windows.ksize, windows.options);
            const ndarray gy = draw(y.shape(), y.dtype());
            y.backward(gy);
            const ndarray gW = conv.gW.copy(), gb = nobias ? ndarray() : conv.gb.copy();
            conv.zero_grads();
            const Variable h = conv.relu(wx);
            const Variable z = max_pooling_2d(h, windows.ksize, windows.options);
            z.backward(gy, {.retain_grad = true});
            expect_array_equal(y.data(), z.data());
            // To the same bits, as nothing is left out but what is 0 anyway.
            expect_array_equal(vx.grad(), wx.grad());
            expect_array_equal(gW, conv.gW);
            // Its sums are of what was not rounded yet where windows overlap.
            const bool is_narrow = y.dtype().itemsize() == 2;
            if (!nobias) expect_allclose(gb, conv.gb, 1e-5, is_narrow ? 0.1 : 1e-3);
            conv.zero_grads();
            const Variable ux(x);
            max_pooling_2d(relu(conv(ux)), windows.ksize, windows.options).backward(gy);
            const double near = 16 * product_rounding(y.dtype(), precision == Precision::tf32);
            expect_allclose(wide(vx.grad()), wide(ux.grad()), near, near);
          }
        }
      }
    }
  }
}

TEST_P(PooledReluTest, WhoAsksForTheGradientBetweenSeesAllOfIt) {
  const LayoutScope lies(Layout::channels_last);
  const PrecisionScope scope(Precision::bfloat16);
  const Convolution2D conv = layer();
  const ndarray x = draw({2, 8, 6, 6});
  const Variable h = conv.relu(Variable(x));
  const Variable y = max_pooling_2d(h, 2);
  const ndarray gy = cupyxx::ones(y.shape(), y.dtype());
  y.backward(gy, {.retain_grad = true});
  // One element of each window has its gradient, positive or not.
  EXPECT_EQ(wide(h.grad()).sum().item(), y.size());
  EXPECT_GT((y.data() > 0).sum().item(), 0);
  EXPECT_LT((y.data() > 0).sum().item(), y.size());
  // So where the images are the beginning of a graph.
  const Variable root(h.data());
  max_pooling_2d(root, 2).backward(gy);
  EXPECT_EQ(wide(root.grad()).sum().item(), y.size());
  const Variable cut = conv.relu(Variable(x));
  const Variable pooled = max_pooling_2d(cut, 2);
  cut.unchain_backward();
  pooled.backward(gy);
  EXPECT_EQ(wide(cut.grad()).sum().item(), y.size());
}

TEST_P(PooledReluTest, SoDoesAHook) {
  struct Sums : FunctionHook {
    void backward_preprocess(const Function& f, ArraySpan, ArraySpan gy) override {
      if (f.label() == "Convolution2D") sum = wide(gy[0]).sum().item<double>();
    }
    double sum = 0;
  } hook;
  const LayoutScope lies(Layout::channels_last);
  const PrecisionScope scope(Precision::bfloat16);
  const Convolution2D conv = layer();
  const Variable y = max_pooling_2d(conv.relu(Variable(draw({2, 8, 6, 6}))), 2);
  const FunctionHookScope watched(hook);
  y.backward(cupyxx::ones(y.shape(), y.dtype()));
  EXPECT_EQ(hook.sum, y.size());
}

TEST_P(PooledReluTest, SumsOfSeveralGradientsAreStopped) {
  const LayoutScope lies(Layout::channels_last);
  const PrecisionScope scope(Precision::tf32);
  Convolution2D conv = layer();
  const ndarray x = draw({2, 8, 6, 6});
  const auto gradients = [&](bool keeps) {
    conv.zero_grads();
    const Variable vx(x);
    const Variable h = conv.relu(vx);
    const Variable loss = sum(max_pooling_2d(h, 2)) + sum(max_pooling_2d(h, 3)) + sum(h) * 0.5f;
    loss.backward({.retain_grad = keeps});
    return vx.grad();
  };
  const ndarray gx = gradients(false), gb = conv.gb.copy(), gW = conv.gW.copy();
  expect_array_equal(gx, gradients(true));
  expect_array_equal(gW, conv.gW);
  expect_array_equal(gb, conv.gb);
}

TEST_P(PooledReluTest, OtherElementsHaveNoSay) {
  const LayoutScope lies(Layout::channels_last);
  const PrecisionScope scope(Precision::tf32);
  Convolution2D conv = layer();
  const ndarray x = draw({2, 8, 6, 6});
  const auto gradient = [&](bool keeps) {
    const Variable vx(x);
    Variable h = conv.relu(vx);
    h.set_data(h.data() - 1);  // positive elsewhere
    sum(max_pooling_2d(h, 2)).backward({.retain_grad = keeps});
    return vx.grad();
  };
  expect_array_equal(gradient(false), gradient(true));
}

TEST_P(PooledReluTest, NaNIsStopped) {
  const LayoutScope lies(Layout::channels_last);
  const PrecisionScope scope(Precision::tf32);
  Convolution2D conv = layer();
  const ndarray x = draw({2, 8, 6, 6});
  x(0, 0, 2, 2) = std::numeric_limits<double>::quiet_NaN();
  const auto gradient = [&](bool keeps) {
    const Variable vx(x);
    sum(max_pooling_2d(conv.relu(vx), 2)).backward({.retain_grad = keeps});
    return vx.grad();
  };
  expect_array_equal(gradient(false), gradient(true));
}

TEST_P(PooledReluTest, HasGradientsOfGradients) {
  const Convolution2D conv = layer(4, false, cupyxx::float64);
  for (const Layout layout : {Layout::plain, Layout::channels_last}) {
    const LayoutScope lies(layout);
    const ndarray x = draw({2, 8, 5, 5}, cupyxx::float64);
    const auto second = [&](bool joined) {
      const Variable vx(x);
      const Variable y = max_pooling_2d(joined ? conv.relu(vx) : relu(conv(vx)), 2);
      y.cleargrad();
      const Variable loss = sum(y * y * y);
      loss.backward({.enable_double_backprop = true});
      const Variable gx = vx.grad_var();
      vx.cleargrad();
      sum(gx * gx).backward();
      return vx.grad();
    };
    expect_allclose(second(true), second(false), 1e-11, 1e-11);
  }
}

}  // namespace
}  // namespace chainerxx::functions
