// SPDX-License-Identifier: MIT
// Attention and its gradients beside the formulas written out in float64, over dtypes, lengths,
// depths, masks and layouts. On a CUDA device the 16-bit types and float32 as TF32 take the fused
// kernels, long sequences cuDNN's.
#include "chainerxx/functions/connection/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <vector>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/grad.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/precision.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using Doubles = std::vector<double>;

class AttentionTest : public cupyxx::testing::DeviceTest {
 protected:
  std::vector<cupyxx::dtype> dtypes() const {
    return {cupyxx::float32, cupyxx::float16, cupyxx::bfloat16_};
  }
};
CUPYXX_TEST_ON_DEVICES(AttentionTest);

/// How operands lie in memory.
enum class Order { plain, tokens, odd };
enum class Mask { none, padding, full };

struct Case {
  std::int64_t n, heads, queries, keys, depth, width;
  bool is_causal = false;
  Mask mask = Mask::none;
  Order order = Order::plain;
};

std::ostream& operator<<(std::ostream& os, const Case& c) {
  return os << "(" << c.n << ", " << c.heads << ", " << c.queries << ", " << c.depth << ") by "
            << c.keys << " keys, width " << c.width << (c.is_causal ? ", causal" : "") << ", mask "
            << static_cast<int>(c.mask) << ", order " << static_cast<int>(c.order);
}

/// Half the distance of 1 from the next number; of float32, whose sums are what counts, more.
double rounding(cupyxx::dtype type) {
  if (type == cupyxx::float32 && is_tf32_allowed()) return 0x1p-11;
  return type == cupyxx::bfloat16_ ? 0x1p-8 : type == cupyxx::float16 ? 0x1p-11 : 0x1p-20;
}

/// Random numbers of a shape (n, heads, rows, depth).
ndarray draw(const Shape& shape, cupyxx::dtype type, Order order = Order::plain) {
  const ndarray x = cupyxx::random::uniform(shape, {.low = -1, .high = 1}).astype(type);
  if (order == Order::plain) return x;
  const std::int64_t shift = order == Order::odd ? 1 : 0;  // rows on no multiple of 16 bytes
  const ndarray tokens = cupyxx::zeros({shape[0], shape[2], shape[1], shape[3] + shift}, type);
  const ndarray view = ndarray(tokens(cupyxx::ellipsis, cupyxx::slice(shift, shape[3] + shift)))
                           .transpose({0, 2, 1, 3});
  view.set(x);
  return view;
}

ndarray draw_mask(const Case& c) {
  if (c.mask == Mask::none) return {};
  const Shape shape =
      c.mask == Mask::padding ? Shape{c.n, 1, 1, c.keys} : Shape{c.n, c.heads, c.queries, c.keys};
  return cupyxx::greater(cupyxx::random::uniform(shape), 0.3);
}

Doubles numbers(const ndarray& x) { return x.astype(cupyxx::float64).to_vector<double>(); }

/// Factors of the weights by dropout; empty: none.
struct Reference {
  Doubles y, gquery, gkey, gvalue;

  Reference(const Case& c, const ndarray& query, const ndarray& key, const ndarray& value,
            const ndarray& grad_y, const ndarray& mask, double scale)
      : c_(c),
        scale_(scale),
        q_(numbers(query)),
        k_(numbers(key)),
        v_(numbers(value)),
        gy_(numbers(grad_y)) {
    if (!mask.is_none()) {
      shown_ = numbers(cupyxx::broadcast_to(mask, {c.n, c.heads, c.queries, c.keys}));
    }
    y.resize(gy_.size());
    gquery.resize(q_.size());
    gkey.resize(k_.size());
    gvalue.resize(v_.size());
    for (std::int64_t head = 0; head < c.n * c.heads; ++head) {
      for (std::int64_t i = 0; i < c.queries; ++i) add_row(head, i);
    }
  }

 private:
  void add_row(std::int64_t head, std::int64_t i) {
    const auto at = [](std::int64_t place) { return static_cast<std::size_t>(place); };
    const double* const q = &q_[at((head * c_.queries + i) * c_.depth)];
    const double* const k = &k_[at(head * c_.keys * c_.depth)];
    const double* const v = &v_[at(head * c_.keys * c_.width)];
    const double* const gy = &gy_[at((head * c_.queries + i) * c_.width)];
    Doubles weights(at(c_.keys)), grads(weights.size());
    double sum = 0, delta = 0;
    for (std::int64_t j = 0; j < c_.keys; ++j) {
      if (c_.is_causal && j > i) continue;
      if (!shown_.empty() && shown_[at((head * c_.queries + i) * c_.keys + j)] == 0) continue;
      double score = 0;
      for (std::int64_t d = 0; d < c_.depth; ++d) score += q[d] * k[j * c_.depth + d];
      sum += weights[at(j)] = std::exp(score * scale_);
    }
    if (sum == 0) return;
    for (std::int64_t j = 0; j < c_.keys; ++j) {
      const double weight = weights[at(j)] /= sum;
      for (std::int64_t d = 0; d < c_.width; ++d) {
        y[at((head * c_.queries + i) * c_.width + d)] += weight * v[j * c_.width + d];
        gvalue[at((head * c_.keys + j) * c_.width + d)] += weight * gy[d];
        grads[at(j)] += gy[d] * v[j * c_.width + d];
      }
      delta += weight * grads[at(j)];
    }
    for (std::int64_t j = 0; j < c_.keys; ++j) {
      const double grad = weights[at(j)] * (grads[at(j)] - delta) * scale_;
      for (std::int64_t d = 0; d < c_.depth; ++d) {
        gquery[at((head * c_.queries + i) * c_.depth + d)] += grad * k[j * c_.depth + d];
        gkey[at((head * c_.keys + j) * c_.depth + d)] += grad * q[d];
      }
    }
  }

  Case c_;
  double scale_;
  Doubles q_, k_, v_, gy_, shown_;
};

void expect_close(const ndarray& actual, const Doubles& expected, const char* what) {
  const Doubles found = numbers(actual);
  ASSERT_EQ(found.size(), expected.size()) << what;
  double largest = 1e-3;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  // Scores, weights, their gradients and the results are rounded.
  const double bound = 8 * rounding(actual.dtype()) * largest;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], bound) << what << " at " << i;
  }
}

void check(const Case& c, cupyxx::dtype type) {
  SCOPED_TRACE(::testing::PrintToString(c) + " " + std::string(type.name()));
  cupyxx::random::seed(7);
  const Variable q(draw({c.n, c.heads, c.queries, c.depth}, type, c.order));
  const Variable k(draw({c.n, c.heads, c.keys, c.depth}, type, c.order));
  const Variable v(draw({c.n, c.heads, c.keys, c.width}, type, c.order));
  const ndarray gy = draw({c.n, c.heads, c.queries, c.width}, type, c.order), mask = draw_mask(c);
  const double scale = 1.5 / std::sqrt(static_cast<double>(c.depth));
  const Variable y = scaled_dot_product_attention(
      q, k, v, {.mask = mask, .scale = scale, .is_causal = c.is_causal});
  y.set_grad(gy);
  y.backward();
  EXPECT_EQ(y.dtype(), type);
  const Reference expected(c, q.data(), k.data(), v.data(), gy, mask, scale);
  expect_close(y.data(), expected.y, "y");
  expect_close(q.grad(), expected.gquery, "the gradient by the queries");
  expect_close(k.grad(), expected.gkey, "the gradient by the keys");
  expect_close(v.grad(), expected.gvalue, "the gradient by the values");
}

TEST_P(AttentionTest, OfAllLengths) {
  for (const cupyxx::dtype type : dtypes()) {
    for (const std::int64_t length : {1, 7, 64, 65, 129}) {
      check({2, 3, length, length, 64, 64}, type);
      check({2, 3, length, length, 64, 64, true}, type);
    }
  }
}

TEST_P(AttentionTest, OfLongSequences) {
  check({1, 1, 1024, 1024, 64, 64, true}, device().is_cpu() ? cupyxx::float32 : cupyxx::bfloat16_);
  if (device().is_cpu()) return;
  // Enough work for cuDNN, of any version that is used, then of those that take other lengths.
  check({1, 3, 896, 768, 64, 64, false, Mask::none, Order::tokens}, cupyxx::float16);
  check({1, 2, 1024, 1024, 64, 64, true, Mask::none, Order::tokens}, cupyxx::bfloat16_);
  check({2, 4, 520, 520, 64, 64, true, Mask::none, Order::tokens}, cupyxx::bfloat16_);
  check({1, 4, 530, 770, 64, 64, false, Mask::none, Order::odd}, cupyxx::float16);
  check({1, 4, 450, 450, 128, 128, true}, cupyxx::float16);
}

TEST_P(AttentionTest, OfLongSequencesTheBitsAreTheSame) {
  if (device().is_cpu()) return;
  const ndarray qkv = draw({4, 1, 777, 3 * 4 * 64}, cupyxx::bfloat16_).reshape({4, 777, 768});
  const auto results = [&] {
    const Variable x(qkv);
    const Variable y = self_attention(x, 4, {.is_causal = true});
    y.set_grad(y.data());
    y.backward();
    return numbers(cupyxx::concatenate({y.data(), x.grad()}, 2));
  };
  const Doubles first = results();
  for (int run = 0; run < 5; ++run) EXPECT_EQ(results(), first);
}

TEST_P(AttentionTest, OfTf32) {
  const Tf32Scope tf32;
  check({2, 3, 130, 130, 64, 64, true}, cupyxx::float32);
  check({2, 1, 70, 200, 64, 64}, cupyxx::float32);
  check({1, 2, 65, 65, 128, 128, true}, cupyxx::float32);
  check({1, 2, 70, 40, 24, 96, true, Mask::full, Order::tokens}, cupyxx::float32);
  check({1, 2, 40, 70, 31, 9, false, Mask::padding, Order::odd}, cupyxx::float32);
}

/// Which functions made a result of float32: one, or products and what is between them.
TEST_P(AttentionTest, Tf32IsFusedWhereItIsAllowed) {
  const Variable x(draw({1, 1, 70, 3 * 64}, cupyxx::float32).reshape({1, 70, 3 * 64}));
  const auto is_fused = [&] { return self_attention(x, 1).creator()->label() == "self_attention"; };
  EXPECT_FALSE(is_fused());
  {
    const Tf32Scope tf32;
    EXPECT_EQ(is_fused(), device().is_cuda());
  }
  const cupyxx::ComputeScope products(cupyxx::Precision::tf32);
  EXPECT_EQ(is_fused(), device().is_cuda());
}

TEST_P(AttentionTest, OfAllDepths) {
  for (const cupyxx::dtype type : dtypes()) {
    for (const std::int64_t depth : {1, 16, 30, 32, 80, 128, 136}) {
      check({1, 2, 70, 70, depth, depth, true}, type);
    }
    check({1, 2, 40, 70, 24, 96}, type);
  }
}

TEST_P(AttentionTest, OfOtherNumbersOfKeysThanQueries) {
  for (const cupyxx::dtype type : dtypes()) {
    for (const bool is_causal : {false, true}) {
      check({2, 1, 5, 200, 64, 64, is_causal}, type);
      check({2, 1, 200, 5, 64, 64, is_causal}, type);
    }
  }
}

TEST_P(AttentionTest, WithMasks) {
  for (const cupyxx::dtype type : dtypes()) {
    for (const Mask mask : {Mask::padding, Mask::full}) {
      check({2, 2, 70, 66, 64, 64, false, mask}, type);
      check({2, 2, 70, 66, 32, 32, true, mask}, type);
      check({2, 2, 3, 2, 128, 128, true, mask}, type);
    }
  }
}

TEST_P(AttentionTest, OfAnyLayout) {
  for (const cupyxx::dtype type : dtypes()) {
    for (const Order order : {Order::tokens, Order::odd}) {
      check({2, 3, 66, 70, 64, 64, true, Mask::none, order}, type);
      check({2, 3, 66, 70, 20, 40, false, Mask::padding, order}, type);
    }
  }
}

TEST_P(AttentionTest, AxesBeforeBroadcast) {
  for (const cupyxx::dtype type : dtypes()) {
    const Variable q(draw({2, 3, 10, 16}, type)), k(draw({1, 3, 12, 16}, type));
    const Variable v(draw({2, 1, 12, 8}, type));
    const ndarray gy = draw({2, 3, 10, 8}, type);
    const Variable y = scaled_dot_product_attention(q, k, v);
    y.set_grad(gy);
    y.backward();
    const ndarray wide_k = cupyxx::broadcast_to(k.data(), {2, 3, 12, 16});
    const ndarray wide_v = cupyxx::broadcast_to(v.data(), {2, 3, 12, 8});
    const Reference expected({2, 3, 10, 12, 16, 8}, q.data(), wide_k, wide_v, gy, {}, 0.25);
    expect_close(y.data(), expected.y, "y");
    expect_close(q.grad(), expected.gquery, "the gradient by the queries");
    const auto summed = [&](const Doubles& wide, const Shape& shape, int axis) {
      return numbers(cupyxx::array(wide).reshape(shape).sum(axis));
    };
    expect_close(k.grad(), summed(expected.gkey, {2, 3, 12, 16}, 0), "the gradient by the keys");
    expect_close(v.grad(), summed(expected.gvalue, {2, 3, 12, 8}, 1), "the gradient by the values");
  }
}

TEST_P(AttentionTest, OfAnyNumberOfAxes) {
  for (const cupyxx::dtype type : dtypes()) {
    const ndarray x = draw({2, 6, 9, 16}, type);
    const ndarray y = scaled_dot_product_attention(x, x, x).data();
    const ndarray three = x.reshape({12, 9, 16}), five = x.reshape({2, 2, 3, 9, 16});
    cupyxx::testing::expect_array_equal(
        scaled_dot_product_attention(three, three, three).data().reshape(x.shape()), y);
    cupyxx::testing::expect_array_equal(
        scaled_dot_product_attention(five, five, five).data().reshape(x.shape()), y);
  }
}

TEST_P(AttentionTest, OfOneProjection) {
  for (const cupyxx::dtype type : dtypes()) {
    for (const std::int64_t depth : {64, 20}) {
      const Variable packed(draw({2, 1, 70, 9 * depth}, type).reshape({2, 70, 9 * depth}));
      const Variable parts =
          transpose(reshape(Variable(packed.data()), {2, 70, 3, 3, depth}), {2, 0, 3, 1, 4});
      const Variable q(ndarray(parts.data()(0))), k(ndarray(parts.data()(1)));
      const Variable v(ndarray(parts.data()(2)));
      const ndarray gy = draw({2, 1, 70, 3 * depth}, type).reshape({2, 70, 3 * depth});
      const Variable y = self_attention(packed, 3, {.is_causal = true});
      y.set_grad(gy);
      y.backward();
      const ndarray heads_gy = gy.reshape({2, 70, 3, depth}).transpose({0, 2, 1, 3});
      const Reference expected({2, 3, 70, 70, depth, depth, true}, q.data(), k.data(), v.data(),
                               heads_gy, {}, 1 / std::sqrt(static_cast<double>(depth)));
      expect_close(y.data().reshape({2, 70, 3, depth}).transpose({0, 2, 1, 3}), expected.y, "y");
      const ndarray grad = packed.grad().reshape({2, 70, 3, 3, depth}).transpose({2, 0, 3, 1, 4});
      expect_close(grad(0), expected.gquery, "the gradient by the queries");
      expect_close(grad(1), expected.gkey, "the gradient by the keys");
      expect_close(grad(2), expected.gvalue, "the gradient by the values");
    }
  }
}

TEST_P(AttentionTest, FusedResultsLieTokenByToken) {
  if (device().is_cpu()) return;
  const Variable x(draw({2, 3, 66, 64}, cupyxx::float16));
  const Variable y = scaled_dot_product_attention(x, x, x);
  const ndarray tokens = y.data().transpose({0, 2, 1, 3});
  EXPECT_TRUE(tokens.flags().c_contiguous);
}

/// Factors of the weights that dropout drew: values that are rows of the identity show them.
TEST_P(AttentionTest, DropoutDropsWeights) {
  constexpr std::int64_t kLength = 64;
  constexpr double kRatio = 0.25;
  const ndarray identity = cupyxx::broadcast_to(cupyxx::eye(kLength), {4, 8, kLength, kLength});
  for (const cupyxx::dtype type : dtypes()) {
    SCOPED_TRACE(type.name());
    const Variable q(draw({4, 8, kLength, kLength}, type)), k(draw({4, 8, kLength, kLength}, type));
    const Variable v(identity.astype(type));
    const auto weights = [&](double ratio) {
      return scaled_dot_product_attention(q, k, v, {.dropout_ratio = ratio});
    };
    const Doubles all = numbers(weights(0).data());
    const Variable y = weights(kRatio);
    const Doubles kept = numbers(y.data());
    double count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (kept[i] == 0) continue;
      ++count;
      ASSERT_NEAR(kept[i], all[i] / (1 - kRatio), 8 * rounding(type) * all[i] + 1e-6) << i;
    }
    const auto n = static_cast<double>(all.size());
    EXPECT_NEAR(count / n, 1 - kRatio, 4 * std::sqrt(kRatio * (1 - kRatio) / n));
    // Another call draws other numbers, backward the same: the gradient by the values is the sum
    // over the queries of what was kept.
    EXPECT_NE(numbers(weights(kRatio).data()), kept);
    y.set_grad(cupyxx::ones_like(y.data()));
    y.backward();
    const ndarray sums =
        y.data().astype(cupyxx::float64).sum(2);  // (4, 8, keys) of (4, 8, queries, keys)
    const Doubles expected = numbers(sums), found = numbers(v.grad()(cupyxx::ellipsis, 0));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(found[i], expected[i], 16 * rounding(type) * (1 + expected[i])) << i;
    }
    {
      const TrainScope evaluation(false);
      EXPECT_EQ(numbers(weights(kRatio).data()), all);
    }
  }
}

TEST_P(AttentionTest, DropoutIsTheSameOnAllPaths) {
  const ndarray q = draw({2, 2, 9, 16}, cupyxx::float16), k = draw({2, 2, 7, 16}, cupyxx::float16);
  const ndarray v = draw({2, 2, 7, 16}, cupyxx::float16), gy = draw(q.shape(), cupyxx::float16);
  const auto gradients = [&](cupyxx::dtype type) {
    cupyxx::random::seed(11);
    const Variable x[] = {Variable(q.astype(type)), Variable(k.astype(type)),
                          Variable(v.astype(type))};
    const Variable y = scaled_dot_product_attention(x[0], x[1], x[2], {.dropout_ratio = 0.4});
    y.set_grad(gy.astype(type));
    y.backward();
    return std::vector<ndarray>{y.data(), x[0].grad(), x[1].grad(), x[2].grad()};
  };
  const std::vector<ndarray> narrow = gradients(cupyxx::float16);
  const std::vector<ndarray> wide = gradients(cupyxx::float64);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    expect_close(narrow[i], numbers(wide[i]), "result or gradient");
  }
}

TEST_P(AttentionTest, QueriesThatSeeNothingGiveZeros) {
  for (const cupyxx::dtype type : dtypes()) {
    const Variable x(draw({1, 2, 70, 64}, type));
    const ndarray mask = cupyxx::ones({70, 70}, cupyxx::bool_);
    mask(cupyxx::slice(3, 6)).set(cupyxx::zeros({}, cupyxx::bool_));
    const Variable y =
        scaled_dot_product_attention(x, Variable(x.data()), Variable(x.data()), {.mask = mask});
    y.set_grad(cupyxx::ones_like(y.data()));
    y.backward();
    const cupyxx::Index rows = cupyxx::slice(3, 6);
    for (const double value : numbers(y.data()(0, 0, rows))) EXPECT_EQ(value, 0);
    for (const double value : numbers(x.grad()(0, 1, rows))) EXPECT_EQ(value, 0);
    const Variable none(cupyxx::zeros({1, 2, 0, 64}, type));
    for (const double value : numbers(scaled_dot_product_attention(x, none, none).data())) {
      EXPECT_EQ(value, 0);
    }
  }
}

TEST_P(AttentionTest, NaNStaysInItsRow) {
  for (const cupyxx::dtype type : dtypes()) {
    const ndarray q = draw({1, 1, 66, 64}, type), k = draw({1, 1, 66, 64}, type);
    q(0, 0, 65, 3).set(cupyxx::full({}, NAN, type));
    const Doubles y = numbers(scaled_dot_product_attention(q, k, k, {.is_causal = true}).data());
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), i >= 65u * 64) << i;
  }
}

// The gradient of the values was 0.
TEST_P(AttentionTest, KeysWithoutElementsWeighAllAlike) {
  const Variable q(cupyxx::ones({1, 2, 0}, cupyxx::float16)),
      k(cupyxx::ones({1, 4, 0}, cupyxx::float16));
  const Variable v(cupyxx::arange(8).reshape({1, 4, 2}).astype(cupyxx::float16));
  const Variable y = scaled_dot_product_attention(q, k, v, {.scale = 1.0});
  cupyxx::testing::expect_elements<float>(y.data(), {1, 2, 2}, {3, 4, 3, 4});
  y.set_grad(cupyxx::ones({1, 2, 2}, cupyxx::float16));
  y.backward();
  cupyxx::testing::expect_array_equal(v.grad(), cupyxx::full({1, 4, 2}, 0.5, cupyxx::float16));
}

TEST_P(AttentionTest, NegativeScales) {
  for (const cupyxx::dtype type : dtypes()) {
    const ndarray q = draw({1, 2, 9, 16}, type), k = draw({1, 2, 9, 16}, type);
    const ndarray v = draw({1, 2, 9, 16}, type);
    const Reference expected({1, 2, 9, 9, 16, 16}, q, k, v, v, {}, -0.5);
    expect_close(scaled_dot_product_attention(q, k, v, {.scale = -0.5}).data(), expected.y, "y");
  }
}

TEST_P(AttentionTest, PrecisionScopesNarrowIt) {
  const Variable q(draw({2, 2, 70, 64}, cupyxx::float32));
  const PrecisionScope narrow(Precision::bfloat16);
  const Variable y = scaled_dot_product_attention(q, q, q, {.is_causal = true});
  EXPECT_EQ(y.dtype(), cupyxx::bfloat16_);
  y.set_grad(cupyxx::ones_like(y.data()));
  y.backward();
  EXPECT_EQ(q.grad().dtype(), cupyxx::float32);
  EXPECT_EQ(
      self_attention(Variable(draw({2, 1, 9, 48}, cupyxx::float32).reshape({2, 9, 48})), 2).dtype(),
      cupyxx::bfloat16_);
}

TEST_P(AttentionTest, HasGradientsOfGradients) {
  for (const cupyxx::dtype type : {cupyxx::float64, cupyxx::float16}) {
    const Variable q(draw({1, 2, 5, 16}, type)), k(draw({1, 2, 5, 16}, type));
    const auto gradient = [&](const Variable& query) {
      const Variable y = scaled_dot_product_attention(query, k, k, {.is_causal = true});
      return grad({sum(y * y)}, {query}, {.enable_double_backprop = true})[0];
    };
    const Variable first = gradient(q);
    const Variable second = grad({sum(first * first)}, {q})[0];
    // Along a direction, by differences of the gradient in float64.
    const Variable wide_k(k.data().astype(cupyxx::float64));
    const ndarray direction = draw(q.shape(), cupyxx::float64);
    const auto squares = [&](double step) {
      const Variable x(q.data().astype(cupyxx::float64) + direction * step);
      const Variable y = scaled_dot_product_attention(x, wide_k, wide_k, {.is_causal = true});
      const ndarray g = grad({sum(y * y)}, {x})[0].data();
      return numbers((g * g).sum())[0];
    };
    const double expected = (squares(1e-5) - squares(-1e-5)) / 2e-5;
    const double found = numbers((second.data().astype(cupyxx::float64) * direction).sum())[0];
    EXPECT_NEAR(found, expected,
                (type == cupyxx::float64 ? 1e-6 : 3e-2) * (1 + std::abs(expected)));
  }
}

}  // namespace
}  // namespace chainerxx::functions
