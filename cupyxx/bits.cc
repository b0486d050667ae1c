// SPDX-License-Identifier: MIT
#include "cupyxx/bits.h"

#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/rows.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

constexpr std::int64_t kBits = 8;

// How far each bit of a byte is shifted, in the order of the elements.
ndarray shifts(BitOrder order) {
  return order == BitOrder::big ? arange(kBits - 1, -1, -1, uint8) : arange(0, kBits, 1, uint8);
}

// A matrix of rows as `count` elements per row: cut, or with zeros behind them.
ndarray with_length(const ndarray& rows, std::int64_t count) {
  const std::int64_t missing = count - rows.shape()[1];
  if (missing <= 0) return rows(slice(), slice(0, count));
  return concatenate({rows, zeros({rows.shape()[0], missing}, rows.dtype())}, 1);
}

// Also of rows without elements.
std::int64_t row_count(const internal::Rows& rows) {
  Shape others = rows.array.shape();
  others.erase(others.ndim() - 1);
  return others.element_count();
}

// Puts the axis of a matrix of rows back in its place, with another extent.
ndarray restored(const internal::Rows& rows, const ndarray& matrix) {
  Shape shape = rows.array.shape();
  shape[shape.ndim() - 1] = matrix.shape()[1];
  return internal::restore_axis(rows, internal::contiguous(matrix).reshape(shape));
}

}  // namespace

ndarray packbits(const ndarray& a, const Axes& axis, BitOrder order) {
  internal::check_not_none("packbits", a);
  if (!a.dtype().is_integer() && !a.dtype().is_bool()) {
    throw TypeError("packbits: needs integers or bools, not " + std::string(a.dtype().name()));
  }
  const DeviceScope scope(a.device());
  const internal::Rows rows = internal::rows_along("packbits", a, axis);
  const std::int64_t count = row_count(rows), bytes = (rows.n + kBits - 1) / kBits;
  const ndarray bits = not_equal(rows.array, 0).astype(uint8).reshape({count, rows.n});
  const ndarray groups = with_length(bits, bytes * kBits).reshape({count, bytes, kBits});
  const ndarray packed = sum(left_shift(groups, shifts(order)), -1, {.dtype = uint8});
  return restored(rows, packed);
}

ndarray unpackbits(const ndarray& a, const Axes& axis, const UnpackbitsOptions& options) {
  internal::check_not_none("unpackbits", a);
  if (a.dtype() != uint8) {
    throw TypeError("unpackbits: needs uint8, not " + std::string(a.dtype().name()));
  }
  const DeviceScope scope(a.device());
  const internal::Rows rows = internal::rows_along("unpackbits", a, axis);
  const std::int64_t all = rows.n * kBits;
  const std::int64_t given = options.count.value_or(all);
  const std::int64_t count = given < 0 ? all + given : given;
  if (count < 0) {
    throw ValueError("unpackbits: cannot cut off " + std::to_string(-given) + " bits of " +
                     std::to_string(all));
  }
  const ndarray bytes = rows.array.reshape({row_count(rows), rows.n, 1});
  const ndarray bits = bitwise_and(right_shift(bytes, shifts(options.order)), 1);
  return restored(rows, with_length(bits.reshape({row_count(rows), all}), count));
}

}  // namespace cupyxx
