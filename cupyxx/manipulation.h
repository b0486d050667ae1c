// SPDX-License-Identifier: MIT
// Changing shapes and joining arrays. NumPy's chapter "Array manipulation routines". Results are
// views of the argument where NumPy's are.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/array_tuple.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// The attributes as functions: `shape({{1, 2}, {3, 4}})`, `ndim(a)`, `size(a)`, and the extent of
/// one axis, `size(a, 0)`.
inline Shape shape(const Operand& a) { return internal::as_array(a).shape(); }
inline int ndim(const Operand& a) { return internal::as_array(a).ndim(); }
/// Python's len: the extent of the first axis; throws TypeError for a 0-d array.
inline std::int64_t len(const ndarray& a) { return a.len(); }
inline std::int64_t size(const Operand& a) { return internal::as_array(a).size(); }
inline std::int64_t size(const Operand& a, internal::Int axis) {
  const ndarray x = internal::as_array(a);
  return x.is_none() ? x.size() : x.shape(axis);  // an error that names size
}

/// The same elements in another shape; one extent may be -1. Copies only where it must.
CUPYXX_API ndarray reshape(const ndarray& a, const Shape& shape);
/// The same with the elements read and written in an order: C, F or A. Throws ValueError for K.
CUPYXX_API ndarray reshape(const ndarray& a, const Shape& shape, Choice<Order> order);
/// The elements in one axis; copies only where it must.
CUPYXX_API ndarray ravel(const ndarray& a, Choice<Order> order = Order::C);
template <std::same_as<OrderOptions> O = OrderOptions>
ndarray reshape(const ArrayLike& a, const Shape& shape, const O& options) {
  return reshape(a.array(), shape, options.order);
}
template <std::same_as<OrderOptions> O = OrderOptions>
ndarray ravel(const ArrayLike& a, const O& options) {
  return ravel(a.array(), options.order);
}
/// Reverses the axes, or permutes them.
CUPYXX_API ndarray transpose(const ndarray& a);
CUPYXX_API ndarray transpose(const ndarray& a, const Shape& axes);
CUPYXX_API ndarray swapaxes(const ndarray& a, internal::Int axis1, internal::Int axis2);
/// Moves `axis` back until it stands before `start`.
CUPYXX_API ndarray rollaxis(const ndarray& a, internal::Int axis, internal::Int start = 0);
/// Options of rollaxis.
struct RollaxisOptions {
  int start = 0;
};
template <std::same_as<RollaxisOptions> O = RollaxisOptions>
ndarray rollaxis(const ndarray& a, internal::Int axis, const O& options) {
  return rollaxis(a, axis, options.start);
}
/// Axes of extent 1 at places of the result.
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
requires(sizeof...(A) != 0) ArrayTuple<1 + sizeof...(A)> atleast_1d(const ndarray& a,
                                                                    const A&... others) {
  return {atleast_1d(a), atleast_1d(others)...};
}
template <std::convertible_to<ndarray>... A>
requires(sizeof...(A) != 0) ArrayTuple<1 + sizeof...(A)> atleast_2d(const ndarray& a,
                                                                    const A&... others) {
  return {atleast_2d(a), atleast_2d(others)...};
}
template <std::convertible_to<ndarray>... A>
requires(sizeof...(A) != 0) ArrayTuple<1 + sizeof...(A)> atleast_3d(const ndarray& a,
                                                                    const A&... others) {
  return {atleast_3d(a), atleast_3d(others)...};
}
/// Of lists and numbers: `atleast_2d({1, 2})`, `atleast_1d(3.0)`.
inline ndarray atleast_1d(const Operand& a) { return atleast_1d(internal::as_array(a)); }
inline ndarray atleast_2d(const Operand& a) { return atleast_2d(internal::as_array(a)); }
inline ndarray atleast_3d(const Operand& a) { return atleast_3d(internal::as_array(a)); }

/// A read-only view of another shape by NumPy's broadcasting.
CUPYXX_API ndarray broadcast_to(const ndarray& a, const Shape& shape);
/// Read-only views of all arguments in their common shape.
CUPYXX_API Arrays broadcast_arrays(std::span<const ndarray> arrays);
inline Arrays broadcast_arrays(std::initializer_list<ndarray> arrays) {
  return broadcast_arrays(internal::as_span(arrays));
}
template <std::convertible_to<ndarray>... A>
requires(sizeof...(A) != 0 && !(internal::is_term<A> || ...))
    ArrayTuple<sizeof...(A)> broadcast_arrays(const A&... arrays) {
  return internal::tuple_of<sizeof...(A)>(broadcast_arrays({ndarray(arrays)...}));
}

/// The shape to which all given ones broadcast. Throws ShapeError where they do not.
CUPYXX_API Shape broadcast_shapes(std::span<const Shape> shapes);
inline Shape broadcast_shapes(std::initializer_list<Shape> shapes) {
  return broadcast_shapes(internal::as_span(shapes));
}
/// Of the shapes of a call: `broadcast_shapes({6, 7}, {5, 6, 1}, {7})`.
inline Shape broadcast_shapes(const Shape& a, const Shape& b) { return broadcast_shapes({a, b}); }
inline Shape broadcast_shapes(const Shape& a, const Shape& b, const Shape& c) {
  return broadcast_shapes({a, b, c});
}
inline Shape broadcast_shapes(const Shape& a, const Shape& b, const Shape& c, const Shape& d) {
  return broadcast_shapes({a, b, c, d});
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
      : broadcast(internal::as_span(arrays)) {}
  template <std::convertible_to<ndarray>... A>
  requires(sizeof...(A) != 0) explicit broadcast(const A&... arrays)
      : broadcast({ndarray(arrays)...}) {}
  const Shape& shape() const { return shape_; }
  int nd() const { return shape_.ndim(); }
  std::int64_t size() const { return shape_.element_count(); }
  const Arrays& values() const& { return values_; }
  Arrays values() && { return std::move(values_); }

 private:
  Shape shape_;
  Arrays values_;
};

/// Of lists: `reshape({1, 2, 3, 4}, {2, 2})`, `transpose({{1, 2}, {3, 4}})`.
CUPYXX_API ndarray reshape(const ArrayLike& a, const Shape& shape);
CUPYXX_API ndarray transpose(const ArrayLike& a);
inline ndarray transpose(const ArrayLike& a, const Shape& axes) {
  return transpose(a.array(), axes);
}
CUPYXX_API ndarray broadcast_to(const ArrayLike& a, const Shape& shape);
inline ndarray ravel(const ArrayLike& a, Choice<Order> order = Order::C) {
  return ravel(a.array(), order);
}
inline ndarray swapaxes(const ArrayLike& a, internal::Int axis1, internal::Int axis2) {
  return swapaxes(a.array(), axis1, axis2);
}
inline ndarray expand_dims(const ArrayLike& a, const Axes& axes) {
  return expand_dims(a.array(), axes);
}
inline ndarray squeeze(const ArrayLike& a, const Axes& axes = {}) {
  return squeeze(a.array(), axes);
}

/// Options of copyto.
struct CopytoOptions {
  Choice<Casting> casting = Casting::same_kind;
  MaskOption where = {};
};
/// Writes `src`, broadcast, into `dst`. Arrays on different devices are copied across.
CUPYXX_API void copyto(const ndarray& dst, const Operand& src, const CopytoOptions& options = {});

/// Options of concatenate and stack.
struct JoinOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  cupyxx::dtype dtype = {};
  Choice<Casting> casting = Casting::same_kind;
};
/// Options of vstack and hstack.
struct StackOptions {
  ndarray out = {};
  cupyxx::dtype dtype = {};
  Choice<Casting> casting = Casting::same_kind;
};
/// Joins arrays along an existing axis.
CUPYXX_API ndarray concatenate(std::span<const ndarray> arrays, internal::Int axis = 0);
inline ndarray concatenate(std::initializer_list<internal::ListedArray> arrays,
                           internal::Int axis = 0) {
  return concatenate(internal::as_span(arrays), axis);
}
/// The same with options; without an axis the flattened arrays are joined.
CUPYXX_API ndarray concatenate(std::span<const ndarray> arrays, const Axes& axis,
                               const JoinOptions& options);
inline ndarray concatenate(std::initializer_list<internal::ListedArray> arrays, const Axes& axis,
                           const JoinOptions& options) {
  return concatenate(internal::as_span(arrays), axis, options);
}
/// NumPy's `axis=None`: the flattened arrays.
template <std::same_as<None> N>
ndarray concatenate(std::initializer_list<internal::ListedArray> arrays, const N& axis) {
  return concatenate(internal::as_span(arrays), axis, JoinOptions{});
}
template <std::same_as<None> N>
ndarray concatenate(std::span<const ndarray> arrays, const N& axis) {
  return concatenate(arrays, axis, JoinOptions{});
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray concatenate(std::span<const ndarray> arrays, O options) {
  return concatenate(arrays, internal::take_axis(options.axis, 0), options);
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray concatenate(std::initializer_list<internal::ListedArray> arrays, const O& options) {
  return concatenate(internal::as_span(arrays), options);
}
/// Joins the arrays of a call along the first axis.
template <internal::PlainArray A, internal::PlainArray... More>
ndarray concatenate(const ndarray& first, const A& second, const More&... more) {
  return concatenate({first, second, more...}, 0);
}
/// Joins arrays along a new axis.
CUPYXX_API ndarray stack(std::span<const ndarray> arrays, internal::Int axis = 0);
CUPYXX_API ndarray stack(std::span<const ndarray> arrays, internal::Int axis,
                         const JoinOptions& options);
inline ndarray stack(std::initializer_list<internal::ListedArray> arrays, internal::Int axis = 0) {
  return stack(internal::as_span(arrays), axis);
}
inline ndarray stack(std::initializer_list<internal::ListedArray> arrays, internal::Int axis,
                     const JoinOptions& options) {
  return stack(internal::as_span(arrays), axis, options);
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray stack(std::span<const ndarray> arrays, O options) {
  return stack(arrays, internal::take_axis("stack", options.axis, 0), options);
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray stack(std::initializer_list<internal::ListedArray> arrays, const O& options) {
  return stack(internal::as_span(arrays), options);
}
/// Of a tuple of arrays, which is an array of them: `transpose(nonzero(a))` has a row per element.
template <std::derived_from<std::vector<ndarray>> V>
ndarray transpose(const V& arrays) {
  return transpose(stack(arrays));
}
CUPYXX_API ndarray column_stack(std::span<const ndarray> arrays);
/// Joins rows, and what has more axes along the first one.
CUPYXX_API ndarray vstack(std::span<const ndarray> arrays, const StackOptions& options = {});
/// Joins along the second axis, 1-D arrays along their own.
CUPYXX_API ndarray hstack(std::span<const ndarray> arrays, const StackOptions& options = {});
CUPYXX_API ndarray dstack(std::span<const ndarray> arrays);
inline ndarray column_stack(std::initializer_list<internal::ListedArray> arrays) {
  return column_stack(internal::as_span(arrays));
}
inline ndarray vstack(std::initializer_list<internal::ListedArray> arrays,
                      const StackOptions& options = {}) {
  return vstack(internal::as_span(arrays), options);
}
inline ndarray hstack(std::initializer_list<internal::ListedArray> arrays,
                      const StackOptions& options = {}) {
  return hstack(internal::as_span(arrays), options);
}
/// NumPy's other name of vstack.
inline ndarray row_stack(std::span<const ndarray> arrays, const StackOptions& options = {}) {
  return vstack(arrays, options);
}
inline ndarray row_stack(std::initializer_list<internal::ListedArray> arrays,
                         const StackOptions& options = {}) {
  return vstack(internal::as_span(arrays), options);
}
inline ndarray dstack(std::initializer_list<internal::ListedArray> arrays) {
  return dstack(internal::as_span(arrays));
}
// The arrays of a call, as concatenate has them: `vstack(a, b)`.
template <internal::PlainArray A, internal::PlainArray... More>
ndarray stack(const ndarray& first, const A& second, const More&... more) {
  return stack({first, second, more...});
}
template <internal::PlainArray A, internal::PlainArray... More>
ndarray vstack(const ndarray& first, const A& second, const More&... more) {
  return vstack({first, second, more...});
}
template <internal::PlainArray A, internal::PlainArray... More>
ndarray hstack(const ndarray& first, const A& second, const More&... more) {
  return hstack({first, second, more...});
}
template <internal::PlainArray A, internal::PlainArray... More>
ndarray dstack(const ndarray& first, const A& second, const More&... more) {
  return dstack({first, second, more...});
}
template <internal::PlainArray A, internal::PlainArray... More>
ndarray column_stack(const ndarray& first, const A& second, const More&... more) {
  return column_stack({first, second, more...});
}

namespace internal {  // those along the first axis
CUPYXX_API std::vector<ndarray> parts_of(const char* operation, const ndarray& a);
}  // namespace internal
/// Of the parts of one array along its first axis, as Python sees it: `vstack(a)`.
template <internal::PlainArray A>
ndarray concatenate(const A& a, const JoinOptions& options = {}) {
  return concatenate(internal::parts_of("concatenate", a), options);
}
template <internal::PlainArray A>
ndarray stack(const A& a, const JoinOptions& options = {}) {
  return stack(internal::parts_of("stack", a), options);
}
template <internal::PlainArray A, internal::AxisNumber I>
ndarray concatenate(const A& a, I axis) {
  return concatenate(internal::parts_of("concatenate", a), axis);
}
template <internal::PlainArray A, internal::AxisNumber I>
ndarray stack(const A& a, I axis) {
  return stack(internal::parts_of("stack", a), axis);
}
template <internal::PlainArray A>
ndarray vstack(const A& a, const StackOptions& options = {}) {
  return vstack(internal::parts_of("vstack", a), options);
}
template <internal::PlainArray A>
ndarray row_stack(const A& a, const StackOptions& options = {}) {
  return vstack(a, options);
}
template <internal::PlainArray A>
ndarray hstack(const A& a, const StackOptions& options = {}) {
  return hstack(internal::parts_of("hstack", a), options);
}
template <internal::PlainArray A>
ndarray dstack(const A& a) {
  return dstack(internal::parts_of("dstack", a));
}
template <internal::PlainArray A>
ndarray column_stack(const A& a) {
  return column_stack(internal::parts_of("column_stack", a));
}

// What NumPy has in tuples and lists stands in braces: `reshape(a, {2, 3})`, `flip(a, {0, 1})`,
// `concatenate({a, b}, 1)`.
template <internal::AxisNumber I, std::same_as<I>... More>
void reshape(const ArrayLike& a, I write_the_shape_in_braces, I, More...) = delete;
template <internal::AxisNumber I, std::same_as<I>... More>
void broadcast_to(const ArrayLike& a, I write_the_shape_in_braces, I, More...) = delete;
template <internal::AxisNumber I, std::same_as<I>... More>
void transpose(const ArrayLike& a, I write_the_axes_in_braces, I, More...) = delete;
template <internal::AxisNumber I, std::same_as<I>... More>
void expand_dims(const ArrayLike& a, I write_the_axes_in_braces, I, More...) = delete;
template <internal::AxisNumber I, std::same_as<I>... More>
void squeeze(const ArrayLike& a, I write_the_axes_in_braces, I, More...) = delete;
template <internal::AxisNumber I, std::same_as<I>... More>
void flip(const ArrayLike& a, I write_the_axes_in_braces, I, More...) = delete;
template <std::derived_from<ndarray> A, std::derived_from<ndarray> B, internal::AxisNumber I>
void concatenate(const A&, const B& write_the_arrays_in_braces, I) = delete;
template <std::derived_from<ndarray> A, std::derived_from<ndarray> B, internal::AxisNumber I>
void stack(const A&, const B& write_the_arrays_in_braces, I) = delete;

/// Of lists of numbers, also beside arrays: `concatenate({a, {5, 6}})`, `vstack({{1, 2}, {3, 4}})`.
CUPYXX_API ndarray concatenate(const internal::MixedList& arrays, internal::Int axis = 0);
CUPYXX_API ndarray stack(const internal::MixedList& arrays, internal::Int axis = 0);
CUPYXX_API ndarray vstack(const internal::MixedList& arrays);
CUPYXX_API ndarray hstack(const internal::MixedList& arrays);
CUPYXX_API ndarray dstack(const internal::MixedList& arrays);
CUPYXX_API ndarray column_stack(const internal::MixedList& arrays);

namespace internal {
/// Throws TypeError for other than integers, ValueError for several axes.
CUPYXX_API std::vector<std::int64_t> section_positions(const ndarray& indices);
}  // namespace internal

/// How an axis is cut: into equal parts, or before the given positions; without any, the whole is
/// the only part.
class Sections {
 public:
  Sections() : is_list_(true) {}
  // Templates for the reason given at Shape.
  template <internal::ExtentNumber I>
  Sections(I count) : count_(static_cast<std::int64_t>(count)) {}  // NOLINT
  template <internal::NoInteger F>
  Sections(F a_count_is_an_integer) = delete;  // NOLINT(google-explicit-constructor)
  template <internal::AxisNumbers V>
  Sections(const V& indices)  // NOLINT(google-explicit-constructor)
      : is_list_(true), indices_(indices.begin(), indices.end()) {}
  /// The positions in an array of integers. Synchronises.
  template <std::derived_from<ndarray> A>
  Sections(const A& indices)  // NOLINT(google-explicit-constructor)
      : is_list_(true), indices_(internal::section_positions(indices)) {}
  bool is_list() const { return is_list_; }
  /// Number of equal parts; 0 when positions are given.
  std::int64_t count() const { return count_; }
  const std::vector<std::int64_t>& indices() const { return indices_; }

 private:
  bool is_list_ = false;
  std::int64_t count_ = 0;
  std::vector<std::int64_t> indices_;
};

namespace internal {
CUPYXX_API Sections sections(std::initializer_list<std::int64_t> indices);
}  // namespace internal

/// Views of the parts; `split` throws ValueError for parts of unequal length, `array_split` makes
/// the first ones longer.
CUPYXX_API Arrays split(const ndarray& a, const Sections& sections, internal::Int axis = 0);
template <std::same_as<AxisOptions> O = AxisOptions>
Arrays split(const ndarray& a, const Sections& sections, O options) {
  return split(a, sections, internal::take_axis("split", options.axis, 0));
}
inline Arrays split(const ndarray& a, std::initializer_list<std::int64_t> indices,
                    internal::Int axis = 0) {
  return split(a, internal::sections(indices), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
Arrays split(const ndarray& a, std::initializer_list<std::int64_t> indices, O options) {
  return split(a, internal::sections(indices), options);
}
CUPYXX_API Arrays array_split(const ndarray& a, const Sections& sections, internal::Int axis = 0);
template <std::same_as<AxisOptions> O = AxisOptions>
Arrays array_split(const ndarray& a, const Sections& sections, O options) {
  return array_split(a, sections, internal::take_axis("array_split", options.axis, 0));
}
inline Arrays array_split(const ndarray& a, std::initializer_list<std::int64_t> indices,
                          internal::Int axis = 0) {
  return array_split(a, internal::sections(indices), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
Arrays array_split(const ndarray& a, std::initializer_list<std::int64_t> indices, O options) {
  return array_split(a, internal::sections(indices), options);
}
CUPYXX_API Arrays vsplit(const ndarray& a, const Sections& sections);
inline Arrays vsplit(const ndarray& a, std::initializer_list<std::int64_t> indices) {
  return vsplit(a, internal::sections(indices));
}
CUPYXX_API Arrays hsplit(const ndarray& a, const Sections& sections);
inline Arrays hsplit(const ndarray& a, std::initializer_list<std::int64_t> indices) {
  return hsplit(a, internal::sections(indices));
}
CUPYXX_API Arrays dsplit(const ndarray& a, const Sections& sections);
inline Arrays dsplit(const ndarray& a, std::initializer_list<std::int64_t> indices) {
  return dsplit(a, internal::sections(indices));
}

// ---- The same elements in another order. NumPy's chapter "Rearranging elements".

/// A view with the order along axes reversed; without axes, along all.
CUPYXX_API ndarray flip(const ndarray& a, const Axes& axes = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray flip(const ArrayLike& a, O options) {
  return flip(a.array(), internal::take_axis(options.axis));
}
/// A view with the columns reversed; throws ShapeError for less than two axes.
CUPYXX_API ndarray fliplr(const ndarray& a);
/// A view with the rows reversed; throws ShapeError for a 0-d array.
CUPYXX_API ndarray flipud(const ndarray& a);
/// A view turned by 90 degrees `k` times, from the first of two axes towards the second.
CUPYXX_API ndarray rot90(const ndarray& a, internal::Int k, internal::Int axis1,
                         internal::Int axis2);
/// The two axes as in NumPy: `rot90(a, 1, {1, 2})`. Throws ValueError for another number of them.
CUPYXX_API ndarray rot90(const ndarray& a, internal::Int k = 1, const Shape& axes = {0, 1});
/// Options of rot90.
struct Rot90Options {
  int k = 1;
  Shape axes = {0, 1};
};
template <std::same_as<Rot90Options> O = Rot90Options>
ndarray rot90(const ArrayLike& a, const O& options) {
  return rot90(a.array(), options.k, options.axes);
}

/// A copy in which what leaves one end of an axis comes in at the other. Without axes the flattened
/// array rolls.
CUPYXX_API ndarray roll(const ndarray& a, internal::Int64 shift, const Axes& axes = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray roll(const ArrayLike& a, internal::Int64 shift, O options) {
  return roll(a.array(), shift, internal::take_axis(options.axis));
}
namespace internal {
CUPYXX_API ndarray roll_each(const ndarray& a, const Shape& shifts, const Axes& axes);
}  // namespace internal
/// Each axis by its own shift.
template <internal::AxisNumbers V>
ndarray roll(const ndarray& a, const V& shifts, const Axes& axes = {}) {
  return internal::roll_each(a, shifts, axes);
}
template <internal::AxisNumber I>
ndarray roll(const ndarray& a, std::initializer_list<I> shifts, const Axes& axes = {}) {
  return internal::roll_each(a, internal::shape_of(shifts), axes);
}
template <internal::AxisNumber I, std::same_as<AxisOptions> O = AxisOptions>
ndarray roll(const ndarray& a, std::initializer_list<I> shifts, O options) {
  return roll(a, internal::shape_of(shifts), internal::take_axis(options.axis));
}

/// Of lists: `flip({1, 2, 3})`, `roll({1, 2, 3}, 1)`, `rot90({{1, 2}, {3, 4}})`.
CUPYXX_API ndarray flip(const ArrayLike& a, const Axes& axes = {});
CUPYXX_API ndarray roll(const ArrayLike& a, internal::Int64 shift, const Axes& axes = {});
CUPYXX_API ndarray rot90(const ArrayLike& a, internal::Int k = 1);
inline ndarray fliplr(const ArrayLike& a) { return fliplr(a.array()); }
inline ndarray flipud(const ArrayLike& a) { return flipud(a.array()); }

/// A view with axes moved to other places; the others keep their order.
CUPYXX_API ndarray moveaxis(const ndarray& a, const Shape& source, const Shape& destination);

}  // namespace cupyxx

#include "cupyxx/editing.h"
#include "cupyxx/tiling.h"
