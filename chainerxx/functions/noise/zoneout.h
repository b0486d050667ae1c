// SPDX-License-Identifier: MIT
// Noise that keeps old states, and noise on weights.
#pragma once

#include <concepts>

#include "chainerxx/functions/noise/dropout.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Each element of h with probability `ratio`, else of x, when `train`; else x (Krueger et al.,
/// 2016). Throws ShapeError for arrays of two shapes, ValueError for a ratio outside of [0, 1).
CUPYXX_API Variable zoneout(const Variable& h, const Variable& x, double ratio = 0.5,
                            bool train = is_training());
template <std::same_as<DropoutOptions> O = DropoutOptions>
Variable zoneout(const Variable& h, const Variable& x, O options) {
  return zoneout(h, x, options.ratio, options.train);
}
/// x W^T + b where each weight is dropped with probability `ratio` for each sample separately, and
/// those that stay are scaled by 1 / (1 - ratio), when `train`; else linear(x, W, b). x is (n, in),
/// b may be None (Wan et al., 2013). It takes memory of n times W's. Throws ShapeError for arrays
/// that do not fit, ValueError for a ratio outside of [0, 1).
CUPYXX_API Variable simplified_dropconnect(const Variable& x, const Variable& W,
                                           const Variable& b = {}, double ratio = 0.5,
                                           bool train = is_training());
template <std::same_as<DropoutOptions> O = DropoutOptions>
Variable simplified_dropconnect(const Variable& x, const Variable& W, const Variable& b,
                                O options) {
  return simplified_dropconnect(x, W, b, options.ratio, options.train);
}

}  // namespace chainerxx::functions
