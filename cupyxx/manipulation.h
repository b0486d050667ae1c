// SPDX-License-Identifier: MIT
// Changing shapes and joining arrays. NumPy's chapter "Array manipulation routines". Results are
// views of the argument where NumPy's are.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <span>
#include <utility>
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
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray expand_dims(const ndarray& a, O options) {
  return expand_dims(a, internal::take_axis(options.axis));
}
/// Drops axes of extent 1; throws ValueError for another extent.
CUPYXX_API ndarray squeeze(const ndarray& a, const Axes& axes = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray squeeze(const ndarray& a, O options) {
  return squeeze(a, internal::take_axis(options.axis));
}
/// With one, two or three axes at least: a view. Several arrays give a vector of their views.
CUPYXX_API ndarray atleast_1d(const ndarray& a);
CUPYXX_API ndarray atleast_2d(const ndarray& a);
CUPYXX_API ndarray atleast_3d(const ndarray& a);
template <std::convertible_to<ndarray>... A>
requires(sizeof...(A) != 0) std::vector<ndarray> atleast_1d(const ndarray& a, const A&... others) {
  return {atleast_1d(a), atleast_1d(others)...};
}
template <std::convertible_to<ndarray>... A>
requires(sizeof...(A) != 0) std::vector<ndarray> atleast_2d(const ndarray& a, const A&... others) {
  return {atleast_2d(a), atleast_2d(others)...};
}
template <std::convertible_to<ndarray>... A>
requires(sizeof...(A) != 0) std::vector<ndarray> atleast_3d(const ndarray& a, const A&... others) {
  return {atleast_3d(a), atleast_3d(others)...};
}

/// A read-only view of another shape by NumPy's broadcasting.
CUPYXX_API ndarray broadcast_to(const ndarray& a, const Shape& shape);
/// Read-only views of all arguments in their common shape.
CUPYXX_API std::vector<ndarray> broadcast_arrays(std::span<const ndarray> arrays);
inline std::vector<ndarray> broadcast_arrays(std::initializer_list<ndarray> arrays) {
  return broadcast_arrays(std::span(arrays.begin(), arrays.size()));
}
template <std::convertible_to<ndarray>... A>
requires(sizeof...(A) != 0) std::vector<ndarray> broadcast_arrays(const A&... arrays) {
  return broadcast_arrays({ndarray(arrays)...});
}

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
  template <std::convertible_to<ndarray>... A>
  requires(sizeof...(A) != 0) explicit broadcast(const A&... arrays)
      : broadcast({ndarray(arrays)...}) {}
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

/// Options of concatenate and stack.
struct JoinOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  cupyxx::dtype dtype = {};
  Casting casting = Casting::same_kind;
};
/// Options of vstack and hstack.
struct StackOptions {
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
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray concatenate(std::span<const ndarray> arrays, O options) {
  return concatenate(arrays, internal::take_axis(options.axis, 0), options);
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray concatenate(std::initializer_list<ndarray> arrays, O options) {
  return concatenate(std::span(arrays.begin(), arrays.size()), std::move(options));
}
/// Joins the arrays of a call along the first axis.
template <std::derived_from<ndarray> A, std::derived_from<ndarray>... More>
ndarray concatenate(const ndarray& first, const A& second, const More&... more) {
  return concatenate({first, second, more...}, 0);
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
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray stack(std::span<const ndarray> arrays, O options) {
  return stack(arrays, internal::take_axis("stack", options.axis, 0), options);
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray stack(std::initializer_list<ndarray> arrays, O options) {
  return stack(std::span(arrays.begin(), arrays.size()), std::move(options));
}
CUPYXX_API ndarray column_stack(std::span<const ndarray> arrays);
/// Joins rows, and what has more axes along the first one.
CUPYXX_API ndarray vstack(std::span<const ndarray> arrays, const StackOptions& options = {});
/// Joins along the second axis, 1-D arrays along their own.
CUPYXX_API ndarray hstack(std::span<const ndarray> arrays, const StackOptions& options = {});
CUPYXX_API ndarray dstack(std::span<const ndarray> arrays);
inline ndarray column_stack(std::initializer_list<ndarray> arrays) {
  return column_stack(std::span(arrays.begin(), arrays.size()));
}
inline ndarray vstack(std::initializer_list<ndarray> arrays, const StackOptions& options = {}) {
  return vstack(std::span(arrays.begin(), arrays.size()), options);
}
inline ndarray hstack(std::initializer_list<ndarray> arrays, const StackOptions& options = {}) {
  return hstack(std::span(arrays.begin(), arrays.size()), options);
}
/// NumPy's other name of vstack.
inline ndarray row_stack(std::span<const ndarray> arrays, const StackOptions& options = {}) {
  return vstack(arrays, options);
}
inline ndarray row_stack(std::initializer_list<ndarray> arrays, const StackOptions& options = {}) {
  return vstack(arrays, options);
}
inline ndarray dstack(std::initializer_list<ndarray> arrays) {
  return dstack(std::span(arrays.begin(), arrays.size()));
}

/// How an axis is cut: into equal parts, or before the given positions; without any, the whole is
/// the only part.
class Sections {
 public:
  Sections() : is_list_(true) {}
  // Templates for the reason given at Shape.
  template <internal::AxisNumber I>
  Sections(I count) : count_(static_cast<std::int64_t>(count)) {}  // NOLINT
  template <internal::AxisNumbers V>
  Sections(const V& indices)  // NOLINT(google-explicit-constructor)
      : is_list_(true), indices_(indices.begin(), indices.end()) {}
  bool is_list() const { return is_list_; }
  /// Number of equal parts; 0 when positions are given.
  std::int64_t count() const { return count_; }
  const std::vector<std::int64_t>& indices() const { return indices_; }

 private:
  bool is_list_ = false;
  std::int64_t count_ = 0;
  std::vector<std::int64_t> indices_;
};

/// Views of the parts; `split` throws ValueError for parts of unequal length, `array_split` makes
/// the first ones longer.
CUPYXX_API std::vector<ndarray> split(const ndarray& a, const Sections& sections, int axis = 0);
template <std::same_as<AxisOptions> O = AxisOptions>
std::vector<ndarray> split(const ndarray& a, const Sections& sections, O options) {
  return split(a, sections, internal::take_axis("split", options.axis, 0));
}
inline std::vector<ndarray> split(const ndarray& a, std::initializer_list<std::int64_t> indices,
                                  int axis = 0) {
  return split(a, Sections(std::span(indices.begin(), indices.size())), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
std::vector<ndarray> split(const ndarray& a, std::initializer_list<std::int64_t> indices,
                           O options) {
  return split(a, Sections(std::span(indices.begin(), indices.size())), options);
}
CUPYXX_API std::vector<ndarray> array_split(const ndarray& a, const Sections& sections,
                                            int axis = 0);
template <std::same_as<AxisOptions> O = AxisOptions>
std::vector<ndarray> array_split(const ndarray& a, const Sections& sections, O options) {
  return array_split(a, sections, internal::take_axis("array_split", options.axis, 0));
}
inline std::vector<ndarray> array_split(const ndarray& a,
                                        std::initializer_list<std::int64_t> indices, int axis = 0) {
  return array_split(a, Sections(std::span(indices.begin(), indices.size())), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
std::vector<ndarray> array_split(const ndarray& a, std::initializer_list<std::int64_t> indices,
                                 O options) {
  return array_split(a, Sections(std::span(indices.begin(), indices.size())), options);
}
CUPYXX_API std::vector<ndarray> vsplit(const ndarray& a, const Sections& sections);
inline std::vector<ndarray> vsplit(const ndarray& a, std::initializer_list<std::int64_t> indices) {
  return vsplit(a, Sections(std::span(indices.begin(), indices.size())));
}
CUPYXX_API std::vector<ndarray> hsplit(const ndarray& a, const Sections& sections);
inline std::vector<ndarray> hsplit(const ndarray& a, std::initializer_list<std::int64_t> indices) {
  return hsplit(a, Sections(std::span(indices.begin(), indices.size())));
}
CUPYXX_API std::vector<ndarray> dsplit(const ndarray& a, const Sections& sections);
inline std::vector<ndarray> dsplit(const ndarray& a, std::initializer_list<std::int64_t> indices) {
  return dsplit(a, Sections(std::span(indices.begin(), indices.size())));
}

}  // namespace cupyxx
