// SPDX-License-Identifier: MIT
// Solving and decomposing. NumPy's chapter "Linear algebra".
//
// All work on stacks of matrices (the last two axes), where they live: by LAPACK in OpenBLAS on the
// host, by cuSOLVER on a device. float32, complex64 and complex128 are computed in their own type,
// integers and float64 in float64; other dtypes are a DtypeError. What cannot be done is a
// LinAlgError: at once on the host, at the next synchronising call on a device.
#pragma once

#include "cupyxx/linalg_error.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::linalg {

/// x with `a` x = `b`, where `b` is a vector or a matrix. Throws LinAlgError for a singular matrix.
CUPYXX_API ndarray solve(const ndarray& a, const ndarray& b);
/// The inverse. Throws LinAlgError for a singular matrix.
CUPYXX_API ndarray inv(const ndarray& a);
/// The determinant.
CUPYXX_API ndarray det(const ndarray& a);
/// What slogdet makes: the determinant is sign * exp(logdet).
struct SlogdetResult {
  ndarray sign;
  ndarray logdet;
};
/// Sign and logarithm of the magnitude of the determinant; 0 and -inf for a singular matrix.
CUPYXX_API SlogdetResult slogdet(const ndarray& a);
/// The lower triangular L with L L^H = `a`, of which the lower triangle is read. Throws LinAlgError
/// for a matrix that is not positive definite.
CUPYXX_API ndarray cholesky(const ndarray& a);

/// What qr makes.
struct QrResult {
  ndarray q;
  ndarray r;
};
/// Which parts of a QR decomposition are made.
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
/// Real eigenvalues and eigenvectors of a symmetric or Hermitian matrix, of which one triangle ('L'
/// or 'U') is read.
CUPYXX_API EighResult eigh(const ndarray& a, char uplo = 'L');
/// The eigenvalues alone.
CUPYXX_API ndarray eigvalsh(const ndarray& a, char uplo = 'L');

/// What eig makes: eigenvalues in LAPACK's order, eigenvectors of length 1 as columns.
struct EigResult {
  ndarray eigenvalues;
  ndarray eigenvectors;
};
/// Eigenvalues and right eigenvectors of any square matrix; real results where the matrix is real
/// and all its eigenvalues are. Computed on the host, also for arrays on a device, so it
/// synchronises. Throws LinAlgError for NaN and infinities.
CUPYXX_API EigResult eig(const ndarray& a);
/// The eigenvalues alone.
CUPYXX_API ndarray eigvals(const ndarray& a);

/// x with tensordot(a, x, x.ndim()) = b; `axes` of `a` are moved to its end first.
CUPYXX_API ndarray tensorsolve(const ndarray& a, const ndarray& b, const Axes& axes = {});
/// The inverse of tensordot(a, x, ind), of which the first `ind` axes of `a` are the result's.
CUPYXX_API ndarray tensorinv(const ndarray& a, int ind = 2);

}  // namespace cupyxx::linalg
