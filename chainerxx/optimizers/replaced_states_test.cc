// SPDX-License-Identifier: MIT
// Optimizers and layers whose arrays somebody has replaced, or whose hooks and update_one change
// what the optimizer goes over: what does not fit is an error, and no other memory is touched.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/optimizers/optimizers.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_array_equal, cupyxx::testing::expect_error;

ndarray filled(const Shape& shape, double value) {
  return cupyxx::full(shape, value, cupyxx::float32);
}

TEST(UpdateOneTest, TakesWhatFitsAlone) {
  const auto refuses = [](Optimizer& optimizer, const ndarray& param, const ndarray& grad,
                          State state, const std::string& text) {
    expect_error<cupyxx::ValueError>([&] { optimizer.update_one(param, grad, state); }, text);
  };
  optimizers::SGD sgd;
  const ndarray param = filled({1000}, 1), grad = filled({1000}, 1);
  refuses(sgd, param, filled({2}, 1), {}, "update_one: a parameter and its gradient do not match");
  refuses(sgd, param, cupyxx::ones({1000}), {}, "do not match");
  refuses(sgd, param, param, {}, "update_one: a parameter is its own gradient");
  refuses(sgd, ndarray(), ndarray(), {}, "is None");
  ndarray fixed = filled({1000}, 1);
  fixed.set_writeable(false);
  refuses(sgd, fixed, grad, {}, "is read-only");
  optimizers::Adam adam;
  refuses(adam, param, grad, {}, "update_one: the state has 0 arrays, the algorithm needs 2");
  refuses(adam, param, grad, {filled({1000}, 0), filled({1}, 0)}, "a state does not match");
  refuses(adam, param, grad, {filled({1000}, 0), cupyxx::zeros({1000})}, "a state does not match");
  refuses(adam, param, grad, {filled({1000}, 0), ndarray()}, "a state does not match");
  refuses(adam, param, grad, {filled({1000}, 0), fixed}, "a state does not match");
  expect_array_equal(param, filled({1000}, 1));
  State state = adam.init_state(param, grad);
  adam.update_one(param, grad, state);
  EXPECT_LT(param.min().item<float>(), 1);
}

/// Corrections of the first moments divide by 0 before the first step.
template <class O>
void is_first_update() {
  const auto train = [](bool alone) {
    const ndarray param = filled({4}, 1), grad = filled({4}, 0.5);
    O optimizer;
    optimizer.setup(std::vector{param}, std::vector{grad});
    State state = optimizer.init_state(param, grad);
    if (alone) {
      optimizer.update_one(param, grad, state);
    } else {
      optimizer.update();
    }
    return param;
  };
  expect_array_equal(train(true), train(false));
}

TEST(UpdateOneTest, AloneIsTheFirstUpdate) {
  is_first_update<optimizers::Adam>();
  is_first_update<optimizers::AdamW>();
  is_first_update<optimizers::AMSGrad>();
  is_first_update<optimizers::AdaBound>();
  is_first_update<optimizers::RAdam>();
  is_first_update<optimizers::LAMB>();
  is_first_update<optimizers::MSVAG>();
  is_first_update<optimizers::SGD>();
}

TEST(ReplacedStatesTest, TheLossScaleIsReadAsItIs) {
  functions::Linear layer(2, 2);
  optimizers::Adam optimizer;
  optimizer.setup(layer);
  optimizer.scale_loss();
  ndarray& scale = *optimizer.fields().back().array;
  const ndarray good = scale;
  for (const ndarray& other : {filled({1}, 0), cupyxx::zeros({5}), filled({5, 1}, 0), ndarray()}) {
    scale = other;
    const std::string text = "the state loss_scale is not 5 writeable numbers of float32";
    expect_error<cupyxx::ValueError>([&] { optimizer.update(); }, text);
    expect_error<cupyxx::ValueError>([&] { (void)optimizer.loss_scale(); }, text);
    expect_error<cupyxx::ValueError>([&] { (void)optimizer.skipped_updates(); }, text);
  }
  scale = good;
  optimizer.update();
  EXPECT_EQ(optimizer.t(), 1);
}

TEST(ReplacedStatesTest, AParameterIsNotItsOwnGradient) {
  functions::Linear layer(3, 3);
  const ndarray gradient = layer.gW;
  layer.gW = layer.W;
  const Variable x(filled({2, 3}, 1));
  const Variable y = functions::sum(layer(x));
  expect_error<cupyxx::ValueError>([&] { y.backward(); }, "the parameter W is its own gradient");
  optimizers::SGD optimizer;
  expect_error<cupyxx::ValueError>([&] { optimizer.setup(layer); },
                                   "setup: a parameter is its own gradient");
  layer.gW = gradient;
  optimizer.setup(layer);
  layer.gW = layer.W;
  expect_error<cupyxx::ValueError>([&] { optimizer.update(); }, "is its own gradient");
}

TEST(ReplacedStatesTest, TransposedWeightsAreMovedOnce) {
  // An autoencoder of one matrix.
  FunctionSet model;
  auto& encode = model.add("encode", functions::Linear(3, 2, {.nobias = true}));
  auto& decode = model.add("decode", functions::Linear(2, 3, {.nobias = true}));
  decode.W = encode.W.T();
  decode.gW = encode.gW.T();
  optimizers::SGD optimizer(0.5);
  optimizer.setup(model);
  model.zero_grads();
  functions::sum(decode(encode(Variable(filled({1, 3}, 1))))).backward();
  const ndarray before = encode.W.copy(), gradient = encode.gW.copy();
  EXPECT_NEAR(optimizer.compute_grads_norm(),
              std::sqrt(cupyxx::square(gradient).sum().item<float>()), 1e-5);
  optimizer.update();
  cupyxx::testing::expect_allclose(encode.W, before - 0.5 * gradient);
}

TEST(ReplacedStatesTest, AGradientIsOfOneParameter) {
  FunctionSet model;
  auto& first = model.add("first", functions::Linear(2, 2));
  auto& second = model.add("second", functions::Linear(2, 2));
  const ndarray own = second.gW;
  optimizers::SGD optimizer;
  for (const ndarray& shared : {ndarray(first.gW), first.gW.T()}) {
    second.gW = shared;
    expect_error<cupyxx::ValueError>(
        [&] { optimizer.setup(model); },
        "two parameters have one gradient; first/W and second/W: give each an array of its own");
  }
  second.gW = own;
  optimizer.setup(model);
}

TEST(ReplacedStatesTest, WeightsAssignedBeforeTheFirstCallStay) {
  functions::Linear layer(cupyxx::none, 2);
  layer.W = filled({2, 5}, 3);
  const Variable x(filled({1, 5}, 1));
  expect_array_equal(layer(x).data(), filled({1, 2}, 15));
  EXPECT_EQ(layer.gW.shape(), Shape({2, 5}));

  functions::Linear wide(cupyxx::none, 2, {.nobias = true});
  wide.W = cupyxx::full({2, 5}, 3.0);  // another dtype than the layer's
  const Variable y = functions::sum(wide(Variable(cupyxx::ones({1, 5}))));
  y.backward();
  expect_array_equal(wide.gW, cupyxx::ones({2, 5}));

  functions::Linear other(cupyxx::none, 2);
  other.W = filled({7, 5}, 3);
  expect_error<cupyxx::ShapeError>([&] { (void)other(x); },
                                   "Linear: W of shape (7, 5) was assigned before the first call, "
                                   "which needs (2, 5)");
  expect_array_equal(other.W, filled({7, 5}, 3));
  other.W = ndarray();
  EXPECT_EQ(other(x).shape(), Shape({1, 2}));

  functions::Linear one(cupyxx::none, 2), copy = one;
  copy.W = filled({2, 5}, 4);
  (void)one(x);
  expect_array_equal(copy(x).data(), filled({1, 2}, 20));
  functions::BatchNormalization bn;
  bn.gamma = filled({5}, 0);
  bn.beta = filled({5}, 7);
  expect_array_equal(bn(Variable(filled({4, 5}, 1)), {.test = true}).data(), filled({4, 5}, 7));
}

TEST(ReplacedStatesTest, ReadOnlyArraysAreNotWrittenTo) {
  functions::BatchNormalization bn(3);
  const Variable x(filled({2, 3}, 5));
  bn.avg_mean.set_writeable(false);
  expect_error<cupyxx::ValueError>([&] { (void)bn(x, {.test = false}); },
                                   "the running statistics are read-only");
  expect_array_equal(bn.avg_mean, filled({3}, 0));
  (void)bn(x, {.test = true});
  bn.avg_mean = filled({3}, 0);
  const Variable y = functions::sum(bn(x, {.test = false}));
  bn.ggamma.set_writeable(false);
  expect_error<cupyxx::ValueError>([&] { y.backward(); },
                                   "the gradient ggamma of a parameter is "
                                   "read-only");
  const Variable gamma(filled({3}, 1)), beta(filled({3}, 0));
  ndarray mean = filled({3}, 0), var = filled({3}, 1);
  var.set_writeable(false);
  expect_error<cupyxx::ValueError>(
      [&] {
        (void)functions::batch_normalization(x, gamma, beta,
                                             {.running_mean = mean, .running_var = var});
      },
      "the running statistics are read-only");
}

TEST(HookTest, RemovesItself) {
  functions::Linear layer(2, 2);
  optimizers::SGD optimizer;
  optimizer.setup(layer);
  std::vector<std::string> calls;
  const std::string text(1000, 'x');  // part of the hook, which lives until it returns
  optimizer.add_hook("once", [&calls, text](Optimizer& own) {
    own.remove_hook("once");
    own.remove_hook("never");
    calls.push_back(text);
  });
  optimizer.add_hook("never", [&](Optimizer&) { calls.emplace_back("never"); });
  optimizer.add_hook("last", [&](Optimizer&) { calls.emplace_back("last"); });
  optimizer.update();
  optimizer.update();
  EXPECT_EQ(calls, (std::vector<std::string>{text, "last", "last"}));
}

TEST(HookTest, AddsOthersForTheNextUpdate) {
  functions::Linear layer(2, 2);
  optimizers::SGD optimizer;
  optimizer.setup(layer);
  const std::string text(1000, 'x');
  int added = 0, calls = 0;
  optimizer.add_hook("first", [&, text](Optimizer& own) {
    for (int i = 0; i < 50; ++i) {
      own.add_hook("hook " + std::to_string(added++), [&](Optimizer&) { ++calls; });
    }
    EXPECT_EQ(text.size(), 1000U);
  });
  optimizer.update();
  EXPECT_EQ(calls, 0);
  optimizer.update();
  EXPECT_EQ(calls, 50);
}

/// An algorithm whose update_one does something to the optimizer itself.
struct Meddler final : Optimizer {
  template <class F>
  explicit Meddler(F f) : meddle(std::move(f)) {}
  State init_state(const ndarray& param, const ndarray&) override {
    return {cupyxx::zeros_like(param)};
  }
  void update_one(const ndarray& param, const ndarray&, State& state) override {
    meddle(*this);
    state[0] += 1;
    param -= state[0];
  }
  std::function<void(Optimizer&)> meddle;
};

TEST(UpdateOneTest, DoesNotExchangeTheParametersItGoesOver) {
  functions::Linear layer(2, 2), other(3, 3);
  Meddler optimizer([&](Optimizer& own) { own.setup(other); });
  optimizer.setup(layer);
  expect_error<cupyxx::ValueError>([&] { optimizer.update(); }, "setup: update_one calls it");
  EXPECT_EQ(optimizer.t(), 0);
}

TEST(UpdateOneTest, LayersThatComeMeanwhileWaitForTheNextUpdate) {
  FunctionSet model;
  functions::Linear& first = model.add("first", functions::Linear(2, 2));
  bool is_added = false;
  Meddler optimizer([&](Optimizer& own) {
    if (!is_added) (void)model.add("second", functions::Linear(2, 2));
    is_added = true;
    own.zero_grads();
    (void)own.fields();
  });
  optimizer.setup(model);
  first.W.fill(5);
  optimizer.update();
  expect_array_equal(first.W, filled({2, 2}, 4));
  EXPECT_EQ(optimizer.fields().size(), 4U);
  optimizer.update();
  expect_array_equal(first.W, filled({2, 2}, 2));
}

TEST(UpdateOneTest, StatesMayBeginAsNone) {
  struct Lazy final : Optimizer {
    State init_state(const ndarray&, const ndarray&) override { return {ndarray()}; }
    void update_one(const ndarray& param, const ndarray& grad, State& state) override {
      state[0] = state[0].is_none() ? grad.copy() : state[0] + grad;
      param -= state[0];
    }
  } optimizer;
  functions::Linear layer(2, 2);
  optimizer.setup(layer);
  EXPECT_TRUE(optimizer.fields().empty());
  layer.W.fill(5);
  layer.gW.fill(1);
  optimizer.update();
  optimizer.update();
  expect_array_equal(layer.W, filled({2, 2}, 2));
  optimizer.clip_grads(1e9);
  EXPECT_EQ(optimizer.fields().size(), 2U);
}

TEST(ByHandTest, BackwardWithoutForwardIsAnError) {
  // What forward keeps, and what a graph knows, is not there.
  const ndarray image = filled({1, 1, 4, 4}, 1), small = filled({1, 1, 2, 2}, 1);
  const auto refuses = [](Function&& f, const ndarray& x, const ndarray& gy) {
    EXPECT_THROW((void)f.backward(std::vector{x}, std::vector{gy}), cupyxx::Error) << f.label();
  };
  refuses(functions::MaxPooling2D(2), image, small);
  refuses(functions::AveragePooling2D(2), image, small);
  refuses(functions::Convolution2D(1, 1, 3), image, small);
  refuses(functions::Linear(2, 3), filled({4, 2}, 1), filled({4, 3}, 1));
  refuses(functions::BatchNormalization(2), filled({4, 2}, 1), filled({4, 2}, 1));
  refuses(functions::Sum(), filled({4}, 1), filled({}, 1));
}

TEST(ReplacedOptionsTest, WhatBackwardReadsDoesNotChange) {
  const Variable x(filled({4, 5}, 1));
  const ndarray labels = cupyxx::array({0, 1, 2, 4}), weight = filled({5}, 1);
  const Variable y = functions::softmax_cross_entropy(x, labels, {.class_weight = weight});
  weight.fill(100);
  expect_error<cupyxx::ValueError>([&] { y.backward(); }, "was changed in place after forward");

  const ndarray rows = cupyxx::array({1, 2});
  const Variable part = functions::sum(x(rows));
  rows.fill(3);
  expect_error<cupyxx::ValueError>([&] { part.backward(); }, "was changed in place after forward");
  const ndarray places = cupyxx::array({1, 2});
  const Variable sum = functions::sum(functions::scatter_add(x, places, x(0)));
  places.fill(3);
  expect_error<cupyxx::ValueError>([&] { sum.backward(); }, "was changed in place after forward");
}

TEST(ReplacedOptionsTest, ACacheOfOtherTokensIsRefused) {
  functions::MultiHeadAttention layer(8, 2);
  const NoGradScope generation;
  const Variable x(filled({2, 1, 8}, 1));
  using Cache = functions::KeyValueCache;
  const ndarray good = filled({2, 2, 8, 4}, 1);
  const auto refuses = [&](Cache cache) {
    expect_error<cupyxx::ShapeError>([&] { (void)layer(x, {}, &cache); },
                                     "MultiHeadAttention: the cache is of other tokens");
  };
  refuses({good, good, 100});
  refuses({filled({8}, 1), filled({8}, 1), 2});
  refuses({good, filled({2, 2, 2, 4}, 1), 3});
  refuses({good, ndarray(), 3});
  refuses({cupyxx::ones({2, 2, 8, 4}), good, 3});
  Cache negative{good, good, -3};
  expect_error<cupyxx::ValueError>([&] { (void)layer(x, {}, &negative); },
                                   "the length of the cache is negative; -3");
  // An empty one takes any tokens.
  for (const ndarray& left : {good, filled({8}, 1), filled({2, 2, 0, 4}, 1),
                              cupyxx::ones({2, 2, 8, 4}), filled({3, 1, 8, 2}, 1)}) {
    Cache cache{left, left.copy(), 0};
    const Variable y = layer(x, {}, &cache);
    expect_array_equal(y.data(), layer(x).data());
    EXPECT_EQ(cache.length, 1);
  }
}

}  // namespace
}  // namespace chainerxx
