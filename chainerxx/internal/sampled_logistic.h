// SPDX-License-Identifier: MIT
// What hierarchical softmax and negative sampling share: a logistic loss for a few rows of a matrix
// per sample, each with a sign.
#pragma once

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// x is (n, in), W (rows, in). Row ids[i, k] of W is to answer sample i by `signs[i, k]`; a sign of
/// 0 does not count.
struct SampledLogistic {
  ndarray x;
  ndarray W;
  ndarray ids;    // (n, k), integers
  ndarray signs;  // (n, k), of the dtype of x

  /// sum(log(1 + exp(-sign (W_id x)))), 0-d. Fills `products`.
  ndarray loss();
  /// Adds the gradient by W, and returns the one by x; `gy` is that of the loss.
  ndarray backward(const ndarray& gW, const ndarray& gy) const;

  ndarray products = {};  // (n, k)
};

}  // namespace chainerxx::internal
