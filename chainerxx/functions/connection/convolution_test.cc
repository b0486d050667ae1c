// SPDX-License-Identifier: MIT
// Convolutions against sums written out on the host, gradients against finite differences.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/connection/filter_compositions.h"
#include "chainerxx/functions/testing/rounding.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/allocator.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
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
using cupyxx::testing::expect_error;
using testing::expect_channels_last;
using testing::product_rounding;

struct Case {
  Shape x, W;  // W as of a convolution
  ConvolutionOptions options;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {{2, 3, 6, 5}, {4, 3, 3, 3}, {.pad = 1}},
      {{2, 2, 9, 7}, {3, 2, 5, 3}, {.stride = {2, 1}, .pad = {2, 0}}},
      {{1, 3, 7, 8}, {2, 3, 3, 2}, {.stride = 2}},
      {{3, 4, 5, 4}, {6, 4, 1, 1}, {}},
      {{2, 4, 5, 6}, {6, 2, 3, 3}, {.pad = 1, .groups = 2}},
      {{1, 3, 6, 6}, {3, 1, 1, 1}, {.groups = 3}},
      {{1, 2, 9, 8}, {3, 2, 3, 3}, {.stride = {1, 2}, .pad = {2, 3}, .dilate = {2, 3}}},
      {{1, 16, 6, 5}, {32, 16, 3, 3}, {.pad = 1}},
      {{1, 1, 3, 3}, {1, 1, 2, 2}, {.stride = 3, .pad = 2}},
  };
  return list;
}

/// y[n, o, oy, ox] = sum of W x, on the host in float64.
ndarray reference(const ndarray& x, const ndarray& W, const ConvolutionOptions& how) {
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  const Shape s = x.shape(), f = W.shape();
  const auto out = [](std::int64_t n, std::int64_t k, std::int64_t stride, std::int64_t pad,
                      std::int64_t d) { return (n + 2 * pad - (k - 1) * d - 1) / stride + 1; };
  const std::int64_t oh = out(s[2], f[2], how.stride.h, how.pad.h, how.dilate.h);
  const std::int64_t ow = out(s[3], f[3], how.stride.w, how.pad.w, how.dilate.w);
  const auto xs = x.to_vector<double>(), ws = W.to_vector<double>();
  std::vector<double> ys;
  const std::int64_t per_group = f[0] / how.groups;
  for (std::int64_t n = 0; n < s[0]; ++n) {
    for (std::int64_t o = 0; o < f[0]; ++o) {
      for (std::int64_t oy = 0; oy < oh; ++oy) {
        for (std::int64_t ox = 0; ox < ow; ++ox) {
          double sum = 0;
          for (std::int64_t c = 0; c < f[1]; ++c) {
            for (std::int64_t ky = 0; ky < f[2]; ++ky) {
              for (std::int64_t kx = 0; kx < f[3]; ++kx) {
                const std::int64_t y = oy * how.stride.h - how.pad.h + ky * how.dilate.h;
                const std::int64_t z = ox * how.stride.w - how.pad.w + kx * how.dilate.w;
                if (y < 0 || y >= s[2] || z < 0 || z >= s[3]) continue;
                const std::int64_t channel = o / per_group * f[1] + c;
                sum += xs[static_cast<std::size_t>(((n * s[1] + channel) * s[2] + y) * s[3] + z)] *
                       ws[static_cast<std::size_t>(((o * f[1] + c) * f[2] + ky) * f[3] + kx)];
              }
            }
          }
          ys.push_back(sum);
        }
      }
    }
  }
  return cupyxx::array(ys).reshape({s[0], f[0], oh, ow});
}

class ConvolutionTest : public cupyxx::testing::DeviceTest {
 protected:
  ConvolutionTest() : random_(5) {}
  ndarray draw(const Shape& shape, cupyxx::dtype type = cupyxx::float64) {
    return random_.uniform(shape, {.low = -1, .high = 1}).astype(type);
  }
  static double tolerance(cupyxx::dtype type) {
    return type == cupyxx::float16 ? 4e-3 : type == cupyxx::float32 ? 2e-6 : 1e-14;
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(ConvolutionTest);

TEST_P(ConvolutionTest, IsTheSumWrittenOut) {
  for (const Case& c : cases()) {
    for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
      for (const bool use_cudnn : {true, false}) {
        ConvolutionOptions how = c.options;
        how.use_cudnn = use_cudnn;
        const ndarray x = draw(c.x, type), W = draw(c.W, type);
        const ndarray expected = reference(x, W, how);
        const ndarray y = convolution_2d(Variable(x), Variable(W), how).data();
        EXPECT_EQ(y.dtype(), type);
        const auto size = static_cast<double>(c.W[1] * c.W[2] * c.W[3]);
        expect_allclose(y.to_cpu(), expected, tolerance(type), size * tolerance(type));
      }
    }
  }
}

TEST_P(ConvolutionTest, Tf32IsCloseEnough) {
  const ndarray x = draw({2, 16, 8, 8}, cupyxx::float32), W = draw({32, 16, 3, 3}, cupyxx::float32);
  const ConvolutionOptions how = {.pad = 1, .allow_tf32 = true};
  const ndarray y = convolution_2d(Variable(x), Variable(W), how).data();
  expect_allclose(y.to_cpu().astype(cupyxx::float64), reference(x, W, how), 1e-3, 3e-2);
}

TEST_P(ConvolutionTest, ResultsAreTheSameBitsEveryTime) {
  const ndarray x = draw({4, 16, 14, 14}, cupyxx::float32);
  const ndarray W = draw({32, 16, 3, 3}, cupyxx::float32);
  for (const bool use_cudnn : {true, false}) {
    std::vector<ndarray> first;
    for (int turn = 0; turn < 3; ++turn) {
      const Variable vx(x), vW(W);
      const Variable y = convolution_2d(vx, vW, {.pad = 1, .use_cudnn = use_cudnn});
      y.set_grad(y.data());
      y.backward();
      const std::vector<ndarray> now = {y.data(), vx.grad(), vW.grad()};
      if (first.empty()) first = now;
      for (std::size_t i = 0; i < now.size(); ++i) expect_array_equal(now[i], first[i]);
    }
  }
}

// On devices cuDNN's fastest algorithms for these shapes use more memory than the arrays.
TEST_P(ConvolutionTest, LargeOnesAgreeWithPlainKernelsHoweverLittleMemoryIsLeft) {
  const std::int64_t size = device().is_cuda() ? 112 : 14;
  const ndarray x = draw({24, 64, size, size}, cupyxx::float32);
  const ndarray W = draw({64, 64, 3, 3}, cupyxx::float32);
  const ndarray gy = draw({24, 64, size, size}, cupyxx::float32);
  const auto results = [&](bool use_cudnn) {
    const Variable vx(x), vW(W);
    const Variable y = convolution_2d(vx, vW, {.pad = 1, .use_cudnn = use_cudnn});
    y.set_grad(gy);
    y.backward();
    return std::vector<ndarray>{y.data(), vx.grad(), vW.grad()};
  };
  const std::vector<ndarray> plain = results(false), fast = results(true);
  const auto expect_near = [&](const std::vector<ndarray>& values) {
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const auto most = cupyxx::absolute(plain[i]).max().item<double>();
      expect_allclose(values[i], plain[i], 0, 1e-4 * most);
    }
  };
  expect_near(fast);
  if (!device().is_cuda()) return;
  const cupyxx::cuda::MemoryPool pool = cupyxx::cuda::get_default_memory_pool();
  pool.free_all_blocks();
  const std::int64_t results_bytes = 3 * x.nbytes();
  pool.set_limit({.size = pool.used_bytes() + results_bytes + (std::int64_t{128} << 20)});
  expect_near(results(true));
  pool.set_limit({});
}

// On devices: images side by side, a product for each, and so many that they come in groups.
TEST_P(ConvolutionTest, GradientsOfPointwiseWindowsAreProductsOfMatrices) {
  const std::int64_t most = device().is_cuda() ? 2048 : 16;
  for (const Shape& s : {Shape{3, 5, 4, 4}, Shape{3, 5, 12, 12}, Shape{5, most, 12, 12}}) {
    const std::int64_t pixels = s[2] * s[3];
    const ndarray x = draw(s, cupyxx::float32), gy = draw(s, cupyxx::float32);
    const ndarray W = draw({s[1], s[1], 1, 1}, cupyxx::float32);
    const Variable vx(x), vW(W);
    const Variable y = convolution_2d(vx, vW);
    y.set_grad(gy);
    y.backward();

    const auto matrices = [&](const ndarray& images) {
      return images.to_cpu().astype(cupyxx::float64).reshape({s[0], s[1], pixels});
    };
    const ndarray weights = W.to_cpu().astype(cupyxx::float64).reshape({s[1], s[1]});
    const ndarray gx = cupyxx::matmul(weights.T(), matrices(gy)).reshape(s);
    const ndarray products = cupyxx::matmul(matrices(gy), matrices(x).transpose({0, 2, 1}));
    const ndarray gW = products.sum(0).reshape(W.shape());
    const double rounding = 1e-6 * static_cast<double>(s[0] * pixels + s[1]);
    expect_allclose(vx.grad().to_cpu().astype(cupyxx::float64), gx, 1e-5, rounding);
    expect_allclose(vW.grad().to_cpu().astype(cupyxx::float64), gW, 1e-5, rounding);
  }
}

TEST_P(ConvolutionTest, GradientsMatchFiniteDifferences) {
  for (const Case& c : cases()) {
    for (const bool use_cudnn : {true, false}) {
      ConvolutionOptions how = c.options;
      how.use_cudnn = use_cudnn;
      const ndarray x = draw(c.x), W = draw(c.W), b = draw({c.W[0]});
      const auto f = [&](const Variable& u, const Variable& v, const Variable& w) {
        return convolution_2d(u, v, w, how);
      };
      const Shape out = f(Variable(x), Variable(W), Variable(b)).shape();
      gradcheck::check_backward(f, {x, W, b}, {draw(out)},
                                {.eps = 1e-3, .atol = 1e-8, .rtol = 1e-7});
    }
  }
}

TEST_P(ConvolutionTest, NarrowTypesHaveTheGradientsOfFloat64) {
  for (const Case& c : cases()) {
    for (const bool use_cudnn : {true, false}) {
      for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32}) {
        ConvolutionOptions how = c.options;
        how.use_cudnn = use_cudnn;
        const ndarray x = draw(c.x, type), W = draw(c.W, type), b = draw({c.W[0]}, type);
        ndarray gy;
        std::vector<ndarray> grads[2];
        for (const bool wide : {true, false}) {
          const cupyxx::dtype t = wide ? cupyxx::float64 : type;
          const Variable vx(x.astype(t)), vW(W.astype(t)), vb(b.astype(t));
          const Variable y = convolution_2d(vx, vW, vb, how);
          if (gy.is_none()) gy = draw(y.shape(), type);
          y.set_grad(gy.astype(t));
          y.backward();
          grads[wide] = {vx.grad(), vW.grad(), vb.grad()};
        }
        const auto scale = static_cast<double>(gy.size());
        for (int i = 0; i < 3; ++i) {
          EXPECT_EQ(grads[0][i].dtype(), type);
          expect_allclose(grads[0][i].astype(cupyxx::float64), grads[1][i], 2 * tolerance(type),
                          scale * tolerance(type) / 8);
        }
      }
    }
  }
}

/// Forward and all gradients in every type and layout, with parameters of the type and of float32.
TEST_P(ConvolutionTest, LayoutsAndTypesAgreeWithFloat64) {
  std::vector<Case> all = cases();
  all.push_back({{2, 16, 9, 8}, {24, 16, 3, 3}, {.stride = 2, .pad = 1}});
  all.push_back({{2, 16, 7, 6}, {32, 16, 1, 1}, {}});
  all.push_back({{2, 16, 7, 6}, {32, 16, 1, 1}, {.stride = 2}});
  all.push_back({{2, 3, 17, 15}, {16, 3, 7, 7}, {.stride = 2, .pad = 3}});
  for (const Case& c : all) {
    for (const cupyxx::dtype type :
         {cupyxx::float64, cupyxx::float32, cupyxx::float16, cupyxx::bfloat16_}) {
      for (const Layout layout : {Layout::plain, Layout::channels_last}) {
        for (const bool tf32 : {false, true}) {
          if (tf32 && type != cupyxx::float32) continue;
          ConvolutionOptions how = c.options;
          how.allow_tf32 = tf32;
          const bool mixed = type.itemsize() == 2;
          const cupyxx::dtype own = mixed ? cupyxx::float32 : type;
          Convolution2D layer(c.x[1], c.W[0], {c.W[2], c.W[3]},
                              {.stride = how.stride,
                               .pad = how.pad,
                               .allow_tf32 = tf32,
                               .initialW = draw(c.W, type).astype(own),
                               .initial_bias = draw({c.W[0]}, type).astype(own),
                               .dtype = own,
                               .dilate = how.dilate,
                               .groups = how.groups});
          const ndarray x = draw(c.x, type);
          const auto wide = [](const ndarray& a) { return a.astype(cupyxx::float64); };
          const Variable wx(wide(x)), wW(wide(layer.W)), wb(wide(layer.b));
          Variable wy, y;
          const Variable vx(x);
          {
            const LayoutScope scope(Layout::plain);
            wy = convolution_2d(wx, wW, wb, c.options);
          }
          const ndarray gy = draw(wy.shape(), type);
          {
            const LayoutScope scope(layout);
            const PrecisionScope narrow(type == cupyxx::bfloat16_ ? Precision::bfloat16
                                        : type == cupyxx::float16 ? Precision::float16
                                                                  : Precision::float32);
            y = layer(vx);
          }
          wy.set_grad(wide(gy));
          wy.backward();
          y.set_grad(gy);
          y.backward();
          EXPECT_EQ(y.dtype(), type);
          EXPECT_EQ(vx.grad().dtype(), type);
          EXPECT_EQ(layer.gW.dtype(), own);
          const bool last = layout == Layout::channels_last;
          if (last && y.shape()[1] > 1 && y.size() > y.shape()[1]) expect_channels_last(y.data());
          if (last && c.x[1] > 1) expect_channels_last(vx.grad());
          if (!last) {
            EXPECT_TRUE(y.data().flags().c_contiguous && vx.grad().flags().c_contiguous);
          }
          const double near = 4 * product_rounding(type, tf32);
          const auto terms = [](std::int64_t n) { return std::sqrt(static_cast<double>(n)); };
          expect_allclose(wide(y.data()), wy.data(), near, near * terms(c.W[1] * c.W[2] * c.W[3]));
          expect_allclose(wide(vx.grad()), wx.grad(), near, near * terms(c.W[0] * c.W[2] * c.W[3]));
          const std::int64_t pixels = gy.size() / gy.shape()[1];
          expect_allclose(wide(layer.gW), wW.grad(), near, near * terms(pixels));
          expect_allclose(wide(layer.gb), wb.grad(), near, near * terms(pixels));
          y.set_grad(gy);
          y.backward();  // adds
          expect_allclose(wide(layer.gW), 2 * wW.grad(), near, 2 * near * terms(pixels));
        }
      }
    }
  }
}

TEST_P(ConvolutionTest, ChoosesChannelsLastWhereItsUnitsWantIt) {
  const ndarray x = draw({2, 16, 6, 5}, cupyxx::float32), W = draw({8, 16, 3, 3}, cupyxx::float32);
  const auto lies_last = [&](cupyxx::dtype type, bool tf32, bool use_cudnn = true) {
    const ndarray y = convolution_2d(Variable(x.astype(type)), Variable(W.astype(type)),
                                     {.use_cudnn = use_cudnn, .allow_tf32 = tf32})
                          .data();
    return y.strides()[1] == y.itemsize();
  };
  const bool on_device = device().is_cuda();
  EXPECT_FALSE(lies_last(cupyxx::float32, false));
  EXPECT_FALSE(lies_last(cupyxx::float64, false));
  EXPECT_FALSE(lies_last(cupyxx::float16, false, false));
  EXPECT_EQ(lies_last(cupyxx::float32, true), on_device);
  EXPECT_EQ(lies_last(cupyxx::float16, false), on_device);
  EXPECT_EQ(lies_last(cupyxx::bfloat16_, false), on_device);
  const LayoutScope plain(Layout::plain);
  EXPECT_FALSE(lies_last(cupyxx::bfloat16_, false));
}

TEST_P(ConvolutionTest, BackwardFollowsTheScopeOfForward) {
  const ndarray x = draw({2, 16, 6, 5}, cupyxx::float32), W = draw({8, 16, 3, 3}, cupyxx::float32);
  const Convolution2D layer(16, 8, 3, {.initialW = W});
  const Variable v(x);
  Variable y;
  {
    const LayoutScope scope(Layout::channels_last);
    y = layer(v);
  }
  const LayoutScope plain(Layout::plain);
  y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
  y.backward();
  expect_channels_last(y.data());
  expect_channels_last(v.grad());
}

TEST_P(ConvolutionTest, DeconvolutionIsTheGradientOfConvolution) {
  for (const Case& c : cases()) {
    const ndarray x = draw(c.x), W = draw(c.W);
    const Variable vx(x);
    const Variable y = convolution_2d(vx, Variable(W), c.options);
    y.set_grad(draw(y.shape()));
    y.backward();
    ConvolutionOptions how = c.options;
    how.outsize = {c.x[2], c.x[3]};
    expect_array_equal(deconvolution_2d(Variable(y.grad()), Variable(W), how).data(), vx.grad());
  }
}

TEST_P(ConvolutionTest, DeconvolutionMatchesFiniteDifferences) {
  for (const Case& c : cases()) {
    const ndarray x = draw({2, c.W[0], 3, 4}), W = draw(c.W);
    const ndarray b = draw({c.W[1] * c.options.groups});
    const auto f = [&](const Variable& u, const Variable& v, const Variable& w) {
      return deconvolution_2d(u, v, w, c.options);
    };
    const Shape out = f(Variable(x), Variable(W), Variable(b)).shape();
    gradcheck::check_backward(f, {x, W, b}, {draw(out)}, {.eps = 1e-3, .atol = 1e-8, .rtol = 1e-7});
  }
}

TEST_P(ConvolutionTest, LayersHoldTheirParameters) {
  Convolution2D layer(3, 4, {3, 2}, {.stride = 2, .pad = 1, .bias = 0.5});
  EXPECT_EQ(layer.W.shape(), Shape({4, 3, 3, 2}));
  EXPECT_EQ(layer.W.device(), device());
  EXPECT_EQ(layer.b.to_vector<float>(), std::vector<float>(4, 0.5f));
  const ndarray x = draw({2, 3, 5, 5}, cupyxx::float32);
  const Variable vx(x), wx(x), W(layer.W), b(layer.b);
  const Variable y = layer(vx), z = convolution_2d(wx, W, b, {.stride = 2, .pad = 1});
  expect_array_equal(y.data(), z.data());
  const ndarray gy = draw(y.shape(), cupyxx::float32);
  for (const Variable& v : {y, z}) {
    v.set_grad(gy);
    v.backward();
  }
  expect_array_equal(vx.grad(), wx.grad());
  expect_array_equal(layer.gW, W.grad());
  expect_array_equal(layer.gb, b.grad());
  y.backward();  // adds
  expect_allclose(layer.gW, 2 * W.grad(), 1e-6);
  expect_allclose(layer.gb, 2 * b.grad(), 1e-6);

  const Deconvolution2D up(3, 4, 2, {.stride = 2, .nobias = true, .groups = 1});
  EXPECT_EQ(up.W.shape(), Shape({3, 4, 2, 2}));
  EXPECT_TRUE(up.b.is_none());
  EXPECT_EQ(up(vx).shape(), Shape({2, 4, 10, 10}));
}

TEST_P(ConvolutionTest, InitialWeightsScale) {
  const Convolution2D layer(50, 40, 5, {.wscale = 2, .nobias = true});
  double sum = 0;
  for (const double w : layer.W.to_vector<double>()) sum += w * w;
  const double deviation = 2 * std::sqrt(1.0 / (50 * 25));
  EXPECT_NEAR(std::sqrt(sum / 50000), deviation, deviation * 0.02);
  const ndarray W = draw({2, 3, 1, 1}, cupyxx::float32);
  const Convolution2D given(3, 2, 1, {.initialW = W});
  EXPECT_TRUE(given.W.shares_memory(W));
  expect_error<cupyxx::ShapeError>(
      [&] { Convolution2D(3, 2, 3, {.initialW = W}); },
      "Convolution2D: initialW has the wrong shape; (2, 3, 1, 1) instead of (2, 3, 3, 3)");
}

TEST_P(ConvolutionTest, StridedParametersAreUpdatedInPlace) {
  Convolution2D layer(2, 3, 3);
  const ndarray whole = cupyxx::zeros({3, 2, 3, 6}, cupyxx::float32);
  layer.gW = whole(cupyxx::ellipsis, cupyxx::slice(0, 3));
  const ndarray gW = layer.gW;
  const Variable y = layer(Variable(cupyxx::ones({1, 2, 4, 4}, cupyxx::float32)));
  y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
  y.backward();
  EXPECT_EQ(gW.to_vector<float>(), std::vector<float>(54, 4.0f));
}

TEST_P(ConvolutionTest, TakesEmptyArrays) {
  const Variable W(cupyxx::ones({4, 3, 3, 3}, cupyxx::float32));
  const Variable b(cupyxx::full({4}, 2, cupyxx::float32));
  const Variable none(cupyxx::ones({0, 3, 5, 5}, cupyxx::float32));
  const Variable y = convolution_2d(none, W, b);
  EXPECT_EQ(y.shape(), Shape({0, 4, 3, 3}));
  y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
  y.backward();
  EXPECT_EQ(W.grad().to_vector<float>(), std::vector<float>(108, 0.0f));
  EXPECT_EQ(b.grad().to_vector<float>(), std::vector<float>(4, 0.0f));
  EXPECT_EQ(none.grad().shape(), none.shape());
  // No channels: nothing but the bias.
  const Variable z = convolution_2d(Variable(cupyxx::ones({1, 0, 3, 3}, cupyxx::float32)),
                                    Variable(cupyxx::ones({4, 0, 3, 3}, cupyxx::float32)), b);
  EXPECT_EQ(z.data().to_vector<float>(), std::vector<float>(4, 2.0f));
  EXPECT_EQ(deconvolution_2d(Variable(cupyxx::ones({0, 4, 5, 5}, cupyxx::float32)), W).shape(),
            Shape({0, 3, 7, 7}));
}

TEST_P(ConvolutionTest, RefusesBadSizes) {
  const Variable x(cupyxx::ones({1, 3, 2, 4}, cupyxx::float32));
  const Variable W(cupyxx::ones({2, 3, 3, 3}, cupyxx::float32));
  expect_error<cupyxx::ShapeError>(
      [&] { convolution_2d(x, W); },
      "convolution_2d: the window is larger than the padded input; window (3, 3), pad (0, 0), "
      "input (1, 3, 2, 4)");
  expect_error<cupyxx::ValueError>([&] { convolution_2d(x, W, {.stride = 0, .pad = 1}); },
                                   "convolution_2d: the stride must be positive; (0, 0)");
  expect_error<cupyxx::ValueError>(
      [&] {
        convolution_2d(x, W, {.pad = {1, -2}});
      },
      "convolution_2d: the padding must not be negative; (1, -2)");
  expect_error<cupyxx::ValueError>([&] { convolution_2d(x, W, {.pad = 1, .dilate = 0}); },
                                   "convolution_2d: the dilation must be positive; (0, 0)");
  expect_error<cupyxx::ValueError>([&] { Convolution2D(3, 4, 0); },
                                   "Convolution2D: the window must not be empty; (0, 0)");
  expect_error<cupyxx::ValueError>([&] { Convolution2D(3, 4, 1, {.groups = 2}); },
                                   "Convolution2D: the groups do not divide the channels; 2 and 3");
  expect_error<cupyxx::ValueError>([&] { Convolution2D(-3, 4, 1); },
                                   "Convolution2D: a number of channels is negative; -3 and 4");
  expect_error<cupyxx::ShapeError>(
      [&] {
        deconvolution_2d(Variable(cupyxx::ones({1, 2, 3, 3}, cupyxx::float32)), W,
                         {.stride = 2, .outsize = 9});
      },
      "deconvolution_2d: the input does not fit outsize; input (1, 2, 3, 3), outsize (9, 9) has "
      "(4, 4) windows");
}

TEST_P(ConvolutionTest, ChecksTypes) {
  const Variable x(cupyxx::ones({1, 3, 5, 5}, cupyxx::float32));
  const Variable W(cupyxx::ones({2, 3, 3, 3}, cupyxx::float32));
  const Variable b(cupyxx::ones({2}, cupyxx::float32));
  const auto fails = [](auto&& f, const char* text) {
    expect_error<typecheck::InvalidType>(f, text);
  };
  fails(
      [&] {
        convolution_2d(Variable(cupyxx::ones({1, 3, 5, 5}, cupyxx::int32)), W);
      },
      "Expect: in_types[0].dtype.kind == f\nActual: i != f");
  fails(
      [&] {
        convolution_2d(x, Variable(cupyxx::ones({2, 3, 3, 3}, cupyxx::float64)));
      },
      "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32");
  fails([&] { convolution_2d(Variable(x.data()(0)), W); },
        "Expect: in_types[0].ndim == 4\nActual: 3 != 4");
  fails([&] { convolution_2d(x, Variable(W.data()(0))); },
        "Expect: in_types[1].ndim == 4\nActual: 3 != 4");
  fails(
      [&] {
        convolution_2d(x, Variable(cupyxx::ones({2, 4, 3, 3}, cupyxx::float32)));
      },
      "Expect: in_types[0].shape[1] == in_types[1].shape[1]\nActual: 3 != 4");
  fails([&] { convolution_2d(x, W, {.groups = 3}); },
        "Expect: in_types[0].shape[1] == in_types[1].shape[1] * 3\nActual: 3 != 9");
  fails([&] { convolution_2d(x, W, Variable(cupyxx::ones({2}, cupyxx::float64))); },
        "Expect: in_types[2].dtype == in_types[0].dtype\nActual: float64 != float32");
  fails(
      [&] {
        convolution_2d(x, W, Variable(cupyxx::ones({2, 1}, cupyxx::float32)));
      },
      "Expect: in_types[2].ndim == 1\nActual: 2 != 1");
  fails([&] { convolution_2d(x, W, Variable(cupyxx::ones({3}, cupyxx::float32))); },
        "Expect: in_types[2].shape[0] == in_types[1].shape[0]\nActual: 3 != 2");
  fails([&] { Convolution2D(4, 2, 3)(x); }, "Expect: in_types[0].shape[1] == 4\nActual: 3 != 4");
  fails([&] { Convolution2D(3, 2, 3, {.dtype = cupyxx::float64})(x); },
        "Expect: in_types[0].dtype == float64\nActual: float32 != float64");
  fails([&] { deconvolution_2d(x, W); },
        "Expect: in_types[0].shape[1] == in_types[1].shape[0]\nActual: 3 != 2");
}

TEST(Convolution, OptionsLeaveTf32ToTheCall) {
  EXPECT_FALSE(Convolution2D(1, 1, 1).options().allow_tf32.has_value());
  EXPECT_EQ(Convolution2D(1, 1, 1, {.allow_tf32 = false}).options().allow_tf32, false);
  const Tf32Scope scope;
  EXPECT_FALSE(Convolution2D(1, 1, 1).options().allow_tf32.has_value());
  EXPECT_FALSE(ConvolutionOptions().allow_tf32.has_value());
}

TEST_P(ConvolutionTest, DepthwiseIsOfGroupsOfOneChannel) {
  const Variable x(draw({2, 3, 5, 4})), W(draw({2, 3, 3, 2})), b(draw({6}));
  const Variable y = depthwise_convolution_2d(x, W, b, 1, 1);
  ASSERT_EQ(y.shape(), Shape({2, 6, 5, 5}));
  for (std::int64_t i = 0; i < 6; ++i) {
    const cupyxx::slice channel(i / 2, i / 2 + 1), one(i, i + 1), filter(i % 2, i % 2 + 1);
    const Variable alone =
        convolution_2d(x(cupyxx::slice(), channel), W(filter, channel), b(one), {.pad = 1});
    expect_allclose(y.data()(cupyxx::slice(), one), alone.data(), 1e-12, 1e-13);
  }
  expect_array_equal(dilated_convolution_2d(x, W, nullptr, 1, 0, 2).data(),
                     convolution_2d(x, W, {.dilate = 2}).data());
  expect_error<cupyxx::ShapeError>(
      [&] {
        depthwise_convolution_2d(x, draw({2, 4, 3, 2}));
      },
      "depthwise_convolution_2d: x and W are not (n, c, h, w) and "
      "(multiplier, c, kh, kw); (2, 3, 5, 4) and (2, 4, 3, 2)");
}

}  // namespace
}  // namespace chainerxx::functions
