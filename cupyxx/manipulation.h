// SPDX-License-Identifier: MIT
// Changing shapes and joining arrays. NumPy's chapter "Array manipulation routines". Results are
// views of the argument where NumPy's are.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// The same elements in another shape; one extent may be -1. Copies only where it must.
CUPYXX_API ndarray reshape(const ndarray& a, const Shape& shape);
/// The same with the elements read and written in an order: C, F or A. Throws ValueError for K.
CUPYXX_API ndarray reshape(const ndarray& a, const Shape& shape, Order order);
/// The elements in one axis; copies only where it must.
CUPYXX_API ndarray ravel(const ndarray& a, Order order = Order::C);
/// Reverses the axes, or permutes them.
CUPYXX_API ndarray transpose(const ndarray& a);
CUPYXX_API ndarray transpose(const ndarray& a, const Shape& axes);
CUPYXX_API ndarray swapaxes(const ndarray& a, int axis1, int axis2);
/// Moves `axis` back until it stands before `start`.
CUPYXX_API ndarray rollaxis(const ndarray& a, int axis, int start = 0);
CUPYXX_API ndarray expand_dims(const ndarray& a, int axis);
/// Axes of extent 1 at several places of the result.
CUPYXX_API ndarray expand_dims(const ndarray& a, const Axes& axes);
/// Drops axes of extent 1; throws ValueError for another extent.
CUPYXX_API ndarray squeeze(const ndarray& a, const Axes& axes = {});
CUPYXX_API ndarray atleast_1d(const ndarray& a);
CUPYXX_API ndarray atleast_2d(const ndarray& a);
CUPYXX_API ndarray atleast_3d(const ndarray& a);

/// A read-only view of another shape by NumPy's broadcasting.
CUPYXX_API ndarray broadcast_to(const ndarray& a, const Shape& shape);
/// Read-only views of all arguments in their common shape.
CUPYXX_API std::vector<ndarray> broadcast_arrays(std::span<const ndarray> arrays);

/// The shape to which all given ones broadcast. Throws ShapeError where they do not.
CUPYXX_API Shape broadcast_shapes(std::span<const Shape> shapes);
inline Shape broadcast_shapes(std::initializer_list<Shape> shapes) {
  return broadcast_shapes(std::span(shapes.begin(), shapes.size()));
}

/// Whether the bytes of two arrays lie so that they may overlap; their elements need not.
CUPYXX_API bool may_share_memory(const ndarray& a, const ndarray& b);
/// Whether an array is Fortran-contiguous and not C-contiguous as well.
CUPYXX_API bool isfortran(const ndarray& a);

/// The common shape of several arrays and the arrays in that shape.
class CUPYXX_API broadcast {
 public:
  explicit broadcast(std::span<const ndarray> arrays);
  explicit broadcast(std::initializer_list<ndarray> arrays)
      : broadcast(std::span(arrays.begin(), arrays.size())) {}
  const Shape& shape() const { return shape_; }
  int nd() const { return shape_.ndim(); }
  std::int64_t size() const { return shape_.element_count(); }
  const std::vector<ndarray>& values() const { return values_; }

 private:
  Shape shape_;
  std::vector<ndarray> values_;
};

/// Options of copyto.
struct CopytoOptions {
  Casting casting = Casting::same_kind;
  ndarray where = {};
};
/// Writes `src`, broadcast, into `dst`. Arrays on different devices are copied across.
CUPYXX_API void copyto(const ndarray& dst, const Operand& src, const CopytoOptions& options = {});

/// Options of concatenate, stack, vstack and hstack.
struct JoinOptions {
  ndarray out = {};
  cupyxx::dtype dtype = {};
  Casting casting = Casting::same_kind;
};
/// Joins arrays along an existing axis.
CUPYXX_API ndarray concatenate(std::span<const ndarray> arrays, int axis = 0);
inline ndarray concatenate(std::initializer_list<ndarray> arrays, int axis = 0) {
  return concatenate(std::span(arrays.begin(), arrays.size()), axis);
}
/// The same with options; without an axis the flattened arrays are joined.
CUPYXX_API ndarray concatenate(std::span<const ndarray> arrays, const Axes& axis,
                               const JoinOptions& options);
inline ndarray concatenate(std::initializer_list<ndarray> arrays, const Axes& axis,
                           const JoinOptions& options) {
  return concatenate(std::span(arrays.begin(), arrays.size()), axis, options);
}
/// Joins arrays along a new axis.
CUPYXX_API ndarray stack(std::span<const ndarray> arrays, int axis = 0);
CUPYXX_API ndarray stack(std::span<const ndarray> arrays, int axis, const JoinOptions& options);
inline ndarray stack(std::initializer_list<ndarray> arrays, int axis = 0) {
  return stack(std::span(arrays.begin(), arrays.size()), axis);
}
inline ndarray stack(std::initializer_list<ndarray> arrays, int axis, const JoinOptions& options) {
  return stack(std::span(arrays.begin(), arrays.size()), axis, options);
}
CUPYXX_API ndarray column_stack(std::span<const ndarray> arrays);
/// Joins rows, and what has more axes along the first one.
CUPYXX_API ndarray vstack(std::span<const ndarray> arrays, const JoinOptions& options = {});
/// Joins along the second axis, 1-D arrays along their own.
CUPYXX_API ndarray hstack(std::span<const ndarray> arrays, const JoinOptions& options = {});
CUPYXX_API ndarray dstack(std::span<const ndarray> arrays);
inline ndarray column_stack(std::initializer_list<ndarray> arrays) {
  return column_stack(std::span(arrays.begin(), arrays.size()));
}
inline ndarray vstack(std::initializer_list<ndarray> arrays, const JoinOptions& options = {}) {
  return vstack(std::span(arrays.begin(), arrays.size()), options);
}
inline ndarray hstack(std::initializer_list<ndarray> arrays, const JoinOptions& options = {}) {
  return hstack(std::span(arrays.begin(), arrays.size()), options);
}
/// NumPy's other name of vstack.
inline ndarray row_stack(std::initializer_list<ndarray> arrays, const JoinOptions& options = {}) {
  return vstack(arrays, options);
}
inline ndarray dstack(std::initializer_list<ndarray> arrays) {
  return dstack(std::span(arrays.begin(), arrays.size()));
}

/// How an axis is cut: into equal parts, or before the given positions.
class Sections {
 public:
  Sections(int count) : count_(count) {}  // NOLINT(google-explicit-constructor)
  Sections(std::initializer_list<std::int64_t> indices) : indices_(indices) {}
  Sections(std::vector<std::int64_t> indices)  // NOLINT(google-explicit-constructor)
      : indices_(std::move(indices)) {}
  /// Number of equal parts; 0 when positions are given.
  int count() const { return count_; }
  const std::vector<std::int64_t>& indices() const { return indices_; }

 private:
  int count_ = 0;
  std::vector<std::int64_t> indices_;
};

/// Views of the parts; `split` throws ValueError for parts of unequal length, `array_split` makes
/// the first ones longer.
CUPYXX_API std::vector<ndarray> split(const ndarray& a, const Sections& sections, int axis = 0);
CUPYXX_API std::vector<ndarray> array_split(const ndarray& a, const Sections& sections,
                                            int axis = 0);
CUPYXX_API std::vector<ndarray> vsplit(const ndarray& a, const Sections& sections);
CUPYXX_API std::vector<ndarray> hsplit(const ndarray& a, const Sections& sections);
CUPYXX_API std::vector<ndarray> dsplit(const ndarray& a, const Sections& sections);

}  // namespace cupyxx
