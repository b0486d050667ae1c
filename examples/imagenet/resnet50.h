// SPDX-License-Identifier: MIT
// The residual network of 50 layers: "Deep Residual Learning for Image Recognition". Where a block
// halves the image its 3 x 3 convolution does.
#pragma once

#include <string>
#include <vector>

#include "examples/imagenet/network.h"

namespace imagenet {

class ResNet50 final : public Network {
 public:
  explicit ResNet50(std::int64_t classes = 1000);
  std::int64_t insize() const override { return 224; }
  Variable predict(const Variable& x) const override;

 private:
  /// Convolutions of 1 x 1, 3 x 3 and 1 x 1, whose result is added to the input.
  struct Bottleneck : chainerxx::FunctionSet {
    /// The last convolution has four times `width` filters. A `projection` of the input is added
    /// where its shape is another than the result's.
    Bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride, bool projection);
    Variable operator()(const Variable& x) const;

   private:
    struct Layer {
      Variable operator()(const Variable& x) const { return norm(convolution(x)); }
      Variable relu(const Variable& x) const { return norm.relu(convolution(x)); }
      Convolution2D& convolution;
      BatchNormalization& norm;
    };
    Layer layer(int number, std::int64_t in, std::int64_t out, std::int64_t ksize,
                std::int64_t stride);

    Layer first_, second_, third_;
    std::vector<Layer> projection_;  // one or none
  };

  using Stage = std::vector<const Bottleneck*>;
  /// Blocks "res2a", "res2b", ... of one width, the first with a stride.
  Stage stage(const std::string& name, int depth, std::int64_t in, std::int64_t width,
              std::int64_t stride);

  Convolution2D& conv1_;
  BatchNormalization& bn1_;
  Stage stages_[4];
  Linear& fc_;
};

}  // namespace imagenet
