// SPDX-License-Identifier: MIT
// Arrays as rows along one axis or several, for routines whose loops walk over rows.
#pragma once

#include <cstdint>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// An array with the walked axis last, C-contiguous.
struct Rows {
  ndarray array;
  int axis;            // where the last axis was
  std::int64_t count;  // of rows
  std::int64_t n;      // elements of a row
};

/// Throws TypeError, naming `operation`, for a null array, and DtypeError for a dtype without
/// loops.
void check_computable(const char* operation, const ndarray& a);
/// The rows along one axis, or the flattened array as one row for `{}`. Throws TypeError for
/// several axes, AxisError for one that is not there.
Rows rows_along(const char* operation, const ndarray& a, const Axes& axis);
/// The rows that the axes of a mask make together; the other axes keep their order.
Rows rows_over(const ndarray& a, std::uint32_t mask);
/// An array made beside `rows` as a C-contiguous array with the axis back in its place.
ndarray restore_axis(const Rows& rows, const ndarray& result);
/// The view of [begin, end) along an axis; negative bounds count from the end.
ndarray part(const ndarray& a, int axis, SliceBound begin, SliceBound end);

/// Brings a result into `out`, if there is one; throws ShapeError for another shape and DtypeError
/// for a cast that `casting` forbids.
ndarray deliver_to(const char* operation, const ndarray& result, const ndarray& out,
                   Casting casting = Casting::same_kind);

}  // namespace cupyxx::internal
