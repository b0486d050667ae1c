// SPDX-License-Identifier: MIT
// Functions of images that lie channels last: their results and gradients lie so, too, and have the
// values of the plain layout in float64.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/network/inception.h"
#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/functions/normalization/local_response_normalization.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/functions/pooling/spatial_pyramid_pooling_2d.h"
#include "chainerxx/functions/testing/rounding.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using testing::expect_channels_last;
using testing::rounding;

const cupyxx::dtype kTypes[] = {cupyxx::float64, cupyxx::float32, cupyxx::float16,
                                cupyxx::bfloat16_};

/// In which layers take a type beside their parameters of float32.
Precision precision_of(cupyxx::dtype type) {
  return type == cupyxx::bfloat16_ ? Precision::bfloat16
         : type == cupyxx::float16 ? Precision::float16
                                   : Precision::float32;
}

ndarray channels_last(const ndarray& a) {
  const Shape s = a.shape();
  const ndarray pixels = cupyxx::empty({s[0], s[2], s[3], s[1]}, a.dtype());
  pixels.set(a.transpose({0, 2, 3, 1}));
  return pixels.transpose({0, 3, 1, 2});
}

struct ImageFunction {
  const char* name;
  std::function<Variable(const Variable&)> call;
};

/// Windows inside of the image, across its edges and larger than 255 elements among them.
const std::vector<ImageFunction>& image_functions() {
  static const std::vector<ImageFunction> list = {
      {"max 2x2", [](const Variable& x) { return max_pooling_2d(x, 2); }},
      {"max 3x3", [](const Variable& x) { return max_pooling_2d(x, 3, {.stride = 2}); }},
      {"max 3x3 padded",
       [](const Variable& x) { return max_pooling_2d(x, 3, {.stride = 1, .pad = 1}); }},
      {"max 4x2",
       [](const Variable& x) {
         return max_pooling_2d(x, {4, 2}, {.stride = {2, 3}, .pad = 1});
       }},
      {"max of the image",
       [](const Variable& x) {
         return max_pooling_2d(x, {18, 17});
       }},
      {"average 2x2", [](const Variable& x) { return average_pooling_2d(x, 2); }},
      {"average 3x3",
       [](const Variable& x) { return average_pooling_2d(x, 3, {.stride = 2, .pad = 1}); }},
      {"average of the image",
       [](const Variable& x) {
         return average_pooling_2d(x, {18, 17});
       }},
      {"unpooling", [](const Variable& x) { return unpooling_2d(x, 2); }},
      {"response normalisation", [](const Variable& x) { return local_response_normalization(x); }},
      {"response normalisation of 3",
       [](const Variable& x) { return local_response_normalization(x, {.n = 3, .alpha = 0.1}); }},
      {"concat",
       [](const Variable& x) {
         return concat({x, x * 2});
       }},
      {"concat of rows",
       [](const Variable& x) {
         return concat({x, x}, 2);
       }},
  };
  return list;
}

class LayoutTest : public cupyxx::testing::DeviceTest {
 protected:
  LayoutTest() : random_(7) {}
  ndarray draw(const Shape& shape, cupyxx::dtype type) {
    return random_.uniform(shape, {.low = -1, .high = 1}).astype(type);
  }
  /// Differ by more than a rounding of bfloat16 costs, as far as its digits allow.
  ndarray distinct(const Shape& shape, cupyxx::dtype type) {
    const std::int64_t n = shape.element_count();
    return (random_.permutation(n).astype(cupyxx::float64) / static_cast<double>(n) - 0.5)
        .reshape(shape)
        .astype(type);
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(LayoutTest);

TEST_P(LayoutTest, FunctionsOfImagesKeepIt) {
  for (const ImageFunction& f : image_functions()) {
    for (const cupyxx::dtype type : kTypes) {
      for (const std::int64_t channels : {16, 6}) {
        SCOPED_TRACE(std::string(f.name) + " " + std::string(type.name()) + " of " +
                     std::to_string(channels) + " channels");
        const ndarray x = distinct({2, channels, 18, 17}, type);
        const Variable wide(x.astype(cupyxx::float64)), last(channels_last(x));
        const Variable expected = f.call(wide), y = f.call(last);
        const ndarray gy = draw(y.shape(), type);
        expected.set_grad(gy.astype(cupyxx::float64));
        expected.backward();
        EXPECT_EQ(y.dtype(), type);
        const bool is_image = y.shape()[2] * y.shape()[3] > 1;
        if (is_image && std::string(f.name).find("concat") != 0) expect_channels_last(y.data());
        const double tolerance = 16 * rounding(type);
        expect_allclose(y.data().astype(cupyxx::float64), expected.data(), tolerance, tolerance);
        // A gradient in either layout.
        for (const bool as_it_lies : {true, false}) {
          y.set_grad(as_it_lies ? channels_last(gy) : gy);
          last.set_grad({});
          y.backward();
          if (std::string(f.name).find("concat") != 0) expect_channels_last(last.grad());
          expect_allclose(last.grad().astype(cupyxx::float64), wide.grad(), tolerance,
                          8 * tolerance);
        }
      }
    }
  }
}

TEST_P(LayoutTest, ConcatKeepsIt) {
  const ndarray x = draw({2, 8, 3, 5}, cupyxx::float32), z = draw({2, 4, 3, 5}, cupyxx::float32);
  for (const ndarray& second : {z, channels_last(z)}) {
    const Variable a(channels_last(x)), b(second);
    const Variable y = concat({a, b});
    expect_channels_last(y.data());
    expect_array_equal(y.data()(cupyxx::slice(), cupyxx::slice(0, 8)), x);
    expect_array_equal(y.data()(cupyxx::slice(), cupyxx::slice(8, 12)), z);
    const ndarray gy = draw(y.shape(), cupyxx::float32);
    y.set_grad(channels_last(gy));
    y.backward();
    expect_array_equal(a.grad(), gy(cupyxx::slice(), cupyxx::slice(0, 8)));
    expect_array_equal(b.grad(), gy(cupyxx::slice(), cupyxx::slice(8, 12)));
  }
}

TEST_P(LayoutTest, DropoutsGradientPassesWhereTheResultDoes) {
  const ndarray x = cupyxx::ones({2, 8, 5, 3}, cupyxx::float32);
  const Variable v(channels_last(x));
  const Variable y = dropout(v, 0.5, true);
  expect_channels_last(y.data());
  y.set_grad(x);  // lies plain
  y.backward();
  expect_array_equal(v.grad(), y.data());
  EXPECT_GT(cupyxx::count_nonzero(y.data()), 80);
  EXPECT_LT(cupyxx::count_nonzero(y.data()), 160);
}

/// Batch normalisation with what follows it, by the formula in float64.
struct Normalised {
  ndarray y, gx, ggamma, gbeta, mean, var;
};
Normalised normalise(const ndarray& x, const ndarray& gamma, const ndarray& beta,
                     const ndarray& added, bool relu, const ndarray& given) {
  const auto beside = [](const ndarray& v) { return v.reshape({1, v.size(), 1, 1}); };
  const std::int64_t of_each = x.size() / gamma.size();
  const auto count = static_cast<double>(of_each);
  const cupyxx::Axes axes = {0, 2, 3};
  const ndarray mean = x.mean(axes), var = x.var(axes);
  const ndarray inv_std = 1 / cupyxx::sqrt(var + 1e-3);
  const ndarray normal = (x - beside(mean)) * beside(inv_std);
  ndarray y = normal * beside(gamma) + beside(beta);
  if (!added.is_none()) y = y + added;
  ndarray gy = given;
  if (relu) {
    gy = cupyxx::where(y > 0, gy, 0.0);
    y = cupyxx::maximum(y, 0);
  }
  const ndarray gbeta = gy.sum(axes), ggamma = (gy * normal).sum(axes);
  const ndarray gx =
      beside(gamma * inv_std) * (gy - beside(gbeta) / count - normal * beside(ggamma) / count);
  return {y, gx, ggamma, gbeta, mean, var * (count / (count - 1))};
}

TEST_P(LayoutTest, BatchNormalisationTakesNarrowImagesBesideItsParameters) {
  constexpr double kDecay = 0.75;
  for (const cupyxx::dtype type : {cupyxx::float32, cupyxx::float16, cupyxx::bfloat16_}) {
    const PrecisionScope scope(precision_of(type));
    for (const std::int64_t channels : {3, 16, 80}) {
      for (const bool last : {false, true}) {
        for (const int then : {0, 1, 2}) {
          SCOPED_TRACE(std::string(type.name()) + (last ? " last " : " plain ") +
                       std::to_string(channels) + " then " + std::to_string(then));
          const Shape shape = {4, channels, 5, 7};
          const ndarray x = draw(shape, type), added = draw(shape, type), gy = draw(shape, type);
          BatchNormalization bn(channels, {.decay = kDecay, .eps = 1e-3});
          bn.gamma = draw({channels}, cupyxx::float32) + 2;
          bn.beta = draw({channels}, cupyxx::float32);
          const auto wide = [](const ndarray& a) { return a.astype(cupyxx::float64); };
          const Normalised expected =
              normalise(wide(x), wide(bn.gamma), wide(bn.beta), then == 2 ? wide(added) : ndarray(),
                        then > 0, wide(gy));
          const auto laid = [&](const ndarray& a) { return last ? channels_last(a) : a; };
          const Variable vx(laid(x)), vz(laid(added));
          const Variable y = then == 0 ? bn(vx) : then == 1 ? bn.relu(vx) : bn.add_relu(vx, vz);
          EXPECT_EQ(y.dtype(), type);
          if (last) expect_channels_last(y.data());
          y.set_grad(gy);
          y.backward();
          EXPECT_EQ(vx.grad().dtype(), type);
          if (last) expect_channels_last(vx.grad());
          EXPECT_EQ(bn.ggamma.dtype(), cupyxx::float32);
          const double near = 8 * rounding(type);
          expect_allclose(wide(y.data()), expected.y, near, 4 * near);
          // An element near 0 passes ReLU or not, by the rounding of its result.
          const ndarray differs = cupyxx::absolute(wide(vx.grad()) - expected.gx);
          const auto share = (differs > 16 * near).astype(cupyxx::float64).mean().item<double>();
          EXPECT_LE(share, then == 0 ? 0 : 0.02);
          expect_allclose(wide(bn.avg_mean), expected.mean * (1 - kDecay), 1e-5, 1e-6);
          expect_allclose(wide(bn.avg_var), expected.var * (1 - kDecay) + kDecay, 1e-5, 1e-6);
          const double sums = 140 * 4 * near;
          expect_allclose(wide(bn.gbeta), expected.gbeta, near, then == 0 ? 1e-4 : sums);
          expect_allclose(wide(bn.ggamma), expected.ggamma, near, then == 0 ? 1e-3 : sums);
          // Fixed statistics.
          const Variable z = bn(vx, {.test = true});
          if (last) expect_channels_last(z.data());
          const auto beside = [&](const ndarray& v) {
            return wide(v).reshape({1, channels, 1, 1});
          };
          const ndarray fixed = (wide(x) - beside(bn.avg_mean)) /
                                    cupyxx::sqrt(beside(bn.avg_var) + 1e-3) * beside(bn.gamma) +
                                beside(bn.beta);
          expect_allclose(wide(z.data()), fixed, near, 2 * near);
        }
      }
    }
  }
}

/// Convolutions, normalisation, pooling, a module of several paths and a classifier.
struct Network : FunctionSet {
  Convolution2D& conv1 = add("conv1", Convolution2D(3, 16, 3, {.pad = 1}));
  BatchNormalization& norm1 = add("norm1", BatchNormalization(16));
  Convolution2D& conv2 = add("conv2", Convolution2D(16, 32, 1));
  Inception& module = add<Inception>("module", 32, 8, 8, 8, 8, 8, 8);
  Convolution2D& conv3 = add("conv3", Convolution2D(32, 16, 3, {.stride = 2, .nobias = true}));
  BatchNormalization& norm3 = add("norm3", BatchNormalization(16));
  Linear& classify = add("classify", Linear(16, 4));

  Variable operator()(const Variable& x) const {
    Variable h = max_pooling_2d(norm1.relu(conv1(x)), 3, {.stride = 2});
    h = module(local_response_normalization(relu(conv2(h))));
    h = norm3.relu(conv3(h));
    const Shape s = h.shape();
    return classify(reshape(average_pooling_2d(h, {s[2], s[3]}), {s[0], 16}));
  }
};

TEST_P(LayoutTest, NetworksTrainAlike) {
  const ndarray x = draw({8, 3, 20, 18}, cupyxx::float32);
  const ndarray labels = cupyxx::arange(8) % 4;
  const auto train = [&](Layout layout) {
    const LayoutScope scope(layout);
    cupyxx::random::seed(11);
    Network network;
    std::vector<double> losses;
    for (int step = 0; step < 6; ++step) {
      network.zero_grads();
      const Variable loss = softmax_cross_entropy(network(Variable(x)), Variable(labels));
      loss.backward();
      const auto parameters = network.parameters(), gradients = network.gradients();
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        ndarray parameter = parameters[i];
        parameter -= 0.1 * gradients[i];
      }
      losses.push_back(loss.data().item<double>());
    }
    return losses;
  };
  const std::vector<double> plain = train(Layout::plain), last = train(Layout::channels_last);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(last[i], plain[i], 1e-3 * plain[i]);
  EXPECT_LT(last.back(), 0.8 * last.front());
}

TEST_P(LayoutTest, NarrowNetworksTrainAlike) {
  const ndarray x = draw({8, 3, 20, 18}, cupyxx::float32);
  const ndarray labels = cupyxx::arange(8) % 4;
  const auto first_losses = [&](Layout layout, Precision precision) {
    const LayoutScope scope(layout);
    const PrecisionScope narrow(precision);
    cupyxx::random::seed(11);
    Network network;
    std::vector<double> losses;
    for (int step = 0; step < 4; ++step) {
      network.zero_grads();
      const Variable loss = softmax_cross_entropy(network(Variable(x)), Variable(labels));
      loss.backward();
      const auto parameters = network.parameters(), gradients = network.gradients();
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        EXPECT_EQ(gradients[i].dtype(), cupyxx::float32);
        ndarray parameter = parameters[i];
        parameter -= 0.05 * gradients[i];
      }
      losses.push_back(loss.data().item<double>());
    }
    return losses;
  };
  const std::vector<double> wide = first_losses(Layout::plain, Precision::float32);
  for (const Precision precision : {Precision::bfloat16, Precision::float16, Precision::tf32}) {
    for (const Layout layout : {Layout::automatic, Layout::plain, Layout::channels_last}) {
      const std::vector<double> losses = first_losses(layout, precision);
      for (std::size_t i = 0; i < wide.size(); ++i) EXPECT_NEAR(losses[i], wide[i], 0.05 * wide[i]);
    }
  }
}

}  // namespace
}  // namespace chainerxx::functions
