// SPDX-License-Identifier: MIT
// What people type first: lines written from habit of Chainer and PyTorch, and what they mean.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
namespace O = optimizers;
using cp::ellipsis, cp::newaxis, cp::none, cp::slice;
using cp::testing::expect_allclose;
using cp::testing::expect_array_equal;
using cp::testing::expect_error;

class FirstTryTest : public cupyxx::testing::DeviceTest {
 protected:
  ndarray a_ = cp::arange(12, cp::float32).reshape({3, 4});
};
CUPYXX_TEST_ON_DEVICES(FirstTryTest);

ndarray f32(const ndarray& a) { return a.astype(cp::float32); }

struct Net : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(4, 3));
  Variable operator()(const Variable& x) { return l1(x); }
};

TEST_P(FirstTryTest, BroadcastsAndSumsGradientsBack) {
  const Variable x(a_), row(f32(cp::array({1, 2, 3, 4}))), column(f32(cp::array({{2}, {3}, {4}})));
  Variable y = x * column + row;
  expect_array_equal(y.data(), a_ * column.data() + row.data());
  y = F::sum(y);
  y.backward();
  expect_array_equal(x.grad(), cp::broadcast_to(column.data(), {3, 4}));
  expect_array_equal(row.grad(), f32(cp::array({3, 3, 3, 3})));
  expect_array_equal(column.grad(), f32(cp::array({{6}, {22}, {38}})));
  EXPECT_EQ(y.dtype(), cp::float32);
}

TEST_P(FirstTryTest, ListsIndexEveryAxis) {
  const Variable x(a_);
  const Variable y = x({0, 2}, {1, 0});
  expect_array_equal(y.data(), f32(cp::array({1, 8})));
  F::sum(y * y).backward();
  ndarray g = cp::zeros_like(a_);
  g(0, 1) = 2, g(2, 0) = 16;
  expect_array_equal(x.grad(), g);
  expect_array_equal(x(0, {3, 0}).data(), f32(cp::array({3, 0})));
  expect_array_equal(x(slice(), {1, 1}).data(), a_(slice(), {1, 1}));
  expect_array_equal(x({true, false, true}, {2, 3}).data(), f32(cp::array({2, 11})));
  expect_array_equal(x(newaxis, {0, 1}, {0, 1}).data(), f32(cp::array({{0, 5}})));
  x.cleargrad();
  F::sum(x({1, 1}, {2, 2})).backward();  // a place that is taken twice
  EXPECT_EQ(x.grad()(1, 2), 2);
}

TEST_P(FirstTryTest, OperatorsBroadcastWithTheirSecondGradients) {
  const Variable x(cp::array({{1., 2.}, {3., 4.}})), w(cp::array({2., 5.}));
  for (const auto& f : {+[](const Variable&p, const Variable&q) { return p * q; },
                        +[](const Variable&p, const Variable&q) { return p / q; },
                        +[](const Variable&p, const Variable&q) { return F::pow(p, q); },
                        +[](const Variable&p, const Variable&q) { return p - q; }}) {
    w.cleargrad();
    const Variable y = F::sum(F::square(f(x, w)));
    y.backward({.enable_double_backprop = true});
    ASSERT_EQ(w.grad().shape(), cp::Shape{2});
    const ndarray wide = cp::broadcast_to(w.data(), {2, 2}).copy();
    const Variable v(wide), same = F::sum(F::square(f(x, v)));
    same.backward({.enable_double_backprop = true});
    expect_array_equal(w.grad(), v.grad().sum(0));
    const Variable gw = w.grad_var(), gv = v.grad_var();
    w.cleargrad();
    v.cleargrad();
    F::sum(gw * gw).backward();
    F::sum(F::square(F::sum(gv, 0))).backward();
    if (w.grad().is_none()) continue;
    expect_allclose(w.grad(), v.grad().sum(0), 1e-9, 1e-12);
  }
}

TEST_P(FirstTryTest, ArraysAndNumbersTakeTheDtypeOfTheVariable) {
  const Variable x(a_);
  const ndarray wide = cp::ones({4}), mask = a_ > 3, ids = cp::arange(4);
  for (const Variable& y : {x + wide, wide * x, x * mask, x - ids, 2 * x, x + 1, 1.5 - x, x / 3,
                            x * 1e-3, x + std::int64_t{7}, -x, +x, x * 2u}) {
    EXPECT_EQ(y.dtype(), cp::float32);
    EXPECT_EQ(y.shape(), (cp::Shape{3, 4}));
  }
  expect_array_equal((x * mask).data(), a_ * mask);
  EXPECT_THROW(x + Variable(wide), typecheck::InvalidType);  // two variables have one dtype
  EXPECT_THROW(x + cp::ones({3}), typecheck::InvalidType);   // shapes that do not broadcast
}

TEST_P(FirstTryTest, ChangesNames) {
  Variable x(a_), y = x;
  y += 1;
  y *= 2;
  y -= x;
  y /= 2;
  y += cp::ones({4});
  expect_array_equal(y.data(), ((a_ + 1) * 2 - a_) / 2 + 1);
  expect_array_equal(x.data(), a_);  // names are bound again, arrays stay
  F::sum(y).backward();
  expect_array_equal(x.grad(), cp::full_like(a_, 0.5));
  Variable loss;
  loss += F::sum(x);
  EXPECT_EQ(loss.item<int>(), 66);
  Variable nothing;
  expect_error<cp::TypeError>([&] { nothing += 1; }, "_ + 1: input 0 is None");
}

TEST_P(FirstTryTest, TakesParts) {
  const Variable x(a_);
  expect_array_equal(x(0).data(), a_(0));
  expect_array_equal(x(0, 1).data(), a_(0, 1));
  expect_array_equal(x(slice(1, none)).data(), a_(slice(1, none)));
  expect_array_equal(x(ellipsis, -1).data(), a_(ellipsis, -1));
  expect_array_equal(x(newaxis).data(), a_(newaxis));
  expect_array_equal(x(slice(), slice(none, none, -1)).data(), a_(slice(), slice(none, none, -1)));
  expect_array_equal(x(cp::array({0, 2})).data(), ndarray(a_(cp::array({0, 2}))));
  expect_array_equal(x(x > 3).data(), ndarray(a_(a_ > 3)));
  expect_array_equal(x(Variable(cp::array({2, 0}))).data(), ndarray(a_(cp::array({2, 0}))));
  expect_array_equal(F::get_item(x, {0, slice(1, 3)}).data(), a_(0, slice(1, 3)));
  expect_array_equal(F::get_item(x, 1).data(), a_(1));
  F::sum(x(cp::array({0, 0}))).backward();
  expect_array_equal(x.grad(), f32(cp::array({{2, 2, 2, 2}, {0, 0, 0, 0}, {0, 0, 0, 0}})));
}

TEST_P(FirstTryTest, HasTheMethodsOfArrays) {
  const Variable x(a_);
  expect_array_equal(x.T().data(), a_.T());
  expect_array_equal(x.transpose({1, 0}).data(), a_.T());
  expect_array_equal(x.reshape({2, -1}).data(), a_.reshape({2, 6}));
  EXPECT_EQ(x.sum().item<float>(), 66);
  expect_array_equal(x.sum(0).data(), a_.sum(0));
  expect_array_equal(x.sum({0, 1}).data(), a_.sum());
  expect_array_equal(x.mean(1, true).data(), a_.mean(1, {.keepdims = true}));
  expect_array_equal(x.max({.axis = 1}).data(), a_.max(1));
  expect_array_equal(x.min({.axis = 0, .keepdims = true}).data(), a_.min(0, {.keepdims = true}));
  expect_array_equal(x.var(1).data(), a_.var(1));
  expect_array_equal(x.std({0, 1}, true).data(), a_.std({0, 1}, {.keepdims = true}));
  expect_array_equal(x.argmax(1).data(), a_.argmax(1).astype(cp::int32));
  expect_array_equal(x.argmin().data(), cp::array(0, cp::int32));
  expect_array_equal(x.reshape({1, 12}).squeeze(0).data(), x.flatten().array());
  expect_array_equal(x.swapaxes(0, 1).clip(2, 5).data(), a_.T().clip(2, 5));
  EXPECT_EQ(x.astype(cp::float64).dtype(), cp::float64);
  const auto w = F::sum(x).item<float>();
  EXPECT_EQ(w, 66);
  EXPECT_EQ(x.len(), 12);
  EXPECT_EQ(x.ndim(), 2);
}

TEST_P(FirstTryTest, GradientsStopAtDetached) {
  const Variable x(a_), y = x * x, constant = y.detach();
  F::sum(constant * x).backward();
  expect_array_equal(x.grad(), a_ * a_);
  EXPECT_TRUE(constant.grad().is_none());
  EXPECT_EQ(constant.rank(), 0);
  const Variable frozen(a_, true);
  EXPECT_TRUE(F::sum(frozen * frozen.detach()).volatile_());
}

TEST_P(FirstTryTest, OptionsHaveNames) {
  const Variable x(a_);
  expect_array_equal(F::sum(x, {.axis = 1}).data(), a_.sum(1));
  expect_array_equal(F::sum(x, {.axis = 1, .keepdims = true}).data(),
                     a_.sum(1, {.keepdims = true}));
  expect_array_equal(F::sum(x, {.keepdims = true}).data(), a_.sum({}, {.keepdims = true}));
  expect_array_equal(F::sum(x, {.axis = {0, 1}}).data(), a_.sum());
  expect_array_equal(F::sum(x, 1, true).data(), a_.sum(1, {.keepdims = true}));
  expect_array_equal(F::sum(x, 1, {.keepdims = true}).data(), a_.sum(1, {.keepdims = true}));
  expect_array_equal(F::mean(x, {.keepdims = true}).data(), a_.mean({}, {.keepdims = true}));
  expect_array_equal(F::mean(x, 1, true).data(), a_.mean(1, {.keepdims = true}));
  expect_array_equal(F::max(x, {.axis = -1}).data(), a_.max(-1));
  expect_array_equal(F::concat({x, x}, 0).data(), cp::concatenate({a_, a_}, 0));
  expect_array_equal(F::concat({x, x}, {.axis = 0}).data(), cp::concatenate({a_, a_}, 0));
  EXPECT_EQ(F::stack({x, x}, {.axis = 1}).shape(), (cp::Shape{3, 2, 4}));
  EXPECT_EQ(F::logsumexp(x, {.axis = 1}).shape(), cp::Shape{3});
  EXPECT_EQ(F::squeeze(F::expand_dims(x, 0), {.axis = 0}).shape(), (cp::Shape{3, 4}));
  expect_array_equal(F::softmax(x, {.axis = 0}).data(), F::softmax(x, 0).data());
  expect_array_equal(F::dropout(x, {.ratio = 0.2, .train = false}).data(), a_);
  expect_array_equal(F::dropout(x, 0.2, false).data(), a_);
  EXPECT_EQ(F::dropout(x, {.ratio = 0.5}).shape(), (cp::Shape{3, 4}));
  expect_error<cp::ValueError>([&] { F::sum(x, 1, {.axis = 0}); },
                               "sum: the axis is given by position and by name");
}

TEST_P(FirstTryTest, FlagsAreThoseOfTheManual) {
  const Variable x(a_ / 6 - 1);
  const ndarray t = cp::array({0, 3, -1}, cp::int32);
  const ndarray bits = (a_ > 5).astype(cp::int32) * 2 - 1;
  // A bool is use_cudnn: it changes nothing.
  expect_array_equal(F::softmax(x, false).data(), F::softmax(x, 1).data());
  expect_array_equal(F::log_softmax(x, false).data(), F::log_softmax(x).data());
  expect_array_equal(F::relu(x, false).data(), F::relu(x).data());
  expect_array_equal(F::sigmoid(x, false).data(), F::sigmoid(x).data());
  expect_array_equal(F::softmax_cross_entropy(x, t, false).data(),
                     F::softmax_cross_entropy(x, t).data());
  expect_array_equal(F::sigmoid_cross_entropy(x, bits, true).data(),
                     F::sigmoid_cross_entropy(x, bits).data());
  // normalize stands behind it.
  expect_array_equal(F::softmax_cross_entropy(x, t, true, false).data(),
                     F::softmax_cross_entropy(x, t, {.normalize = false}).data());
  EXPECT_NE(F::softmax_cross_entropy(x, t, true, false).item<float>(),
            F::softmax_cross_entropy(x, t).item<float>());
  EXPECT_NE(F::sigmoid_cross_entropy(x, bits, true, true).item<float>(),
            F::sigmoid_cross_entropy(x, bits).item<float>());
  expect_array_equal(F::SoftmaxCrossEntropy(false)(x, t).data(),
                     F::softmax_cross_entropy(x, t).data());
}

TEST_P(FirstTryTest, SizesStandAsInTheManual) {
  const Variable x(cp::arange(72, cp::float32).reshape({1, 2, 6, 6}));
  const Variable w(cp::ones({3, 2, 3, 3}, cp::float32)), b(cp::ones({3}, cp::float32));
  expect_array_equal(F::max_pooling_2d(x, 2, 2).data(),
                     F::max_pooling_2d(x, 2, {.stride = 2}).data());
  expect_array_equal(F::max_pooling_2d(x, 3, {2, 1}).data(),  // the manual's tuple
                     F::max_pooling_2d(x, 3, {.stride = {2, 1}}).data());
  expect_array_equal(F::max_pooling_2d(x, 3, 2, 1, false).data(),
                     F::max_pooling_2d(x, 3, {.stride = 2, .pad = 1, .cover_all = false}).data());
  expect_array_equal(F::max_pooling_2d(x, 3, {}).data(), F::max_pooling_2d(x, 3).data());
  expect_array_equal(F::average_pooling_2d(x, 3, 1, 1).data(),
                     F::average_pooling_2d(x, 3, {.stride = 1, .pad = 1}).data());
  expect_array_equal(F::convolution_2d(x, w, b, 2, 1).data(),
                     F::convolution_2d(x, w, b, {.stride = 2, .pad = 1}).data());
  expect_array_equal(F::convolution_2d(x, w, nullptr, {2, 1}, 1, false).data(),
                     F::convolution_2d(x, w, {.stride = {2, 1}, .pad = 1}).data());
  EXPECT_EQ(F::Convolution2D(2, 5, 3, 2, 1)(x).shape(), (cp::Shape{1, 5, 3, 3}));
  EXPECT_EQ(F::Convolution2D(2, 5, {3, 1}, {.stride = 2, .nobias = true})(x).shape(),
            (cp::Shape{1, 5, 2, 3}));
  EXPECT_TRUE(F::Linear(4, 3, 1, 0, true).b.is_none());
  expect_array_equal(
      F::local_response_normalization(x, 3, 1, 0.1, 0.5).data(),
      F::local_response_normalization(x, {.n = 3, .k = 1, .alpha = 0.1, .beta = 0.5}).data());
}

TEST_P(FirstTryTest, FunctionsAreFoundByTheirNames) {
  const Variable x(a_ + 1);
  expect_array_equal(pow(x, 2).data(), F::pow(x, 2).data());
  expect_array_equal(chainerxx::pow(x, 2).data(), F::pow(x, 2).data());
  expect_array_equal(exp(x).data(), F::exp(x).data());
  expect_array_equal(abs(-x).data(), x.data());
  expect_array_equal(F::abs(-x).data(), x.data());
  expect_array_equal((F::pow(x, 2) - 2 * x + 1).data(), F::square(x - 1).data());
  expect_array_equal(F::where(x > 6, x, -x).data(), cp::where(a_ + 1 > 6, a_ + 1, -(a_ + 1)));
  expect_array_equal(F::where(x >= x, x, 2 * x).data(), x.data());
  const ndarray mask = a_ > 3;
  expect_array_equal(F::where(mask(1), x(1), 0).data(), cp::where(mask(1), a_(1) + 1, 0));
  expect_array_equal(F::where(mask(1), -1.0, x(1)).data(), cp::where(mask(1), -1, a_(1) + 1));
  expect_array_equal((x < 3), a_ < 2);
  expect_array_equal((x <= 3), a_ <= 2);
  expect_array_equal(F::relu(a_).data(), a_);
  expect_array_equal(F::relu(a_(slice(0, 2))).data(), a_(slice(0, 2)));
  expect_array_equal(F::relu(a_(cp::array({0, 2}))).data(), ndarray(a_(cp::array({0, 2}))));
}

std::string printed(const Variable& x) {
  std::ostringstream os;
  os << x;
  return os.str();
}

TEST_P(FirstTryTest, PrintsVariables) {
  EXPECT_EQ(printed(Variable(f32(cp::array({1, 2})))), "variable([1. 2.])");
  EXPECT_EQ(printed(Variable(cp::array({{1., 2.}, {3., 4.}}))),
            "variable([[1. 2.]\n          [3. 4.]])");
  EXPECT_EQ(printed(Variable()), "None");
}

TEST_P(FirstTryTest, TrainsWithFewWords) {
  Net model;
  const Variable x(a_);
  O::SGD opt(0.1);
  opt.setup(model);
  EXPECT_EQ(opt.lr(), 0.1);
  opt.lr = 0.5;
  opt.lr *= 0.5;
  EXPECT_EQ(opt.lr, 0.25);
  opt.set_lr(0.125);
  EXPECT_EQ(opt.lr(), 0.125);
  opt.add_hook(WeightDecay(1e-4));
  opt.add_hook(GradientClipping(1e9), "clip");
  int calls = 0;
  opt.add_hook([&](Optimizer&) { ++calls; });
  opt.add_hook([&](Optimizer&) { ++calls; });
  expect_error<cp::ValueError>([&] { opt.add_hook(WeightDecay(1)); },
                               "add_hook: the name is taken; \"WeightDecay\"");
  F::sum(model(x)).backward();
  model.zero_grads();
  expect_array_equal(model.l1.gW, cp::zeros_like(model.l1.W));
  const ndarray before = model.l1.b.copy();
  const Variable loss = opt.update([&] { return F::sum(model(x)); });
  EXPECT_EQ(loss.size(), 1);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(opt.t(), 1);
  expect_allclose(model.l1.b, before - 0.125 * (3 + 1e-4 * before), 1e-6, 1e-6);
  opt.remove_hook("hook1");
  opt.remove_hook("WeightDecay");
  O::Adam adam(0.01, 0.8);
  EXPECT_EQ(adam.alpha(), 0.01);
  EXPECT_EQ(adam.beta1(), 0.8);
  EXPECT_EQ(adam.beta2(), 0.999);
  EXPECT_EQ(O::MomentumSGD(0.1, 0.5).momentum(), 0.5);
  EXPECT_EQ(O::Adam({.alpha = 0.1}).alpha(), 0.1);
}

struct Chained : Chain {
  links::EmbedID& embed = add("embed", links::EmbedID(5, 4));
  links::LSTM& memory = add<links::LSTM>("memory", 4, 3);
  links::Linear& out = add("out", links::Linear(3, 2));
  Variable operator()(const Variable& words) { return out(memory(embed(words))); }
};

TEST_P(FirstTryTest, KnowsTheNamesOfLaterChainer) {
  namespace L = links;
  Chained model, other;
  const Variable y = model(cp::array({1, 4}));
  EXPECT_EQ(y.shape(), cp::Shape({2, 2}));
  const std::string path = ::testing::TempDir() + "chained-" + std::to_string(::getpid()) + ".npz";
  serializers::save_npz(path, model);
  EXPECT_TRUE(serializers::load_npz(path, other).is_complete());
  expect_array_equal(other(cp::array({1, 4})).data(), y.data());
  EXPECT_EQ(L::LayerNormalization(3)(y.data().dot(cp::ones({2, 3}, cp::float32))).shape(),
            cp::Shape({2, 3}));
}

TEST_P(FirstTryTest, NumbersComeOutByACast) {
  const Variable loss(cp::array({2.5}));
  EXPECT_EQ(float(loss), 2.5f);
  EXPECT_EQ(static_cast<int>(loss), 2);
  expect_error<cp::ValueError>([&] { (void)double(Variable(a_)); }, "item");
}

TEST_P(FirstTryTest, KeepsLayersInVectors) {
  std::vector<F::Linear> layers{F::Linear(4, 5), F::Linear(5, 2)};
  Variable h(a_);
  for (auto& layer : layers) h = F::relu(layer(h));
  EXPECT_EQ(h.shape(), (cp::Shape{3, 2}));
  std::vector<Net> models(3);
  EXPECT_EQ(models[2](a_).shape(), (cp::Shape{3, 3}));
  std::vector<std::unique_ptr<FunctionSet>> sets;
  sets.push_back(std::make_unique<Net>());
  EXPECT_EQ(models[0]["l1"].label(), "Linear");
  F::BatchNormalization bn(4);
  expect_array_equal(bn(a_, {.test = true}).data(), bn(a_, true).data());
  EXPECT_EQ(F::BatchNormalization(4, 0.5)(a_).shape(), (cp::Shape{3, 4}));
  layers[0].zero_grads();
}

TEST_P(FirstTryTest, OptimizersWithoutParametersSaySo) {
  O::Adam opt;
  const std::string rest = ": setup() comes first; the optimizer has no parameters yet";
  const std::vector<ndarray> none_given;
  expect_error<cp::ValueError>([&] { opt.update(); }, "update" + rest);
  expect_error<cp::ValueError>([&] { opt.update([] { return Variable(); }); }, "update" + rest);
  expect_error<cp::ValueError>([&] { opt.zero_grads(); }, "zero_grads" + rest);
  expect_error<cp::ValueError>([&] { opt.compute_grads_norm(); }, "compute_grads_norm" + rest);
  expect_error<cp::ValueError>([&] { opt.clip_grads(1); }, "clip_grads" + rest);
  expect_error<cp::ValueError>([&] { opt.weight_decay(1); }, "weight_decay" + rest);
  expect_error<cp::ValueError>([&] { opt.lasso(1); }, "lasso" + rest);
  expect_error<cp::ValueError>([&] { opt.clip_grad_values(0, 1); }, "clip_grad_values" + rest);
  expect_error<cp::ValueError>([&] { opt.accumulate_grads(none_given); },
                               "accumulate_grads" + rest);
  expect_error<cp::ValueError>([&] { opt.add_group("g", {"*"}); }, "add_group" + rest);
  expect_error<cp::ValueError>([&] { opt.group("default"); }, "group" + rest);
  expect_error<cp::ValueError>([&] { save_npz("never.npz", opt); }, "save_npz" + rest);
  expect_error<cp::ValueError>([&] { load_npz("never.npz", opt); }, "load_npz" + rest);
  EXPECT_EQ(opt.t(), 0);
}

// The manual's calls in its own order.
TEST_P(FirstTryTest, ArgumentsStandWhereTheManualHasThem) {
  const Variable x(a_), row(cp::ones({1, 4}, cp::float32));
  const auto [wide, all] = F::broadcast(row, x);
  EXPECT_EQ(wide.shape(), cp::Shape({3, 4}));
  expect_array_equal(all.data(), a_);
  const auto [p, q] = F::identity(x, row);
  EXPECT_EQ(p.data().data(), a_.data());
  EXPECT_EQ(q.shape(), row.shape());
  F::sum(wide * all + p).backward();
  expect_array_equal(row.grad(), a_.sum(0, {.keepdims = true}));

  const ndarray W = cp::ones({2, 3, 4}, cp::float32), V1 = cp::zeros({2, 4}, cp::float32);
  const ndarray V2 = cp::ones({3, 4}, cp::float32), b = cp::full({4}, 5, cp::float32);
  const F::Bilinear bilinear(2, 3, 4, false, W, {V1, V2, b});
  EXPECT_EQ(bilinear.V1.ndarray::data(), V1.data());
  EXPECT_EQ(bilinear.V2.ndarray::data(), V2.data());
  EXPECT_EQ(bilinear.b.ndarray::data(), b.data());
  EXPECT_FALSE(F::Bilinear(2, 3, 4, false, W).V1.is_none());

  const F::BatchNormalization norm({8, 2}, 0.5, 1e-3, cp::float64);
  EXPECT_EQ(norm.gamma.shape(), cp::Shape({8, 2}));
  EXPECT_EQ(norm.gamma.dtype(), cp::float64);

  EXPECT_TRUE(F::Linear(4, 3, true).b.is_none());
  EXPECT_TRUE(F::Convolution2D(2, 3, 3, 1, 1, true).b.is_none());
  EXPECT_FALSE(F::Convolution2D(2, 3, 3, 1, 1, false).b.is_none());
  EXPECT_FALSE(F::Convolution2D(2, 3, 3, 1, 1, 0.5).b.is_none());
  EXPECT_TRUE(F::Deconvolution2D(2, 3, 4, 2, 1, true).b.is_none());
  const F::EmbedID embed(5, 2, 7, -1);
  expect_array_equal(embed(cp::array({4, -1})).data(), f32(cp::array({{7, 7}, {0, 0}})));
  expect_array_equal(x.reshape(2, -1).transpose(1, 0).data(), a_.reshape({2, 6}).T());

  const Variable image(cp::arange(16, cp::float32).reshape({1, 1, 4, 4}));
  const Variable signal(cp::arange(6, cp::float32).reshape({1, 1, 6}));
  expect_array_equal(F::max_pooling_1d(signal, 2, 2).data(), f32(cp::array({{{1, 3, 5}}})));
  expect_array_equal(F::average_pooling_1d(signal, 2, 4).data(), f32(cp::array({{{0.5, 4.5}}})));
  expect_array_equal(
      F::convolution_1d(signal, cp::ones({1, 1, 3}, cp::float32), nullptr, 3, 1).data(),
      f32(cp::array({{{1, 9}}})));
  expect_array_equal(F::im2col(image, 2, 2).data(), F::im2col(image, 2, {.stride = 2}).data());
  expect_array_equal(F::pad(signal, {{0, 0}, {0, 0}, {1, 1}}, "constant", 9).data()(0, 0),
                     f32(cp::array({9, 0, 1, 2, 3, 4, 5, 9})));
  expect_array_equal(F::unpooling_2d(image, 2, 2, 0, none, false).data(),
                     F::unpooling_2d(image, 2, {.stride = 2, .cover_all = false}).data());
  const Variable one(cp::ones({4}, cp::float32)), zero(cp::zeros({4}, cp::float32));
  expect_array_equal(F::batch_normalization(x, one, zero, 0.5).data(),
                     F::batch_normalization(x, one, zero, {.eps = 0.5}).data());
  expect_array_equal(F::max_pooling_2d(image, 2, none, 0).data(),
                     F::max_pooling_2d(image, 2).data());
  expect_array_equal(F::average_pooling_2d(image, {2, 1}, none, {0, 0}).data(),
                     F::average_pooling_2d(image, {2, 1}).data());
}

}  // namespace
}  // namespace chainerxx
