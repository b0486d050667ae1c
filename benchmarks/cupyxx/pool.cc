// SPDX-License-Identifier: MIT
// The memory pool: what an array costs that holds nothing yet.
#include <array>
#include <cstdint>

#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"

namespace {

namespace cp = cupyxx;

/// Arrays of one size, freed at once.
void AllocateAndFree(benchmark::State& state) {
  const cp::DeviceScope scope(benchmarks::device());  // of each thread
  const cp::Shape shape = {state.range(0)};
  { const auto warm = cp::empty(shape, cp::uint8); }
  for (auto _ : state) {
    const auto a = cp::empty(shape, cp::uint8);
    benchmark::DoNotOptimize(a.data());
  }
}

/// A window of live arrays whose sizes vary by four orders of magnitude, as in a training step.
void MixedSizes(benchmark::State& state) {
  const cp::DeviceScope scope(benchmarks::device());
  std::array<cp::ndarray, 64> window;
  std::uint32_t random = 1;
  const auto next = [&] {
    random = random * 1664525 + 1013904223;
    const std::uint32_t power = 6 + (random >> 28);          // 64 B .. 2 MiB
    return (std::int64_t{1} << power) + (random >> 8 & 63);  // and a little
  };
  const auto before = cp::pool_stats(benchmarks::device());
  std::size_t i = 0;
  for (auto _ : state) {
    window[i++ % window.size()] = cp::empty({next()}, cp::uint8);
  }
  const auto after = cp::pool_stats(benchmarks::device());
  state.counters["system_calls"] = static_cast<double>(after.system_calls - before.system_calls);
  state.counters["cached_MiB"] = static_cast<double>(after.cached) / (1 << 20);
}

BENCHMARK(AllocateAndFree)->RangeMultiplier(64)->Range(64, 1 << 30);
BENCHMARK(AllocateAndFree)->Arg(4096)->Threads(2)->Threads(8)->UseRealTime();
BENCHMARK(MixedSizes);

}  // namespace
