// SPDX-License-Identifier: MIT
// Memory that is refused in the middle of a training step, at every place in turn: the step throws,
// nothing leaks, and when it is made again the training goes on to the same bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/failing_new.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::testing::FailingNew;

struct Mlp : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(48, 16));
  F::Linear& l2 = add("l2", F::Linear(16, 4));
  Variable operator()(const Variable& x) const { return l2(F::relu(l1(F::reshape(x, {8, 48})))); }
};

struct Convnet : FunctionSet {
  F::Convolution2D& c1 = add("c1", F::Convolution2D(3, 4, 3, {.pad = 1}));
  F::Linear& l1 = add("l1", F::Linear(16, 4));
  Variable operator()(const Variable& x) const { return l1(F::max_pooling_2d(F::relu(c1(x)), 2)); }
};

/// A training of a few steps, each of which may be made again.
struct Training {
  virtual ~Training() = default;
  virtual void step(int i) = 0;
  /// Everything that training has changed.
  virtual std::vector<ndarray> state() = 0;
  virtual std::int64_t t() const = 0;
};

template <class Net>
struct TrainingOf : Training {
  TrainingOf() {
    cp::random::seed(5);
    net = std::make_unique<Net>();
    optimizer.add_hook(WeightDecay(0.001));
    optimizer.add_hook(GradientClipping(1));
    optimizer.setup(*net);
    for (int i = 0; i < 3; ++i) {
      images.push_back(cp::random::uniform({8, 3, 4, 4}, {.dtype = cp::float32}));
      labels.push_back(cp::random::randint(0, 4, {8}).astype(cp::int32));
    }
  }
  void step(int i) override {
    optimizer.update(
        [&] { return F::softmax_cross_entropy((*net)(images[i]), Variable(labels[i])); });
  }
  std::vector<ndarray> state() override {
    std::vector<ndarray> all = net->parameters();
    for (const NamedField& field : optimizer.fields()) all.push_back(*field.array);
    return all;
  }
  std::int64_t t() const override { return optimizer.t(); }

  std::unique_ptr<Net> net;
  optimizers::Adam optimizer;
  std::vector<ndarray> images, labels;
};

using Make = std::function<std::unique_ptr<Training>()>;
template <class Net>
Make make() {
  return [] { return std::make_unique<TrainingOf<Net>>(); };
}

/// The elements as bytes.
std::vector<std::string> bits(Training& training) {
  std::vector<std::string> all;
  for (const ndarray& a : training.state()) {
    const ndarray host = cp::ascontiguousarray(a.to_cpu());
    all.emplace_back(static_cast<const char*>(host.data()),
                     static_cast<std::size_t>(host.nbytes()));
  }
  return all;
}

/// Whether the call was refused memory.
bool is_refused(const std::function<void()>& call) {
  try {
    call();
    return false;
  } catch (const cp::MemoryError&) {
  } catch (const std::bad_alloc&) {
  }
  return true;
}

class MemoryFaults : public cp::testing::DeviceTest {
 protected:
  static constexpr int kSteps = 3;

  /// Makes each step with less memory than it needs, by attempt(n, step) for n = 1, 2, ..., until
  /// the attempt succeeds; then the training must be where an undisturbed one is. Returns how often
  /// memory was refused.
  int expect_survives(
      const Make& make_training,
      const std::function<bool(std::int64_t n, const std::function<void()>&)>& attempt) {
    const std::unique_ptr<Training> undisturbed = make_training(), disturbed = make_training();
    for (int i = 0; i < kSteps; ++i) undisturbed->step(i);
    int refusals = 0;
    for (int i = 0; i < kSteps; ++i) {
      const std::vector<std::string> before = bits(*disturbed);
      const std::uint64_t used = cp::pool_stats(device()).used;
      for (std::int64_t n = 1; attempt(n, [&] { disturbed->step(i); }); ++n, ++refusals) {
        // The tables of the optimizer may stay.
        EXPECT_LE(cp::pool_stats(device()).used, used + kTables) << n;
        EXPECT_EQ(disturbed->t(), i) << n;
        EXPECT_EQ(bits(*disturbed), before) << n;
        if (HasFailure() || n > 100000) return refusals;
      }
      EXPECT_EQ(disturbed->t(), i + 1);
    }
    EXPECT_EQ(bits(*disturbed), bits(*undisturbed));
    return refusals;
  }

  static constexpr std::uint64_t kTables = 16 << 10;
};
CUPYXX_TEST_ON_DEVICES(MemoryFaults);

/// Refuses the n-th array.
struct Refusing : cp::cuda::MemoryHook {
  explicit Refusing(std::int64_t the_n) : n(the_n) {}
  void malloc_preprocess(const cp::cuda::MemoryHookEvent&) override {
    if (--n == 0) throw cp::OutOfMemoryError("refused");
  }
  std::int64_t n;
};

bool with_refused_array(std::int64_t n, const std::function<void()>& step) {
  Refusing hook(n);
  const cp::cuda::MemoryHookScope scope(hook);
  return is_refused(step);
}

TEST_P(MemoryFaults, EveryArrayOfAnMlp) {
  EXPECT_GT(expect_survives(make<Mlp>(), with_refused_array), 20);
}

TEST_P(MemoryFaults, EveryArrayOfAConvnet) {
  EXPECT_GT(expect_survives(make<Convnet>(), with_refused_array), 20);
}

/// Refuses the n-th operator new of the calling thread, or all from the n-th on. Little may stay
/// behind: the tables of the optimizer.
template <bool kFromThenOn>
bool with_refused_new(std::int64_t n, const std::function<void()>& step) {
  const std::int64_t live = cp::testing::live_news();
  bool refused = false, has_failed = false;
  {
    const FailingNew failing(n, kFromThenOn);
    refused = is_refused(step);
    has_failed = FailingNew::has_failed();
  }
  EXPECT_EQ(refused, has_failed) << n;
  const std::int64_t left = cp::testing::live_news() - live;
  EXPECT_TRUE(!refused || left <= 24) << n << " left " << left;
  return refused;
}

TEST_P(MemoryFaults, EveryNewOfAnMlp) {
  EXPECT_GT(expect_survives(make<Mlp>(), with_refused_new<false>), 100);
  EXPECT_GT(expect_survives(make<Mlp>(), with_refused_new<true>), 100);
}

TEST_P(MemoryFaults, EveryNewOfAConvnet) {
  EXPECT_GT(expect_survives(make<Convnet>(), with_refused_new<false>), 100);
  EXPECT_GT(expect_survives(make<Convnet>(), with_refused_new<true>), 100);
}

/// Updates alone, of parameters that are several tables and not all contiguous.
struct Updates : Training {
  Updates() {
    for (const cp::dtype type : {cp::float32, cp::float64}) {
      for (const ndarray& values :
           {cp::arange(30, type).reshape({5, 6}).T(), cp::ones({7}, type)}) {
        parameters.push_back(values);
        gradients.push_back(cp::full(values.shape(), 0.25, type));
      }
    }
    optimizer.setup(parameters, gradients);
  }
  void step(int) override { optimizer.update(); }
  std::vector<ndarray> state() override {
    std::vector<ndarray> all = parameters;
    for (const NamedField& field : optimizer.fields()) all.push_back(*field.array);
    return all;
  }
  std::int64_t t() const override { return optimizer.t(); }

  std::vector<ndarray> parameters, gradients;
  optimizers::Adam optimizer;
};

TEST_P(MemoryFaults, UpdatesAreWholeOrNotCounted) {
  const Make updates = [] { return std::make_unique<Updates>(); };
  EXPECT_GT(expect_survives(updates, with_refused_array), 0);
  EXPECT_GT(expect_survives(updates, with_refused_new<false>), 10);
  EXPECT_GT(expect_survives(updates, with_refused_new<true>), 10);
}

/// In threads of their own, whose caches end with them, so that the pool has to ask the system:
/// which gives 64, 128, ... bytes more than the training holds.
TEST_P(MemoryFaults, EveryLimitOfThePool) {
  const cp::Device here = device();
  if (here.is_cuda()) return;  // whose pool asks for pieces that hold more than these trainings
  const auto limited = [&](std::int64_t n, const std::function<void()>& step) {
    bool refused = false;
    std::thread([&] {
      const cp::DeviceScope scope(here);
      cp::free_all_blocks(here);
      cp::set_pool_limit(here, cp::pool_stats(here).total + static_cast<std::uint64_t>(n) * 64);
      refused = is_refused(step);
      cp::set_pool_limit(here, 0);
    }).join();
    return refused;
  };
  const int refusals =
      expect_survives(make<Mlp>(), limited) + expect_survives(make<Convnet>(), limited);
  EXPECT_GE(refusals, 100);
}

/// An allocator of the user's that refuses the n-th block.
TEST_P(MemoryFaults, EveryBlockOfAnAllocator) {
  if (device().is_cpu()) return;  // whose allocator is the pool
  const auto refusing = [](std::int64_t n, const std::function<void()>& step) {
    const cp::cuda::AllocatorScope scope(cp::cuda::Allocator([&n](std::int64_t size) {
      if (--n == 0) throw cp::OutOfMemoryError("refused");
      return cp::cuda::alloc(size);
    }));
    return is_refused(step);
  };
  EXPECT_GT(expect_survives(make<Mlp>(), refusing), 20);
  EXPECT_GT(expect_survives(make<Convnet>(), refusing), 20);
}

/// The same while a step is recorded, and in runs of the record.
TEST_P(MemoryFaults, EveryArrayOfACapturedStep) {
  const auto make_captured = [this] {
    struct Captured final : TrainingOf<Mlp> {
      void step(int i) override { captured(images[i], labels[i]); }
      std::function<void(const ndarray&, const ndarray&)> captured =
          [step =
               std::make_shared<CapturedStep<std::function<void(const ndarray&, const ndarray&)>>>(
                   chainerxx::capture(
                       std::function<void(const ndarray&, const ndarray&)>(
                           [this](const ndarray& x, const ndarray& t) {
                             this->optimizer.update(
                                 [&] { return F::softmax_cross_entropy((*net)(x), Variable(t)); });
                           }),
                       {.warm_up = 1}))](const ndarray& x, const ndarray& t) { (*step)(x, t); };
    };
    return std::make_unique<Captured>();
  };
  EXPECT_GT(expect_survives(make_captured, with_refused_array), 10);
}

}  // namespace
}  // namespace chainerxx
