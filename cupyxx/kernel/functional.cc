// SPDX-License-Identifier: MIT
#include "cupyxx/functional.h"

namespace cupyxx::internal {

bool next_position(const Shape& shape, std::vector<Index>& position) {
  for (int axis = shape.ndim(); axis-- > 0;) {
    Index& entry = position[static_cast<std::size_t>(axis)];
    const std::int64_t next = entry.item().integer + 1;
    if (next < shape[axis]) {
      entry = Index(next);
      return true;
    }
    entry = Index(std::int64_t{0});
  }
  return false;
}

std::vector<Index> first_position(const Shape& shape) {
  return std::vector<Index>(shape.size(), Index(std::int64_t{0}));
}

ndarray slice_at(const ndarray& a, const std::vector<Index>& position) {
  return position.empty() ? a : a.getitem(position).get();
}

ndarray join_slices(const std::vector<ndarray>& results, const Shape& others, int axis) {
  const ndarray joined = stack(results);
  Shape shape = others, order;
  const int inner = joined.ndim() - 1;
  for (int i = 0; i < inner; ++i) shape.push_back(joined.shape()[i + 1]);
  // The axes before `axis`, those of the results, the axes behind.
  for (int i = 0; i < axis; ++i) order.push_back(i);
  for (int i = 0; i < inner; ++i) order.push_back(others.ndim() + i);
  for (int i = axis; i < others.ndim(); ++i) order.push_back(i);
  return transpose(joined.reshape(shape), order).copy();
}

void complete_conditions(const ndarray& x, std::vector<ndarray>& conditions,
                         std::size_t functions) {
  if (x.is_none()) throw TypeError("piecewise: x is None");
  const std::size_t count = conditions.size();
  if (functions != count && functions != count + 1) {
    throw ValueError(message("piecewise: needs a function per condition, or one more; ", functions,
                             " for ", count));
  }
  const DeviceScope scope(x.device());
  ndarray any_holds = zeros(x.shape(), bool_);
  for (ndarray& condition : conditions) {
    if (condition.is_none()) throw TypeError("piecewise: a condition is None");
    if (!(condition.shape() == x.shape())) {
      throw ShapeError(message("piecewise: conditions must have the shape of x, ", x.shape(), "; ",
                               condition.shape()));
    }
    condition = condition.astype(bool_, false);
    any_holds = logical_or(any_holds, condition);
  }
  if (functions > count) conditions.push_back(logical_not(any_holds));
}

}  // namespace cupyxx::internal
