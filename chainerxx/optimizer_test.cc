// SPDX-License-Identifier: MIT
// What all algorithms share; golden_test holds each to Chainer's numbers.
#include "chainerxx/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

class OptimizerTest : public cupyxx::testing::DeviceTest {
 protected:
  // Sizes from one element to several chunks, in two dtypes.
  void SetUp() override {
    for (const std::int64_t n : {1, 5, 3000, 70000}) {
      const cupyxx::dtype type = n == 5 ? cupyxx::float64 : cupyxx::float32;
      params.push_back(cupyxx::full({n}, 2, type));
      grads.push_back(cupyxx::full({n}, 0.5, type));
    }
  }
  void expect_all(const std::vector<ndarray>& arrays, double value) {
    for (const ndarray& a : arrays) {
      for (const double v : a.to_vector<double>()) ASSERT_NEAR(v, value, 1e-6);
    }
  }

  std::vector<ndarray> params, grads;
  const double count = 1 + 5 + 3000 + 70000;
};
CUPYXX_TEST_ON_DEVICES(OptimizerTest);

TEST_P(OptimizerTest, TakesALayerByItsAddress) {
  F::Linear layer(1, 1);
  optimizers::SGD sgd(0.5);
  sgd.setup(&layer);
  layer.W.fill(2);
  layer.gW.fill(1);
  sgd.update();
  EXPECT_EQ(layer.W.item(), 1.5);
  F::Linear* none = nullptr;
  expect_error<cupyxx::ValueError>([&] { sgd.setup(none); },
                                   "setup: the pointer to the model is null");
}

TEST_P(OptimizerTest, ZeroesAllGradients) {
  optimizers::SGD optimizer;
  optimizer.setup(params, grads);
  const auto version = grads[3].version();
  optimizer.zero_grads();
  expect_all(grads, 0);
  expect_all(params, 2);
  EXPECT_GT(grads[3].version(), version);
}

TEST_P(OptimizerTest, NormIsThatOfAllGradientsTogether) {
  optimizers::SGD optimizer;
  optimizer.setup(params, grads);
  EXPECT_NEAR(optimizer.compute_grads_norm(), 0.5 * std::sqrt(count), 1e-9 * count);
}

TEST_P(OptimizerTest, ClipsToTheNorm) {
  optimizers::SGD optimizer;
  optimizer.setup(params, grads);
  optimizer.clip_grads(1e6);
  expect_all(grads, 0.5);
  optimizer.clip_grads(1);
  expect_all(grads, 1 / std::sqrt(count));
  EXPECT_NEAR(optimizer.compute_grads_norm(), 1, 1e-6);
}

TEST_P(OptimizerTest, ReadOnlyArraysAreRefused) {
  params[1].set_writeable(false);
  optimizers::SGD optimizer;
  expect_error<cupyxx::ValueError>([&] { optimizer.setup(params, grads); },
                                   "setup: a parameter or its gradient is read-only; 1");
  params[1].set_writeable(true);
  grads[2] = cupyxx::broadcast_to(grads[0], {3000});
  expect_error<cupyxx::ValueError>([&] { optimizer.setup(params, grads); },
                                   "setup: a parameter or its gradient is read-only; 2");
}

TEST_P(OptimizerTest, BuiltInAlgorithmsTakeFloatingParameters) {
  params[0] = cupyxx::ones({1}, cupyxx::int32);
  grads[0] = cupyxx::ones({1}, cupyxx::int32);
  optimizers::Adam optimizer;
  expect_error<cupyxx::DtypeError>(
      [&] { optimizer.setup(params, grads); },
      "setup: a parameter is not of float16, float32 or float64; 0 int32");
}

TEST_P(OptimizerTest, ANormToClipToIsNotNegative) {
  optimizers::SGD optimizer;
  optimizer.setup(params, grads);
  expect_error<cupyxx::ValueError>([&] { optimizer.clip_grads(-1); },
                                   "clip_grads: the norm is negative or NaN; -1");
  expect_error<cupyxx::ValueError>([&] { optimizer.clip_grads(std::nan("")); },
                                   "clip_grads: the norm is negative or NaN; nan");
  expect_all(grads, 0.5);
  optimizer.clip_grads(0);
  expect_all(grads, 0);
}

TEST_P(OptimizerTest, DecaysByTheParameters) {
  optimizers::SGD optimizer;
  optimizer.setup(params, grads);
  optimizer.weight_decay(0.25);
  expect_all(grads, 1);
}

TEST_P(OptimizerTest, AccumulatesForeignGradients) {
  optimizers::SGD optimizer;
  optimizer.setup(params, grads);
  std::vector<ndarray> others;
  for (const ndarray& g : grads) others.push_back((g * 3).to_cpu());
  optimizer.accumulate_grads(others);
  expect_all(grads, 2);
  // Of other dtypes and layouts, a broadcast one among them, and the gradients themselves.
  for (std::size_t i = 0; i < others.size(); ++i) {
    others[i] = cupyxx::broadcast_to(cupyxx::array({0.5}), grads[i].shape());
  }
  optimizer.accumulate_grads(others);
  expect_all(grads, 2.5);
  optimizer.accumulate_grads(grads);
  expect_all(grads, 5);
  for (const ndarray& g : grads) g.fill(2);
  others[2] = ndarray();
  expect_error<cupyxx::ValueError>([&] { optimizer.accumulate_grads(others); },
                                   "accumulate_grads: array 2 is None");
  others[2] = cupyxx::zeros({2}, cupyxx::float32);
  expect_error<cupyxx::ShapeError>([&] { optimizer.accumulate_grads(others); },
                                   "accumulate_grads: array 2 has another shape; (2,) for (3000,)");
  expect_all(grads, 2);
  others.pop_back();
  expect_error<cupyxx::ValueError>([&] { optimizer.accumulate_grads(others); },
                                   "accumulate_grads: the number of arrays differs; 3 for 4");
}

TEST_P(OptimizerTest, UpdatesInPlaceAndCounts) {
  optimizers::SGD optimizer({.lr = 0.1});
  optimizer.setup(params, grads);
  const auto* const body = params[0].body();
  optimizer.update();
  EXPECT_EQ(optimizer.t(), 1);
  expect_all(params, 1.95);
  EXPECT_EQ(params[0].body(), body);
  optimizer.set_lr(1);
  optimizer.update();
  expect_all(params, 1.45);
}

TEST_P(OptimizerTest, HooksRunInTheirOrder) {
  optimizers::SGD optimizer({.lr = 1});
  optimizer.setup(params, grads);
  optimizer.add_hook("decay", WeightDecay(0.25));
  optimizer.add_hook("double", [this](Optimizer&) {
    for (const ndarray& g : grads) g *= 2;
  });
  optimizer.update();
  expect_all(params, 2 - 2 * (0.5 + 0.25 * 2));
  expect_error<cupyxx::ValueError>([&] { optimizer.add_hook("decay", WeightDecay(1)); },
                                   "add_hook: the name is taken; \"decay\"");
  optimizer.remove_hook("decay");
  expect_error<cupyxx::IndexError>([&] { optimizer.remove_hook("decay"); },
                                   "remove_hook: there is no hook of this name; \"decay\"");
}

TEST_P(OptimizerTest, FollowsParametersThatAreReplaced) {
  struct Model : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(2, 2));
  } model;
  optimizers::MomentumSGD optimizer({.lr = 1, .momentum = 0.5});
  optimizer.setup(model);
  model.l1.gW.fill(1);
  optimizer.update();
  model.l1.W = cupyxx::full({2, 2}, 10, cupyxx::float32);
  optimizer.update();
  // The momentum of the first update is kept: v = -1.5.
  expect_elements<float>(model.l1.W, {2, 2}, {8.5, 8.5, 8.5, 8.5});
}

TEST_P(OptimizerTest, FollowsAModelToAnotherDevice) {
  struct Model : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(2, 2));
  } model;
  optimizers::Adam optimizer;
  optimizer.setup(model);
  model.to_cpu();
  model.l1.gW.fill(1);
  EXPECT_NO_THROW(optimizer.update());
  for (const NamedField& field : optimizer.fields()) {
    EXPECT_TRUE(field.array->device().is_cpu()) << field.name;
  }
}

TEST_P(OptimizerTest, HandlesStridedAndSharedArrays) {
  const ndarray base = cupyxx::full({4, 6}, 2, cupyxx::float32);
  const ndarray grad = cupyxx::full({6, 4}, 1, cupyxx::float32);
  const ndarray shared_grad = cupyxx::full({6, 4}, 10, cupyxx::float32);
  optimizers::SGD optimizer({.lr = 0.1});
  // The same parameter twice: both updates count, one after the other.
  const std::vector<ndarray> p{base.T(), base.T()}, g{grad, shared_grad};
  optimizer.setup(p, g);
  optimizer.update();
  for (const float v : base.to_vector<float>()) EXPECT_NEAR(v, 2 - 0.1 - 1, 1e-6);
}

// The manual's own algorithm.
struct MySgd final : Optimizer {
  State init_state(const ndarray& param, const ndarray&) override {
    return {cupyxx::zeros_like(param)};
  }
  void update_one(const ndarray& param, const ndarray& grad, State& state) override {
    state[0] += grad;
    param -= state[0] * static_cast<double>(t());
  }
};

TEST_P(OptimizerTest, UsersWriteTheirOwn) {
  MySgd optimizer;
  optimizer.setup(params, grads);
  optimizer.update();
  expect_all(params, 1.5);
  optimizer.update();
  expect_all(params, 1.5 - 2 * 1);
  EXPECT_EQ(optimizer.fields()[1].name, "1/0");
}

TEST_P(OptimizerTest, UpdateOneWorksByItself) {
  optimizers::MomentumSGD optimizer({.lr = 1, .momentum = 0.5});
  State state = optimizer.init_state(params[0], grads[0]);
  optimizer.update_one(params[0], grads[0], state);
  optimizer.update_one(params[0], grads[0], state);
  EXPECT_NEAR(params[0].item<float>(), 2 - 0.5 - 0.75, 1e-6);
  EXPECT_NEAR(state[0].item<float>(), -0.75, 1e-6);
}

TEST_P(OptimizerTest, SetupChecksThePairs) {
  optimizers::SGD optimizer;
  auto wrong = grads;
  wrong[1] = ndarray();
  expect_error<cupyxx::ValueError>([&] { optimizer.setup(params, wrong); },
                                   "setup: a parameter or its gradient is None; 1");
  wrong[1] = cupyxx::zeros({4}, cupyxx::float64);
  expect_error<cupyxx::ValueError>([&] { optimizer.setup(params, wrong); },
                                   "setup: a parameter and its gradient do not match; 1 (5,) "
                                   "float64 on");
  wrong.pop_back();
  expect_error<cupyxx::ValueError>(
      [&] { optimizer.setup(params, wrong); },
      "setup: the numbers of parameters and gradients differ; 4 and 3");
}

// Layers that are plain members of a struct were passed over, and nothing was learnt.
TEST_P(OptimizerTest, ModelsWithoutParametersAreRefused) {
  struct Members : FunctionSet {
    F::Linear l1{1, 1};
    Variable operator()(const Variable& x) { return l1(x); }
  } members;
  optimizers::SGD sgd(0.5);
  sgd.setup(members);
  expect_error<cupyxx::ValueError>(
      [&] { sgd.update([&] {
              return F::sum(members(cupyxx::ones({1, 1}, cupyxx::float32)));
            }); },
      "update: the model has no parameters; a layer is part of it where it is added, "
      "`L::Linear& l1 = add(\"l1\", L::Linear(3, 4));`, and not as a member `L::Linear l1{3, 4};`");
  EXPECT_EQ(sgd.t(), 0);
  FunctionSet empty;  // of a rank without a part
  sgd.setup(empty);
  sgd.update();
  struct Waiting : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(cupyxx::none, 1));
  } waiting;
  sgd.setup(waiting);
  sgd.update();
}

}  // namespace
}  // namespace chainerxx
