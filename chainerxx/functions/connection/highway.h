// SPDX-License-Identifier: MIT
// Fully connected layers with more than one product.
#pragma once

#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// A layer that learns how much of its input it changes (Srivastava et al., 2015):
/// t relu(plain(x)) + (1 - t) x with t = sigmoid(transform(x)).
class CUPYXX_API Highway final : public FunctionSet {
 public:
  explicit Highway(std::int64_t in_out_size);

  Linear& plain;      ///< (size, size)
  Linear& transform;  ///< (size, size); its biases start as -1, so that x passes

  /// From x (n, size) in the same shape.
  Variable operator()(const Variable& x);
};

/// The largest of `pool_size` linear functions for each output (Goodfellow et al., 2013).
class CUPYXX_API Maxout final : public FunctionSet {
 public:
  /// Throws ValueError for a pool without functions.
  Maxout(const InputSize& in_size, std::int64_t out_size, std::int64_t pool_size);

  Linear& linear;  ///< (out pool_size, in), those of one output behind each other

  /// From x (n, in) to (n, out).
  Variable operator()(const Variable& x);

 private:
  int pool_size_;
};

}  // namespace chainerxx::functions
