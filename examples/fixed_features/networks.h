// SPDX-License-Identifier: MIT
// An extractor of features, and the classifier that it is trained in.
#pragma once

#include <cstdint>

#include "chainerxx/chainerxx.h"

namespace fixed_features {

namespace F = chainerxx::functions;
using chainerxx::Variable;

/// Two convolutions: features (n, 784) of images of 28 x 28 pixels.
struct Extractor : chainerxx::FunctionSet {
  F::Convolution2D& c1 = add("c1", F::Convolution2D(1, 16, 5, {.pad = 2}));
  F::Convolution2D& c2 = add("c2", F::Convolution2D(16, 16, 5, {.pad = 2}));

  Variable operator()(const Variable& images) const {
    const Variable x = F::reshape(images, {-1, 1, 28, 28});
    const Variable h = F::max_pooling_2d(F::relu(c1(x)), 2);
    return F::reshape(F::max_pooling_2d(F::relu(c2(h)), 2), {-1, 784});
  }
};

struct Classifier : chainerxx::FunctionSet {
  explicit Classifier(std::int64_t classes) : scores(add("scores", F::Linear(784, classes))) {}
  Extractor& extractor = add<Extractor>("extractor");
  F::Linear& scores;
};

}  // namespace fixed_features
