// SPDX-License-Identifier: MIT
// Solving and decomposing. NumPy's chapter "Linear algebra", by LAPACK in OpenBLAS.
//
// All work on stacks of matrices (the last two axes) and run on the host in float64: arrays on a
// device are copied there and their results back, which synchronises. Results are float32 for
// float32 and float64 for integers and float64; other dtypes are a DtypeError.
#pragma once

#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::linalg {

/// A matrix that cannot be inverted or decomposed.
class CUPYXX_API LinAlgError : public ValueError {
 public:
  explicit LinAlgError(const std::string& what);
  ~LinAlgError() override;
};

/// x with `a` x = `b`, where `b` is a vector or a matrix. Throws LinAlgError for a singular matrix.
CUPYXX_API ndarray solve(const ndarray& a, const ndarray& b);
/// The inverse. Throws LinAlgError for a singular matrix.
CUPYXX_API ndarray inv(const ndarray& a);
/// The determinant.
CUPYXX_API ndarray det(const ndarray& a);
/// The lower triangular L with L L^T = `a`, of which the lower triangle is read. Throws LinAlgError
/// for a matrix that is not positive definite.
CUPYXX_API ndarray cholesky(const ndarray& a);

/// What qr makes.
struct QrResult {
  ndarray q;
  ndarray r;
};
enum class QrMode : std::uint8_t {
  reduced,   ///< q has min(M, N) columns
  complete,  ///< q is square
  r,         ///< only r
};
/// Orthonormal q and upper triangular r with q r = `a`.
CUPYXX_API QrResult qr(const ndarray& a, QrMode mode = QrMode::reduced);

/// What svd makes: singular values largest first, `a` = u diag(s) vh.
struct SvdResult {
  ndarray u;
  ndarray s;
  ndarray vh;
};
/// Singular value decomposition; with `full_matrices` u and vh are square. Throws LinAlgError where
/// it does not converge.
CUPYXX_API SvdResult svd(const ndarray& a, bool full_matrices = true, bool compute_uv = true);

/// What eigh makes: eigenvalues in ascending order, eigenvectors as columns.
struct EighResult {
  ndarray eigenvalues;
  ndarray eigenvectors;
};
/// Eigenvalues and eigenvectors of a symmetric matrix, of which one triangle ('L' or 'U') is read.
CUPYXX_API EighResult eigh(const ndarray& a, char uplo = 'L');
/// The eigenvalues alone.
CUPYXX_API ndarray eigvalsh(const ndarray& a, char uplo = 'L');

}  // namespace cupyxx::linalg
