// SPDX-License-Identifier: MIT
// Sums of products over named axes, made of products of matrices.
#pragma once

#include <concepts>
#include <string_view>
#include <vector>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// The sum of products over the last `axes` axes of a and the first of b. Throws ValueError for
/// more axes than there are, ShapeError for other extents.
CUPYXX_API Variable tensordot(const Variable& a, const Variable& b, int axes = 2);
/// The same over axes of a and as many of b, one by one. Throws ValueError for lists of other
/// lengths or an axis named twice, and AxisError for one that there is not.
CUPYXX_API Variable tensordot(const Variable& a, const Variable& b, const cupyxx::Shape& axes_a,
                              const cupyxx::Shape& axes_b);

/// NumPy's einsum: `einsum("ij,jk->ik", {a, b})`. Axes of the same letter are multiplied, those
/// that the result does not name are summed over; an operand may name a letter twice (its
/// diagonal), "..." stands for axes without letters, which broadcast. Without "->" the result has
/// the letters that stand there once, in their order. Operands are contracted from left to right.
/// Throws ValueError for subscripts that do not fit, ShapeError for other extents.
CUPYXX_API Variable einsum(std::string_view subscripts, const std::vector<Variable>& operands);
/// Of the operands of a call: `einsum("ij,jk->ik", a, b)`.
template <internal::AsVariable... More>
Variable einsum(std::string_view subscripts, const Variable& first, const More&... more) {
  return einsum(subscripts, std::vector<Variable>{first, more...});
}

}  // namespace chainerxx::functions
