// SPDX-License-Identifier: MIT
// A whole training step of a language model: two layers of 650 cells over 35 steps of 20 texts,
// embedding, softmax over 10,000 words, clipping, SGD; its time and words a second. "lstm" has all
// steps of a layer in one function, "lstm_loop" is a loop of cells.
//
//   lstm_step --device=cuda --benchmark_filter=^lstm/tf32/captured/20
//
// benchmarks/lstm_peer.py has the same networks.
#include <string>
#include <tuple>
#include <utility>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/random.h"

namespace {

namespace F = chainerxx::functions;
using chainerxx::Precision;
using chainerxx::Variable;
using cupyxx::ndarray;

constexpr std::int64_t kWords = 10000, kUnits = 650, kSteps = 35;

struct Sequence : chainerxx::FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(kWords, kUnits));
  F::LSTMSequence& l1 = add("l1", F::LSTMSequence(kUnits, kUnits));
  F::LSTMSequence& l2 = add("l2", F::LSTMSequence(kUnits, kUnits));
  F::Linear& out = add("out", F::Linear(kUnits, kWords));

  Variable loss(const ndarray& words, const ndarray& next) const {
    const std::int64_t texts = words.shape()[1];
    const Variable nothing = cupyxx::zeros({texts, kUnits}, cupyxx::float32);
    const Variable h = l1(embed(Variable(words)), nothing, nothing)[0];
    const Variable y = l2(h, nothing, nothing)[0];
    const Variable scores = out(F::reshape(y, {kSteps * texts, kUnits}));
    return F::softmax_cross_entropy(scores, F::reshape(Variable(next), {kSteps * texts}));
  }
};

struct Loop : chainerxx::FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(kWords, kUnits));
  F::Linear& x1 = add("x1", F::Linear(kUnits, 4 * kUnits));
  F::Linear& h1 = add("h1", F::Linear(kUnits, 4 * kUnits));
  F::Linear& x2 = add("x2", F::Linear(kUnits, 4 * kUnits));
  F::Linear& h2 = add("h2", F::Linear(kUnits, 4 * kUnits));
  F::Linear& out = add("out", F::Linear(kUnits, kWords));

  Variable loss(const ndarray& words, const ndarray& next) const {
    const Variable nothing = cupyxx::zeros({words.shape()[1], kUnits}, cupyxx::float32);
    Variable c1 = nothing, y1 = nothing, c2 = nothing, y2 = nothing, sum;
    for (std::int64_t i = 0; i < kSteps; ++i) {
      std::tie(c1, y1) = cells(c1, x1(embed(Variable(words(i)))) + h1(y1));
      std::tie(c2, y2) = cells(c2, x2(y1) + h2(y2));
      sum += F::softmax_cross_entropy(out(y2), Variable(next(i)));
    }
    return sum;
  }

  static std::pair<Variable, Variable> cells(const Variable& c, const Variable& x) {
    const auto [next, y] = F::lstm(c, x);
    return {next, y};
  }
};

ndarray random_words(std::int64_t texts) {
  return cupyxx::random::randint(0, kWords, {kSteps, texts}).astype(cupyxx::int32);
}

template <class Model>
void step(benchmark::State& state, Precision precision, bool captured) {
  const std::int64_t texts = state.range(0);
  const chainerxx::PrecisionScope scope(precision);
  Model model;
  chainerxx::optimizers::SGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  optimizer.add_hook(chainerxx::GradientClipping(5));
  const ndarray words = random_words(texts), next = random_words(texts);
  const auto train = [&] { optimizer.update([&] { return model.loss(words, next); }); };
  if (captured) {
    auto graph = chainerxx::capture(train);
    benchmarks::time_calls(state, 5, graph);
  } else {
    benchmarks::time_calls(state, 5, train);
  }
  const auto count = static_cast<double>(state.iterations() * texts * kSteps);
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
  add_rows<Sequence>("lstm");
  add_rows<Loop>("lstm_loop");
  return true;
}();

}  // namespace
