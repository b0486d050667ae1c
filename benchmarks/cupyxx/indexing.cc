// SPDX-License-Identifier: MIT
// Reading and writing through index arrays, sums at repeated places, ranges, and decompositions.
#include "cupyxx/indexing.h"

#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/statistics.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;

// `count` places below `bound` in no order; the same each time.
cp::ndarray places(std::int64_t count, std::int64_t bound) {
  return cp::remainder(cp::arange(count) * 7919 + 13, bound);
}

void Range(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  time_calls(state, 20, [&] { cp::arange(n, cp::float32); });
  set_bytes(state, n * 4);
}

// Rows of 64 floats, as an embedding reads and writes them.
void GatherRows(benchmark::State& state) {
  const auto table = random({100000, 64});
  const auto index = places(state.range(0), 100000);
  time_calls(state, 20, [&] { cp::take(table, index, 0); });
  set_bytes(state, 2 * 256 * state.range(0));
}

void WriteRows(benchmark::State& state) {
  const auto table = random({100000, 64}), rows = random({state.range(0), 64});
  const auto index = places(state.range(0), 100000);
  time_calls(state, 20, [&] { table(index) = rows; });
  set_bytes(state, 2 * 256 * state.range(0));
}

void AddAt(benchmark::State& state, std::int64_t bins, bool deterministic) {
  const auto sums = cp::zeros({bins}, cp::float32);
  const auto values = random({state.range(0)});
  const auto index = places(state.range(0), bins);
  time_calls(state, 5,
             [&] { cp::scatter_add(sums, index, values, {.deterministic = deterministic}); });
  state.SetItemsProcessed(state.iterations() * 5 * state.range(0));
}

void Bincount(benchmark::State& state, bool weighted) {
  const auto index = places(state.range(0), 1000);
  const auto weights = weighted ? random({state.range(0)}) : cp::ndarray();
  time_calls(state, 5, [&] { cp::bincount(index, {.weights = weights}); });
  state.SetItemsProcessed(state.iterations() * 5 * state.range(0));
}

cp::ndarray well_conditioned(std::int64_t count, std::int64_t n) {
  return random({count, n, n}) + 2 * static_cast<double>(n) * cp::identity(n, cp::float32);
}

void Inverse(benchmark::State& state) {
  const auto a = well_conditioned(state.range(0), state.range(1));
  time_calls(state, 2, [&] { cp::linalg::inv(a); });
}

void SingularValues(benchmark::State& state) {
  const auto a = random({state.range(0), state.range(0)});
  time_calls(state, 1, [&] { cp::linalg::svd(a); });
}

void sizes(benchmark::internal::Benchmark* b) { b->Arg(1 << 14)->Arg(1 << 20)->UseRealTime(); }

BENCHMARK(Range)->Apply(sizes);
BENCHMARK(GatherRows)->Apply(sizes);
BENCHMARK(WriteRows)->Apply(sizes);
BENCHMARK_CAPTURE(AddAt, many_bins, 1 << 20, true)->Apply(sizes);
BENCHMARK_CAPTURE(AddAt, few_bins, 10, true)->Apply(sizes);
BENCHMARK_CAPTURE(AddAt, many_bins_atomically, 1 << 20, false)->Apply(sizes);
BENCHMARK_CAPTURE(AddAt, few_bins_atomically, 10, false)->Apply(sizes);
BENCHMARK_CAPTURE(Bincount, counts, false)->Apply(sizes);
BENCHMARK_CAPTURE(Bincount, weights, true)->Apply(sizes);
BENCHMARK(Inverse)->Args({1, 1000})->Args({1000, 8})->UseRealTime();
BENCHMARK(SingularValues)->Arg(32)->Arg(500)->UseRealTime();

}  // namespace
