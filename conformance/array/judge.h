// SPDX-License-Identifier: MIT
// Compares a result with NumPy's.
#pragma once

#include <string>

#include "conformance/array/tolerance.h"
#include "cupyxx/ndarray.h"

namespace conformance {

/// What differs between two arrays (dtype, shape, or the worst element: where and by how much), or
/// an empty text. NaN equals NaN; zeros differ in sign only where `signed_zeros` says so.
std::string difference(const cupyxx::ndarray& actual, const cupyxx::ndarray& expected,
                       const Tolerance& tolerance, bool signed_zeros);

/// Whether the elements have the same bytes.
bool same_bytes(const cupyxx::ndarray& a, const cupyxx::ndarray& b);

}  // namespace conformance
