// SPDX-License-Identifier: MIT
// Trigonometric and hyperbolic functions of variables; sin and cos are in elementary.h, tanh among
// the activations.
#pragma once

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Elementwise tangent of radians.
CUPYXX_API Variable tan(const Variable& x);
/// Elementwise inverse sine, in [-pi/2, pi/2]; its gradient at -1 and 1 is infinite.
CUPYXX_API Variable arcsin(const Variable& x);
/// Elementwise inverse cosine, in [0, pi]; its gradient at -1 and 1 is infinite.
CUPYXX_API Variable arccos(const Variable& x);
/// Elementwise inverse tangent, in [-pi/2, pi/2].
CUPYXX_API Variable arctan(const Variable& x);
/// The angles of the points (x2, x1), in [-pi, pi], as NumPy's arctan2(x1, x2); x1 and x2
/// broadcast.
CUPYXX_API Variable arctan2(const Variable& x1, const Variable& x2);
/// Elementwise hyperbolic sine.
CUPYXX_API Variable sinh(const Variable& x);
/// Elementwise hyperbolic cosine.
CUPYXX_API Variable cosh(const Variable& x);
/// Elementwise inverse hyperbolic sine.
CUPYXX_API Variable arcsinh(const Variable& x);
/// Elementwise inverse hyperbolic cosine of numbers above 1; its gradient at 1 is infinite.
CUPYXX_API Variable arccosh(const Variable& x);
/// Elementwise inverse hyperbolic tangent of numbers between -1 and 1.
CUPYXX_API Variable arctanh(const Variable& x);

}  // namespace chainerxx::functions
