// SPDX-License-Identifier: MIT
// A linear layer with bias and relu, both ways.
#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"

namespace {

namespace F = chainerxx::functions;

/// The input receives a gradient, too.
void LinearRelu(benchmark::State& state) {
  const std::int64_t batch = state.range(0), in = state.range(1), out = state.range(2);
  F::Linear layer(in, out);
  const auto images = benchmarks::random({batch, in});
  const auto gradient = cupyxx::ones({batch, out}, cupyxx::float32);
  benchmarks::time_calls(state, 20, [&] {
    const chainerxx::Variable x(images);
    chainerxx::Variable y = F::relu(layer(x));
    y.set_grad(gradient);
    std::move(y).backward();
  });
  benchmarks::set_flops(state, 6.0 * static_cast<double>(batch * in * out));
}

BENCHMARK(LinearRelu)->Args({100, 784, 1000})->Args({8192, 4096, 4096})->UseRealTime();

}  // namespace
