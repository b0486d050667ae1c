// SPDX-License-Identifier: MIT
// Copies between the host and a device, from pinned and from ordinary memory.
#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/interop.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;

enum class Host : bool { pinned, ordinary };

/// Zeros on the host, of which every page has been written.
cp::ndarray host_array(Host host, std::int64_t nbytes) {
  if (host == Host::pinned) return cp::zeros_pinned({nbytes}, cp::uint8);
  const cp::DeviceScope scope(cp::Device::cpu());
  return cp::full({nbytes}, 1, cp::uint8);
}

template <class Copy>
void time_copies(benchmark::State& state, Host host, Copy&& copy) {
  if (benchmarks::device().is_cpu()) {
    state.SkipWithError("for CUDA devices");
    return;
  }
  const std::int64_t nbytes = state.range(0);
  const auto there = random({nbytes}, cp::uint8), here = host_array(host, nbytes);
  // Of each call the caller waits for the end.
  time_calls(state, 1, [&] { copy(there, here); });
  set_bytes(state, nbytes);
}

void ToDevice(benchmark::State& state, Host host) {
  time_copies(state, host, [](const cp::ndarray& there, const cp::ndarray& here) {
    there.set(here);
    benchmarks::synchronize();
  });
}

void ToHost(benchmark::State& state, Host host) {
  time_copies(state, host, [](const cp::ndarray& there, const cp::ndarray& here) {
    here.set(there);
    benchmarks::synchronize();
  });
}

void sizes(benchmark::internal::Benchmark* b) { b->Arg(4 << 10)->Arg(256 << 20)->UseRealTime(); }

BENCHMARK_CAPTURE(ToDevice, pinned, Host::pinned)->Apply(sizes);
BENCHMARK_CAPTURE(ToDevice, ordinary, Host::ordinary)->Apply(sizes);
BENCHMARK_CAPTURE(ToHost, pinned, Host::pinned)->Apply(sizes);
BENCHMARK_CAPTURE(ToHost, ordinary, Host::ordinary)->Apply(sizes);

}  // namespace
