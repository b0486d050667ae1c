// SPDX-License-Identifier: MIT
// The `linalg` of NumPy 2 and the array API standard, beside decomposition.h and
// matrix_functions.h: its functions take stacks of matrices in the last two axes.
#pragma once

#include "cupyxx/array_api.h"
#include "cupyxx/decomposition.h"
#include "cupyxx/linalg.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::linalg {

using cupyxx::matmul;
using cupyxx::matrix_transpose;
using cupyxx::tensordot;
using cupyxx::vecdot;

/// Options of vector_norm.
struct VectorNormOptions {
  Axes axis = {};  ///< over which each vector lies; none: all axes
  bool keepdims = false;
  Order ord = 2;
};
/// Norm of vectors, which may lie over several axes; by default the 2-norm of all elements.
CUPYXX_API ndarray vector_norm(const ndarray& x, const VectorNormOptions& options = {});

/// Options of matrix_norm.
struct MatrixNormOptions {
  bool keepdims = false;
  Order ord = "fro";
};
/// Norm of the matrices in the last two axes. Throws ValueError for fewer axes.
CUPYXX_API ndarray matrix_norm(const ndarray& x, const MatrixNormOptions& options = {});

/// The diagonals of the matrices in the last two axes: a read-only view. Throws ValueError for
/// fewer axes.
CUPYXX_API ndarray diagonal(const ndarray& x, int offset = 0);
/// Their sums.
CUPYXX_API ndarray trace(const ndarray& x, int offset = 0, cupyxx::dtype dtype = {});
/// All products of two vectors. Throws ValueError for other ranks.
CUPYXX_API ndarray outer(const ndarray& x1, const ndarray& x2);
/// Cross product of vectors with three components along an axis. Throws ValueError for others.
CUPYXX_API ndarray cross(const ndarray& x1, const ndarray& x2, int axis = -1);
/// Singular values, largest first.
CUPYXX_API ndarray svdvals(const ndarray& x);

}  // namespace cupyxx::linalg
