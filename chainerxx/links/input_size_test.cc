// SPDX-License-Identifier: MIT
// Layers that take their sizes from their first call, in both orders of use.
#include "chainerxx/input_size.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
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
namespace L = links;
namespace O = optimizers;
using cp::none;
using cp::testing::expect_array_equal;
using cp::testing::expect_error;

struct Net : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(none, 5));
  F::Linear& l2 = add("l2", F::Linear(3));
  Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
};
/// The same with its sizes.
struct Sized : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(4, 5));
  F::Linear& l2 = add("l2", F::Linear(5, 3));
  Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
};

class InputSizeTest : public cp::testing::DeviceTest {
 protected:
  ndarray x_ = cp::arange(24, cp::float32).reshape({6, 4}) / 10;
  ndarray t_ = cp::array({0, 1, 2, 0, 1, 2}).astype(cp::int32);

  template <class Model>
  Variable loss(Model& model) {
    return F::softmax_cross_entropy(model(Variable(x_)), Variable(t_));
  }
};
CUPYXX_TEST_ON_DEVICES(InputSizeTest);

std::string file(const std::string& name) {
  return ::testing::TempDir() + "/input_size_" + std::to_string(::getpid()) + name;
}

TEST_P(InputSizeTest, TheFirstCallMakesTheParameters) {
  cp::random::seed(7);
  Net net;
  EXPECT_FALSE(net.l1.is_initialized());
  EXPECT_TRUE(net.l1.W.is_none() && net.l1.gW.is_none() && net.l1.b.is_none());
  const Variable y = net(Variable(x_));
  EXPECT_TRUE(net.l1.is_initialized() && net.l2.is_initialized());
  EXPECT_EQ(net.l1.W.shape(), (cp::Shape{5, 4}));
  EXPECT_EQ(net.l2.W.shape(), (cp::Shape{3, 5}));
  EXPECT_EQ(net.l1.W.device(), device());
  cp::random::seed(7);
  Sized same;  // which draws the same numbers
  expect_array_equal(net.l1.W, same.l1.W);
  expect_array_equal(net.l2.W, same.l2.W);
  expect_array_equal(y.data(), same(Variable(x_)).data());
  expect_error<typecheck::InvalidType>([&] { net(Variable(x_(cp::ellipsis, 0, 2))); }, "");
}

TEST_P(InputSizeTest, TrainsAsANetworkOfGivenSizesInBothOrders) {
  cp::random::seed(3);
  Sized sized;
  O::Adam expected;
  expected.setup(sized);
  for (int step = 0; step < 4; ++step) expected.update([&] { return loss(sized); });
  for (const bool setup_first : {true, false}) {
    SCOPED_TRACE(setup_first);
    cp::random::seed(3);
    Net net;
    O::Adam optimizer;
    if (!setup_first) net(Variable(x_));
    optimizer.setup(net);
    optimizer.add_hook(WeightDecay(0));
    optimizer.zero_grads();
    for (int step = 0; step < 4; ++step) optimizer.update([&] { return loss(net); });
    expect_array_equal(net.l1.W, sized.l1.W);
    expect_array_equal(net.l2.b, sized.l2.b);
    EXPECT_EQ(optimizer.fields().size(), expected.fields().size());
    for (std::size_t i = 0; i < expected.fields().size(); ++i) {
      EXPECT_EQ(optimizer.fields()[i].name, expected.fields()[i].name);
      expect_array_equal(*optimizer.fields()[i].array, *expected.fields()[i].array);
    }
    EXPECT_EQ(optimizer.t(), 4);
  }
}

TEST_P(InputSizeTest, WhatIsNotThereYetIsPassedOverOrSaysSo) {
  Net net;
  O::MomentumSGD optimizer(0.5);
  optimizer.setup(net);
  net.zero_grads();
  net.cleargrads();
  net.l1.zero_grads();
  optimizer.zero_grads();
  optimizer.weight_decay(0.1);
  optimizer.clip_grads(1);
  EXPECT_EQ(optimizer.compute_grads_norm(), 0);
  optimizer.update();
  EXPECT_EQ(optimizer.t(), 1);
  EXPECT_TRUE(net.fields().empty() && optimizer.fields().empty());
  const char* const model =
      ": the parameter l1/W has no size yet, which the model's first call gives";
  const auto refuses = [&](const std::string& text, auto&& call) {
    SCOPED_TRACE(text);
    expect_error<cp::ValueError>([&] { call(); }, text);
  };
  refuses(std::string("FunctionSet.parameters") + model, [&] { net.parameters(); });
  refuses(std::string("FunctionSet.gradients") + model, [&] { net.gradients(); });
  refuses(std::string("FunctionSet.parameters") + model, [&] { net.collect_parameters(); });
  refuses(std::string("copy_parameters_from") + model, [&] { net.copy_parameters_from({}); });
  const std::string own = ": the parameter W of Linear has no size yet, which its first call gives";
  refuses("parameters" + own, [&] { net.l1.parameters(); });
  refuses("gradients" + own, [&] { net.l1.gradients(); });
  refuses("parameter_names" + own, [&] { net.l1.gradient_names(); });
  const auto is_none = [&](const std::string& text, auto&& call) {
    SCOPED_TRACE(text);
    expect_error<cp::TypeError>([&] { call(); }, text);
  };
  const std::string why = " of Linear has no size yet, which its first call gives";
  is_none("shape: the array is None; W" + why, [&] { net.l1.W.shape(); });
  is_none("fill: the array is None; gW" + why, [&] { net.l1.gW.fill(0); });
  is_none("copy: the array is None; b" + why, [&] { net.l2.b.copy(); });
  is_none("sum: the array is None", [&] { cp::sum(net.l1.W); });
  is_none("data: the array is None; gamma of BatchNormalization has no size yet",
          [] { F::BatchNormalization().gamma.ndarray::data(); });
  is_none("Linear: input 0 is None", [&] { net.l1(Variable()); });
  expect_error<cp::ShapeError>([&] { net.l1(Variable(cp::ones({3}, cp::float32))); },
                               "Linear: the first call, which gives the layer its size, has an "
                               "input of fewer than 2 axes; (3,)");
  EXPECT_FALSE(net.l1.is_initialized());
  F::Linear given(none, 2, {.initialW = cp::ones({2, 9}, cp::float32)});
  expect_error<cp::ShapeError>([&] { given(Variable(x_)); },
                               "Linear: initialW has the wrong shape; (2, 9) instead of (2, 4)");
  EXPECT_TRUE(!given.is_initialized() && given.W.is_none() && given.gW.is_none());
  expect_error<cp::ValueError>([] { F::Linear(none, -1); }, "Linear: a size is negative; (0, -1)");
}

TEST_P(InputSizeTest, PartOfTheModelMayComeLater) {
  struct TwoHeads : FunctionSet {
    F::Linear& body = add("body", F::Linear(4, 5));
    F::Linear& first = add("first", F::Linear(none, 3));
    F::Linear& later = add("later", F::Linear(none, 3));
  } net;
  O::SGD optimizer(0.1);
  optimizer.setup(net);
  optimizer.add_group("heads", {"first", "later"}, {.rate = 0});
  const auto step = [&](F::Linear& head) {
    optimizer.update([&] {
      return F::softmax_cross_entropy(head(F::tanh(net.body(Variable(x_)))), Variable(t_));
    });
  };
  step(net.first);
  EXPECT_FALSE(net.later.is_initialized());
  const ndarray first = net.first.W.copy(), body = net.body.W.copy();
  step(net.later);
  EXPECT_TRUE(net.later.is_initialized());
  const ndarray later = net.later.W.copy();
  step(net.later);
  expect_array_equal(net.first.W, first);  // of rate 0
  expect_array_equal(net.later.W, later);
  EXPECT_FALSE(cp::array_equal(net.body.W, body));
  EXPECT_EQ(optimizer.group("heads").parameters,
            (std::vector<std::string>{"first/W", "first/b", "later/W", "later/b"}));
}

TEST_P(InputSizeTest, CopiesShareWhatTheFirstOfThemMakes) {
  F::Linear layer(none, 3);
  const F::Linear copy = layer;
  F::Linear other(4, 3);
  other = layer;
  EXPECT_FALSE(other.is_initialized());
  copy(Variable(x_));
  // The others have them at once: a set may hold a copy of the layer that is called.
  EXPECT_TRUE(layer.is_initialized());
  EXPECT_TRUE(other.is_initialized());
  EXPECT_EQ(layer.W.body(), copy.W.body());
  EXPECT_EQ(other.gW.body(), copy.gW.body());
  // A deep copy has arrays of its own, before the first call and after it.
  F::Linear fresh(none, 3);
  const auto deep = fresh.deep_copy();
  fresh(Variable(x_));
  EXPECT_FALSE(deep->is_initialized());
  deep->call(std::vector<Variable>{Variable(x_(cp::ellipsis, cp::slice(0, 2)))});
  EXPECT_EQ(deep->parameters()[0].shape(), (cp::Shape{3, 2}));
  other = F::Linear(4, 3);
  EXPECT_TRUE(other.is_initialized());
}

TEST_P(InputSizeTest, TiedLayersStayTiedAndAreUpdatedOnce) {
  struct Tied : FunctionSet {
    F::Linear& a = add("a", F::Linear(none, 4, {.initialW = 0.5}));
    F::Linear& b = add("b", a);
    Variable operator()(const Variable& x) { return b(a(x)); }
  } net;
  auto copy = deep_copy(net);
  for (Tied* const each : {&net, &copy}) {
    O::SGD optimizer(1);
    optimizer.setup(*each);
    const Variable x(cp::ones({1, 4}, cp::float32));
    optimizer.update([&] { return F::sum((*each)(x)); });
    EXPECT_EQ(each->a.W.body(), each->b.W.body());
    EXPECT_EQ(optimizer.group("default").parameters, (std::vector<std::string>{"a/W", "a/b"}));
    // Each element of W has 2 by b, and 2 by a: W was 0.5.
    expect_array_equal(each->a.W, cp::full({4, 4}, 0.5 - 4, cp::float32));
  }
  EXPECT_NE(net.a.W.body(), copy.a.W.body());
}

TEST_P(InputSizeTest, SetsAreCopiedBeforeTheFirstCallAndAfterIt) {
  Net net;
  auto before = deep_copy(net);
  EXPECT_FALSE(before.l1.is_initialized());
  net(Variable(x_));
  auto after = deep_copy(net);
  expect_array_equal(after.l1.W, net.l1.W);
  EXPECT_NE(after.l1.W.body(), net.l1.W.body());
  before(Variable(x_(cp::ellipsis, cp::slice(0, 3))));
  EXPECT_EQ(before.l1.W.shape(), (cp::Shape{5, 3}));
}

TEST_P(InputSizeTest, StandsInSequentialsListsAndNestedSets) {
  Sequential model(layer<F::Linear>(none, 6), F::ReLU(), F::BatchNormalization(),
                   layer<F::Linear>(3));
  O::SGD optimizer(0.1);
  optimizer.setup(model);
  optimizer.update([&] { return loss(model); });
  EXPECT_EQ(model.get<F::Linear>(0).W.shape(), (cp::Shape{6, 4}));
  EXPECT_EQ(model.get<F::Linear>(3).W.shape(), (cp::Shape{3, 6}));
  EXPECT_EQ(optimizer.group("default").parameters.size(), 6u);

  Sequential block(layer<F::Linear>(none, 5), F::ReLU());
  Sequential deep = block.repeat(3);
  deep(Variable(x_));
  EXPECT_EQ(deep.parameters()[0].shape(), (cp::Shape{5, 4}));
  EXPECT_EQ(deep.parameters()[2].shape(), (cp::Shape{5, 5}));
  EXPECT_FALSE(cp::array_equal(deep.parameters()[2], deep.parameters()[4]));
  Sequential tied = Sequential(layer<F::Linear>(none, 4)).repeat(2, CopyMode::share);
  tied(Variable(x_));
  EXPECT_EQ(tied.parameters().size(), 2u);

  struct Block : FunctionSet {
    Block(InputSize in, std::int64_t out) : l(add("l", F::Linear(in, out))) {}
    F::Linear& l;
  };
  struct Outer : FunctionSet {
    Block& block = add<Block>("block", none, 3);
  } outer;
  expect_error<cp::ValueError>([&] { outer.parameters(); },
                               "FunctionSet.parameters: the parameter block/l/W has no size yet, "
                               "which the model's first call gives");
  auto copy = deep_copy(outer);
  copy.block.l(Variable(x_));
  EXPECT_TRUE(copy.block.l.is_initialized() && !outer.block.l.is_initialized());
  outer.replace("block", F::Linear(none, 2));
}

TEST_P(InputSizeTest, FilesGiveSizes) {
  const std::string path = file("model.npz");
  Net trained;
  trained(Variable(x_));
  save_npz(path, trained);
  Net loaded;
  O::Adam optimizer;
  optimizer.setup(loaded);
  EXPECT_TRUE(load_npz(path, loaded).is_complete());
  expect_array_equal(loaded.l1.W, trained.l1.W);
  expect_array_equal(loaded.l2.b, trained.l2.b);
  EXPECT_EQ(loaded.l1.W.device(), device());
  optimizer.update([&] { return loss(loaded); });
  EXPECT_EQ(optimizer.fields().size(), 8u);

  const std::string states = file("states.npz");
  save_npz(states, optimizer);
  O::Adam resumed;
  Net again;
  resumed.setup(again);
  load_npz(path, again);
  load_npz(states, resumed);
  expect_array_equal(*resumed.fields()[1].array, *optimizer.fields()[1].array);

  // One that was never called, and another one that is not in the file.
  Net empty, target;
  save_npz(path, empty);
  EXPECT_TRUE(load_npz(path, target).is_complete());
  EXPECT_FALSE(target.l1.is_initialized());
  expect_error<cp::ValueError>([&] { load_npz(path, trained); },
                               "load_npz: " + path +
                                   " does not match; missing l1/b, l2/b; misshaped l1/W (0,) "
                                   "float32 instead of (5, 4) float32, l2/W (0,) float32 instead "
                                   "of (3, 5) float32");
  struct Flat : FunctionSet {
    F::BatchNormalization& l1 = add("l1", F::BatchNormalization());
  } flat;
  expect_error<cp::ValueError>(
      [&] { load_npz(path, flat); },
      "load_npz: " + path + " does not match; missing l1/gamma; unexpected l1/W, l2/W");
  save_safetensors(path, trained);
  EXPECT_TRUE(load_safetensors(path, target).is_complete());
  expect_array_equal(target.l2.W, trained.l2.W);
  struct Other : FunctionSet {
    F::Convolution2D& l1 = add("l1", F::Convolution2D(none, 5, 3));
    F::Linear& l2 = add("l2", F::Linear(none, 4));
  } other;
  const LoadReport report = load_safetensors(path, other, {.strict = false});
  EXPECT_EQ(report.str(),
            "unexpected l1/b; misshaped l2/W (3, 5) float32 instead of (4, 5) float32, l2/b (3,) "
            "float32 instead of (4,) float32, l1/W (5, 4) float32 for a layer without a size");
  std::filesystem::remove(path);
  std::filesystem::remove(states);
}

TEST_P(InputSizeTest, FilesGiveTheVectorsOfSpectralNormalization) {
  struct Critic : FunctionSet {
    F::SpectralNormalization<F::Linear>& score =
        add("score", F::SpectralNormalization(F::Linear(cp::none, 3, {.dtype = cp::float64})));
    Variable operator()(const Variable& x) { return score(x); }
  };
  const ndarray& x = cp::random::standard_normal({4, 5});
  Critic critic, loaded, copied;
  critic(x);
  critic(x);
  const std::string path = file("spectral.npz");
  save_npz(path, critic);
  EXPECT_TRUE(load_npz(path, loaded).is_complete());
  auto copy = deep_copy(loaded);
  EXPECT_TRUE(load_npz(path, copied).is_complete());  // of one that has been copied before
  const using_config test("train", false);
  for (Critic* const other : {&loaded, &copy, &copied}) {
    expect_array_equal((*other)(x).data(), critic(x).data());
    expect_array_equal(other->score.u(), critic.score.u());
  }
  std::filesystem::remove(path);
}

TEST_P(InputSizeTest, EveryLayerThatTakesNone) {
  const auto images = [](std::int64_t channels) {
    return Variable(cp::ones({2, channels, 8, 8}, cp::float32));
  };
  const auto expect = [](const auto& layer, const cp::Shape& first) {
    EXPECT_EQ(layer.parameters()[0].shape(), first);
  };
  F::Convolution2D conv(none, 6, 3, {.pad = 1, .groups = 2});
  conv(images(4));
  expect(conv, {6, 2, 3, 3});
  F::Convolution2D odd(none, 6, 3, {.groups = 2});
  expect_error<cp::ValueError>([&] { odd(images(3)); },
                               "Convolution2D: the groups do not divide the channels; 2 and 3");
  F::Convolution2D by_two(16, 3), by_stride(none, 16, 3, 2, 1);
  by_two(images(5));
  expect(by_two, {16, 5, 3, 3});
  EXPECT_EQ(by_stride(images(5)).shape(), (cp::Shape{2, 16, 4, 4}));
  F::Deconvolution2D deconv(none, 7, 2, {.stride = 2});
  EXPECT_EQ(deconv(images(3)).shape(), (cp::Shape{2, 7, 16, 16}));
  expect(deconv, {3, 7, 2, 2});
  F::ConvolutionND volume(3, none, 4, 2);
  EXPECT_EQ(volume(Variable(cp::ones({1, 2, 3, 3, 3}, cp::float32))).shape(),
            (cp::Shape{1, 4, 2, 2, 2}));
  F::Convolution1D sequence(4, 3);
  sequence(Variable(cp::ones({1, 2, 9}, cp::float32)));
  expect(sequence, {4, 2, 3});
  F::Deconvolution1D back(none, 4, 3);
  back(Variable(cp::ones({1, 2, 9}, cp::float32)));
  expect(back, {2, 4, 3});
  F::Bilinear both(none, none, 5), right(4, none, 5);
  both(Variable(x_), Variable(cp::ones({6, 3}, cp::float32)));
  right(Variable(x_), Variable(cp::ones({6, 2}, cp::float32)));
  expect(both, {4, 3, 5});
  expect(right, {4, 2, 5});
  F::BatchNormalization bn, named({.eps = 1e-3}), nothing(none, {.decay = 0.5});
  for (F::BatchNormalization* const each : {&bn, &named, &nothing}) {
    EXPECT_EQ(each->relu(images(3)).shape(), (cp::Shape{2, 3, 8, 8}));
    EXPECT_EQ(each->avg_var.shape(), cp::Shape{3});
  }
  L::LayerNormalization ln;
  ln(Variable(x_));
  expect(ln, {4});
  F::LayerNorm sum(none);
  sum.of_sum(Variable(x_), Variable(x_));
  expect(sum, {4});
  F::GroupNormalization gn(2);
  gn(images(4));
  expect(gn, {4});
  L::LSTM lstm(none, 3), short_lstm(3);
  for (L::LSTM* const each : {&lstm, &short_lstm}) {
    (*each)(Variable(x_));
    EXPECT_EQ((*each)(Variable(x_)).shape(), (cp::Shape{6, 3}));
    EXPECT_EQ(each->upward.W.shape(), (cp::Shape{12, 4}));
    expect_array_equal(each->upward.b, cp::tile(cp::array({0.f, 0.f, 1.f, 0.f}), 3));
  }
  L::StatelessLSTM stateless(none, 3);
  EXPECT_EQ(stateless({}, {}, Variable(x_))[1].shape(), (cp::Shape{6, 3}));
  L::GRU gru(none, 3);
  gru(Variable(x_));
  EXPECT_EQ(gru(Variable(x_)).shape(), (cp::Shape{6, 3}));
  L::StatefulPeepholeLSTM peephole(none, 3);
  EXPECT_EQ(peephole(Variable(x_)).shape(), (cp::Shape{6, 3}));
  L::Maxout maxout(none, 3, 2);
  EXPECT_EQ(maxout(Variable(x_)).shape(), (cp::Shape{6, 3}));
  L::Inception inception(none, 1, 2, 3, 2, 3, 1);
  EXPECT_EQ(inception(images(5)).shape(), (cp::Shape{2, 8, 8, 8}));
  L::InceptionBN with_norm(none, 1, 2, 3, 2, 3, "max", 1);
  EXPECT_EQ(with_norm(images(5)).shape(), (cp::Shape{2, 8, 8, 8}));
}

TEST_P(InputSizeTest, OptionsHoldAtTheFirstCall) {
  cp::random::seed(5);
  F::Linear drawn(none, 3, {.bias = 2, .initialW = "HeNormal", .dtype = cp::float64});
  drawn(Variable(x_.astype(cp::float64)));
  cp::random::seed(5);
  const F::Linear same(4, 3, {.initialW = "HeNormal", .dtype = cp::float64});
  expect_array_equal(drawn.W, same.W);
  expect_array_equal(drawn.b, cp::full({3}, 2.0));
  F::Linear bare(none, 3, {.nobias = true}), manual(none, 3, 1.0, 0.5), later(none, 3, true);
  for (F::Linear* const each : {&bare, &manual, &later}) (*each)(Variable(x_));
  EXPECT_TRUE(bare.b.is_none() && later.b.is_none());
  expect_array_equal(manual.b, cp::full({3}, 0.5, cp::float32));
  F::Linear rows(none, 3);
  rows(Variable(x_.reshape({3, 2, 4})));  // 8 elements each
  EXPECT_EQ(rows.W.shape(), (cp::Shape{3, 8}));
}

TEST_P(InputSizeTest, ScaledLossesAndSecondGradients) {
  Net net;
  O::SGD optimizer(0.1);
  optimizer.setup(net);
  optimizer.scale_loss({.initial = 8});
  optimizer.update([&] { return loss(net); });
  EXPECT_EQ(optimizer.loss_scale(), 8);
  EXPECT_EQ(optimizer.skipped_updates(), 0);
  F::Linear layer(none, 1);
  const Variable x(x_), y = F::sum(F::square(layer(x)));
  y.backward({.enable_double_backprop = true});
  layer.zero_grads();
  F::sum(F::square(x.grad_var())).backward();
  EXPECT_NE(F::sum(F::square(Variable(layer.gW))).item<float>(), 0);
}

TEST_P(InputSizeTest, ThreadsThatCallALayerFirst) {
  F::Linear layer(none, 3);
  std::vector<ndarray> results(4);
  std::vector<std::thread> threads;
  const cp::Device where = device();
  for (ndarray& result : results) {
    threads.emplace_back([&] {
      const cp::DeviceScope scope(where);
      result = layer(Variable(x_, true)).data();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ndarray& result : results) expect_array_equal(result, results[0]);
}

TEST_P(InputSizeTest, LayersGoWhereTheyWereSentBeforeTheFirstCall) {
  if (device().is_cpu()) {  // sent to the host from nowhere else they stay there
    Net net;
    net.to_cpu();
    EXPECT_TRUE(net(Variable(cp::ones({2, 4}, cp::float32))).device().is_cpu());
    EXPECT_TRUE(net.l1.gW.device().is_cpu());
    return;
  }
  const cp::DeviceScope host(cp::Device::cpu());
  Net net;
  net.to_gpu(0);
  F::Linear own(none, 2);
  own.to_gpu(0);
  const Variable x(cp::ones({2, 4}, cp::float32).to(cp::Device::cuda(0)));
  EXPECT_TRUE(net(x).device().is_cuda() && own(x).device().is_cuda());
  EXPECT_TRUE(net.l1.gW.device().is_cuda());
  Net stays;
  expect_error<cp::TypeError>([&] { stays(x); }, "");
}

}  // namespace
}  // namespace chainerxx
