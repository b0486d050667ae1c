// SPDX-License-Identifier: MIT
// One training step of the MNIST network, 784-units-units-10 with batches of 100: forward, loss,
// backward, update. The images are constants: nobody asks for their gradient. The time is that of a
// step in a loop which waits for the device every 100.
#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"

namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;

constexpr std::int64_t kBatch = 100;

struct Mlp : chainerxx::FunctionSet {
  explicit Mlp(std::int64_t units)
      : l1(add("l1", F::Linear(784, units))),
        l2(add("l2", F::Linear(units, units))),
        l3(add("l3", F::Linear(units, 10))) {}

  Variable operator()(const Variable& x) { return l3(F::relu(l2(F::relu(l1(x))))); }

  F::Linear& l1;
  F::Linear& l2;
  F::Linear& l3;
};

struct Problem {
  explicit Problem(std::int64_t units)
      : model(units),
        images(benchmarks::random({kBatch, 784})),
        labels(cupyxx::random::randint(0, 10, {kBatch}).astype(cupyxx::int32)) {}

  Mlp model;
  cupyxx::ndarray images;
  cupyxx::ndarray labels;
};

template <class Optimizer>
void Step(benchmark::State& state) {
  Problem p(state.range(0));
  Optimizer optimizer;
  optimizer.setup(p.model);
  benchmarks::time_calls(state, 100, [&] {
    const Variable loss = F::softmax_cross_entropy(p.model(p.images), Variable(p.labels));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  });
}

void Forward(benchmark::State& state) {
  Problem p(state.range(0));
  const chainerxx::NoGradScope no_graph;
  benchmarks::time_calls(state, 100, [&] { benchmark::DoNotOptimize(p.model(p.images).node()); });
}

void ForwardBackward(benchmark::State& state) {
  Problem p(state.range(0));
  benchmarks::time_calls(state, 100, [&] {
    F::softmax_cross_entropy(p.model(p.images), Variable(p.labels)).backward();
  });
}

void widths(benchmark::internal::Benchmark* b) { b->Arg(100)->Arg(1000)->UseRealTime(); }

BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::SGD)->Apply(widths);
BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::MomentumSGD)->Apply(widths);
BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::Adam)->Apply(widths);
BENCHMARK(Forward)->Apply(widths);
BENCHMARK(ForwardBackward)->Apply(widths);

}  // namespace
