// SPDX-License-Identifier: MIT
// A C++ number where a function takes an array: `clip(1.5, 0, 1)`. It is a conversion, so that a
// function of the user's for numbers, `double sinc(double)`, is the better match.
#pragma once

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/list_types.h"
#include "cupyxx/core/selection.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"

namespace cupyxx::internal {

struct NumberArgument {
  template <ListNumber N>
  NumberArgument(N x) : number(listed(x)) {}  // NOLINT(google-explicit-constructor)
  Scalar number;
};
inline ndarray as_array(const NumberArgument& x) { return as_array(x.number); }

/// A number as an array where another one is; on the current device beside None, which whoever gets
/// the two refuses.
inline ndarray array_beside(const Operand& number, const ndarray& other) {
  const ndarray a = as_array(number);
  return other.is_none() ? a : a.to(other.device());
}

}  // namespace cupyxx::internal
