// SPDX-License-Identifier: MIT
// Comparison of arrays within a tolerance.
#pragma once

#include "cupyxx/ndarray.h"
#include "gradcheck/mismatch.h"

namespace gradcheck {

/// Throws Mismatch unless the shapes agree and |x - y| <= atol + rtol * |y| everywhere. A number
/// stands for an array of the other's shape. The arrays may live on different devices and have
/// different dtypes; complex numbers are compared by the magnitude of their difference. NaN equals
/// NaN. `verbose` adds both arrays to the text. Synchronises.
CUPYXX_API void assert_allclose(const cupyxx::Operand& x, const cupyxx::Operand& y,
                                double atol = 1e-5, double rtol = 1e-4, bool verbose = true);

}  // namespace gradcheck
