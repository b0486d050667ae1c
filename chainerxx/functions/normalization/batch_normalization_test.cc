// SPDX-License-Identifier: MIT
// Batch normalisation against its formula written with arrays of float64, gradients against finite
// differences, running statistics, bad input.
#include "chainerxx/functions/normalization/batch_normalization.h"

#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/functions/math/reductions.h"
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

using cupyxx::Axes;
using cupyxx::Shape;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

const std::vector<Shape> kShapes = {{6, 4},   {5, 3, 7},      {4, 3, 5, 6}, {1, 3, 4, 5},
                                    {40, 70}, {2, 2, 40, 30}, {300, 1},     {33, 5, 1, 1}};

class BatchNormalizationTest : public cupyxx::testing::DeviceTest {
 protected:
  BatchNormalizationTest() : random_(9) {}
  ndarray draw(const Shape& shape, double low = -1, double high = 1) {
    return random_.uniform(shape, {.low = low, .high = high});
  }
  /// All axes but the channels.
  static Axes others(const Shape& shape) {
    std::vector<std::int64_t> axes = {0};
    for (int i = 2; i < shape.ndim(); ++i) axes.push_back(i);
    return axes;
  }
  static ndarray per_channel(const ndarray& a, const Shape& x) {
    Shape shape = x;
    for (int i = 0; i < shape.ndim(); ++i) shape[i] = i == 1 ? x[1] : 1;
    return a.reshape(shape);
  }
  template <class F>
  void check(F&& f, const std::vector<ndarray>& inputs) {
    std::vector<Variable> x;
    for (const ndarray& a : inputs) x.emplace_back(a);
    const Shape out = f(x).shape();
    gradcheck::check_backward([&](const std::vector<Variable>& v) { return f(v); }, inputs,
                              {draw(out)}, {.eps = 1e-4, .atol = 1e-7, .rtol = 1e-5});
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(BatchNormalizationTest);

TEST_P(BatchNormalizationTest, BatchNormalizationIsTheFormula) {
  for (const Shape& s : kShapes) {
    for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
      const ndarray x = draw(s, 1, 3).astype(type), gamma = draw({s[1]}).astype(type);
      const ndarray beta = draw({s[1]}).astype(type);
      const ndarray wide = x.astype(cupyxx::float64);
      const ndarray mean = per_channel(wide.mean(others(s)), s);
      const ndarray var = per_channel(wide.var(others(s)), s);
      const ndarray expected =
          (wide - mean) / cupyxx::sqrt(var + 1e-3) * per_channel(gamma.astype(cupyxx::float64), s) +
          per_channel(beta.astype(cupyxx::float64), s);
      const ndarray y =
          batch_normalization(Variable(x), Variable(gamma), Variable(beta), {.eps = 1e-3}).data();
      EXPECT_EQ(y.dtype(), type);
      const double tolerance = type == cupyxx::float16   ? 2e-3
                               : type == cupyxx::float32 ? 2e-6
                                                         : 1e-13;
      expect_allclose(y.astype(cupyxx::float64), expected, tolerance, tolerance);
    }
  }
}

TEST_P(BatchNormalizationTest, LargeMeansDoNotCancelTheVariance) {
  const ndarray noise = draw({64, 2, 3, 3});
  const ndarray x = (noise + 10000).astype(cupyxx::float32);
  const ndarray exact = x.astype(cupyxx::float64);
  const Shape s = x.shape();
  const ndarray expected = (exact - per_channel(exact.mean(others(s)), s)) /
                           cupyxx::sqrt(per_channel(exact.var(others(s)), s) + 1e-5);
  const Variable ones(cupyxx::ones({2}, cupyxx::float32)),
      zeros(cupyxx::zeros({2}, cupyxx::float32));
  const ndarray y = batch_normalization(Variable(x), ones, zeros).data();
  // One ulp of 10000 is 1e-3 of the noise.
  expect_allclose(y.astype(cupyxx::float64), expected, 2e-3, 2e-3);
}

TEST_P(BatchNormalizationTest, BatchNormalizationMatchesFiniteDifferences) {
  for (const Shape& s : {Shape({6, 4}), Shape({3, 2, 3, 4}), Shape({1, 2, 5})}) {
    check([](const auto& v) { return batch_normalization(v[0], v[1], v[2]); },
          {draw(s), draw({s[1]}), draw({s[1]})});
    check([](const auto& v) { return fixed_batch_normalization(v[0], v[1], v[2], v[3], v[4]); },
          {draw(s), draw({s[1]}), draw({s[1]}), draw({s[1]}), draw({s[1]}, 0.5, 2)});
  }
  // Several axes of channels.
  check([](const auto& v) { return batch_normalization(v[0], v[1], v[2]); },
        {draw({4, 2, 3, 2}), draw({2, 3}), draw({2, 3})});
}

TEST_P(BatchNormalizationTest, TheWorkIsSplitTheSameWayForGradients) {
  for (const Shape& s : kShapes) {
    const Variable x(draw(s)), gamma(draw({s[1]})), beta(draw({s[1]}));
    const Variable y = batch_normalization(x, gamma, beta, {.eps = 1e-3});
    const ndarray gy = draw(s);
    y.set_grad(gy);
    y.backward();
    const ndarray mean = per_channel(x.data().mean(others(s)), s);
    const ndarray std = cupyxx::sqrt(per_channel(x.data().var(others(s)), s) + 1e-3);
    const ndarray hat = (x.data() - mean) / std;
    const double count = static_cast<double>(x.size()) / static_cast<double>(s[1]);
    const ndarray gbeta = gy.sum(others(s)), ggamma = (gy * hat).sum(others(s));
    expect_allclose(gamma.grad(), ggamma, 1e-10, 1e-11);
    expect_allclose(beta.grad(), gbeta, 1e-10, 1e-11);
    const ndarray gx = per_channel(gamma.data(), s) / std *
                       (gy - (per_channel(gbeta, s) + hat * per_channel(ggamma, s)) / count);
    expect_allclose(x.grad(), gx, 1e-9, 1e-11);
  }
}

TEST_P(BatchNormalizationTest, RunningStatisticsFollowTheBatches) {
  BatchNormalization bn(3, {.decay = 0.75, .dtype = cupyxx::float64});
  const Variable x(draw({5, 3, 4}, 1, 2));
  bn(x);
  const ndarray mean = x.data().mean({0, 2}), var = x.data().var({0, 2}) * (20.0 / 19.0);
  expect_allclose(bn.avg_mean, mean * 0.25, 1e-12);
  expect_allclose(bn.avg_var, var * 0.25 + 0.75, 1e-12);
  const ndarray before = bn.avg_mean.copy();
  const Variable t = bn(x, {.test = true});
  expect_array_equal(bn.avg_mean, before);
  const Shape s = x.shape();
  expect_allclose(
      t.data(),
      (x.data() - per_channel(bn.avg_mean, s)) / cupyxx::sqrt(per_channel(bn.avg_var, s) + 1e-5),
      1e-12, 1e-12);
  {
    const TrainScope evaluation(false);
    expect_array_equal(bn(x).data(), t.data());
  }
  EXPECT_EQ(t.creator()->label(), "BatchNormalization");
}

TEST_P(BatchNormalizationTest, FinetuningAveragesTheBatches) {
  BatchNormalization bn(2, {.dtype = cupyxx::float64});
  bn(Variable(draw({4, 2})));
  bn.start_finetuning();
  ndarray mean, var;
  for (int i = 1; i <= 3; ++i) {
    const ndarray x = draw({4, 2}, 0, 1);
    bn(Variable(x), {.finetune = true});
    mean = mean.is_none() ? x.mean(0) : mean + x.mean(0);
    var = var.is_none() ? x.var(0) : var + x.var(0);
    expect_allclose(bn.avg_mean, mean / i, 1e-12);
    expect_allclose(bn.avg_var, var / i * (4.0 / 3.0), 1e-12);
  }
}

TEST_P(BatchNormalizationTest, LayersAccumulateGradientsInBothModes) {
  for (const bool test : {false, true}) {
    BatchNormalization bn(2, {.dtype = cupyxx::float64});
    bn.avg_var.fill(2);
    const BatchNormalization::Mode mode{.test = test};
    const ndarray x = draw({4, 2, 3});
    gradcheck::check_backward([&](const Variable& v) { return bn(v, mode); }, {x},
                              {draw(x.shape())},
                              {.eps = 1e-4,
                               .atol = 1e-7,
                               .rtol = 1e-5,
                               .parameters = {bn.gamma, bn.beta},
                               .gradients = {bn.ggamma, bn.gbeta}});
  }
}

/// Beside the layer without ReLU, whose gradient then is that of the elements that pass.
TEST_P(BatchNormalizationTest, ReluOfALayerIsOneFunction) {
  const Shape shapes[] = {{4, 3, 5}, {3, 2, 2100}, {50, 3}, {70, 8}};
  for (const Shape& shape : shapes) {
    for (const bool test : {false, true}) {
      for (const bool adds : {false, true}) {
        BatchNormalization fused(shape[1], {.dtype = cupyxx::float32});
        BatchNormalization plain(shape[1], {.dtype = cupyxx::float32});
        for (BatchNormalization* bn : {&fused, &plain}) {
          bn->gamma.fill(-1.5);
          bn->beta.fill(0.25);
          bn->avg_var.fill(2);
        }
        const BatchNormalization::Mode mode{.test = test};
        const Variable x(draw(shape).astype(cupyxx::float32)), same(x.data());
        const Variable shortcut(draw(shape).astype(cupyxx::float32));
        const ndarray gy = draw(shape).astype(cupyxx::float32);
        const Variable y = adds ? fused.add_relu(x, shortcut, mode) : fused.relu(x, mode);
        const Variable before = plain(same, mode);
        const ndarray sum = adds ? before.data() + shortcut.data() : before.data();
        expect_array_equal(y.data(), cupyxx::maximum(sum, 0));
        y.set_grad(gy);
        y.backward();
        const ndarray passed = cupyxx::where(cupyxx::greater(sum, 0), gy, 0 * gy);
        before.set_grad(passed);
        before.backward();
        expect_allclose(x.grad(), same.grad(), 1e-5, 1e-6);
        if (adds) expect_array_equal(shortcut.grad(), passed);
        expect_allclose(fused.ggamma, plain.ggamma, 1e-5, 1e-5);
        expect_allclose(fused.gbeta, plain.gbeta, 1e-5, 1e-5);
        expect_array_equal(fused.avg_var, plain.avg_var);
      }
    }
  }
}

TEST_P(BatchNormalizationTest, LayersSaveTheirStatistics) {
  BatchNormalization bn(Shape({2, 3}));
  std::vector<std::string> names;
  for (const Field& field : bn.fields()) names.emplace_back(field.name);
  EXPECT_EQ(names, (std::vector<std::string>{"gamma", "beta", "avg_mean", "avg_var"}));
  EXPECT_EQ(bn.parameter_names(), (std::vector<std::string>{"gamma", "beta"}));
  EXPECT_EQ(bn.avg_var.shape(), Shape({2, 3}));
  EXPECT_EQ(bn.gamma.device(), device());
  EXPECT_EQ(bn(Variable(cupyxx::ones({2, 2, 3, 4}, cupyxx::float32))).shape(), Shape({2, 2, 3, 4}));
}

TEST_P(BatchNormalizationTest, EmptyBatchesChangeNothing) {
  BatchNormalization bn(3);
  const Variable x(cupyxx::ones({0, 3, 2}, cupyxx::float32));
  const Variable y = bn(x);
  EXPECT_EQ(y.shape(), x.shape());
  EXPECT_EQ(bn.avg_var.to_vector<float>(), std::vector<float>(3, 1.0f));
  y.set_grad(cupyxx::ones(y.shape(), cupyxx::float32));
  y.backward();
  EXPECT_EQ(x.grad().shape(), x.shape());
  EXPECT_EQ(bn.ggamma.to_vector<float>(), std::vector<float>(3, 0.0f));
}

TEST_P(BatchNormalizationTest, ShortcutsHaveTheInputsForm) {
  const BatchNormalization bn(3);
  const Variable x(cupyxx::ones({2, 3, 4}, cupyxx::float32));
  expect_error<typecheck::InvalidType>(
      [&] {
        bn.add_relu(x, Variable(cupyxx::ones({2, 3, 1}, cupyxx::float32)));
      },
      "(2, 3, 1) != (2, 3, 4)");
  expect_error<typecheck::InvalidType>(
      [&] {
        bn.add_relu(x, Variable(cupyxx::ones({2, 3, 4}, cupyxx::float64)));
      },
      "float64 != float32");
}

TEST_P(BatchNormalizationTest, BatchNormalizationChecksTypes) {
  BatchNormalization bn(3);
  const auto fails = [](auto&& f, const char* text) {
    expect_error<typecheck::InvalidType>(f, text);
  };
  fails(
      [&] {
        bn(Variable(cupyxx::ones({2, 4}, cupyxx::float32)));
      },
      "Expect: in_types[0].shape[1:2] == (3,)\nActual: (4,) != (3,)");
  fails(
      [&] {
        bn(Variable(cupyxx::ones({2, 3}, cupyxx::float64)));
      },
      "Expect: in_types[0].dtype == float32\nActual: float64 != float32");
  fails([&] { bn(Variable(cupyxx::ones({3}, cupyxx::float32))); },
        "Expect: in_types[0].ndim >= 2\nActual: 1 < 2");
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32)), g(cupyxx::ones({3}, cupyxx::float32));
  fails([&] { batch_normalization(x, g, Variable(cupyxx::ones({2}, cupyxx::float32))); },
        "Expect: in_types[1].shape == in_types[2].shape\nActual: (3,) != (2,)");
  fails([&] { batch_normalization(x, Variable(cupyxx::ones({3}, cupyxx::float64)), g); },
        "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32");
  fails(
      [&] { fixed_batch_normalization(x, g, g, g, Variable(cupyxx::ones({1}, cupyxx::float32))); },
      "Expect: in_types[4].shape == in_types[1].shape\nActual: (1,) != (3,)");
  expect_error<cupyxx::ValueError>([&] { BatchNormalization(3, {.eps = -1}); },
                                   "batch_normalization: eps is negative; -1.0");
  expect_error<cupyxx::ValueError>(
      [&] { batch_normalization(x, g, g, {.running_mean = g.data()}); },
      "batch_normalization: one of running_mean and running_var is missing; they come together");
  const ndarray two = cupyxx::ones({2}, cupyxx::float32);
  expect_error<cupyxx::ShapeError>(
      [&] { batch_normalization(x, g, g, {.running_mean = two, .running_var = two}); },
      "batch_normalization: running statistics differ from gamma; (2,) float32 and (3,) float32");
}

}  // namespace
}  // namespace chainerxx::functions
