// SPDX-License-Identifier: MIT
// Taking rows and elements, choosing by masks, joining.
#include "benchmarks/device.h"
#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;

constexpr std::int64_t kSide = 8192;

void TakeRows(benchmark::State& state, std::int64_t rows, std::int64_t columns) {
  const auto a = random({rows, columns});
  const auto at = cp::random::permutation(rows);
  time_calls(state, 20, [&] { benchmark::DoNotOptimize(cp::take(a, at, 0).data()); });
  set_bytes(state, 2 * a.nbytes());
}

/// Each result reads one sector of 32 bytes.
void TakeElements(benchmark::State& state) {
  const std::int64_t n = 1 << 24;
  const auto a = random({n});
  const auto at = cp::random::randint(0, n, {n});
  time_calls(state, 20, [&] { benchmark::DoNotOptimize(cp::take(a, at).data()); });
  set_bytes(state, n * (8 + 32 + 4));
}

void Select(benchmark::State& state) {
  const std::int64_t n = 1 << 26;
  const auto a = random({n});
  const auto mask = a > 0.5;
  time_calls(state, 5, [&] { benchmark::DoNotOptimize(cp::ndarray(a(mask)).data()); });
  set_bytes(state, n * (4 + 1 + 2));
}

void AssignMasked(benchmark::State& state) {
  const std::int64_t n = 1 << 26;
  const auto a = random({n});
  const auto mask = a > 2.0;
  time_calls(state, 20, [&] { a(mask) = 0; });
  set_bytes(state, n);
}

void Concatenate(benchmark::State& state) {
  const auto a = random({kSide * kSide}), b = random({kSide * kSide});
  time_calls(state, 20, [&] { benchmark::DoNotOptimize(cp::concatenate({a, b}).data()); });
  set_bytes(state, 4 * a.nbytes());
}

BENCHMARK_CAPTURE(TakeRows, long_rows, kSide, kSide)->UseRealTime();
BENCHMARK_CAPTURE(TakeRows, short_rows, 1 << 21, 32)->UseRealTime();
BENCHMARK(TakeElements)->UseRealTime();
BENCHMARK(Select)->UseRealTime();
BENCHMARK(AssignMasked)->UseRealTime();
BENCHMARK(Concatenate)->UseRealTime();

}  // namespace
