// SPDX-License-Identifier: MIT
// What convolutions and their layers refuse, and how they say it.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/connection/deconvolution_2d.h"
#include "chainerxx/functions/testing/refusals.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class ConvolutionRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ConvolutionRefusalsTest);

using Inputs = std::vector<Variable>;

TEST_P(ConvolutionRefusalsTest, LayersOfConvolutions) {
  expect_refusals({
      {"no window", [] { F::Convolution2D(3, 2, 0); }, "ValueError",
       "Convolution2D: the window must not be empty; (0, 0)"},
      {"a negative window",
       [] {
         F::Convolution2D(3, 2, {3, -1});
       },
       "ValueError", "Convolution2D: the window must not be empty; (3, -1)"},
      {"no stride", [] { F::Convolution2D(3, 2, 3, {.stride = 0}); }, "ValueError",
       "Convolution2D: the stride must be positive; (0, 0)"},
      {"a negative pad",
       [] {
         F::Convolution2D(3, 2, 3, {.pad = {0, -1}});
       },
       "ValueError", "Convolution2D: the padding must not be negative; (0, -1)"},
      {"no dilation", [] { F::Convolution2D(3, 2, 3, {.dilate = 0}); }, "ValueError",
       "Convolution2D: the dilation must be positive; (0, 0)"},
      {"negative channels", [] { F::Convolution2D(-3, 2, 3); }, "ValueError",
       "Convolution2D: a number of channels is negative; -3 and 2"},
      {"no groups", [] { F::Convolution2D(3, 2, 3, {.groups = 0}); }, "ValueError",
       "Convolution2D: the groups do not divide the channels; 0 and 3"},
      {"groups that do not divide the input", [] { F::Convolution2D(3, 2, 3, {.groups = 2}); },
       "ValueError", "Convolution2D: the groups do not divide the channels; 2 and 3"},
      {"groups that do not divide the result", [] { F::Convolution2D(3, 2, 3, {.groups = 3}); },
       "ValueError", "Convolution2D: the groups do not divide the channels; 3 and 2"},
      {"initialW of another shape",
       [] {
         F::Convolution2D(3, 2, 3, {.initialW = cupyxx::ones({3, 2, 3, 3}, cupyxx::float32)});
       },
       "ShapeError",
       "Convolution2D: initialW has the wrong shape; (3, 2, 3, 3) instead of (2, 3, 3, 3)"},
      {"initial_bias of another shape",
       [] { F::Convolution2D(3, 2, 3, {.initial_bias = cupyxx::ones({3}, cupyxx::float32)}); },
       "ShapeError", "Convolution2D: initial_bias has the wrong shape; (3,) instead of (2,)"},
      {"parameters of integers", [] { F::Convolution2D(3, 2, 3, {.dtype = cupyxx::int64}); },
       "DtypeError", "Convolution2D: parameters are floating; int64"},
      {"integers",
       [] {
         F::Convolution2D(3, 2, 3)(i32({1, 3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: int32 != float32"},
      {"another dtype than W",
       [] {
         F::Convolution2D(3, 2, 3)(f16({1, 3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float16 != float32"},
      {"three axes",
       [] {
         F::Convolution2D(3, 2, 3)(f32({3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"other channels",
       [] {
         F::Convolution2D(3, 2, 3)(f32({1, 4, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == 3\nActual: 4 != 3"},
      {"other channels with groups",
       [] {
         F::Convolution2D(4, 2, 3, {.groups = 2})(f32({1, 3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == 4\nActual: 3 != 4"},
      {"a window larger than the image",
       [] {
         F::Convolution2D(3, 2, 5)(f32({1, 3, 4, 6}));
       },
       "ShapeError",
       "convolution_2d: the window is larger than the padded input; window (5, 5), pad (0, 0), "
       "input (1, 3, 4, 6)"},
      {"an image without extent",
       [] {
         F::Convolution2D(3, 2, 1)(f32({1, 3, 0, 6}));
       },
       "ShapeError",
       "convolution_2d: the window is larger than the padded input; window (1, 1), pad (0, 0), "
       "input (1, 3, 0, 6)"},
      {"no window of a deconvolution", [] { F::Deconvolution2D(3, 2, 0); }, "ValueError",
       "Deconvolution2D: the window must not be empty; (0, 0)"},
      {"no stride of a deconvolution",
       [] {
         F::Deconvolution2D(3, 2, 3, {.stride = {1, 0}});
       },
       "ValueError", "Deconvolution2D: the stride must be positive; (1, 0)"},
      {"negative channels of a deconvolution", [] { F::Deconvolution2D(3, -2, 3); }, "ValueError",
       "Deconvolution2D: a number of channels is negative; 3 and -2"},
      {"groups of a deconvolution that do not divide",
       [] { F::Deconvolution2D(3, 2, 3, {.groups = 2}); }, "ValueError",
       "Deconvolution2D: the groups do not divide the channels; 2 and 3"},
      {"deconvolution of three axes",
       [] {
         F::Deconvolution2D(3, 2, 3)(f32({3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"deconvolution of another dtype",
       [] {
         F::Deconvolution2D(3, 2, 3)(f64({1, 3, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].dtype == float32\nActual: float64 != float32"},
      {"deconvolution of other channels",
       [] {
         F::Deconvolution2D(3, 2, 3)(f32({1, 2, 4, 4}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == 3\nActual: 2 != 3"},
      {"deconvolution of an image without extent",
       [] {
         F::Deconvolution2D(3, 2, 1)(f32({1, 3, 0, 6}));
       },
       "ShapeError",
       "deconvolution_2d: nothing is left of the output; input (1, 3, 0, 6), window (1, 1), pad "
       "(0, 0)"},
  });
}

TEST_P(ConvolutionRefusalsTest, Convolutions) {
  const Variable x = f32({1, 2, 4, 4}), W = f32({3, 2, 3, 3});
  expect_refusals({
      {"x alone", [&] { F::Convolution2DFunction().call(Inputs{x}); }, "InvalidType",
       "Expect: in_types.size >= 2\nActual: 1 < 2"},
      {"integers",
       [&] {
         F::convolution_2d(i32({1, 2, 4, 4}), W);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"W of another dtype",
       [&] {
         F::convolution_2d(x, f64({3, 2, 3, 3}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"x of three axes",
       [&] {
         F::convolution_2d(f32({2, 4, 4}), W);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"W of three axes",
       [&] {
         F::convolution_2d(x, f32({2, 3, 3}));
       },
       "InvalidType", "Expect: in_types[1].ndim == 4\nActual: 3 != 4"},
      {"other channels",
       [&] {
         F::convolution_2d(x, f32({3, 3, 3, 3}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == in_types[1].shape[1]\nActual: 2 != 3"},
      {"other channels with groups",
       [&] {
         F::convolution_2d(x, f32({2, 2, 3, 3}), {.groups = 2});
       },
       "InvalidType", "Expect: in_types[0].shape[1] == in_types[1].shape[1] * 2\nActual: 2 != 4"},
      {"groups that do not divide the result",
       [&] {
         F::convolution_2d(x, f32({3, 1, 3, 3}), {.groups = 2});
       },
       "ValueError", "convolution_2d: the groups do not divide the channels; 2 and 3"},
      {"negative groups", [&] { F::convolution_2d(x, W, {.groups = -1}); }, "InvalidType",
       "Expect: in_types[0].shape[1] == in_types[1].shape[1] * -1\nActual: 2 != -2"},
      {"b of another dtype", [&] { F::convolution_2d(x, W, f64({3})); }, "InvalidType",
       "Expect: in_types[2].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"b of two axes",
       [&] {
         F::convolution_2d(x, W, f32({3, 1}));
       },
       "InvalidType", "Expect: in_types[2].ndim == 1\nActual: 2 != 1"},
      {"b of another extent", [&] { F::convolution_2d(x, W, f32({2})); }, "InvalidType",
       "Expect: in_types[2].shape[0] == in_types[1].shape[0]\nActual: 2 != 3"},
      {"no stride", [&] { F::convolution_2d(x, W, {.stride = 0}); }, "ValueError",
       "convolution_2d: the stride must be positive; (0, 0)"},
      {"a negative pad", [&] { F::convolution_2d(x, W, {.pad = -1}); }, "ValueError",
       "convolution_2d: the padding must not be negative; (-1, -1)"},
      {"no dilation",
       [&] {
         F::convolution_2d(x, W, {.dilate = {1, 0}});
       },
       "ValueError", "convolution_2d: the dilation must be positive; (1, 0)"},
      {"a window larger than the image", [&] { F::convolution_2d(x, W, {.dilate = 2}); },
       "ShapeError",
       "convolution_2d: the window is larger than the padded input; window (3, 3), pad (0, 0), "
       "input (1, 2, 4, 4)"},
      {"a window without extent",
       [&] {
         F::convolution_2d(x, f32({3, 2, 0, 3}));
       },
       "ValueError", "convolution_2d: the window must not be empty; (0, 3)"},
      {"a huge pad",
       [&] { F::convolution_2d(x, W, {.pad = std::numeric_limits<std::int64_t>::max()}); },
       "ValueError",
       "convolution_2d: a size is above 2147483647; (9223372036854775807, 9223372036854775807)"},
      {"deconvolution of integers",
       [&] {
         F::deconvolution_2d(i32({1, 3, 4, 4}), W);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"deconvolution of other channels", [&] { F::deconvolution_2d(x, W); }, "InvalidType",
       "Expect: in_types[0].shape[1] == in_types[1].shape[0]\nActual: 2 != 3"},
      {"deconvolution with b of another extent",
       [&] {
         F::deconvolution_2d(f32({1, 3, 4, 4}), W, f32({3}));
       },
       "InvalidType", "Expect: in_types[2].shape[0] == in_types[1].shape[1]\nActual: 3 != 2"},
      {"deconvolution with groups and b of another extent",
       [&] {
         F::deconvolution_2d(f32({1, 3, 4, 4}), W, f32({2}), {.groups = 3});
       },
       "InvalidType", "Expect: in_types[2].shape[0] == in_types[1].shape[1] * 3\nActual: 2 != 6"},
      {"deconvolution that pads everything away",
       [&] {
         F::deconvolution_2d(f32({1, 3, 1, 1}), W, {.pad = 2});
       },
       "ShapeError",
       "deconvolution_2d: nothing is left of the output; input (1, 3, 1, 1), window (3, 3), pad "
       "(2, 2)"},
      {"deconvolution to a size that does not fit",
       [&] {
         F::deconvolution_2d(f32({1, 3, 4, 4}), W, {.outsize = {7, 6}});
       },
       "ShapeError",
       "deconvolution_2d: the input does not fit outsize; input (1, 3, 4, 4), outsize (7, 6) has "
       "(5, 4) windows"},
      {"deconvolution to a negative size",
       [&] {
         F::deconvolution_2d(f32({1, 3, 4, 4}), W, {.outsize = {-7, 6}});
       },
       "ValueError", "deconvolution_2d: outsize must be positive; (-7, 6)"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
