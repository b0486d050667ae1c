// SPDX-License-Identifier: MIT
// Comparing arrays as wholes and within tolerances. NumPy's chapter "Logic functions".
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of isclose and allclose.
struct CloseOptions {
  double rtol = 1e-05;
  double atol = 1e-08;
  bool equal_nan = false;
};
/// Where |a - b| <= atol + rtol * |b|, or both are the same infinity.
CUPYXX_API ndarray isclose(const Operand& a, const Operand& b, const CloseOptions& options = {});
/// Whether all elements are close. Synchronises.
CUPYXX_API bool allclose(const Operand& a, const Operand& b, const CloseOptions& options = {});
/// Whether shapes and all elements are the same. Synchronises.
CUPYXX_API bool array_equal(const ndarray& a, const ndarray& b, bool equal_nan = false);
/// Whether the arrays broadcast together and all elements are the same then. Synchronises.
CUPYXX_API bool array_equiv(const ndarray& a, const ndarray& b);

/// Whether elements are positive or negative infinity.
CUPYXX_API ndarray isposinf(const ndarray& x, const ndarray& out = {});
CUPYXX_API ndarray isneginf(const ndarray& x, const ndarray& out = {});

}  // namespace cupyxx
