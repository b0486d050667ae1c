// SPDX-License-Identifier: MIT
// Networks that are so deep that classifiers in the middle help them to learn.
#pragma once

#include "examples/imagenet/network.h"

namespace imagenet {

/// Three parts in a row. Behind the first and the second an auxiliary classifier of their results
/// feeds gradients into the middle while training.
class AuxiliaryNetwork : public Network {
 public:
  /// The loss of the last part's scores, and 0.3 times those of the two auxiliary classifiers.
  Variable loss(const Variable& x, const Variable& t) const final;
  Variable predict(const Variable& x) const final;

 protected:
  virtual Variable first_part(const Variable& x) const = 0;
  virtual Variable second_part(const Variable& h) const = 0;
  /// The scores (n, classes), as those of the auxiliary classifiers.
  virtual Variable last_part(const Variable& h) const = 0;
  virtual Variable auxiliary1(const Variable& h) const = 0;
  virtual Variable auxiliary2(const Variable& h) const = 0;
};

}  // namespace imagenet
