// SPDX-License-Identifier: MIT
// GoogLeNet: nine inception modules, response normalisation, and two auxiliary classifiers which
// feed gradients into the middle while training. "Going Deeper with Convolutions".
#pragma once

#include <cstdint>

#include "examples/imagenet/auxiliary.h"

namespace imagenet {

/// Nine modules; the auxiliary classifiers stand behind 4a and 4d.
class GoogLeNet final : public AuxiliaryNetwork {
 public:
  explicit GoogLeNet(std::int64_t classes = 1000);
  std::int64_t insize() const override { return 224; }

 private:
  using Inception = chainerxx::functions::Inception;

  /// Average pooling, a 1x1 convolution and two linear layers.
  struct Classifier : chainerxx::FunctionSet {
    Classifier(std::int64_t channels, std::int64_t classes);
    Variable operator()(const Variable& x) const;
    Convolution2D& conv;
    Linear& fc1;
    Linear& fc2;
  };

  Variable first_part(const Variable& x) const override;   // up to 4a
  Variable second_part(const Variable& h) const override;  // up to 4d
  Variable last_part(const Variable& h) const override;
  Variable auxiliary1(const Variable& h) const override { return loss1_(h); }
  Variable auxiliary2(const Variable& h) const override { return loss2_(h); }

  Convolution2D& conv1_;
  Convolution2D& conv2_reduce_;
  Convolution2D& conv2_;
  Inception &inc3a_, &inc3b_, &inc4a_, &inc4b_, &inc4c_, &inc4d_, &inc4e_, &inc5a_, &inc5b_;
  Classifier& loss1_;
  Classifier& loss2_;
  Linear& loss3_fc_;
};

}  // namespace imagenet
