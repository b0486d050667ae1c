// SPDX-License-Identifier: MIT
// The fast network of "OverFeat: Integrated Recognition, Localization and Detection using
// Convolutional Networks".
#pragma once

#include "examples/imagenet/network.h"

namespace imagenet {

/// Five convolutions without normalisation, three linear layers.
class OverFeat final : public Network {
 public:
  explicit OverFeat(std::int64_t classes = 1000);
  std::int64_t insize() const override { return 231; }
  Variable predict(const Variable& x) const override;

 private:
  Convolution2D &conv1_, &conv2_, &conv3_, &conv4_, &conv5_;
  Linear &fc6_, &fc7_, &fc8_;
};

}  // namespace imagenet
