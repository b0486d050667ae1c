// SPDX-License-Identifier: MIT
// Large gradients, whose zeros are not written before a product takes their place, beside gradients
// that are written.
#include <gtest/gtest.h>

#include <cmath>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;

class ZeroedGradients : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ZeroedGradients);

struct LargeLayers : FunctionSet {
  explicit LargeLayers(int seed) {
    cupyxx::random::seed(static_cast<std::uint64_t>(seed));
    l1 = F::Linear(300, 250);
    l2 = F::Linear(250, 300);
    unused = F::Linear(260, 260);
  }
  Variable operator()(const Variable& x) { return F::sum(F::square(l2(F::relu(l1(x))))); }

  F::Linear& l1 = add("l1", F::Linear(1, 1));
  F::Linear& l2 = add("l2", F::Linear(1, 1));
  F::Linear& unused = add("unused", F::Linear(1, 1));
};

/// On devices libraries may choose another kernel for what is overwritten.
void expect_same(const ndarray& found, const ndarray& expected) {
  if (found.device().is_cpu()) return cupyxx::testing::expect_array_equal(found, expected);
  cupyxx::testing::expect_allclose(found, expected, 1e-5, 1e-6);
}

/// Steps of two models with the same weights: one is set to zero by its optimizer, the other by
/// writing zeros. `step(model, optimizer)` is what happens between.
template <class Step>
void expect_as_with_written_zeros(const Step& step) {
  LargeLayers own(3), other(3);
  optimizers::SGD optimizer(0.001), reference(0.001);
  optimizer.setup(own);
  reference.setup(other);
  for (const auto& field : own.fields()) field.gradient->fill(NAN);
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grads();
    for (const auto& field : other.fields()) field.gradient->fill(0);
    step(own, optimizer);
    step(other, reference);
    const auto fields = own.fields(), expected = other.fields();
    for (std::size_t k = 0; k < fields.size(); ++k) {
      expect_same(*fields[k].gradient, *expected[k].gradient);
      expect_same(*fields[k].array, *expected[k].array);
    }
  }
}

TEST_P(ZeroedGradients, LargeGradientsBeginAtZero) {
  const ndarray x = cupyxx::arange(4 * 300, cupyxx::float32).reshape({4, 300}) / 1000;
  expect_as_with_written_zeros([&](LargeLayers& model, Optimizer& optimizer) {
    model(Variable(x)).backward();
    EXPECT_FALSE(cupyxx::extension::had_to_write_zeros(model.l1.gW));
    EXPECT_FALSE(cupyxx::extension::had_to_write_zeros(model.l2.gW));
    optimizer.update();
  });
}

TEST_P(ZeroedGradients, LargeGradientsAddUpAndAreClipped) {
  const ndarray x = cupyxx::arange(4 * 300, cupyxx::float32).reshape({4, 300}) / 1000;
  expect_as_with_written_zeros([&](LargeLayers& model, Optimizer& optimizer) {
    model(Variable(x)).backward();
    model(Variable(x * 2)).backward();
    optimizer.clip_grads(0.5);
    optimizer.weight_decay(0.01);
    optimizer.update();
  });
}

TEST_P(ZeroedGradients, LargeGradientsMayBeReadAndWrittenBeforeBackward) {
  const ndarray x = cupyxx::arange(4 * 300, cupyxx::float32).reshape({4, 300}) / 1000;
  expect_as_with_written_zeros([&](LargeLayers& model, Optimizer& optimizer) {
    EXPECT_EQ(model.l1.gW.sum().item(), 0);
    model.l2.gW(0, 0) = 1;
    model(Variable(x)).backward();
    optimizer.update();
  });
}

TEST_P(ZeroedGradients, LargeGradientsWithoutBackwardMoveNothing) {
  expect_as_with_written_zeros([&](LargeLayers&, Optimizer& optimizer) { optimizer.update(); });
}

TEST_P(ZeroedGradients, CapturedStepsDoTheSame) {
  const ndarray x = cupyxx::arange(4 * 300, cupyxx::float32).reshape({4, 300}) / 1000;
  LargeLayers own(3), other(3);
  optimizers::SGD optimizer(0.001), reference(0.001);
  optimizer.setup(own);
  reference.setup(other);
  for (const auto& field : own.fields()) field.gradient->fill(NAN);
  auto step = capture([&](const ndarray& input) {
    optimizer.zero_grads();
    const Variable loss = own(Variable(input));
    loss.backward();
    optimizer.update();
    return loss.data();
  });
  for (int i = 1; i <= 5; ++i) {
    step(x * i);
    for (const auto& field : other.fields()) field.gradient->fill(0);
    other(Variable(x * i)).backward();
    reference.update();
    if (i == 3) optimizer.zero_grads();  // between two steps, which do it themselves
  }
  const auto fields = own.fields(), expected = other.fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    expect_same(*fields[k].gradient, *expected[k].gradient);
    expect_same(*fields[k].array, *expected[k].array);
  }
}

TEST_P(ZeroedGradients, GradientsOfCapturedStepsAddUpUntilTheyAreZeroed) {
  const ndarray x = cupyxx::arange(4 * 300, cupyxx::float32).reshape({4, 300}) / 1000;
  LargeLayers model(3);
  optimizers::SGD optimizer(0.001);
  optimizer.setup(model);
  optimizer.zero_grads();
  auto step = capture([&](const ndarray& input) {
    const Variable loss = model(Variable(input));
    loss.backward();
    return loss.data();
  });
  step(x);
  const ndarray once = model.l2.gW.copy();
  for (int i = 2; i <= 4; ++i) {
    step(x);
    cupyxx::testing::expect_allclose(model.l2.gW, once * i, 1e-5, 1e-6);
  }
  optimizer.zero_grads();
  step(x);
  cupyxx::testing::expect_allclose(model.l2.gW, once, 1e-5, 1e-6);
}

TEST_P(ZeroedGradients, LargeGradientsThatAViewShowsAreZeroAtOnce) {
  LargeLayers model(3);
  optimizers::SGD optimizer(0.001);
  optimizer.setup(model);
  const ndarray view = model.l1.gW(0);
  view.fill(5);
  optimizer.zero_grads();
  EXPECT_EQ(view.sum().item(), 0);
  const ndarray other = model.l1.gW;  // a handle of the same array
  other.fill(5);
  optimizer.zero_grads();
  EXPECT_EQ(other.sum().item(), 0);
}

}  // namespace
}  // namespace chainerxx
