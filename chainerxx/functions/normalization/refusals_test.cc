// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/functions/normalization/decorrelated_batch_normalization.h"
#include "chainerxx/functions/normalization/group_normalization.h"
#include "chainerxx/functions/normalization/layer_norm.h"
#include "chainerxx/functions/normalization/layer_normalization.h"
#include "chainerxx/functions/normalization/local_response_normalization.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class NormalizationRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NormalizationRefusalsTest);

TEST_P(NormalizationRefusalsTest, BatchNormalization) {
  const Variable x = f32({2, 3}), c = f32({3});
  const F::BatchNormalization::Mode test = {.test = true};
  expect_refusals({
      {"a negative size", [] { F::BatchNormalization(-3); }, "ValueError",
       "BatchNormalization: a size is negative; (-3,)"},
      {"a negative eps", [] { F::BatchNormalization(3, {.eps = -1}); }, "ValueError",
       "batch_normalization: eps is negative; -1.0"},
      {"a decay above 1", [] { F::BatchNormalization(3, {.decay = 1.5}); }, "ValueError",
       "batch_normalization: the decay is outside of [0, 1]; 1.5"},
      {"PyTorch's order", [] { F::BatchNormalization(3, 1e-3, 0.1); }, "ValueError",
       "BatchNormalization: the decay comes before eps here, and 0.001 keeps next to nothing of "
       "the "
       "running statistics; write {.eps = 0.001}, where PyTorch's momentum m is {.decay = 1 - m}, "
       "or "
       "{.decay = 0.001} if it is meant"},
      {"a negative decay", [] { F::BatchNormalization(3, {.decay = -0.5}); }, "ValueError",
       "batch_normalization: the decay is outside of [0, 1]; -0.5"},
      {"parameters of integers", [] { F::BatchNormalization(3, {.dtype = cupyxx::int32}); },
       "DtypeError", "BatchNormalization: parameters are floating; int32"},
      {"another dtype",
       [] {
         F::BatchNormalization(3)(f64({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"too few axes", [] { F::BatchNormalization(3)(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"other channels",
       [] {
         F::BatchNormalization(3)(f32({2, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1:2] == (3,)\nActual: (4,) != (3,)"},
      {"other channels in testing",
       [&] {
         F::BatchNormalization(3)(f32({2, 4}), test);
       },
       "InvalidType", "Expect: in_types[0].shape[1:2] == (3,)\nActual: (4,) != (3,)"},
      {"x of integers",
       [&] {
         F::batch_normalization(i32({2, 3}), c, c);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"x of too few axes", [&] { F::batch_normalization(f32({3}), c, c); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"gamma of another dtype", [&] { F::batch_normalization(x, f64({3}), c); }, "InvalidType",
       "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"beta of another dtype", [&] { F::batch_normalization(x, c, f64({3})); }, "InvalidType",
       "Expect: in_types[2].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"beta of another shape", [&] { F::batch_normalization(x, c, f32({2})); }, "InvalidType",
       "Expect: in_types[1].shape == in_types[2].shape\nActual: (3,) != (2,)"},
      {"other channels than gamma", [&] { F::batch_normalization(x, f32({2}), f32({2})); },
       "InvalidType", "Expect: in_types[0].shape[1:2] == in_types[1].shape\nActual: (3,) != (2,)"},
      {"x and gamma alone",
       [&] {
         F::BatchNormalizationFunction().call(std::vector<Variable>{x, c});
       },
       "InvalidType", "Expect: in_types.size == 3\nActual: 2 != 3"},
      {"eps that is negative", [&] { F::batch_normalization(x, c, c, {.eps = -1e-5}); },
       "ValueError", "batch_normalization: eps is negative; -1e-05"},
      {"a decay of 2", [&] { F::batch_normalization(x, c, c, {.decay = 2}); }, "ValueError",
       "batch_normalization: the decay is outside of [0, 1]; 2.0"},
      {"a running mean alone",
       [&] {
         F::batch_normalization(x, c, c, {.running_mean = cupyxx::ones({3}, cupyxx::float32)});
       },
       "ValueError",
       "batch_normalization: one of running_mean and running_var is missing; they come together"},
      {"running statistics of another shape",
       [&] {
         F::batch_normalization(x, c, c,
                                {.running_mean = cupyxx::ones({2}, cupyxx::float32),
                                 .running_var = cupyxx::ones({2}, cupyxx::float32)});
       },
       "ShapeError",
       "batch_normalization: running statistics differ from gamma; (2,) float32 and (3,) float32"},
      {"running statistics of another dtype",
       [&] {
         F::batch_normalization(
             x, c, c, {.running_mean = cupyxx::ones({3}), .running_var = cupyxx::ones({3})});
       },
       "DtypeError",
       "batch_normalization: running statistics differ from gamma; (3,) float64 and (3,) float32"},
      {"fixed with a mean of another dtype",
       [&] { F::fixed_batch_normalization(x, c, c, f64({3}), c); }, "InvalidType",
       "Expect: in_types[3].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"fixed with a mean of another shape",
       [&] { F::fixed_batch_normalization(x, c, c, f32({2}), c); }, "InvalidType",
       "Expect: in_types[3].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"fixed with a variance of another dtype",
       [&] { F::fixed_batch_normalization(x, c, c, c, f64({3})); }, "InvalidType",
       "Expect: in_types[4].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"fixed with a variance of another shape",
       [&] {
         F::fixed_batch_normalization(x, c, c, c, f32({3, 1}));
       },
       "InvalidType", "Expect: in_types[4].shape == in_types[1].shape\nActual: (3, 1) != (3,)"},
      {"fixed with a negative eps", [&] { F::fixed_batch_normalization(x, c, c, c, c, -1); },
       "ValueError", "batch_normalization: eps is negative; -1.0"},
  });
}

TEST_P(NormalizationRefusalsTest, OtherNormalizations) {
  const Variable x = f32({2, 3}), c = f32({3});
  expect_refusals({
      {"layer of integers",
       [&] {
         F::layer_normalization(i32({2, 3}), c, c);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"layer of a sum of two shapes",
       [&] {
         F::add_layer_normalization(x, f32({1, 3}), c, c);
       },
       "InvalidType", "Expect: in_types[0].shape == in_types[1].shape\nActual: (2, 3) != (1, 3)"},
      {"layer of a sum of two dtypes",
       [&] {
         F::add_layer_normalization(x, f16({2, 3}), c, c);
       },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float16"},
      {"layer of a sum with another width",
       [&] { F::add_layer_normalization(x, x, f32({2}), f32({2})); }, "InvalidType",
       "Expect: in_types[0].shape[1:] == in_types[2].shape\nActual: (3,) != (2,)"},
      {"layer of a sum with a negative eps", [&] { F::add_layer_normalization(x, x, c, c, -1); },
       "ValueError", "add_layer_normalization: eps is negative; -1.0"},
      {"LayerNorm of a sum of two shapes",
       [&] {
         F::LayerNorm(3).of_sum(x, f32({1, 3}));
       },
       "ShapeError",
       "LayerNorm::of_sum: two shapes that agree, of two axes or more; (2, 3), (1, 3)"},
      {"layer of a vector", [&] { F::layer_normalization(f32({3}), c, c); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"layer with gamma of another dtype", [&] { F::layer_normalization(x, f16({3}), c); },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float16 != float32"},
      {"layer with beta of another dtype", [&] { F::layer_normalization(x, c, f16({3})); },
       "InvalidType", "Expect: in_types[2].dtype == in_types[0].dtype\nActual: float16 != float32"},
      {"layer with beta of another shape", [&] { F::layer_normalization(x, c, f32({2})); },
       "InvalidType", "Expect: in_types[1].shape == in_types[2].shape\nActual: (3,) != (2,)"},
      {"layer with another width", [&] { F::layer_normalization(x, f32({2}), f32({2})); },
       "InvalidType", "Expect: in_types[0].shape[1:] == in_types[1].shape\nActual: (3,) != (2,)"},
      {"layer with a negative eps", [&] { F::layer_normalization(x, c, c, -1); }, "ValueError",
       "layer_normalization: eps is negative; -1.0"},
      {"response of integers",
       [] {
         F::local_response_normalization(i32({2, 3}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"response of a vector", [] { F::local_response_normalization(f32({3})); }, "InvalidType",
       "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"response of no channels", [&] { F::local_response_normalization(x, {.n = 0}); },
       "ValueError", "local_response_normalization: n must be positive; 0"},
      {"PyTorch's order", [&] { F::local_response_normalization(x, 5, 1e-3, 0.75, 2); },
       "ValueError",
       "local_response_normalization: k comes before alpha here, and 0.001 is a usual alpha; write "
       "{.n = .., .alpha = 0.001}, or {.n = .., .k = 0.001} if it is meant"},
      {"response of two",
       [&] {
         F::LocalResponseNormalization().call(std::vector<Variable>{x, x});
       },
       "InvalidType", "Expect: in_types.size == 1\nActual: 2 != 1"},
  });
}

TEST_P(NormalizationRefusalsTest, GroupNormalization) {
  const Variable x = f32({2, 4, 3}), c = f32({4});
  expect_refusals({
      {"groups that do not divide", [] { F::GroupNormalization(3, 4); }, "ValueError",
       "GroupNormalization: the groups do not divide the channels; 3 and 4"},
      {"no groups", [=] { F::group_normalization(x, 0, c, c); }, "ValueError",
       "group_normalization: the groups do not divide the channels; 0 and 4"},
      {"a negative size", [] { F::GroupNormalization(1, -4); }, "ValueError",
       "GroupNormalization: a size is negative; (-4,)"},
      {"a negative eps", [] { F::GroupNormalization(2, 4, {.eps = -1}); }, "ValueError",
       "GroupNormalization: eps is negative; -1.0"},
      {"a negative eps of the function", [=] { F::group_normalization(x, 2, c, c, -1); },
       "ValueError", "group_normalization: eps is negative; -1.0"},
      {"parameters of integers", [] { F::GroupNormalization(2, 4, {.dtype = cupyxx::int32}); },
       "DtypeError", "GroupNormalization: parameters are floating; int32"},
      {"other channels", [=] { F::GroupNormalization(2, 6)(x); }, "InvalidType",
       "Expect: in_types[0].shape[1] == gamma.shape[0]\nActual: 4 != 6"},
      {"one axis", [=] { F::instance_normalization(c, c, c); }, "ShapeError",
       "instance_normalization: x is not (n, channels, ...); (4,)"},
      {"gamma of images",
       [=] {
         F::group_normalization(x, 2, f32({4, 3}), f32({4, 3}));
       },
       "InvalidType", "Expect: in_types[1].ndim == 1\nActual: 2 != 1"},
  });
}

TEST_P(NormalizationRefusalsTest, Decorrelated) {
  const Variable x = f32({2, 4, 3});
  const ndarray wrong = cupyxx::zeros({4});
  expect_refusals({
      {"one axis", [] { F::decorrelated_batch_normalization(f32({4}), {.groups = 1}); },
       "ShapeError", "decorrelated_batch_normalization: x is not (n, c, ...); (4,)"},
      {"groups that do not divide the channels", [=] { F::decorrelated_batch_normalization(x); },
       "ShapeError",
       "decorrelated_batch_normalization: 16 groups do not divide the channels of x, (2, 4, 3)"},
      {"no eps", [=] { F::decorrelated_batch_normalization(x, {.groups = 2, .eps = 0}); },
       "ValueError", "decorrelated_batch_normalization: eps is not positive; 0.0"},
      {"no elements",
       [] {
         F::decorrelated_batch_normalization(f32({0, 4}), {.groups = 2});
       },
       "ValueError", "decorrelated_batch_normalization: there are no elements; (0, 4)"},
      {"a mean of channels",
       [=] { F::decorrelated_batch_normalization(x, {.groups = 2, .running_mean = wrong}); },
       "ShapeError", "decorrelated_batch_normalization: running_mean is not (2, 2); (4,)"},
      {"a projection of channels",
       [=] { F::decorrelated_batch_normalization(x, {.groups = 2, .running_projection = wrong}); },
       "ShapeError", "decorrelated_batch_normalization: running_projection is not (2, 2, 2); (4,)"},
      {"integers",
       [] {
         F::decorrelated_batch_normalization(i32({2, 4}), {.groups = 2});
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"a fixed mean of channels",
       [=] {
         F::fixed_decorrelated_batch_normalization(x, f32({4}), f32({2, 2, 2}), 2);
       },
       "ShapeError", "fixed_decorrelated_batch_normalization: mean is not (2, 2); (4,)"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
