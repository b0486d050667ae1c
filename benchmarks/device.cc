// SPDX-License-Identifier: MIT
#include "benchmarks/device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/random.h"

namespace benchmarks {
namespace {

cupyxx::Device chosen;

/// Takes --device out of the arguments, which Google Benchmark would refuse.
std::string take_device(int& argc, char** argv) {
  const char* from_environment = std::getenv("CUPYXX_BENCHMARK_DEVICE");
  std::string name = from_environment != nullptr ? from_environment : "cpu";
  constexpr const char* kFlag = "--device=";
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], kFlag, std::strlen(kFlag)) == 0) {
      name = argv[i] + std::strlen(kFlag);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return name;
}

}  // namespace

cupyxx::Device device() { return chosen; }

void synchronize() {
  if (chosen.is_cuda()) cupyxx::cuda::synchronize_current_stream();
}

cupyxx::ndarray random(const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  if (dtype == cupyxx::float32 || dtype == cupyxx::float64) {
    return cupyxx::random::uniform(shape, {.dtype = dtype});
  }
  if (dtype.is_floating()) return random(shape).astype(dtype);
  return cupyxx::random::randint(0, 100, shape).astype(dtype);
}

void set_bytes(benchmark::State& state, std::int64_t bytes_per_call) {
  state.SetBytesProcessed(state.iterations() * bytes_per_call);
}

void set_flops(benchmark::State& state, double flops_per_call) {
  state.counters["FLOP/s"] = benchmark::Counter(
      flops_per_call, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

}  // namespace benchmarks

int main(int argc, char** argv) {
  try {
    benchmarks::chosen = cupyxx::Device::parse(benchmarks::take_device(argc, argv));
    const cupyxx::DeviceScope scope(benchmarks::chosen);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::AddCustomContext("device", benchmarks::chosen.name());
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}
