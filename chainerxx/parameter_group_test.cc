// SPDX-License-Identifier: MIT
#include "chainerxx/parameter_group.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
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

namespace F = functions;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

struct Block : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(2, 3));
  F::Linear& l2 = add("l2", F::Linear(3, 2));
};
struct Model : FunctionSet {
  Block& body = add<Block>("body");
  F::Linear& head = add("head", F::Linear(2, 1));
  /// Parameters of 2 and gradients of 1.
  void fill() {
    for (ndarray& p : parameters()) p.fill(2);
    for (ndarray& g : gradients()) g.fill(1);
  }
};

class ParameterGroupTest : public cupyxx::testing::DeviceTest {
 protected:
  Model model;
};
CUPYXX_TEST_ON_DEVICES(ParameterGroupTest);

using Names = std::vector<std::string>;

/// Copies of the states of the layer "head".
State states(Optimizer& optimizer) {
  State copies;
  for (const NamedField& field : optimizer.fields()) {
    if (field.name.starts_with("head/")) copies.push_back(field.array->copy());
  }
  return copies;
}

TEST_P(ParameterGroupTest, ScalesTheRate) {
  optimizers::SGD optimizer({.lr = 0.5});
  optimizer.setup(model);
  model.fill();
  optimizer.add_group("biases", {"*/b"}, {.rate = 2});
  ParameterGroup& frozen = optimizer.add_group("frozen", {"body/l1/W"}, {.rate = 0});
  optimizer.update();
  expect_elements<float>(model.head.W, {1, 2}, {1.5, 1.5});
  expect_elements<float>(model.head.b, {1}, {1});
  expect_elements<float>(model.body.l2.b, {2}, {1, 1});
  expect_elements<float>(model.body.l1.W, {3, 2}, {2, 2, 2, 2, 2, 2});

  frozen.rate = 0.5;  // with the next update
  optimizer.group("default").rate = 0;
  optimizer.update();
  expect_elements<float>(model.body.l1.W, {3, 2}, {1.75, 1.75, 1.75, 1.75, 1.75, 1.75});
  expect_elements<float>(model.head.W, {1, 2}, {1.5, 1.5});
  expect_elements<float>(model.head.b, {1}, {0});
}

TEST_P(ParameterGroupTest, ScalesTheDecay) {
  optimizers::SGD optimizer({.lr = 1});
  optimizer.setup(model);
  model.fill();
  optimizer.add_group("biases", {"*/b"}, {.decay = 0});
  optimizer.add_group("strong", {"head/W"}, {.decay = 3});
  optimizer.add_hook("decay", WeightDecay(0.25));
  optimizer.update();
  expect_elements<float>(model.head.gb, {1}, {1});
  expect_elements<float>(model.head.gW, {1, 2}, {2.5, 2.5});
  expect_elements<float>(model.body.l2.gb, {2}, {1, 1});
  expect_elements<float>(model.body.l2.gW, {2, 3}, {1.5, 1.5, 1.5, 1.5, 1.5, 1.5});
}

/// Three updates with one group at a tenth of the rate, against two optimizers without groups.
template <class Make>
void expect_like_two_optimizers(Model& model, Make&& make) {
  cupyxx::random::seed(2);
  const std::vector<ndarray> start = model.parameters();
  std::vector<ndarray> slow, slow_grads, fast, fast_grads;
  for (std::size_t i = 0; i < start.size(); ++i) {
    start[i].set(cupyxx::random::uniform(start[i].shape(), {.dtype = cupyxx::float32}));
    model.gradients()[i].set(cupyxx::random::uniform(start[i].shape(), {.dtype = cupyxx::float32}));
    (i < 4 ? slow : fast).push_back(start[i].copy());
    (i < 4 ? slow_grads : fast_grads).push_back(model.gradients()[i].copy());
  }
  const auto grouped = make(1), tenth = make(0.1), whole = make(1);
  grouped->setup(model);
  grouped->add_group("slow", {"body"}, {.rate = 0.1});
  tenth->setup(slow, slow_grads);
  whole->setup(fast, fast_grads);
  for (int i = 0; i < 3; ++i) {
    for (const auto& optimizer : {grouped, tenth, whole}) optimizer->update();
  }
  for (std::size_t i = 0; i < start.size(); ++i) {
    expect_allclose(model.parameters()[i], i < 4 ? slow[i] : fast[i - 4], 1e-6);
  }
}

TEST_P(ParameterGroupTest, EveryAlgorithmTakesTheRate) {
  namespace O = optimizers;
  const auto check = [&](auto&& make) { expect_like_two_optimizers(model, make); };
  check([](double r) { return std::make_shared<O::SGD>(O::SGDOptions{.lr = 0.3 * r}); });
  check([](double r) {
    return std::make_shared<O::MomentumSGD>(O::MomentumSGDOptions{.lr = 0.3 * r});
  });
  check([](double r) {
    return std::make_shared<O::CorrectedMomentumSGD>(O::CorrectedMomentumSGDOptions{.lr = 0.3 * r});
  });
  check([](double r) { return std::make_shared<O::Adam>(O::AdamOptions{.alpha = 0.3 * r}); });
  check([](double r) {
    return std::make_shared<O::AdamW>(O::AdamWOptions{.alpha = 0.3 * r, .weight_decay = 0.1});
  });
  check([](double r) { return std::make_shared<O::Adamax>(O::AdamaxOptions{.alpha = 0.3 * r}); });
  check([](double r) { return std::make_shared<O::AMSGrad>(O::AMSGradOptions{.alpha = 0.3 * r}); });
  check([](double r) {
    return std::make_shared<O::AdaBound>(
        O::AdaBoundOptions{.alpha = 0.3 * r, .final_lr = 0.2 * r, .gamma = 0.5});
  });
  check([](double r) {
    return std::make_shared<O::AMSBound>(
        O::AdaBoundOptions{.alpha = 0.3 * r, .final_lr = 0.2 * r, .gamma = 0.5});
  });
  check([](double r) {
    return std::make_shared<O::MSVAG>(O::MSVAGOptions{.lr = 0.3 * r, .weight_decay_rate = 0});
  });
  check([](double r) {
    return std::make_shared<O::LAMB>(O::LAMBOptions{.alpha = 0.3 * r, .weight_decay = 0.1});
  });
  check([](double r) { return std::make_shared<O::LARS>(O::LARSOptions{.lr = 0.3 * r}); });
  check([](double r) { return std::make_shared<O::RAdam>(O::RAdamOptions{.alpha = 0.3 * r}); });
  check([](double r) { return std::make_shared<O::AdaGrad>(O::AdaGradOptions{.lr = 0.3 * r}); });
  check([](double r) {
    return std::make_shared<O::NesterovAG>(O::NesterovAGOptions{.lr = 0.3 * r});
  });
  check([](double r) { return std::make_shared<O::RMSprop>(O::RMSpropOptions{.lr = 0.3 * r}); });
  check([](double r) {
    return std::make_shared<O::RMSpropGraves>(O::RMSpropGravesOptions{.lr = 0.3 * r});
  });
  check([](double r) { return std::make_shared<O::SMORMS3>(O::SMORMS3Options{.lr = 0.3 * r}); });
}

// What is frozen in the middle of a training stands still, its momentum too, and goes on from
// there.
TEST_P(ParameterGroupTest, MomentumDoesNotMoveWhatIsFrozen) {
  namespace O = optimizers;
  const auto check = [&](auto&& optimizer) {
    optimizer.setup(model);
    model.fill();
    optimizer.update();
    ParameterGroup& head = optimizer.add_group("head", {"head"}, {.rate = 0});
    const auto frozen = model.head.W.template to_vector<float>();
    const auto moving = model.body.l1.W.template to_vector<float>();
    const State before = states(optimizer);
    optimizer.update();
    optimizer.update();
    EXPECT_EQ(model.head.W.template to_vector<float>(), frozen);
    EXPECT_NE(model.body.l1.W.template to_vector<float>(), moving);
    const State after = states(optimizer);
    for (std::size_t i = 0; i < after.size(); ++i) expect_allclose(after[i], before[i], 0);
    head.rate = 1;
    optimizer.update();
    EXPECT_NE(model.head.W.template to_vector<float>(), frozen);
  };
  check(O::MomentumSGD());
  check(O::NesterovAG());
  check(O::CorrectedMomentumSGD());
  check(O::RMSpropGraves());
  check(O::LARS({.lr = 0.1}));
  check(O::Adam());
}

// A user's algorithm is not asked for them.
TEST_P(ParameterGroupTest, UsersAlgorithmsDoNotSeeWhatIsFrozen) {
  struct Momentum final : Optimizer {
    State init_state(const ndarray& param, const ndarray&) override {
      return {cupyxx::zeros_like(param)};
    }
    void update_one(const ndarray& param, const ndarray& grad, State& state) override {
      state[0] = state[0] * 0.9 - group_rate() * grad;
      param += state[0];
    }
  } optimizer;
  optimizer.setup(model);
  model.fill();
  optimizer.update();
  optimizer.add_group("head", {"head"}, {.rate = 0});
  optimizer.update();
  expect_elements<float>(model.head.b, {1}, {1});
  expect_allclose(model.body.l2.b, cupyxx::full({2}, -0.9), 1e-6);
}

TEST_P(ParameterGroupTest, AdaDeltaHasNoRateButTakesTheFactor) {
  std::vector<ndarray> p, g;
  for (int i = 0; i < 2; ++i) {
    p.push_back(cupyxx::full({3}, 2, cupyxx::float64));
    g.push_back(cupyxx::full({3}, 0.5, cupyxx::float64));
  }
  optimizers::AdaDelta optimizer;
  optimizer.setup(p, g);
  optimizer.add_group("half", {"1"}, {.rate = 0.5});
  optimizer.update();
  expect_allclose(2 - p[1], (2 - p[0]) * 0.5, 1e-9);
}

TEST_P(ParameterGroupTest, DecayOfAdamWIsThatOfTheGroup) {
  model.fill();
  for (ndarray& g : model.gradients()) g.fill(0);
  optimizers::AdamW optimizer({.alpha = 0.5, .weight_decay = 0.5});
  optimizer.setup(model);
  optimizer.add_group("head", {"head"}, {.rate = 0.5, .decay = 3});
  optimizer.add_group("biases", {"body/*/b"}, {.decay = 0});
  optimizer.update();
  expect_elements<float>(model.head.b, {1}, {1.25});  // 2 - 0.5 * 0.5 * (0.5 * 3) * 2
  expect_elements<float>(model.body.l2.b, {2}, {2, 2});
  expect_elements<float>(model.body.l2.W, {2, 3}, {1.5, 1.5, 1.5, 1.5, 1.5, 1.5});
}

TEST_P(ParameterGroupTest, UsersAlgorithmsReadTheRate) {
  struct Plain final : Optimizer {
    void update_one(const ndarray& param, const ndarray& grad, State&) override {
      param -= group_rate() * grad;
    }
  } optimizer;
  optimizer.setup(model);
  model.fill();
  optimizer.add_group("head", {"head"}, {.rate = 0.25});
  optimizer.update();
  expect_elements<float>(model.head.b, {1}, {1.75});
  expect_elements<float>(model.body.l2.b, {2}, {1, 1});
}

TEST_P(ParameterGroupTest, NamesItsParameters) {
  optimizers::SGD optimizer;
  EXPECT_TRUE(optimizer.groups().empty());
  optimizer.setup(model);
  const ParameterGroup& biases = optimizer.add_group("biases", {"body/l1/b", "*/b"});
  EXPECT_EQ(biases.parameters, (Names{"body/l1/b", "body/l2/b", "head/b"}));
  EXPECT_EQ(optimizer.group("default").parameters, (Names{"body/l1/W", "body/l2/W", "head/W"}));
  ASSERT_EQ(optimizer.groups().size(), 2u);
  EXPECT_EQ(optimizer.groups()[1]->name, "biases");
  optimizer.setup(model);
  EXPECT_EQ(optimizer.groups().size(), 1u);
}

TEST_P(ParameterGroupTest, MistakesLeaveTheGroupsAsTheyWere) {
  optimizers::SGD optimizer;
  const auto refuses = [&](const std::string& name, const Names& parameters,
                           const GroupOptions& options, const std::string& text) {
    expect_error<cupyxx::ValueError>([&] { optimizer.add_group(name, parameters, options); }, text);
  };
  refuses("a", {"*"}, {}, "add_group: setup() comes first");
  optimizer.setup(model);
  optimizer.add_group("head", {"head"});
  refuses("head", {"body"}, {}, "add_group: the name is taken; \"head\"");
  refuses("default", {"body"}, {}, "add_group: the name is taken; \"default\"");
  refuses("a", {"body", "bod"}, {}, "add_group: there is no parameter of this name; \"bod\"");
  refuses("a", {"*/b"}, {}, R"(add_group: a parameter is in another group; "head/b" in "head")");
  refuses("a", {"body"}, {.rate = -1}, "add_group: the rate is negative or NaN; -1");
  refuses("a", {"body"}, {.decay = std::numeric_limits<double>::quiet_NaN()},
          "add_group: the decay is negative or NaN; nan");
  EXPECT_EQ(optimizer.groups().size(), 2u);
  EXPECT_EQ(optimizer.group("default").parameters.size(), 4u);
  expect_error<cupyxx::IndexError>([&] { optimizer.group("a"); },
                                   "group: there is no group of this name; \"a\"");
}

}  // namespace
}  // namespace chainerxx
