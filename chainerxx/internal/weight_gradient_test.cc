// SPDX-License-Identifier: MIT
// What a walk adds to the gradients of layers that are used many times: numbers are small integers,
// so that sums are exact in any order and bits can be compared.
#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/chainerxx.h"
#include "chainerxx/functions/util/forget.h"
#include "chainerxx/internal/backward_observer.h"
#include "chainerxx/internal/join_rows.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::internal {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::Shape;
using cp::testing::expect_array_equal;
using cp::testing::expect_error;

class WeightGradientTest : public cp::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(WeightGradientTest);

/// -2 to 2, others for each phase.
ndarray integers(const Shape& shape, std::int64_t phase, cp::dtype dtype = cp::float32) {
  const ndarray k = cp::arange(shape.element_count()) * 7 + phase * 3;
  return (k * k % 11 % 5 - 2).reshape(shape).astype(dtype);
}

/// A layer of 5 to 3 that is applied to inputs of its own; the sums of its gradients by loops on
/// the host.
struct Uses {
  explicit Uses(const F::Linear& f)
      : layer(f), gW(3, std::vector<double>(5)), gb(std::vector<double>(3)) {}

  /// The sum of the results, weighted.
  Variable use(std::int64_t rows) {
    const std::int64_t phase = ++count;
    const ndarray x = integers({rows, 5}, phase, layer.W.dtype());
    const ndarray factor = integers({rows, 3}, phase + 50, layer.W.dtype());
    const auto xs = x.astype(cp::float64).to_vector<double>();
    const auto gys = factor.astype(cp::float64).to_vector<double>();
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
      for (std::size_t o = 0; o < 3; ++o) {
        gb[o] += gys[3 * r + o];
        for (std::size_t i = 0; i < 5; ++i) gW[o][i] += gys[3 * r + o] * xs[5 * r + i];
      }
    }
    return F::sum(layer(Variable(x)) * factor);
  }

  void expect_gradients(double times = 1) const {
    const auto weights = layer.gW.astype(cp::float64).to_vector<double>();
    for (std::size_t k = 0; k < 15; ++k) ASSERT_EQ(weights[k], times * gW[k / 5][k % 5]) << k;
    if (layer.b.is_none()) return;
    const auto bias = layer.gb.astype(cp::float64).to_vector<double>();
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(bias[k], times * gb[k]) << k;
  }

  F::Linear layer;
  std::vector<std::vector<double>> gW;
  std::vector<double> gb;
  std::int64_t count = 0;
};

F::Linear layer_of(cp::dtype dtype = cp::float32, bool nobias = false) {
  return F::Linear(5, 3,
                   {.nobias = nobias, .initialW = integers({3, 5}, 99, dtype), .dtype = dtype});
}

Variable sum_of_uses(Uses& uses, const std::vector<std::int64_t>& rows) {
  Variable sum;
  for (const std::int64_t n : rows) sum += uses.use(n);
  return sum;
}

TEST_P(WeightGradientTest, UsesAddUp) {
  // One; a few; empty ones between; more than are joined at once; more rows than are joined; rows
  // that are too many to wait.
  const std::vector<std::int64_t> many(150, 2), wide(13, 200);
  for (const auto& rows : {std::vector<std::int64_t>{4},
                           {4, 4, 4},
                           {3, 0, 1, 5},
                           {0, 0},
                           many,
                           wide,
                           {20, 300, 20, 20, 257, 256}}) {
    for (const bool nobias : {false, true}) {
      for (const cp::dtype dtype : {cp::float32, cp::float64}) {
        Uses uses(layer_of(dtype, nobias));
        sum_of_uses(uses, rows).backward();
        uses.expect_gradients();
      }
    }
  }
}

TEST_P(WeightGradientTest, NarrowGradientsAreRoundedOncePerProduct) {
  for (const cp::dtype dtype : {cp::float16, cp::bfloat16_}) {
    Uses uses(layer_of(dtype));
    sum_of_uses(uses, {4, 3, 5, 4}).backward();  // below 256: exact in both types
    uses.expect_gradients();
  }
  // Float32 parameters beside narrow inputs.
  for (const Precision precision : {Precision::tf32, Precision::bfloat16, Precision::float16}) {
    const PrecisionScope scope(precision);
    Uses uses(layer_of());
    sum_of_uses(uses, {4, 3, 5, 4, 70}).backward();
    uses.expect_gradients();
  }
}

TEST_P(WeightGradientTest, ScopesAreKept) {
  Uses uses(layer_of());
  Variable sum;
  for (int i = 0; i < 9; ++i) {
    const Precision all[] = {Precision::float32, Precision::tf32, Precision::bfloat16};
    const PrecisionScope scope(all[i % 3]);
    sum += uses.use(4);
  }
  sum.backward();
  uses.expect_gradients();
}

TEST_P(WeightGradientTest, EachBackwardAddsAllOfIt) {
  Uses uses(layer_of());
  const Variable first = sum_of_uses(uses, {4, 4, 4});
  first.backward();
  uses.expect_gradients();
  const Variable second = sum_of_uses(uses, {2, 6, 1, 3});
  second.backward();
  uses.expect_gradients();
  uses.layer.zero_grads();
  first.backward({.retain_grad = true});
  second.backward({.enable_double_backprop = true});
  uses.expect_gradients();
}

TEST_P(WeightGradientTest, LayersOfOneMatrixShareIt) {
  Uses uses(layer_of());
  F::Linear without_bias;  // tied
  without_bias.W = uses.layer.W;
  without_bias.gW = uses.layer.gW;
  F::Linear other_bias = without_bias;
  other_bias.b = cp::zeros_like(uses.layer.b);
  other_bias.gb = cp::zeros_like(uses.layer.b);
  const ndarray x = integers({4, 5}, 7), factor = integers({4, 3}, 8);
  Variable sum = sum_of_uses(uses, {4, 4});
  for (int i = 0; i < 3; ++i) {
    sum += F::sum(without_bias(Variable(x)) * factor);
    sum += F::sum(other_bias(Variable(x)) * factor);
    sum += uses.use(2);
  }
  const ndarray more = cp::matmul(factor.T(), x) * 6;
  sum.backward();
  uses.layer.gW -= more;
  uses.expect_gradients();
  expect_array_equal(other_bias.gb, factor.sum(0) * 3);
}

TEST_P(WeightGradientTest, InputsOfAnyLayoutAndShape) {
  F::Linear f = layer_of();
  const ndarray x = integers({5, 4}, 1).T(), factor = integers({3, 4}, 2).T();
  const ndarray image = x.copy(cp::Order::C).reshape({4, 1, 5});
  Variable sum;
  for (int i = 0; i < 3; ++i) {
    sum += F::sum(f(Variable(x)) * factor);
    sum += F::sum(f(Variable(image)) * factor);
  }
  sum.backward();
  expect_array_equal(f.gW, cp::matmul(factor.T(), x) * 6);
  expect_array_equal(f.gb, factor.sum(0) * 6);
}

/// A layer that calls another one's backward by hand, and clips what it finds.
struct ByHand final : FunctionOf<ByHand> {
  explicit ByHand(const F::Linear& f) : inner(f) {}
  std::vector<ndarray> forward(ArraySpan x) override { return {cp::matmul(x[0], inner.W.T())}; }
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override {
    const ndarray before = inner.gW.copy();
    F::Linear copy = inner;
    const Variable y = copy(Variable(x[0]));
    y.set_grad(gy[0]);
    y.backward();  // a walk within the walk
    expect_array_equal(inner.gW, before + cp::matmul(gy[0].T(), x[0]));
    return {ndarray()};
  }
  F::Linear inner;
};

TEST_P(WeightGradientTest, WalksWithinAWalkEndFirst) {
  const F::Linear f = layer_of(cp::float32, true);
  const ndarray x = integers({4, 5}, 1), factor = integers({4, 3}, 2);
  Variable sum;
  for (int i = 0; i < 4; ++i) sum += F::sum(ByHand(f)(Variable(x)) * factor);
  sum.backward();
  expect_array_equal(f.gW, cp::matmul(factor.T(), x) * 4);
}

TEST_P(WeightGradientTest, RecomputationAddsTheSame) {
  Uses uses(layer_of());
  const Variable start(cp::zeros({}, cp::float32));
  Variable sum = F::forget(
      [&](const Variable& s) {
        return s + sum_of_uses(uses, {4, 4, 4});
      },
      start);
  // Forward ran twice: once for the result, once more for the gradients.
  sum.backward();
  const std::int64_t recomputed = uses.count;
  EXPECT_EQ(recomputed, 6);
  Uses expected(layer_of());
  expected.count = 3;
  sum_of_uses(expected, {4, 4, 4}).backward();
  expect_array_equal(uses.layer.gW, expected.layer.gW);
  expect_array_equal(uses.layer.gb, expected.layer.gb);
}

/// Sees a gradient of the layer behind each of its uses.
struct Watching final : BackwardObserver {
  explicit Watching(const F::Linear& f) : layer(f) { add_backward_observer(this); }
  ~Watching() override { remove_backward_observer(this); }
  void begin() override {}
  void reach(Function&) override {}
  void start() override {}
  void prepare(Function&) override {}
  void finish(Function& f) override {
    if (dynamic_cast<F::Linear*>(&f) != nullptr) seen.push_back(layer.gb(0).item<double>());
  }
  void end() override {}
  void fail() noexcept override {}
  F::Linear layer;
  std::vector<double> seen;
};

TEST_P(WeightGradientTest, ObserversFindWhatIsFinal) {
  F::Linear f = layer_of();
  Watching watching(f);
  Variable sum;
  for (int i = 0; i < 3; ++i) sum += F::sum(f(Variable(integers({4, 5}, i))));
  sum.backward();
  EXPECT_EQ(watching.seen, (std::vector<double>{4, 8, 12}));
}

TEST_P(WeightGradientTest, DebugModeFindsThem) {
  const DebugScope debug(true);
  Uses uses(layer_of());
  sum_of_uses(uses, {4, 4, 4}).backward();
  uses.expect_gradients();
}

/// Doubles an array of somebody else's where it lies.
struct Careless final : FunctionOf<Careless> {
  std::vector<ndarray> forward(ArraySpan x) override { return {x[0].copy()}; }
  std::vector<ndarray> backward(ArraySpan, ArraySpan) override {
    cp::multiply(target, 2, {.out = target});
    return {ndarray()};
  }

  ndarray target;
};

TEST_P(WeightGradientTest, WhatChangesMeanwhileIsAnError) {
  const F::Linear f = layer_of();
  const ndarray x = integers({4, 5}, 6);
  // Backward goes to the layer and, since it is older, to the careless function afterwards; the
  // gradient of the weights waits for both calls of the layer.
  Careless function;
  function.target = x;
  const Variable careless = function(Variable(integers({4, 3}, 2)));
  Variable sum = F::sum(f(Variable(integers({4, 5}, 5))));
  sum += F::sum(f(Variable(x)) + careless);
  expect_error<cp::ValueError>(
      [&] { sum.backward(); },
      "backward: an input of a layer, or the gradient of its result, was changed in place while "
      "backward went on; shape (4, 5)");
}

TEST_P(WeightGradientTest, CapturedLoopsHaveTheBitsOfEagerOnes) {
  cp::random::seed(3);
  const ndarray x = cp::random::standard_normal({5, 6}, {.dtype = cp::float32});
  F::Linear up(6, 32), lateral(8, 32, {.nobias = true});
  const auto step = [&] {
    Variable c = cp::zeros({5, 8}, cp::float32), h = c;
    for (int i = 0; i < 70; ++i) {
      const auto [next, y] = F::lstm(c, up(Variable(x)) + lateral(h));
      c = next;
      h = y;
    }
    up.zero_grads();
    lateral.zero_grads();
    F::sum(h * h).backward();
  };
  step();
  const ndarray gW = up.gW.copy(), gU = lateral.gW.copy(), gb = up.gb.copy();
  EXPECT_GT(cp::absolute(gU).sum().item<float>(), 0);
  auto captured = capture(step);
  for (int i = 0; i < 4; ++i) {
    up.gW.fill(1);
    captured();
    expect_array_equal(up.gW, gW);
    expect_array_equal(lateral.gW, gU);
    expect_array_equal(up.gb, gb);
  }
}

TEST_P(WeightGradientTest, RowsAreJoined) {
  for (const cp::dtype dtype : {cp::float16, cp::bfloat16_, cp::float32, cp::float64}) {
    for (const std::vector<std::int64_t>& rows : {std::vector<std::int64_t>{3},
                                                  {1, 0, 7},
                                                  {0, 0},
                                                  std::vector<std::int64_t>(64, 2),
                                                  {900, 1}}) {
      std::vector<ndarray> parts;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        parts.push_back(integers({rows[i], 11}, static_cast<std::int64_t>(i), dtype));
      }
      expect_array_equal(join_rows(parts), cp::concatenate(parts, 0));
    }
  }
  const std::vector<ndarray> flat = {cp::zeros({2, 0}, cp::float32),
                                     cp::zeros({3, 0}, cp::float32)};
  EXPECT_EQ(join_rows(flat).shape()[1], 0);
}

}  // namespace
}  // namespace chainerxx::internal
