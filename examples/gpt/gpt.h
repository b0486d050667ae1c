// SPDX-License-Identifier: MIT
// GPT-2 (Radford et al.: "Language models are unsupervised multitask learners", 2019).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "chainerxx/parallel/multi_node_optimizer.h"
#include "examples/gpt/text.h"

namespace gpt {

using chainerxx::Variable;
using chainerxx::functions::KeyValueCache;
using cupyxx::ndarray;

/// How large a network is.
struct Size {
  std::int64_t layers, units, heads;
};

/// "tiny", or one of GPT-2's by its parameters: "124M", "355M", "774M".
Size size_of(std::string_view name);

/// Attention and a network of two layers, each added to what it reads, which is normalised before.
/// What the layers add stays apart until the next normalisation, which adds it in one pass.
class Block : public chainerxx::FunctionSet {
 public:
  Block(const Size& size, double deviation_of_outputs);
  /// What is to be added to h; `added`, which is None at first, is what the block before left.
  Variable operator()(Variable& h, const Variable& added, KeyValueCache* cache);

 private:
  chainerxx::functions::LayerNorm& norm_;
  chainerxx::functions::MultiHeadAttention& attention_;
  chainerxx::functions::LayerNorm& norm_of_layers_;
  chainerxx::functions::FeedForward& layers_;
};

/// Guesses the next token from those before it. The embedding of the tokens is the last layer, too.
class Gpt : public chainerxx::FunctionSet {
 public:
  /// For texts of up to `length` tokens. Matrices have rows for a multiple of 64 tokens.
  Gpt(const Size& size, std::int64_t vocabulary, std::int64_t length);

  /// The scores of what follows each token of (n, length), (n length, tokens). With caches,
  /// one for each block, the tokens follow those that the caches have seen.
  Variable operator()(const ndarray& tokens, std::vector<KeyValueCache>* caches = nullptr);
  /// The mean cross entropy of the tokens that follow.
  Variable loss(const ndarray& tokens, const ndarray& next);
  /// The mean loss over batches, of the network as it is used.
  double test(const std::vector<Batch>& batches);

  /// `prompt`, which is not empty, and `count` tokens more, each drawn from the `choices`
  /// likeliest. What no longer fits into `length` is forgotten, half of it at a time.
  Tokens generate(Tokens prompt, std::int64_t count, std::uint64_t seed, std::int64_t choices = 40);

 private:
  std::int64_t units_, vocabulary_, length_;
  chainerxx::functions::EmbedID& tokens_;
  chainerxx::functions::Parameter& positions_;
  std::vector<Block*> blocks_;
  chainerxx::functions::LayerNorm& norm_;
};

/// AdamW as GPT-2's kind is trained with: gradients of a norm up to 1, and a decay of matrices
/// only. The rate rises over the first steps and falls along a cosine to a tenth.
class Training {
 public:
  struct Options {
    double rate = 6e-4;
    std::int64_t warm_up = 100, steps = 1000;
    bool is_captured = true;  ///< on a GPU a recorded graph is replayed
    /// Those that train together, each with a part of every batch; all make the same calls.
    std::optional<cupyxx::comm::Communicator> communicator = {};
    bool shard_states = false;     ///< each of them keeps its part of the optimizer's states
    bool shard_gradients = false;  ///< and of the gradients
  };

  Training(Gpt& model, const Options& options);
  /// One step; returns the mean loss over this batch, a single element.
  ndarray step(const ndarray& tokens, const ndarray& next);
  std::int64_t steps_so_far() const { return optimizer_.t(); }
  /// model_STEP.npz and optimizer_STEP.npz of a folder, which rank 0 writes and reads; those of
  /// earlier steps are removed once both are whole. Loading takes the last whole step.
  void save(const std::string& folder);
  void load(const std::string& folder);

 private:
  bool is_first() const;
  ndarray learn(const ndarray& tokens, const ndarray& next);
  struct Learn {
    Training& training;
    ndarray operator()(const ndarray& tokens, const ndarray& next) const {
      return training.learn(tokens, next);
    }
  };

  Gpt& model_;
  Options options_;
  chainerxx::optimizers::AdamW optimizer_;
  std::optional<chainerxx::MultiNodeOptimizer> together_;
  chainerxx::CapturedStep<Learn> captured_;
};

}  // namespace gpt
