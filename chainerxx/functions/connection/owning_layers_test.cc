// SPDX-License-Identifier: MIT
// Convolutions whose filters move against NumPy's loops, layers that own the inputs of functions,
// and what they refuse.
#include "chainerxx/functions/connection/owning_layers.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/connection/filter_compositions.h"
#include "chainerxx/functions/connection/local_convolution_2d.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/testing/refusals.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using testing::expect_refusals;
using testing::f32;
using testing::i32;

class OwningLayersTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(OwningLayersTest);

Variable eighths(const cupyxx::Shape& shape, int step) {
  const ndarray places = cupyxx::arange(shape.element_count()) * step;
  return Variable(((cupyxx::remainder(places, 17) - 8) / 8.0).reshape(shape));
}

TEST_P(OwningLayersTest, EachPlaceHasItsFilters) {
  const Variable y = local_convolution_2d(eighths({1, 2, 3, 4}, 5), eighths({2, 2, 2, 2, 2, 2}, 7),
                                          eighths({2, 2, 2}, 3), {1, 2});
  expect_allclose(y.data(),
                  cupyxx::array({{{{-1.90625, -1.96875}, {-1.484375, 2.46875}},
                                  {{2.4375, 1.078125}, {-3.1875, 0.265625}}}}),
                  1e-13, 1e-15);
}

TEST_P(OwningLayersTest, BentWindows) {
  const Variable y = deformable_convolution_2d_sampler(
      eighths({1, 2, 3, 3}, 5), eighths({1, 8, 4, 2}, 7) * 1.5, eighths({2, 2, 2, 2}, 3),
      Variable(cupyxx::array({0.5, -0.25})), 1, {1, 0});
  expect_allclose(y.data(),
                  cupyxx::array({{{{0.110595703125, 0.509765625},
                                   {0.8638916015625, 0.5828857421875},
                                   {0.454833984375, 0.943359375},
                                   {0.19921875, 1.11669921875}},
                                  {{-0.0968017578125, -0.4024658203125},
                                   {-0.4432373046875, -0.339111328125},
                                   {-0.329345703125, -0.347900390625},
                                   {-0.2431640625, -0.2833251953125}}}}),
                  1e-12, 1e-13);
}

// Offsets of none give a convolution; in 16 bits, too, whose places would not be exact.
TEST_P(OwningLayersTest, StraightWindowsAreThoseOfAConvolution) {
  for (const cupyxx::dtype type : {cupyxx::float64, cupyxx::float32, cupyxx::bfloat16_}) {
    const Variable x = eighths({2, 3, 9, 70}, 5).data().astype(type),
                   W = eighths({4, 3, 3, 2}, 7).data().astype(type);
    const Variable y =
        deformable_convolution_2d_sampler(x, cupyxx::zeros({2, 12, 5, 36}, type), W, {}, 2, 1);
    const Variable same = convolution_2d(x, W, ConvolutionOptions{.stride = 2, .pad = 1});
    EXPECT_EQ(y.dtype(), type);
    const double rtol = type == cupyxx::bfloat16_ ? 0x1p-6 : 1e-5;
    expect_allclose(y.data().astype(cupyxx::float64), same.data().astype(cupyxx::float64), rtol,
                    rtol);
  }
}

TEST_P(OwningLayersTest, AnImageOfOnePixelFadesBesideIt) {
  const Variable x = cupyxx::full({1, 1, 1, 1}, 8.0), W = cupyxx::ones({1, 1, 1, 1});
  const Variable offset = cupyxx::array({{{{0.25}}, {{-0.5}}}});
  EXPECT_NEAR(deformable_convolution_2d_sampler(x, offset, W).item<double>(), 8 * 0.75 * 0.5,
              1e-12);
}

TEST_P(OwningLayersTest, LayersOwnTheOtherInputs) {
  const Variable x = f32({2, 4, 5, 6});
  const DepthwiseConvolution2D depthwise(4, 2, 3, 2, 1);
  EXPECT_EQ(depthwise.W.W.shape(), (cupyxx::Shape{2, 4, 3, 3}));
  EXPECT_EQ(depthwise.b->W.shape(), (cupyxx::Shape{8}));
  depthwise.b->W.fill(0.5);
  expect_allclose(
      depthwise(x).data(),
      depthwise_convolution_2d(x, depthwise.W.W, cupyxx::full({8}, 0.5, cupyxx::float32), 2, 1)
          .data(),
      0, 0);
  const LocalConvolution2D local(4, 3, {5, 6}, 2, 1, {.nobias = true});
  EXPECT_EQ(local.W.W.shape(), (cupyxx::Shape{3, 4, 5, 4, 2, 2}));
  EXPECT_EQ(local.b, nullptr);
  EXPECT_EQ(local(x).shape(), (cupyxx::Shape{2, 3, 4, 5}));
  const DeformableConvolution2D deformable(4, 3, 3, 1, 1);
  EXPECT_EQ(cupyxx::absolute(deformable.offset_conv.W).sum().item<float>(), 0);
  expect_allclose(deformable(x).data(),
                  convolution_2d(x, deformable.W.W, ConvolutionOptions{.pad = 1}).data(), 1e-5,
                  1e-5);
}

TEST_P(OwningLayersTest, BiasIsAddedAlongItsAxes) {
  const Bias bias(1, {3}, 0.5);
  expect_allclose(bias(f32({2, 3, 2})).data(), cupyxx::full({2, 3, 2}, 1.5, cupyxx::float32), 0, 0);
}

TEST_P(OwningLayersTest, DropconnectOutOfTrainingIsLinear) {
  const SimplifiedDropconnect layer(3, 2, 0.5, {.initialW = 0.25, .initial_bias = 1});
  expect_allclose(layer(f32({2, 3}), false).data(), cupyxx::full({2, 2}, 1.75, cupyxx::float32), 0,
                  0);
}

TEST_P(OwningLayersTest, ConvolutionsInARow) {
  const MLPConvolution2D layer(2, {3, 4}, 3, 1, 1);
  EXPECT_EQ(layer.size(), 2);
  EXPECT_EQ(layer.names(), (std::vector<std::string>{"conv0", "conv1"}));
  EXPECT_EQ(layer(f32({1, 2, 5, 5})).shape(), (cupyxx::Shape{1, 4, 5, 5}));
  // An activation between the layers only: constant ones there, the second layer's sums behind.
  MLPConvolution2D constant(2, {3, 4}, 1, 1, 0, [](const Variable& y) { return y * 0 + 1; });
  const NamedField field = constant.fields()[2];
  ASSERT_EQ(field.name, "conv1/W");
  field.array->fill(-2);
  expect_allclose(constant(f32({1, 2, 2, 2})).data(),
                  cupyxx::full({1, 4, 2, 2}, -6, cupyxx::float32), 0, 0);
}

// `activation=F.tanh`: functions with a switch behind the variable, of one form or of several.
TEST_P(OwningLayersTest, ActivationsByTheirFunctions) {
  const auto same = [&](MLPConvolution2D layer, const auto& activation) {
    const Variable x = f32({1, 2, 3, 3});
    const std::vector<NamedField> fields = layer.fields();
    const Variable hidden =
        convolution_2d(x, Variable(*fields[0].array), Variable(*fields[1].array), {.pad = 1});
    expect_allclose(
        layer(x).data(),
        convolution_2d(activation(hidden), Variable(*fields[2].array), Variable(*fields[3].array))
            .data(),
        1e-6, 1e-7);
  };
  same(MLPConvolution2D(2, {3, 4}, 3, 1, 1, tanh), [](const Variable& y) { return tanh(y); });
  same(MLPConvolution2D(2, {3, 4}, 3, 1, 1, gelu), [](const Variable& y) { return gelu(y); });
  same(MLPConvolution2D(2, {3, 4}, 3, 1, 1, elu), [](const Variable& y) { return elu(y); });
  same(MLPConvolution2D(2, {3, 4}, 3, 1, 1, ReLU()), [](const Variable& y) { return relu(y); });
  same(MLPConvolution2D(2, {3, 4}, 3, 1, 1, cupyxx::none),
       [](const Variable& y) { return relu(y); });
}

TEST_P(OwningLayersTest, StridesAndPadsByName) {
  const Variable x(cupyxx::arange(2 * 5 * 5, cupyxx::float32).reshape({1, 2, 5, 5}));
  const DepthwiseConvolution2D named(2, 3, 3,
                                     {.stride = 2, .pad = 1, .nobias = true, .initialW = 1});
  EXPECT_EQ(named.b, nullptr);
  const DepthwiseConvolution2D placed(2, 3, 3, 2, 1, {.initialW = 1});
  const Variable y = named(x);
  EXPECT_EQ(y.shape(), (cupyxx::Shape{1, 6, 3, 3}));
  expect_allclose(y.data(), placed(x).data(), 0, 0);
  EXPECT_EQ(y.data()(0, 0, 0, 0).item<float>(), 0 + 1 + 5 + 6);
  const DeformableConvolution2D bent(2, 1, 3, {.pad = 1, .initialW = 1, .initial_bias = 2});
  expect_allclose(
      bent(x).data(),
      DeformableConvolution2D(2, 1, 3, 1, 1, {.initialW = 1, .initial_bias = 2})(x).data(), 0, 0);
}

TEST_P(OwningLayersTest, VolatileInputsGiveVolatileResults) {
  const Variable x(cupyxx::ones({1, 2, 3, 3}, cupyxx::float32), true);
  EXPECT_TRUE(DepthwiseConvolution2D(2, 1, 2)(x).volatile_());
  EXPECT_TRUE(DeformableConvolution2D(2, 1, 2)(x).volatile_());
  EXPECT_TRUE(Bias(1, {2})(x).volatile_());
}

TEST_P(OwningLayersTest, Refusals) {
  const Variable x = f32({1, 2, 3, 4}), W = f32({2, 2, 3, 2, 2, 2});
  const Variable offset = f32({1, 8, 2, 3}), filters = f32({2, 2, 2, 2});
  expect_refusals({
      {"filters for other places", [=] { local_convolution_2d(x, W, {}, 2); }, "ShapeError",
       "local_convolution_2d: x, W and b are not (n, c, h, w), (out, oh, ow, c, kh, kw) and (out, "
       "oh, ow); (1, 2, 3, 4), (2, 2, 3, 2, 2, 2) and None with stride (2, 2)"},
      {"a bias of another shape", [=] { local_convolution_2d(x, W, f32({2})); }, "ShapeError",
       "local_convolution_2d: x, W and b are not (n, c, h, w), (out, oh, ow, c, kh, kw) and (out, "
       "oh, ow); (1, 2, 3, 4), (2, 2, 3, 2, 2, 2) and (2,) with stride (1, 1)"},
      {"no stride", [=] { local_convolution_2d(x, W, {}, 0); }, "ValueError",
       "local_convolution_2d: the stride is not positive; (0, 0)"},
      {"integers",
       [=] {
         local_convolution_2d(i32({1, 2, 3, 4}), i32({2, 2, 3, 2, 2, 2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"offsets of other places",
       [=] { deformable_convolution_2d_sampler(x, offset, filters, {}, 2); }, "ShapeError",
       "deformable_convolution_2d_sampler: x, offset, W and b are not (n, c, h, w), (n, 2 kh kw, "
       "oh, ow), (out, c, kh, kw) and (out,); (1, 2, 3, 4), (1, 8, 2, 3), (2, 2, 2, 2) and None "
       "with stride (2, 2) and pad (0, 0)"},
      {"a negative pad", [=] { deformable_convolution_2d_sampler(x, offset, filters, {}, 1, -1); },
       "ValueError", "deformable_convolution_2d_sampler: the pad is not in [0, 2 ** 30]; (-1, -1)"},
      {"None as W", [=] { deformable_convolution_2d_sampler(x, offset, Variable()); }, "TypeError",
       "deformable_convolution_2d_sampler: input 2 is None"},
      {"a layer whose windows do not fit",
       [] {
         LocalConvolution2D(1, 1, {3, 3}, 4);
       },
       "ValueError", "LocalConvolution2D: windows of 4 with stride 1 do not fit into 3"},
      {"a negative size", [] { DepthwiseConvolution2D(-1, 2, 3); }, "ValueError",
       "DepthwiseConvolution2D: a size is negative; (2, -1, 3, 3)"},
      {"a ratio of 1", [] { SimplifiedDropconnect(2, 2, 1); }, "ValueError",
       "SimplifiedDropconnect: the ratio is not in [0, 1); 1.0"},
      {"no layers", [] { MLPConvolution2D(2, {}, 3); }, "ValueError",
       "MLPConvolution2D: there are no output channels"},
      {"a negative axis", [] { Bias(-1, {3}); }, "ValueError", "Bias: the axis is negative; -1"},
      {"None", [] { Bias(1, {3})(Variable()); }, "TypeError", "Bias: input 0 is None"},
      {"another extent",
       [] {
         Bias(1, {3})(f32({2, 4}));
       },
       "ShapeError", "bias: (3,) does not fit (2, 4) from axis 1 on"},
  });
}

}  // namespace
}  // namespace chainerxx::functions
