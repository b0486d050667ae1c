// SPDX-License-Identifier: MIT
// What the graph keeps, counted in bytes of the pool.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/functions.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::testing::expect_error;
using Arrays = std::vector<ndarray>;
using ArraySpan = std::span<const ndarray>;

constexpr std::int64_t kElements = 1 << 18;
constexpr std::uint64_t kBytes = kElements * sizeof(float);

class GraphMemoryTest : public cupyxx::testing::DeviceTest {
 protected:
  GraphMemoryTest() : x_(cupyxx::ones({kElements}, cupyxx::float32)) {}
  std::uint64_t used() const { return cupyxx::pool_stats(device()).used; }
  /// Arrays of kElements that a graph keeps beside x, rounded down.
  template <class F>
  std::uint64_t held(const F& f) const {
    const std::uint64_t before = used();
    const Variable y = f(x_);
    return (used() - before) / kBytes;
  }

  Variable x_;
};
CUPYXX_TEST_ON_DEVICES(GraphMemoryTest);

// What is in use when backward arrives here.
struct Probe final : FunctionOf<Probe> {
  Probe(std::uint64_t* found, cupyxx::Device where) : used(found), device(where) {}
  Arrays forward(ArraySpan x) override {
    retain_inputs({});
    return {x[0]};
  }
  Arrays backward(ArraySpan, ArraySpan gy) override {
    *used = cupyxx::pool_stats(device).used;
    return {gy[0]};
  }
  std::uint64_t* used;
  cupyxx::Device device;
};

// A function as users write it: all of its inputs are kept.
struct Square final : FunctionOf<Square> {
  Arrays forward(ArraySpan x) override { return {x[0] * x[0]}; }
  Arrays backward(ArraySpan x, ArraySpan gy) override { return {2 * x[0] * gy[0]}; }
};

TEST_P(GraphMemoryTest, KeepsOnlyWhatGradientsNeed) {
  const auto repeat = [](auto f) {
    return [f](Variable h) {
      for (int i = 0; i < 5; ++i) h = f(h);
      return h;
    };
  };
  // The result alone.
  EXPECT_EQ(held(repeat([](const Variable& h) { return h + 1; })), 1u);
  EXPECT_EQ(held(repeat([](const Variable& h) { return -h * 2; })), 1u);
  EXPECT_EQ(held(repeat([](const Variable& h) { return h + h; })), 1u);
  EXPECT_EQ(held(repeat([](const Variable& h) { return F::dropout(h, 0.5); })), 1u);
  // Results of each step, which are the inputs of the next.
  EXPECT_EQ(held(repeat([](const Variable& h) { return F::tanh(h); })), 5u);
  EXPECT_EQ(held(repeat([](const Variable& h) { return F::relu(h * 2 + 1); })), 5u);
  // Inputs but for x, which is held by the test, and the result.
  EXPECT_EQ(held(repeat([](const Variable& h) { return h * h; })), 5u);
  EXPECT_EQ(held(repeat([](const Variable& h) { return Square()(h); })), 5u);
}

TEST_P(GraphMemoryTest, ReshapedAndJoinedArraysGo) {
  EXPECT_EQ(held([](const Variable& x) {
              const Variable h = F::reshape(x + 1, {2, -1});
              return F::concat({h * 2, h * 3}, 0);
            }),
            2u);
}

TEST_P(GraphMemoryTest, ThePreActivationGoes) {
  F::Linear layer(1, 1);
  const Variable rows(cupyxx::ones({kElements, 1}, cupyxx::float32));
  layer(rows);  // libraries take their workspaces
  const std::uint64_t before = used();
  const Variable y = F::relu(layer(rows));
  EXPECT_EQ((used() - before) / kBytes, 1u);
}

TEST_P(GraphMemoryTest, MovedVariablesFreeTheGraphOnTheWay) {
  std::uint64_t kept = 0, freed = 0;
  const auto network = [&](std::uint64_t* found) {
    Variable h = Probe(found, device())(x_);
    for (int i = 0; i < 6; ++i) h = F::tanh(h);
    return F::sum(h);
  };
  std::uint64_t before = used();
  Variable loss = network(&kept);
  loss.backward();
  EXPECT_EQ((kept - before) / kBytes, 7u);  // the results of six functions, and the gradient
  const ndarray expected = x_.grad().copy();
  x_.set_grad(ndarray());
  loss = Variable();
  before = used();
  loss = network(&freed);
  std::move(loss).backward();
  EXPECT_TRUE(loss.is_none());               // NOLINT(bugprone-use-after-move)
  EXPECT_EQ((freed - before) / kBytes, 1u);  // the gradient that arrives, and no other
  cupyxx::testing::expect_array_equal(x_.grad(), expected);
}

TEST_P(GraphMemoryTest, ReleaseKeepsTheVariable) {
  const std::uint64_t before = used();
  Variable h = x_;
  for (int i = 0; i < 6; ++i) h = F::tanh(h);
  const Variable loss = F::sum(h);
  h = Variable();
  const auto value = loss.data().item<float>();
  loss.backward({.release_graph = true});
  EXPECT_EQ(loss.creator(), nullptr);
  EXPECT_EQ(loss.data().item<float>(), value);
  EXPECT_EQ((used() - before) / kBytes, 1u);  // the gradient of x
}

TEST_P(GraphMemoryTest, WhatOthersHoldStays) {
  const Variable x(cupyxx::array({3.0f}));
  const Variable h = x * x;
  std::move(h * 2).backward();
  EXPECT_EQ(x.grad().item<float>(), 12);
  x.set_grad(ndarray());
  std::move(h * h).backward();  // the part below h is still there
  EXPECT_EQ(x.grad().item<float>(), 4 * 27);
  EXPECT_TRUE(h.grad().is_none());
  Variable copy = h * 5;
  const Variable other = copy;
  std::move(copy).backward();
  EXPECT_NE(other.creator(), nullptr);
  EXPECT_NO_THROW(other.backward());
}

TEST_P(GraphMemoryTest, LvaluesMayGoBackwardAgain) {
  const Variable x(cupyxx::array({3.0f}));
  const Variable y = F::exp(x * 0) * x;
  y.backward();
  y.backward();
  EXPECT_EQ(x.grad().item<float>(), 2);
}

TEST_P(GraphMemoryTest, FreedVariablesAreStillDescribed) {
  const Variable y = F::relu(F::reshape(x_ + 1, {2, -1}));
  const Variable h = y.creator()->inputs()[0];
  EXPECT_EQ(h.label(), "(2, 131072), float32");
  EXPECT_EQ(h.shape(), cupyxx::Shape({2, 131072}));
  EXPECT_EQ(h.device(), device());
  expect_error<cupyxx::ValueError>([&] { h.data(); },
                                   "data: the elements were freed, because neither a handle nor "
                                   "a gradient needed them; (2, 131072), float32");
  expect_error<cupyxx::ValueError>(
      [&] { h + 1; }, "_ + 1: the elements of input 0 were freed, because no gradient needs them");
  const Variable z = Square()(x_ + 1);
  EXPECT_EQ(z.creator()->inputs()[0].data().size(), kElements);  // retained
}

TEST_P(GraphMemoryTest, OnlyRetainedInputsMustStayAsTheyWere) {
  const Variable x(cupyxx::array({3.0f}));
  const Variable y = x + 1;
  x.data() += 1;
  EXPECT_NO_THROW(y.backward());
  const Variable z = Square()(x);
  x.data() += 1;
  expect_error<cupyxx::ValueError>([&] { z.backward(); },
                                   "Square: input 0 was changed in place after forward");
}

TEST_P(GraphMemoryTest, FailedWalksLeaveTheGraph) {
  struct Thrower final : FunctionOf<Thrower> {
    Arrays forward(ArraySpan x) override { return {x[0] * 1}; }
    Arrays backward(ArraySpan, ArraySpan) override { throw cupyxx::ValueError("no"); }
  };
  const std::uint64_t before = used();
  {
    const Variable y = F::sum(Thrower()(F::tanh(x_)) * 2);
    EXPECT_THROW(y.backward(), cupyxx::ValueError);
    EXPECT_THROW(y.backward(), cupyxx::ValueError);
    EXPECT_THROW(F::sum(Thrower()(F::tanh(x_)) * 2).backward(), cupyxx::ValueError);
  }
  EXPECT_EQ((used() - before) / kBytes, 0u);  // a device's library may have kept a little
}

// The gradient of a variable without a handle leads back to it: nobody would ever cut that.
TEST_P(GraphMemoryTest, GradientsThatAreKeptWithTheirGraphsAreFreed) {
  const BackwardOptions all = {.retain_grad = true, .enable_double_backprop = true};
  for (const bool with_handle : {false, true}) {
    const std::uint64_t before = used();
    {
      const Variable x(cupyxx::ones({kElements}, cupyxx::float32));
      Variable h = x * 3;
      const Variable y = F::sum(F::square(h));
      if (!with_handle) h = Variable();
      y.backward(all);
      if (with_handle) {
        EXPECT_NE(h.grad_var().creator(), nullptr);
      }
    }
    EXPECT_EQ((used() - before) / kBytes, 0U) << with_handle;
  }
}

}  // namespace
}  // namespace chainerxx
