// SPDX-License-Identifier: MIT
// A training step of each network of examples/imagenet: its time and the most memory that the
// device's pool ever handed out, parameters included; for one network a process:
//
//   imagenet_step --device=cuda --benchmark_filter=^alex/batch:128/tf32:1
//
// benchmarks/imagenet_peer.py has the same networks.
#include <memory>
#include <set>
#include <string>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/random.h"
#include "examples/imagenet/architectures.h"

namespace {

using chainerxx::Variable;

void step(benchmark::State& state, const imagenet::Architecture& architecture) {
  const std::int64_t batch = state.range(0);
  const chainerxx::Tf32Scope tf32(state.range(1) != 0);
  const std::unique_ptr<imagenet::Network> model = architecture.make(1000);
  chainerxx::optimizers::SGD optimizer;
  optimizer.setup(*model);
  const cupyxx::ndarray x = benchmarks::random({batch, 3, model->insize(), model->insize()});
  const cupyxx::ndarray t = cupyxx::random::randint(0, 1000, {batch}).astype(cupyxx::int32);
  benchmarks::time_calls(state, 5, [&] {
    optimizer.zero_grads();
    model->loss(x, Variable(t)).backward();
    optimizer.update();
  });
  const auto peak = static_cast<double>(cupyxx::pool_stats(benchmarks::device()).peak);
  state.counters["peak_MiB"] = peak / (1 << 20);
}

/// What the benchmarks of convolutional networks usually take.
std::int64_t usual_batch(std::string_view name) {
  const bool is_deep = name.starts_with("vgg") || name == "resnet50";
  return is_deep ? 64 : 128;
}

const bool kRegistered = [] {
  for (const imagenet::Architecture& architecture : imagenet::architectures()) {
    auto* rows = benchmark::RegisterBenchmark(
        std::string(architecture.name).c_str(),
        [&architecture](benchmark::State& state) { step(state, architecture); });
    rows->ArgNames({"batch", "tf32"})->UseRealTime()->Unit(benchmark::kMillisecond);
    for (const std::int64_t batch : std::set<std::int64_t>{2, 32, usual_batch(architecture.name)}) {
      for (const std::int64_t tf32 : {0, 1}) rows->Args({batch, tf32});
    }
  }
  return true;
}();

}  // namespace
