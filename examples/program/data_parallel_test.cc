// SPDX-License-Identifier: MIT
// Training over several devices gives the parameters of training on one; here the devices are all
// the host. //chainerxx:parallel_test does the like on GPUs.
#include "examples/program/data_parallel.h"

#include <gtest/gtest.h>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"

namespace examples {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using cp::testing::expect_allclose;

constexpr std::int64_t kPixels = 12, kBatch = 10;

struct Model : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(kPixels, 8));
  F::Linear& l2 = add("l2", F::Linear(8, 10));
  Variable operator()(const Variable& x) const { return l2(F::relu(l1(x))); }
};

Variable loss(Model& model, const Variable& x, const Variable& t) {
  return F::softmax_cross_entropy(model(x), t);
}

struct Batch {
  cp::ndarray x = cp::random::uniform({kBatch, kPixels}, {.low = -1, .dtype = cp::float32});
  cp::ndarray t = cp::random::randint(0, 10, {kBatch}).astype(cp::int32);
};

TEST(DataParallel, LearnsWhatOneDeviceLearns) {
  cp::random::seed(3);
  // Ten rows in three shares are not equal ones, and in eleven one is empty.
  for (const std::size_t count : {1U, 2U, 3U, 11U}) {
    const std::vector<cp::Device> devices(count, cp::Device::cpu());
    DataParallel<Model> parallel(devices, [] { return std::make_unique<Model>(); });
    Model alone;
    alone.copy_parameters_from(parallel.first().parameters());
    chainerxx::optimizers::MomentumSGD optimizer({.lr = 0.1}), expected_optimizer({.lr = 0.1});
    optimizer.setup(parallel.first());
    expected_optimizer.setup(alone);
    for (const Batch& batch : std::vector<Batch>(20)) {
      const auto expected =
          expected_optimizer.update(loss, alone, batch.x, batch.t).data().item<double>();
      const auto found = parallel.update(optimizer, loss, batch.x, batch.t).item<double>();
      EXPECT_NEAR(found, expected, 1e-4);
    }
    const auto learned = parallel.first().parameters(), expected = alone.parameters();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expect_allclose(learned[i], expected[i], 1e-4, 1e-5);
    }
  }
}

TEST(DataParallel, RandomNumbersDoNotDependOnTheNumberOfDevices) {
  const auto drawn = [](std::size_t count) {
    cp::random::seed(5);
    const std::vector<cp::Device> devices(count, cp::Device::cpu());
    DataParallel<Model> parallel(devices, [] { return std::make_unique<Model>(); });
    return std::pair(parallel.first().l2.W.copy(), cp::random::permutation(20));
  };
  const auto [W, order] = drawn(1);
  for (const std::size_t count : {2U, 5U}) {
    const auto [other_W, other_order] = drawn(count);
    EXPECT_TRUE(cp::array_equal(other_W, W));
    EXPECT_TRUE(cp::array_equal(other_order, order));
  }
}

}  // namespace
}  // namespace examples
