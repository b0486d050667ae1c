// SPDX-License-Identifier: MIT
// Operations that run together beside the same operations alone, and kernels of users; bytes are
// those that must be read and written.
#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/fuse.h"
#include "cupyxx/kernel.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;

const auto kChain = [](auto x, auto y, auto z) { return (x - y) * (x - y) * z + 1; };
const auto kCurve = [](auto x, auto y, auto z) { return cp::exp(-x * x) * y + cp::tanh(z); };

template <class Function>
void time_three(benchmark::State& state, Function function) {
  const std::int64_t n = state.range(0);
  const auto x = random({n});
  const auto y = random({n});
  const auto z = random({n});
  time_calls(state, 20, [&] { benchmark::DoNotOptimize(function(x, y, z).data()); });
  set_bytes(state, 4 * n * 4);
}

void ChainAlone(benchmark::State& state) { time_three(state, kChain); }
void ChainFused(benchmark::State& state) { time_three(state, cp::fuse(kChain)); }
void ChainAsText(benchmark::State& state) {
  time_three(state, cp::ElementwiseKernel("T x, T y, T z", "T w", "w = (x - y) * (x - y) * z + 1",
                                          "chain"));
}
void CurveAlone(benchmark::State& state) { time_three(state, kCurve); }
void CurveFused(benchmark::State& state) { time_three(state, cp::fuse(kCurve)); }

void RawAxpy(benchmark::State& state) {
  if (benchmarks::device().is_cpu()) return state.SkipWithError("raw kernels need a CUDA device");
  const cp::RawKernel axpy(R"(
extern "C" __global__ void axpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
})",
                           "axpy");
  const std::int64_t n = state.range(0);
  const auto x = random({n});
  const auto y = random({n});
  time_calls(state, 20, [&] { axpy((n + 255) / 256, 256, n, 0.5f, x, y); });
  set_bytes(state, 3 * n * 4);
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(16)->Arg(1 << 16)->Arg(1 << 20)->Arg(1 << 26)->UseRealTime();
}

BENCHMARK(ChainAlone)->Apply(sizes);
BENCHMARK(ChainFused)->Apply(sizes);
BENCHMARK(ChainAsText)->Apply(sizes);
BENCHMARK(CurveAlone)->Apply(sizes);
BENCHMARK(CurveFused)->Apply(sizes);
BENCHMARK(RawAxpy)->Apply(sizes);

}  // namespace
