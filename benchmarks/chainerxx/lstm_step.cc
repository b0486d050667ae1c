// SPDX-License-Identifier: MIT
// A whole training step of a language model: two layers of 650 cells over 35 steps of 20 texts,
// embedding, softmax over 10,000 words, clipping, SGD; its time and words a second. "lstm" has all
// steps of a layer in one function, "lstm_loop" is a loop of cells.
//
//   lstm_step --device=cuda --benchmark_filter=^lstm/tf32/captured/20
//
// benchmarks/lstm_peer.py has the same networks.
#include <string>

#include "benchmarks/chainerxx/language_model.h"
#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/random.h"

namespace {

namespace model = benchmarks::language_model;
using chainerxx::Precision;

template <class Model>
void step(benchmark::State& state, Precision precision, bool captured) {
  const std::int64_t texts = state.range(0);
  const chainerxx::PrecisionScope scope(precision);
  Model network;
  chainerxx::optimizers::SGD optimizer({.lr = 0.1});
  optimizer.setup(network);
  optimizer.add_hook(chainerxx::GradientClipping(5));
  const cupyxx::ndarray text =
      cupyxx::random::randint(0, model::kWords, {model::kSteps + 1, texts}).astype(cupyxx::int32);
  const auto train = [&] { optimizer.update([&] { return network.loss(text); }); };
  if (captured) {
    auto graph = chainerxx::capture(train);
    benchmarks::time_calls(state, 5, graph);
  } else {
    benchmarks::time_calls(state, 5, train);
  }
  const auto count = static_cast<double>(state.iterations() * texts * model::kSteps);
  state.counters["words/s"] = benchmark::Counter(count, benchmark::Counter::kIsRate);
}

template <class Model>
void add_rows(const std::string& name) {
  for (const Precision precision : {Precision::float32, Precision::tf32, Precision::bfloat16}) {
    for (const bool captured : {false, true}) {
      const std::string full =
          name + "/" + std::string(name_of(precision)) + (captured ? "/captured" : "/eager");
      auto* rows = benchmark::RegisterBenchmark(
          full.c_str(), [=](benchmark::State& state) { step<Model>(state, precision, captured); });
      rows->UseRealTime()->Unit(benchmark::kMillisecond)->Arg(20);
    }
  }
}

const bool kRegistered = [] {
  add_rows<model::Sequence>("lstm");
  add_rows<model::Loop>("lstm_loop");
  return true;
}();

}  // namespace
