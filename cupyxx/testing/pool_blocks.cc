// SPDX-License-Identifier: MIT
// The pool without arrays: one block taken and given back, and a random mix of many live blocks. On
// the host the pool stands on addresses that nobody touches, so that its own time is seen anywhere.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

#include "benchmarks/device.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/internal/gpu/memory/magazine.h"
#include "cupyxx/internal/gpu/memory/pool.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace {

namespace gpu = cupyxx::internal::gpu;
using cupyxx::internal::Storage;

// Addresses without memory.
class Nothing final : public gpu::SystemMemory {
 public:
  void* allocate(std::size_t nbytes) override {
    const std::uintptr_t address = next_;
    next_ += nbytes + 4096;
    return reinterpret_cast<void*>(address);
  }
  void release(void*, std::size_t) override {}
  void wait() override {}
  void settle(Storage*) noexcept override {}

 private:
  std::uintptr_t next_ = std::uintptr_t{1} << 40;
};

gpu::Pool& imaginary_pool() {
  static gpu::Pool& pool = *new gpu::Pool(new Nothing, cupyxx::Device::cuda(0));
  return pool;
}

Storage* allocate(std::size_t nbytes) {
  if (benchmarks::device().is_cuda()) return gpu::allocate(benchmarks::device().index, nbytes);
  static thread_local gpu::Magazine* magazine = gpu::Magazine::of(imaginary_pool().arena(nullptr));
  return magazine->allocate(nbytes);
}

cupyxx::PoolStats stats() {
  return benchmarks::device().is_cuda() ? gpu::pool_stats(benchmarks::device().index)
                                        : imaginary_pool().stats();
}

/// One block, taken and given back.
void TakeAndGive(benchmark::State& state) {  // NOLINT(readability-identifier-naming)
  const auto nbytes = static_cast<std::size_t>(state.range(0));
  cupyxx::internal::release(allocate(nbytes));
  for (auto _ : state) {
    Storage* storage = allocate(nbytes);
    benchmark::DoNotOptimize(storage->data);
    cupyxx::internal::release(storage);
  }
}

std::uint64_t ticks() { return __builtin_ia32_rdtsc(); }

/// What two calls took.
struct Ticks {
  std::uint64_t give, take;
};

// What reading the clock twice costs.
std::uint64_t clock_ticks() {
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t begin = ticks();
    least = std::min(least, ticks() - begin);
  }
  return least;
}

/// Of `range(0)` live blocks of 1 B to 2 MiB one is given back and another one taken, at random.
/// The sizes are uniform, or uniform in their logarithm. p50, p99 and p99.9 are of pairs of calls
/// in ns, p99_call of single calls; `reserved` is what the pool holds for each byte asked for.
void RandomMix(benchmark::State& state) {  // NOLINT(readability-identifier-naming)
  const auto count = static_cast<std::size_t>(state.range(0));
  const bool logarithmic = state.range(1) != 0;
  std::mt19937_64 random(7);
  const auto next_size = [&]() -> std::size_t {
    constexpr std::size_t kLargest = std::size_t{2} << 20;
    if (!logarithmic) return 1 + random() % kLargest;
    const std::size_t top = std::size_t{1} << (random() % 22);
    return top + random() % top;
  };
  std::vector<Storage*> live;
  std::uint64_t asked = 0;
  for (std::size_t i = 0; i < count; ++i) {
    live.push_back(allocate(next_size()));
    asked += live.back()->nbytes;
  }
  const auto replace = [&](std::size_t at, std::size_t size) {
    asked += size - live[at]->nbytes;
    const std::uint64_t begin = ticks();
    cupyxx::internal::release(live[at]);
    const std::uint64_t middle = ticks();
    live[at] = allocate(size);
    return Ticks{middle - begin, ticks() - middle};
  };
  for (std::size_t i = 0; i < 4 * count; ++i) replace(random() % count, next_size());  // warm

  std::vector<std::uint32_t> pairs, calls;
  const std::uint64_t system_before = stats().system_calls;
  const std::uint64_t clock = clock_ticks();
  const auto own = [&](std::uint64_t taken) { return taken > clock ? taken - clock : 0; };
  std::uint64_t sum = 0;
  const auto wall_begin = std::chrono::steady_clock::now();
  const std::uint64_t tick_begin = ticks();
  for (auto _ : state) {
    const std::size_t at = random() % count;
    const std::size_t size = next_size();
    const Ticks taken = replace(at, size);
    const std::uint64_t give = own(taken.give), take = own(taken.take);
    sum += give + take;
    if (pairs.size() == std::size_t{1} << 22) continue;
    pairs.push_back(static_cast<std::uint32_t>(give + take));
    calls.push_back(static_cast<std::uint32_t>(give));
    calls.push_back(static_cast<std::uint32_t>(take));
  }
  const double ns_per_tick =
      std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - wall_begin)
          .count() /
      static_cast<double>(ticks() - tick_begin);
  const auto quantile = [&](std::vector<std::uint32_t>& values, double q) {
    const auto at = static_cast<std::size_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return ns_per_tick * values[at];
  };
  const cupyxx::PoolStats after = stats();
  state.counters["mean_ns"] = ns_per_tick * static_cast<double>(sum) / state.iterations();
  state.counters["p50_ns"] = quantile(pairs, 0.5);
  state.counters["p99_ns"] = quantile(pairs, 0.99);
  state.counters["p99.9_ns"] = quantile(pairs, 0.999);
  state.counters["p99_call_ns"] = quantile(calls, 0.99);
  state.counters["reserved"] = static_cast<double>(after.total) / static_cast<double>(asked);
  state.counters["blocks"] = static_cast<double>(after.used) / static_cast<double>(asked);
  state.counters["system_calls"] = static_cast<double>(after.system_calls - system_before);
  for (Storage* storage : live) cupyxx::internal::release(storage);
  if (benchmarks::device().is_cuda()) {
    gpu::free_all_blocks(benchmarks::device().index);
  } else {
    imaginary_pool().free_all();
  }
}

BENCHMARK(TakeAndGive)->Arg(1 << 10)->Arg(1 << 20)->Arg(16 << 20);
BENCHMARK(TakeAndGive)->Arg(1 << 10)->Threads(2)->Threads(16)->UseRealTime();
BENCHMARK(RandomMix)
    ->ArgNames({"live", "log"})
    ->Args({10000, 0})
    ->Args({10000, 1})
    ->Args({100, 0})
    ->MinTime(1);

}  // namespace
