// SPDX-License-Identifier: MIT
#include "chainerxx/function_set.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
using cupyxx::Shape;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;
using Names = std::vector<std::string>;

class FunctionSetTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(FunctionSetTest);

static_assert(!std::is_copy_constructible_v<FunctionSet>);
static_assert(!std::is_move_assignable_v<FunctionSet>);
static_assert(std::is_move_constructible_v<F::Linear>);

struct Mlp : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(4, 3));
  F::Linear& l2 = add("l2", F::Linear(3, 2, {.nobias = true}));
  Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
};

struct Block : FunctionSet {
  explicit Block(int units) : fc(add("fc", F::Linear(units, units))) {}
  F::Linear& fc;
};

struct Nested : FunctionSet {
  Block& first = add<Block>("first", 2);
  Block& second = add<Block>("second", 3);
  F::Linear& out = add("out", F::Linear(2, 3));
};

TEST_P(FunctionSetTest, NamesItsFunctions) {
  Mlp model;
  EXPECT_EQ(model.names(), Names({"l1", "l2"}));
  EXPECT_EQ(&model["l1"], &model.l1);
  EXPECT_TRUE(model.contains("l2"));
  EXPECT_FALSE(model.contains("l3"));
  expect_error<cupyxx::IndexError>([&] { model["l3"]; },
                                   "FunctionSet: there is no child of this name; \"l3\"");
  expect_error<cupyxx::ValueError>([&] { model.add("l1", F::Linear(1, 1)); },
                                   "FunctionSet: the name is taken; \"l1\"");
  expect_error<cupyxx::ValueError>([&] { model.add("a/b", F::Linear(1, 1)); },
                                   "FunctionSet: a name is empty or contains '/'; \"a/b\"");
}

TEST_P(FunctionSetTest, CollectsParametersInOneOrder) {
  Mlp model;
  const auto [parameters, gradients] = model.collect_parameters();
  ASSERT_EQ(parameters.size(), 3u);  // no bias in l2
  ASSERT_EQ(gradients.size(), 3u);
  EXPECT_EQ(parameters[0].body(), model.l1.W.body());
  EXPECT_EQ(parameters[1].body(), model.l1.b.body());
  EXPECT_EQ(parameters[2].body(), model.l2.W.body());
  EXPECT_EQ(gradients[2].body(), model.l2.gW.body());
}

TEST_P(FunctionSetTest, TakesTiedLayersWithoutGradients) {
  struct Tied : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(3, 3, {.nobias = true}));
    F::Linear& l2 = add("l2", F::Linear(3, 3, {.nobias = true}));
  } model;
  model.l2.W = model.l1.W;
  EXPECT_EQ(model.parameters().size(), 2u);
  model.l1.gW = ndarray();
  EXPECT_EQ(model.parameters().size(), 2u);
  model.l2.gW = ndarray();
  EXPECT_EQ(model.parameters().size(), 1u);
  optimizers::SGD sgd;
  expect_error<cupyxx::ValueError>([&] { sgd.setup(model); },
                                   "setup: a parameter or its gradient is None; l1/W");
}

TEST_P(FunctionSetTest, WorksWithoutAType) {
  FunctionSet model;
  model.add("l1", F::Linear(4, 3));
  model.add("l2", F::Linear(3, 2));
  const Variable x(cupyxx::ones({5, 4}, cupyxx::float32));
  EXPECT_EQ(model["l2"](model["l1"](x)).shape(), Shape({5, 2}));
}

TEST_P(FunctionSetTest, NestedNamesArePaths) {
  Nested model;
  Names names;
  for (const NamedField& field : model.fields()) names.push_back(field.name);
  EXPECT_EQ(names,
            Names({"first/fc/W", "first/fc/b", "second/fc/W", "second/fc/b", "out/W", "out/b"}));
  EXPECT_EQ(&model["second/fc"], &model.second.fc);
  EXPECT_EQ(&model.set("first"), &model.first);
  expect_error<cupyxx::IndexError>([&] { model["first"]; }, "the child is a set; \"first\"");
}

// Each within the one before: deeper than the stack has frames for.
TEST_P(FunctionSetTest, MayBeDeep) {
  FunctionSet model;
  FunctionSet* inner = &model;
  for (int depth = 0; depth < 200000; ++depth) inner = &inner->add<FunctionSet>("s");
  inner->add("l", F::Linear(2, 2));
}

TEST_P(FunctionSetTest, DeepCopyHasEqualArraysOfItsOwn) {
  Mlp model;
  model.l1.W(0, 0) = 42;
  cupyxx::random::seed(1);
  const auto before = cupyxx::random::get_state().offset();
  auto copy = deep_copy(model);
  EXPECT_EQ(cupyxx::random::get_state().offset(), before);
  expect_array_equal(copy.l1.W, model.l1.W);
  expect_array_equal(copy.l2.W, model.l2.W);
  EXPECT_FALSE(copy.l1.W.shares_memory(model.l1.W));
  EXPECT_EQ(&copy["l1"], &copy.l1);
  EXPECT_TRUE(copy.l2.b.is_none());
  const Variable x(cupyxx::ones({2, 4}, cupyxx::float32));
  expect_array_equal(copy(x).data(), model(x).data());
}

TEST_P(FunctionSetTest, DeepCopyGoesIntoNestedSetsAndExtras) {
  Nested model;
  model.add("extra", F::Linear(1, 1));
  auto copy = deep_copy(model);
  const auto a = model.fields(), b = copy.fields();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    expect_array_equal(*b[i].array, *a[i].array);
    EXPECT_FALSE(b[i].array->shares_memory(*a[i].array));
  }
  copy.add("later", F::Linear(2, 2));  // no longer a copy
  EXPECT_EQ(copy["later"].parameters()[0].shape(), Shape({2, 2}));
}

TEST_P(FunctionSetTest, DeepCopyPassesArgumentsOn) {
  Block block(3);
  auto copy = deep_copy(block, 3);
  expect_array_equal(copy.fc.W, block.fc.W);
}

TEST_P(FunctionSetTest, CopiesParametersWithoutReallocation) {
  Mlp model, other;
  const auto* const body = model.l1.W.body();
  model.copy_parameters_from(other.parameters());
  EXPECT_EQ(model.l1.W.body(), body);
  expect_array_equal(model.l1.W, other.l1.W);
  auto wrong = other.parameters();
  wrong[2] = cupyxx::ones({9}, cupyxx::float32);
  model.l1.W.fill(1);
  expect_error<cupyxx::ShapeError>([&] { model.copy_parameters_from(wrong); },
                                   "copy_parameters_from: array 2 has another shape; (9,) for "
                                   "(2, 3)");
  EXPECT_EQ(model.l1.W(0, 0).item<float>(), 1);
  wrong[2] = ndarray();
  expect_error<cupyxx::ValueError>([&] { model.copy_parameters_from(wrong); },
                                   "copy_parameters_from: array 2 is None");
  wrong.pop_back();
  expect_error<cupyxx::ValueError>([&] { model.copy_parameters_from(wrong); },
                                   "the number of arrays differs; 2 for 3 parameters");
}

TEST_P(FunctionSetTest, MovesAllArrays) {
  Mlp model;
  EXPECT_EQ(&model.to_cpu(), &model);
  EXPECT_TRUE(model.l1.gb.device().is_cpu());
  if (device().is_cuda()) {
    model.to_gpu(device().index);
    EXPECT_EQ(model.l2.gW.device(), device());
  }
}

// The example of the front page: a few steps bring the loss down.
TEST_P(FunctionSetTest, TrainsAsOnTheFrontPage) {
  cupyxx::random::seed(3);
  struct Classifier : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(8, 16));
    F::Linear& l2 = add("l2", F::Linear(16, 4));
    Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
  } model;
  optimizers::Adam optimizer({.alpha = 1e-2});
  optimizer.setup(model);
  const ndarray images = cupyxx::random::normal({32, 8}, {.dtype = cupyxx::float32});
  const ndarray labels = cupyxx::random::randint(0, 4, {32});
  double first = 0, last = 0;
  for (int step = 0; step < 60; ++step) {
    auto loss = F::softmax_cross_entropy(model(images), labels);
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
    last = loss.data().item<double>();
    if (step == 0) first = last;
  }
  EXPECT_LT(last, 0.5 * first);
}

TEST_P(FunctionSetTest, GradientsOfAnotherSetAreAdded) {
  struct Two : FunctionSet {
    F::Linear& a = add("a", F::Linear(2, 2));
    F::Linear& b = add("b", F::Linear(2, 2));
  } model, other, tied;
  model.a.gW.fill(1);
  other.a.gW.fill(2);
  other.b.gb.fill(3);
  model.addgrads(other);
  EXPECT_EQ(model.a.gW.to_vector<float>(), std::vector<float>({3, 3, 3, 3}));
  EXPECT_EQ(model.b.gb.to_vector<float>(), std::vector<float>({3, 3}));
  EXPECT_EQ(other.a.gW.to_vector<float>(), std::vector<float>({2, 2, 2, 2}));
  for (Two* set : {&model, &tied}) {
    set->b.W = set->a.W;
    set->b.gW = set->a.gW;
  }
  tied.a.gW.fill(1);
  model.addgrads(tied);  // once
  EXPECT_EQ(model.b.gW.to_vector<float>(), std::vector<float>({4, 4, 4, 4}));

  struct Wide : FunctionSet {
    F::Linear& a = add("a", F::Linear(3, 2));
  } wide;
  struct Half : FunctionSet {
    F::Linear& a = add("a", F::Linear(2, 2));
  } half;
  half.a.gW.fill(1);
  cupyxx::testing::expect_error<cupyxx::ShapeError>(
      [&] { wide.addgrads(model); },
      "addgrads: a/W has another shape in the source; (2, 2) for (2, 3)");
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { other.addgrads(half); }, "addgrads: the source has no gradient of this name; b/W");
  EXPECT_EQ(other.a.gW.to_vector<float>(), std::vector<float>({2, 2, 2, 2}));
}

// Not all layers take a dtype when they are made.
TEST_P(FunctionSetTest, TakesAnotherDtype) {
  struct Net : FunctionSet {
    F::EmbedID& embed = add("embed", F::EmbedID(5, 4));
    F::StatefulLSTM& lstm = add("lstm", F::StatefulLSTM(4, 3));
    F::BatchNormalization& bn = add("bn", F::BatchNormalization(3));
    F::Linear& out = add("out", F::Linear(4, 5));
    Net() {
      out.W = embed.W;
      out.gW = embed.gW;
    }
    Variable operator()(const Variable& ids) { return bn(lstm(embed(ids))); }
  } net;
  const ndarray ids = cupyxx::array({1, 4, 2}, cupyxx::int32);
  optimizers::Adam optimizer;
  optimizer.setup(net);
  const ndarray before = net.embed.W.copy();
  net.astype(cupyxx::float64);
  expect_array_equal(net.embed.W, before.astype(cupyxx::float64));
  EXPECT_EQ(net.out.W.body(), net.embed.W.body());
  EXPECT_EQ(net.out.gW.body(), net.embed.gW.body());
  for (const NamedField& field : net.fields()) {
    if (field.array->dtype().is_floating()) {
      EXPECT_EQ(field.array->dtype(), cupyxx::float64) << field.name;
    }
  }
  const Variable loss = F::sum(F::square(net(ids)));
  EXPECT_EQ(loss.dtype(), cupyxx::float64);
  net.cleargrads();
  loss.backward();
  optimizer.update();
  net.lstm.reset_state();
  net.astype(cupyxx::float32);
  EXPECT_EQ(net(ids).dtype(), cupyxx::float32);
  expect_error<cupyxx::DtypeError>([&] { net.astype(cupyxx::int32); },
                                   "FunctionSet.astype: the dtype is not floating; int32");
  FunctionSet waiting;
  waiting.add("l", F::Linear(cupyxx::none, 2));
  expect_error<cupyxx::ValueError>([&] { waiting.astype(cupyxx::float64); },
                                   "FunctionSet.astype: ");
}

}  // namespace
}  // namespace chainerxx
