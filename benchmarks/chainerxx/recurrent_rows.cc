// SPDX-License-Identifier: MIT
// A training step of a language model: two layers of 650 cells, 10,000 words, 35 steps of 20 texts.
#include <tuple>
#include <utility>

#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

constexpr std::int64_t kWords = 10000, kUnits = 650, kTexts = 20, kSteps = 35;

/// One step after the other, as a define-by-run loop.
struct Loop : chainerxx::FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(kWords, kUnits));
  F::Linear& x1 = add("x1", F::Linear(kUnits, 4 * kUnits));
  F::Linear& h1 = add("h1", F::Linear(kUnits, 4 * kUnits));
  F::Linear& x2 = add("x2", F::Linear(kUnits, 4 * kUnits));
  F::Linear& h2 = add("h2", F::Linear(kUnits, 4 * kUnits));
  F::Linear& out = add("out", F::Linear(kUnits, kWords));

  Variable loss(const ndarray& text) const {
    const ndarray nothing = cupyxx::zeros({kTexts, kUnits}, cupyxx::float32);
    Variable c1 = nothing, y1 = nothing, c2 = nothing, y2 = nothing, sum;
    for (std::int64_t i = 0; i < kSteps; ++i) {
      std::tie(c1, y1) = cells(c1, x1(embed(Variable(text(i)))) + h1(y1));
      std::tie(c2, y2) = cells(c2, x2(y1) + h2(y2));
      sum += F::softmax_cross_entropy(out(y2), Variable(text(i + 1)));
    }
    return sum;
  }

  static std::pair<Variable, Variable> cells(const Variable& c, const Variable& x) {
    const auto [next, y] = F::lstm(c, x);
    return {next, y};
  }
};

/// All steps of a layer in one function.
struct Sequence : chainerxx::FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(kWords, kUnits));
  F::LSTMSequence& l1 = add("l1", F::LSTMSequence(kUnits, kUnits));
  F::LSTMSequence& l2 = add("l2", F::LSTMSequence(kUnits, kUnits));
  F::Linear& out = add("out", F::Linear(kUnits, kWords));

  Variable loss(const ndarray& text) const {
    const Variable nothing = cupyxx::zeros({kTexts, kUnits}, cupyxx::float32);
    const Variable words(text(cupyxx::slice(0, -1))), next(text(cupyxx::slice(1, kSteps + 1)));
    const Variable y = l2(l1(embed(words), nothing, nothing)[0], nothing, nothing)[0];
    const Variable scores = out(F::reshape(y, {kSteps * kTexts, kUnits}));
    return F::softmax_cross_entropy(scores, F::reshape(next, {kSteps * kTexts}));
  }
};

template <class Model>
void training_step(benchmark::State& state) {
  Model model;
  chainerxx::optimizers::SGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  const ndarray text = integers({kSteps + 1, kTexts}, kWords);
  time_calls(state, 5, [&] {
    optimizer.zero_grads();
    model.loss(text).backward();
    optimizer.clip_grads(5);
    optimizer.update();
  });
}

const bool added = [] {
  add_row("LSTM 650x2, 20 texts, 35 steps, loop float32", training_step<Loop>);
  add_row("LSTM 650x2, 20 texts, 35 steps, sequence float32", training_step<Sequence>);
  return true;
}();

}  // namespace
}  // namespace benchmarks
