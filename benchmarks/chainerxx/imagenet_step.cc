// SPDX-License-Identifier: MIT
// A training step of GoogLeNet with response normalisation and both auxiliary classifiers: its time
// and the most memory that the device's pool ever handed out, parameters included.
// benchmarks/googlenet_peer.py has the same network.
#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/random.h"
#include "examples/imagenet/googlenet.h"

namespace {

using chainerxx::Variable;
using imagenet::GoogLeNet;

void Step(benchmark::State& state) {
  const std::int64_t batch = state.range(0);
  GoogLeNet model;
  chainerxx::optimizers::SGD optimizer;
  optimizer.setup(model);
  const cupyxx::ndarray x = benchmarks::random({batch, 3, GoogLeNet::kInsize, GoogLeNet::kInsize});
  const cupyxx::ndarray t = cupyxx::random::randint(0, 1000, {batch}).astype(cupyxx::int32);
  benchmarks::time_calls(state, 5, [&] {
    optimizer.zero_grads();
    model.loss(x, Variable(t)).backward();
    optimizer.update();
  });
  const auto peak = static_cast<double>(cupyxx::pool_stats(benchmarks::device()).peak);
  state.counters["peak_MiB"] = peak / (1 << 20);
}

BENCHMARK(Step)->ArgName("batch")->Arg(2)->Arg(32)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
