// SPDX-License-Identifier: MIT
// Inverses, determinants and Cholesky's decomposition of matrices. 16-bit types are computed in
// float32. A matrix for which there is no result is a cupyxx::linalg::LinAlgError, on devices as on
// the host.
#pragma once

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The inverse of a square matrix.
CUPYXX_API Variable inv(const Variable& a);
/// The inverses of square matrices (n, m, m).
CUPYXX_API Variable batch_inv(const Variable& a);
/// The determinant of a square matrix, whose gradient asks for its inverse.
CUPYXX_API Variable det(const Variable& a);
/// The determinants (n,) of square matrices (n, m, m).
CUPYXX_API Variable batch_det(const Variable& a);
/// The lower triangular L with L L^T = a, of a symmetric positive definite matrix, or of each of
/// (n, m, m). Only the lower triangle of a is read; its gradient is symmetric.
CUPYXX_API Variable cholesky(const Variable& a);

}  // namespace chainerxx::functions
