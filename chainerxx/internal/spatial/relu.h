// SPDX-License-Identifier: MIT
// A ReLU behind a function of images, whose result is kept and not its argument.
#pragma once

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// Negative elements of y become 0, in place.
void apply_relu(const cupyxx::ndarray& y);
/// gy where y, the result of a ReLU, is positive, else 0; in `out` unless that is None.
cupyxx::ndarray relu_gradient(const cupyxx::ndarray& y, const cupyxx::ndarray& gy,
                              const cupyxx::ndarray& out = {});
/// The same of images, whose sums over all axes but 1 are added to gb on the way.
cupyxx::ndarray relu_gradient_and_sums(const cupyxx::ndarray& y, const cupyxx::ndarray& gy,
                                       const cupyxx::ndarray& gb);

}  // namespace chainerxx::internal
