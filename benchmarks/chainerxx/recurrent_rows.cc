// SPDX-License-Identifier: MIT
// A training step of a language model: two layers of 650 cells, 10,000 words, 35 steps of 20 texts.
#include "benchmarks/chainerxx/language_model.h"
#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

constexpr std::int64_t kTexts = 20;

template <class Model>
void training_step(benchmark::State& state) {
  Model model;
  chainerxx::optimizers::SGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  const ndarray text = integers({language_model::kSteps + 1, kTexts}, language_model::kWords);
  time_calls(state, 5, [&] {
    optimizer.zero_grads();
    model.loss(text).backward();
    optimizer.clip_grads(5);
    optimizer.update();
  });
}

const bool added = [] {
  add_row("LSTM 650x2, 20 texts, 35 steps, loop float32", training_step<language_model::Loop>);
  add_row("LSTM 650x2, 20 texts, 35 steps, sequence float32",
          training_step<language_model::Sequence>);
  return true;
}();

}  // namespace
}  // namespace benchmarks
