// SPDX-License-Identifier: MIT
#include "examples/ptb/language_model.h"

#include <cmath>

#include "cupyxx/cupyxx.h"
#include "examples/program/means.h"

namespace ptb {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

}  // namespace

LanguageModel::LanguageModel(std::int64_t words, std::int64_t units)
    : units_(units),
      embed_(add("embed", EmbedID(words, units))),
      l1_x_(add("l1_x", Linear(units, 4 * units))),
      l1_h_(add("l1_h", Linear(units, 4 * units))),
      l2_x_(add("l2_x", Linear(units, 4 * units))),
      l2_h_(add("l2_h", Linear(units, 4 * units))),
      l3_(add("l3", Linear(units, words))) {
  for (const cp::ndarray& p : parameters()) {
    p.set(cp::random::uniform(p.shape(), {.low = -0.1, .high = 0.1, .dtype = cp::float32}));
  }
}

LanguageModel::Memory LanguageModel::start(std::int64_t columns) const {
  const auto nothing = [&] { return Variable(cp::zeros({columns, units_}, cp::float32)); };
  return {nothing(), nothing(), nothing(), nothing()};
}

Variable LanguageModel::read(const Variable& words, Memory& m) const {
  const Variable x = embed_(words);
  const auto [c1, h1] = F::lstm(m.c1, l1_x_(F::dropout(x)) + l1_h_(m.h1));
  const auto [c2, h2] = F::lstm(m.c2, l2_x_(F::dropout(h1)) + l2_h_(m.h2));
  m = {c1, h1, c2, h2};
  return l3_(F::dropout(h2));
}

TruncatedTraining::TruncatedTraining(LanguageModel& model, const Options& options)
    : model_(model), options_(options), optimizer_({.lr = options.lr}) {
  optimizer_.setup(model);
}

/// Updates from the loss of the last words, then forgets how they led to the memory.
void TruncatedTraining::learn(Variable& loss) {
  optimizer_.zero_grads();
  loss.backward();
  loss.unchain_backward();
  optimizer_.clip_grads(options_.clip);
  optimizer_.update();
  loss = {};
}

double TruncatedTraining::pass(const cp::ndarray& text) {
  const std::int64_t steps = text.shape()[0] - 1;
  LanguageModel::Memory memory = model_.start(text.shape()[1]);
  examples::RunningMean mean(cp::float32);
  Variable loss;
  for (std::int64_t i = 0; i < steps; ++i) {
    const Variable scores = model_.read(Variable(text(i)), memory);
    const Variable part = F::softmax_cross_entropy(scores, Variable(text(i + 1)));
    mean.add(part.data());
    loss += part;
    if ((i + 1) % options_.length == 0 || i + 1 == steps) learn(loss);
  }
  return mean.value();
}

double perplexity(const LanguageModel& model, const cp::ndarray& text) {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope no_dropout(false);
  const std::int64_t steps = text.shape()[0] - 1;
  LanguageModel::Memory memory = model.start(text.shape()[1]);
  examples::RunningMean mean(cp::float32);
  for (std::int64_t i = 0; i < steps; ++i) {
    const Variable scores = model.read(Variable(text(i)), memory);
    mean.add(F::softmax_cross_entropy(scores, Variable(text(i + 1))).data());
  }
  return std::exp(mean.value());
}

std::vector<std::int32_t> write(const LanguageModel& model, std::int32_t first,
                                std::int64_t count) {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope no_dropout(false);
  LanguageModel::Memory memory = model.start(1);
  std::vector<std::int32_t> words;
  std::int32_t last = first;
  for (std::int64_t i = 0; i < count; ++i) {
    const Variable word(cp::array(std::vector<std::int32_t>{last}));
    const cp::ndarray scores = model.read(word, memory).data()(0).astype(cp::float64);
    const cp::ndarray p = cp::special::softmax(scores);
    last = cp::random::choice(scores.size(), {}, {.p = p}).item<std::int32_t>();
    words.push_back(last);
  }
  return words;
}

}  // namespace ptb
