// SPDX-License-Identifier: MIT
// Where an index list with arrays points: rows of a transposed view.
#pragma once

#include <span>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

struct Places {
  ndarray view;     // of the indexed array: the axes that arrays index first, then the others
  int indexed = 0;  // how many axes come first
  ndarray rows;     // int64: numbers of rows in the C order of the first axes
  int front = 0;    // how many of the other axes stand before those of `rows` in the result

  /// The extents of the axes that arrays do not index.
  Shape rest() const;
  /// Product of the first axes' extents.
  std::int64_t row_count() const;
};

/// Whether an index list holds an array.
bool has_arrays(std::span<const Index> index);

/// Applies NumPy's rules. Throws IndexError naming `operation`; an integer that is out of range on
/// a device is reported by the gather ("getitem"), and at once for other operations. Masks
/// synchronise.
Places find_places(const char* operation, const ndarray& base, std::span<const Index> index);

/// The rows with numbers `rows`: axes of `rows`, then the rest.
ndarray gather(const Places& places, const ndarray& rows);

/// Writes values[i] to row rows[i], the last of several wins. `rows` has one axis, `values` the
/// dtype of the view and the shape (rows, rest...).
void scatter(const char* operation, const Places& places, const ndarray& rows,
             const ndarray& values);

/// Moves the axes of the rows from the front to their place in the result, or back.
ndarray to_result(const Places& places, const ndarray& rows_first);
ndarray from_result(const Places& places, const ndarray& result);

}  // namespace cupyxx::internal
