// SPDX-License-Identifier: MIT
// On which device a benchmark runs, and how it takes the time there.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"

namespace benchmarks {

/// The device of --device=cpu|cuda|cuda:N, else of CUPYXX_BENCHMARK_DEVICE, else the host. It is
/// the current device of the main thread.
cupyxx::Device device();

/// Waits for the device.
void synchronize();

/// Uniform numbers in [0, 1) of any dtype on the device.
cupyxx::ndarray random(const cupyxx::Shape& shape, cupyxx::dtype dtype = cupyxx::float32);

/// Times `body` in runs of `calls` calls, each of which ends with one wait for the device: the
/// result is the time of a call in a queue that never runs dry. Register with UseRealTime().
template <class Body>
void time_calls(benchmark::State& state, std::int64_t calls, Body&& body) {
  for (int i = 0; i < 3; ++i) body();  // compiles, tunes and fills the pool
  synchronize();
  while (state.KeepRunningBatch(calls)) {
    for (std::int64_t i = 0; i < calls; ++i) body();
    synchronize();
  }
  state.SetItemsProcessed(state.iterations());
}

/// Shows the memory traffic of a call as bytes per second.
void set_bytes(benchmark::State& state, std::int64_t bytes_per_call);
/// Shows the arithmetic of a call as FLOP/s.
void set_flops(benchmark::State& state, double flops_per_call);

}  // namespace benchmarks
