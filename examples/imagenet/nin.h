// SPDX-License-Identifier: MIT
// Network in Network: convolutions of which each is followed by two of 1 x 1, and an average over
// the last maps in place of linear layers. "Network In Network".
#pragma once

#include <string>

#include "examples/imagenet/network.h"

namespace imagenet {

class NIN final : public Network {
 public:
  explicit NIN(std::int64_t classes = 1000);
  std::int64_t insize() const override { return 227; }
  Variable predict(const Variable& x) const override;

 private:
  /// A convolution and two of 1 x 1, a ReLU behind each.
  struct Block {
    Variable operator()(const Variable& x) const;
    Convolution2D &conv, &a, &b;
  };
  /// Names the convolutions `name`, with an "a" and with a "b".
  Block block(const std::string& name, Convolution2D first, std::int64_t width, std::int64_t out);

  std::int64_t classes_;
  Block conv1_, conv2_, conv3_, conv4_;
};

}  // namespace imagenet
