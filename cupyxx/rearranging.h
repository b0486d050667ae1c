// SPDX-License-Identifier: MIT
// The same elements in another order. NumPy's chapter "Rearranging elements".
#pragma once

#include <concepts>
#include <cstdint>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// A view with the order along axes reversed; without axes, along all.
CUPYXX_API ndarray flip(const ndarray& a, const Axes& axes = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray flip(const ndarray& a, O options) {
  return flip(a, internal::take_axis(options.axis));
}
/// A view with the columns reversed; throws ShapeError for less than two axes.
CUPYXX_API ndarray fliplr(const ndarray& a);
/// A view with the rows reversed; throws ShapeError for a 0-d array.
CUPYXX_API ndarray flipud(const ndarray& a);
/// A view turned by 90 degrees `k` times, from the first of two axes towards the second.
CUPYXX_API ndarray rot90(const ndarray& a, int k = 1, int axis1 = 0, int axis2 = 1);

/// A copy in which what leaves one end of an axis comes in at the other. Without axes the flattened
/// array rolls.
CUPYXX_API ndarray roll(const ndarray& a, std::int64_t shift, const Axes& axes = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray roll(const ndarray& a, std::int64_t shift, O options) {
  return roll(a, shift, internal::take_axis(options.axis));
}
/// Each axis by its own shift.
CUPYXX_API ndarray roll(const ndarray& a, const Shape& shifts, const Axes& axes);

/// A view with axes moved to other places; the others keep their order.
CUPYXX_API ndarray moveaxis(const ndarray& a, const Shape& source, const Shape& destination);
inline ndarray moveaxis(const ndarray& a, int source, int destination) {
  return moveaxis(a, Shape{source}, Shape{destination});
}

}  // namespace cupyxx
