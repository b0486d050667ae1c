// SPDX-License-Identifier: MIT
// Batch renormalisation against NumPy's numbers for its paper's formulas, as a function and as a
// layer, and what it refuses.
#include "chainerxx/functions/normalization/batch_renormalization.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/testing/refusals.h"
#include "chainerxx/functions/util/forget.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_error;
using testing::f32;
using testing::i32;

class BatchRenormalizationTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(BatchRenormalizationTest);

ndarray eighths(const cupyxx::Shape& shape, int step) {
  const ndarray places = cupyxx::arange(shape.element_count()) * step;
  return ((cupyxx::remainder(places, 17) - 8) / 8.0).reshape(shape);
}

ndarray images() { return eighths({4, 2, 2}, 5); }
ndarray gamma() { return cupyxx::array({1.5, 0.5}); }
ndarray beta() { return cupyxx::array({0.25, -1.0}); }
ndarray running_mean() { return cupyxx::array({0.125, -0.5}); }
ndarray running_var() { return cupyxx::array({0.25, 0.5}); }

// rmax = 1.2, dmax = 0.3, eps = 1e-3: r = (1.0456, 0.9723) is within its limits, d is not.
ndarray result() {
  return cupyxx::array(
      {{{-2.8197656976830907, -0.9485044850523119}, {-0.7175498625060899, -0.27604940419305635}},
       {{-1.6970089701046236, 0.17425224252615587}, {-0.4526495875182698, -1.5122506874695505}},
       {{-0.5742522425261559, 1.2970089701046232}, {-0.18774931253044946, -1.2473504124817303}},
       {{0.5485044850523118, 2.419765697683091}, {-1.4239505958069436, -0.9824501374939101}}});
}
ndarray by_x() {
  return cupyxx::array(
      {{{-1.9109365528484805, -1.2276555997007783}, {-0.22020407004895137, 0.04651673529742024}},
       {{2.3164048928069305, 2.999685845954633}, {-0.660612210146854, -0.4000812080195574}},
       {{0.181458215517692, 0.8647391686653942}, {0.4000812080195574, 0.660612210146854}},
       {{-1.9534884617715464, -1.2702075086238442}, {-0.04651673529742024, 0.22020407004895137}}});
}
ndarray by_gamma() { return cupyxx::array({1.4041936669469282, 0.12792497708434844}); }
ndarray by_beta() { return cupyxx::array({-1.25, 0.5}); }
ndarray next_mean() { return cupyxx::array({0.1, -0.44375}); }
ndarray next_var() { return cupyxx::array({0.25625, 0.5040178571428572}); }

TEST_P(BatchRenormalizationTest, Function) {
  const Variable x(images()), g(gamma()), b(beta());
  const ndarray mean = running_mean(), var = running_var();
  const Variable y = batch_renormalization(x, g, b, 1.2, 0.3,
                                           {.eps = 1e-3, .running_mean = mean, .running_var = var});
  expect_allclose(y.data(), result(), 1e-12, 1e-12);
  expect_allclose(mean, next_mean(), 1e-12);
  expect_allclose(var, next_var(), 1e-12);
  y.set_grad(eighths({4, 2, 2}, 3));
  y.backward();
  expect_allclose(x.grad(), by_x(), 1e-11, 1e-12);
  expect_allclose(g.grad(), by_gamma(), 1e-11);
  expect_allclose(b.grad(), by_beta(), 1e-11);
}

TEST_P(BatchRenormalizationTest, Layer) {
  BatchRenormalization layer(
      2, 1.2, 0.3,
      {.eps = 1e-3, .dtype = cupyxx::float64, .initial_gamma = gamma(), .initial_beta = beta()});
  layer.avg_mean = running_mean();
  layer.avg_var = running_var();
  const Variable x(images());
  const Variable y = layer(x, false);
  expect_allclose(y.data(), result(), 1e-12, 1e-12);
  expect_allclose(layer.avg_mean, next_mean(), 1e-12);
  expect_allclose(layer.avg_var, next_var(), 1e-12);
  y.set_grad(eighths({4, 2, 2}, 3));
  y.backward();
  expect_allclose(x.grad(), by_x(), 1e-11, 1e-12);
  expect_allclose(layer.ggamma, by_gamma(), 1e-11);
  expect_allclose(layer.gbeta, by_beta(), 1e-11);
  const Variable tested = layer(x, true);
  const ndarray scale = (gamma() / cupyxx::sqrt(next_var() + 1e-3)).reshape({2, 1});
  const ndarray shifted = (images() - next_mean().reshape({2, 1})) * scale;
  expect_allclose(tested.data(), shifted + beta().reshape({2, 1}), 1e-11, 1e-12);
}

TEST_P(BatchRenormalizationTest, WithoutRoomForCorrectionsItIsBatchNormalization) {
  BatchRenormalization layer(2, 1, 0, {.dtype = cupyxx::float64});
  const BatchNormalization plain(2, {.dtype = cupyxx::float64});
  const Variable x(images());
  expect_allclose(layer(x, false).data(), plain(x, {.test = false}).data(), 0, 0);
  expect_allclose(layer.avg_var, plain.avg_var, 0, 0);
  layer.set_limits(3, 5);
  EXPECT_EQ(layer.rmax(), 3);
  EXPECT_EQ(layer.dmax(), 5);
}

TEST_P(BatchRenormalizationTest, ForgottenItIsTrainedWithoutCorrectionsOnly) {
  const Variable x(images());
  BatchRenormalization layer(2, 1, 0, {.dtype = cupyxx::float64});
  const auto call = [&](const Variable& v) { return layer(v, false); };
  const Variable y = forget(call, x);
  y.set_grad(cupyxx::ones_like(y.data()));
  y.backward();
  expect_allclose(layer.gbeta, cupyxx::array({8.0, 8.0}), 1e-12);
  layer.set_limits(2, 1);
  const Variable z = forget(call, x);
  z.set_grad(cupyxx::ones_like(z.data()));
  expect_error<cupyxx::ValueError>([&] { z.backward(); },
                                   "BatchRenormalization: it cannot be trained within "
                                   "functions::forget; its running statistics have changed");
}

TEST_P(BatchRenormalizationTest, Refusals) {
  const Variable x = f32({2, 3}), g = f32({3});
  const ndarray stat = cupyxx::ones({3}, cupyxx::float32);
  const BatchNormalizationOptions both{.running_mean = stat, .running_var = stat};
  testing::expect_refusals({
      {"rmax below 1", [=] { batch_renormalization(x, g, g, 0.5, 0, both); }, "ValueError",
       "batch_renormalization: rmax is below 1 or dmax negative; 0.5 and 0.0"},
      {"a negative dmax", [] { BatchRenormalization(3, 1, -1); }, "ValueError",
       "BatchRenormalization: rmax is below 1 or dmax negative; 1.0 and -1.0"},
      {"no statistics", [=] { batch_renormalization(x, g, g, 2, 1, {.running_mean = stat}); },
       "ValueError", "batch_renormalization: running_mean or running_var is missing"},
      {"other channels",
       [=] {
         batch_renormalization(f32({2, 4}), g, g, 2, 1, both);
       },
       "ShapeError",
       "batch_renormalization: x, gamma and the running statistics do not fit; (2, 4), (3,), (3,) "
       "and (3,)"},
      {"integers",
       [=] {
         batch_renormalization(i32({2, 3}), g, g, 2, 1, both);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"an input of other channels",
       [] {
         BatchRenormalization(3)(f32({2, 4}), false);
       },
       "InvalidType", "Expect: in_types[0].shape[1:2] == (3,)\nActual: (4,) != (3,)"},
      {"a decay beyond 1", [] { BatchRenormalization(3, 1, 0, {.decay = 2}); }, "ValueError",
       "BatchRenormalization: eps is negative or the decay outside of [0, 1]; 1e-05 and 2.0"},
      {"a negative size", [] { BatchRenormalization(-1); }, "ValueError",
       "BatchRenormalization: a size is negative; (-1,)"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
