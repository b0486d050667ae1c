// SPDX-License-Identifier: MIT
// The host's part of a captured step: what is called, counted and updated in each run. Runs without
// a device; nothing is computed.
#include <gtest/gtest.h>

#include "chainerxx/capture.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/dry_cuda.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = functions;
using cp::testing::dry_graphs;
using cp::testing::expect_error;

class DryCapture : public ::testing::Test {
 private:
  cp::DeviceScope scope_{cp::Device::cuda(0)};
};

TEST_F(DryCapture, LaunchesNoKernelInARun) {
  const ndarray x = cp::ones({100}, cp::float32);
  auto step = capture([](const ndarray& a) { return cp::exp(a) + a; });
  for (int i = 0; i < 3; ++i) step(x);
  const auto before = dry_graphs();
  step(x);
  const auto after = dry_graphs();
  EXPECT_EQ(after.launched, before.launched + 1);
  EXPECT_LE(after.kernels, before.kernels + 1);  // the copy of the argument
  EXPECT_EQ(after.updated, before.updated);
}

TEST_F(DryCapture, LayersWithoutSizesGetThemBeforeTheRecording) {
  Sequential model(layer<F::Linear>(cp::none, 3), F::BatchNormalization());
  optimizers::Adam adam;
  adam.setup(model);
  auto step =
      capture([&](const ndarray& x) { adam.update([&] { return F::sum(model(Variable(x))); }); });
  const ndarray x = cp::ones({2, 4}, cp::float32);
  for (int i = 0; i < 4; ++i) step(x);
  EXPECT_TRUE(step.is_replaying());
  EXPECT_EQ(adam.t(), 4);
  EXPECT_EQ(adam.fields().size(), 8u);
}

TEST_F(DryCapture, UpdatesWhatChangesOnTheHost) {
  F::Linear layer(4, 3);
  optimizers::Adam adam;
  adam.setup(std::vector<ndarray>{layer.W, layer.b}, std::vector<ndarray>{layer.gW, layer.gb});
  auto step = capture([&](const ndarray& x) {
    const Variable y = F::dropout(layer(x));
    adam.zero_grads();
    F::sum(y * y).backward();
    adam.update();
  });
  const ndarray x = cp::ones({2, 4}, cp::float32);
  for (int i = 0; i < 3; ++i) step(x);
  EXPECT_EQ(adam.t(), 3);
  const auto before = dry_graphs();
  const std::uint64_t offset = cp::random::get_random_state().offset();
  step(x);
  EXPECT_TRUE(step.is_replaying());
  EXPECT_EQ(adam.t(), 4);
  EXPECT_EQ(cp::random::get_random_state().offset(), offset + 2);
  // The mask, its use in the backward pass, and the rate of Adam.
  EXPECT_EQ(dry_graphs().updated, before.updated + 3);
}

TEST_F(DryCapture, AnOptimizerThatIsGoneIsNotAsked) {
  F::Linear layer(4, 3);
  cp::cuda::Graph graph;
  {
    optimizers::SGD sgd;
    sgd.setup(std::vector<ndarray>{layer.W}, std::vector<ndarray>{layer.gW});
    sgd.update();
    graph = cp::cuda::Graph::capture([&] { sgd.update(); });
    EXPECT_TRUE(graph.is_current());
  }
  EXPECT_FALSE(graph.is_current());
  expect_error<cp::ValueError>([&] { graph.launch(); },
                               "Graph: arrays or parameters of the captured work have been");
}

TEST_F(DryCapture, AHookThatDoesSomethingElseLaterIsFound) {
  F::Linear layer(4, 3);
  optimizers::SGD sgd;
  sgd.setup(std::vector<ndarray>{layer.W}, std::vector<ndarray>{layer.gW});
  bool decays = true;
  sgd.add_hook("decay", [&](Optimizer& o) {
    if (decays) o.weight_decay(0.1);
  });
  sgd.update();
  const auto graph = cp::cuda::Graph::capture([&] { sgd.update(); });
  graph.launch();
  decays = false;
  expect_error<cp::ValueError>([&] { graph.launch(); }, "Optimizer: the hooks did something else");
}

TEST_F(DryCapture, AHookWithArraysOfItsOwnIsRefused) {
  F::Linear layer(4, 3);
  optimizers::SGD sgd;
  sgd.setup(std::vector<ndarray>{layer.W}, std::vector<ndarray>{layer.gW});
  sgd.add_hook("noise", [&](Optimizer&) { layer.gW += cp::exp(layer.gW); });
  sgd.update();
  expect_error<cp::Error>([&] { cp::cuda::Graph::capture([&] { sgd.update(); }); },
                          "capture: the optimizer does more than updates");
}

TEST_F(DryCapture, FinetuningIsRefused) {
  F::BatchNormalization bn(3);
  const ndarray x = cp::ones({4, 3}, cp::float32);
  expect_error<cp::Error>(
      [&] { cp::cuda::Graph::capture([&] { bn(Variable(x), {.finetune = true}); }); },
      "capture: batch_normalization with finetune");
  F::Linear unsized(cp::none, 3);
  expect_error<cp::Error>(
      [&] { cp::cuda::Graph::capture([&] {
              unsized(Variable(cp::ones({2, 4}, cp::float32)));
            }); },
      "capture: a layer without a size, whose first call would draw its parameters in each run");
  EXPECT_FALSE(unsized.is_initialized());
}

TEST_F(DryCapture, ArraysFromOutsideLiveAsLongAsTheGraph) {
  cp::cuda::Graph graph;
  const std::uint64_t used = cp::pool_stats(cp::Device::cuda(0)).used;
  {
    const ndarray x = cp::ones({1 << 20}, cp::float32);
    const ndarray y = cp::ones({1 << 20}, cp::float32);
    (void)cp::exp(x, {.out = y});
    graph = cp::cuda::Graph::capture([&] { (void)cp::exp(x, {.out = y}); });
  }
  EXPECT_GE(cp::pool_stats(cp::Device::cuda(0)).used, used + (std::uint64_t{8} << 20));
  graph = {};
  EXPECT_LT(cp::pool_stats(cp::Device::cuda(0)).used, used + (std::uint64_t{8} << 20));
}

}  // namespace
}  // namespace chainerxx
