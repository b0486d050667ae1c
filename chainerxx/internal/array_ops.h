// SPDX-License-Identifier: MIT
// Fused operations on arrays that functions are made of, on the device of their arguments.
#pragma once

#include <cstdint>
#include <optional>

#include "cupyxx/ndarray.h"
#include "cupyxx/ops/philox.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// The array itself when it is C-contiguous, else a copy.
ndarray contiguous(const ndarray& a);
/// The same, and on a multiple of 16 bytes.
ndarray packed(const ndarray& a);
/// (n, ...) as a matrix of n rows; a view where the layout allows.
ndarray as_matrix(const ndarray& x);
/// A new array on the device of `a`.
ndarray empty_beside(const ndarray& a, const cupyxx::Shape& shape, cupyxx::dtype dtype);

/// x with elements dropped by the uniform numbers of a Philox stream, the others scaled by
/// 1 / (1 - ratio).
ndarray dropout(const ndarray& x, double ratio, const cupyxx::random::PhiloxState& state);

/// Softmax over axis 1 (axis 0 of a vector), and its gradient from the result.
ndarray softmax(const ndarray& x);
ndarray softmax_grad(const ndarray& y, const ndarray& gy);
/// The array as (outer, classes, inner) around an axis; a view where the layout allows.
ndarray as_planes(const ndarray& x, int axis);
/// The logarithm of the softmax over an axis, without overflow.
ndarray log_softmax(const ndarray& x, int axis = 1);

struct CrossEntropy {
  ndarray loss;  // 0-d
  ndarray grad;  // of the loss by x; null unless asked for
};
/// The mean cross entropy of softmax(x) over axis 1 and integer labels; label -1 does not count.
/// The loss is of x's dtype, or of float32 beside a 16-bit x.
CrossEntropy cross_entropy(const ndarray& x, const ndarray& labels, bool normalize, bool with_grad,
                           cupyxx::dtype loss_type);
/// The gradient alone, times a 0-d gy of any floating dtype before it is rounded to x's dtype.
ndarray cross_entropy_grad(const ndarray& x, const ndarray& labels, bool normalize,
                           const ndarray& gy);

/// The share of places along the other axes where axis 1 is largest at the label, in y's dtype;
/// places with `ignore_label` do not count.
ndarray accuracy(const ndarray& y, const ndarray& labels,
                 std::optional<std::int64_t> ignore_label = {});

/// out += matrix.sum(axis 0), in place.
void add_column_sums(const ndarray& matrix, const ndarray& out);

}  // namespace chainerxx::internal
