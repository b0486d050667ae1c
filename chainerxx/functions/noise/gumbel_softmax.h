// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Nearly one-hot samples of the distributions whose log probabilities lie along an axis, with
/// gradients by them: softmax((log_pi + g) / tau) of Gumbel noise g (Jang et al., 2016). The
/// smaller tau, the nearer. Throws ValueError unless tau is positive.
CUPYXX_API Variable gumbel_softmax(const Variable& log_pi, double tau = 0.1, int axis = 1);

}  // namespace chainerxx::functions
