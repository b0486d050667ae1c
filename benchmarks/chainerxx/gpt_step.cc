// SPDX-License-Identifier: MIT
// A training step of GPT-2 124M on windows of 1024 tokens: gradients clipped, AdamW; its time,
// tokens a second, and the most memory that the device's pool ever handed out, parameters included.
// For one precision a process:
//
//   gpt_step --device=cuda --benchmark_filter=^gpt/bfloat16/captured/16
//
// benchmarks/gpt_peer.py has the same network.
#include <string>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/random.h"
#include "examples/gpt/gpt.h"

namespace {

using chainerxx::Precision;
using cupyxx::ndarray;

constexpr std::int64_t kVocabulary = 50304, kLength = 1024;

ndarray random_tokens(std::int64_t batch) {
  return cupyxx::random::randint(0, 50257, {batch, kLength}).astype(cupyxx::int32);
}

void step(benchmark::State& state, Precision precision, bool captured) {
  const std::int64_t batch = state.range(0);
  const chainerxx::PrecisionScope scope(precision);
  gpt::Gpt model(gpt::size_of("124M"), kVocabulary, kLength);
  gpt::Training training(model, {.rate = 3e-4, .is_captured = captured});
  const ndarray tokens = random_tokens(batch), next = random_tokens(batch);
  benchmarks::time_calls(state, 3, [&] { training.step(tokens, next); });
  const auto count = static_cast<double>(state.iterations() * batch * kLength);
  state.counters["tokens/s"] = benchmark::Counter(count, benchmark::Counter::kIsRate);
  const auto peak = static_cast<double>(cupyxx::pool_stats(benchmarks::device()).peak);
  state.counters["peak_MiB"] = peak / (1 << 20);
}

const bool kRegistered = [] {
  for (const Precision precision :
       {Precision::float32, Precision::tf32, Precision::bfloat16, Precision::float16}) {
    for (const bool captured : {false, true}) {
      const std::string name =
          "gpt/" + std::string(name_of(precision)) + (captured ? "/captured" : "/eager");
      auto* rows = benchmark::RegisterBenchmark(
          name.c_str(), [=](benchmark::State& state) { step(state, precision, captured); });
      rows->UseRealTime()->Unit(benchmark::kMillisecond);
      rows->Arg(1)->Arg(16);
    }
  }
  return true;
}();

}  // namespace
