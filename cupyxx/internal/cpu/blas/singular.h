// SPDX-License-Identifier: MIT
// Singular values, from LAPACK in OpenBLAS.
#pragma once

#include <cstdint>

namespace cupyxx::internal::cpu {

/// Writes the min(rows, columns) singular values of a row-major matrix without gaps, largest first.
/// Destroys the matrix. NaN or infinity in it gives NaN. Throws Error when OpenBLAS is absent.
void singular_values(double* matrix, std::int64_t rows, std::int64_t columns, double* values);

}  // namespace cupyxx::internal::cpu
