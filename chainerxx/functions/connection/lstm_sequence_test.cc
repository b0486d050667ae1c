// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/lstm_sequence.h"

#include <gtest/gtest.h>

#include "chainerxx/functions/activation/lstm.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_allclose;

class LstmSequenceTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(LstmSequenceTest);

Variable draw(const Shape& shape, cupyxx::dtype dtype) {
  return Variable(cupyxx::random::uniform(shape, {.low = -1, .high = 1}).astype(dtype));
}

/// One step after the other, by the functions for a step.
void compare_with_steps(cupyxx::dtype dtype, double tolerance, std::int64_t batch = 3,
                        std::int64_t units = 2) {
  constexpr std::int64_t kSteps = 4, kIn = 5;
  LSTMSequence layer(kIn, units, {.dtype = dtype});
  layer.b.set(draw(layer.b.shape(), dtype).data());
  const Variable x = draw({kSteps, batch, kIn}, dtype);
  const Variable c0 = draw({batch, units}, dtype), h0 = draw({batch, units}, dtype);
  const auto [y, last] = layer(x, c0, h0);
  const cupyxx::ndarray gy = draw(y.shape(), dtype).data(), gc = draw(c0.shape(), dtype).data();
  y.set_grad(gy);
  last.set_grad(gc);
  y.backward();

  const Variable W(layer.W), U(layer.U), b(layer.b), first_c(c0.data()), first_h(h0.data());
  std::vector<Variable> inputs, states;
  Variable c = first_c, h = first_h;
  for (std::int64_t t = 0; t < kSteps; ++t) {
    inputs.emplace_back(cupyxx::ndarray(x.data()(t)));
    const auto [next_c, next_h] = lstm(c, linear(inputs.back(), W, b) + linear(h, U));
    c = next_c;
    h = next_h;
    states.push_back(h);
  }
  const Variable expected = stack(states);
  expected.set_grad(gy);
  c.set_grad(gc);
  expected.backward();
  const auto same = [&](const cupyxx::ndarray& a, const cupyxx::ndarray& e) {
    expect_allclose(a, e, tolerance, tolerance);
  };
  same(y.data(), expected.data());
  same(last.data(), c.data());
  for (std::int64_t t = 0; t < kSteps; ++t) {
    same(x.grad()(t), inputs[static_cast<std::size_t>(t)].grad());
  }
  same(c0.grad(), first_c.grad());
  same(h0.grad(), first_h.grad());
  same(layer.gW, W.grad());
  same(layer.gU, U.grad());
  same(layer.gb, b.grad());
}

TEST_P(LstmSequenceTest, IsTheLoopOverItsSteps) {
  compare_with_steps(cupyxx::float32, 1e-5);
  compare_with_steps(cupyxx::float64, 1e-12);
  compare_with_steps(cupyxx::float16, 1e-2);
  compare_with_steps(cupyxx::bfloat16_, 8e-2);
}

TEST_P(LstmSequenceTest, IsTheLoopInTf32) {
  const PrecisionScope scope(Precision::tf32);
  for (const std::int64_t batch : {4, 5, 20, 32, 33}) {
    compare_with_steps(cupyxx::float32, 1e-2, batch, 130);  // steps backward by products
    compare_with_steps(cupyxx::float32, 1e-2, batch, 64);
  }
}

TEST_P(LstmSequenceTest, StatesAreNotSharedWithWhatBackwardReads) {
  LSTMSequence layer(2, 3);
  const Variable x = draw({2, 1, 2}, cupyxx::float32), start = draw({1, 3}, cupyxx::float32);
  const auto [y, c] = layer(x, start, start);
  cupyxx::ndarray changed = y.data();
  changed.fill(7);
  y.set_grad(cupyxx::ones_like(changed));
  y.backward();
  const cupyxx::ndarray once = layer.gU.copy();
  layer.gU.fill(0);
  const auto [same_y, same_c] = layer(x, start, start);
  same_y.set_grad(cupyxx::ones_like(changed));
  same_y.backward();
  cupyxx::testing::expect_array_equal(layer.gU, once);
}

TEST_P(LstmSequenceTest, NoStepsChangeNothing) {
  LSTMSequence layer(2, 3);
  const Variable x(cupyxx::ones({0, 4, 2}, cupyxx::float32));
  const Variable start = draw({4, 3}, cupyxx::float32);
  const auto [y, c] = layer(x, start, start);
  EXPECT_EQ(y.shape(), Shape({0, 4, 3}));
  cupyxx::testing::expect_array_equal(c.data(), start.data());
}

}  // namespace
}  // namespace chainerxx::functions
