// SPDX-License-Identifier: MIT
// What the networks of this folder have in common, and small parts of several of them.
#pragma once

#include <cstdint>
#include <numbers>

#include "chainerxx/chainerxx.h"

namespace imagenet {

/// A network that classifies images.
class Network : public chainerxx::FunctionSet {
 public:
  using Variable = chainerxx::Variable;

  /// Height and width of the images.
  virtual std::int64_t insize() const = 0;
  /// The scores (n, classes) of images x (n, 3, insize, insize).
  virtual Variable predict(const Variable& x) const = 0;
  /// What training makes small, for labels t (n,): the cross entropy of the scores, unless the
  /// network has more to say.
  virtual Variable loss(const Variable& x, const Variable& t) const;

 protected:
  using BatchNormalization = chainerxx::functions::BatchNormalization;
  using Convolution2D = chainerxx::functions::Convolution2D;
  using Linear = chainerxx::functions::Linear;
};

/// wscale for the layers before a ReLU, which halves the variance: "Delving Deep into Rectifiers".
inline constexpr double kReluScale = std::numbers::sqrt2;

/// Maxima of windows of 3 x 3, every second one.
chainerxx::Variable halved(const chainerxx::Variable& x);
/// A hidden layer of a classifier: half of its units are dropped while training.
chainerxx::Variable hidden(const chainerxx::functions::Linear& layer, const chainerxx::Variable& x);

}  // namespace imagenet
