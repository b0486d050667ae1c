// SPDX-License-Identifier: MIT
#include "cupyxx/linalg.h"

#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/elementwise/passes.h"
#include "cupyxx/linalg/product.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

using internal::check_target;
using internal::Product;
using internal::ProductSide;

namespace {

[[noreturn]] void throw_inner(const char* operation, const ndarray& a, const ndarray& b) {
  throw ShapeError(
      message(operation, ": inner dimensions differ: ", a.shape(), " and ", b.shape()));
}

// The operand's memory and its last two axes; a vector is a row or a column.
ProductSide side_of(const ndarray& x, bool vector_is_row) {
  const internal::Body* body = x.body();
  ProductSide side;
  side.storage = body->storage;
  side.data = body->data;
  const int ndim = body->ndim;
  if (ndim >= 2) {
    side.row = body->strides[ndim - 2];
    side.column = body->strides[ndim - 1];
  } else if (ndim == 1) {
    (vector_is_row ? side.column : side.row) = body->strides[0];
  }
  return side;
}

// The result of a product of any rank: where it is computed, and what the caller gets.
class Target {
 public:
  Target(const char* operation, const ndarray& out, const Shape& shape, cupyxx::dtype dtype,
         const ndarray& a, const ndarray& b)
      : out_(out) {
    const bool direct = !out.is_none() && out.dtype() == dtype && out.flags().c_contiguous &&
                        !internal::may_overlap(out, a) && !internal::may_overlap(out, b);
    array_ = direct ? out : internal::make_array(operation, shape, dtype, a.device());
    internal::touch(array_.body());
  }

  /// Rows of `n` elements, `gap` rows apart.
  ProductSide side(std::int64_t n, std::int64_t rows_apart = 1) const {
    ProductSide side;
    side.storage = array_.body()->storage;
    side.data = array_.body()->data;
    side.column = array_.itemsize();
    side.row = rows_apart * n * side.column;
    return side;
  }
  ndarray finish() const {
    if (out_.is_none()) return array_;
    if (array_.body() != out_.body()) copyto(out_, array_);
    return out_;
  }

 private:
  const ndarray& out_;
  ndarray array_;
};

std::int64_t product_of(const Shape& shape, int begin, int end) {
  std::int64_t product = 1;
  for (int axis = begin; axis < end; ++axis) product *= shape[axis];
  return product;
}

// The axes of a product: rows of a, columns of b, and how long the contracted ones are.
struct Extents {
  bool row_vector, column_vector;
  std::int64_t m, n, k;
};
Extents extents_of(const char* operation, const ndarray& a, const ndarray& b) {
  const Shape x = a.shape(), y = b.shape();
  Extents e{
      .row_vector = x.ndim() == 1, .column_vector = y.ndim() == 1, .m = 1, .n = 1, .k = x.back()};
  if (!e.row_vector) e.m = x[x.ndim() - 2];
  if (!e.column_vector) e.n = y.back();
  if ((e.column_vector ? y[0] : y[y.ndim() - 2]) != e.k) throw_inner(operation, a, b);
  return e;
}

Product new_product(const Extents& e, cupyxx::dtype dtype, const ndarray& a, const ndarray& b) {
  Product p;
  p.dtype = dtype;
  p.device = a.device();
  p.m = e.m;
  p.n = e.n;
  p.k = e.k;
  p.a = side_of(a, true);
  p.b = side_of(b, false);
  return p;
}

// Both have an axis at least. The rows of all axes but a's last, times each matrix in b.
ndarray dot_arrays(const char* operation, const ndarray& x, const ndarray& y, const ndarray& out) {
  const cupyxx::dtype dtype = internal::product_dtype(operation, x, y);
  Extents e = extents_of(operation, x, y);
  const Shape left = x.shape(), right = y.shape();
  Shape shape;
  for (int axis = 0; axis < left.ndim() - 1; ++axis) shape.push_back(left[axis]);
  for (int axis = 0; axis < right.ndim() - 2; ++axis) shape.push_back(right[axis]);
  if (!e.column_vector) shape.push_back(e.n);
  if (!out.is_none()) {
    check_target(operation, "out", out, shape, dtype, x.device());
    if (!out.flags().c_contiguous) {
      throw ValueError(
          message(operation, ": out is not C-contiguous; its strides are ", out.strides()));
    }
  }
  ndarray flat, made_a, made_b;
  if (left.ndim() > 2) {
    e.m = product_of(left, 0, left.ndim() - 1);
    flat = x.reshape({e.m, e.k});
  }
  const ndarray& a = internal::for_product(left.ndim() > 2 ? flat : x, dtype, x.device(), made_a);
  const ndarray& b = internal::for_product(y, dtype, x.device(), made_b);
  const Target target(operation, out, shape, dtype, a, b);
  Product p = new_product(e, dtype, a, b);
  const int matrices = right.ndim() - 2;
  p.c = target.side(e.n, product_of(right, 0, matrices));
  std::int64_t step = e.n * dtype.itemsize();
  p.stack_ndim = matrices > 0 ? matrices : 0;
  for (int axis = matrices - 1; axis >= 0; --axis) {
    p.stack[axis] = right[axis];
    p.a.step[axis] = 0;
    p.b.step[axis] = b.body()->strides[axis];
    p.c.step[axis] = step;
    step *= right[axis];
  }
  internal::run_product(p);
  return target.finish();
}

// Axes of a view, without a copy for arrays that are matrices already.
ndarray as_matrix(const ndarray& x, std::int64_t rows, std::int64_t columns) {
  const Shape shape = x.shape();
  if (shape.ndim() == 2 && shape[0] == rows && shape[1] == columns) return x;
  return x.reshape({rows, columns});
}

// A list of axes counted from the front.
Shape normalized(const char* operation, const Shape& axes, int ndim) {
  Shape result;
  for (const std::int64_t axis : axes) result.push_back(normalize_axis(operation, axis, ndim));
  return result;
}

// The axes of a rank that a list leaves out; throws when the list names one twice.
Shape others(const char* operation, const Shape& axes, int ndim) {
  bool used[kMaxNdim] = {};
  for (const std::int64_t axis : axes) {
    if (used[axis]) {
      throw ValueError(message(operation, ": an axis is given twice; ", axes));
    }
    used[axis] = true;
  }
  Shape rest;
  for (int axis = 0; axis < ndim; ++axis) {
    if (!used[axis]) rest.push_back(axis);
  }
  return rest;
}

Shape joined(const Shape& first, const Shape& second) {
  Shape both = first;
  for (const std::int64_t extent : second) both.push_back(extent);
  return both;
}

Shape selected(const Shape& shape, const Shape& axes) {
  Shape result;
  for (const std::int64_t axis : axes) result.push_back(shape[static_cast<int>(axis)]);
  return result;
}

ndarray scaled(const char* operation, const ndarray& a, const ndarray& b, const ndarray& out) {
  const cupyxx::dtype dtype = internal::product_dtype(operation, a, b);
  if (out.is_none()) return multiply(a, b);
  check_target(operation, "out", out, a.ndim() == 0 ? b.shape() : a.shape(), dtype, a.device());
  return multiply(a, b, {.out = out});
}

}  // namespace

ndarray dot(const ndarray& a, const ndarray& b, const ndarray& out) {
  internal::product_dtype("dot", a, b);
  if (a.ndim() == 0 || b.ndim() == 0) return scaled("dot", a, b, out);
  return dot_arrays("dot", a, b, out);
}

ndarray matmul(const ndarray& x, const ndarray& y, const ndarray& out) {
  const char* operation = "matmul";
  const cupyxx::dtype dtype = internal::product_dtype(operation, x, y);
  if (x.ndim() == 0 || y.ndim() == 0) {
    throw ShapeError(
        message(operation, ": an operand has no axes: ", x.shape(), " and ", y.shape()));
  }
  const Extents e = extents_of(operation, x, y);
  const Shape left = x.shape(), right = y.shape();
  const int left_stack = e.row_vector ? 0 : left.ndim() - 2;
  const int right_stack = e.column_vector ? 0 : right.ndim() - 2;
  Shape shape;
  if (left_stack > 0 || right_stack > 0) {
    shape = broadcast_shapes(operation, Shape(left.data(), static_cast<std::size_t>(left_stack)),
                             Shape(right.data(), static_cast<std::size_t>(right_stack)));
  }
  const int stack_ndim = shape.ndim();
  if (!e.row_vector) shape.push_back(e.m);
  if (!e.column_vector) shape.push_back(e.n);
  if (!out.is_none()) {
    check_target(operation, "out", out, shape, {}, x.device());
    if (!can_cast(dtype, out.dtype(), Casting::same_kind)) {
      throw DtypeError(message(operation, ": the result cannot be cast by same_kind; from ",
                               dtype.name(), " to ", out.dtype().name()));
    }
  }
  ndarray made_a, made_b;
  const ndarray& a = internal::for_product(x, dtype, x.device(), made_a);
  const ndarray& b = internal::for_product(y, dtype, x.device(), made_b);
  const Target target(operation, out, shape, dtype, a, b);
  Product p = new_product(e, dtype, a, b);
  p.c = target.side(e.n);
  p.stack_ndim = stack_ndim;
  std::int64_t step = e.m * e.n * dtype.itemsize();
  for (int axis = stack_ndim - 1; axis >= 0; --axis) {
    p.stack[axis] = shape[axis];
    p.c.step[axis] = step;
    step *= shape[axis];
    const int in_a = axis - (stack_ndim - left_stack), in_b = axis - (stack_ndim - right_stack);
    p.a.step[axis] = in_a >= 0 && left[in_a] > 1 ? a.body()->strides[in_a] : 0;
    p.b.step[axis] = in_b >= 0 && right[in_b] > 1 ? b.body()->strides[in_b] : 0;
  }
  internal::run_product(p);
  return target.finish();
}

ndarray vdot(const ndarray& a, const ndarray& b) {
  internal::product_dtype("vdot", a, b);
  if (a.size() != b.size()) {
    throw ShapeError(message("vdot: sizes differ; ", a.shape(), " and ", b.shape()));
  }
  const dtype type = a.dtype();
  if (type.is_complex() && type == b.dtype() && a.device().is_cpu() && b.device().is_cpu()) {
    const ndarray x = internal::contiguous(a), y = internal::contiguous(b);
    const ndarray result = internal::make_array("vdot", {}, type, a.device());
    internal::cpu::passes().conjugate_dot(type, static_cast<const char*>(x.elements()),
                                          static_cast<const char*>(y.elements()), a.size(),
                                          static_cast<char*>(result.elements()));
    return result;
  }
  const ndarray first = a.dtype().is_complex() ? conjugate(a.ravel()) : a.ravel();
  return dot_arrays("vdot", first, b.ravel(), {});
}

ndarray inner(const ndarray& a, const ndarray& b) {
  internal::product_dtype("inner", a, b);
  if (a.ndim() == 0 || b.ndim() == 0) return scaled("inner", a, b, {});
  const Shape left = a.shape(), right = b.shape();
  const std::int64_t k = left.back();
  if (right.back() != k) throw_inner("inner", a, b);
  if (right.ndim() == 1) return dot_arrays("inner", a, b, {});
  const std::int64_t n = product_of(right, 0, right.ndim() - 1);
  const ndarray product = dot_arrays("inner", a, as_matrix(b, n, k).T(), {});
  if (right.ndim() == 2) return product;
  Shape shape;
  for (int axis = 0; axis < left.ndim() - 1; ++axis) shape.push_back(left[axis]);
  for (int axis = 0; axis < right.ndim() - 1; ++axis) shape.push_back(right[axis]);
  return product.reshape(shape);
}

ndarray outer(const ndarray& a, const ndarray& b, const ndarray& out) {
  internal::product_dtype("outer", a, b);
  return multiply(a.reshape({a.size(), 1}), b.reshape({1, b.size()}), {.out = out});
}

ndarray tensordot(const ndarray& a, const ndarray& b, internal::Int axes) {
  internal::product_dtype("tensordot", a, b);
  Shape last, first;
  for (int i = 0; i < axes; ++i) {
    last.push_back(i - axes);
    first.push_back(i);
  }
  const auto list = [](const Shape& shape) {
    return std::vector<std::int64_t>(shape.begin(), shape.end());
  };
  return tensordot(a, b, list(last), list(first));
}

ndarray tensordot(const ndarray& a, const ndarray& b, const Axes& axes_a, const Axes& axes_b) {
  const char* operation = "tensordot";
  internal::product_dtype(operation, a, b);
  const Shape left = a.shape(), right = b.shape();
  if (axes_a.list().ndim() != axes_b.list().ndim()) {
    throw ShapeError(message(operation, ": lists of axes differ in length: ", axes_a.list(),
                             " and ", axes_b.list()));
  }
  const Shape from_a = normalized(operation, axes_a.list(), left.ndim());
  const Shape from_b = normalized(operation, axes_b.list(), right.ndim());
  const Shape contracted = selected(left, from_a);
  if (!(contracted == selected(right, from_b))) {
    throw ShapeError(message(operation, ": contracted axes differ: ", left, " over ", from_a,
                             " and ", right, " over ", from_b));
  }
  const Shape rest_a = others(operation, from_a, left.ndim());
  const Shape rest_b = others(operation, from_b, right.ndim());
  const Shape rows = selected(left, rest_a), columns = selected(right, rest_b);
  const std::int64_t k = contracted.element_count();
  const ndarray x = as_matrix(a.transpose(joined(rest_a, from_a)), rows.element_count(), k);
  const ndarray y = as_matrix(b.transpose(joined(from_b, rest_b)), k, columns.element_count());
  return dot_arrays(operation, x, y, {}).reshape(joined(rows, columns));
}

void internal::throw_axes_lists(std::size_t count) {
  throw ValueError(message("tensordot: takes two lists of axes; ", count));
}

ndarray internal::tensordot_to(const ndarray& product, const ndarray& out) {
  return deliver_to("tensordot", product, out);
}

ndarray trace(const ndarray& a, internal::Int offset, internal::Int axis1, internal::Int axis2,
              const TraceOptions& options) {
  internal::check_not_none("trace", a);
  if (a.ndim() < 2) throw ShapeError(message("trace: needs two axes; the shape is ", a.shape()));
  const int first = normalize_axis("trace", axis1, a.ndim());
  const int second = normalize_axis("trace", axis2, a.ndim());
  if (first == second) {
    throw ValueError(message("trace: the axes are the same; ", axis1, " and ", axis2));
  }
  return sum(a.diagonal(offset, first, second), -1, {.dtype = options.dtype, .out = options.out});
}

// Of lists.

ndarray dot(const ArrayLike& a, const ArrayLike& b, const ndarray& out) {
  return dot(a.beside(b), b.beside(a), out);
}

ndarray matmul(const ArrayLike& a, const ArrayLike& b, const ndarray& out) {
  return matmul(a.beside(b), b.beside(a), out);
}

ndarray vdot(const ArrayLike& a, const ArrayLike& b) { return vdot(a.beside(b), b.beside(a)); }

ndarray inner(const ArrayLike& a, const ArrayLike& b) { return inner(a.beside(b), b.beside(a)); }

ndarray outer(const ArrayLike& a, const ArrayLike& b, const ndarray& out) {
  return outer(a.beside(b), b.beside(a), out);
}

ndarray tensordot(const ArrayLike& a, const ArrayLike& b, internal::Int axes) {
  return tensordot(a.beside(b), b.beside(a), axes);
}

}  // namespace cupyxx
