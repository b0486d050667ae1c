// SPDX-License-Identifier: MIT
// Where an index list with arrays points: rows of a transposed view.
#pragma once

#include <span>

#include "cupyxx/internal/scatter.h"
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

/// The mask for the axes of `base` from `axis` on: `mask` itself, or all false in their extents
/// where it has the extent 0 along an axis, which chooses nothing. Throws IndexError for other
/// extents.
ndarray fitting_mask(const char* operation, const ndarray& base, const ndarray& mask, int axis = 0);

/// Whether an index list holds an array.
bool has_arrays(std::span<const Index> index);

/// Applies NumPy's rules. Throws IndexError naming `operation`, a string that lives for ever;
/// elements of index arrays on a device that are out of range are reported at the next
/// synchronising call, and their rows are INT64_MIN. Masks synchronise.
Places find_places(const char* operation, const ndarray& base, std::span<const Index> index);

/// The rows with numbers `rows`: axes of `rows`, then the rest.
ndarray gather(const Places& places, const ndarray& rows);

/// Sorts the numbers of rows (int64, on a device) of as many as `row_count` with the places where
/// they stood; those out of range come first.
RowOrder order_rows(const char* operation, const ndarray& rows, std::int64_t row_count);

/// Writes values[i] to row rows[i], the last of several wins. `rows` has one axis, `values` the
/// dtype of the view and the shape (rows, rest...), or (rest...) where all rows are to be the same.
void scatter(const char* operation, const Places& places, const ndarray& rows,
             const ndarray& values);

/// ufunc::at; additions of floating numbers need not be in a fixed order unless `deterministic`.
void apply_at(const ufunc& f, const ndarray& a, std::span<const Index> index, const Operand& b,
              bool deterministic);

/// Moves the axes of the rows from the front to their place in the result, or back.
ndarray to_result(const Places& places, const ndarray& rows_first);
ndarray from_result(const Places& places, const ndarray& result);

}  // namespace cupyxx::internal
