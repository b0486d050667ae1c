// SPDX-License-Identifier: MIT
// Sequential, ChainList, and children that are replaced.
#include "chainerxx/sequential.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "chainerxx/chain_list.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
using cupyxx::float32;
using cupyxx::Shape;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;
using Names = std::vector<std::string>;

class SequentialTest : public cupyxx::testing::DeviceTest {
 protected:
  SequentialTest() { cupyxx::random::seed(1); }

  Variable x{cupyxx::random::normal({5, 4}, {.dtype = float32})};
};
CUPYXX_TEST_ON_DEVICES(SequentialTest);

Names fields_of(FunctionSet& set) {
  Names names;
  for (const NamedField& field : set.fields()) names.push_back(field.name);
  return names;
}

void expect_equal_copies(FunctionSet& a, FunctionSet& b) {
  const auto from = a.fields(), to = b.fields();
  ASSERT_EQ(fields_of(a), fields_of(b));
  for (std::size_t i = 0; i < from.size(); ++i) {
    expect_array_equal(*to[i].array, *from[i].array);
    EXPECT_FALSE(to[i].array->shares_memory(*from[i].array));
  }
}

/// A set with a Sequential inside, as the constructor makes it and as its body fills it.
struct Block : FunctionSet {
  explicit Block(int units) : fc(add("fc", F::Linear(units, units))) {
    body.append(F::ReLU()).append(layer<F::Linear>(units, units));
  }
  F::Linear& fc;
  Sequential& body = add<Sequential>("body", layer<F::Linear>(4, 4));
  Variable operator()(const Variable& h) { return body(fc(h)); }
};

Variable twice(const Variable& h) { return h + h; }

TEST_P(SequentialTest, AppliesItsLayersInOrder) {
  Sequential model(
      layer<F::Linear>(4, 3), F::ReLU(), [](const Variable& h) { return h * 2; }, F::Linear(3, 2),
      twice);
  EXPECT_EQ(model.size(), 5);
  EXPECT_EQ(fields_of(model), Names({"0/W", "0/b", "1/W", "1/b"}));
  auto &first = model.get<F::Linear>(0), &last = model.get<F::Linear>(-2);
  EXPECT_EQ(&model["1"], &last);
  expect_array_equal(model(x).data(), twice(last(F::relu(first(x)) * 2)).data());
  const Variable y = model(x);
  y.set_grad(cupyxx::ones_like(y.data()));
  y.backward();
  EXPECT_GT(cupyxx::absolute(first.gW).max().item<float>(), 0);
}

TEST_P(SequentialTest, WithoutLayersGivesItsArgument) {
  Sequential model;
  EXPECT_EQ(model(x).node(), x.node());
}

TEST_P(SequentialTest, LayersAreInsertedTakenOutAndReplaced) {
  Sequential model(layer<F::Linear>(4, 3), layer<F::Linear>(3, 2));
  auto& last = model.get<F::Linear>(1);
  model.insert(1, F::ReLU()).insert(1, F::BatchNormalization(3)).insert(4, F::Tanh());
  EXPECT_EQ(fields_of(model),
            Names({"0/W", "0/b", "1/gamma", "1/beta", "1/avg_mean", "1/avg_var", "2/W", "2/b"}));
  EXPECT_EQ(&model["2"], &last);
  EXPECT_EQ(model(x).shape(), Shape({5, 2}));
  EXPECT_EQ(model.count_by_layer_type<F::Linear>(), 2);
  EXPECT_EQ(model.count_by_layer_type<F::ReLU>(), 1);
  model.remove_by_layer_type<F::BatchNormalization>();
  EXPECT_EQ(&model["1"], &last);
  model.pop();
  model.pop(1);
  EXPECT_EQ(model.size(), 2);
  model.replace(1, layer<F::Linear>(3, 7));
  EXPECT_EQ(model(x).shape(), Shape({5, 7}));
  EXPECT_EQ(model.names(), Names({"0", "1"}));
  model.clear();
  EXPECT_TRUE(model.parameters().empty());
}

TEST_P(SequentialTest, DeepCopyHasLayersOfItsOwn) {
  Sequential model(layer<F::Linear>(4, 4), F::ReLU(), layer<Block>(4),
                   Sequential(F::Linear(4, 2), twice));
  model.add("extra", F::Linear(1, 1));
  cupyxx::random::seed(3);
  const auto before = cupyxx::random::get_state().offset();
  auto copy = deep_copy(model);
  EXPECT_EQ(cupyxx::random::get_state().offset(), before);
  EXPECT_EQ(fields_of(model),
            Names({"0/W", "0/b", "1/fc/W", "1/fc/b", "1/body/0/W", "1/body/0/b", "1/body/1/W",
                   "1/body/1/b", "2/0/W", "2/0/b", "extra/W", "extra/b"}));
  expect_equal_copies(model, copy);
  expect_array_equal(copy(x).data(), model(x).data());
  copy.append(F::Linear(2, 1));  // no longer a copy
  EXPECT_EQ(copy(x).shape(), Shape({5, 1}));
  EXPECT_EQ(model(x).shape(), Shape({5, 2}));
}

TEST_P(SequentialTest, SetsWithSequentialsInsideAreCopied) {
  Block block(4);
  EXPECT_EQ(block.body.size(), 3);
  auto copy = deep_copy(block, 4);
  expect_equal_copies(block, copy);
  expect_array_equal(copy(x).data(), block(x).data());
}

TEST_P(SequentialTest, RepeatsWithNewEqualOrTheSameArrays) {
  const Sequential block(layer<F::Linear>(4, 4), F::ReLU());
  Sequential fresh = block.repeat(2), equal = block.repeat(2, CopyMode::copy),
             tied = block.repeat(2, CopyMode::share);
  EXPECT_EQ(fields_of(fresh), Names({"0/0/W", "0/0/b", "1/0/W", "1/0/b"}));
  const auto weights = [](Sequential& model, int i) {
    return model.get<Sequential>(i).get<F::Linear>(0).W;
  };
  EXPECT_GT(cupyxx::absolute(weights(fresh, 0) - weights(fresh, 1)).max().item<float>(), 0);
  expect_array_equal(weights(equal, 0), weights(equal, 1));
  EXPECT_FALSE(weights(equal, 0).shares_memory(weights(equal, 1)));
  EXPECT_EQ(weights(tied, 0).body(), weights(tied, 1).body());
  EXPECT_EQ(tied.parameters().size(), 2u);
  EXPECT_EQ(block.repeat(0).size(), 0);
  const Sequential of_objects(F::ReLU(), F::Linear(4, 4));
  expect_error<cupyxx::ValueError>([&] { of_objects.repeat(2); },
                                   "Sequential: layer 1 was given as an object, whose starting "
                                   "values cannot be drawn again");
  EXPECT_EQ(of_objects.repeat(2, CopyMode::copy)(x).shape(), Shape({5, 4}));
}

TEST_P(SequentialTest, FlattensWithTheSameArrays) {
  Sequential model(layer<F::Linear>(4, 4), Sequential(F::ReLU(), Sequential(F::Linear(4, 2))));
  Sequential flat = model.flatten();
  EXPECT_EQ(flat.size(), 3);
  EXPECT_EQ(fields_of(flat), Names({"0/W", "0/b", "1/W", "1/b"}));
  expect_array_equal(flat(x).data(), model(x).data());
  EXPECT_EQ(flat.parameters()[2].body(), model.parameters()[2].body());
}

TEST_P(SequentialTest, MovesAndTakesParameters) {
  Sequential model(layer<F::Linear>(4, 3), layer<F::Linear>(3, 2)), other = model.copy();
  model.get<F::Linear>(0).W.fill(7);
  other.copy_parameters_from(model.parameters());
  expect_array_equal(other.get<F::Linear>(0).W, model.get<F::Linear>(0).W);
  model.to_cpu();
  EXPECT_TRUE(model.get<F::Linear>(1).gb.device().is_cpu());
}

TEST_P(SequentialTest, RefusesWhatThereIsNot) {
  Sequential model(layer<F::Linear>(4, 3), F::ReLU());
  expect_error<cupyxx::IndexError>([&] { model.pop(2); },
                                   "Sequential: there is no layer of this number; 2 of 2");
  expect_error<cupyxx::IndexError>([&] { model.insert(-3, F::ReLU()); },
                                   "Sequential: there is no layer of this number; -3 of 2");
  expect_error<cupyxx::TypeError>([&] { model.get<F::BatchNormalization>(0); },
                                  "Sequential: layer 0 is of another type");
  expect_error<cupyxx::TypeError>([&] { model.get<F::ReLU>(1); },
                                  "Sequential: layer 1 has no arrays");
  EXPECT_EQ(model.size(), 2);
}

TEST_P(SequentialTest, ChainListsNumberTheirChildren) {
  struct Tower : ChainList {
    explicit Tower(int depth) {
      for (int i = 0; i < depth; ++i) add_link(F::Linear(4, 4));
      add_link<Block>(4);
    }
  } tower(2);
  EXPECT_EQ(tower.size(), 3);
  EXPECT_EQ(tower.names(), Names({"0", "1", "2"}));
  EXPECT_EQ(&tower[0], &tower["0"]);
  EXPECT_EQ(&tower[-2], &tower["1"]);
  EXPECT_EQ(&tower.set(2), &tower.set("2"));
  auto copy = deep_copy(tower, 2);
  expect_equal_copies(tower, copy);
  ChainList list(F::Linear(4, 3), F::Linear(3, 2));
  list.add_link<Block>(4);  // from outside
  auto same = deep_copy(list);
  expect_equal_copies(list, same);
  expect_error<cupyxx::IndexError>([&] { list[3]; },
                                   "ChainList: there is no layer of this number; 3 of 3");
  expect_error<cupyxx::IndexError>([&] { list[2]; }, "FunctionSet: the child is a set; \"2\"");
  list.append(Block(4));
  list.append(F::Linear(2, 1));
  EXPECT_EQ(list.names(), Names({"0", "1", "2", "3", "4"}));
}

TEST_P(SequentialTest, ChildrenAreReplaced) {
  struct Mlp : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(4, 3));
    F::Linear& l2 = add("l2", F::Linear(3, 2));
    Variable operator()(const Variable& h) { return l2(l1(h)); }
  } model;
  F::Linear& fresh = model.replace("l2", F::Linear(3, 7));
  EXPECT_EQ(&fresh, &model.l2);  // the member is the new layer
  EXPECT_EQ(model(x).shape(), Shape({5, 7}));
  EXPECT_EQ(model.parameters()[2].shape(), Shape({7, 3}));
  auto copy = deep_copy(model);
  expect_equal_copies(model, copy);

  FunctionSet plain;
  F::Linear& old = plain.add("a", F::Linear(4, 3));
  plain.add("b", F::Linear(3, 2));
  plain.replace("a", F::BatchNormalization(4));
  EXPECT_EQ(plain.names(), Names({"a", "b"}));
  EXPECT_EQ(plain["a"].fields()[0].name, std::string("gamma"));
  EXPECT_EQ(old(x).shape(), Shape({5, 3}));  // it lives on
  auto& block = plain.replace<Block>("b", 4);
  EXPECT_EQ(&plain.set("b"), &block);
  auto same = deep_copy(plain);
  expect_equal_copies(plain, same);
  expect_error<cupyxx::IndexError>([&] { plain.replace("c", F::Linear(1, 1)); },
                                   "replace: there is no child of this name; \"c\"");
}

/// A set that keeps what it was given by reference cannot be made again.
struct Counting : FunctionSet {
  explicit Counting(int& made) { ++made; }
};

/// Its arguments may be gone when a copy is made.
struct Sized : FunctionSet {
  explicit Sized(std::span<const int> sizes) { add("l", F::Linear(sizes[0], sizes[1])); }
};
/// The text is kept as a string.
struct Named : FunctionSet {
  explicit Named(const std::string& name) { add(name, F::Linear(2, 3)); }
};

TEST_P(SequentialTest, SetsThatCannotBeMadeAgainAreRefused) {
  int made = 0;
  FunctionSet plain;
  plain.add<Counting>("c", made);
  EXPECT_EQ(made, 1);
  expect_error<cupyxx::ValueError>(
      [&] { deep_copy(plain); },
      "deep_copy: a set added from outside cannot be made again with the same arguments; c");
  FunctionSet other;
  {
    const std::vector<int> sizes{4, 3};
    other.add<Sized>("s", std::span<const int>(sizes));
  }
  expect_error<cupyxx::ValueError>(
      [&] { deep_copy(other); },
      "deep_copy: a set added from outside cannot be made again with the same arguments; s");
  FunctionSet texts;
  {
    const std::string name = "a name that is longer than what fits into a string itself";
    texts.add<Named>("n", name.c_str());
  }
  auto same = deep_copy(texts);
  expect_equal_copies(texts, same);
}

}  // namespace
}  // namespace chainerxx
