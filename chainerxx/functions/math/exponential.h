// SPDX-License-Identifier: MIT
// Exponentials, logarithms and error functions of variables; exp and log are in elementary.h.
#pragma once

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Elementwise exp(x) - 1, accurate near zero.
CUPYXX_API Variable expm1(const Variable& x);
/// Elementwise log(1 + x), accurate near zero.
CUPYXX_API Variable log1p(const Variable& x);
/// Elementwise logarithm of base 2.
CUPYXX_API Variable log2(const Variable& x);
/// Elementwise logarithm of base 10.
CUPYXX_API Variable log10(const Variable& x);
/// Elementwise error function.
CUPYXX_API Variable erf(const Variable& x);
/// Elementwise 1 - erf(x), accurate where that is small.
CUPYXX_API Variable erfc(const Variable& x);
/// Elementwise 1 / sqrt(x).
CUPYXX_API Variable rsqrt(const Variable& x);

}  // namespace chainerxx::functions
