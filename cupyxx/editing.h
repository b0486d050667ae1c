// SPDX-License-Identifier: MIT
// Arrays with more or fewer elements, and of blocks. NumPy's chapter "Adding and removing
// elements". Included by manipulation.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// A copy of `a` with `values` behind it along an axis; without an axis both are flattened.
CUPYXX_API ndarray append(const ndarray& a, const Operand& values, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray append(const ArrayLike& a, const Operand& values, O options) {
  return append(a.array(), values, internal::take_axis(options.axis));
}

/// Arrays in braces are stacked, one alone is itself: `append(a, {v, w}, 0)` adds two rows.
CUPYXX_API ndarray append(const ndarray& a, std::initializer_list<ndarray> values,
                          const Axes& axis = {});
/// To a number: `append(0, v)`. It lies on the device of `values`.
template <internal::ListNumber T>
ndarray append(T first, const Operand& values, const Axes& axis = {});

namespace internal {
CUPYXX_API ndarray block_row(const std::vector<ndarray>& row);
CUPYXX_API ndarray delete_range(const ndarray& a, const slice& range, const Axes& axis);
CUPYXX_API ndarray insert_range(const ndarray& a, const slice& range, const Operand& values,
                                const Axes& axis);
}  // namespace internal

/// A copy without the elements, or slices along an axis, at an index, in a slice, at an array of
/// indices or under a mask; without an axis `a` is flattened. NumPy's `delete`. Throws IndexError;
/// synchronises for an array.
CUPYXX_API ndarray delete_(const ndarray& a, internal::Int64 index, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray delete_(const ArrayLike& a, internal::Int64 index, O options) {
  return delete_(a.array(), index, internal::take_axis(options.axis));
}
// A template: a list of two numbers is no slice.
template <std::same_as<slice> S>
ndarray delete_(const ndarray& a, const S& range, const Axes& axis = {}) {
  return internal::delete_range(a, range, axis);
}
template <std::same_as<slice> S, std::same_as<AxisOptions> O = AxisOptions>
ndarray delete_(const ndarray& a, const S& range, O options) {
  return internal::delete_range(a, range, internal::take_axis(options.axis));
}
CUPYXX_API ndarray delete_(const ndarray& a, const ndarray& indices, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray delete_(const ArrayLike& a, const ndarray& indices, O options) {
  return delete_(a.array(), indices, internal::take_axis(options.axis));
}
/// The same at the numbers of a list, or without what a list of truth values marks:
/// `delete_(a, {1, 3})`.
template <internal::ListNumber T>
ndarray delete_(const ndarray& a, std::initializer_list<T> indices, const Axes& axis = {}) {
  return delete_(a, internal::list_beside(indices, a), axis);
}
template <internal::ListNumber T, std::same_as<AxisOptions> O = AxisOptions>
ndarray delete_(const ndarray& a, std::initializer_list<T> indices, O options) {
  return delete_(a, internal::list_beside(indices, a), internal::take_axis(options.axis));
}
CUPYXX_API ndarray delete_(const ArrayLike& a, const ArrayLike& indices, const Axes& axis = {});

/// A copy with `values`, broadcast, before an index, or before each of a slice or of several;
/// without an axis `a` is flattened. Throws IndexError; synchronises for an array.
CUPYXX_API ndarray insert(const ndarray& a, internal::Int64 index, const Operand& values,
                          const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray insert(const ArrayLike& a, internal::Int64 index, const Operand& values, O options) {
  return insert(a.array(), index, values, internal::take_axis(options.axis));
}
template <std::same_as<slice> S>
ndarray insert(const ndarray& a, const S& range, const Operand& values, const Axes& axis = {}) {
  return internal::insert_range(a, range, values, axis);
}
template <std::same_as<slice> S, std::same_as<AxisOptions> O = AxisOptions>
ndarray insert(const ndarray& a, const S& range, const Operand& values, O options) {
  return internal::insert_range(a, range, values, internal::take_axis(options.axis));
}
CUPYXX_API ndarray insert(const ndarray& a, const ndarray& indices, const Operand& values,
                          const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray insert(const ArrayLike& a, const ndarray& indices, const Operand& values, O options) {
  return insert(a.array(), indices, values, internal::take_axis(options.axis));
}
template <internal::ListNumber T>
ndarray insert(const ndarray& a, std::initializer_list<T> indices, const Operand& values,
               const Axes& axis = {}) {
  return insert(a, internal::list_beside(indices, a), values, axis);
}
template <internal::ListNumber T, std::same_as<AxisOptions> O = AxisOptions>
ndarray insert(const ndarray& a, std::initializer_list<T> indices, const Operand& values,
               O options) {
  return insert(a, internal::list_beside(indices, a), values, internal::take_axis(options.axis));
}
CUPYXX_API ndarray insert(const ArrayLike& a, const ArrayLike& indices, const Operand& values,
                          const Axes& axis = {});
/// To a list: `append({1, 2}, {3, 4})`.
CUPYXX_API ndarray append(const ArrayLike& a, const Operand& values, const Axes& axis = {});
template <internal::ListNumber T>
ndarray append(T first, const Operand& values, const Axes& axis) {
  const ndarray behind = internal::as_array(values);
  const ArrayValue number(first);
  return append(behind.is_none() ? number.array() : number.beside(behind), behind, axis);
}

/// The elements in another shape, repeated from the start where they are too few; zeros where there
/// are none.
CUPYXX_API ndarray resize(const ndarray& a, const Shape& shape);
CUPYXX_API ndarray resize(const ArrayLike& a, const Shape& shape);

/// A view of a 1-D array without the zeros at its front ('f') and its back ('b'). Synchronises.
CUPYXX_API ndarray trim_zeros(const ndarray& a, std::string_view trim = "fb");
CUPYXX_API ndarray trim_zeros(const ArrayLike& a, std::string_view trim = "fb");
/// Options of trim_zeros.
struct TrimOptions {
  std::string_view trim = "fb";
};
template <std::same_as<TrimOptions> O = TrimOptions>
ndarray trim_zeros(const ArrayLike& a, const O& options) {
  return trim_zeros(a.array(), options.trim);
}

/// Rows of blocks: the arrays of a row are joined along the last axis, the rows along the one
/// before it. The result has two axes at least.
CUPYXX_API ndarray block(const std::vector<std::vector<ndarray>>& rows);
CUPYXX_API ndarray block(std::initializer_list<std::initializer_list<internal::ListedArray>> rows);
template <std::derived_from<std::vector<ndarray>> V>
ndarray block(const std::vector<V>& rows) {
  return block(std::vector<std::vector<ndarray>>(rows.begin(), rows.end()));
}
/// One row of blocks without the axis of rows: `block({a, b})` joins along the last axis.
template <internal::PlainArray A>
ndarray block(std::initializer_list<A> row) {
  return internal::block_row(std::vector<ndarray>(row.begin(), row.end()));
}
template <std::derived_from<std::vector<ndarray>> V>
ndarray block(const V& row) {
  return internal::block_row(row);
}

}  // namespace cupyxx
