// SPDX-License-Identifier: MIT
// The training of a network on images, in passes after which it can be saved.
#pragma once

#include <cstdint>
#include <string>

#include "chainerxx/chainerxx.h"
#include "examples/imagenet/images.h"
#include "examples/imagenet/network.h"

namespace imagenet {

/// Stochastic gradient descent with momentum, and a rate that falls with each pass.
class Training {
 public:
  struct Options {
    std::int64_t batchsize = 32;
    std::uint64_t seed = 0;
    double lr = 0.01;
    double fall = 0.97;  ///< of the rate, after each pass
  };

  Training(Network& model, const Options& options);

  /// One pass over the images in a random order; a last batch that is not full is left out. Returns
  /// the mean loss. What is random depends on the seed and on the passes before, so that a training
  /// which was resumed takes the same steps. Throws UserError for fewer images than a batch.
  double pass(const Images& images);
  /// Passes so far. Throws UserError when the updates do not come to whole passes over these
  /// images.
  std::int64_t passes(const Images& images) const;
  /// The share of images whose highest score is that of their label.
  double accuracy(const Images& images) const;

  /// Writes model.npz and optimizer.npz, and reads them.
  void save(const std::string& folder);
  void load(const std::string& folder);

 private:
  std::int64_t steps(const Images& images) const;

  Network& model_;
  Options options_;
  chainerxx::optimizers::MomentumSGD optimizer_;
};

}  // namespace imagenet
