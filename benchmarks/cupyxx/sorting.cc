// SPDX-License-Identifier: MIT
// Sorting and running sums.
#include "cupyxx/sorting.h"

#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/statistics.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;

/// All bits of the elements are random.
cp::ndarray random_bits(std::int64_t n, cp::dtype dtype) {
  if (dtype.is_floating()) return random({n}, dtype) - 0.5;
  const auto words = cp::random::randint(0, std::int64_t{1} << 32, {n}, {.dtype = cp::int64});
  return words.astype(dtype);
}

void Sort(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t n = state.range(0);
  const auto a = random_bits(n, dtype);
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::sort(a).data()); });
  set_bytes(state, 2 * a.nbytes());
}

void Argsort(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t n = state.range(0);
  const auto a = random_bits(n, dtype);
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::argsort(a).data()); });
  set_bytes(state, n * (dtype.itemsize() + 8));
}

/// Many rows of `range(1)` elements.
void SortRows(benchmark::State& state) {
  const auto a = random({state.range(0), state.range(1)});
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::sort(a).data()); });
  set_bytes(state, 2 * a.nbytes());
}

void RunningSum(benchmark::State& state, cp::dtype dtype) {
  const auto a = random({state.range(0)}, dtype);
  time_calls(state, 20, [&] { benchmark::DoNotOptimize(cp::cumsum(a).data()); });
  set_bytes(state, 2 * a.nbytes());
}

void RunningSumOfRows(benchmark::State& state) {
  const auto a = random({state.range(0), state.range(1)});
  time_calls(state, 20, [&] { benchmark::DoNotOptimize(cp::cumsum(a, 1).data()); });
  set_bytes(state, 2 * a.nbytes());
}

void sizes(benchmark::internal::Benchmark* b) { b->Arg(1 << 20)->Arg(1 << 26)->UseRealTime(); }

BENCHMARK_CAPTURE(Sort, uint32, cp::uint32)->Apply(sizes);
BENCHMARK_CAPTURE(Sort, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Sort, int64, cp::int64)->Apply(sizes);
BENCHMARK_CAPTURE(Argsort, float32, cp::float32)->Apply(sizes);
BENCHMARK(SortRows)->Args({8192, 1024})->Args({1 << 20, 32})->UseRealTime();
BENCHMARK_CAPTURE(RunningSum, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(RunningSum, float64, cp::float64)->Apply(sizes);
BENCHMARK(RunningSumOfRows)->Args({8192, 8192})->Args({1 << 20, 64})->UseRealTime();

}  // namespace
