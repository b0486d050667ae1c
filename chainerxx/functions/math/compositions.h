// SPDX-License-Identifier: MIT
// Short functions that are made of others.
#pragma once

#include <concepts>

#include "chainerxx/axes_arg.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of normalize.
struct NormalizeOptions {
  double eps = 1e-5;  ///< added to the norm
  AxesArg axis = 1;
};

/// x divided by its L2 norm over axes plus `eps`. A row of zeros stays zeros; its gradient is that
/// of x / eps, and where eps is 0 that of x. Throws ValueError for eps outside of [0, 1].
CUPYXX_API Variable normalize(const Variable& x, double eps = 1e-5, const AxesArg& axis = 1);
template <std::same_as<NormalizeOptions> O = NormalizeOptions>
Variable normalize(const Variable& x, O options) {
  return normalize(x, options.eps, options.axis);
}
/// The sums of the squares of each row of x (n, ...): (n,). Throws ShapeError for fewer than two
/// axes.
CUPYXX_API Variable batch_l2_norm_squared(const Variable& x);
/// p x + (1 - p) y. Throws ShapeError for arrays of several shapes.
CUPYXX_API Variable linear_interpolate(const Variable& p, const Variable& x, const Variable& y);
/// x + y with the axes of y at those of x from `axis` on: a bias for each channel by default.
/// Throws ShapeError where they do not fit.
CUPYXX_API Variable bias(const Variable& x, const Variable& y, int axis = 1);
template <std::same_as<AxisOptions> O = AxisOptions>
Variable bias(const Variable& x, const Variable& y, O options) {
  return bias(x, y, options.axis.value_or(1));
}

}  // namespace chainerxx::functions
