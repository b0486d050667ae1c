// SPDX-License-Identifier: MIT
#include "chainerxx/capture.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/interop.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::testing::expect_array_equal;
using cp::testing::expect_error;

struct Net : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(6, 8));
  F::BatchNormalization& bn = add("bn", F::BatchNormalization(8));
  F::Linear& l2 = add("l2", F::Linear(8, 3));
  Variable operator()(const Variable& x) {
    const Variable h = F::dropout(F::relu(bn(l1(x))));
    return l2(F::gaussian(h, h * 0.f - 4.f));
  }
};

/// A network, an optimizer, and what one step of training is.
struct Training {
  explicit Training(std::unique_ptr<Optimizer> o) : optimizer(std::move(o)) {
    optimizer->setup(net);
  }
  ndarray step(const ndarray& x, const ndarray& t) {
    const Variable loss = F::softmax_cross_entropy(net(x), Variable(t));
    optimizer->zero_grads();
    loss.backward();
    optimizer->update();
    return loss.data();
  }

  Net net;
  std::unique_ptr<Optimizer> optimizer;
};

class CaptureTest : public cp::testing::DeviceTest {
 protected:
  CaptureTest() { cp::random::seed(7); }

  static ndarray images(std::int64_t batch) {
    return cp::random::uniform({batch, 6}, {.dtype = cp::float32});
  }
  static ndarray labels(std::int64_t batch) {
    return cp::random::randint(0, 3, {batch}).astype(cp::int32);
  }
  /// Six steps, of the function itself and captured, are the same to the last bit.
  template <class Make>
  void expect_same_steps(Make make);

  bool is_cuda() const { return device().is_cuda(); }
};
CUPYXX_TEST_ON_DEVICES(CaptureTest);

template <class Make>
void CaptureTest::expect_same_steps(Make make) {
  std::vector<ndarray> losses[2];
  std::vector<ndarray> parameters[2];
  std::uint64_t offsets[2] = {};
  for (const bool captured : {false, true}) {
    cp::random::seed(3);
    Training training(make());
    auto step = capture([&](const ndarray& x, const ndarray& t) { return training.step(x, t); });
    for (int i = 0; i < 6; ++i) {
      const ndarray x = images(4), t = labels(4);
      losses[captured].push_back((captured ? step(x, t) : training.step(x, t)).copy());
      EXPECT_EQ(step.is_replaying(), captured && is_cuda() && i >= 3);
    }
    EXPECT_EQ(training.optimizer->t(), 6);
    for (const ndarray& p : training.net.parameters()) parameters[captured].push_back(p.copy());
    parameters[captured].push_back(training.net.bn.avg_mean.copy());
    offsets[captured] = cp::random::get_random_state().offset();
  }
  for (std::size_t i = 0; i < losses[0].size(); ++i) expect_array_equal(losses[1][i], losses[0][i]);
  for (std::size_t i = 0; i < parameters[0].size(); ++i) {
    expect_array_equal(parameters[1][i], parameters[0][i]);
  }
  EXPECT_EQ(offsets[0], offsets[1]);
}

TEST_P(CaptureTest, StepsOfSgdAreThoseOfTheFunction) {
  expect_same_steps([] { return std::make_unique<optimizers::SGD>(); });
}

TEST_P(CaptureTest, StepsOfAdamAreThoseOfTheFunction) {
  expect_same_steps([] { return std::make_unique<optimizers::Adam>(); });
}

TEST_P(CaptureTest, StepsThatMeasureParametersAreThoseOfTheFunction) {
  expect_same_steps([] { return std::make_unique<optimizers::LAMB>(); });
  expect_same_steps([] { return std::make_unique<optimizers::LARS>(); });
}

TEST_P(CaptureTest, HooksAreCalledInEachStep) {
  int calls = 0;
  expect_same_steps([&] {
    auto sgd = std::make_unique<optimizers::MomentumSGD>();
    sgd->add_hook("rate", [&calls](Optimizer& o) {
      ++calls;
      static_cast<optimizers::MomentumSGD&>(o).set_lr(0.1 / static_cast<double>(1 + o.t()));
    });
    sgd->add_hook("decay", WeightDecay(0.01));
    sgd->add_hook("clip", GradientClipping(0.5));
    return sgd;
  });
  EXPECT_EQ(calls, 12);
}

TEST_P(CaptureTest, ARateThatIsSetBetweenStepsCounts) {
  Training training(std::make_unique<optimizers::SGD>(optimizers::SGDOptions{.lr = 0.5}));
  auto step = capture([&](const ndarray& x, const ndarray& t) { training.step(x, t); });
  const ndarray x = images(4), t = labels(4);
  for (int i = 0; i < 4; ++i) step(x, t);
  const ndarray before = training.net.l1.W.copy();
  static_cast<optimizers::SGD&>(*training.optimizer).set_lr(0);
  step(x, t);
  expect_array_equal(training.net.l1.W, before);
}

TEST_P(CaptureTest, AnotherFormOfTheArgumentsIsRecordedBesideTheFirst) {
  Training training(std::make_unique<optimizers::SGD>());
  auto step = capture([&](const ndarray& x, const ndarray& t) { return training.step(x, t); });
  for (int i = 0; i < 4; ++i) step(images(4), labels(4));
  EXPECT_EQ(step.is_replaying(), is_cuda());
  step(images(3), labels(3));
  EXPECT_FALSE(step.is_replaying());
  step(images(4), labels(4));
  EXPECT_EQ(step.is_replaying(), is_cuda());
  const TrainScope test(false);
  step(images(4), labels(4));
  EXPECT_FALSE(step.is_replaying());
}

TEST_P(CaptureTest, ReplacedParametersAreFollowed) {
  Training training(std::make_unique<optimizers::SGD>());
  auto step = capture([&](const ndarray& x, const ndarray& t) { training.step(x, t); });
  for (int i = 0; i < 4; ++i) step(images(4), labels(4));
  const ndarray old = training.net.l2.W;
  const ndarray at_end = old.copy();
  training.net.l2.W = cp::zeros_like(old);
  step(images(4), labels(4));
  EXPECT_FALSE(step.is_replaying());
  expect_array_equal(old, at_end);
  EXPECT_GT(cp::absolute(training.net.l2.W).sum().item<float>(), 0);
  for (int i = 0; i < 3; ++i) step(images(4), labels(4));
  EXPECT_EQ(step.is_replaying(), is_cuda());
}

TEST_P(CaptureTest, ArgumentsMayBeAnywhereAndAreNotKept) {
  auto step = capture([](const ndarray& x, const ndarray& y) { return x * 2 + y; });
  for (int i = 0; i < 5; ++i) {
    const ndarray x = [&] {
      const cp::DeviceScope host(cp::Device::cpu());
      return cp::full({3}, i, cp::float32);
    }();
    const ndarray y = cp::full({3}, 10, cp::float32);
    const ndarray sum = is_cuda() ? step(x, y) : step(x, y);
    expect_array_equal(sum, cp::full({3}, 2 * i + 10, cp::float32));
  }
}

TEST_P(CaptureTest, MemoryInTheGraphIsNotHandedOut) {
  auto step = capture([](const ndarray& x) {
    const ndarray twice = x * 2;  // freed when the function returns
    return cp::exp(twice) + twice;
  });
  const ndarray x = cp::arange(1000, cp::float32) / 1000;
  const ndarray expected = cp::exp(x * 2) + x * 2;
  for (int i = 0; i < 3; ++i) step(x);
  std::vector<ndarray> others;
  for (int i = 0; i < 50; ++i) others.push_back(cp::full({1000}, i, cp::float32));
  const ndarray result = step(x);
  expect_array_equal(result, expected);
  for (int i = 0; i < 50; ++i) {
    expect_array_equal(others[static_cast<std::size_t>(i)], cp::full({1000}, i, cp::float32));
  }
}

TEST_P(CaptureTest, ABadLabelIsNamedAtTheNextWait) {
  if (!is_cuda()) return;  // there the function throws at once
  Training training(std::make_unique<optimizers::SGD>());
  auto step = capture([&](const ndarray& x, const ndarray& t) { training.step(x, t); });
  for (int i = 0; i < 4; ++i) step(images(4), labels(4));
  step(images(4), cp::array({0, 1, 77, 2}).astype(cp::int32));
  expect_error<cp::IndexError>([] { cp::cuda::synchronize_current_stream(); },
                               "softmax_cross_entropy");
}

TEST_P(CaptureTest, WaitingInsideIsRefused) {
  auto step = capture([](const ndarray& x) { return x.sum().item<float>(); });
  const ndarray x = cp::ones({3}, cp::float32);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(step(x), 3);
  if (!is_cuda()) return;
  for (int i = 0; i < 2; ++i) {
    expect_error<cp::Error>([&] { step(x); }, "capture: the recorded work waits for the device");
  }
  EXPECT_EQ((x + 1).sum().item<float>(), 6);  // nothing is left of the attempt
}

TEST_P(CaptureTest, CopiesFromTheHostInsideAreRefused) {
  auto step = capture([](const ndarray& x) { return x + cp::array({1.f, 2.f, 3.f}); });
  const ndarray x = cp::ones({3}, cp::float32);
  for (int i = 0; i < 2; ++i) step(x);
  if (!is_cuda()) return;
  expect_error<cp::Error>([&] { step(x); }, "capture: the recorded work copies from the host");
}

struct OwnUpdate final : Optimizer {
  void update_one(const ndarray& param, const ndarray& grad, State&) override {
    param -= grad * (0.1 / static_cast<double>(t()));
  }
};

TEST_P(CaptureTest, AnUpdateOfAUsersOwnIsRefused) {
  Training training(std::make_unique<OwnUpdate>());
  auto step = capture([&](const ndarray& x, const ndarray& t) { training.step(x, t); });
  for (int i = 0; i < 2; ++i) step(images(4), labels(4));
  if (!is_cuda()) return;
  expect_error<cp::Error>([&] { step(images(4), labels(4)); },
                          "capture: an optimizer with an update_one of its own");
}

TEST_P(CaptureTest, BadOptionsAndArgumentsAreRefused) {
  expect_error<cp::ValueError>([] { capture([] {}, {.warm_up = 0}); },
                               "capture: the function has to run once before it is recorded");
  if (!is_cuda()) return;
  auto step = capture([](const ndarray& x) { return x; }, {.warm_up = 1});
  expect_error<cp::ValueError>([&] { step(ndarray()); }, "capture: an argument is None");
  auto nested = capture([&](const ndarray& x) { return step(x); }, {.warm_up = 1});
  const ndarray x = cp::ones({2});
  nested(x);
  expect_error<cp::ValueError>([&] { nested(x); },
                               "capture: this thread is within a capture already");
}

}  // namespace
}  // namespace chainerxx
