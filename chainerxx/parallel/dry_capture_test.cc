// SPDX-License-Identifier: MIT
// The host's part of a captured step whose states, or gradients, are divided. Runs without a
// device; nothing is computed.
#include <gtest/gtest.h>

#include "chainerxx/capture.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/parallel/parallel.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/dry_cuda.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::testing::dry_graphs;
using cupyxx::testing::expect_error;

struct Network : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(300, 300));
  F::Linear& l2 = add("l2", F::Linear(300, 300));
  Variable operator()(const Variable& x) { return F::sum(l2(l1(x))); }
};

class DryParallel : public ::testing::Test {
 private:
  cupyxx::DeviceScope scope_{cupyxx::Device::cuda(0)};  // before the arrays

 protected:
  ndarray x_ = cupyxx::ones({2, 300}, cupyxx::float32);
  Network model_;
  optimizers::Adam adam_;
  MultiNodeOptimizer optimizer_ = create_multi_node_optimizer(
      adam_, create_communicator(), {.bucket_bytes = 1000, .shard_gradients = true});

 private:
  void SetUp() override { optimizer_.setup(model_); }
};

TEST_F(DryParallel, AStepThatDividesGradientsIsOneGraph) {
  auto step =
      capture([&](const ndarray& x) { optimizer_.update([&] { return model_(Variable(x)); }); });
  for (int i = 0; i < 3; ++i) step(x_);
  EXPECT_TRUE(model_.l1.gW.is_none());
  const auto before = dry_graphs();
  const std::uint64_t used = cupyxx::pool_stats(cupyxx::Device::cuda(0)).used;
  step(x_);
  const auto after = dry_graphs();
  EXPECT_TRUE(step.is_replaying());
  EXPECT_EQ(after.launched, before.launched + 1);
  EXPECT_LE(after.kernels, before.kernels + 1);  // the copy of the argument
  EXPECT_EQ(cupyxx::pool_stats(cupyxx::Device::cuda(0)).used, used);
  EXPECT_EQ(adam_.t(), 4);
}

/// Averages take the place of gradients, within update(loss) and at its end.
TEST_F(DryParallel, AStepThatDividesStatesIsOneGraph) {
  Network model;
  optimizers::Adam adam;
  auto optimizer = create_multi_node_optimizer(adam, create_communicator(),
                                               {.bucket_bytes = 1000, .shard_states = true});
  optimizer.setup(model);
  auto one_call =
      capture([&](const ndarray& x) { optimizer.update([&] { return model(Variable(x)); }); });
  auto three_calls = capture([&](const ndarray& x) {
    optimizer.zero_grads();
    optimizer.backward(model(Variable(x)));
    optimizer.update();
  });
  for (int i = 0; i < 4; ++i) one_call(x_);
  EXPECT_TRUE(one_call.is_replaying());
  EXPECT_EQ(optimizer.overlapped_buckets(), optimizer.bucket_count());
  for (int i = 0; i < 4; ++i) three_calls(x_);
  EXPECT_TRUE(three_calls.is_replaying());
  EXPECT_EQ(optimizer.overlapped_buckets(), optimizer.bucket_count());
  EXPECT_EQ(adam.t(), 8);
}

TEST_F(DryParallel, WholeGradientsDoNotOutliveAGraph) {
  optimizer_.set_overlap(false);
  auto step =
      capture([&](const ndarray& x) { optimizer_.update([&] { return model_(Variable(x)); }); });
  step(x_);
  step(x_);
  expect_error<cupyxx::ValueError>(
      [&] { step(x_); },
      "MultiNodeOptimizer: with shard_gradients a captured step reduces all gradients within "
      "backward(); after set_overlap(false), and with enable_double_backprop, a rank keeps its "
      "own");
  optimizer_.set_overlap(true);
  for (int i = 0; i < 4; ++i) step(x_);
  EXPECT_TRUE(step.is_replaying());
}

TEST_F(DryParallel, BucketsGoBackToThePool) {
  optimizer_.zero_grads();
  const std::uint64_t before = cupyxx::pool_stats(cupyxx::Device::cuda(0)).used;
  for (int pass = 0; pass < 3; ++pass) {
    optimizer_.backward(model_(Variable(x_)));
    EXPECT_TRUE(model_.l2.gW.is_none());
  }
  cupyxx::cuda::get_current_stream().synchronize();
  EXPECT_EQ(cupyxx::pool_stats(cupyxx::Device::cuda(0)).used, before);
}

}  // namespace
}  // namespace chainerxx
