// SPDX-License-Identifier: MIT
// Recomputed parts of networks: the same bits, less memory.
#include "chainerxx/functions/util/forget.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "chainerxx/grad.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

class ForgetTest : public cupyxx::testing::DeviceTest {
 protected:
  ForgetTest() : random_(4) {}
  ndarray draw(const cupyxx::Shape& shape) {
    return random_.uniform(shape, {.low = -1, .high = 1});
  }
  std::uint64_t used() const { return cupyxx::pool_stats(device()).used; }

  cupyxx::random::RandomState random_;
};
CUPYXX_TEST_ON_DEVICES(ForgetTest);

TEST_P(ForgetTest, GivesTheSameBitsWithParametersAndDropout) {
  const ndarray data = draw({8, 6}), W = draw({6, 6}), b = draw({6});
  const auto run = [&](bool forgets) {
    Linear layer(6, 6, {.initialW = W.copy(), .initial_bias = b.copy()});
    const auto part = [&](const Variable& h) { return dropout(tanh(layer(h)), 0.3); };
    cupyxx::random::seed(7);
    const Variable x(data);
    const Variable h = x * 2;
    const Variable y = dropout(forgets ? forget(part, h) : part(h), 0.5);
    sum(y * y).backward();
    return std::vector<ndarray>{y.data(), x.grad(), layer.gW, layer.gb};
  };
  const auto expected = run(false), found = run(true);
  for (std::size_t i = 0; i < found.size(); ++i) expect_array_equal(found[i], expected[i]);
}

TEST_P(ForgetTest, LeavesTheRandomStreamWhereItWas) {
  const Variable x(draw({100}));
  cupyxx::random::seed(1);
  const Variable y = forget([](const Variable& h) { return dropout(h, 0.5); }, x);
  const ndarray next = cupyxx::random::rand({4});
  cupyxx::random::seed(1);
  const Variable z = dropout(x, 0.5);
  expect_array_equal(cupyxx::random::rand({4}), next);
  const ndarray later = cupyxx::random::rand({4});
  cupyxx::random::seed(1);
  dropout(x, 0.5);
  cupyxx::random::rand({4});
  sum(y).backward();  // draws the mask again
  expect_array_equal(cupyxx::random::rand({4}), later);
}

TEST_P(ForgetTest, RepeatsNumbersDrawnOnAnotherDevice) {
  const auto noisy = [](const Variable& h) {
    ndarray noise;
    {
      const cupyxx::DeviceScope host(cupyxx::Device::cpu());
      noise = cupyxx::random::uniform({3, 4}).to(h.data().device());
    }
    return h * Variable(noise);
  };
  const Variable x(draw({3, 4}));
  const Variable y = forget(noisy, x);
  sum(y).backward();
  expect_allclose(x.grad() * x.data(), y.data(), 1e-12);
}

TEST_P(ForgetTest, TakesAndGivesSeveralVariables) {
  const auto part = [](const Variable& a, const Variable& b) {
    return std::array<Variable, 2>{exp(a) * b, sin(b)};
  };
  const auto run = [&](bool forgets) {
    const Variable a(cupyxx::array({0.5, 1.0})), b(cupyxx::array({2.0, 3.0}));
    const auto [p, q] = forgets ? forget(part, a, b) : part(a, b);
    sum(p * q + a).backward();
    return std::vector<ndarray>{a.grad(), b.grad()};
  };
  const auto expected = run(false), found = run(true);
  for (std::size_t i = 0; i < found.size(); ++i) expect_allclose(found[i], expected[i], 1e-14);
}

TEST_P(ForgetTest, TakesListsAndUsesOneOutput) {
  const std::vector<Variable> in = {Variable(cupyxx::array({2.0})), Variable(cupyxx::array({5.0}))};
  const auto part = [](const std::vector<Variable>& v) {
    return std::vector<Variable>{v[0] * v[1], v[0] * v[0]};
  };
  const std::vector<Variable> out = forget(part, in);
  out[1].backward();
  EXPECT_EQ(in[0].grad().item<double>(), 4);
  EXPECT_TRUE(in[1].grad().is_none());
}

TEST_P(ForgetTest, NestsAndAppliesTwice) {
  const Variable x(cupyxx::array({0.3}));
  const auto inner = [](const Variable& v) { return sin(v) * v; };
  const auto outer = [&](const Variable& v) { return exp(forget(inner, v)); };
  const Variable y = forget(outer, forget(outer, x));
  const Variable plain(cupyxx::array({0.3}));
  const auto f = [&](const Variable& v) { return exp(inner(v)); };
  const Variable expected = f(f(plain));
  y.backward();
  expected.backward();
  expect_array_equal(y.data(), expected.data());
  expect_array_equal(x.grad(), plain.grad());
}

TEST_P(ForgetTest, RecordsNothingWhereNothingIsRecorded) {
  const auto part = [](const Variable& v) { return v * v; };
  const Variable is_volatile(cupyxx::array({3.0}), true);
  const Variable y = forget(part, is_volatile);
  EXPECT_TRUE(y.volatile_());
  EXPECT_EQ(y.creator(), nullptr);
  const NoGradScope scope;
  EXPECT_EQ(forget(part, Variable(cupyxx::array({3.0}))).creator(), nullptr);
}

TEST_P(ForgetTest, HoldsLessMemoryAfterForward) {
  constexpr std::int64_t kElements = 1 << 18;
  const auto block = [](Variable h) {
    for (int i = 0; i < 6; ++i) h = tanh(h);
    return h;
  };
  const Variable x(cupyxx::ones({kElements}, cupyxx::float32));
  const auto held = [&](bool forgets) {
    const std::uint64_t before = used();
    const Variable y = forgets ? forget(block, x) : block(x);
    return used() - before;
  };
  const std::uint64_t bytes = kElements * sizeof(float);
  EXPECT_GE(held(false), 6 * bytes);
  EXPECT_LT(held(true), 2 * bytes);
}

TEST_P(ForgetTest, RunningStatisticsAreUpdatedOnce) {
  const auto run = [&](bool forgets) {
    BatchNormalization norm(3);
    const Variable x(cupyxx::arange(12).reshape({4, 3}).astype(cupyxx::float32));
    const auto part = [&](const Variable& v) { return norm(v); };
    const Variable y = forgets ? forget(part, x) : part(x);
    sum(y * y).backward();
    return norm.avg_mean;
  };
  expect_array_equal(run(true), run(false));
}

TEST_P(ForgetTest, KeepsTheModeOfTheFirstTime) {
  const Variable x(cupyxx::ones({64}, cupyxx::float64));
  int trained = 0;
  const auto part = [&](const Variable& v) {
    trained += is_training();
    return v * v;
  };
  const Variable y = forget(part, x);
  const TrainScope evaluation(false);
  sum(y).backward();
  EXPECT_EQ(trained, 2);
}

TEST_P(ForgetTest, HasGradientsOfGradients) {
  Linear layer(1, 1, {.nobias = true, .initialW = cupyxx::array({{0.7}})});
  const auto run = [&](bool forgets) {
    layer.gW.fill(0);
    const Variable x(cupyxx::array({{0.4}}));
    const auto part = [&](const Variable& v) { return tanh(layer(v)); };
    const Variable y = forgets ? forget(part, x) : part(x);
    const Variable g = grad({y}, {x}, {.enable_double_backprop = true})[0];
    g.backward();
    return std::vector<ndarray>{g.data(), x.grad(), layer.gW.copy()};
  };
  const auto expected = run(false), found = run(true);
  for (std::size_t i = 0; i < found.size(); ++i) expect_allclose(found[i], expected[i], 1e-13);
}

TEST_P(ForgetTest, NoticesOtherResults) {
  int calls = 0;
  const Variable x(cupyxx::ones({4}, cupyxx::float64));
  const Variable y = forget(
      [&](const Variable& v) {
        return ++calls == 1 ? v * 2 : reshape(v * 2, {2, 2});
      },
      x);
  expect_error<cupyxx::ValueError>(
      [&] { sum(y).backward(); },
      "forget: the function gave other results when it ran again; (2, 2) after (4,)");
}

}  // namespace
}  // namespace chainerxx::functions
