// SPDX-License-Identifier: MIT
// Steps: functions whose gradients are 0 wherever they have one; and what steps leave.
#pragma once

#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {

/// Elementwise -1, 0 or 1; its gradient is 0.
CUPYXX_API Variable sign(const Variable& x);
/// Elementwise the largest integer that is not above x; its gradient is 0.
CUPYXX_API Variable floor(const Variable& x);
/// Elementwise the smallest integer that is not below x; its gradient is 0.
CUPYXX_API Variable ceil(const Variable& x);
/// Elementwise the nearest integer towards 0; its gradient is 0.
CUPYXX_API Variable fix(const Variable& x);
/// What is left of x when it is divided by y as C's fmod does, with x's sign: x - fix(x / y) y. x
/// and y broadcast. The gradient by y is -fix(x / y).
CUPYXX_API Variable fmod(const Variable& x, const Variable& y);
/// The same by a number, in x's dtype.
CUPYXX_API Variable fmod(const Variable& x, const cupyxx::Scalar& y);
template <internal::Numeric T>
Variable fmod(const Variable& x, T y) {
  return fmod(x, cupyxx::Scalar(y));
}

}  // namespace chainerxx::functions
