// SPDX-License-Identifier: MIT
// How Variable::backward goes, and what PyTorch gives it instead.
#pragma once

#include "chainerxx/argument_kinds.h"
#include "cupyxx/ndarray.h"

namespace chainerxx {

/// Options of Variable::backward.
struct BackwardOptions {
  bool retain_grad = false;  ///< keeps the gradients of intermediate variables
  /// Makes the gradients of functions, so that they have gradients themselves: see grad_var().
  bool enable_double_backprop = false;
  /// Gives the graph up on the way: what only the graph holds is freed as soon as it has been
  /// used, and the variable becomes a root. Another backward() through that part finds nothing.
  bool release_graph = false;
};

namespace internal {

/// A number or None in the place of a gradient.
template <class G>
concept NoGradient = NoneLike<G> ||(Numeric<G> && !std::same_as<G, bool>);

/// The names that the same has in PyTorch.
struct BackwardOfPyTorch {
  ndarray gradient = {};
  bool retain_graph = false;
  bool create_graph = false;
};

}  // namespace internal
}  // namespace chainerxx
