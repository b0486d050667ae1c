// SPDX-License-Identifier: MIT
// AlexNet on one device: the channels are not divided. "ImageNet Classification with Deep
// Convolutional Neural Networks".
#pragma once

#include "examples/imagenet/network.h"

namespace imagenet {

/// Five convolutions, response normalisation behind the first two, three linear layers.
class Alex : public Network {
 public:
  explicit Alex(std::int64_t classes = 1000);
  std::int64_t insize() const override { return 227; }
  Variable predict(const Variable& x) const override;

 protected:
  /// What stands between the first convolution and its ReLU, and at the second.
  virtual Variable normalized1(const Variable& h) const;
  virtual Variable normalized2(const Variable& h) const;

 private:
  Convolution2D &conv1_, &conv2_, &conv3_, &conv4_, &conv5_;
  Linear &fc6_, &fc7_, &fc8_;
};

}  // namespace imagenet
