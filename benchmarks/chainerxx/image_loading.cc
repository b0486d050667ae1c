// SPDX-License-Identifier: MIT
// Images of 256 x 256 a second and core, by processor time: read and decoded, and made smaller on
// the way.
//   image_loading FILE.jpg FILE.png
#include <benchmark/benchmark.h>

#include <string>

#include "chainerxx/datasets/images/images.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/alone.h"

namespace {

namespace datasets = chainerxx::datasets;

void Decode(benchmark::State& state, const std::string& path) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(datasets::read_image(path).astype(cupyxx::float32));
  }
  state.SetItemsProcessed(state.iterations());
}

void DecodeAndResize(benchmark::State& state, const std::string& path) {
  for (auto _ : state) {
    const cupyxx::ndarray small = datasets::resize(datasets::read_image(path), 224, 224);
    benchmark::DoNotOptimize(datasets::random_flip(small).astype(cupyxx::float32));
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace

int main(int argc, char** argv) {
  const cupyxx::extension::AloneScope alone;  // as the threads of a loader
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    benchmark::RegisterBenchmark(("Decode/" + path).c_str(), Decode, path);
    benchmark::RegisterBenchmark(("DecodeAndResize/" + path).c_str(), DecodeAndResize, path);
  }
  benchmark::RunSpecifiedBenchmarks();
}
