// SPDX-License-Identifier: MIT
// Options by name say what they say by position; without a name the default stays.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::testing::expect_allclose;
using cp::testing::expect_array_equal;
using cp::testing::expect_error;

class NamedOptionsTest : public cp::testing::DeviceTest {
 protected:
  Variable x_{(cp::arange(24, cp::float32) - 11).reshape({2, 3, 4})};
  Variable m_{(cp::arange(6, cp::float32) - 2).reshape({2, 3})};
  Variable p_{(cp::arange(6, cp::float32) + 1).reshape({2, 3})};

  static void same(const Variable& named, const Variable& by_position) {
    expect_array_equal(named.data(), by_position.data());
  }
  static void same(const std::vector<Variable>& named, const std::vector<Variable>& by_position) {
    ASSERT_EQ(named.size(), by_position.size());
    for (std::size_t i = 0; i < named.size(); ++i) same(named[i], by_position[i]);
  }
};
CUPYXX_TEST_ON_DEVICES(NamedOptionsTest);

TEST_P(NamedOptionsTest, Activations) {
  same(F::leaky_relu(x_, {.slope = 0.1}), F::leaky_relu(x_, 0.1));
  same(F::elu(x_, {.alpha = 0.5}), F::elu(x_, 0.5));
  same(F::selu(x_, {.scale = 2}), F::selu(x_, 1.6732632423543772848170429916717, 2));
  same(F::clipped_relu(x_, {.z = 3}), F::clipped_relu(x_, 3));
  same(F::softplus(x_, {.beta = 2}), F::softplus(x_, 2));
  same(F::gelu(x_, {.approximate = true}), F::gelu(x_, true));
  same(F::swish(x_, {.beta = 0.5}), F::swish(x_, 0.5));
  same(F::crelu(x_, {.axis = 2}), F::crelu(x_, 2));
  same(F::glu(x_, {.axis = 0}), F::glu(x_, 0));
  same(F::maxout(x_, 2, {.axis = 2}), F::maxout(x_, 2, 2));
  same(F::rrelu(x_, {.l = 0.25, .u = 0.75, .train = false}), F::leaky_relu(x_, 0.5));
}

TEST_P(NamedOptionsTest, Mathematics) {
  same(F::matmul(m_, p_, {.transa = true}), F::matmul(m_, p_, true));
  same(F::matmul(m_, p_, {.transb = true}), F::matmul(m_, p_, false, true));
  same(F::batch_matmul(x_, x_, {.transb = true}), F::batch_matmul(x_, x_, false, true));
  same(F::argmax(x_, {.axis = 1}), F::argmax(x_, 1));
  same(F::argmin(x_, {.axis = -1}), F::argmin(x_, -1));
  same(F::cumsum(x_, {.axis = 0}), F::cumsum(x_, 0));
  same(F::cumprod(m_, {.axis = 1}), F::cumprod(m_, 1));
  same(F::average(m_, {.axis = 0, .weights = p_}), F::average(m_, 0, p_));
  same(F::average(m_, {.keepdims = true}), F::mean(m_, {}, true));
  same(F::normalize(x_, {.axis = 2}), F::normalize(x_, 1e-5, 2));
  same(F::bias(x_, m_, {.axis = 0}), F::bias(x_, m_, 0));
  same(F::scale(x_, m_, {.axis = 0}), F::scale(x_, m_, 0));
}

TEST_P(NamedOptionsTest, Arrays) {
  same(F::transpose(x_, {.axes = {2, 0, 1}}), F::transpose(x_, {2, 0, 1}));
  same(F::expand_dims(x_, {.axis = 1}), F::expand_dims(x_, 1));
  same(F::split_axis(x_, 2, {.axis = 2}), F::split_axis(x_, 2, 2));
  same(F::separate(x_, {.axis = 1}), F::separate(x_, 1));
  same(F::flip(x_, {.axis = {0, 1}}), F::flip(x_, {0, 1}));
  same(F::repeat(m_, 2, {.axis = 1}), F::repeat(m_, 2, 1));
  const ndarray order = cp::array({2, 0, 1}).astype(cp::int32);
  same(F::permutate(x_, order, {.axis = 1, .inv = true}), F::permutate(x_, order, 1, true));
  same(F::diagonal(m_, {.offset = 1}), F::diagonal(m_, 1));
  const std::vector<Variable> rows = {m_(0), m_(1, cp::slice(0, 2))};
  same(F::pad_sequence(rows, {.length = 5, .padding = -1}), F::pad_sequence(rows, 5, -1));
}

TEST_P(NamedOptionsTest, Losses) {
  const Variable t(cp::array({0, 1}).astype(cp::int32));
  const F::Reduce no = F::Reduce::no;
  same(F::hinge(m_, t, {.norm = F::HingeNorm::L2}), F::hinge(m_, t, F::HingeNorm::L2));
  same(F::huber_loss(m_, p_, {.delta = 2}), F::huber_loss(m_, p_, 2));
  same(F::huber_loss(m_, p_, {.delta = 2, .reduce = no}), F::huber_loss(m_, p_, 2, no));
  same(F::contrastive(m_, p_, t, {.margin = 50}), F::contrastive(m_, p_, t, 50));
  same(F::contrastive(m_, p_, t, {.reduce = no}), F::contrastive(m_, p_, t, 1, no));
  same(F::triplet(m_, p_, m_, {.margin = 3}), F::triplet(m_, p_, m_, 3));
  same(F::cosine_similarity(m_, p_, {.axis = 0}), F::cosine_similarity(m_, p_, 0));
  same(F::cosine_embedding_loss(m_, p_, t, {.margin = 0.5}),
       F::cosine_embedding_loss(m_, p_, t, 0.5));
  const Variable shares(p_.data() / 21);
  same(F::kl_div(m_, shares, {.reduce = no}), F::kl_div(m_, shares, no));
  same(F::gaussian_kl_divergence(m_, p_, {.reduce = no}), F::gaussian_kl_divergence(m_, p_, no));
  same(F::bernoulli_nll(shares, m_, {.reduce = no}), F::bernoulli_nll(shares, m_, no));
  same(F::gaussian_nll(m_, p_, m_, {.reduce = F::Reduce::mean}),
       F::gaussian_nll(m_, p_, m_, F::Reduce::mean));
  same(F::accuracy(m_, t, {.ignore_label = 1}), F::accuracy(m_, t, 1));
}

TEST_P(NamedOptionsTest, LossesTakeChainersTexts) {
  const Variable t(cp::array({0, 1}).astype(cp::int32));
  const Variable flags(cp::array({{0, 1, 1}, {1, 0, 0}}).astype(cp::int32));
  const F::Reduce no = F::Reduce::no, sum = F::Reduce::sum;
  same(F::softmax_cross_entropy(m_, t, {.reduce = "no"}),
       F::softmax_cross_entropy(m_, t, {.reduce = no}));
  same(F::sigmoid_cross_entropy(m_, flags, {.reduce = "sum"}),
       F::sigmoid_cross_entropy(m_, flags, {.reduce = sum}));
  same(F::hinge(m_, t, {.norm = "L2", .reduce = "no"}), F::hinge(m_, t, F::HingeNorm::L2, no));
  same(F::huber_loss(m_, p_, {.delta = 2, .reduce = "no"}), F::huber_loss(m_, p_, 2, no));
  same(F::huber_loss(m_, p_, {.delta = 2, .reduce = "mean"}),
       F::huber_loss(m_, p_, 2, F::Reduce::mean));
  same(F::contrastive(m_, p_, t, {.reduce = "no"}), F::contrastive(m_, p_, t, 1, no));
  same(F::triplet(m_, p_, m_, {.margin = 3, .reduce = "no"}), F::triplet(m_, p_, m_, 3, no));
  // The number at its place, the reduction by name.
  same(F::hinge(m_, t, "L2", {.reduce = "no"}), F::hinge(m_, t, F::HingeNorm::L2, no));
  same(F::huber_loss(m_, p_, 2, {.reduce = "no"}), F::huber_loss(m_, p_, 2, no));
  same(F::huber_loss(m_, p_, 2, {}), F::huber_loss(m_, p_, 2));
  same(F::contrastive(m_, p_, t, 50, {.reduce = "no"}), F::contrastive(m_, p_, t, 50, no));
  same(F::triplet(m_, p_, m_, 3, {.reduce = "no"}), F::triplet(m_, p_, m_, 3, no));
  same(F::kl_div(m_, p_, {.reduce = "sum"}), F::kl_div(m_, p_, sum));
  same(F::gaussian_nll(m_, p_, m_, {.reduce = "no"}), F::gaussian_nll(m_, p_, m_, no));
  const std::string chosen = "none";
  cp::testing::expect_error<cp::ValueError>(
      [&] { F::softmax_cross_entropy(m_, t, {.reduce = chosen}); },
      "the reduce must be mean, sum or no; 'none'");
  cp::testing::expect_error<cp::ValueError>([&] { F::hinge(m_, t, {.norm = "l2"}); },
                                            "the norm must be L1 or L2; 'l2'");
}

TEST_P(NamedOptionsTest, NoiseAndNormalisation) {
  const Variable gamma(cp::ones({3}, cp::float32)), beta(cp::zeros({3}, cp::float32));
  same(F::layer_normalization(m_, gamma, beta, {.eps = 1}),
       F::layer_normalization(m_, gamma, beta, 1));
  same(F::group_normalization(x_, 3, gamma, beta, {.eps = 1}),
       F::group_normalization(x_, 3, gamma, beta, 1));
  same(F::instance_normalization(x_, gamma, beta, {.eps = 1}),
       F::instance_normalization(x_, gamma, beta, 1));
  same(F::zoneout(m_, p_, {.train = false}), p_);
  same(F::simplified_dropconnect(m_, p_, {}, {.train = false}), F::linear(m_, p_));
  same(F::embedding_dropout(m_, {.ratio = 0}), m_);
  const Variable ids(cp::array({1, 0}).astype(cp::int32));
  same(F::embed_id(ids, m_, {.ignore_label = 0}), F::embed_id(ids, m_, 0));
  cp::random::seed(1);
  const Variable drawn = F::gumbel_softmax(m_, {.tau = 2});
  cp::random::seed(1);
  same(drawn, F::gumbel_softmax(m_, 2));
}

// Chainer's `axis=None`, `ignore_label=None` and `length=None`, in their places.
TEST_P(NamedOptionsTest, NoneStandsForTheDefault) {
  const auto same = [](const Variable& a, const Variable& b) {
    expect_array_equal(a.data(), b.data());
  };
  same(F::argmax(x_, cp::none), F::argmax(x_));
  same(F::argmin(x_, cp::none), F::argmin(x_));
  same(F::cumsum(x_, cp::none), F::cumsum(x_));
  same(F::cumprod(x_, cp::none), F::cumprod(x_));
  same(F::repeat(x_, 2, cp::none), F::repeat(x_, 2));
  const Variable labels(cp::array({1, 0}).astype(cp::int32)),
      scores(cp::array({{0., 1.}, {0., 2.}}));
  same(F::accuracy(scores, labels, cp::none), F::accuracy(scores, labels));
  same(F::embed_id(labels, scores, cp::none), F::embed_id(labels, scores));
  const ndarray W = cp::array({{1., 2.}, {3., 4.}});
  expect_array_equal(F::EmbedID(2, 2, W, cp::none)(labels).data(), W(cp::array({1, 0})));
  const std::vector<ndarray> arrays = {cp::array({1., 2.}), cp::array({3.})};
  const ndarray padded = cp::array({{1., 2.}, {3., -1.}});
  expect_array_equal(F::pad_sequence(arrays, cp::none, -1).data(), padded);
  expect_array_equal(
      F::pad_sequence({Variable(arrays[0]), Variable(arrays[1])}, cp::none, -1).data(), padded);
  const F::InceptionBN module(2, 0, 2, 2, 2, 2, "max", cp::none, 2);
  EXPECT_EQ(module(Variable(cp::ones({1, 2, 4, 4}, cp::float32))).shape(), (cp::Shape{1, 6, 2, 2}));
}

// What other_function_names.h says to write has the numbers of PyTorch's formulas.
TEST_P(NamedOptionsTest, WhatStandsForPyTorchsFunctions) {
  const Variable x(cp::array({{0.5, -1., 2.}, {-0.25, 3., 0.}}));
  const ndarray t = cp::array({2, 0}), binary = cp::array({{0, 1, 1}, {1, 0, 0}});
  const ndarray& a = x.data();
  const ndarray p = 1 / (1 + cp::exp(-a)), e = cp::exp(a);
  const ndarray log_p = a - cp::log(e.sum(1, {.keepdims = true}));
  const auto close = [](const Variable& y, const ndarray& expected) {
    expect_allclose(y.data(), expected, 1e-13, 1e-14);
  };
  const ndarray nll = -(log_p(0, 2) + log_p(1, 0)) / 2;
  close(F::softmax_cross_entropy(x, t), nll);
  close(
      F::softmax_cross_entropy(
          x, t,
          {.class_weight = cp::ones(3), .ignore_label = -1, .reduce = "sum", .label_smoothing = 0}),
      nll * 2);
  close(-F::mean(F::select_item(F::log_softmax(x), t)), nll);
  const ndarray bce = -cp::where(binary == 1, cp::log(p), cp::log(1 - p)).mean();
  close(F::sigmoid_cross_entropy(x, binary, {.normalize = true}), bce);
  close(F::bernoulli_nll(Variable(binary.astype(cp::float64)), x, "mean"), bce);
  const ndarray d = cp::absolute(a - binary);
  close(F::huber_loss(x, binary.astype(cp::float64), 1, "mean"),
        cp::where(d < 1, d * d / 2, d - 0.5).mean());
  close(F::sqrt(F::sum(F::square(x - binary.astype(cp::float64)), 1)), cp::sqrt((d * d).sum(1)));
  close(F::swish(x), a * p);
  close(-F::softplus(-x), cp::log(p));
  close(F::clip(x, -1, 1), cp::clip(a, -1, 1));
  expect_array_equal(cp::eye(3, {.dtype = cp::float32})(t),
                     cp::array({{0, 0, 1}, {1, 0, 0}}).astype(cp::float32));
  const Variable image(cp::arange(25.).reshape({1, 1, 5, 5}));
  expect_array_equal(F::max_pooling_2d(image, 2, {.stride = 2, .cover_all = false}).data(),
                     cp::array({{{{6., 8.}, {16., 18.}}}}));
}

namespace own {
using namespace chainerxx::functions;  // NOLINT: what users write

int cross_entropy(const Variable&, const ndarray&) { return 1; }
int one_hot(const ndarray&, std::int64_t, cp::dtype = cp::float32) { return 2; }
int mse_loss(const Variable&, const Variable&) { return 3; }
int silu(const Variable&) { return 4; }

std::vector<int> call_all(const Variable& x, const ndarray& t) {
  return {cross_entropy(x, t), one_hot(t, 3), mse_loss(x, t), silu(x)};
}
}  // namespace own

// The names stay free for the user.
TEST_P(NamedOptionsTest, FunctionsOfOnesOwnByPyTorchsNames) {
  EXPECT_EQ(own::call_all(x_, x_.data()), (std::vector<int>{1, 2, 3, 4}));
}

TEST_P(NamedOptionsTest, SwishOfABetaThatIsTrained) {
  const Variable x(x_.data().astype(cp::float64) / 4), number(cp::array(0.5)),
      rows(cp::array({0.5, -1., 2.})), one(cp::array({0.5}));
  const auto formula = [&](const ndarray& beta) {
    return x.data() / (1 + cp::exp(-beta * x.data()));
  };
  expect_allclose(F::swish(x, number).data(), formula(number.data()), 1e-14, 0);
  expect_allclose(F::swish(x, rows).data(), formula(rows.data().reshape({3, 1})), 1e-14, 0);
  expect_allclose(F::swish(x, number).data(), F::swish(x, 0.5).data(), 1e-14, 0);
  F::sum(F::swish(x, rows)).backward();
  // d/dbeta x s(beta x) = x^2 s (1 - s).
  const ndarray s = 1 / (1 + cp::exp(-rows.data().reshape({3, 1}) * x.data()));
  expect_allclose(rows.grad(), (x.data() * x.data() * s * (1 - s)).sum({0, 2}), 1e-13, 0);
  expect_error<cp::ShapeError>(
      [&] { F::swish(x, one); },
      "swish: beta has not the shape of axes of x behind the first; (1,) and (2, 3, 4)");
  expect_error<cp::ShapeError>([&] { F::swish(number, rows); }, "swish: beta has not the shape");
  expect_error<cp::TypeError>([&] { F::swish(x, Variable()); }, "swish: input 1 is None");
}

}  // namespace
}  // namespace chainerxx
