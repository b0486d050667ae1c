// SPDX-License-Identifier: MIT
// Activations in which one part of the input opens or closes another.
#pragma once

#include <concepts>

#include "chainerxx/axes_arg.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The first half of x along an axis times the sigmoid of the second (Dauphin et al., 2016). The
/// axis is the last one by default, as in PyTorch. Throws ValueError for an odd extent.
CUPYXX_API Variable glu(const Variable& x, int axis = -1);
template <std::same_as<AxisOptions> O = AxisOptions>
Variable glu(const Variable& x, O options) {
  return glu(x, options.axis.value_or(-1));
}

}  // namespace chainerxx::functions
