// SPDX-License-Identifier: MIT
// The training of a network on images, in passes after which it can be saved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "chainerxx/chainerxx.h"
#include "chainerxx/parallel/multi_node_optimizer.h"
#include "chainerxx/training/serializer.h"
#include "examples/imagenet/images.h"
#include "examples/imagenet/network.h"

namespace imagenet {

/// Stochastic gradient descent with momentum, and a rate that falls with each pass. Of those that
/// train together each takes its part of every batch, and all make the same calls.
class Training {
 public:
  struct Options {
    std::int64_t batchsize = 32;
    std::uint64_t seed = 0;
    double lr = 0.01;
    double fall = 0.97;                                           ///< of the rate, after each pass
    std::optional<cupyxx::comm::Communicator> communicator = {};  ///< a divisor of the batch
  };

  Training(Network& model, const Options& options);

  /// One pass over the images in a random order; a last batch that is not full is left out. Returns
  /// the mean loss. What is random depends on the seed and on the passes before, so that a training
  /// which was resumed takes the same steps; images and their places are the same for any number of
  /// ranks. Running statistics of layers are the ranks' means at the end. Throws UserError for
  /// fewer images than a batch.
  double pass(const Images& images);
  /// Passes so far. Throws UserError when the updates do not come to whole passes over these
  /// images.
  std::int64_t passes(const Images& images) const;
  /// The share of images whose highest score is that of their label.
  double accuracy(const Images& images) const;

  /// Writes snapshot.npz, from which a training goes on, and model.npz for other programs; reads
  /// the first. On rank 0.
  void save(const std::string& folder);
  void load(const std::string& folder);

 private:
  /// Of those who train together: which one, and how many.
  std::int64_t rank() const;
  std::int64_t size() const;
  /// The sum over all.
  double total(double own) const;
  void average_statistics();
  void serialize(const chainerxx::training::Serializer& s);
  std::int64_t steps(const Images& images) const;

  Network& model_;
  Options options_;
  chainerxx::optimizers::MomentumSGD optimizer_;
  std::optional<chainerxx::MultiNodeOptimizer> together_;
};

}  // namespace imagenet
