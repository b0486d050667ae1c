// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/lapack.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics/reduce.h"

namespace cupyxx::linalg {
namespace {

[[noreturn]] void throw_order(const Order& ord, const char* what) {
  const std::string order =
      ord.is_name() ? "'" + std::string(ord.name()) + "'" : std::to_string(ord.number());
  throw ValueError(message("linalg.norm: invalid order for ", what, "; ", order));
}

ndarray root_of_squares(const ndarray& x, const Axes& axes, bool keepdims) {
  if (static_cast<int>(x.dtype().code()) >= dtype::kComputeCount) {
    throw DtypeError(message("linalg.norm: no loop for ", x.dtype().name()));
  }
  return internal::reduce({.op = internal::ReduceOp::norm,
                           .a = x,
                           .mask = internal::axes_mask("linalg.norm", axes, x.ndim()),
                           .keepdims = keepdims});
}

ndarray vector_norm(const ndarray& x, const Order& ord, int axis, bool keepdims) {
  if (ord.is_name()) throw_order(ord, "vectors");
  const double p = ord.number();
  if (ord.is_none() || p == 2) return root_of_squares(x, axis, keepdims);
  if (p == 0)
    return sum(not_equal(x, 0).astype(x.dtype().real_part()), axis, {.keepdims = keepdims});
  const ndarray magnitude = absolute(x);
  if (std::isinf(p)) {
    return p > 0 ? amax(magnitude, axis, {.keepdims = keepdims})
                 : amin(magnitude, axis, {.keepdims = keepdims});
  }
  if (p == 1) return sum(magnitude, axis, {.keepdims = keepdims});
  return power(sum(power(magnitude, p), axis, {.keepdims = keepdims}), 1 / p);
}

// The singular values of each matrix, along a new last axis, on the operand's device.
ndarray singular_values(const ndarray& x, int row_axis, int column_axis) {
  if (x.dtype().itemsize() == 2) {
    throw DtypeError(message("linalg.norm: no singular values for this dtype; ", x.dtype().name()));
  }
  if (x.dtype().is_complex()) {
    // Of [[A, -B], [B, A]] they are those of A + iB, each of them twice.
    const ndarray a = real(x), b = imag(x);
    const std::vector<ndarray> rows = {concatenate({a, -b}, column_axis),
                                       concatenate({b, a}, column_axis)};
    const ndarray twice = singular_values(concatenate(rows, row_axis), row_axis, column_axis);
    return twice(ellipsis, slice(none, none, 2));
  }
  Shape axes, shape;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    if (axis != row_axis && axis != column_axis) {
      axes.push_back(axis);
      shape.push_back(x.shape()[axis]);
    }
  }
  axes.push_back(row_axis);
  axes.push_back(column_axis);
  const std::int64_t rows = x.shape()[row_axis], columns = x.shape()[column_axis];
  const std::int64_t small = std::min(rows, columns), large = std::max(rows, columns);
  const std::int64_t count = shape.element_count();
  shape.push_back(small);
  const DeviceScope scope(x.device());
  if (small == 0 || count == 0) return zeros(shape, x.dtype());
  // The transpose has the same values; as columns there are no more of them than rows.
  const ndarray turned = rows < columns ? x.transpose(axes) : x.transpose(axes).swapaxes(-1, -2);
  const ndarray matrices = turned.reshape({count, small, large});
  // LAPACK may not end for what is not finite.
  const ndarray finite = all(isfinite(matrices), {1, 2}, {.keepdims = true});
  const ndarray clean = internal::contiguous(where(finite, matrices, array(0, x.dtype())));
  const ndarray values = internal::make_array("linalg.norm", {count, small}, x.dtype(), x.device());
  const ndarray info = internal::make_array("linalg.norm", {count}, int32, x.device());
  const bool on_host = x.device().is_cpu();
  (on_host ? internal::cpu::svd : internal::gpu::svd)("linalg.norm", clean, values, {}, {}, info);
  (on_host ? internal::cpu::check_info : internal::gpu::check_info)(
      "linalg.norm", info, internal::LapackDefect::not_convergent);
  return where(finite.reshape({count, 1}), values, array(NAN, x.dtype())).reshape(shape);
}

ndarray from_singular_values(const ndarray& x, const Order& ord, int row_axis, int column_axis,
                             bool keepdims) {
  const ndarray values = singular_values(x, row_axis, column_axis);
  const ndarray result = ord.is_name()      ? sum(values, -1)
                         : ord.number() > 0 ? amax(values, -1)
                                            : amin(values, -1);
  if (!keepdims) return result;
  Shape shape = x.shape();
  shape[row_axis] = shape[column_axis] = 1;
  return result.reshape(shape);
}

ndarray matrix_norm(const ndarray& x, const Order& ord, int row_axis, int column_axis,
                    bool keepdims) {
  if (ord.is_none() || (ord.is_name() && (ord.name() == "fro" || ord.name() == "f"))) {
    return root_of_squares(x, {row_axis, column_axis}, keepdims);
  }
  const double p = ord.number();
  if ((ord.is_name() && ord.name() == "nuc") || (!ord.is_name() && std::abs(p) == 2)) {
    return from_singular_values(x, ord, row_axis, column_axis, keepdims);
  }
  if (ord.is_name() || (std::abs(p) != 1 && !std::isinf(p))) throw_order(ord, "matrices");
  // Sums over columns for 1 and -1, over rows for the infinities; then an extreme of them.
  const int summed = std::isinf(p) ? column_axis : row_axis;
  const int left = std::isinf(p) ? row_axis : column_axis;
  const ndarray sums = sum(absolute(x), summed, {.keepdims = true});
  const ndarray extreme =
      p > 0 ? amax(sums, left, {.keepdims = true}) : amin(sums, left, {.keepdims = true});
  return keepdims ? extreme : squeeze(extreme, {row_axis, column_axis});
}

}  // namespace

ndarray norm(const ndarray& a, const NormOptions& options) {
  internal::check_not_none("linalg.norm", a);
  const ndarray x = a.dtype().is_inexact() ? a : a.astype(float64);
  const Shape& axes = options.axis.list();
  const int ndim = x.ndim();
  if (options.axis.is_all() && options.ord.is_none()) {
    return root_of_squares(x, {}, options.keepdims);
  }
  const int given = options.axis.is_all() ? ndim : axes.ndim();
  const auto axis_at = [&](int i) {
    return options.axis.is_all() ? i : normalize_axis("linalg.norm", axes[i], ndim);
  };
  if (given == 1) return vector_norm(x, options.ord, axis_at(0), options.keepdims);
  if (given == 2) {
    const int row_axis = axis_at(0), column_axis = axis_at(1);
    if (row_axis == column_axis) {
      throw ValueError(message("linalg.norm: an axis is given twice; ", axes));
    }
    return matrix_norm(x, options.ord, row_axis, column_axis, options.keepdims);
  }
  throw ShapeError(
      message("linalg.norm: an order needs one or two axes; the shape is ", x.shape()));
}

// Of lists.

ndarray norm(const ArrayLike& a, const NormOptions& options) { return norm(a.array(), options); }

}  // namespace cupyxx::linalg
