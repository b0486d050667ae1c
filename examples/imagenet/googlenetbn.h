// SPDX-License-Identifier: MIT
// GoogLeNet with batch normalisation: "Batch Normalization: Accelerating Deep Network Training by
// Reducing Internal Covariate Shift".
#pragma once

#include <string>

#include "examples/imagenet/auxiliary.h"

namespace imagenet {

/// Ten modules, of which two halve the image, and two auxiliary classifiers.
class GoogLeNetBN final : public AuxiliaryNetwork {
 public:
  explicit GoogLeNetBN(std::int64_t classes = 1000);
  std::int64_t insize() const override { return 224; }

 private:
  using InceptionBN = chainerxx::functions::InceptionBN;

  /// Average pooling, a 1 x 1 convolution and two linear layers, with normalisation.
  struct Classifier {
    Variable operator()(const Variable& x) const;
    Convolution2D& conv;
    BatchNormalization& norm;
    Linear& fc;
    BatchNormalization& norm2;
    Linear& out;
  };
  /// With `letter` at the end of its names.
  Classifier classifier(const std::string& letter, std::int64_t channels, std::int64_t classes);

  Variable first_part(const Variable& x) const override;   // up to 4a
  Variable second_part(const Variable& h) const override;  // up to 4d
  Variable last_part(const Variable& h) const override;
  Variable auxiliary1(const Variable& h) const override { return a_(h); }
  Variable auxiliary2(const Variable& h) const override { return b_(h); }

  Convolution2D& conv1_;
  BatchNormalization& norm1_;
  Convolution2D& conv2_;
  BatchNormalization& norm2_;
  InceptionBN &inc3a_, &inc3b_, &inc3c_, &inc4a_, &inc4b_, &inc4c_, &inc4d_, &inc4e_, &inc5a_,
      &inc5b_;
  Linear& out_;
  Classifier a_, b_;
};

}  // namespace imagenet
