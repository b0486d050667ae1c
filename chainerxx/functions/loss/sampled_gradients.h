// SPDX-License-Identifier: MIT
// The second form of backward of the losses for a few rows of a matrix.
#pragma once

#include <vector>

#include "chainerxx/internal/sampled_logistic.h"
#include "chainerxx/variable.h"

namespace chainerxx::internal {

/// The gradients for (x, labels) as variables; those by W are added to `gW`.
std::vector<Variable> sampled_gradients(const SampledLogistic& state, const ndarray& W, ndarray& gW,
                                        const Variable& x, VariableSpan gy);

}  // namespace chainerxx::internal
