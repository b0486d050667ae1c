// SPDX-License-Identifier: MIT
// Layers that a model gets and loses behind setup() of an optimizer.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;
using Names = std::vector<std::string>;

class LaterLayersTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(LaterLayersTest);

struct Model : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(1, 1));
};

/// Parameters of 0 and gradients of 1.
void fill(FunctionSet& model) {
  for (const SetParameter& p : model.params()) {
    p.data().fill(0);
    p.grad().fill(1);
  }
}

F::Linear layer_of_ones() {
  F::Linear layer(1, 1);
  layer.W.fill(1);
  return layer;
}

TEST_P(LaterLayersTest, AreTrainedWithStatesOfTheirOwn) {
  Model model;
  optimizers::MomentumSGD optimizer({.lr = 1, .momentum = 0.5});
  optimizer.setup(model);
  fill(model);
  optimizer.update();
  F::Linear& l2 = model.add("l2", F::Linear(1, 1));
  l2.W.fill(0);
  l2.gW.fill(1);
  optimizer.update();
  expect_elements<float>(model.l1.W, {1, 1}, {-2.5f});  // v: -1, then -1.5
  expect_elements<float>(l2.W, {1, 1}, {-1});
  EXPECT_EQ(optimizer.fields().size(), 4u);
  EXPECT_EQ(optimizer.fields()[2].name, "l2/W/v");
  EXPECT_EQ(optimizer.t(), 2);
}

// Zeroing, norms and clipping know them, too.
TEST_P(LaterLayersTest, CountInTheNorm) {
  Model model;
  optimizers::SGD optimizer(1);
  optimizer.setup(model);
  model.add("l2", F::Linear(1, 1));
  fill(model);
  EXPECT_DOUBLE_EQ(optimizer.compute_grads_norm(), 2);
  optimizer.zero_grads();
  EXPECT_DOUBLE_EQ(optimizer.compute_grads_norm(), 0);
}

TEST_P(LaterLayersTest, TakeTheirSizesWhenTheyAreCalled) {
  Model model;
  optimizers::SGD optimizer(1);
  optimizer.setup(model);
  F::Linear& l2 = model.add("l2", F::Linear(cupyxx::none, 1));
  optimizer.update();
  l2(Variable(cupyxx::ones({1, 2}, cupyxx::float32)));
  fill(model);
  optimizer.update();
  expect_elements<float>(l2.W, {1, 2}, {-1, -1});
}

// Sizes and layers that come between two updates.
TEST_P(LaterLayersTest, ComeBesideNewSizes) {
  struct Unsized : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(cupyxx::none, 1));
  } model;
  optimizers::MomentumSGD optimizer({.lr = 1, .momentum = 0.5});
  optimizer.setup(model);
  optimizer.add_group("slow", {"l1"}, {.rate = 0.5});
  model.l1(Variable(cupyxx::ones({1, 2}, cupyxx::float32)));
  F::Linear& l2 = model.add("l2", F::Linear(1, 1));
  fill(model);
  optimizer.update();
  expect_elements<float>(model.l1.W, {1, 2}, {-0.5f, -0.5f});
  expect_elements<float>(l2.W, {1, 1}, {-1});
  EXPECT_EQ(optimizer.fields().size(), 4u);
}

TEST_P(LaterLayersTest, JoinTheGroupWhoseNamesFit) {
  Model model;
  optimizers::SGD optimizer(1);
  optimizer.setup(model);
  optimizer.add_group("biases", {"*/b"}, {.rate = 0});
  F::Linear& l2 = model.add("l2", F::Linear(1, 1));
  fill(model);
  optimizer.update();
  expect_elements<float>(l2.W, {1, 1}, {-1});
  expect_elements<float>(l2.b, {1}, {0});
  EXPECT_EQ(optimizer.group("biases").parameters, (Names{"l1/b", "l2/b"}));
  EXPECT_EQ(optimizer.group("default").parameters, (Names{"l1/W", "l2/W"}));
}

TEST_P(LaterLayersTest, OfInnerSetsAndOfSequentialsAreTrained) {
  struct Outer : FunctionSet {
    Model& inner = add<Model>("inner");
    Sequential& layers = add<Sequential>("layers");
  } model;
  optimizers::SGD optimizer(1);
  optimizer.setup(model);
  model.inner.add("l2", F::Linear(1, 1));
  model.layers.append(layer<F::Linear>(1, 1));
  fill(model);
  optimizer.update();
  for (const ndarray& p : model.parameters()) EXPECT_EQ(p.sum().item<float>(), -1);
}

// The new layer is of another type, so that it is another object.
TEST_P(LaterLayersTest, MayStandInThePlaceOfOthers) {
  Model model;
  optimizers::MomentumSGD optimizer({.lr = 1, .momentum = 0.5});
  optimizer.setup(model);
  fill(model);
  optimizer.update();
  F::Bilinear& other = model.replace("l1", F::Bilinear(1, 1, 1));
  fill(model);
  optimizer.update();
  expect_elements<float>(other.W, {1, 1, 1}, {-1});
  EXPECT_EQ(optimizer.fields()[0].name, "l1/W/v");
}

// A layer that is gone is not touched; one that is made in its memory does not take its state over.
TEST_P(LaterLayersTest, GoneOnesLeave) {
  Sequential model(layer<F::Linear>(1, 1), layer<F::Linear>(1, 1));
  optimizers::MomentumSGD optimizer({.lr = 1, .momentum = 0.5});
  optimizer.setup(model);
  fill(model);
  optimizer.update();
  model.pop(0);
  EXPECT_EQ(optimizer.fields().size(), 2u);
  EXPECT_EQ(optimizer.group("default").parameters, (Names{"0/W", "0/b"}));
  optimizer.update();
  expect_elements<float>(model.get<F::Linear>(0).W, {1, 1}, {-2.5f});
  for (int i = 0; i < 8; ++i) {
    model.pop();
    model.append(layer<F::Linear>(1, 1));
    fill(model);
    optimizer.update();
    expect_elements<float>(model.get<F::Linear>(0).W, {1, 1}, {-1});
  }
}

TEST_P(LaterLayersTest, OneThatIsTiedMovesOnce) {
  Model model;
  optimizers::SGD optimizer(1);
  optimizer.setup(model);
  F::Linear& l2 = model.add("l2", F::Linear(1, 1));
  l2.W = model.l1.W;
  l2.gW = model.l1.gW;
  fill(model);
  optimizer.update();
  expect_elements<float>(model.l1.W, {1, 1}, {-1});
}

TEST_P(LaterLayersTest, AModelMayMove) {
  optimizers::SGD optimizer(1);
  std::optional<FunctionSet> model(std::in_place);
  model->add("l1", F::Linear(1, 1));
  optimizer.setup(*model);
  FunctionSet moved = std::move(*model);
  model.reset();
  EXPECT_EQ(&optimizer.target(), &moved);
  moved.add("l2", F::Linear(1, 1));
  fill(moved);
  optimizer.update();
  for (const ndarray& p : moved.parameters()) EXPECT_EQ(p.sum().item<float>(), -1);
}

TEST_P(LaterLayersTest, AModelThatIsGoneIsAnError) {
  optimizers::SGD optimizer(1);
  auto model = std::make_unique<Model>();
  optimizer.setup(*model);
  model.reset();
  expect_error<cupyxx::ValueError>([&] { optimizer.update(); },
                                   "Optimizer: the model given to setup() lives no longer");
  expect_error<cupyxx::ValueError>([&] { optimizer.target(); }, "lives no longer");
}

TEST_P(LaterLayersTest, ASingleLayerMayMove) {
  optimizers::MomentumSGD optimizer(1, 0.5);
  std::optional<F::Linear> layer(layer_of_ones());
  optimizer.setup(*layer);
  layer->gW.fill(1);
  optimizer.update();  // the state is 1 * gradient
  F::Linear moved = std::move(*layer);
  layer.reset();
  moved.gW.fill(1);
  optimizer.update();  // 1.5 of it
  expect_elements<float>(moved.W, {1, 1}, {-1.5f});
  std::vector<F::Linear> grown;
  grown.push_back(std::move(moved));
  grown.reserve(grown.capacity() + 1);
  grown[0].gW.fill(0);
  optimizer.update();
  expect_elements<float>(grown[0].W, {1, 1}, {-2.25f});
  F::Linear assigned = layer_of_ones();
  assigned = std::move(grown[0]);
  grown.clear();
  optimizer.zero_grads();
  optimizer.update();
  expect_elements<float>(assigned.W, {1, 1}, {-2.625f});
}

TEST_P(LaterLayersTest, ASingleLayerThatIsGoneIsAnError) {
  constexpr const char* kWords =
      "Optimizer: the layer given to setup() lives no longer: call setup() with the one that takes "
      "its place";
  optimizers::Adam optimizer;
  {
    F::Linear layer = layer_of_ones();
    optimizer.setup(layer);
  }
  F::Linear other = layer_of_ones(), place = layer_of_ones();
  expect_error<cupyxx::ValueError>([&] { optimizer.update(); }, kWords);
  expect_error<cupyxx::ValueError>([&] { optimizer.zero_grads(); }, kWords);
  expect_error<cupyxx::ValueError>([&] { optimizer.clip_grads(1); }, kWords);
  expect_error<cupyxx::ValueError>([&] { optimizer.add_group("a", {"W"}); }, kWords);
  expect_error<cupyxx::ValueError>([&] { optimizer.fields(); }, kWords);
  EXPECT_EQ(optimizer.groups().size(), 1u);
  optimizer.setup(place);
  optimizers::SGD second(1);
  second.setup(other);
  place = std::move(other);  // one place for two layers
  expect_error<cupyxx::ValueError>([&] { optimizer.update(); }, kWords);
  place.gW.fill(1);
  second.update();
  expect_elements<float>(place.W, {1, 1}, {0});
  optimizer.setup(place);
  optimizer.update();
}

TEST_P(LaterLayersTest, ASingleLayerThatWaitsForItsSizeMayMove) {
  optimizers::SGD optimizer(1);
  std::optional<F::Linear> layer(std::in_place, cupyxx::none, 1);
  optimizer.setup(*layer);
  F::Linear moved = std::move(*layer);
  layer.reset();
  moved(Variable(cupyxx::ones({1, 1}, cupyxx::float32)));
  moved.W.fill(1);
  moved.gW.fill(1);
  optimizer.update();
  expect_elements<float>(moved.W, {1, 1}, {0});
}

// Hooks see what has got its size in the first call, before the first update.
TEST_P(LaterLayersTest, HooksSeeNewSizes) {
  struct Unsized : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(cupyxx::none, 1));
  } model;
  optimizers::SGD optimizer(1);
  optimizer.setup(model);
  optimizer.add_hook(GradientLARS());
  model.l1(Variable(cupyxx::ones({1, 1}, cupyxx::float32)));
  model.l1.W.fill(2);
  model.l1.gW.fill(8);
  optimizer.update();
  expect_elements<float>(model.l1.W, {1, 1}, {0});  // a gradient of the parameter's norm
}

}  // namespace
}  // namespace chainerxx
