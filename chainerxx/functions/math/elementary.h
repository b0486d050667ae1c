// SPDX-License-Identifier: MIT
// Elementary functions of variables.
#pragma once

#include "cupyxx/export.h"

namespace chainerxx {

class Variable;

namespace functions {

/// Elementwise e to the power of x.
CUPYXX_API Variable exp(const Variable& x);
/// Elementwise natural logarithm.
CUPYXX_API Variable log(const Variable& x);
/// Elementwise sine.
CUPYXX_API Variable sin(const Variable& x);
/// Elementwise cosine.
CUPYXX_API Variable cos(const Variable& x);

}  // namespace functions
}  // namespace chainerxx
