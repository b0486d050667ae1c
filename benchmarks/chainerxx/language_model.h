// SPDX-License-Identifier: MIT
// A language model of two layers of 650 cells over 10,000 words and 35 steps; its text is (36,
// texts), int32.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"

namespace benchmarks::language_model {

namespace F = chainerxx::functions;
using chainerxx::Variable;
using cupyxx::ndarray;

constexpr std::int64_t kWords = 10000, kUnits = 650, kSteps = 35;

/// One step after the other, as a define-by-run loop.
struct Loop : chainerxx::FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(kWords, kUnits));
  F::Linear& x1 = add("x1", F::Linear(kUnits, 4 * kUnits));
  F::Linear& h1 = add("h1", F::Linear(kUnits, 4 * kUnits));
  F::Linear& x2 = add("x2", F::Linear(kUnits, 4 * kUnits));
  F::Linear& h2 = add("h2", F::Linear(kUnits, 4 * kUnits));
  F::Linear& out = add("out", F::Linear(kUnits, kWords));

  Variable loss(const ndarray& text) const {
    const Variable nothing = cupyxx::zeros({text.shape()[1], kUnits}, cupyxx::float32);
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
    const std::int64_t texts = text.shape()[1];
    const Variable nothing = cupyxx::zeros({texts, kUnits}, cupyxx::float32);
    const Variable words(text(cupyxx::slice(0, -1))), next(text(cupyxx::slice(1, kSteps + 1)));
    const Variable y = l2(l1(embed(words), nothing, nothing)[0], nothing, nothing)[0];
    const Variable scores = out(F::reshape(y, {kSteps * texts, kUnits}));
    return F::softmax_cross_entropy(scores, F::reshape(next, {kSteps * texts}));
  }
};

}  // namespace benchmarks::language_model
