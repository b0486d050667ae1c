// SPDX-License-Identifier: MIT
// Writing through index arrays on a device, and evenly spaced numbers there: what the device does
// in one place that the host does in loops of its own.
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

namespace gpu {

/// Row numbers from index arrays (int64) along axes of these extents, in the arrays' common shape.
/// Rows out of range become INT64_MIN and are reported to the device's error word. At most eight
/// arrays.
ndarray combine_rows(const char* operation, std::span<const ndarray> index, const Shape& extents,
                     const Shape& shape);
/// Writes row i of `values` (C-contiguous, or one row for all) to row rows[i]; the last of several
/// wins. Negative rows are skipped.
void scatter(const RowsOf& target, const ndarray& rows, const ndarray& values);
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
