// SPDX-License-Identifier: MIT
// Elementwise operations in every layout; bytes are those that must be read and written.
#include "benchmarks/device.h"
#include "benchmarks/stream.h"
#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;
using cp::none, cp::slice;

constexpr std::int64_t kSide = 8192;

void Add(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t n = state.range(0);
  const auto a = random({n}, dtype);
  const auto b = random({n}, dtype);
  const auto c = cp::empty({n}, dtype);
  time_calls(state, 20, [&] { cp::add(a, b, {.out = c}); });
  set_bytes(state, 3 * n * dtype.itemsize());
}

void Exp(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t n = state.range(0);
  const auto a = random({n}, dtype);
  const auto b = cp::empty({n}, dtype);
  time_calls(state, 20, [&] { cp::exp(a, {.out = b}); });
  set_bytes(state, 2 * n * dtype.itemsize());
}

/// The rate that others are compared with.
void Copy(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t n = state.range(0);
  const auto a = random({n}, dtype);
  const auto b = cp::empty({n}, dtype);
  time_calls(state, 20, [&] { cp::copyto(b, a); });
  set_bytes(state, 2 * n * dtype.itemsize());
}

void AddToNewArray(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const auto a = random({n});
  const auto b = random({n});
  time_calls(state, 20, [&] { benchmark::DoNotOptimize((a + b).data()); });
  set_bytes(state, 3 * n * 4);
}

void CastToFloat16(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const auto a = random({n});
  const auto b = cp::empty({n}, cp::float16);
  time_calls(state, 20, [&] { cp::copyto(b, a); });
  set_bytes(state, n * 6);
}

void AddRow(benchmark::State& state, cp::dtype dtype, std::int64_t columns) {
  const auto a = random({kSide, columns}, dtype);
  const auto row = random({columns}, dtype);
  const auto out = cp::empty({kSide, columns}, dtype);
  time_calls(state, 20, [&] { cp::add(a, row, {.out = out}); });
  set_bytes(state, 2 * kSide * columns * dtype.itemsize());
}

/// As many elements, three in a row: colours.
void AddShortRow(benchmark::State& state) {
  const std::int64_t rows = kSide * kSide / 3;
  const auto a = random({rows, 3});
  const auto row = random({3});
  const auto out = cp::empty({rows, 3}, cp::float32);
  time_calls(state, 20, [&] { cp::add(a, row, {.out = out}); });
  set_bytes(state, 2 * rows * 3 * 4);
}

void AddColumn(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto column = random({kSide, 1});
  const auto out = cp::empty({kSide, kSide}, cp::float32);
  time_calls(state, 20, [&] { cp::add(a, column, {.out = out}); });
  set_bytes(state, 2 * kSide * kSide * 4);
}

void CopyTransposed(benchmark::State& state, cp::dtype dtype) {
  const auto a = random({kSide, kSide}, dtype);
  const auto out = cp::empty({kSide, kSide}, dtype);
  time_calls(state, 20, [&] { cp::copyto(out, a.T()); });
  set_bytes(state, 2 * kSide * kSide * dtype.itemsize());
}

void CopyChannelsLast(benchmark::State& state) {
  const auto a = random({64, 64, 128, 128});
  const auto out = cp::empty({64, 128, 128, 64}, cp::float32);
  time_calls(state, 20, [&] { cp::copyto(out, a.transpose({0, 2, 3, 1})); });
  set_bytes(state, 2 * a.nbytes());
}

void AddTransposed(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto out = cp::empty({kSide, kSide}, cp::float32);
  time_calls(state, 20, [&] { cp::add(a, a.T(), {.out = out}); });
  set_bytes(state, 3 * a.nbytes());
}

/// Rows of an array with gaps between them.
void CopyPart(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto out = cp::empty({kSide, kSide - 1}, cp::float32);
  time_calls(state, 20, [&] { cp::copyto(out, a(slice(), slice(1, none))); });
  set_bytes(state, 2 * out.nbytes());
}

void Where(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto b = random({kSide, kSide});
  const auto which = a > b;
  time_calls(state, 20, [&] { benchmark::DoNotOptimize(cp::where(which, a, b).data()); });
  set_bytes(state, 3 * a.nbytes() + which.nbytes());
}

void AddStrided(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto even = a(slice(), slice(none, none, 2));
  const auto odd = a(slice(), slice(1, none, 2));
  const auto out = cp::empty({kSide, kSide / 2}, cp::float32);
  time_calls(state, 20, [&] { cp::add(even, odd, {.out = out}); });
  set_bytes(state, kSide * kSide * 6);
}

/// What has no kernel of its own in the bundle: two types, a mask, a result with gaps. The kernel
/// for everything runs first, the call's own after 2^33 elements.
void AddMixedTypes(benchmark::State& state) {
  const auto a = random({kSide, kSide / 2});
  const auto b = random({kSide, kSide / 2}).astype(cp::int32);
  const auto out = cp::empty({kSide, kSide / 2}, cp::float64);
  time_calls(state, 20, [&] { cp::add(a, b, {.out = out}); });
  set_bytes(state, 2 * a.nbytes() + out.nbytes());
}

void HypotenuseWhere(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto b = random({kSide, kSide});
  const auto which = a > b;
  const auto out = cp::empty({kSide, kSide}, cp::float32);
  time_calls(state, 20, [&] { cp::hypot(a, b, {.out = out, .where = which}); });
  set_bytes(state, 3 * a.nbytes() + which.nbytes());
}

/// Four operations, each of which goes through memory.
void Chain(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const auto a = random({n});
  const auto b = random({n});
  const auto c = random({n});
  time_calls(state, 10, [&] {
    const auto d = a - b;
    benchmark::DoNotOptimize((d * d * c + 1).data());
  });
  set_bytes(state, 11 * n * 4);
}

/// What the host's cores do at most with two arrays read and one written.
void StreamTriad(benchmark::State& state) {
  if (!benchmarks::device().is_cpu()) {
    state.SkipWithError("for the host");
    return;
  }
  const std::int64_t n = state.range(0);
  const auto a = random({n});
  const auto b = random({n});
  const auto c = cp::empty({n}, cp::float32);
  const auto x = a.span<float>(), y = b.span<float>(), z = c.span<float>();
  time_calls(state, 20, [&] { benchmarks::stream_triad(z.data(), x.data(), y.data(), n); });
  set_bytes(state, 3 * n * 4);
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1 << 10)->Arg(1 << 20)->Arg(1 << 26)->UseRealTime();
}

BENCHMARK(StreamTriad)->Arg(1 << 26)->UseRealTime();
BENCHMARK_CAPTURE(Copy, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Copy, float16, cp::float16)->Apply(sizes);
BENCHMARK_CAPTURE(Copy, int8, cp::int8)->Apply(sizes);
BENCHMARK_CAPTURE(Add, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Add, float16, cp::float16)->Apply(sizes);
BENCHMARK_CAPTURE(Add, float64, cp::float64)->Apply(sizes);
BENCHMARK_CAPTURE(Add, int8, cp::int8)->Apply(sizes);
BENCHMARK_CAPTURE(Add, float16, cp::float16)->Arg(1 << 27)->UseRealTime();
BENCHMARK_CAPTURE(Add, int8, cp::int8)->Arg(1 << 28)->UseRealTime();
BENCHMARK_CAPTURE(Exp, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Exp, float64, cp::float64)->Apply(sizes);
BENCHMARK(AddToNewArray)->Apply(sizes);
BENCHMARK(CastToFloat16)->Apply(sizes);
BENCHMARK_CAPTURE(AddRow, float32, cp::float32, kSide)->UseRealTime();
BENCHMARK_CAPTURE(AddRow, float32_odd, cp::float32, kSide - 1)->UseRealTime();
BENCHMARK_CAPTURE(AddRow, float16, cp::float16, kSide)->UseRealTime();
BENCHMARK_CAPTURE(AddRow, int8, cp::int8, kSide)->UseRealTime();
BENCHMARK(AddShortRow)->UseRealTime();
BENCHMARK(AddColumn)->UseRealTime();
BENCHMARK_CAPTURE(CopyTransposed, float32, cp::float32)->UseRealTime();
BENCHMARK_CAPTURE(CopyTransposed, float16, cp::float16)->UseRealTime();
BENCHMARK_CAPTURE(CopyTransposed, uint8, cp::uint8)->UseRealTime();
BENCHMARK_CAPTURE(CopyTransposed, float64, cp::float64)->UseRealTime();
BENCHMARK(CopyChannelsLast)->UseRealTime();
BENCHMARK(AddTransposed)->UseRealTime();
BENCHMARK(CopyPart)->UseRealTime();
BENCHMARK(Where)->UseRealTime();
BENCHMARK(AddMixedTypes)->UseRealTime();
BENCHMARK(HypotenuseWhere)->UseRealTime();
BENCHMARK(AddStrided)->UseRealTime();
BENCHMARK(Chain)->Apply(sizes);

}  // namespace
