// SPDX-License-Identifier: MIT
// Stacks of 3 x 3 convolutions: "Very Deep Convolutional Networks for Large-Scale Image
// Recognition". Columns of table 1 there: A has 11 layers, D has 16.
#pragma once

#include <span>
#include <vector>

#include "examples/imagenet/network.h"

namespace imagenet {

/// Five blocks of convolutions, each halving the image, and three linear layers.
class VGG : public Network {
 public:
  std::int64_t insize() const override { return 224; }
  Variable predict(const Variable& x) const override;

 protected:
  /// Convolutions "conv1_1", "conv1_2", ..., of which each of the five blocks has `depths`.
  VGG(std::span<const int> depths, std::int64_t classes);

 private:
  using Block = std::vector<const Convolution2D*>;
  std::vector<Block> add_blocks(std::span<const int> depths);

  std::vector<Block> blocks_;
  Linear &fc6_, &fc7_, &fc8_;
};

/// Column A.
class VGGA final : public VGG {
 public:
  explicit VGGA(std::int64_t classes = 1000);
};

/// Column D.
class VGG16 final : public VGG {
 public:
  explicit VGG16(std::int64_t classes = 1000);
};

}  // namespace imagenet
