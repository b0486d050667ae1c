// SPDX-License-Identifier: MIT
// Products of vectors and matrices. NumPy's chapter "Linear algebra". float32 products run in
// oneDNN on the host and cuBLAS on a device, float64 in OpenBLAS and cuBLAS.
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// NumPy's dot: inner product of the last axis of `a` and the last but one of `b`.
CUPYXX_API ndarray dot(const ndarray& a, const ndarray& b, const ndarray& out = {});
/// Matrix product of the last two axes; the others broadcast.
CUPYXX_API ndarray matmul(const ndarray& a, const ndarray& b, const ndarray& out = {});
/// Dot product of the flattened arrays.
CUPYXX_API ndarray vdot(const ndarray& a, const ndarray& b);
CUPYXX_API ndarray inner(const ndarray& a, const ndarray& b);
CUPYXX_API ndarray outer(const ndarray& a, const ndarray& b);
/// Contracts the last `axes` axes of `a` with the first of `b`.
CUPYXX_API ndarray tensordot(const ndarray& a, const ndarray& b, int axes = 2);
/// Contracts the named axes pairwise.
CUPYXX_API ndarray tensordot(const ndarray& a, const ndarray& b, const Axes& axes_a,
                             const Axes& axes_b);
/// Sum of a diagonal.
CUPYXX_API ndarray trace(const ndarray& a, int offset = 0, int axis1 = 0, int axis2 = 1);

namespace linalg {
/// 2-norm of the flattened array.
CUPYXX_API ndarray norm(const ndarray& a);
}  // namespace linalg

/// What a matrix product writes beside the product, for neural networks.
struct GemmOptions {
  ndarray out = {};         ///< C; C-contiguous, of the operands' dtype
  bool accumulate = false;  ///< adds to C instead of overwriting it
  ndarray bias = {};        ///< a row added to each row of the product
};
/// The product of two matrices, either of which may be any strided view (transposed ones cost no
/// copy), in one call of the matrix library.
CUPYXX_API ndarray gemm(const ndarray& a, const ndarray& b, const GemmOptions& options = {});

}  // namespace cupyxx
