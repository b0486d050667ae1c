// SPDX-License-Identifier: MIT
// Picking elements. NumPy's chapter "Indexing routines".
#pragma once

#include <cstdint>
#include <initializer_list>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// What happens to an index outside of its axis.
enum class IndexMode : std::uint8_t {
  raise,  ///< IndexError; on a device at the next synchronising call
  wrap,   ///< taken modulo the extent
  clip,   ///< moved to the nearest end
};

/// Options of take.
struct TakeOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  IndexMode mode = IndexMode::raise;
};

/// Elements of the flattened array at `indices`.
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices);
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices, const TakeOptions& options);
/// Slices of `a` along `axis` at `indices`.
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices, int axis,
                        const TakeOptions& options = {});
namespace internal {
/// Positions beside an array: a number as a 0-d array, or a list.
CUPYXX_API ndarray position_beside(const char* operation, const ndarray& a, std::int64_t index);
CUPYXX_API ndarray positions_beside(const char* operation, const ndarray& a,
                                    std::initializer_list<std::int64_t> indices);
}  // namespace internal
/// The same by numbers: `take(a, 3)` is one element, `take(a, {0, 2}, 1)` two columns.
template <internal::AxisNumber I>
ndarray take(const ndarray& a, I index) {
  return take(a, internal::position_beside("take", a, index));
}
template <internal::AxisNumber I>
ndarray take(const ndarray& a, I index, const TakeOptions& options) {
  return take(a, internal::position_beside("take", a, index), options);
}
template <internal::AxisNumber I>
ndarray take(const ndarray& a, I index, int axis, const TakeOptions& options = {}) {
  return take(a, internal::position_beside("take", a, index), axis, options);
}
inline ndarray take(const ndarray& a, std::initializer_list<std::int64_t> indices) {
  return take(a, internal::positions_beside("take", a, indices));
}
inline ndarray take(const ndarray& a, std::initializer_list<std::int64_t> indices,
                    const TakeOptions& options) {
  return take(a, internal::positions_beside("take", a, indices), options);
}
inline ndarray take(const ndarray& a, std::initializer_list<std::int64_t> indices, int axis,
                    const TakeOptions& options = {}) {
  return take(a, internal::positions_beside("take", a, indices), axis, options);
}
/// `x` where the condition holds and `y` elsewhere.
CUPYXX_API ndarray where(const ndarray& condition, const Operand& x, const Operand& y);
/// A view of the diagonals of the planes of two axes, as the last axis. It writes through where
/// `a` may be written to, as CuPy's.
CUPYXX_API ndarray diagonal(const ndarray& a, int offset = 0, int axis1 = 0, int axis2 = 1);

}  // namespace cupyxx
