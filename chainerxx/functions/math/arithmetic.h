// SPDX-License-Identifier: MIT
// Arithmetic between variables, and between variables and numbers; the operators of Variable call
// these. Shapes broadcast as those of arrays; gradients are summed back to the shape of each
// operand. Variables have one floating dtype; numbers, and arrays beside variables, take it.
#pragma once

#include "cupyxx/export.h"
#include "cupyxx/scalar.h"

namespace chainerxx {

class Variable;

namespace functions {

/// -x.
CUPYXX_API Variable neg(const Variable& x);
/// x itself.
CUPYXX_API Variable pos(const Variable& x);
/// |x|; its gradient at 0 is 0.
CUPYXX_API Variable absolute(const Variable& x);
/// Same as absolute.
CUPYXX_API Variable abs(const Variable& x);
/// x + y.
CUPYXX_API Variable add(const Variable& x, const Variable& y);
CUPYXX_API Variable add(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable add(const cupyxx::Scalar& x, const Variable& y);
/// x - y.
CUPYXX_API Variable sub(const Variable& x, const Variable& y);
CUPYXX_API Variable sub(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable sub(const cupyxx::Scalar& x, const Variable& y);
/// x * y.
CUPYXX_API Variable mul(const Variable& x, const Variable& y);
CUPYXX_API Variable mul(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable mul(const cupyxx::Scalar& x, const Variable& y);
/// x / y.
CUPYXX_API Variable div(const Variable& x, const Variable& y);
CUPYXX_API Variable div(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable div(const cupyxx::Scalar& x, const Variable& y);
/// x to the power of y.
CUPYXX_API Variable pow(const Variable& x, const Variable& y);
CUPYXX_API Variable pow(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable pow(const cupyxx::Scalar& x, const Variable& y);

/// The reflected forms of the manual: y - x, y / x, y ** x.
CUPYXX_API Variable rsub(const Variable& x, const Variable& y);
CUPYXX_API Variable rsub(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable rdiv(const Variable& x, const Variable& y);
CUPYXX_API Variable rdiv(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable rpow(const Variable& x, const Variable& y);
CUPYXX_API Variable rpow(const Variable& x, const cupyxx::Scalar& y);

}  // namespace functions
}  // namespace chainerxx
