// SPDX-License-Identifier: MIT
// Threads that end while what they have started still works: their arrays, streams and trainings
// are whole for those who hold them.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::testing::expect_array_equal;

class ThreadEnd : public cp::testing::DeviceTest {
 protected:
  /// Calls in threads of their own, all at once; each on a stream of its own.
  template <class Call>
  void in_threads(int count, Call call) {
    const cp::Device here = device();
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([=] {
        const cp::DeviceScope scope(here);
        if (here.is_cpu()) return call(i);
        const cp::cuda::Stream stream({.non_blocking = true});
        const cp::cuda::StreamScope use(stream);
        call(i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
};
CUPYXX_TEST_ON_DEVICES(ThreadEnd);

/// A long chain of work, of which nobody waits for the end.
ndarray chain(int start) {
  ndarray x = cp::full({1 << 18}, start, cp::float32);
  for (int i = 0; i < 200; ++i) x = x + 1;  // each result is freed while the next is made
  return x;
}

TEST_P(ThreadEnd, ResultsOutliveTheStreamTheyWereMadeOn) {
  for (int round = 0; round < 3; ++round) {
    std::vector<ndarray> results(8);
    in_threads(8, [&](int i) { results[i] = chain(i); });
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(cp::amin(results[i]).item<float>(), i + 200);
      EXPECT_EQ(cp::amax(results[i]).item<float>(), i + 200);
    }
  }
}

TEST_P(ThreadEnd, WhatNobodyHoldsIsFreed) {
  cp::free_all_blocks(device());
  const std::uint64_t used = cp::pool_stats(device()).used;
  for (int round = 0; round < 3; ++round) in_threads(8, [](int i) { chain(i); });
  EXPECT_EQ(cp::pool_stats(device()).used, used);
  cp::free_all_blocks(device());  // waits for the device, and finds all streams gone
  EXPECT_EQ(cp::amax(chain(0)).item<float>(), 200);
}

struct Net : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(256, 256));
  F::Linear& l2 = add("l2", F::Linear(256, 8));
  Variable operator()(const Variable& x) const { return l2(F::relu(l1(x))); }
};

/// Sums and products of whole numbers: the same bits in any order.
TEST_P(ThreadEnd, ConvolutionsOfManyThreadsKeepTheirRoomApart) {
  const auto whole_numbers = [](const cp::Shape& shape) {
    const std::int64_t count = cp::empty(shape).size();
    return ndarray((cp::arange(count) % 5 - 2).reshape(shape).astype(cp::float32));
  };
  const ndarray x = whole_numbers({4, 3, 20, 20}), W = whole_numbers({8, 3, 3, 3});
  std::vector<ndarray> gradients(9);
  const auto differentiate = [&](int i) {
    for (int k = 0; k < 20; ++k) {
      const Variable vx(x), vW(W);
      const Variable y = F::convolution_2d(vx, vW);
      y.set_grad(y.data());
      y.backward();
      gradients[i] = vx.grad() + vW.grad().sum();
    }
  };
  in_threads(1, [&](int) { differentiate(8); });  // it prepares what the others use, and is gone
  in_threads(8, differentiate);
  for (const ndarray& found : gradients) expect_array_equal(found, gradients[8]);
}

/// A training whose steps are made by one thread after the other.
struct Training {
  Training() {
    cp::random::seed(3);
    net = std::make_unique<Net>();
    optimizer.setup(*net);
    x = cp::random::uniform({64, 256}, {.dtype = cp::float32});
    t = cp::random::randint(0, 8, {64}).astype(cp::int32);
  }
  void step() {
    optimizer.update([&] { return F::softmax_cross_entropy((*net)(x), Variable(t)); });
  }
  std::unique_ptr<Net> net;
  optimizers::Adam optimizer;
  ndarray x, t;
};

TEST_P(ThreadEnd, ATrainingGoesFromThreadToThread) {
  Training alone, passed_on;
  for (int i = 0; i < 20; ++i) alone.step();
  const cp::Device here = device();
  for (int i = 0; i < 20; ++i) {
    std::thread([&] {
      const cp::DeviceScope scope(here);
      passed_on.step();
    }).join();
  }
  expect_array_equal(passed_on.net->l1.W, alone.net->l1.W);
  expect_array_equal(passed_on.net->l2.b, alone.net->l2.b);
}

TEST_P(ThreadEnd, TrainingsEndWithTheirThreads) {
  Training reference;
  for (int i = 0; i < 20; ++i) reference.step();
  std::vector<ndarray> weights(4);
  // The seed is the process's: trainings are made one after the other.
  std::vector<std::unique_ptr<Training>> trainings;
  for (int i = 0; i < 4; ++i) trainings.push_back(std::make_unique<Training>());
  if (device().is_cuda()) cp::cuda::Device(device().index).synchronize();
  in_threads(4, [&](int i) {
    for (int k = 0; k < 20; ++k) trainings[i]->step();
    weights[i] = trainings[i]->net->l1.W;
    trainings[i].reset();
  });
  for (const ndarray& w : weights) expect_array_equal(w, reference.net->l1.W);
}

}  // namespace
}  // namespace chainerxx
