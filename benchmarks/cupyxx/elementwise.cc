// SPDX-License-Identifier: MIT
// Elementwise operations in every layout; bytes are those that must be read and written.
#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/index.h"
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

void AddRow(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto row = random({kSide});
  const auto out = cp::empty({kSide, kSide}, cp::float32);
  time_calls(state, 20, [&] { cp::add(a, row, {.out = out}); });
  set_bytes(state, 2 * kSide * kSide * 4);
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

void AddStrided(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto even = a(slice(), slice(none, none, 2));
  const auto odd = a(slice(), slice(1, none, 2));
  const auto out = cp::empty({kSide, kSide / 2}, cp::float32);
  time_calls(state, 20, [&] { cp::add(even, odd, {.out = out}); });
  set_bytes(state, kSide * kSide * 6);
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

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1 << 10)->Arg(1 << 20)->Arg(1 << 26)->UseRealTime();
}

BENCHMARK_CAPTURE(Add, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Add, float16, cp::float16)->Apply(sizes);
BENCHMARK_CAPTURE(Add, float64, cp::float64)->Apply(sizes);
BENCHMARK_CAPTURE(Add, int8, cp::int8)->Apply(sizes);
BENCHMARK_CAPTURE(Exp, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Exp, float64, cp::float64)->Apply(sizes);
BENCHMARK(AddToNewArray)->Apply(sizes);
BENCHMARK(CastToFloat16)->Apply(sizes);
BENCHMARK(AddRow)->UseRealTime();
BENCHMARK(AddColumn)->UseRealTime();
BENCHMARK_CAPTURE(CopyTransposed, float32, cp::float32)->UseRealTime();
BENCHMARK_CAPTURE(CopyTransposed, float16, cp::float16)->UseRealTime();
BENCHMARK_CAPTURE(CopyTransposed, uint8, cp::uint8)->UseRealTime();
BENCHMARK(AddStrided)->UseRealTime();
BENCHMARK(Chain)->Apply(sizes);

}  // namespace
