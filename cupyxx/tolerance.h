// SPDX-License-Identifier: MIT
// Comparing arrays within tolerances. A header of its own, beside logic.h, for umbrellas that have
// little of arrays.
#pragma once

#include <type_traits>

#include "cupyxx/core/array_like.h"
#include "cupyxx/export.h"
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
/// The tolerances in their places: `allclose(a, b, 1e-3, 1e-6)`.
template <class T>
requires std::is_arithmetic_v<T> ndarray isclose(const Operand& a, const Operand& b, T rtol,
                                                 double atol = 1e-08, bool equal_nan = false) {
  return isclose(a, b, CloseOptions{static_cast<double>(rtol), atol, equal_nan});
}
template <class T>
requires std::is_arithmetic_v<T>
bool allclose(const Operand& a, const Operand& b, T rtol, double atol = 1e-08,
              bool equal_nan = false) {
  return allclose(a, b, CloseOptions{static_cast<double>(rtol), atol, equal_nan});
}

}  // namespace cupyxx
