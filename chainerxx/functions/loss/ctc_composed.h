// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/functions/loss/ctc.h"
#include "chainerxx/variable.h"

namespace chainerxx::functions {

/// connectionist_temporal_classification as a composition of functions that have gradients of any
/// order; `in` holds the labels, then the logits of each moment.
Variable composed_ctc(VariableSpan in, int blank_symbol, const CtcLengths& lengths);

}  // namespace chainerxx::functions
