// SPDX-License-Identifier: MIT
#include "cupyxx/core/comparison.h"

#include "cupyxx/core/body.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace cupyxx::internal {

ndarray compared(ndarray truths) {
  truths.body()->compared = true;
  return truths;
}

bool is_compared(const ndarray& x) { return !x.is_none() && x.body()->compared; }

void refuse_chain(const char* operation, const ndarray& truths, const Operand& y) {
  if (y.is_array() && (y.is_none() || y.array().dtype() == bool_)) return;
  if (!y.is_array() && y.scalar().kind() == Scalar::Kind::boolean) return;
  throw ValueError(message(operation, ": `a < b < c` compares the truth values of `a < b`, ",
                           truths.shape(), ", with c; write `(a < b) & (b < c)`"));
}

void refuse_comparison(const char* operation, const ndarray& x) {
  if (x.is_none() || !x.dtype().is_integer()) return;
  throw ValueError(message(operation, ": integers of shape ", x.shape(),
                           " and a truth value; C++ compares first in `a & 1 == 0`: write `(a & 1) "
                           "== 0`, or ",
                           operation, "(a, b == c)"));
}

void refuse_number(const char* operation, const ndarray& truths) {
  if (truths.is_none() || truths.dtype() != bool_) return;
  throw ValueError(message(operation, ": truth values of shape ", truths.shape(),
                           " and a number; C++ compares first in `0 == a & 1`: write `0 == (a & "
                           "1)`, or ",
                           operation, "(a == b, 1)"));
}

}  // namespace cupyxx::internal
