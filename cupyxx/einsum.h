// SPDX-License-Identifier: MIT
// Sums of products in Einstein's notation.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// NumPy's einsum: `einsum("ij,jk->ik", {a, b})`. Without "->" the labels that occur once are kept,
/// in alphabetical order; "..." stands for broadcast axes; a label given twice to one operand is
/// its diagonal. Operands are contracted from left to right, by matrix products. Throws ValueError
/// for subscripts that do not fit.
CUPYXX_API ndarray einsum(std::string_view subscripts, std::span<const ndarray> operands);
inline ndarray einsum(std::string_view subscripts, std::initializer_list<ndarray> operands) {
  return einsum(subscripts, std::span(operands.begin(), operands.size()));
}

}  // namespace cupyxx
