// SPDX-License-Identifier: MIT
// One training step of a small convolutional network on batches of 100 images of 28 x 28: two
// convolutions with pooling, two linear layers. benchmarks/training_peers.py has the same network.
#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"

namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;

constexpr std::int64_t kBatch = 100;

struct LeNet : chainerxx::FunctionSet {
  F::Convolution2D& c1 = add("c1", F::Convolution2D(1, 20, 5));
  F::Convolution2D& c2 = add("c2", F::Convolution2D(20, 50, 5));
  F::Linear& l1 = add("l1", F::Linear(4 * 4 * 50, 500));
  F::Linear& l2 = add("l2", F::Linear(500, 10));

  Variable operator()(const Variable& x) const {
    const Variable h1 = F::max_pooling_2d(F::relu(c1(x)), 2);
    const Variable h2 = F::max_pooling_2d(F::relu(c2(h1)), 2);
    return l2(F::relu(l1(h2)));
  }
};

struct Problem {
  LeNet model;
  cupyxx::ndarray images = benchmarks::random({kBatch, 1, 28, 28});
  cupyxx::ndarray labels = cupyxx::random::randint(0, 10, {kBatch}).astype(cupyxx::int32);
};

template <class Optimizer>
void Step(benchmark::State& state) {
  Problem p;
  Optimizer optimizer;
  optimizer.setup(p.model);
  benchmarks::time_calls(state, 10, [&] {
    const Variable loss = F::softmax_cross_entropy(p.model(p.images), Variable(p.labels));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  });
}

void Forward(benchmark::State& state) {
  Problem p;
  const chainerxx::NoGradScope no_graph;
  benchmarks::time_calls(state, 10, [&] { benchmark::DoNotOptimize(p.model(p.images).node()); });
}

BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::SGD)->UseRealTime();
BENCHMARK_TEMPLATE(Step, chainerxx::optimizers::Adam)->UseRealTime();
BENCHMARK(Forward)->UseRealTime();

}  // namespace
