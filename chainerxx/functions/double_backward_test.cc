// SPDX-License-Identifier: MIT
// Gradients of gradients against finite differences, in float64, for what gradients_test.cc does
// not have: arithmetic, layers, convolutions, pooling, normalisation.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "chainerxx/grad.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "gradcheck/gradcheck.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using V = std::vector<Variable>;

struct Row {
  const char* name;
  std::vector<Shape> shapes;
  std::function<V(const V&)> call;
  double low = -1;
  double high = 1;
};

template <class F>
auto one(F f) {
  return [f](const V& x) { return V{f(x)}; };
}

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"neg", {{2, 3}}, one([](const V& x) { return -x[0] * x[0]; })},
      {"absolute", {{2, 3}}, one([](const V& x) { return absolute(x[0]); })},
      {"add", {{2, 3}, {2, 3}}, one([](const V& x) { return x[0] + x[1]; })},
      {"sub", {{2, 3}, {2, 3}}, one([](const V& x) { return x[0] - x[1]; })},
      {"mul", {{2, 3}, {2, 3}}, one([](const V& x) { return x[0] * x[1]; })},
      {"div", {{2, 3}, {2, 3}}, one([](const V& x) { return x[0] / x[1]; }), 0.5, 2},
      {"pow", {{2, 3}, {2, 3}}, one([](const V& x) { return pow(x[0], x[1]); }), 0.5, 2},
      {"constants", {{2, 3}}, one([](const V& x) { return 3 - (x[0] + 1) * 2 / 3; })},
      {"div_from_constant", {{2, 3}}, one([](const V& x) { return 2 / x[0]; }), 0.5, 2},
      {"pow_constant", {{2, 3}}, one([](const V& x) { return pow(x[0], 2.5); }), 0.5, 2},
      {"constant_pow", {{2, 3}}, one([](const V& x) { return pow(2.5, x[0]); })},
      {"exp", {{2, 3}}, one([](const V& x) { return exp(x[0]); })},
      {"log", {{2, 3}}, one([](const V& x) { return log(x[0]); }), 0.5, 2},
      {"sin", {{2, 3}}, one([](const V& x) { return sin(x[0]); })},
      {"cos", {{2, 3}}, one([](const V& x) { return cos(x[0]); })},
      {"relu", {{3, 4}}, one([](const V& x) { return relu(x[0]); })},
      {"sigmoid", {{3, 4}}, one([](const V& x) { return sigmoid(x[0]); })},
      {"tanh", {{3, 4}}, one([](const V& x) { return tanh(x[0]); })},
      {"softmax", {{3, 4}}, one([](const V& x) { return softmax(x[0]); })},
      {"sum", {{3, 4}}, one([](const V& x) { return sum(x[0]); })},
      {"sum_axes", {{3, 4, 2}}, one([](const V& x) {
         return sum(x[0], {0, 2});
       })},
      {"sum_to", {{3, 4, 2}}, one([](const V& x) {
         return sum_to(x[0], {4, 1});
       })},
      {"reshape", {{3, 4}}, one([](const V& x) {
         return reshape(x[0], {2, -1});
       })},
      {"concat", {{3, 4}, {3, 2}}, one([](const V& x) {
         return concat({x[0], x[1]});
       })},
      {"identity", {{3, 4}, {2}}, [](const V& x) { return identity(x); }},
      {"split_unused", {{4, 3}}, one([](const V& x) { return split_axis(x[0], 2, 0)[1]; })},
      {"linear", {{3, 4}, {2, 4}, {2}}, one([](const V& x) { return linear(x[0], x[1], x[2]); })},
      {"linear_images", {{3, 2, 2}, {2, 4}}, one([](const V& x) { return linear(x[0], x[1]); })},
      {"scale", {{2, 3, 2}, {3}}, one([](const V& x) { return scale(x[0], x[1], 1); })},
      {"dropout", {{3, 4}}, one([](const V& x) {
         const ndarray mask = cupyxx::equal(cupyxx::arange(12).reshape({3, 4}) % 3, 0);
         return Dropout(0.5, mask.astype(cupyxx::float64) * 2)(x[0]);
       })},
      {"gaussian", {{3, 4}, {3, 4}}, one([](const V& x) {
         return Gaussian(cupyxx::arange(12).reshape({3, 4}) * 0.1 - 0.5)(x[0], x[1]);
       })},
      {"forget", {{3, 4}, {3, 4}}, one([](const V& x) {
         return forget([](const Variable& a, const Variable& b) { return tanh(a * b) + a; }, x[0],
                       x[1]);
       })},
      {"spatial_pyramid_pooling_2d", {{1, 2, 4, 3}}, one([](const V& x) {
         return spatial_pyramid_pooling_2d(x[0], 2);
       })},
      {"mean_squared_error", {{3, 4}, {3, 4}}, one([](const V& x) {
         return mean_squared_error(x[0], x[1]);
       })},
      {"mean_squared_error_same", {{3, 4}}, one([](const V& x) {
         return mean_squared_error(x[0], x[0] * x[0]);
       })},
      {"softmax_cross_entropy", {{3, 4}}, one([](const V& x) {
         return softmax_cross_entropy(x[0], cupyxx::array({3, -1, 0}));
       })},
      {"softmax_cross_entropy_images", {{2, 3, 2}}, one([](const V& x) {
         return softmax_cross_entropy(x[0], cupyxx::array({{2, -1}, {0, 1}}), {.normalize = false});
       })},
      {"convolution_2d", {{2, 3, 5, 4}, {2, 3, 3, 2}, {2}}, one([](const V& x) {
         return convolution_2d(x[0], x[1], x[2], {.stride = {2, 1}, .pad = {1, 0}});
       })},
      {"convolution_2d_groups", {{1, 4, 5, 5}, {4, 2, 2, 2}}, one([](const V& x) {
         return convolution_2d(x[0], x[1], {.pad = 1, .dilate = 2, .groups = 2});
       })},
      {"convolution_2d_rest", {{1, 1, 6, 6}, {1, 1, 2, 2}}, one([](const V& x) {
         return convolution_2d(x[0], x[1], {.stride = 3});
       })},
      {"deconvolution_2d", {{2, 3, 3, 2}, {3, 2, 2, 3}, {2}}, one([](const V& x) {
         return deconvolution_2d(x[0], x[1], x[2], {.stride = 2, .pad = {0, 1}});
       })},
      {"deconvolution_2d_outsize", {{1, 2, 2, 2}, {2, 1, 2, 2}}, one([](const V& x) {
         return deconvolution_2d(x[0], x[1], {.stride = 3, .outsize = {6, 6}});
       })},
      {"max_pooling_2d", {{2, 2, 5, 4}}, one([](const V& x) {
         return max_pooling_2d(x[0], 3, {.stride = 2, .pad = 1});
       })},
      {"max_pooling_2d_overlap", {{1, 2, 5, 4}}, one([](const V& x) {
         return max_pooling_2d(x[0], 2, {.stride = 1}) * max_pooling_2d(x[0], 2, {.stride = 1});
       })},
      {"average_pooling_2d", {{2, 2, 5, 4}}, one([](const V& x) {
         return average_pooling_2d(x[0], {3, 2}, {.stride = 2, .pad = 1});
       })},
      {"unpooling_2d", {{2, 2, 3, 2}}, one([](const V& x) {
         return unpooling_2d(x[0], 3, {.stride = 2});
       })},
      {"batch_normalization", {{5, 3}, {3}, {3}}, one([](const V& x) {
         return batch_normalization(x[0], x[1], x[2]);
       })},
      {"batch_normalization_images", {{2, 3, 2, 2}, {3}, {3}}, one([](const V& x) {
         return batch_normalization(x[0], x[1], x[2]);
       })},
      {"fixed_batch_normalization",
       {{4, 3}, {3}, {3}, {3}, {3}},
       one([](const V& x) { return fixed_batch_normalization(x[0], x[1], x[2], x[3], x[4]); }),
       0.5,
       2},
      {"layer_normalization", {{3, 5}, {5}, {5}}, one([](const V& x) {
         return layer_normalization(x[0], x[1], x[2]);
       })},
      {"local_response_normalization", {{2, 5, 2}}, one([](const V& x) {
         return local_response_normalization(x[0], {.n = 3, .k = 1, .alpha = 0.5});
       })},
  };
  return table;
}

struct Param {
  cupyxx::Device device;
  std::size_t row;
};

std::vector<Param> params() {
  std::vector<Param> list;
  for (const cupyxx::Device device : cupyxx::testing::devices()) {
    for (std::size_t i = 0; i < rows().size(); ++i) list.push_back({device, i});
  }
  return list;
}

class DoubleBackwardTest : public ::testing::TestWithParam<Param> {
 protected:
  DoubleBackwardTest() : scope_(GetParam().device), row_(rows()[GetParam().row]), random_(11) {}
  ndarray draw(const Shape& shape, double low = -1, double high = 1) {
    return random_.uniform(shape, {.low = low, .high = high});
  }
  cupyxx::DeviceScope scope_;
  const Row& row_;
  cupyxx::random::RandomState random_;
};

TEST_P(DoubleBackwardTest, MatchesFiniteDifferences) {
  std::vector<ndarray> x, gy, ggx;
  for (const Shape& shape : row_.shapes) x.push_back(draw(shape, row_.low, row_.high));
  for (const Variable& y : row_.call(V(x.begin(), x.end()))) gy.push_back(draw(y.shape()));
  for (const Shape& shape : row_.shapes) ggx.push_back(draw(shape));
  gradcheck::check_double_backward([&](const V& v) { return row_.call(v); }, x, gy, ggx,
                                   {.eps = 1e-5, .atol = 1e-6, .rtol = 1e-5});
}

// The second form of backward gives what the first one does.
TEST_P(DoubleBackwardTest, BothFormsAgree) {
  std::vector<ndarray> x;
  for (const Shape& shape : row_.shapes) x.push_back(draw(shape, row_.low, row_.high));
  const V inputs = [&] {
    V v;
    for (const ndarray& a : x) v.emplace_back(a);
    return v;
  }();
  const V outputs = row_.call(inputs);
  V gys;
  for (const Variable& y : outputs) gys.emplace_back(draw(y.shape()));
  const V second = grad(outputs, inputs, {.grad_outputs = gys});
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].set_grad(gys[i].data());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (i == 0 || outputs[i].creator() != outputs[0].creator()) outputs[i].backward();
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    cupyxx::testing::expect_allclose(second[i].data(), inputs[i].grad(), 1e-9, 1e-9);
  }
}

std::string param_name(const ::testing::TestParamInfo<Param>& info) {
  return std::string(rows()[info.param.row].name) + (info.param.device.is_cpu() ? "_cpu" : "_cuda");
}

INSTANTIATE_TEST_SUITE_P(, DoubleBackwardTest, ::testing::ValuesIn(params()), param_name);

class LayerDoubleBackwardTest : public cupyxx::testing::DeviceTest {
 protected:
  LayerDoubleBackwardTest() : random_(3) {}
  ndarray draw(const Shape& shape) { return random_.uniform(shape, {.low = -1, .high = 1}); }

  /// d/dp sum(weights * d/dx sum(gy * f(x))) for every parameter p, by backward and by differences.
  template <class Layer>
  void check(Layer& f, const std::vector<Shape>& shapes) {
    std::vector<Variable> x;
    for (const Shape& shape : shapes) x.emplace_back(draw(shape));
    const ndarray gy = draw(apply(f, x).shape());
    std::vector<ndarray> weights;
    for (const Shape& shape : shapes) weights.push_back(draw(shape));
    const auto value = [&] {
      const V g = grad({apply(f, x)}, x, {.grad_outputs = {gy}, .enable_double_backprop = true});
      Variable total;
      for (std::size_t i = 0; i < g.size(); ++i) total += sum(g[i] * Variable(weights[i]));
      return total;
    };
    for (const Field& field : f.fields()) {
      if (field.gradient != nullptr && !field.gradient->is_none()) field.gradient->fill(0);
    }
    value().backward();
    for (const Field& field : f.fields()) {
      if (field.gradient == nullptr || field.array->is_none()) continue;
      SCOPED_TRACE(field.name);
      const ndarray found = field.gradient->copy();
      const auto numerical =
          gradcheck::numerical_grad([&] { return value().data(); }, {*field.array},
                                    {cupyxx::ones({}, cupyxx::float64)}, 1e-5);
      cupyxx::testing::expect_allclose(found, numerical[0], 1e-5, 1e-6);
    }
  }

  template <class Layer>
  static Variable apply(Layer& f, const std::vector<Variable>& x) {
    if constexpr (std::is_same_v<Layer, BinaryHierarchicalSoftmax> ||
                  std::is_same_v<Layer, NegativeSampling>) {
      return f(x[0], cupyxx::array({2, 0, 1}));
    } else if constexpr (std::is_same_v<Layer, Bilinear>) {
      return tanh(f(x[0], x[1]));
    } else {
      return tanh(f(x[0]));
    }
  }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(LayerDoubleBackwardTest);

TEST_P(LayerDoubleBackwardTest, ParametersReceiveGradientsOfGradients) {
  Linear linear(4, 3, {.initialW = draw({3, 4}), .initial_bias = draw({3})});
  check(linear, {{2, 4}});
  Convolution2D convolution(
      2, 3, 3, {.stride = 2, .pad = 1, .initialW = draw({3, 2, 3, 3}), .initial_bias = draw({3})});
  check(convolution, {{2, 2, 4, 5}});
  Deconvolution2D deconvolution(
      2, 3, 2, {.stride = 2, .initialW = draw({2, 3, 2, 2}), .initial_bias = draw({3})});
  check(deconvolution, {{2, 2, 2, 3}});
  Bilinear bilinear(2, 3, 2,
                    {.initialW = draw({2, 3, 2}),
                     .initial_V1 = draw({2, 2}),
                     .initial_V2 = draw({3, 2}),
                     .initial_bias = draw({2})});
  check(bilinear, {{4, 2}, {4, 3}});
  PReLU prelu({3}, 0.3, cupyxx::float64);
  check(prelu, {{2, 3}});
  Scale scale({3}, 1, {.initialW = draw({3}), .initial_bias = draw({3})});
  check(scale, {{2, 3, 2}});
}

// Products with a parameter as a variable.
struct Product {
  Parameter W;
  std::vector<Field> fields() { return W.fields(); }
  Variable operator()(const Variable& x) const { return x * W() * W(); }
};

TEST_P(LayerDoubleBackwardTest, ParametersAsVariables) {
  Product product{Parameter(draw({2, 3}))};
  check(product, {{2, 3}});
}

TEST_P(LayerDoubleBackwardTest, SampledLosses) {
  const Tree tree(Tree(0), Tree(Tree(1), Tree(2)));
  BinaryHierarchicalSoftmax hierarchical(4, tree, cupyxx::float64);
  hierarchical.move_to(device());
  check(hierarchical, {{3, 4}});
  NegativeSampling sampling(4, {3, 2, 5}, 2, 0.75, cupyxx::float64);
  sampling.W = draw({3, 4});
  sampling.samples = cupyxx::array({{0, 1, 2}, {0, 2, 2}, {0, 0, 1}}).astype(cupyxx::int32);
  check(sampling, {{3, 4}});
}

TEST_P(LayerDoubleBackwardTest, NormalizationInBothModes) {
  BatchNormalization layer(3, {.dtype = cupyxx::float64});
  layer.gamma = draw({3});
  layer.beta = draw({3});
  layer.ggamma = cupyxx::zeros_like(layer.gamma);
  layer.gbeta = cupyxx::zeros_like(layer.beta);
  check(layer, {{5, 3}});
  const TrainScope evaluation(false);
  check(layer, {{5, 3}});
}

TEST_P(LayerDoubleBackwardTest, LinearOfNoImages) {
  const Variable x(cupyxx::zeros({0, 2, 3})), w(draw({4, 6})), gy(cupyxx::zeros({0, 4}));
  const V first =
      grad({linear(x, w)}, {x, w}, {.grad_outputs = {gy}, .enable_double_backprop = true});
  EXPECT_EQ(first[1].shape(), Shape({4, 6}));
  const V second = grad({sum(first[0]) + sum(first[1])}, {w, gy});
  EXPECT_EQ(second[0].shape(), Shape({4, 6}));
  EXPECT_EQ(second[1].shape(), Shape({0, 4}));
}

TEST_P(LayerDoubleBackwardTest, SumsToShapesThatBroadcast) {
  const Variable x(cupyxx::arange(12).reshape({2, 3, 2}).astype(cupyxx::float64));
  cupyxx::testing::expect_elements<double>(sum_to(x, {3, 1}).data(), {3, 1}, {14, 22, 30});
  cupyxx::testing::expect_elements<double>(sum_to(x, {}).data(), {}, {66});
  EXPECT_EQ(sum_to(x, {2, 3, 2}).shape(), Shape({2, 3, 2}));
  cupyxx::testing::expect_error<typecheck::InvalidType>(
      [&] {
        sum_to(x, {2, 1});
      },
      "Expect: in_types[0].shape[-2] == shape[-2]\nActual: 3 != 2");
}

TEST_P(LayerDoubleBackwardTest, DropoutKeepsItsMask) {
  const Variable x(draw({4, 50}));
  const Variable y = dropout(x * x, 0.4);
  const Variable g =
      grad({sum(y)}, {x}, {.enable_double_backprop = true})[0];  // 2 x where kept, scaled
  const ndarray mask = y.data() / (x.data() * x.data());
  cupyxx::testing::expect_allclose(g.data(), x.data() * mask * 2, 1e-12);
  cupyxx::testing::expect_allclose(grad({sum(g)}, {x})[0].data(), mask * 2, 1e-12);
}

}  // namespace
}  // namespace chainerxx::functions
