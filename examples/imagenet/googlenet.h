// SPDX-License-Identifier: MIT
// GoogLeNet: nine inception modules, response normalisation, and two auxiliary classifiers which
// feed gradients into the middle while training. "Going Deeper with Convolutions".
#pragma once

#include <cstdint>

#include "chainerxx/chainerxx.h"

namespace imagenet {

/// Images (n, 3, 224, 224) into scores of `classes`.
class GoogLeNet : public chainerxx::FunctionSet {
 public:
  using Variable = chainerxx::Variable;
  static constexpr std::int64_t kInsize = 224;

  explicit GoogLeNet(std::int64_t classes = 1000);

  /// The loss of the images x with labels t (n,): that of the last classifier, and 0.3 times those
  /// of the two auxiliary ones.
  Variable loss(const Variable& x, const Variable& t) const;
  /// The scores (n, classes) of the last classifier alone.
  Variable predict(const Variable& x) const;

 private:
  using Convolution2D = chainerxx::functions::Convolution2D;
  using Inception = chainerxx::functions::Inception;
  using Linear = chainerxx::functions::Linear;

  /// Average pooling, a 1x1 convolution and two linear layers.
  struct Classifier : chainerxx::FunctionSet {
    Classifier(std::int64_t channels, std::int64_t classes);
    Variable operator()(const Variable& x) const;
    Convolution2D& conv;
    Linear& fc1;
    Linear& fc2;
  };

  Variable up_to_4a(const Variable& x) const;
  Variable up_to_4d(const Variable& h) const;
  Variable scores(const Variable& h) const;

  Convolution2D& conv1_;
  Convolution2D& conv2_reduce_;
  Convolution2D& conv2_;
  Inception &inc3a_, &inc3b_, &inc4a_, &inc4b_, &inc4c_, &inc4d_, &inc4e_, &inc5a_, &inc5b_;
  Classifier& loss1_;
  Classifier& loss2_;
  Linear& loss3_fc_;
};

}  // namespace imagenet
