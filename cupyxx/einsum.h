// SPDX-License-Identifier: MIT
// Sums of products in Einstein's notation.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of einsum.
struct EinsumOptions {
  ndarray out = {};
  cupyxx::dtype dtype = {};  ///< in which it is computed; common to the operands unless given
  Casting casting = Casting::safe;  ///< rule for the operands and for `out`
};
/// NumPy's einsum: `einsum("ij,jk->ik", {a, b})`. Without "->" the labels that occur once are kept,
/// in alphabetical order; "..." stands for broadcast axes; a label given twice to one operand is
/// its diagonal. Operands are contracted from left to right, by matrix products. Throws ValueError
/// for subscripts that do not fit.
CUPYXX_API ndarray einsum(std::string_view subscripts, std::span<const ndarray> operands,
                          const EinsumOptions& options = {});
inline ndarray einsum(std::string_view subscripts, std::initializer_list<ndarray> operands,
                      const EinsumOptions& options = {}) {
  return einsum(subscripts, std::span(operands.begin(), operands.size()), options);
}

}  // namespace cupyxx
