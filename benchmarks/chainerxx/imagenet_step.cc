// SPDX-License-Identifier: MIT
// A training step of each network of examples/imagenet: its time and the most memory that the
// device's pool ever handed out, parameters included; for one network a process:
//
//   imagenet_step --device=cuda --benchmark_filter=^alex/bfloat16/captured/128
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

using chainerxx::Precision;

void step(benchmark::State& state, const imagenet::Architecture& architecture, Precision precision,
          bool captured) {
  const std::int64_t batch = state.range(0);
  const chainerxx::PrecisionScope scope(precision);
  const std::unique_ptr<imagenet::Network> model = architecture.make(1000);
  chainerxx::optimizers::SGD optimizer;
  optimizer.setup(*model);
  const cupyxx::ndarray x = benchmarks::random({batch, 3, model->insize(), model->insize()});
  const cupyxx::ndarray t = cupyxx::random::randint(0, 1000, {batch}).astype(cupyxx::int32);
  if (precision == Precision::float16) optimizer.scale_loss();
  const auto train = [&] { optimizer.update([&] { return model->loss(x, Variable(t)); }); };
  if (captured) {
    auto graph = chainerxx::capture(train);
    benchmarks::time_calls(state, 5, graph);
  } else {
    benchmarks::time_calls(state, 5, train);
  }
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
    for (const Precision precision :
         {Precision::float32, Precision::tf32, Precision::bfloat16, Precision::float16}) {
      for (const bool captured : {false, true}) {
        const std::string name = std::string(architecture.name) + "/" +
                                 std::string(name_of(precision)) +
                                 (captured ? "/captured" : "/eager");
        auto* rows = benchmark::RegisterBenchmark(
            name.c_str(), [&architecture, precision, captured](benchmark::State& state) {
              step(state, architecture, precision, captured);
            });
        rows->UseRealTime()->Unit(benchmark::kMillisecond);
        for (const std::int64_t batch :
             std::set<std::int64_t>{2, 32, usual_batch(architecture.name)}) {
          rows->Arg(batch);
        }
      }
    }
  }
  return true;
}();

}  // namespace
