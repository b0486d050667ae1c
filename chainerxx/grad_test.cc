// SPDX-License-Identifier: MIT
// Gradients of gradients against closed forms, and what holds their graphs.
#include "chainerxx/grad.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;
using Arrays = std::vector<ndarray>;
using ArraySpan = std::span<const ndarray>;

class GradTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(GradTest);

Variable row(std::initializer_list<double> values) { return Variable(cupyxx::array(values)); }

double value(const Variable& v) { return v.data().item<double>(); }

// How many of these functions are alive: graphs that are not freed are found by it.
struct Counted final : FunctionOf<Counted> {
  Counted() { ++alive; }
  Counted(const Counted& other) : FunctionOf(other) { ++alive; }
  ~Counted() override { --alive; }
  Arrays forward(ArraySpan x) override { return {x[0] * x[0]}; }
  Arrays backward(ArraySpan x, ArraySpan gy) override { return {gy[0] * x[0] * 2}; }
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override {
    return {Half()(x[0], gy[0]) * 2};
  }
  // x * gy, which is part of the gradient's graph.
  struct Half final : FunctionOf<Half> {
    Half() { ++alive; }
    Half(const Half& other) : FunctionOf(other) { ++alive; }
    ~Half() override { --alive; }
    Arrays forward(ArraySpan x) override { return {x[0] * x[1]}; }
    Arrays backward(ArraySpan x, ArraySpan gy) override { return {x[1] * gy[0], x[0] * gy[0]}; }
  };
  static int alive;
};
int Counted::alive = 0;

struct OnceOnly final : FunctionOf<OnceOnly> {
  Arrays forward(ArraySpan x) override { return {x[0] * x[0]}; }
  Arrays backward(ArraySpan x, ArraySpan gy) override { return {gy[0] * x[0] * 2}; }
};

TEST_P(GradTest, GivesValuesAndLeavesGradientsAlone) {
  const Variable x = row({3}), c = row({2});
  const Variable y = F::pow(x, 3) * c;
  const std::vector<Variable> g = grad({y}, {x, c});
  EXPECT_DOUBLE_EQ(value(g[0]), 54);
  EXPECT_DOUBLE_EQ(value(g[1]), 27);
  EXPECT_TRUE(x.grad().is_none());
  EXPECT_TRUE(y.grad().is_none());
  EXPECT_EQ(g[0].creator(), nullptr);  // no graph without double backprop
}

TEST_P(GradTest, DerivativesOfAPolynomialToTheFourthOrder) {
  const Variable x = row({2, 0, -1});
  Variable y = F::sum(F::pow(x, 3) + 2 * x * x);
  const GradOptions twice = {.enable_double_backprop = true};
  Variable g = grad({y}, {x}, twice)[0];
  expect_allclose(g.data(), cupyxx::array({20.0, 0.0, -1.0}), 1e-14, 1e-14);  // 3 x^2 + 4 x
  g = grad({F::sum(g)}, {x}, twice)[0];
  expect_allclose(g.data(), cupyxx::array({16.0, 4.0, -2.0}), 1e-14, 1e-14);  // 6 x + 4
  g = grad({F::sum(g)}, {x}, twice)[0];
  expect_allclose(g.data(), cupyxx::array({6.0, 6.0, 6.0}), 1e-14, 1e-14);
  g = grad({F::sum(g)}, {x}, twice)[0];
  expect_allclose(g.data(), cupyxx::array({0.0, 0.0, 0.0}), 1e-14, 1e-14);
}

TEST_P(GradTest, HessianOfAQuadraticForm) {
  const ndarray A = cupyxx::array({{2.0, -1.0, 0.5}, {0.0, 3.0, 1.0}, {4.0, 1.0, -2.0}});
  const Variable x(cupyxx::array({{1.0}, {2.0}, {-1.0}}));
  const Variable y = F::sum(x * F::matmul(A, x));
  const Variable g = grad({y}, {x}, {.enable_double_backprop = true})[0];
  for (int i = 0; i < 3; ++i) {
    const ndarray unit = cupyxx::zeros({3, 1}, cupyxx::float64);
    unit(i, 0) = 1;
    const Variable line = grad({g}, {x}, {.grad_outputs = {unit}})[0];
    const ndarray expected = A(i) + A.T()(i);
    expect_allclose(line.data().reshape({3}), expected, 1e-12);
  }
}

// f = x^2 y + y^3: fxx = 2 y, fxy = 2 x, fyy = 6 y.
TEST_P(GradTest, MixedDerivativesByHand) {
  const Variable x = row({3}), y = row({5});
  const std::vector<Variable> g =
      grad({x * x * y + F::pow(y, 3)}, {x, y}, {.enable_double_backprop = true});
  const std::vector<Variable> gx = grad({g[0]}, {x, y});
  const std::vector<Variable> gy = grad({g[1]}, {x, y});
  EXPECT_DOUBLE_EQ(value(gx[0]), 10);
  EXPECT_DOUBLE_EQ(value(gx[1]), 6);
  EXPECT_DOUBLE_EQ(value(gy[0]), 6);
  EXPECT_DOUBLE_EQ(value(gy[1]), 30);
}

TEST_P(GradTest, ClosedFormsOfSecondDerivatives) {
  const double at = 0.7;
  const Variable x = row({at});
  const auto second = [&](const Variable& y) {
    const Variable g = grad({y}, {x}, {.enable_double_backprop = true})[0];
    return value(grad({g}, {x})[0]);
  };
  EXPECT_NEAR(second(F::exp(x)), std::exp(at), 1e-12);
  EXPECT_NEAR(second(F::log(x)), -1 / (at * at), 1e-12);
  EXPECT_NEAR(second(F::sin(x)), -std::sin(at), 1e-12);
  EXPECT_NEAR(second(F::cos(x)), -std::cos(at), 1e-12);
  const double t = std::tanh(at), s = 1 / (1 + std::exp(-at));
  EXPECT_NEAR(second(F::tanh(x)), -2 * t * (1 - t * t), 1e-12);
  EXPECT_NEAR(second(F::sigmoid(x)), s * (1 - s) * (1 - 2 * s), 1e-12);
  EXPECT_NEAR(second(1 / x), 2 / (at * at * at), 1e-11);
  EXPECT_NEAR(second(F::sqrt(x)), -0.25 * std::pow(at, -1.5), 1e-12);
  const double density = std::exp(-at * at / 2) / std::sqrt(2 * M_PI);
  EXPECT_NEAR(second(F::gelu(x)), density * (2 - at * at), 1e-12);
}

TEST_P(GradTest, BackwardWithDoubleBackpropLeavesVariables) {
  const Variable x = row({3});
  const Variable y = F::pow(x, 3);
  y.backward({.enable_double_backprop = true});
  EXPECT_DOUBLE_EQ(x.grad().item<double>(), 27);
  const Variable gx = x.grad_var();
  EXPECT_NE(gx.creator(), nullptr);
  x.set_grad(ndarray());
  EXPECT_TRUE(x.grad_var().is_none());
  gx.backward();
  EXPECT_DOUBLE_EQ(x.grad().item<double>(), 18);
  EXPECT_EQ(x.grad_var().creator(), nullptr);
}

TEST_P(GradTest, RootsAddUpVariables) {
  const Variable x = row({3});
  (x * x).backward({.enable_double_backprop = true});
  F::pow(x, 3).backward({.enable_double_backprop = true});
  EXPECT_DOUBLE_EQ(x.grad().item<double>(), 6 + 27);
  EXPECT_DOUBLE_EQ(value(grad({x.grad_var()}, {x})[0]), 2 + 18);
  (x * 2).backward();  // an ordinary pass: values only
  EXPECT_DOUBLE_EQ(x.grad().item<double>(), 6 + 27 + 2);
  EXPECT_EQ(x.grad_var().creator(), nullptr);
}

TEST_P(GradTest, StopsAtItsInputs) {
  const Variable x = row({3});
  const Variable h = x * x;
  const Variable y = h * h;
  const std::vector<Variable> g = grad({y}, {h});
  EXPECT_DOUBLE_EQ(value(g[0]), 18);
  // An input on the way to another one receives its gradient, too.
  const std::vector<Variable> both = grad({y}, {h, x});
  EXPECT_DOUBLE_EQ(value(both[0]), 18);
  EXPECT_DOUBLE_EQ(value(both[1]), 108);
}

TEST_P(GradTest, UnreachedInputsHaveNone) {
  const Variable x = row({3}), z = row({1});
  EXPECT_TRUE(grad({x * x}, {z})[0].is_none());
  EXPECT_TRUE(grad({z}, {x})[0].is_none());
  EXPECT_DOUBLE_EQ(value(grad({x}, {x})[0]), 1);
}

TEST_P(GradTest, TakesGradientsOfOutputsAndInputs) {
  const Variable x = row({1, 2});
  const Variable y = x * x, z = x * 3;
  const std::vector<Variable> g = grad(
      {y, z}, {x}, {.grad_outputs = {row({1, 10}), row({1, 1})}, .grad_inputs = {row({5, 5})}});
  expect_elements<double>(g[0].data(), {2}, {2 + 3 + 5, 40 + 3 + 5});
  // A gradient of an output is differentiated as well.
  const Variable gy = row({1, 1});
  const Variable gx = grad({y}, {x}, {.grad_outputs = {gy}, .enable_double_backprop = true})[0];
  expect_elements<double>(grad({F::sum(gx)}, {gy})[0].data(), {2}, {2, 4});
}

TEST_P(GradTest, SetsAndRetainsGradientsOnRequest) {
  const Variable x = row({3});
  const Variable h = x * x;
  const Variable y = h * 2;
  grad({y}, {x}, {.set_grad = true, .retain_grad = true});
  EXPECT_DOUBLE_EQ(x.grad().item<double>(), 12);
  EXPECT_DOUBLE_EQ(h.grad().item<double>(), 2);
}

// The penalty of Gulrajani et al. (2017): (|d/dx critic(x)| - 1)^2, for a critic w2 tanh(w1 x).
TEST_P(GradTest, GradientPenaltyReachesTheParameters) {
  const double w1 = 0.8, w2 = -1.5, at = 0.6;
  F::Linear l1(1, 1, {.nobias = true, .initialW = cupyxx::array({{w1}})});
  F::Linear l2(1, 1, {.nobias = true, .initialW = cupyxx::array({{w2}})});
  const Variable x(cupyxx::array({{at}}));
  const Variable y = F::sum(l2(F::tanh(l1(x))));
  const Variable gx = grad({y}, {x}, {.enable_double_backprop = true})[0];
  EXPECT_EQ(l1.gW.item<double>(), 0);  // grad() adds nothing to parameters
  EXPECT_EQ(l2.gW.item<double>(), 0);
  const Variable norm = F::sqrt(F::sum(F::square(gx)));
  const Variable penalty = F::square(norm - 1);
  penalty.backward();
  // g = w2 w1 (1 - t^2), t = tanh(w1 x); penalty (|g| - 1)^2.
  const double t = std::tanh(w1 * at), slope = 1 - t * t, g = w2 * w1 * slope;
  const double outer = 2 * (std::abs(g) - 1) * (g > 0 ? 1 : -1);
  EXPECT_NEAR(value(penalty), std::pow(std::abs(g) - 1, 2), 1e-12);
  EXPECT_NEAR(l2.gW.item<double>(), outer * w1 * slope, 1e-12);
  EXPECT_NEAR(l1.gW.item<double>(), outer * w2 * (slope - w1 * 2 * t * slope * at), 1e-12);
}

TEST_P(GradTest, NeedsNoGradientsOfParameters) {
  F::Linear layer(2, 2);
  const Variable x(cupyxx::ones({3, 2}, cupyxx::float32));
  const auto of_x = [&](auto f, bool second) {
    const Variable g = grad({F::sum(f(x))}, {x}, {.enable_double_backprop = second})[0];
    return g.data().to_vector<float>();
  };
  const auto plain = [&](const Variable& v) { return F::tanh(layer(v)); };
  const auto forgotten = [&](const Variable& v) { return F::forget(plain, v); };
  const std::vector<float> expected = of_x(plain, false);
  layer.gW = ndarray();
  for (const bool second : {false, true}) {
    EXPECT_EQ(of_x(plain, second), expected);
    EXPECT_EQ(of_x(forgotten, second), expected);
  }
  EXPECT_TRUE(layer.gW.is_none());
}

TEST_P(GradTest, FunctionsWithoutASecondFormSayIt) {
  const Variable x = row({3});
  const Variable g = grad({OnceOnly()(x) * 2}, {x}, {.enable_double_backprop = true})[0];
  EXPECT_DOUBLE_EQ(value(g), 12);
  const char* const text =
      "OnceOnly: it has no gradients of second order; it does not define backward_variables";
  expect_error<cupyxx::TypeError>([&] { grad({g}, {x}); }, text);
  expect_error<cupyxx::TypeError>([&] { g.backward(); }, text);
}

// Critics of a batch (Gulrajani et al., 2017) are differentiated one by one, as their sum is.
TEST_P(GradTest, OutputsOfSeveralElementsWeighOneEach) {
  const Variable x = row({3, 4});
  const Variable gx = grad({x * x}, {x}, {.enable_double_backprop = true})[0];
  cupyxx::testing::expect_array_equal(gx.data(), cupyxx::array({6., 8.}));
  const Variable penalty = functions::square(functions::sqrt(functions::sum(gx * gx)) - 1);
  penalty.backward();
  expect_allclose(x.grad(), 2 * 9 * 4 * x.data() / 10, 1e-12, 1e-12);
}

TEST_P(GradTest, RefusesListsThatDoNotFit) {
  const Variable x = row({3, 4});
  const Variable y = x * x;
  expect_error<cupyxx::ValueError>(
      [&] {
        grad({y}, {x}, {.grad_outputs = {x, x}});
      },
      "grad: the length of grad_outputs does not fit; 2 and 1");
  expect_error<cupyxx::ShapeError>([&] { grad({y}, {x}, {.grad_outputs = {row({1})}}); },
                                   "grad: the gradient of output 0 does not match it; (1,), "
                                   "float64 and (2,), float64");
  expect_error<cupyxx::TypeError>([&] { grad({Variable()}, {x}); }, "grad: output 0 is None");
}

TEST_P(GradTest, GraphsOfGradientsAreFreed) {
  ASSERT_EQ(Counted::alive, 0);
  {
    const Variable x = row({3});
    {
      const Variable y = Counted()(x);
      y.backward({.enable_double_backprop = true});
    }
    EXPECT_EQ(Counted::alive, 1);  // the gradient of x, which holds x
    EXPECT_DOUBLE_EQ(value(grad({x.grad_var()}, {x})[0]), 2);
  }
  EXPECT_EQ(Counted::alive, 0);
  {
    const Variable x = row({3});
    const Variable y = Counted()(x);
    y.backward();
    EXPECT_EQ(Counted::alive, 1);  // y alone: no graph of gradients
    const Variable g = grad({y}, {x})[0];
    EXPECT_EQ(Counted::alive, 1);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST_P(GradTest, OtherRecordingModesAreKept) {
  const Variable x = row({3});
  const Variable y = F::pow(x, 3);
  const NoGradScope scope;
  const Variable g = grad({y}, {x}, {.enable_double_backprop = true})[0];
  EXPECT_DOUBLE_EQ(value(g), 27);
  EXPECT_EQ(g.creator(), nullptr);
}

// Functions that are one kernel forward and a composition of others in their second form: what lay
// behind one input and was another counted twice.
TEST_P(GradTest, InputsOfOneFunctionMayDependOnEachOther) {
  cupyxx::random::RandomState random(1);
  const auto draw = [&](const cupyxx::Shape& shape) {
    return random.uniform(shape, {.low = -1, .high = 1, .dtype = cupyxx::float64});
  };
  const auto check = [&](const char* name, const cupyxx::Shape& shape, const auto& f) {
    SCOPED_TRACE(name);
    const ndarray start = draw(shape);
    const Variable x(start), first(start), second(start), left(start);
    f(x).backward();
    expect_allclose(grad({f(first)}, {first})[0].data(), x.grad(), 1e-9, 1e-11);
    const Variable g = grad({f(second)}, {second}, {.enable_double_backprop = true})[0];
    expect_allclose(g.data(), x.grad(), 1e-9, 1e-11);
    f(left).backward({.enable_double_backprop = true});
    expect_allclose(left.grad(), x.grad(), 1e-9, 1e-11);
    // The second order, by differences of the first.
    const ndarray v = draw(shape);
    const ndarray product = grad({F::sum(g * v)}, {second})[0].data();
    const auto slope = [&](double step) {
      const Variable at(start + step * v);
      return grad({f(at)}, {at})[0].data();
    };
    expect_allclose(product, (slope(1e-5) - slope(-1e-5)) / 2e-5, 1e-5, 1e-6);
  };
  const ndarray w = draw({4, 6});
  check("lstm", {4, 6}, [&](const Variable& c) {
    const auto [next, h] = F::lstm(c, F::concat({c, F::exp(c), c * 2, F::tanh(c)}, 1));
    return F::sum(h * w + next * w);
  });
  check("layer_normalization", {4, 6}, [&](const Variable& x) {
    return F::sum(F::layer_normalization(x, F::tanh(x(0)), F::exp(x(1))) * w);
  });
  check("batch_normalization", {4, 6}, [&](const Variable& x) {
    return F::sum(F::batch_normalization(x, F::tanh(x(0)), F::exp(x(1))) * w);
  });
  check("fixed_batch_normalization", {4, 6}, [&](const Variable& x) {
    const Variable y = F::fixed_batch_normalization(x, x(0), x(1), F::tanh(x(2)), F::exp(x(3)));
    return F::sum(y * w);
  });
  check("group_normalization", {4, 6}, [&](const Variable& x) {
    return F::sum(F::group_normalization(x, 2, F::tanh(x(0)), F::exp(x(1))) * w);
  });
  check("cross_covariance", {4, 6},
        [&](const Variable& x) { return F::cross_covariance(x, F::exp(x)); });
  check("ctc", {2, 4}, [&](const Variable& x) {
    const ndarray labels = cupyxx::array({{1, 2}, {3, 3}});
    return F::connectionist_temporal_classification({x, F::tanh(x), F::exp(x), x}, labels, 0);
  });
  check("forget", {4, 6}, [&](const Variable& x) {
    const auto f = [](const Variable& a, const Variable& b) { return F::exp(a) * b; };
    return F::sum(F::forget(f, x, F::tanh(x)) * w);
  });
}

/// Gradients by arrays of layers beside what backward() adds to those arrays' gradients.
class ParameterGradTest : public cupyxx::testing::DeviceTest {
 protected:
  ParameterGradTest() : random_(4) { cupyxx::random::seed(4); }
  ndarray draw(const cupyxx::Shape& shape) {
    return random_.uniform(shape, {.low = -1, .high = 1, .dtype = cupyxx::float64});
  }
  /// Makes a layer's arrays float64 ones.
  template <class Layer>
  static void widen(Layer& layer) {
    for (const Field& field : layer.fields()) {
      if (field.array->is_none()) continue;
      *field.array = field.array->astype(cupyxx::float64);
      if (field.gradient != nullptr) *field.gradient = cupyxx::zeros_like(*field.array);
    }
  }
  template <class Loss>
  static void compare(Function& layer, const std::vector<Variable>& parameters, const Loss& loss) {
    for (const ndarray& g : layer.gradients()) g.fill(0);
    for (const bool second : {false, true}) {
      const auto grads = grad({loss()}, parameters, {.enable_double_backprop = second});
      for (const ndarray& g : layer.gradients()) EXPECT_EQ(cupyxx::count_nonzero(g), 0);
      loss().backward();
      const std::vector<ndarray> expected = layer.gradients();
      ASSERT_EQ(grads.size(), expected.size());
      for (std::size_t i = 0; i < grads.size(); ++i) {
        ASSERT_FALSE(grads[i].is_none()) << layer.label() << " " << i;
        EXPECT_GT(cupyxx::count_nonzero(expected[i]), 0) << layer.label() << " " << i;
        expect_allclose(grads[i].data(), expected[i], 1e-10, 1e-12);
        expected[i].fill(0);
      }
    }
  }

 private:
  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(ParameterGradTest);

TEST_P(ParameterGradTest, OfLayers) {
  const auto weighed = [&, weights = draw({4096})](const Variable& y) {
    return F::sum(F::square(y) * weights(cupyxx::slice(0, y.size())).reshape(y.shape()));
  };
  const ndarray rows = draw({4, 3}), image = draw({2, 3, 5, 5});
  F::Linear linear(3, 2);
  widen(linear);
  compare(linear, {linear.W, linear.b}, [&] { return weighed(linear(rows)); });
  F::Convolution2D convolution(3, 2, 3);
  widen(convolution);
  compare(convolution, {convolution.W, convolution.b}, [&] { return weighed(convolution(image)); });
  F::Deconvolution2D deconvolution(3, 2, 2, 2);
  widen(deconvolution);
  compare(deconvolution, {deconvolution.W, deconvolution.b},
          [&] { return weighed(deconvolution(image)); });
  F::EmbedID embed(5, 3);
  widen(embed);
  const ndarray ids = cupyxx::array({1, 4, 1});
  compare(embed, {embed.W}, [&] { return weighed(embed(ids)); });
  F::BatchNormalization norm(3);
  widen(norm);
  compare(norm, {norm.gamma, norm.beta}, [&] { return weighed(norm(rows)); });
  F::LayerNorm layer_norm(3);
  widen(layer_norm);
  compare(layer_norm, {layer_norm.gamma, layer_norm.beta},
          [&] { return weighed(layer_norm(rows)); });
  F::PReLU prelu(cupyxx::Shape{3});
  widen(prelu);
  compare(prelu, {prelu.W}, [&] { return weighed(prelu(rows)); });
  F::Parameter parameter(draw({3}));
  compare(parameter, {parameter}, [&] { return weighed(F::tanh(parameter()) * rows); });
}

// Twice in the graph, once of the layer's own and once as a variable; listed twice.
TEST_P(ParameterGradTest, OfAllPlacesWhereAParameterStands) {
  F::Linear layer(3, 3), tied(3, 3), other(3, 3);
  for (F::Linear* l : {&layer, &tied, &other}) widen(*l);
  tied.W = layer.W;
  tied.gW = layer.gW;
  const ndarray x = draw({4, 3});
  const Variable W = layer.W;
  const auto loss = [&] {
    const Variable h = F::tanh(tied(layer(layer(x))));
    return F::sum(F::linear(h, W)) + F::sum(F::square(layer.W)) + F::sum(F::exp(W));
  };
  const auto grads = grad({loss()}, {layer.W, W, tied.W, layer.W, other.W});
  loss().backward();
  for (int i = 0; i < 4; ++i) expect_allclose(grads[i].data(), layer.gW, 1e-10, 1e-12);
  EXPECT_TRUE(grads[4].is_none());
}

// Finn et al., 2017: the loss after a step of gradient descent, by the weights before it.
TEST_P(ParameterGradTest, AStepIsDifferentiated) {
  F::Linear l1(3, 4), l2(4, 1);
  widen(l1);
  widen(l2);
  const ndarray x = draw({5, 3}), t = draw({5, 1});
  const auto after = [&](const Variable& loss, const Variable& w1, const Variable& w2,
                         const std::vector<Variable>& by) {
    const auto g = grad({loss}, by, {.enable_double_backprop = true});
    const Variable h = F::tanh(F::linear(Variable(x), w1 - 0.3 * g[0]));
    return F::mean_squared_error(F::linear(h, w2 - 0.3 * g[1]), t);
  };
  const Variable before = F::mean_squared_error(l2(F::tanh(l1(x))), t);
  const Variable outer = after(before, l1.W, l2.W, {l1.W, l2.W});
  outer.backward();
  // The same of variables alone.
  Variable w1(l1.W.copy()), w2(l2.W.copy());
  const Variable plain =
      F::mean_squared_error(F::linear(F::tanh(F::linear(Variable(x), w1)), w2), t);
  const Variable expected = after(plain, w1, w2, {w1, w2});
  expected.backward();
  EXPECT_NEAR(value(outer), value(expected), 1e-12);
  expect_allclose(l1.gW, w1.grad(), 1e-10, 1e-12);
  expect_allclose(l2.gW, w2.grad(), 1e-10, 1e-12);
  // Products of the Hessian and a vector.
  const auto g =
      grad({F::sum(F::square(l2(F::tanh(l1(x)))))}, {l1.W}, {.enable_double_backprop = true})[0];
  const ndarray v = draw({4, 3});
  const ndarray product = grad({F::sum(g * v)}, {l1.W})[0].data();
  const auto slope = [&](double step) {
    l1.W += step * v;
    const ndarray s = grad({F::sum(F::square(l2(F::tanh(l1(x)))))}, {l1.W})[0].data();
    l1.W -= step * v;
    return s;
  };
  expect_allclose(product, (slope(1e-5) - slope(-1e-5)) / 2e-5, 1e-6, 1e-7);
}

// What lies behind an input is reached through it.
TEST_P(ParameterGradTest, BesideIntermediateResults) {
  F::Linear l1(3, 4), l2(4, 2);
  widen(l1);
  widen(l2);
  const Variable x(draw({5, 3}));
  const Variable h = l1(x), y = F::sum(F::square(l2(F::tanh(h))));
  const auto grads = grad({y}, {h, l1.W, x, l2.b});
  y.backward(true);
  expect_allclose(grads[0].data(), h.grad(), 1e-10, 1e-12);
  expect_allclose(grads[1].data(), l1.gW, 1e-10, 1e-12);
  expect_allclose(grads[2].data(), x.grad(), 1e-10, 1e-12);
  expect_allclose(grads[3].data(), l2.gb, 1e-10, 1e-12);
}

TEST_P(ParameterGradTest, OfWhatIsForgotten) {
  F::Linear inner(3, 3), outer(3, 3);
  widen(inner);
  widen(outer);
  const ndarray x = draw({4, 3});
  const auto block = [&](const Variable& v) { return F::tanh(inner(F::tanh(inner(v)))); };
  const auto expected =
      grad({F::sum(F::square(outer(block(inner(Variable(x))))))}, {inner.W, inner.b});
  const auto grads =
      grad({F::sum(F::square(outer(F::forget(block, inner(Variable(x))))))}, {inner.W, inner.b});
  for (int i = 0; i < 2; ++i) expect_allclose(grads[i].data(), expected[i].data(), 1e-10, 1e-12);
  // With parameters in it alone.
  const auto alone = grad({F::sum(F::forget(block, Variable(x)))}, {inner.W, outer.W});
  expect_allclose(alone[0].data(), grad({F::sum(block(Variable(x)))}, {inner.W})[0].data(), 1e-10,
                  1e-12);
  EXPECT_TRUE(alone[1].is_none());
}

// x scaled by a parameter of its own, without a second form.
struct ScaledOnce final : FunctionOf<ScaledOnce> {
  explicit ScaledOnce(const ndarray& its_scale) : gscale(cupyxx::zeros_like(its_scale)) {
    scale = its_scale;
  }
  std::vector<Field> fields() override { return {{"scale", &scale, &gscale}}; }
  Arrays forward(ArraySpan x) override { return {x[0] * scale}; }
  Arrays backward(ArraySpan x, ArraySpan gy) override {
    gscale += (gy[0] * x[0]).sum();
    return {gy[0] * scale};
  }
  ndarray gscale;
  ParameterArray scale{&gscale};
};

TEST_P(ParameterGradTest, OfFunctionsWithoutASecondForm) {
  ScaledOnce f(cupyxx::full({}, 2.0));
  const Variable x(draw({3}));
  const auto loss = [&] { return F::sum(F::square(f(F::exp(x)))); };
  const ndarray e = cupyxx::exp(x.data());
  const double slope = (4 * e * e).sum().item<double>();
  EXPECT_NEAR(value(grad({loss()}, {f.scale})[0]), slope, 1e-10);
  EXPECT_EQ(f.gscale.item<double>(), 0);
  const auto both = grad({loss()}, {f.scale, x}, {.enable_double_backprop = true});
  EXPECT_NEAR(value(both[0]), slope, 1e-10);
  expect_allclose(both[1].data(), 8 * e * e, 1e-10, 1e-12);
  expect_error<cupyxx::TypeError>(
      [&] { both[0].backward(); },
      "ScaledOnce: it has no gradients of second order; it does not define backward_variables");
}

// Gradients of a sum were one array: to scale each in place scaled all of them several times.
TEST_P(GradTest, GradientsAreOnesOwn) {
  for (const bool second_order : {false, true}) {
    const Variable a(cupyxx::array({1.0, 2.0})), b(cupyxx::array({3.0, 4.0}));
    const Variable s = a + b;
    auto gs = grad({functions::sum(s * s)}, {a, b, a}, {.enable_double_backprop = second_order});
    gs[0].array() *= 2;
    expect_array_equal(gs[0].array(), cupyxx::array({16.0, 24.0}));
    expect_array_equal(gs[1].array(), cupyxx::array({8.0, 12.0}));
    expect_array_equal(gs[2].array(), cupyxx::array({8.0, 12.0}));
    gs = grad({functions::sum(s)}, {a, b}, {.enable_double_backprop = second_order});
    gs[1].array() *= 3;  // of 1 everywhere, which was read-only
    expect_array_equal(gs[0].array(), cupyxx::array({1.0, 1.0}));
    const Variable gy(cupyxx::array({5.0, 6.0}));
    gs = grad({s}, {a}, {.grad_outputs = {gy}, .enable_double_backprop = second_order});
    gs[0].array() *= 2;
    expect_array_equal(gy.data(), cupyxx::array({5.0, 6.0}));
  }
  functions::Linear first(2, 2), second(2, 2);
  const auto gs = grad({functions::sum(first.W + second.W)}, {first.W, second.W});
  gs[0].array() *= 2;
  expect_array_equal(gs[1].array(), cupyxx::ones({2, 2}, cupyxx::float32));
}

// Sums and identities hand one array on to several variables.
// Parts of one memory, one behind the other, reversed, and within each other.
TEST_P(GradTest, GradientsThatArePartsAreOnesOwn) {
  const Variable a = row({1, 2}), b = row({3, 4}), c = row({5, 6}), whole = row({1, 2, 3, 4});
  const Variable joined = F::concat({a, b}, 0);
  const Variable y = F::sum((joined + whole) * row({1, 2, 3, 4})) + F::sum(F::flip(c, 0) + a);
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<Variable> gs = grad({y}, {a, whole, c, b});
    gs[i].array() *= 10;
    const double k[] = {i == 0 ? 10. : 1, i == 1 ? 10. : 1, i == 2 ? 10. : 1, i == 3 ? 10. : 1};
    expect_array_equal(gs[0].data(), cupyxx::array({2 * k[0], 3 * k[0]}));
    expect_array_equal(gs[1].data(), cupyxx::array({k[1], 2 * k[1], 3 * k[1], 4 * k[1]}));
    expect_array_equal(gs[2].data(), cupyxx::array({k[2], k[2]}));
    expect_array_equal(gs[3].data(), cupyxx::array({3 * k[3], 4 * k[3]}));
  }
}

TEST_P(GradTest, KeptGradientsAreOnesOwn) {
  for (const bool second_order : {false, true}) {
    const Variable a(cupyxx::array({{1.0, 2.0}})), b(cupyxx::array({{3.0, 4.0}}));
    const Variable c = a * 1, d = b * 1, sum = c + d, shaped = functions::reshape(sum, {2, 1});
    const Variable parts = functions::concat({shaped, shaped * 1}, 1);
    functions::sum(parts).backward({.retain_grad = true, .enable_double_backprop = second_order});
    const std::vector<Variable> all = {a, b, c, d, sum, shaped, parts};
    for (const Variable& x : all) {
      std::vector<ndarray> before;
      for (const Variable& other : all) before.push_back(other.grad().copy());
      x.grad() *= 2;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_it = all[i].node() == x.node();
        expect_array_equal(all[i].grad(), is_it ? before[i] * 2 : before[i]);
      }
    }
  }
}

}  // namespace
}  // namespace chainerxx
