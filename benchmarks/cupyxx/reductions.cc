// SPDX-License-Identifier: MIT
// Reductions over all axes, over each axis of a matrix, and over the shapes that networks use.
#include "benchmarks/device.h"
#include "benchmarks/stream.h"
#include "cupyxx/creation.h"
#include "cupyxx/reduction.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;

constexpr std::int64_t kSide = 8192;

void SumAll(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t n = state.range(0);
  const auto a = random({n}, dtype);
  const auto out = cp::empty({}, dtype);
  time_calls(state, 20, [&] { cp::sum(a, {}, {.out = out}); });
  set_bytes(state, n * dtype.itemsize());
}

void SumOf(benchmark::State& state, const cp::Shape& shape, const cp::Axes& axes) {
  const auto a = random(shape);
  const std::int64_t results = cp::sum(a, axes).nbytes();
  time_calls(state, 20, [&] { cp::sum(a, axes); });
  set_bytes(state, a.nbytes() + results);
}

void MaxAll(benchmark::State& state) {
  const auto a = random({state.range(0)});
  time_calls(state, 20, [&] { cp::amax(a); });
  set_bytes(state, a.nbytes());
}

void MeanRows(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  time_calls(state, 20, [&] { cp::mean(a, 1); });
  set_bytes(state, a.nbytes());
}

void VarRows(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  time_calls(state, 20, [&] { cp::var(a, 1); });
  set_bytes(state, a.nbytes());
}

void ArgmaxRows(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  time_calls(state, 20, [&] { cp::argmax(a, 1); });
  set_bytes(state, a.nbytes());
}

/// What the host's cores read at most.
void StreamRead(benchmark::State& state) {
  if (!benchmarks::device().is_cpu()) {
    state.SkipWithError("for the host");
    return;
  }
  const auto a = random({state.range(0)});
  const auto x = a.span<float>();
  time_calls(state, 20,
             [&] { benchmark::DoNotOptimize(benchmarks::stream_read(x.data(), state.range(0))); });
  set_bytes(state, a.nbytes());
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1 << 4)->Arg(1 << 10)->Arg(1 << 20)->Arg(1 << 26)->UseRealTime();
}

BENCHMARK(StreamRead)->Arg(1 << 26)->UseRealTime();
BENCHMARK_CAPTURE(SumAll, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(SumAll, float16, cp::float16)->Apply(sizes);
BENCHMARK_CAPTURE(SumAll, float64, cp::float64)->Apply(sizes);
BENCHMARK_CAPTURE(SumAll, large, cp::float32)->Arg(1 << 30)->UseRealTime();
BENCHMARK(MaxAll)->Apply(sizes);
BENCHMARK_CAPTURE(SumOf, axis0, cp::Shape{kSide, kSide}, cp::Axes(0))->UseRealTime();
BENCHMARK_CAPTURE(SumOf, axis1, cp::Shape{kSide, kSide}, cp::Axes(1))->UseRealTime();
BENCHMARK_CAPTURE(SumOf, short_rows, cp::Shape{1 << 23, 8}, cp::Axes(1))->UseRealTime();
BENCHMARK_CAPTURE(SumOf, short_columns, cp::Shape{8, 1 << 23}, cp::Axes(0))->UseRealTime();
BENCHMARK_CAPTURE(SumOf, channels, cp::Shape{64, 256, 64, 64}, cp::Axes{0, 2, 3})->UseRealTime();
BENCHMARK_CAPTURE(SumOf, bias_gradient, cp::Shape{100, 1000}, cp::Axes(0))->UseRealTime();
BENCHMARK(MeanRows)->UseRealTime();
BENCHMARK(VarRows)->UseRealTime();
BENCHMARK(ArgmaxRows)->UseRealTime();

}  // namespace
