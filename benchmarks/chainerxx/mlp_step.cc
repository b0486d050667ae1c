// SPDX-License-Identifier: MIT
// One training step of the MNIST network, 784-units-units-10 with batches of 100: forward, loss,
// backward, update. The images are constants: nobody asks for their gradient. The time is that of a
// step in a loop which waits for the device every 100.
#include "benchmarks/chainerxx/mlp.h"

namespace {

using Problem = benchmarks::MlpProblem;

template <class Optimizer>
void Step(benchmark::State& state) {
  Problem p(state.range(0));
  Optimizer optimizer;
  optimizer.setup(p.model);
  benchmarks::time_calls(state, 100, [&] {
    const chainerxx::Variable loss = p.loss();
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  });
}

/// The same step as a graph. The batch stays where it is, or is copied into the graph's arrays
/// first.
template <class Optimizer, bool kCopiesBatch>
void Captured(benchmark::State& state) {
  Problem p(state.range(0));
  Optimizer optimizer;
  optimizer.setup(p.model);
  const auto train = [&](const cupyxx::ndarray& images, const cupyxx::ndarray& labels) {
    const chainerxx::Variable loss = p.loss(images, labels);
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  };
  if constexpr (kCopiesBatch) {
    auto step = chainerxx::capture(train);
    benchmarks::time_calls(state, 100, [&] { step(p.images, p.labels); });
  } else {
    auto step = chainerxx::capture([&] { train(p.images, p.labels); });
    benchmarks::time_calls(state, 100, [&] { step(); });
  }
}

void Forward(benchmark::State& state) {
  Problem p(state.range(0));
  const chainerxx::NoGradScope no_graph;
  benchmarks::time_calls(state, 100, [&] { benchmark::DoNotOptimize(p.model(p.images).node()); });
}

void ForwardBackward(benchmark::State& state) {
  Problem p(state.range(0));
  benchmarks::time_calls(state, 100, [&] { p.loss().backward(); });
}

void widths(benchmark::internal::Benchmark* b) { b->Arg(100)->Arg(1000)->UseRealTime(); }

BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::SGD)->Apply(widths);
BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::MomentumSGD)->Apply(widths);
BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::Adam)->Apply(widths);
BENCHMARK_TEMPLATE(Captured, chainerxx::optimizers::SGD, false)->Apply(widths);
BENCHMARK_TEMPLATE(Captured, chainerxx::optimizers::Adam, false)->Apply(widths);
BENCHMARK_TEMPLATE(Captured, chainerxx::optimizers::SGD, true)->Apply(widths);
BENCHMARK(Forward)->Apply(widths);
BENCHMARK(ForwardBackward)->Apply(widths);

}  // namespace
