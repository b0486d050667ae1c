// SPDX-License-Identifier: MIT
// Rectifiers made of other functions.
#pragma once

#include <concepts>

#include "chainerxx/axes_arg.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of rrelu.
struct RReLUOptions {
  double l = 1.0 / 8;  ///< the lower bound of slopes
  double u = 1.0 / 3;  ///< the upper bound
  bool train = is_training();
};

/// relu(x) and relu(-x), joined along an axis (Shang et al., 2016).
CUPYXX_API Variable crelu(const Variable& x, int axis = 1);
template <std::same_as<AxisOptions> O = AxisOptions>
Variable crelu(const Variable& x, O options) {
  return crelu(x, options.axis.value_or(1));
}
/// min(max(x, 0), 6).
CUPYXX_API Variable relu6(const Variable& x);
/// x, or r x for negative x, where r is drawn between `lower` and `upper` for each element when
/// `train`, else (lower + upper) / 2 (Xu et al., 2015). Throws ValueError unless 0 <= lower <=
/// upper < 1.
CUPYXX_API Variable rrelu(const Variable& x, double lower = 1.0 / 8, double upper = 1.0 / 3,
                          bool train = is_training());
template <std::same_as<RReLUOptions> O = RReLUOptions>
Variable rrelu(const Variable& x, O options) {
  return rrelu(x, options.l, options.u, options.train);
}

}  // namespace chainerxx::functions
