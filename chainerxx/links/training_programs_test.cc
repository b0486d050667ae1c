// SPDX-License-Identifier: MIT
// Short programs of training as people write them from habit, against the formulas of their steps.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"
#include "gradcheck/gradcheck.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
namespace L = links;
namespace O = optimizers;
using cp::testing::expect_allclose;
using cp::testing::expect_array_equal;

class TrainingProgramsTest : public cp::testing::DeviceTest {
 protected:
  TrainingProgramsTest() : random_(3) { cp::random::seed(3); }
  ndarray draw(const cp::Shape& shape) {
    return random_.uniform(shape, {.low = -1, .high = 1, .dtype = cp::float32});
  }
  static std::string path_of(const std::string& name) {
    return ::testing::TempDir() + name + std::to_string(::getpid()) + ".npz";
  }

 private:
  cp::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(TrainingProgramsTest);

ndarray relu(const ndarray& x) { return cp::maximum(x, 0); }
ndarray softmax(const ndarray& x) {
  const ndarray e = cp::exp(x - x.max(-1, {.keepdims = true}));
  return e / e.sum(-1, {.keepdims = true});
}
ndarray one_hot(const ndarray& t, std::int64_t classes) {
  return cp::equal(cp::expand_dims(t, 1), cp::arange(classes)).astype(cp::float32);
}

struct Mlp : Chain {
  L::Linear& l1 = add("l1", L::Linear(6, 5));
  L::Linear& l2 = add("l2", L::Linear(5, 3));
  Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
};

TEST_P(TrainingProgramsTest, AStepOfAClassifier) {
  Mlp model;
  O::SGD opt(0.5);
  opt.setup(model);
  const ndarray x = draw({4, 6}), t = cp::array({0, 2, 1, 2});
  const ndarray W1 = model.l1.W.copy(), W2 = model.l2.W.copy();
  const ndarray h = relu(cp::dot(x, W1.T())), p = softmax(cp::dot(h, W2.T()));
  const ndarray gy = (p - one_hot(t, 3)) / 4, gh = cp::dot(gy, W2) * (h > 0);
  const Variable y = model(x);
  const Variable loss = F::softmax_cross_entropy(y, t);
  model.cleargrads();
  loss.backward();
  opt.update();
  EXPECT_NEAR(float(loss), -cp::log((p * one_hot(t, 3)).sum(1)).mean().item<float>(), 1e-5);
  EXPECT_EQ(float(F::accuracy(y, t)), cp::equal(p.argmax(1), t).mean().item<float>());
  expect_allclose(model.l2.W, W2 - 0.5 * cp::dot(gy.T(), h), 1e-5, 1e-6);
  expect_allclose(model.l2.b, -0.5 * gy.sum(0), 1e-5, 1e-6);
  expect_allclose(model.l1.W, W1 - 0.5 * cp::dot(gh.T(), x), 1e-5, 1e-6);
}

struct LeNet : Chain {
  L::Convolution2D& c1 = add("c1", L::Convolution2D(1, 4, 3, 1, 1));
  L::Convolution2D& c2 = add("c2", L::Convolution2D(4, 6, 3, {.pad = 1}));
  L::Linear& out = add("out", L::Linear(24, 2));
  Variable operator()(const Variable& x) {
    Variable h = F::max_pooling_2d(F::relu(c1(x)), 2, 2);
    h = F::max_pooling_2d(F::relu(c2(h)), 2, 2);
    return out(F::dropout(F::reshape(h, {h.shape()[0], -1}), 0.2));
  }
};

// Bright halves of images above or below.
TEST_P(TrainingProgramsTest, AConvnetLearnsWhereItIsBright) {
  LeNet model;
  O::Adam opt(0.01);
  opt.setup(model);
  ndarray x = draw({16, 1, 8, 8}) * 0.1, t = cp::arange(16) % 2;
  x(cp::slice(0, 16, 2), 0, cp::slice(0, 4)) += 1;
  x(cp::slice(1, 16, 2), 0, cp::slice(4, 8)) += 1;
  for (int i = 0; i < 30; ++i) opt.update([&] { return F::softmax_cross_entropy(model(x), t); });
  const TrainScope test(false);
  const NoGradScope no_grad;
  EXPECT_EQ(float(F::accuracy(model(x), t)), 1);
}

TEST_P(TrainingProgramsTest, PartsHaveNames) {
  const Variable h(draw({4, 6}));
  const auto [mean, ln_var] = unpack<2>(F::split_axis(h, 2, 1));
  expect_array_equal(mean.data(), h.data()(cp::slice(), cp::slice(0, 3)));
  expect_array_equal(ln_var.data(), h.data()(cp::slice(), cp::slice(3, 6)));
  const auto [a, b, c, d] = F::unpack<4>(F::separate(h, 0));
  F::sum(a * 2 + d).backward();
  expect_array_equal(h.grad().sum(1), cp::array({12.0f, 0.0f, 0.0f, 6.0f}));
  cp::testing::expect_error<cp::ValueError>([&] { unpack<3>(F::split_axis(h, 2, 1)); },
                                            "unpack: 3 variables are wanted, there are 2");
}

struct LanguageModel : Chain {
  L::EmbedID& embed = add("embed", L::EmbedID(5, 8));
  L::LSTM& lstm = add<L::LSTM>("lstm", 8, 12);
  L::Linear& out = add("out", L::Linear(12, 5));
  Variable operator()(const Variable& word) { return out(lstm(embed(word))); }
};

TEST_P(TrainingProgramsTest, ALanguageModelLearnsASentence) {
  LanguageModel model;
  model.out.W.fill(0);
  O::Adam opt(0.03);
  opt.setup(model);
  opt.add_hook(GradientClipping(5));
  const ndarray words = cp::array({{0, 1, 2, 1, 3, 4}, {1, 2, 1, 3, 4, 0}});
  const auto perplexity = [&] {
    model.lstm.reset_state();
    Variable loss;
    for (int i = 0; i < 5; ++i) {
      loss += F::softmax_cross_entropy(model(words(cp::slice(), i)), words(cp::slice(), i + 1));
    }
    return loss / 5;
  };
  EXPECT_NEAR(float(perplexity()), std::log(5.0), 1e-6);
  for (int step = 0; step < 60; ++step) {
    const Variable loss = perplexity();
    model.cleargrads();
    loss.backward();
    loss.unchain_backward();
    opt.update();
  }
  EXPECT_LT(float(perplexity()), 0.3);
}

TEST_P(TrainingProgramsTest, AnAutoencoderOfOneDirection) {
  struct Net : Chain {
    L::Linear& encoder = add("encoder", L::Linear(3, 1, {.nobias = true}));
    L::Linear& decoder = add("decoder", L::Linear(1, 3, {.nobias = true}));
  } net;
  const ndarray direction = cp::array({{2.0f, -1.0f, 2.0f}}), x = draw({20, 1}) * direction / 3;
  O::MomentumSGD opt(0.3, 0.5);
  opt.setup(net);
  for (int i = 0; i < 300; ++i) {
    opt.update([&] { return F::mean_squared_error(net.decoder(net.encoder(x)), x); });
  }
  // decoder encoder projects on the direction, which has length 3.
  expect_allclose(cp::dot(net.decoder.W, cp::dot(net.encoder.W, direction.T())), direction.T(),
                  1e-2, 1e-2);
}

TEST_P(TrainingProgramsTest, AVariationalLoss) {
  const ndarray x = (draw({4, 3}) > 0).astype(cp::float32), logits = draw({4, 3});
  const ndarray mu = draw({4, 2}), ln_var = draw({4, 2});
  const Variable m(mu), v(ln_var), y(logits);
  const Variable loss = (F::bernoulli_nll(x, y) + F::gaussian_kl_divergence(m, v)) /
                        static_cast<double>(x.shape()[0]);
  loss.backward();
  const ndarray p = 1 / (1 + cp::exp(-logits));
  const ndarray nll = -(x * cp::log(p) + (1 - x) * cp::log(1 - p)).sum();
  const ndarray kl = 0.5 * (mu * mu + cp::exp(ln_var) - ln_var - 1).sum();
  EXPECT_NEAR(float(loss), ((nll + kl) / 4).item<float>(), 1e-5);
  expect_allclose(y.grad(), (p - x) / 4, 1e-5, 1e-6);
  expect_allclose(m.grad(), mu / 4, 1e-5, 1e-6);
  expect_allclose(v.grad(), (cp::exp(ln_var) - 1) / 8, 1e-5, 1e-6);
}

// The critic's penalty (|gradient by x| - 1)^2 of a linear critic depends on its weights alone.
TEST_P(TrainingProgramsTest, APenaltyOnGradients) {
  L::Linear critic(3, 1);
  const Variable x(draw({5, 3}));
  const auto gx =
      grad({critic(x)}, {x},
           {.grad_outputs = {cp::ones({5, 1}, cp::float32)}, .enable_double_backprop = true})[0];
  const Variable norm = F::sqrt(F::sum(F::square(gx), 1));
  const Variable penalty = F::mean(F::square(norm - 1)) * 10;
  critic.zero_grads();
  penalty.backward();
  const ndarray length = cp::sqrt(cp::square(critic.W).sum());
  EXPECT_NEAR(float(penalty), 10 * std::pow(length.item<double>() - 1, 2), 1e-4);
  expect_allclose(critic.gW, 20 * (length - 1) / length * critic.W, 1e-4, 1e-5);
}

TEST_P(TrainingProgramsTest, AStepOfAnAdversarialGame) {
  L::Linear generator(2, 3), discriminator(3, 1);
  const ndarray z = draw({4, 2}), real = draw({4, 3});
  const Variable fake = generator(z);
  // The discriminator's turn: nothing flows into the generator.
  const Variable d_loss = F::mean(F::softplus(-discriminator(real))) +
                          F::mean(F::softplus(discriminator(fake.detach())));
  d_loss.backward();
  EXPECT_EQ(cp::count_nonzero(generator.gW), 0);
  const ndarray s = 1 / (1 + cp::exp(-discriminator(fake.data()).data()));
  const ndarray r = 1 / (1 + cp::exp(discriminator(real).data()));
  expect_allclose(discriminator.gW, (cp::dot(s.T(), fake.data()) - cp::dot(r.T(), real)) / 4, 1e-5,
                  1e-6);
  // The generator's turn.
  discriminator.zero_grads();
  F::mean(F::softplus(-discriminator(fake))).backward();
  const ndarray gfake = cp::dot(s - 1, discriminator.W) / 4;
  expect_allclose(generator.gW, cp::dot(gfake.T(), z), 1e-5, 1e-6);
}

TEST_P(TrainingProgramsTest, ANewHeadOnFrozenLayers) {
  Mlp model;
  const ndarray before = model.l1.W.copy(), head = model.l2.W.copy();
  model.replace("l2", L::Linear(5, 3));
  O::Adam opt;
  opt.setup(model);
  opt.add_group("frozen", {"l1/*"}, {.rate = 0});
  opt.add_hook(WeightDecay(0.1));
  for (int i = 0; i < 3; ++i) {
    opt.update([&] { return F::mean_squared_error(model(draw({4, 6})), draw({4, 3})); });
  }
  expect_array_equal(model.l1.W, before);
  EXPECT_GT(cp::count_nonzero(model.l2.W - head), 0);
}

TEST_P(TrainingProgramsTest, OneMatrixForWordsAndScores) {
  L::EmbedID embed(4, 3);
  const ndarray ids = cp::array({1, 3}), t = cp::array({0, 3}), W = embed.W.copy();
  const Variable h = embed(ids);
  F::softmax_cross_entropy(embed.project(h), t).backward();
  const ndarray rows = cp::take(W, ids, 0);
  const ndarray g = (softmax(cp::dot(rows, W.T())) - one_hot(t, 4)) / 2;
  ndarray expected = cp::dot(g.T(), rows);
  const ndarray of_rows = cp::dot(g, W);
  expected(1) += of_rows(0);
  expected(3) += of_rows(1);
  expect_allclose(embed.gW, expected, 1e-5, 1e-6);
}

/// exp(x), as a function of one's own.
class MyExp : public FunctionOf<MyExp> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  }
  std::vector<ndarray> forward(ArraySpan x) override { return {y_ = cp::exp(x[0])}; }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override { return {y_ * gy[0]}; }

 private:
  ndarray y_;
};

TEST_P(TrainingProgramsTest, AFunctionOfOnesOwn) {
  const ndarray x = cp::linspace(-1, 1, 5);
  gradcheck::check_backward(MyExp(), x, cp::ones({5}));
  EXPECT_THROW(MyExp()(cp::array({1, 2})), typecheck::InvalidType);
}

/// x W + b with a scale that is learnt as well.
struct Scaled : Chain {
  L::Linear& inner = add("inner", L::Linear(3, 2));
  L::Parameter& scale = add("scale", L::Parameter(cp::ones({2}, cp::float32)));
  Variable operator()(const Variable& x) { return inner(x) * scale(); }
};

TEST_P(TrainingProgramsTest, ALinkOfOnesOwn) {
  Scaled model;
  const ndarray x = draw({4, 3});
  F::sum(model(x)).backward();
  expect_allclose(model.scale.gW, cp::dot(x, model.inner.W.T()).sum(0), 1e-5, 1e-6);
  EXPECT_EQ(model.fields()[2].name, "scale/W");
}

TEST_P(TrainingProgramsTest, ClippedAndDecayedSteps) {
  L::Linear l(2, 1, {.nobias = true, .initialW = cp::array({{3.0f, 4.0f}})});
  Sequential model(l);
  O::SGD opt(1);
  opt.setup(model);
  opt.add_hook(GradientClipping(0.5));
  opt.add_hook(WeightDecay(0.1));
  opt.update([&] { return F::sum(model(cp::array({{6.0f, 8.0f}}))); });
  // (6, 8) of norm 10 becomes (0.3, 0.4); the decay adds (0.3, 0.4).
  expect_allclose(l.W, cp::array({{2.4f, 3.2f}}), 1e-6);
}

TEST_P(TrainingProgramsTest, SchedulesSetTheRate) {
  const ndarray p = cp::zeros({1}), g = cp::ones({1});
  O::SGD opt(1);
  opt.setup(std::vector{p}, std::vector{g});
  const O::WarmUp schedule(2, O::StepDecay(0.5, 2));
  double expected = 0;
  for (const double rate : {0.5, 1.0, 1.0, 1.0, 0.5, 0.5, 0.25}) {
    opt.lr = schedule(opt.t());
    EXPECT_EQ(opt.lr(), rate);
    opt.update();
    expected -= rate;
  }
  EXPECT_EQ(p.item<double>(), expected);
}

TEST_P(TrainingProgramsTest, TrainingGoesOnFromFiles) {
  const ndarray x = draw({8, 6}), t = cp::arange(8) % 3;
  const auto steps = [&](Mlp& model, O::Adam& opt, int count) {
    for (int i = 0; i < count; ++i) {
      opt.update([&] { return F::softmax_cross_entropy(model(x), t); });
    }
  };
  Mlp model, other;
  O::Adam opt, other_opt;
  opt.setup(model);
  other_opt.setup(other);
  steps(model, opt, 3);
  serializers::save_npz(path_of("model"), model);
  serializers::save_npz(path_of("opt"), opt);
  steps(model, opt, 3);
  serializers::load_npz(path_of("model"), other);
  serializers::load_npz(path_of("opt"), other_opt);
  steps(other, other_opt, 3);
  expect_array_equal(other.l1.W, model.l1.W);
  expect_array_equal(other.l2.b, model.l2.b);
}

// softmax(q k^T / sqrt(d)) v of two heads, by matmul.
TEST_P(TrainingProgramsTest, AttentionByProductsOfBatches) {
  const Variable q(draw({2, 2, 3, 4})), k(draw({2, 2, 5, 4})), v(draw({2, 2, 5, 4}));
  const Variable weights = F::softmax(F::matmul(q, k, false, true) / std::sqrt(4.0), 3);
  const Variable y = F::matmul(weights, v);
  const ndarray gy = draw({2, 2, 3, 4});
  y.set_grad(gy);
  y.backward();
  const Variable q2(q.data()), k2(k.data()), v2(v.data());
  const Variable expected = F::scaled_dot_product_attention(q2, k2, v2);
  expect_allclose(y.data(), expected.data(), 1e-5, 1e-6);
  expected.set_grad(gy);
  expected.backward();
  expect_allclose(q.grad(), q2.grad(), 1e-4, 1e-5);
  expect_allclose(k.grad(), k2.grad(), 1e-4, 1e-5);
  expect_allclose(v.grad(), v2.grad(), 1e-4, 1e-5);
}

TEST_P(TrainingProgramsTest, LinearRegressionFindsTheLine) {
  const ndarray x = cp::arange(5, cp::float32).reshape({5, 1}), y = 3 * x - 2;
  L::Linear line(1, 1);
  Sequential model(line);
  O::CorrectedMomentumSGD opt(0.05, 0.9);
  opt.setup(model);
  for (int i = 0; i < 300; ++i) opt.update([&] { return F::mean_squared_error(model(x), y); });
  expect_allclose(line.W, cp::array({{3.0f}}), 1e-3);
  expect_allclose(line.b, cp::array({-2.0f}), 1e-3);
}

TEST_P(TrainingProgramsTest, LogisticRegressionHasItsGradient) {
  L::Linear l(3, 1);
  const ndarray x = draw({6, 3}), t = cp::array({{1}, {0}, {1}, {1}, {-1}, {0}});
  F::sigmoid_cross_entropy(l(x), t, true, true).backward();
  const ndarray counts = cp::not_equal(t, -1).astype(cp::float32);
  const ndarray p = 1 / (1 + cp::exp(-cp::dot(x, l.W.T())));
  expect_allclose(l.gW, cp::dot(((p - t.astype(cp::float32)) * counts).T(), x) / 5, 1e-5, 1e-6);
}

TEST_P(TrainingProgramsTest, BatchNormalizationInTrainingAndAfter) {
  L::BatchNormalization bn(3);
  const ndarray x = draw({8, 3}) * 2 + 1;
  const ndarray mean = x.mean(0), var = x.var(0);
  expect_allclose(bn(x).data(), (x - mean) / cp::sqrt(var + 1e-5), 1e-4, 1e-5);
  const ndarray running_mean = 0.1 * mean, running_var = 0.9 + 0.1 * var * 8 / 7;
  expect_allclose(bn.avg_mean, running_mean, 1e-5, 1e-6);
  expect_allclose(bn.avg_var, running_var, 1e-5, 1e-6);
  const TrainScope test(false);
  expect_allclose(bn(x).data(), (x - running_mean) / cp::sqrt(running_var + 1e-5), 1e-4, 1e-5);
}

TEST_P(TrainingProgramsTest, TheFirstStepOfAdamIsTheRate) {
  const ndarray p = cp::array({1.0, 2.0, -1.0}), g = cp::array({1e-3, -5.0, 70.0});
  O::Adam opt(0.01);
  opt.setup(std::vector{p}, std::vector{g});
  opt.update();
  expect_allclose(p, cp::array({0.99, 2.01, -1.01}), 1e-5);
}

TEST_P(TrainingProgramsTest, AResidualBlockStartsAsTheIdentity) {
  struct Block : Chain {
    L::Convolution2D& c1 = add("c1", L::Convolution2D(2, 2, 3, {.pad = 1, .nobias = true}));
    L::BatchNormalization& b1 = add("b1", L::BatchNormalization(2));
    L::Convolution2D& c2 = add("c2", L::Convolution2D(2, 2, 3, {.pad = 1, .nobias = true}));
    L::BatchNormalization& b2 = add("b2", L::BatchNormalization(2, {.initial_gamma = 0}));
    Variable operator()(const Variable& x) { return F::relu(b2(c2(F::relu(b1(c1(x))))) + x); }
  } block;
  const Variable x(draw({2, 2, 4, 4}));
  const Variable y = block(x);
  expect_allclose(y.data(), relu(x.data()), 1e-6, 1e-6);
  F::sum(y).backward();
  expect_allclose(x.grad(), (x.data() > 0).astype(cp::float32), 1e-5, 1e-5);
  EXPECT_GT(cp::count_nonzero(block.b2.ggamma), 0);
}

// Sums over the words of sentences: each word receives its sentence's gradient as often as it
// stands there.
TEST_P(TrainingProgramsTest, ABagOfWords) {
  L::EmbedID embed(5, 2);
  const ndarray words = cp::array({{0, 1, 1}, {4, 0, -1}});
  const Variable bag = F::sum(F::embed_id(words, embed.W, -1), 1);
  EXPECT_EQ(bag.shape(), (cp::Shape{2, 2}));
  const Variable W(embed.W), counted = F::sum(F::embed_id(words, W, -1), 1);
  counted.set_grad(cp::array({{1.0f, 2.0f}, {10.0f, 20.0f}}));
  counted.backward();
  expect_array_equal(
      W.grad(),
      cp::array({{11.0f, 22.0f}, {2.0f, 4.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {10.0f, 20.0f}}));
}

TEST_P(TrainingProgramsTest, MicroBatchesAddUpToTheWhole) {
  Mlp model;
  const ndarray x = draw({6, 6}), t = cp::array({0, 1, 2, 2, 1, 0});
  model.cleargrads();
  F::softmax_cross_entropy(model(x), t).backward();
  const ndarray whole = model.l1.gW.copy();
  model.cleargrads();
  for (int i = 0; i < 3; ++i) {
    const cp::slice part(2 * i, 2 * i + 2);
    (F::softmax_cross_entropy(model(x(part)), t(part)) / 3).backward();
  }
  expect_allclose(model.l1.gW, whole, 1e-5, 1e-6);
}

// REINFORCE: the gradient by the logits is reward (p - one_hot).
TEST_P(TrainingProgramsTest, APolicyGradient) {
  const ndarray logits = draw({3, 4}), actions = cp::array({1, 0, 3});
  const ndarray rewards = cp::array({1.0f, -2.0f, 0.5f});
  const Variable x(logits);
  const Variable log_p = F::select_item(F::log_softmax(x), actions);
  (-F::sum(log_p * rewards)).backward();
  expect_allclose(x.grad(), (softmax(logits) - one_hot(actions, 4)) * cp::expand_dims(rewards, 1),
                  1e-5, 1e-6);
}

// Q-learning: the target is a constant, the loss Huber's.
TEST_P(TrainingProgramsTest, AStepOfQLearning) {
  L::Linear q(2, 3), target(2, 3);
  const ndarray s = draw({4, 2}) * 3, next = draw({4, 2}), a = cp::array({0, 1, 2, 1});
  const ndarray r = cp::array({0.0f, 5.0f, -5.0f, 0.1f});
  const Variable best = F::max(target(next), 1);
  const Variable expected = r + 0.9 * best.detach();
  const Variable value = F::select_item(q(s), a);
  F::huber_loss(value, expected, 1.0, F::Reduce::mean).backward();
  const ndarray d = cp::clip(value.data() - expected.data(), -1, 1) / 4;
  expect_allclose(q.gW, cp::dot((one_hot(a, 3) * cp::expand_dims(d, 1)).T(), s), 1e-5, 1e-6);
  EXPECT_EQ(cp::count_nonzero(target.gW), 0);
}

}  // namespace
}  // namespace chainerxx
