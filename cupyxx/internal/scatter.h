// SPDX-License-Identifier: MIT
// Rows that index arrays name: their numbers, and elements to and from them, on the host and on a
// device; and evenly spaced numbers on a device.
#pragma once

#include <cstdint>
#include <span>

#include "cupyxx/internal/op_info.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Rows of a view: its first `indexed` axes number the rows in C order.
struct RowsOf {
  const char* operation;  // lives for ever
  const ndarray* view;
  int indexed;
};

/// Numbers of rows in order, and where each stood among them.
struct RowOrder {
  ndarray rows;    // int64
  ndarray places;  // int64
};

/// An operation at places that may occur several times.
struct AtCall {
  RowsOf target;
  const ndarray* rows;  // int64, one axis
  const ndarray*
      operands;  // C-contiguous: rows x the other axes, or one row for all; null if unary
  const OpInfo* op;
  int loop;
  bool associative;    // and in the target's dtype: operands may be combined first
  bool deterministic;  // false: additions in any order
};

namespace cpu {

/// What is known of int64 indices along an axis.
struct IndexRange {
  bool inside;    // all are in [-extent, extent)
  bool negative;  // one is negative
};
/// Whether all of n indices are in [0, extent).
bool all_from_front(const std::int64_t* index, std::int64_t n, std::int64_t extent);
/// Looks at a C-contiguous array.
IndexRange index_range(const ndarray& index, std::int64_t extent);
/// Row numbers from index arrays (int64, C-contiguous) along axes of these extents, in the arrays'
/// common shape, C-contiguous; a single array that needs no change is returned itself. `axes` are
/// for messages: throws IndexError for an index out of range.
ndarray combine_rows(const char* operation, std::span<const ndarray> index, const Shape& extents,
                     const Shape& axes, const Shape& shape);
/// Writes values[i] to row rows[i]; the last of several wins. `rows` is C-contiguous and in range;
/// `values`, which the view does not overlap, has the shape (rows, rest...) or (rest...) for all.
void scatter(const RowsOf& target, const ndarray& rows, const ndarray& values);
/// Writes `bytes` bytes from values + i * step to row index[i] of as many, for each of n indices;
/// false, with nothing written, unless all are in [0, extent).
bool scatter_to_front(char* target, std::int64_t extent, std::int64_t bytes,
                      const std::int64_t* index, std::int64_t n, const char* values,
                      std::int64_t step);
/// Writes row rows[i] to values[i], of the shape (rows, rest...).
void gather(const RowsOf& source, const ndarray& rows, const ndarray& values);

}  // namespace cpu

namespace gpu {

/// Row numbers from index arrays (int64) along axes of these extents, in the arrays' common shape.
/// Rows out of range become INT64_MIN and are reported to the device's error word. At most eight
/// arrays.
ndarray combine_rows(const char* operation, std::span<const ndarray> index, const Shape& extents,
                     const Shape& shape);
/// Writes row i of `values` (C-contiguous, or one row for all) to row rows[i]; the last of several
/// wins: by a note for each row of the target, or by the rows' order where one is given. Negative
/// rows are skipped.
void scatter(const RowsOf& target, const ndarray& rows, const ndarray& values,
             const RowOrder* order = nullptr);
void at(const AtCall& call);

/// first, second, and on with their difference, into an array of any dtype but complex. Integers
/// take the `bits`, floating dtypes the doubles.
void fill_range(const ndarray& out, double first, double second, std::uint64_t first_bits,
                std::uint64_t second_bits);
/// See linspace; `out` is float64.
struct Linspace {
  double start, step, span, parts, last;
  bool ends;
};
void fill_linspace(const ndarray& out, const Linspace& numbers);

}  // namespace gpu

}  // namespace cupyxx::internal
