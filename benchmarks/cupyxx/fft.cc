// SPDX-License-Identifier: MIT
// Fourier transforms of 2^18 numbers or more in rows of n, in float64.
#include "cupyxx/fft.h"

#include <algorithm>

#include "benchmarks/device.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::time_calls;

cp::ndarray rows_of(std::int64_t n, std::int64_t columns) {
  const auto rows = std::max<std::int64_t>(1, (1 << 18) / n);
  return random({rows, columns}, cp::float64);
}

void Fft(benchmark::State& state) {
  const auto a = rows_of(state.range(0), state.range(0)).astype(cp::complex128);
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::fft::fft(a).data()); });
}

void Ifft(benchmark::State& state) {
  const auto a = rows_of(state.range(0), state.range(0)).astype(cp::complex128);
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::fft::ifft(a).data()); });
}

void Rfft(benchmark::State& state) {
  const auto a = rows_of(state.range(0), state.range(0));
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::fft::rfft(a).data()); });
}

void Irfft(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const auto a = rows_of(n, n / 2 + 1).astype(cp::complex128);
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::fft::irfft(a, {.n = n}).data()); });
}

void lengths(benchmark::internal::Benchmark* b) {
  for (const std::int64_t n : {64, 1000, 1001, 1024, 1009, 1 << 16, 1 << 20}) b->Arg(n);
  b->UseRealTime()->Unit(benchmark::kMicrosecond);
}

BENCHMARK(Fft)->Apply(lengths);
BENCHMARK(Ifft)->Apply(lengths);
BENCHMARK(Rfft)->Apply(lengths);
BENCHMARK(Irfft)->Apply(lengths);

}  // namespace
