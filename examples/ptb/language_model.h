// SPDX-License-Identifier: MIT
// A recurrent network that guesses the next word.
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/chainerxx.h"

namespace ptb {

/// Two layers of long short-term memory between an embedding and a linear layer.
class LanguageModel : public chainerxx::FunctionSet {
 public:
  using Variable = chainerxx::Variable;

  /// What the network remembers: (columns, units) each.
  struct Memory {
    Variable c1, h1, c2, h2;
  };

  /// Parameters start uniform between -0.1 and 0.1.
  LanguageModel(std::int64_t words, std::int64_t units);

  /// An empty memory on the current device.
  Memory start(std::int64_t columns) const;
  /// Reads one word of each column, (columns,) int32, and returns the scores of the next ones,
  /// (columns, words). Half of the units between the layers are dropped while training.
  Variable read(const Variable& words, Memory& memory) const;

 private:
  using EmbedID = chainerxx::functions::EmbedID;
  using Linear = chainerxx::functions::Linear;

  std::int64_t units_;
  EmbedID& embed_;
  Linear &l1_x_, &l1_h_, &l2_x_, &l2_h_, &l3_;
};

/// Trains a LanguageModel by back-propagation through a bounded number of words.
class TruncatedTraining {
 public:
  struct Options {
    std::int64_t length = 35;  ///< words after which the graph is cut
    double clip = 5;           ///< of the gradients' norm
    double lr = 1;
  };

  TruncatedTraining(LanguageModel& model, const Options& options);
  /// One pass over text in columns. Returns the mean loss of a word.
  double pass(const cupyxx::ndarray& text);
  void set_lr(double lr) { optimizer_.set_lr(lr); }
  double lr() const { return optimizer_.lr(); }

 private:
  void learn(chainerxx::Variable& loss);

  LanguageModel& model_;
  Options options_;
  chainerxx::optimizers::SGD optimizer_;
};

/// The perplexity of text in columns: e to the mean loss of a word.
double perplexity(const LanguageModel& model, const cupyxx::ndarray& text);

/// `count` words that the network writes behind `first`: each is drawn by its probability.
std::vector<std::int32_t> write(const LanguageModel& model, std::int32_t first, std::int64_t count);

}  // namespace ptb
