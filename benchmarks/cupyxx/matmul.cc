// SPDX-License-Identifier: MIT
// Matrix products: the sizes of the MNIST network, and square ones.
#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_flops, benchmarks::time_calls;

void Matmul(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t m = state.range(0);
  const std::int64_t k = state.range(1);
  const std::int64_t n = state.range(2);
  const auto a = random({m, k}, dtype);
  const auto b = random({k, n}, dtype);
  const auto c = cp::empty({m, n}, dtype);
  time_calls(state, 10, [&] { cp::matmul(a, b, c); });
  set_flops(state, 2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n));
}

/// Many small products in one call.
void BatchedMatmul(benchmark::State& state) {
  const std::int64_t count = state.range(0), n = state.range(1);
  const auto a = random({count, n, n}), b = random({count, n, n});
  const auto c = cp::empty({count, n, n}, cp::float32);
  time_calls(state, 20, [&] { cp::matmul(a, b, c); });
  set_flops(state, 2.0 * static_cast<double>(count * n * n * n));
}

/// y = x W^T + b and the two products of its backward step.
void LinearLayer(benchmark::State& state) {
  const std::int64_t batch = state.range(0);
  const std::int64_t in = state.range(1);
  const std::int64_t out = state.range(2);
  const auto x = random({batch, in});
  const auto W = random({out, in});
  const auto b = random({out});
  const auto y = cp::empty({batch, out}, cp::float32);
  const auto gx = cp::empty({batch, in}, cp::float32);
  const auto gW = cp::empty({out, in}, cp::float32);
  time_calls(state, 20, [&] {
    cp::gemm(x, W.T(), {.out = y, .bias = b});
    cp::gemm(y, W, {.out = gx});
    cp::gemm(y.T(), x, {.out = gW, .accumulate = true});
  });
  set_flops(state,
            6.0 * static_cast<double>(batch) * static_cast<double>(in) * static_cast<double>(out));
}

BENCHMARK_CAPTURE(Matmul, float32, cp::float32)
    ->Args({100, 784, 100})
    ->Args({100, 784, 1000})
    ->Args({2048, 2048, 2048})
    ->UseRealTime();
BENCHMARK_CAPTURE(Matmul, float64, cp::float64)
    ->Args({100, 784, 1000})
    ->Args({2048, 2048, 2048})
    ->UseRealTime();
BENCHMARK(BatchedMatmul)->Args({512, 64})->UseRealTime();
BENCHMARK(LinearLayer)
    ->Args({100, 784, 100})
    ->Args({100, 784, 1000})
    ->Args({100, 1000, 1000})
    ->Args({100, 1000, 10})
    ->UseRealTime();

// For large devices; a host would take minutes. Run with --benchmark_filter=Large.
void LargeMatmul(benchmark::State& state, cp::dtype dtype) {
  if (benchmarks::device().is_cpu()) {
    state.SkipWithError("for CUDA devices");
    return;
  }
  Matmul(state, dtype);
}
BENCHMARK_CAPTURE(LargeMatmul, float32, cp::float32)->Args({8192, 8192, 8192})->UseRealTime();
BENCHMARK_CAPTURE(LargeMatmul, float16, cp::float16)->Args({8192, 8192, 8192})->UseRealTime();
BENCHMARK_CAPTURE(LargeMatmul, bfloat16, cp::bfloat16_)->Args({8192, 8192, 8192})->UseRealTime();
BENCHMARK_CAPTURE(LargeMatmul, float64, cp::float64)->Args({4096, 4096, 4096})->UseRealTime();

}  // namespace
