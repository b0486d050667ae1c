// SPDX-License-Identifier: MIT
// Small programs as users write them, which join features that are tested one by one elsewhere.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_elements;

class UserProgramsTest : public cupyxx::testing::DeviceTest {
 protected:
  UserProgramsTest() : random_(7) { cupyxx::random::seed(7); }
  ndarray draw(const cupyxx::Shape& shape) {
    return random_.uniform(shape, {.low = -1, .high = 1, .dtype = cupyxx::float32});
  }

 private:
  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(UserProgramsTest);

/// A recurrent layer of tanh.
struct Recurrent : FunctionSet {
  F::Linear& x_h = add("x_h", F::Linear(3, 4));
  F::Linear& h_h = add("h_h", F::Linear(4, 4));
  Variable operator()(const Variable& h, const Variable& x) { return F::tanh(x_h(x) + h_h(h)); }
};

// What lies before the cut receives nothing; what lies behind it the same as without a past.
TEST_P(UserProgramsTest, TruncatedBackpropagationThroughTime) {
  Recurrent model;
  std::vector<ndarray> xs;
  for (int i = 0; i < 4; ++i) xs.push_back(draw({2, 3}));
  const auto run = [&](const Variable& start, int begin, int end) {
    Variable h = start;
    for (int i = begin; i < end; ++i) h = model(h, xs[static_cast<std::size_t>(i)]);
    return h;
  };
  const Variable middle = run(Variable(cupyxx::zeros({2, 4}, cupyxx::float32)), 0, 2);
  middle.unchain_backward();
  EXPECT_EQ(middle.rank(), 0);
  F::sum(run(middle, 2, 4)).backward();
  const ndarray truncated = model.h_h.gW.copy();
  model.h_h.gW.fill(0);
  F::sum(run(Variable(middle.data()), 2, 4)).backward();
  expect_array_equal(model.h_h.gW, truncated);
}

TEST_P(UserProgramsTest, LossesOneAfterTheOtherOrAtOnce) {
  const ndarray x = draw({2, 3});
  const auto gradients = [&](bool at_once) {
    cupyxx::random::seed(1);
    Recurrent model;
    const Variable h = model(Variable(cupyxx::zeros({2, 4}, cupyxx::float32)), x);
    const Variable a = F::sum(F::square(h)), b = F::sum(F::exp(h));
    if (at_once) {
      (a + b).backward();
    } else {
      a.backward();
      b.backward();
    }
    return model.x_h.gW;
  };
  expect_allclose(gradients(false), gradients(true), 1e-6, 1e-6);
}

TEST_P(UserProgramsTest, AHeadOnFixedFeatures) {
  Recurrent features;
  F::Linear head(4, 2);
  const Variable x(draw({2, 3}), true), start(cupyxx::zeros({2, 4}, cupyxx::float32), true);
  const Variable h = features(start, x);
  EXPECT_EQ(h.creator(), nullptr);
  h.set_volatile(false);
  F::sum(F::square(head(h))).backward();
  EXPECT_GT(cupyxx::count_nonzero(head.gW), 0);
  EXPECT_EQ(cupyxx::count_nonzero(features.x_h.gW), 0);
  EXPECT_EQ(h.grad().shape(), (cupyxx::Shape{2, 4}));
}

struct Generator : FunctionSet {
  F::Linear& l = add("l", F::Linear(2, 3));
  Variable operator()(const Variable& z) { return F::tanh(l(z)); }
};
struct Discriminator : FunctionSet {
  F::Linear& l = add("l", F::Linear(3, 1));
  Variable operator()(const Variable& x) { return l(x); }
};

// Each optimizer moves its own network; gradients that went through the other are dropped.
TEST_P(UserProgramsTest, TwoNetworksWithAnOptimizerEach) {
  Generator g;
  Discriminator d;
  optimizers::Adam of_g, of_d;
  of_g.setup(g);
  of_d.setup(d);
  const ndarray real = draw({4, 3}), z = draw({4, 2});
  const Variable ones(cupyxx::ones({4, 1}, cupyxx::int32)),
      zeros(cupyxx::zeros({4, 1}, cupyxx::int32));

  const ndarray g_before = g.l.W.copy(), d_before = d.l.W.copy();
  const Variable fake = g(Variable(z));
  of_d.zero_grads();
  (F::sigmoid_cross_entropy(d(Variable(real)), ones) +
   F::sigmoid_cross_entropy(d(Variable(fake.data())), zeros))
      .backward();
  of_d.update();
  expect_array_equal(g.l.W, g_before);
  EXPECT_NE(d.l.W.to_vector<float>(), d_before.to_vector<float>());
  EXPECT_EQ(cupyxx::count_nonzero(g.l.gW), 0);

  const ndarray d_between = d.l.W.copy();
  of_g.zero_grads();
  F::sigmoid_cross_entropy(d(fake), ones).backward();
  of_g.update();
  expect_array_equal(d.l.W, d_between);
  EXPECT_NE(g.l.W.to_vector<float>(), g_before.to_vector<float>());
  EXPECT_EQ(of_g.t(), 1);
}

struct Tied : FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(5, 3));
  F::Linear& out = add("out", F::Linear(3, 5, {.nobias = true, .initialW = embed.W}));
  Tied() { out.gW = embed.gW; }
};

// One array in two places: its gradient is the sum, and it is moved once.
TEST_P(UserProgramsTest, WeightsTiedByTheirArrays) {
  Tied model;
  const ndarray ids = cupyxx::array({1, 4, 1}), t = cupyxx::array({0, 2, 3});
  F::softmax_cross_entropy(model.out(model.embed(ids)), t).backward();
  const Variable W(model.embed.W);
  F::softmax_cross_entropy(F::linear(F::embed_id(ids, W), W), t).backward();
  expect_allclose(model.embed.gW, W.grad(), 1e-6, 1e-6);
  expect_array_equal(model.out.gW, model.embed.gW);

  const ndarray expected = model.embed.W - model.embed.gW * 0.5;
  optimizers::SGD optimizer({.lr = 0.5});
  optimizer.setup(model);
  EXPECT_NEAR(optimizer.compute_grads_norm(),
              cupyxx::sqrt(cupyxx::square(W.grad()).sum()).item<double>(), 1e-5);
  optimizer.update();
  expect_allclose(model.embed.W, expected, 1e-6, 1e-6);
  expect_array_equal(model.out.W, model.embed.W);

  auto copy = deep_copy(model);
  copy.to_cpu();
  copy.embed.W.fill(3);
  copy.embed.gW.fill(4);
  expect_array_equal(copy.out.W, copy.embed.W);
  expect_array_equal(copy.out.gW, copy.embed.gW);
  EXPECT_EQ(copy.parameters().size(), 1u);
  expect_array_equal(model.out.W, model.embed.W);
  EXPECT_NE(model.embed.W.to_vector<float>(), copy.embed.W.to_vector<float>());
}

/// x to the powers 1, 2 and 3; notes which gradients arrived.
struct Powers final : FunctionOf<Powers, 3> {
  explicit Powers(std::string* arrived) : arrived_(arrived) {}
  std::vector<ndarray> forward(std::span<const ndarray> x) override {
    return {x[0].copy(), x[0] * x[0], x[0] * x[0] * x[0]};
  }
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override {
    ndarray gx = cupyxx::zeros_like(x[0]);
    arrived_->clear();
    for (int i = 0; i < 3; ++i) {
      const ndarray& g = gy[static_cast<std::size_t>(i)];
      *arrived_ += g.is_none() ? '-' : '+';
      if (!g.is_none()) gx = gx + g * cupyxx::power(x[0], i) * (i + 1);
    }
    return {gx};
  }
  std::string* arrived_;
};

TEST_P(UserProgramsTest, AFunctionOfSeveralResultsSomeUnused) {
  std::string arrived;
  const Variable x(cupyxx::array({2.0f}));
  const auto all = Powers(&arrived)(x);
  (all[0] + all[2]).backward();
  EXPECT_EQ(arrived, "+-+");
  expect_elements<float>(x.grad(), {1}, {13});
  x.set_grad({});
  const Powers powers(&arrived);
  powers(x)[1].backward();  // the others are gone before
  EXPECT_EQ(arrived, "-+-");
  expect_elements<float>(x.grad(), {1}, {4});
}

struct Half : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(3, 8, {.dtype = cupyxx::float16}));
  F::Linear& l2 = add("l2", F::Linear(8, 2, {.dtype = cupyxx::float16}));
};

// Steps below float16's resolution add up in a copy of float32.
TEST_P(UserProgramsTest, Float16WithAMasterCopy) {
  Half model;
  std::vector<ndarray> masters, gradients;
  for (const ndarray& p : model.parameters()) {
    masters.push_back(p.astype(cupyxx::float32));
    gradients.push_back(cupyxx::zeros_like(masters.back()));
  }
  optimizers::SGD optimizer({.lr = 0.05});
  optimizer.setup(masters, gradients);
  const Variable x(draw({16, 3}).astype(cupyxx::float16));
  const ndarray t = cupyxx::arange(16) % 2;
  const double scale = 128;
  double first = 0, last = 0;
  for (int step = 0; step < 30; ++step) {
    for (const ndarray& g : model.gradients()) g.fill(0);
    const Variable loss = F::softmax_cross_entropy(model.l2(F::relu(model.l1(x))), t);
    (loss * scale).backward();
    last = loss.data().item<double>();
    if (step == 0) first = last;
    const auto found = model.gradients();
    for (std::size_t i = 0; i < found.size(); ++i) {
      gradients[i].set(found[i].astype(cupyxx::float32) / scale);
    }
    optimizer.update();
    model.copy_parameters_from(masters);
  }
  EXPECT_LT(last, first);
  EXPECT_EQ(model.l1.W.dtype(), cupyxx::float16);
  expect_array_equal(model.l1.W, masters[0].astype(cupyxx::float16));
}

TEST_P(UserProgramsTest, SmallBatchesAddUpToALargeOne) {
  Recurrent model;
  const Variable start(cupyxx::zeros({4, 4}, cupyxx::float32));
  const ndarray x = draw({6, 3}), zeros = cupyxx::zeros({6, 4}, cupyxx::float32);
  (F::sum(F::square(model(Variable(zeros), Variable(x)))) / 6).backward();
  const ndarray whole = model.x_h.gW.copy();
  model.x_h.gW.fill(0);
  for (int i = 0; i < 6; i += 2) {
    const cupyxx::slice rows(i, i + 2);
    (F::sum(F::square(model(Variable(zeros(rows)), Variable(x(rows))))) / 6).backward();
  }
  expect_allclose(model.x_h.gW, whole, 1e-5, 1e-6);
}

// Replicas compute, the master moves, the replicas follow.
TEST_P(UserProgramsTest, DataParallelReplicas) {
  Recurrent master, single;
  auto replica = deep_copy(master);
  single.copy_parameters_from(master.parameters());
  optimizers::SGD optimizer({.lr = 0.1}), alone({.lr = 0.1});
  optimizer.setup(master);
  alone.setup(single);
  const ndarray x = draw({4, 3}), h = cupyxx::zeros({4, 4}, cupyxx::float32);
  const auto loss = [&](Recurrent& model, std::int64_t begin, std::int64_t end) {
    const cupyxx::slice rows(begin, end);
    return F::sum(F::square(model(Variable(h(rows)), Variable(x(rows)))));
  };
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grads();
    for (const ndarray& g : replica.gradients()) g.fill(0);
    loss(master, 0, 2).backward();
    loss(replica, 2, 4).backward();
    optimizer.accumulate_grads(replica.gradients());
    optimizer.update();
    replica.copy_parameters_from(master.parameters());
    alone.zero_grads();
    loss(single, 0, 4).backward();
    alone.update();
  }
  expect_allclose(master.h_h.W, single.h_h.W, 1e-5, 1e-6);
  expect_array_equal(replica.h_h.W, master.h_h.W);
}

TEST_P(UserProgramsTest, MissingArraysAreNamed) {
  Recurrent model;
  std::vector<ndarray> arrays = model.parameters();
  arrays[1] = ndarray();
  cupyxx::testing::expect_error<cupyxx::ValueError>([&] { model.copy_parameters_from(arrays); },
                                                    "copy_parameters_from: array 1 is None");
  optimizers::SGD optimizer;
  optimizer.setup(model);
  cupyxx::testing::expect_error<cupyxx::ValueError>([&] { optimizer.accumulate_grads(arrays); },
                                                    "accumulate_grads: array 1 is None");
}

// One network for two inputs, whose gradients meet in its weights.
TEST_P(UserProgramsTest, SiameseNetworks) {
  F::Linear f(3, 2);
  const ndarray a = draw({4, 3}), b = draw({4, 3}), t = cupyxx::array({1, 0, 1, 0});
  F::contrastive(f(Variable(a)), f(Variable(b)), t).backward();
  const Variable W(f.W), bias(f.b);
  F::contrastive(F::linear(Variable(a), W, bias), F::linear(Variable(b), W, bias), t).backward();
  expect_allclose(f.gW, W.grad(), 1e-5, 1e-6);
}

// A list of layers whose length is known at run time only, one of them nested.
TEST_P(UserProgramsTest, AStackOfLayersMadeAtRunTime) {
  struct Block : FunctionSet {
    explicit Block(std::int64_t size) : l(add("l", F::Linear(size, size))) {}
    Variable operator()(const Variable& x) { return F::relu(l(x)) + x; }
    F::Linear& l;
  };
  FunctionSet model;
  std::vector<Block*> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(&model.add<Block>("block" + std::to_string(i), 4));
  Variable h(draw({2, 4}));
  for (Block* block : blocks) h = (*block)(h);
  optimizers::MomentumSGD optimizer;
  optimizer.setup(model);
  F::sum(h).backward();
  optimizer.update();
  EXPECT_EQ(model.names(), (std::vector<std::string>{"block0", "block1", "block2"}));
  EXPECT_EQ(model.fields().back().name, "block2/l/b");
  EXPECT_EQ(&model["block1/l"], &blocks[1]->l);
}

}  // namespace
}  // namespace chainerxx
