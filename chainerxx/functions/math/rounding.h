// SPDX-License-Identifier: MIT
// Steps: functions whose gradients are 0 wherever they have one.
#pragma once

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Elementwise -1, 0 or 1; its gradient is 0.
CUPYXX_API Variable sign(const Variable& x);
/// Elementwise the largest integer that is not above x; its gradient is 0.
CUPYXX_API Variable floor(const Variable& x);
/// Elementwise the smallest integer that is not below x; its gradient is 0.
CUPYXX_API Variable ceil(const Variable& x);
/// Elementwise the nearest integer towards 0; its gradient is 0.
CUPYXX_API Variable fix(const Variable& x);

}  // namespace chainerxx::functions
