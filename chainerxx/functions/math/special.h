// SPDX-License-Identifier: MIT
// Special functions.
#pragma once

#include "chainerxx/argument_kinds.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {

/// exp(x^2) erfc(x).
CUPYXX_API Variable erfcx(const Variable& x);
/// The number whose erf is x.
CUPYXX_API Variable erfinv(const Variable& x);
/// The number whose erfc is x.
CUPYXX_API Variable erfcinv(const Variable& x);
/// The share of a standard normal distribution below x.
CUPYXX_API Variable ndtr(const Variable& x);
/// The number below which a share x of a standard normal distribution lies.
CUPYXX_API Variable ndtri(const Variable& x);
/// log(ndtr(x)), exact for shares near 0.
CUPYXX_API Variable log_ndtr(const Variable& x);
/// log(|gamma(x)|).
CUPYXX_API Variable lgamma(const Variable& x);
/// The derivative of lgamma. Its own gradient is for positive x.
CUPYXX_API Variable digamma(const Variable& x);
/// Derivative number n of digamma, of positive x but for n = 0. Throws ValueError for n outside of
/// [0, 20]; gradients take a derivative more each.
CUPYXX_API Variable polygamma(int n, const Variable& x);

/// Hurwitz's zeta function, the sum of (q + n)^-x over n = 0, 1, ... for x > 1, in the dtype of q;
/// x and q broadcast. It has a gradient by q alone, -x zeta(x + 1, q), as Chainer's: an x that
/// would receive one is a ValueError.
CUPYXX_API Variable zeta(const Variable& x, const Variable& q);
/// The same of a number.
CUPYXX_API Variable zeta(const cupyxx::Scalar& x, const Variable& q);
template <internal::Numeric T>
Variable zeta(T x, const Variable& q) {
  return zeta(cupyxx::Scalar(x), q);
}

}  // namespace chainerxx::functions
