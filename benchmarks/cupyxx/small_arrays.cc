// SPDX-License-Identifier: MIT
// What an operation costs before it computes anything: arrays of 16 floats.
#include <chrono>

#include "benchmarks/device.h"
#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/bare_launch.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::synchronize, benchmarks::time_calls;

constexpr std::int64_t kCalls = 1000;
constexpr std::int64_t kSmall = 16;

void Empty(benchmark::State& state) {
  time_calls(state, kCalls, [] { benchmark::DoNotOptimize(cp::empty({kSmall}).body()); });
}

void Index(benchmark::State& state) {
  const auto a = random({kSmall, kSmall});
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize(a(3).body()); });
}

void Slice(benchmark::State& state) {
  const auto a = random({kSmall, kSmall});
  time_calls(state, kCalls,
             [&] { benchmark::DoNotOptimize(a(cp::slice(2, 9), cp::slice(1, 15, 2)).body()); });
}

void Reshape(benchmark::State& state) {
  const auto a = random({kSmall});
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize(a.reshape({4, 4}).body()); });
}

void AddOut(benchmark::State& state) {
  const auto a = random({kSmall});
  const auto b = random({kSmall});
  const auto c = cp::empty({kSmall}, cp::float32);
  time_calls(state, kCalls, [&] { cp::add(a, b, {.out = c}); });
}

void AddNew(benchmark::State& state) {
  const auto a = random({kSmall});
  const auto b = random({kSmall});
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize((a + b).body()); });
}

void AddNumber(benchmark::State& state) {
  const auto a = random({kSmall});
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize((a + 1).body()); });
}

void AddBroadcast(benchmark::State& state) {
  const auto a = random({4, 4});
  const auto row = random({4});
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize((a + row).body()); });
}

void InPlaceAdd(benchmark::State& state) {
  const auto a = random({kSmall});
  const auto b = random({kSmall});
  time_calls(state, kCalls, [&] { a += b; });
}

void Sum(benchmark::State& state) {
  const auto a = random({kSmall});
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize(a.sum().body()); });
}

void Take(benchmark::State& state) {
  const auto a = random({kSmall, kSmall});
  const auto index = cp::arange(8);
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize(cp::take(a, index, 0).body()); });
}

void Matmul(benchmark::State& state) {
  const auto a = random({2, 2});
  time_calls(state, kCalls, [&] { benchmark::DoNotOptimize(cp::matmul(a, a).body()); });
}

/// To the host and back to C++: waits for the device each time.
void Item(benchmark::State& state) {
  const auto a = random({});
  time_calls(state, 1, [&] { benchmark::DoNotOptimize(a.item<float>()); });
}

template <class Body>
double seconds(Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < kCalls; ++i) body();
  synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The time of a call above that of a launch that does nothing, in one run: the three take turns,
/// so that what the machine does besides hits all of them.
template <class Call>
void time_above_bare_launch(benchmark::State& state, Call&& call) {
  if (benchmarks::device().is_cpu()) {
    state.SkipWithError("for CUDA devices");
    return;
  }
  const cp::testing::BareLaunch bare(benchmarks::device().index);
  seconds(call);
  seconds([&] { bare.through_cupyxx(); });
  seconds([&] { bare.through_cuda(); });

  double call_time = 0;
  double cupyxx_time = 0;
  double cuda_time = 0;
  for (auto _ : state) {
    call_time += seconds(call);
    cupyxx_time += seconds([&] { bare.through_cupyxx(); });
    cuda_time += seconds([&] { bare.through_cuda(); });
  }
  const double to_ns = 1e9 / (kCalls * static_cast<double>(state.iterations()));
  state.counters["call_ns"] = call_time * to_ns;
  state.counters["bare_cupyxx_ns"] = cupyxx_time * to_ns;
  state.counters["bare_cuda_ns"] = cuda_time * to_ns;
  state.counters["above_cuda_ns"] = (call_time - cuda_time) * to_ns;
}

void AddAboveBareLaunch(benchmark::State& state) {
  const auto a = random({kSmall}), b = random({kSmall}), c = random({kSmall});
  time_above_bare_launch(state, [&] { cp::add(a, b, {.out = c}); });
}

void AddNewAboveBareLaunch(benchmark::State& state) {
  const auto a = random({kSmall}), b = random({kSmall});
  time_above_bare_launch(state, [&] { benchmark::DoNotOptimize((a + b).body()); });
}

void SumAboveBareLaunch(benchmark::State& state) {
  const auto a = random({kSmall});
  time_above_bare_launch(state, [&] { benchmark::DoNotOptimize(a.sum().body()); });
}

void MatmulAboveBareLaunch(benchmark::State& state) {
  const auto a = random({2, 2});
  time_above_bare_launch(state, [&] { benchmark::DoNotOptimize(cp::matmul(a, a).body()); });
}

BENCHMARK(Empty)->UseRealTime();
BENCHMARK(Index)->UseRealTime();
BENCHMARK(Slice)->UseRealTime();
BENCHMARK(Reshape)->UseRealTime();
BENCHMARK(AddOut)->UseRealTime();
BENCHMARK(AddNew)->UseRealTime();
BENCHMARK(AddNumber)->UseRealTime();
BENCHMARK(AddBroadcast)->UseRealTime();
BENCHMARK(InPlaceAdd)->UseRealTime();
BENCHMARK(Sum)->UseRealTime();
BENCHMARK(Take)->UseRealTime();
BENCHMARK(Matmul)->UseRealTime();
BENCHMARK(Item)->UseRealTime();
BENCHMARK(AddAboveBareLaunch)->UseRealTime()->MinTime(0.5);
BENCHMARK(AddNewAboveBareLaunch)->UseRealTime()->MinTime(0.5);
BENCHMARK(SumAboveBareLaunch)->UseRealTime()->MinTime(0.5);
BENCHMARK(MatmulAboveBareLaunch)->UseRealTime()->MinTime(0.5);

}  // namespace
