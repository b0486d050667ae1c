// SPDX-License-Identifier: MIT

#include "cupyxx/array_api.h"
#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace cupyxx::linalg {

namespace {

void check_matrices(const char* operation, const ndarray& x) {
  internal::check_not_none(operation, x);
  if (x.ndim() < 2) {
    throw ValueError(message(operation, ": needs at least two axes; ", x.shape()));
  }
}

}  // namespace

ndarray vector_norm(const ndarray& x, const VectorNormOptions& options) {
  constexpr const char* kName = "vector_norm";
  internal::check_not_none(kName, x);
  if (options.ord.is_name()) {
    throw ValueError(message(kName, ": no order '", options.ord.name(), "' for vectors"));
  }
  const std::uint32_t chosen = options.axis.mask(kName, x.ndim());
  Shape order, kept, result;
  std::int64_t length = 1;
  for (int i = 0; i < x.ndim(); ++i) {
    const bool inside = (chosen >> i & 1) != 0;
    if (inside) {
      length *= x.shape()[i];
    } else {
      order.push_back(i);
      result.push_back(x.shape()[i]);
    }
    if (!inside || options.keepdims) kept.push_back(inside ? 1 : x.shape()[i]);
  }
  for (int i = 0; i < x.ndim(); ++i) {
    if ((chosen >> i & 1) != 0) order.push_back(i);
  }
  result.push_back(length);
  const ndarray vectors = transpose(x, order).reshape(result);
  return norm(vectors, {.ord = options.ord, .axis = -1}).reshape(kept);
}

ndarray matrix_norm(const ndarray& x, const MatrixNormOptions& options) {
  check_matrices("matrix_norm", x);
  return norm(x, {.ord = options.ord, .axis = {-2, -1}, .keepdims = options.keepdims});
}

ndarray diagonal(const ndarray& x, internal::Int offset) {
  check_matrices("diagonal", x);
  ndarray view = x.diagonal(offset, -2, -1);
  view.set_writeable(false);
  return view;
}

ndarray trace(const ndarray& x, internal::Int offset, cupyxx::dtype dtype) {
  check_matrices("trace", x);
  return cupyxx::trace(x, offset, -2, -1, {.dtype = dtype});
}

ndarray outer(const ndarray& x1, const ndarray& x2) {
  for (const ndarray* x : {&x1, &x2}) internal::check_not_none("outer", *x);
  if (x1.ndim() != 1 || x2.ndim() != 1) {
    throw ValueError(message("outer: both must have one axis; ", x1.shape(), " and ", x2.shape()));
  }
  return cupyxx::outer(x1, x2);
}

ndarray cross(const ndarray& x1, const ndarray& x2, internal::Int axis) {
  for (const ndarray* x : {&x1, &x2}) {
    internal::check_not_none("cross", *x);
    if (x->shape()[normalize_axis("cross", axis, x->ndim())] != 3) {
      throw ValueError(
          message("cross: both must have three components; ", x1.shape(), " and ", x2.shape()));
    }
  }
  return cupyxx::cross(x1, x2, {.axis = axis});
}

ndarray svdvals(const ndarray& x) { return svd(x, false, false).s; }

}  // namespace cupyxx::linalg
