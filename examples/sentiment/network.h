// SPDX-License-Identifier: MIT
// A network that has the shape of a sentence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/sentiment/trees.h"

namespace sentiment {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

struct Network : chainerxx::FunctionSet {
  explicit Network(std::int64_t units)
      : embed(add("embed", F::EmbedID(sentiment::kWords.size(), units))),
        join(add("join", F::Linear(2 * units, units))),
        mood(add("mood", F::Linear(units, 3))) {}

  /// The vector of a sentence, (1, units); those of its parts and their moods are appended.
  Variable read(const Tree& tree, std::vector<Variable>& vectors,
                std::vector<std::int32_t>& moods) const {
    Variable v;
    if (tree.left == nullptr) {
      v = embed(Variable(cp::array({tree.word}, cp::int32)));
    } else {
      const Variable left = read(*tree.left, vectors, moods);
      const Variable right = read(*tree.right, vectors, moods);
      v = F::tanh(join(F::concat({left, right})));
    }
    vectors.push_back(v);
    moods.push_back(tree.mood);
    return v;
  }

  /// The mean loss of all parts of sentences. The graph is as large as they are; all moods are told
  /// in one product.
  Variable loss(std::span<const TreePtr> trees) const {
    std::vector<Variable> vectors;
    std::vector<std::int32_t> moods;
    for (const TreePtr& tree : trees) read(*tree, vectors, moods);
    return F::softmax_cross_entropy(mood(F::concat(vectors, 0)), Variable(cp::array(moods)));
  }

  F::EmbedID& embed;
  F::Linear &join, &mood;
};

}  // namespace sentiment
