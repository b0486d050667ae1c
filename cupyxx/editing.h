// SPDX-License-Identifier: MIT
// Arrays with more or fewer elements. NumPy's chapter "Adding and removing elements".
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// A copy of `a` with `values` behind it along an axis; without an axis both are flattened.
CUPYXX_API ndarray append(const ndarray& a, const Operand& values, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray append(const ndarray& a, const Operand& values, O options) {
  return append(a, values, internal::take_axis(options.axis));
}

/// A copy without the elements, or slices along an axis, at an index, in a slice, at an array of
/// indices or under a mask; without an axis `a` is flattened. NumPy's `delete`. Throws IndexError;
/// synchronises for an array.
CUPYXX_API ndarray delete_(const ndarray& a, std::int64_t index, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray delete_(const ndarray& a, std::int64_t index, O options) {
  return delete_(a, index, internal::take_axis(options.axis));
}
CUPYXX_API ndarray delete_(const ndarray& a, const slice& range, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray delete_(const ndarray& a, const slice& range, O options) {
  return delete_(a, range, internal::take_axis(options.axis));
}
CUPYXX_API ndarray delete_(const ndarray& a, const ndarray& indices, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray delete_(const ndarray& a, const ndarray& indices, O options) {
  return delete_(a, indices, internal::take_axis(options.axis));
}

/// A copy with `values`, broadcast, before an index, or before each of a slice or of several;
/// without an axis `a` is flattened. Throws IndexError; synchronises for an array.
CUPYXX_API ndarray insert(const ndarray& a, std::int64_t index, const Operand& values,
                          const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray insert(const ndarray& a, std::int64_t index, const Operand& values, O options) {
  return insert(a, index, values, internal::take_axis(options.axis));
}
CUPYXX_API ndarray insert(const ndarray& a, const slice& range, const Operand& values,
                          const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray insert(const ndarray& a, const slice& range, const Operand& values, O options) {
  return insert(a, range, values, internal::take_axis(options.axis));
}
CUPYXX_API ndarray insert(const ndarray& a, const ndarray& indices, const Operand& values,
                          const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray insert(const ndarray& a, const ndarray& indices, const Operand& values, O options) {
  return insert(a, indices, values, internal::take_axis(options.axis));
}

/// The elements in another shape, repeated from the start where they are too few; zeros where there
/// are none.
CUPYXX_API ndarray resize(const ndarray& a, const Shape& shape);

/// A view of a 1-D array without the zeros at its front ('f') and its back ('b'). Synchronises.
CUPYXX_API ndarray trim_zeros(const ndarray& a, std::string_view trim = "fb");

/// Rows of blocks: the arrays of a row are joined along the last axis, the rows along the one
/// before it.
CUPYXX_API ndarray block(const std::vector<std::vector<ndarray>>& rows);

}  // namespace cupyxx
