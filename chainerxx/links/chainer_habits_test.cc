// SPDX-License-Identifier: MIT
// Lines of Chainer's examples as they come to mind: links, parameters, modes, what is written
// beside them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "chainerxx/links/classifier.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
namespace L = links;
using cp::testing::expect_allclose;
using cp::testing::expect_array_equal;
using cp::testing::expect_elements;
using cp::testing::expect_error;

class ChainerHabitsTest : public cupyxx::testing::DeviceTest {
 protected:
  ndarray x_ = cp::arange(12, cp::float32).reshape({4, 3}) / 10.0f;
};
CUPYXX_TEST_ON_DEVICES(ChainerHabitsTest);

struct Mlp : Chain {
  L::Linear& l1;
  L::Linear& l2;
  explicit Mlp(int units)
      : l1(add_link("l1", L::Linear(3, units))), l2(add_link("l2", L::Linear(units, 2))) {}
  Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
};

/// Sets within sets, made in their places.
struct Tower : Chain {
  Mlp& body = add_link("body", Mlp(5));
  Sequential& head = add_link("head", Sequential(L::Linear(2, 4), F::sigmoid, L::Linear(4, 2)));
  L::LSTM& memory = add("memory", L::LSTM(2, 3));
  L::BatchNormalization& norm = add("norm", L::BatchNormalization(3));
  Variable operator()(const Variable& x) { return norm(memory(head(body(x)))); }
};

// The penalty that stands beside a loss: d/dW 0.1 sum(W^2) = 0.2 W.
TEST_P(ChainerHabitsTest, ArraysOfLayersAreParameters) {
  L::Linear layer(3, 2);
  Variable loss = F::sum(layer(x_)) + 0.1 * F::sum(F::square(layer.W)) + F::sum(F::exp(layer.b));
  loss.backward();
  expect_allclose(layer.gW, cp::broadcast_to(x_.sum(0), {2, 3}) + 0.2f * layer.W, 1e-6, 1e-6);
  expect_allclose(layer.gb, 4.0f + cp::exp(layer.b), 1e-6, 1e-6);
  expect_array_equal(Variable(layer.W).data(), layer.W);
  EXPECT_EQ(Variable(layer.W).creator(), nullptr);  // a root, as of other arrays

  // Tied by what they are applied to: an embedding whose scores are the products with its rows.
  L::EmbedID embed(5, 3);
  const ndarray ids = cp::array({1, 4, 1});
  F::sum(F::square(F::linear(embed(ids), embed.W))).backward();
  const Variable W(embed.W);
  F::sum(F::square(F::linear(F::embed_id(ids, W), W))).backward();
  expect_allclose(embed.gW, W.grad(), 1e-5, 1e-5);
}

TEST_P(ChainerHabitsTest, ArraysOfLayersHaveSecondGradients) {
  L::Linear layer(3, 2);
  const Variable x(x_);
  const Variable gx = grad({F::sum(F::square(layer(x)))}, {x}, {.enable_double_backprop = true})[0];
  layer.zero_grads();
  (F::sum(gx) + F::sum(F::square(layer.W))).backward();
  const Variable W(layer.W), b(layer.b);
  const Variable same =
      grad({F::sum(F::square(F::linear(x, W, b)))}, {x}, {.enable_double_backprop = true})[0];
  (F::sum(same) + F::sum(F::square(W))).backward();
  expect_allclose(layer.gW, W.grad(), 1e-5, 1e-5);
}

TEST_P(ChainerHabitsTest, ArraysOfLayersKnowTheirGradientsWhereverTheLayerIs) {
  Mlp model(4);
  Mlp moved = std::move(model);
  Sequential list(L::Linear(3, 2), F::relu, L::Linear(2, 2));
  auto copy = deep_copy(list);
  std::vector<L::Linear> layers{L::Linear(3, 2), L::Linear(2, 2)};
  layers[0].zero_grads();
  for (L::Linear* layer : {&moved.l1, &list.get<L::Linear>(0), &copy.get<L::Linear>(0),
                           &list.get<L::Linear>(2), &layers[0]}) {
    layer->zero_grads();
    F::sum(F::square(layer->W)).backward();
    expect_allclose(layer->gW, 2.0f * layer->W, 1e-6, 1e-6);
  }
  const auto W = list.get<L::Linear>(0).W;
  expect_error<cupyxx::ValueError>(
      [&] { F::square(W); },
      "Variable: a copy of a layer's array, (2, 3), knows no gradient; "
      "use layer.W itself, after layer.zero_grads() where the layer is "
      "a copy or was moved, or an ndarray of it for a constant");
  const ndarray constant = W;
  list.zero_grads();
  F::sum(F::square(constant)).backward();
  EXPECT_EQ(cp::count_nonzero(list.get<L::Linear>(0).gW), 0);
}

TEST_P(ChainerHabitsTest, AParameterOfOnesOwnIsAVariable) {
  struct Scaled : Link {
    Parameter& scale = add("scale", Parameter(cp::array({1.0f, 2.0f, 3.0f})));
    Variable operator()(const Variable& x) { return x * scale + F::sum(scale); }
  } model;
  const Variable y = model(x_);
  expect_allclose(y.data(), x_ * cp::array({1.0f, 2.0f, 3.0f}) + 6.0f, 1e-6, 1e-6);
  F::sum(y).backward();
  expect_allclose(model.scale.gW, x_.sum(0) + 12.0f, 1e-6, 1e-6);
}

// `p(1)` was the whole parameter, volatile and without a gradient.
TEST_P(ChainerHabitsTest, PartsOfAParameterHaveGradients) {
  Parameter table(cp::arange(6, cp::float32).reshape({3, 2}));
  const ndarray W = table.W.copy();
  expect_array_equal(table(1).data(), W(1));
  expect_array_equal(table(0).data(), W(0));
  EXPECT_FALSE(table(1).volatile_());
  EXPECT_TRUE(table(true).volatile_());
  expect_array_equal(table(true).data(), W);
  expect_array_equal(table(cp::slice(0, 2), -1).data(), W(cp::slice(0, 2), -1));
  F::sum(table(1) * 3.0f + table(cp::array({2, 2, 0}))).backward();
  expect_array_equal(table.grad(), cp::array({{1.0f, 1.0f}, {9.0f, 9.0f}, {2.0f, 2.0f}}));
}

TEST_P(ChainerHabitsTest, ParametersInArithmetic) {
  Parameter p(cp::array({1.0f, 2.0f, 4.0f})), q(cp::array({0.5f, 3.0f, 2.0f}));
  const ndarray P = p.W.copy(), Q = q.W.copy(), a = x_(0).copy();
  expect_allclose((p * q - p / q + p).data(), P * Q - P / Q + P, 1e-6, 1e-6);
  expect_allclose((2 * p - 1).data(), 2 * P - 1, 1e-6, 1e-6);
  expect_allclose((1 - p * 2.5 + 4 / p).data(), 1 - P * 2.5 + 4 / P, 1e-6, 1e-6);
  expect_allclose((a * p + p * a - a).data(), 2 * a * P - a, 1e-6, 1e-6);
  expect_allclose((-p + Variable(a) - p).data(), a - 2 * P, 1e-6, 1e-6);
  F::sum(2 * p * q - q / p + p * p - p.W * p).backward();
  expect_allclose(p.gW, 2 * Q + Q / (P * P), 1e-5, 1e-5);
  expect_allclose(q.gW, 2 * P - 1 / P, 1e-5, 1e-5);
}

TEST_P(ChainerHabitsTest, AParameterSaysWhatItIs) {
  Parameter p(cp::ones({2, 3}, cp::float32));
  EXPECT_EQ(p.shape(), (cp::Shape{2, 3}));
  EXPECT_EQ(p.dtype(), cp::float32);
  EXPECT_EQ(p.ndim(), 2);
  EXPECT_EQ(p.size(), 6);
  p.data() *= 2.0f;
  expect_array_equal(p.array(), p.W);
  expect_array_equal(p().data(), cp::full({2, 3}, 2, cp::float32));
  F::sum(F::square(p)).backward();
  expect_array_equal(p.grad(), cp::full({2, 3}, 4, cp::float32));
}

TEST_P(ChainerHabitsTest, SetsAreGivenToSets) {
  Tower tower;
  EXPECT_EQ(tower.count_params(), 20 + 12 + 12 + 10 + 4 * 3 * (2 + 3 + 1) + 6);
  const Variable y = tower(x_);
  // A copy has the same numbers, trains by itself and draws nothing.
  cp::random::seed(3);
  auto copy = deep_copy(tower);
  const ndarray drawn = cp::random::rand({3});
  cp::random::seed(3);
  expect_array_equal(drawn, cp::random::rand({3}));
  copy.memory.reset_state();
  tower.memory.reset_state();
  expect_array_equal(copy(x_).data(), tower(x_).data());
  expect_array_equal(copy.norm.avg_mean, tower.norm.avg_mean);
  copy.body.l1.W.fill(0);
  EXPECT_GT(cp::count_nonzero(tower.body.l1.W), 0);
  EXPECT_EQ(copy.set("body").names(), tower.set("body").names());
  EXPECT_EQ(static_cast<F::Linear&>(copy["head/1"]).W.shape(), (cp::Shape{2, 4}));
}

TEST_P(ChainerHabitsTest, SetsMoveWithTheirChildren) {
  const auto make = [] {
    Mlp made(4);
    made.l1.b.fill(3);
    return made;
  };
  Mlp model = make();
  expect_array_equal(model.l1.b, cp::full({4}, 3, cp::float32));
  EXPECT_EQ(model.parameters().size(), 4u);
  std::vector<Mlp> models;
  for (int i = 0; i < 4; ++i) models.emplace_back(4);
  models.push_back(std::move(model));
  EXPECT_EQ(models.back()(x_).shape(), (cp::Shape{4, 2}));
  EXPECT_EQ(models.back().parameters().size(), 4u);
  EXPECT_TRUE(model.names().empty());  // NOLINT(bugprone-use-after-move)
}

/// Layers that are members, of which the set has copies with the same arrays.
struct Members : Chain {
  L::Linear l1{nullptr, 4}, l2{4, 2};
  L::BatchNormalization norm{4};
  Members() {
    add_link("l1", l1);
    add_link("norm", norm);
    add_link("l2", l2);
  }
  Variable operator()(const Variable& x) { return l2(F::tanh(norm(l1(x)))); }
};

TEST_P(ChainerHabitsTest, MembersShareTheirArraysWithTheSet) {
  Members model;
  optimizers::SGD sgd(0.5);
  sgd.setup(model);
  model(x_);
  const ndarray W = model.l1.W.copy();
  sgd.update([&] { return F::sum(F::square(model(x_))); });
  EXPECT_EQ(model.parameters().size(), 6u);
  EXPECT_NE(model.l1.W.to_vector<float>(), W.to_vector<float>());
  expect_array_equal(static_cast<F::Linear&>(model["l1"]).W, model.l1.W);
  Members other;
  other.copyparams(model);
  const using_config test("train", false);
  expect_array_equal(other(x_).data(), model(x_).data());
}

TEST_P(ChainerHabitsTest, AnArrayOfALayerIsItsParameterInSwishToo) {
  F::Parameter p(cp::full({3}, 0.5, cp::float32));
  F::sum(F::swish(Variable(x_), p.W)).backward();
  Variable beta(cp::full({3}, 0.5, cp::float32));
  F::sum(F::swish(Variable(x_), beta)).backward();
  EXPECT_GT(cp::count_nonzero(p.gW), 0);
  expect_allclose(p.gW, beta.grad(), 1e-6, 1e-6);
  // Another array is a constant. Both follow volatile variables, as what is made of them does.
  const Variable x(x_, true);
  EXPECT_TRUE(F::swish(x, cp::ones(3, cp::float32)).volatile_());
  EXPECT_TRUE(F::swish(x, p.W).volatile_());
  expect_array_equal(F::swish(x, p.W).data(), F::swish(Variable(x_), beta).data());
}

TEST_P(ChainerHabitsTest, WhatIsMadeOfLayersArraysFollowsVolatileVariables) {
  L::Linear layer(3, 2);
  const Variable x(x_, true), pair(cp::ones({4, 2}, cp::float32), true);
  const ndarray ones = cp::ones({2, 3}, cp::float32);
  EXPECT_TRUE(F::linear(x, F::normalize(layer.W) * F::exp(ones)).volatile_());
  // What a layer or the caller made is recorded.
  for (const Variable& recorded : {layer(x_), F::square(Variable(cp::ones({4, 2}, cp::float32)))}) {
    expect_error<cupyxx::ValueError>([&] { pair* recorded; },
                                     "volatile and non-volatile variables are mixed");
  }
}

TEST_P(ChainerHabitsTest, ArraysOfLayersFollowVolatileVariables) {
  L::Linear layer(3, 2);
  const Variable y = F::linear(Variable(x_, true), layer.W, layer.b);
  EXPECT_TRUE(y.volatile_());
  expect_array_equal(y.data(), layer(x_).data());
}

TEST_P(ChainerHabitsTest, AClassifierTakesItsNetwork) {
  L::Classifier model(Mlp(4));
  const ndarray t = cp::array({0, 1, 1, 0});
  const Variable loss = model(x_, t);
  expect_array_equal(loss.data(), F::softmax_cross_entropy(model.predictor(x_), t).data());
  auto copy = deep_copy(model, Mlp(4));
  expect_array_equal(copy.predictor.l1.W, model.predictor.l1.W);
  EXPECT_NE(copy.predictor.l1.W.to_vector<float>(), Mlp(4).l1.W.to_vector<float>());
}

// The literal 0 is a number where one may stand in the place of a variable.
TEST_P(ChainerHabitsTest, FunctionsOfAVariableAndZero) {
  const Variable x(cp::array({-1.5F, 2.5F}));
  const auto expect = [](const Variable& y, const std::vector<float>& numbers) {
    EXPECT_EQ(y.data().to_vector<float>(), numbers);
  };
  expect(F::maximum(x, 0), {0, 2.5F});
  expect(F::minimum(0, x), {-1.5F, 0});
  expect(F::where(x > 0, x, 0), {0, 2.5F});
  expect(F::where(x.data() > 0, 0, x), {-1.5F, 0});
  expect(F::where(Variable(x > 0), 0, x), {-1.5F, 0});
  expect(F::fmod(x, 2), {-1.5F, 0.5F});
  expect(F::dropout(x, 0), {-1.5F, 2.5F});
}

// Since Chainer 5 a network's method is forward.
TEST_P(ChainerHabitsTest, AClassifierCallsForward) {
  struct Network : Chain {
    L::Linear& l1 = add_link("l1", L::Linear(nullptr, 2));
    Variable forward(const Variable& x) { return l1(x); }
  };
  L::Classifier<Network> model;
  const Variable loss = model(x_, cp::array({0, 1, 1, 0}));
  expect_array_equal(model.y.data(), model.predictor.forward(x_).data());
}

// `model.loss.data`, as Chainer's first programs print it.
TEST_P(ChainerHabitsTest, AClassifierKeepsWhatItComputed) {
  L::Classifier<Mlp> model(4);
  EXPECT_TRUE(model.y.is_none() && model.loss.is_none() && model.accuracy.is_none());
  optimizers::SGD sgd(0.5);
  sgd.setup(model);
  const ndarray t = cp::array({0, 1, 1, 0});
  const Variable y = model.predictor(x_);
  const Variable loss = sgd.update(model, x_, t);
  EXPECT_EQ(model.loss.node(), loss.node());
  expect_array_equal(model.y.data(), y.data());
  expect_array_equal(model.accuracy.data(), F::accuracy(y, t).data());
  model.compute_accuracy = false;
  model.lossfun = [](const Variable& scores, const Variable& labels) {
    return F::hinge(scores, labels);
  };
  const Variable again = model(x_, t);
  EXPECT_EQ(model.loss.node(), again.node());
  EXPECT_TRUE(model.accuracy.is_none());
}

TEST_P(ChainerHabitsTest, ParametersOneByOne) {
  Mlp model(4);
  F::sum(model(x_)).backward();
  std::vector<std::string> names;
  for (auto& p : model.params()) {
    names.push_back(p.name);
    p.set_data(cp::full(p.shape(), 0.5, p.dtype()));
    p.grad() *= 2.0f;
    EXPECT_EQ(p.size(), p.grad().size());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"l1/W", "l1/b", "l2/W", "l2/b"}));
  expect_array_equal(model.l1.W, cp::full({4, 3}, 0.5, cp::float32));
  expect_array_equal(model.l2.gb, cp::full({2}, 8, cp::float32));
  for (auto& [name, p] : model.namedparams()) p.cleargrad();
  expect_array_equal(model.l2.gb, cp::zeros({2}, cp::float32));
  expect_error<cupyxx::ShapeError>(
      [&] { model.params()[0].set_data(cp::ones({3})); },
      "set_data: the array for l1/W has another shape; (3,) for (4, 3)");
  expect_error<cupyxx::TypeError>([&] { model.params()[1].set_grad({}); },
                                  "set_grad: the array for l1/b is None");
  Sequential unsized(L::Linear(nullptr, 2));
  expect_error<cupyxx::ValueError>([&] { unsized.params(); },
                                   "FunctionSet.params: the parameter 0/W has no size yet, which "
                                   "the model's first call gives");
}

TEST_P(ChainerHabitsTest, ParametersOneByOneAreVariables) {
  Mlp model(4);
  Variable penalty;
  for (auto& p : model.params()) penalty += F::sum(F::square(p));
  penalty.backward();
  for (auto& [name, p] : model.namedparams()) expect_allclose(p.grad(), 2 * p.data(), 1e-6, 1e-6);
  const auto params = model.params();
  const auto grads = grad({F::sum(model(x_))}, {params.begin(), params.end()});
  model.zero_grad();
  F::sum(model(x_)).backward();
  for (std::size_t i = 0; i < params.size(); ++i) {
    expect_allclose(grads[i].data(), params[i].grad(), 1e-6, 1e-6);
  }
}

TEST_P(ChainerHabitsTest, CopiesParametersByName) {
  Sequential online(L::Linear(nullptr, 4), L::BatchNormalization(4)),
      target(L::Linear(nullptr, 4), L::BatchNormalization(4));
  online(x_);
  target.copyparams(online);
  for (const NamedField& field : online.fields()) {
    for (const NamedField& other : target.fields()) {
      if (field.name == other.name) expect_array_equal(*field.array, *other.array);
    }
  }
  online.get<L::Linear>(0).W.fill(0);
  EXPECT_GT(cp::count_nonzero(target.get<L::Linear>(0).W), 0);
  Sequential narrow(L::Linear(3, 2)), deeper(L::Linear(3, 4), L::Linear(4, 4), L::Linear(4, 4));
  expect_error<cupyxx::ShapeError>(
      [&] { narrow.copyparams(online); },
      "copyparams: 0/W has another shape in the source; (4, 3) for (2, 3)");
  expect_error<cupyxx::ValueError>([&] { deeper.copyparams(online); },
                                   "copyparams: the source has no array of this name; 1/W");
}

TEST_P(ChainerHabitsTest, PrintsModels) {
  Tower tower;
  std::ostringstream text;
  text << tower << '\n' << L::Linear(nullptr, 2) << ' ' << F::ReLU() << ' ' << Sequential();
  EXPECT_EQ(text.str(), R"(Tower(
  (body): Mlp(
    (l1): Linear(W (5, 3), b (5,))
    (l2): Linear(W (2, 5), b (2,))
  )
  (head): Sequential(
    (0): Linear(W (4, 2), b (4,))
    (1): Linear(W (2, 4), b (2,))
  )
  (memory): StatefulLSTM(
    (upward): Linear(W (12, 2), b (12,))
    (lateral): Linear(W (12, 3))
  )
  (norm): BatchNormalization(gamma (3,), beta (3,), avg_mean (3,), avg_var (3,))
)
Linear(W without a size, b without a size) ReLU() Sequential())");
  const Variable x(x_);
  std::ostringstream graph;
  graph << computational_graph::build_computational_graph({F::sum(x)});
  EXPECT_EQ(graph.str(), build_computational_graph({F::sum(x)}).dump());
}

TEST_P(ChainerHabitsTest, ModesAreValues) {
  config.train = false;
  EXPECT_FALSE(config.train);
  expect_array_equal(F::dropout(x_, 0.5).data(), x_);
  {
    const using_config train("train", true);
    EXPECT_TRUE(config.train);
  }
  EXPECT_FALSE(config.train);
  config.train = true;
  config.enable_backprop = false;
  EXPECT_EQ(F::square(Variable(x_)).creator(), nullptr);
  config.enable_backprop = true;
  EXPECT_NE(F::square(Variable(x_)).creator(), nullptr);
  const bool debug = config.debug;
  config.debug = true;
  EXPECT_TRUE(is_debug());
  config.debug = debug;
}

TEST_P(ChainerHabitsTest, OptimizersTakePointersAndLayers) {
  const auto model = std::make_unique<Mlp>(4);
  optimizers::SGD sgd(0.5);
  sgd.setup(model);
  EXPECT_EQ(&sgd.target(), model.get());
  sgd.setup(model.get());
  sgd.add_hook(optimizer_hooks::WeightDecay(0.1));
  sgd.add_hook(optimizer::GradientNoise(0), "noise");
  const ndarray W = model->l1.W.copy();
  sgd.zero_grad();
  sgd.step();
  expect_allclose(model->l1.W, W * 0.95f, 1e-6, 1e-6);
  expect_error<cupyxx::ValueError>([&] { sgd.setup(static_cast<Mlp*>(nullptr)); },
                                   "setup: the pointer to the model is null");

  L::Linear layer(nullptr, 2);
  optimizers::SGD alone(0.5);
  alone.setup(layer);
  expect_error<cupyxx::ValueError>([&] { alone.target(); },
                                   "Optimizer.target: setup() has not been given a set");
  layer(x_);
  const ndarray before = layer.W.copy();
  alone.update([&] { return F::sum(layer(x_)); });
  expect_allclose(layer.W, before - 0.5f * x_.sum(0), 1e-5, 1e-5);
}

TEST_P(ChainerHabitsTest, SequentialsTakeFunctionsAndEachOther) {
  Sequential encoder(L::Linear(3, 2), F::tanh), decoder(L::Linear(2, 3));
  Sequential both(encoder, decoder);
  expect_array_equal(both(x_).data(), decoder(encoder(x_)).data());
  optimizers::SGD sgd(0.5);
  sgd.setup(both);
  const ndarray W = encoder.get<L::Linear>(0).W.copy();
  sgd.update([&] { return F::sum(both(x_)); });
  EXPECT_NE(encoder.get<L::Linear>(0).W.to_vector<float>(), W.to_vector<float>());
  expect_array_equal(both(x_).data(), decoder(encoder(x_)).data());
  Variable (*const with_switch)(const Variable&, bool) = [](const Variable& x, bool) { return x; };
  expect_error<cupyxx::TypeError>(
      [&] { Sequential(L::Linear(3, 2), with_switch); },
      "activation: a function of a variable and a bool is none where its default is not known; "
      "write [](const Variable& x) { return f(x); }");
}

TEST_P(ChainerHabitsTest, SequentialsTakeFunctionsOfSeveralForms) {
  const auto same = [&](Sequential model, const Variable& y) {
    expect_array_equal(model(x_).data(), y.data());
  };
  same(Sequential(F::gelu), F::gelu(x_));
  same(Sequential(F::softmax, F::log_softmax), F::log_softmax(F::softmax(x_)));
  same(Sequential(F::leaky_relu, F::elu), F::elu(F::leaky_relu(x_)));
  same(Sequential(F::softplus, F::swish, F::clipped_relu),
       F::clipped_relu(F::swish(F::softplus(x_))));
  Sequential model(L::Linear(3, 4), F::gelu, L::Linear(4, 2), F::leaky_relu);
  const Variable h = F::gelu(model.get<L::Linear>(0)(x_));
  expect_array_equal(model(x_).data(), F::leaky_relu(model.get<L::Linear>(2)(h)).data());
  EXPECT_EQ(model.size(), 4);
  model.append(F::softmax);
  EXPECT_EQ(model.count_params(), 26);
  // The network of a user with all that several forms may stand beside.
  Sequential mixed(layer<L::Linear>(3, 3), F::relu, F::gelu, F::Dropout(0), model);
  EXPECT_EQ(mixed(x_).shape()[1], 2);
}

TEST_P(ChainerHabitsTest, ParametersOfAModelHaveArithmetic) {
  struct Model : FunctionSet {
    L::Linear& l1 = add("l1", L::Linear(2, 1));
  } model;
  model.l1.W.fill(3);
  Variable penalty;
  for (auto& [name, p] : model.namedparams()) {
    if (name == "l1/W") penalty += F::sum(0.5 * p * p - p + p / 2);
  }
  model.zero_grads();
  penalty.backward();
  expect_elements<float>(penalty.data(), {}, {6});
  expect_elements<float>(model.l1.gW, {1, 2}, {2.5, 2.5});  // p - 1 / 2
  const SetParameter p = model.params()[0];
  EXPECT_EQ((-p).shape(), cupyxx::Shape(1, 2));
  expect_elements<float>((1 - p * p).data(), {1, 2}, {-8, -8});
  expect_elements<float>((cupyxx::ones({1, 2}, cupyxx::float32) + p).data(), {1, 2}, {4, 4});
}

TEST_P(ChainerHabitsTest, SeveralResultsHaveNames) {
  const Variable c0(cupyxx::array({{1.0f, 2.0f}})), x(cupyxx::ones({1, 8}, cupyxx::float32));
  Variable c, h;
  std::tie(c, h) = F::lstm(c0, x);
  const auto [c1, h1] = F::lstm(c0, x);
  expect_array_equal(c.data(), c1.data());
  expect_array_equal(h.data(), h1.data());
  std::tie(c, h) = F::lstm(c, x);
  std::tie(std::ignore, h) = F::lstm(c0, x);
  expect_array_equal(h.data(), h1.data());
  const std::array<Variable, 2> both = F::lstm(c0, x);
  expect_array_equal(both[1].data(), h1.data());
  auto all = F::lstm(c0, x);
  auto& [c2, h2] = all;
  c2 = h2;
  expect_array_equal(all[0].data(), h1.data());
  Variable a, b;
  std::tie(a, b) = F::broadcast(c0, Variable(cupyxx::ones({3, 1}, cupyxx::float32)));
  EXPECT_EQ(b.shape(), cupyxx::Shape(3, 2));
  std::tie(a, b) = unpack<2>(F::split_axis(x, 2, 1));
  EXPECT_EQ(b.shape(), cupyxx::Shape(1, 4));
  L::NStepLSTM lstm(1, 8, 2, 0.0);
  L::NStepGRU gru(1, 8, 2, 0.0);
  std::vector<Variable> ys;
  std::tie(h, c, ys) = lstm(nullptr, nullptr, {x});
  const auto again = lstm(nullptr, nullptr, {x});
  expect_array_equal(h.data(), again.hy.data());
  expect_array_equal(c.data(), again.cy.data());
  expect_array_equal(ys[0].data(), again.ys[0].data());
  std::tie(std::ignore, ys) = gru(nullptr, {x});
  expect_array_equal(ys[0].data(), gru(nullptr, {x}).ys[0].data());
}

TEST_P(ChainerHabitsTest, KeepdimsStandsBehindTheAxis) {
  const Variable x(x_);
  const auto same = [](const Variable& found, const Variable& expected) {
    expect_array_equal(found.data(), expected.data());
    EXPECT_EQ(found.shape(), expected.shape());
  };
  same(x.sum(0, {.keepdims = true}), F::sum(x, 0, true));
  same(x.mean(1, {.keepdims = true}), F::mean(x, 1, true));
  same(x.max(1, {.keepdims = true}), F::max(x, 1, true));
  same(x.min(0, {.keepdims = false}), F::min(x, 0));
  same(x.prod(-1, {.keepdims = true}), F::prod(x, -1, true));
  same(x.var(1, {.keepdims = true}), F::var(x, 1, true));
  same(x.std(1, {.ddof = 1, .keepdims = true}), x.std({.axis = 1, .ddof = 1, .keepdims = true}));
  same(x.sum({0, 1}, {.keepdims = true}), F::sum(x, {0, 1}, true));
  expect_error<cupyxx::ValueError>([&] { x.sum(0, {.axis = 1}); },
                                   "sum: the axis is given by position and by name");
}

TEST_P(ChainerHabitsTest, LinearLayersOfPlaces) {
  const Variable x(cupyxx::arange(24).reshape({2, 4, 3}).astype(cupyxx::float32));
  L::Linear layer(3, 2);
  const ndarray expected = layer(x.reshape({8, 3})).reshape({2, 4, 2}).data();
  expect_array_equal(layer(x, 2).data(), expected);
  expect_array_equal(layer(x, {.n_batch_axes = 2}).data(), expected);
  expect_array_equal(F::linear(x, layer.W, layer.b, 2).data(), expected);
  expect_array_equal(F::linear(x, layer.W, layer.b, {.n_batch_axes = 2}).data(), expected);
  expect_array_equal(F::linear(x, layer.W, {.n_batch_axes = 2}).data(),
                     F::linear(x, layer.W, nullptr, 2).data());
  expect_error<cupyxx::ValueError>([&] { F::linear(x, layer.W, layer.b, 3); },
                                   "Linear: n_batch_axes is not in [1, 3), the axes of x; 3");
}

TEST_P(ChainerHabitsTest, ListsAreGoneThrough) {
  ChainList list(L::Linear(3, 3), L::Linear(3, 3));
  list.add_link(L::Linear(3, 3));
  Variable h = x_, same = x_;
  for (auto& layer : list) h = F::relu(layer(h));
  for (int i = 0; i < list.size(); ++i) same = F::relu(list[i](same));
  expect_array_equal(h.data(), same.data());
  list.add_link(Mlp(4));
  EXPECT_EQ(list.set(3).names(), (std::vector<std::string>{"l1", "l2"}));
}

TEST_P(ChainerHabitsTest, SumsStartFromNothing) {
  const Variable x(x_);
  Variable gain, cost;
  for (int i = 0; i < 3; ++i) {
    gain += F::sum(x);
    cost -= F::sum(x);
  }
  expect_allclose(cost.data(), -gain.data(), 1e-6, 1e-6);
  cost.backward();
  expect_array_equal(x.grad(), cp::full({4, 3}, -3, cp::float32));
}

TEST_P(ChainerHabitsTest, LinearGoesOverSeveralAxes) {
  L::Linear layer(3, 2);
  const Variable x(x_.reshape({2, 2, 3}));
  const Variable y = layer(x, 2);
  expect_array_equal(y.data(), layer(x_).data().reshape({2, 2, 2}));
  F::sum(y).backward();
  EXPECT_EQ(x.grad().shape(), (cp::Shape{2, 2, 3}));
  EXPECT_EQ(layer(Variable(cp::ones({2, 4, 1, 3}, cp::float32)), 2).shape(), (cp::Shape{2, 4, 2}));
  for (const int axes : {0, 3, -1}) {
    expect_error<cupyxx::ValueError>(
        [&] { layer(x, axes); },
        cupyxx::message("Linear: n_batch_axes is not in [1, 3), the axes of x; ", axes));
  }
}

TEST_P(ChainerHabitsTest, ListsOfArraysAreJoined) {
  const std::vector<ndarray> ids{cp::array({1, 2, 3}), cp::array({4, 5})};
  expect_array_equal(F::concat(ids, 0).data(), cp::array({1, 2, 3, 4, 5}));
  expect_array_equal(F::pad_sequence(ids, 4, -1).data(),
                     cp::array({{1, 2, 3, -1}, {4, 5, -1, -1}}));
  expect_array_equal(F::transpose_sequence(ids)[1].data(), cp::array({2, 5}));
  const std::vector<ndarray> rows{x_, x_};
  EXPECT_EQ(F::stack(rows).shape(), (cp::Shape{2, 4, 3}));
  EXPECT_EQ(F::stack(rows, 1).shape(), (cp::Shape{4, 2, 3}));
  EXPECT_EQ(F::hstack(rows).shape(), (cp::Shape{4, 6}));
  EXPECT_EQ(F::vstack(rows).shape(), (cp::Shape{8, 3}));
  EXPECT_EQ(F::dstack(rows).shape(), (cp::Shape{4, 3, 2}));
}

// A bool there does not compile: chainerxx/start_of_bias.h.
TEST_P(ChainerHabitsTest, BiasIsTheNumberThatItStartsAt) {
  const float quarter = 0.25f;
  const int two = 2;
  expect_elements<float>(L::Linear(3, 2, {.bias = quarter}).b, {2}, {0.25f, 0.25f});
  expect_elements<float>(L::Linear(3, 2, {.bias = two}).b, {2}, {2, 2});
  expect_elements<float>(L::Convolution2D(3, 2, 1, {.bias = 0.5}).b, {2}, {0.5f, 0.5f});
  expect_elements<float>(L::Deconvolution2D(3, 2, 1, 1, 0, 1, 0.5).b, {2}, {0.5f, 0.5f});
  EXPECT_TRUE(L::Linear(3, 2, {.nobias = true}).b.is_none());
}

// A column of pixels two steps apart: 1 + 3 + 5 of every window.
TEST_P(ChainerHabitsTest, DilatedConvolutionsTakeTheirDistanceByPosition) {
  L::DilatedConvolution2D layer(1, 1, {3, 1}, 1, 0, {2, 1}, true, 1);
  const Variable x(cp::arange(7).astype(cp::float32).reshape({1, 1, 7, 1}));
  expect_array_equal(layer(x).data().ravel(), cp::array({6, 9, 12}, cp::float32));
  EXPECT_TRUE(layer.b.is_none());
  const L::DilatedConvolution2D same(cupyxx::none, 4, 3, 1, 2, 2);
  EXPECT_EQ(same(Variable(cp::zeros({1, 2, 5, 6}, cp::float32))).shape(), (cp::Shape{1, 4, 5, 6}));
  EXPECT_EQ(same.b.shape(), cp::Shape{4});
  expect_error<cupyxx::ValueError>([] { L::DilatedConvolution2D(1, 1, 3, 1, 0, 0); },
                                   "DilatedConvolution2D: the dilation must be positive; (0, 0)");
}

}  // namespace
}  // namespace chainerxx
