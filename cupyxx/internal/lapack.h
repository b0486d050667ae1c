// SPDX-License-Identifier: MIT
// Decompositions as the two backends receive them. Stacks of matrices are C-contiguous arrays
// (count, columns, rows) of floating or complex numbers, so that LAPACK sees each column by column;
// singular values and those of symmetric matrices have the type of the parts. `info` is int32, one
// per matrix, and not 0 where something failed. Nothing is empty.
#pragma once

#include "cupyxx/internal/lapack_defect.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

namespace cpu {
/// The diagonals (count, n) of the triangular factors of square matrices, which are left as they
/// are and may as well lie row by row; `pivots` as on a device.
void lu_diagonals(const char* operation, const ndarray& a, const ndarray& diagonals,
                  const ndarray& pivots);
/// Solves a x = b for C-contiguous matrices row by row: `a` (count, n, n), `b` and `x` (count, n,
/// columns).
void solve(const char* operation, const ndarray& a, const ndarray& b, const ndarray& x,
           const ndarray& info);
/// Inverts square matrices in place; they may as well lie row by row.
void invert(const char* operation, const ndarray& a, const ndarray& info);
/// The lower factor in place, with zeros above it; here the matrices lie row by row.
void cholesky(const char* operation, const ndarray& a, const ndarray& info);
void qr(const char* operation, const ndarray& a, const ndarray& tau);
void form_q(const char* operation, const ndarray& q, const ndarray& tau);
void svd(const char* operation, const ndarray& a, const ndarray& s, const ndarray& u,
         const ndarray& vt, const ndarray& info);
void eigh(const char* operation, const ndarray& a, const ndarray& w, bool vectors, bool lower,
          const ndarray& info);
/// Complex eigenvalues of any square matrices, which are overwritten, and their right vectors as
/// columns unless `vectors` is null.
void eig(const char* operation, const ndarray& a, const ndarray& w, const ndarray& vectors,
         const ndarray& info);
/// The x of least norm that make |a x - b| least. `a` (1, n, m) is overwritten; `b` (1, columns,
/// max(m, n)) has the right sides in its first m rows and gets x in its first n. Singular values
/// that are not above `bound` times the largest one count as zero; gives how many do not.
int least_squares(const char* operation, const ndarray& a, const ndarray& b, const ndarray& values,
                  double bound, const ndarray& info);
/// Throws LinAlgError naming `operation` and the first matrix whose info is not 0.
void check_info(const char* operation, const ndarray& info, LapackDefect defect);
}  // namespace cpu

namespace gpu {
/// Factors square matrices in place; `pivots` (int64, counted from 1) say which rows were swapped.
void lu(const char* operation, const ndarray& a, const ndarray& pivots, const ndarray& info);
/// Solves for the columns of `b` (count, columns, n) in place.
void lu_solve(const char* operation, const ndarray& lu, const ndarray& pivots, const ndarray& b);
/// The lower factor in place; what stands above it is left.
void cholesky(const char* operation, const ndarray& a, const ndarray& info);
/// R and the reflections under it in place; `tau` (count, k) has their factors.
void qr(const char* operation, const ndarray& a, const ndarray& tau);
/// Makes the orthonormal columns of k reflections in the first columns of `q`, in place.
void form_q(const char* operation, const ndarray& q, const ndarray& tau);
/// Singular values; `u` and `vt` are null or have all columns and rows, or as many as values. The
/// matrices are overwritten. On a device they must not have more columns than rows.
void svd(const char* operation, const ndarray& a, const ndarray& s, const ndarray& u,
         const ndarray& vt, const ndarray& info);
/// Eigenvalues of symmetric matrices, whose place the vectors take.
void eigh(const char* operation, const ndarray& a, const ndarray& w, bool vectors, bool lower,
          const ndarray& info);
/// Reports the first one to the device's error word; `operation` lives for ever.
void check_info(const char* operation, const ndarray& info, LapackDefect defect);
}  // namespace gpu

}  // namespace cupyxx::internal
