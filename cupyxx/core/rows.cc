// SPDX-License-Identifier: MIT
#include "cupyxx/core/rows.h"

#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"

namespace cupyxx::internal {

void check_computable(const char* operation, const ndarray& a) {
  check_not_none(operation, a);
  if (static_cast<int>(a.dtype().code()) >= dtype::kComputeCount) {
    throw DtypeError(message(operation, ": no loop for ", a.dtype().name()));
  }
}

Rows rows_along(const char* operation, const ndarray& a, const Axes& axis) {
  check_computable(operation, a);
  if (axis.is_all()) return {contiguous(a.ravel()), 0, 1, a.size()};
  if (axis.list().ndim() != 1) {
    throw TypeError(message(operation, ": takes one axis or none; ", axis.list()));
  }
  const int at = normalize_axis(operation, axis.list()[0], a.ndim());
  const std::int64_t n = a.shape()[at];
  return {contiguous(at + 1 == a.ndim() ? a : rollaxis(a, at, a.ndim())), at,
          n == 0 ? 0 : a.size() / n, n};
}

Rows rows_over(const ndarray& a, std::uint32_t mask) {
  Shape order, shape;
  std::int64_t n = 1;
  for (int i = 0; i < a.ndim(); ++i) {
    if ((mask >> i & 1u) == 0) order.push_back(i);
  }
  for (const std::int64_t i : order) shape.push_back(a.shape()[static_cast<int>(i)]);
  std::int64_t count = shape.element_count();
  for (int i = 0; i < a.ndim(); ++i) {
    if ((mask >> i & 1u) == 0) continue;
    order.push_back(i);
    n *= a.shape()[i];
  }
  shape.push_back(n);
  return {contiguous(transpose(a, order)).reshape(shape), shape.ndim() - 1, count, n};
}

ndarray restore_axis(const Rows& rows, const ndarray& result) {
  if (rows.axis + 1 >= result.ndim()) return result;
  return contiguous(rollaxis(result, result.ndim() - 1, rows.axis));
}

ndarray part(const ndarray& a, int axis, SliceBound begin, SliceBound end) {
  std::vector<IndexItem> index(static_cast<std::size_t>(axis), slice());
  index.emplace_back(slice(begin, end));
  return a.getitem(index);
}

ndarray deliver_to(const char* operation, const ndarray& result, const ndarray& out,
                   Casting casting) {
  if (out.is_none()) return result;
  check_out_shape(operation, out, result.shape());
  check_out_cast(operation, out, result.dtype(), can_cast(result.dtype(), out.dtype(), casting));
  common_device(operation, result, out);
  assign(operation, out, result, casting);
  return out;
}

}  // namespace cupyxx::internal
