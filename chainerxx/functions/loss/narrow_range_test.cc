// SPDX-License-Identifier: MIT
// Losses of float16 arrays whose squares or sums leave float16's range, while the loss does not,
// against float64 of the same numbers.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/loss/decorrelation.h"
#include "chainerxx/functions/loss/distances.h"
#include "chainerxx/functions/loss/errors.h"
#include "chainerxx/functions/loss/mean_squared_error.h"
#include "chainerxx/functions/loss/sampled_losses.h"
#include "chainerxx/functions/loss/sigmoid_cross_entropy.h"
#include "chainerxx/functions/loss/vae.h"
#include "chainerxx/functions/math/products.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::float16;
using cupyxx::float32;
using cupyxx::float64;
using cupyxx::Shape;
using cupyxx::testing::expect_allclose;

class NarrowRangeTest : public cupyxx::testing::DeviceTest {
 protected:
  using Loss = std::function<Variable(const std::vector<Variable>&)>;

  /// Multiples of an eighth of `size` from -size to size, of each input in another order.
  static std::vector<Variable> inputs(const std::vector<Shape>& shapes, double size,
                                      cupyxx::dtype dtype) {
    std::vector<Variable> all;
    int step = 3;
    for (const Shape& shape : shapes) {
      const ndarray places = cupyxx::arange(shape.element_count()) * step;
      const ndarray x = ((cupyxx::remainder(places, 17) - 8) * (size / 8)).reshape(shape);
      all.emplace_back(x.astype(float16).astype(dtype));
      step += 2;
    }
    return all;
  }

  static void expect(const char* name, const std::vector<Shape>& shapes, double size,
                     const Loss& loss) {
    SCOPED_TRACE(name);
    const std::vector<Variable> narrow = inputs(shapes, size, float16);
    const std::vector<Variable> wide = inputs(shapes, size, float64);
    const Variable y = loss(narrow), expected = loss(wide);
    ASSERT_EQ(y.dtype(), float16);
    expect_allclose(y.data().astype(float64), expected.data(), 2e-3, 1e-4);
    y.backward(cupyxx::ones_like(y.data()));
    expected.backward(cupyxx::ones_like(expected.data()));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (narrow[i].grad().is_none()) continue;
      EXPECT_EQ(narrow[i].grad().dtype(), float16);
      expect_allclose(narrow[i].grad().astype(float64), wide[i].grad(), 1e-2, 2e-3);
    }
  }
};
CUPYXX_TEST_ON_DEVICES(NarrowRangeTest);

ndarray pairs() { return cupyxx::array({0, 1, 1, 0}); }
ndarray classes() { return cupyxx::array({0, 2, 1, 3}); }

TEST_P(NarrowRangeTest, Differences) {
  const std::vector<Shape> two = {{4, 5}, {4, 5}};
  expect("mean_squared_error", two, 300,
         [](const auto& v) { return mean_squared_error(v[0], v[1]); });
  expect("mean_absolute_error", two, 1e4,
         [](const auto& v) { return mean_absolute_error(v[0], v[1]); });
  expect("huber_loss", two, 1e4,
         [](const auto& v) { return huber_loss(v[0], v[1], 1.0, Reduce::mean); });
  expect("contrastive, far apart", two, 100,
         [](const auto& v) { return contrastive(v[0], v[1], pairs()); });
  expect("contrastive, no pair", two, 500,
         [](const auto& v) { return contrastive(v[0], v[1], cupyxx::zeros_like(pairs())); });
  expect("contrastive, close", two, 1e-3,
         [](const auto& v) { return contrastive(v[0], v[1], pairs()); });
  expect("triplet", {{4, 5}, {4, 5}, {4, 5}}, 150,
         [](const auto& v) { return triplet(v[0], v[1], v[2]); });
}

TEST_P(NarrowRangeTest, Scores) {
  expect("hinge", {{4, 5}}, 3e4, [](const auto& v) { return hinge(v[0], classes()); });
  expect("hinge, squared", {{40, 5}}, 60, [](const auto& v) {
    return hinge(v[0], cupyxx::zeros({40}, cupyxx::int32), HingeNorm::L2);
  });
  expect("sigmoid_cross_entropy", {{4, 5}}, 3e4, [](const auto& v) {
    return sigmoid_cross_entropy(v[0], cupyxx::zeros({4, 5}, cupyxx::int32));
  });
  expect("sigmoid_cross_entropy, many", {{100000}}, 2, [](const auto& v) {
    return sigmoid_cross_entropy(v[0], cupyxx::zeros({100000}, cupyxx::int32));
  });
  expect("kl_div", {{4, 5}, {4, 5}}, 200,
         [](const auto& v) { return kl_div(v[0], absolute(v[1])); });
}

TEST_P(NarrowRangeTest, SumsOverManySamples) {
  const std::vector<Shape> many = {{100000}, {100000}};
  expect("gaussian_kl_divergence", many, 2,
         [](const auto& v) { return gaussian_kl_divergence(v[0], v[1], Reduce::mean); });
  expect("bernoulli_nll", many, 2,
         [](const auto& v) { return bernoulli_nll(sigmoid(v[0]), v[1], Reduce::mean); });
  expect("gaussian_nll", many, 2,
         [](const auto& v) { return gaussian_nll(v[0], v[1], v[0] * 0.125, Reduce::mean); });
  expect("cross_covariance", {{30000, 2}, {30000, 2}}, 4,
         [](const auto& v) { return cross_covariance(v[0], v[1] + v[0]); });
  expect("decov", {{30000, 2}}, 4, [](const auto& v) { return decov(v[0]); });
  expect("average", many, 8, [](const auto& v) { return average(v[0], 0, absolute(v[1])); });
}

TEST_P(NarrowRangeTest, SmallMeansKeepTheirDivergence) {
  for (const auto& type : {float16, cupyxx::bfloat16_, float32}) {
    const Variable mean(cupyxx::full({3}, 0.0078125, type)), ln_var(cupyxx::zeros({3}, type));
    const Variable y = gaussian_kl_divergence(mean, ln_var);
    expect_allclose(y.data().astype(float64), cupyxx::array(3 * 0.0078125 * 0.0078125 / 2), 4e-3);
  }
}

}  // namespace
}  // namespace chainerxx::functions
