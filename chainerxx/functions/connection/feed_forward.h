// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of FeedForward.
struct FeedForwardOptions {
  double wscale = 1;  ///< scales the initial weights of both layers
};

/// The network of two layers in a block of a transformer: narrow(gelu(wide(x))), with gelu's
/// approximation by tanh, for x of shape (..., units); the result has x's shape. On devices biases,
/// gelu, its gradient and those of the biases are part of the matrix products.
class CUPYXX_API FeedForward : public FunctionSet {
 public:
  FeedForward(std::int64_t units, std::int64_t hidden, const FeedForwardOptions& options = {});

  Variable operator()(const Variable& x) const;

  Linear& wide;    ///< units to hidden
  Linear& narrow;  ///< hidden to units
};

}  // namespace chainerxx::functions
