// SPDX-License-Identifier: MIT
// Vectors of words, and the layers that tell words from them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"

namespace word2vec {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

struct NetworkOptions {
  std::int64_t units = 100;  ///< length of a vector
  bool skipgram = true;      ///< else the continuous bag of words
  bool tree = false;         ///< hierarchical softmax, else negative sampling
};

/// The loss of vectors x (n, units) and the words (n,) that they should tell, by one of two layers.
struct Output : chainerxx::FunctionSet {
  Output(const NetworkOptions& o, const std::vector<std::int64_t>& counts) {
    if (!o.tree) {
      negative = &add("loss", F::NegativeSampling(o.units, counts, 5));
    } else {
      std::map<std::int64_t, std::int64_t> leaves;
      for (std::size_t i = 0; i < counts.size(); ++i)
        leaves[static_cast<std::int64_t>(i)] = counts[i];
      tree = &add("loss", F::BinaryHierarchicalSoftmax(o.units, F::create_huffman_tree(leaves)));
    }
  }
  Variable operator()(const Variable& x, const Variable& words) const {
    return negative != nullptr ? (*negative)(x, words) : (*tree)(x, words);
  }

  F::NegativeSampling* negative = nullptr;
  F::BinaryHierarchicalSoftmax* tree = nullptr;
};

struct Network : chainerxx::FunctionSet {
  Network(const NetworkOptions& o, const std::vector<std::int64_t>& counts)
      : is_skipgram(o.skipgram),
        embed(add("embed", F::EmbedID(static_cast<std::int64_t>(counts.size()), o.units))),
        output(add<Output>("output", o, counts)) {
    embed.W *= 0.1;
  }

  /// Of words (n,) and those around each, (n, 2 window): skip-gram tells the word from each of its
  /// neighbours, the continuous bag of words from the mean of all.
  Variable operator()(const cp::ndarray& words, const cp::ndarray& around) const {
    const auto [n, neighbours] = around.shape<2>();
    const Variable x = embed(Variable(around));
    if (!is_skipgram) return output(F::mean(x, 1), Variable(words)) / static_cast<double>(n);
    return output(F::reshape(x, {n * neighbours, -1}), Variable(cp::repeat(words, neighbours))) /
           static_cast<double>(n * neighbours);
  }

  bool is_skipgram;
  F::EmbedID& embed;
  Output& output;
};

}  // namespace word2vec
