// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace {

using internal::IndexItem;

void check_rank(const char* operation, const ndarray& a, int rank) {
  if (a.ndim() >= rank) return;
  throw ShapeError(message(operation, ": needs ", rank, rank == 1 ? " axis" : " axes",
                           "; the shape is ", a.shape()));
}

// The part of `a` within one slice of one axis.
ndarray along(const ndarray& a, int axis, slice range) {
  std::vector<IndexItem> items(static_cast<std::size_t>(axis), IndexItem(slice()));
  items.emplace_back(range);
  return a.getitem(std::span<const IndexItem>(items));
}

ndarray roll_axis(const ndarray& a, std::int64_t shift, int axis) {
  const std::int64_t extent = a.shape()[axis];
  if (extent == 0) return a.copy();
  shift = (shift % extent + extent) % extent;
  const ndarray out = empty_like(a);
  copyto(along(out, axis, slice(shift, none)), along(a, axis, slice(extent - shift)));
  copyto(along(out, axis, slice(shift)), along(a, axis, slice(extent - shift, none)));
  return out;
}

}  // namespace

ndarray flip(const ndarray& a, const Axes& axes) {
  internal::check_not_none("flip", a);
  const std::uint32_t mask = axes.mask("flip", a.ndim());
  std::vector<IndexItem> items;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    items.emplace_back((mask >> axis & 1u) != 0 ? slice(none, none, -1) : slice());
  }
  return a.getitem(std::span<const IndexItem>(items));
}

ndarray fliplr(const ndarray& a) {
  internal::check_not_none("fliplr", a);
  check_rank("fliplr", a, 2);
  return flip(a, 1);
}

ndarray flipud(const ndarray& a) {
  internal::check_not_none("flipud", a);
  check_rank("flipud", a, 1);
  return flip(a, 0);
}

ndarray rot90(const ndarray& a, internal::Int k, internal::Int axis1, internal::Int axis2) {
  internal::check_not_none("rot90", a);
  check_rank("rot90", a, 2);
  const int first = normalize_axis("rot90", axis1, a.ndim());
  const int second = normalize_axis("rot90", axis2, a.ndim());
  if (first == second) {
    throw ValueError(message("rot90: the axes must differ; ", Shape{axis1, axis2}));
  }
  switch (k & 3) {
    case 0:
      return a.view();
    case 1:
      return flip(a, second).swapaxes(first, second);
    case 2:
      return flip(a, {first, second});
    default:
      return flip(a.swapaxes(first, second), second);
  }
}

ndarray rot90(const ndarray& a, internal::Int k, const Shape& axes) {
  internal::check_not_none("rot90", a);
  if (axes.ndim() != 2) throw ValueError(message("rot90: turns two axes; ", axes));
  return rot90(a, k, static_cast<int>(axes[0]), static_cast<int>(axes[1]));
}

ndarray roll(const ndarray& a, internal::Int64 shift, const Axes& axes) {
  internal::check_not_none("roll", a);
  if (axes.is_all()) return roll_axis(a.ravel(), shift, 0).reshape(a.shape());
  ndarray out = a;
  for (const std::int64_t axis : axes.list()) {
    out = roll_axis(out, shift, normalize_axis("roll", axis, a.ndim()));
  }
  return out.shares_memory(a) ? out.copy() : out;
}

ndarray internal::roll_each(const ndarray& a, const Shape& shifts, const Axes& axes) {
  internal::check_not_none("roll", a);
  if (shifts.ndim() == 1) return roll(a, shifts[0], axes);
  if (axes.is_all()) {
    std::int64_t total = 0;
    for (const std::int64_t shift : shifts) total += shift % std::max<std::int64_t>(a.size(), 1);
    return roll(a, total);
  }
  const Shape& list = axes.list();
  if (list.ndim() != 1 && list.ndim() != shifts.ndim()) {
    throw ValueError(message("roll: as many shifts as axes are needed; ", shifts, " and ", list));
  }
  ndarray out = a;
  for (int i = 0; i < shifts.ndim(); ++i) {
    const std::int64_t axis = list[list.ndim() == 1 ? 0 : i];
    out = roll_axis(out, shifts[i], normalize_axis("roll", axis, a.ndim()));
  }
  return out.shares_memory(a) ? out.copy() : out;
}

ndarray moveaxis(const ndarray& a, const Shape& source, const Shape& destination) {
  internal::check_not_none("moveaxis", a);
  const char* operation = "moveaxis";
  if (source.ndim() != destination.ndim()) {
    throw ValueError(message("moveaxis: as many sources as destinations are needed; ", source,
                             " and ", destination));
  }
  const int rank = a.ndim();
  const auto list = [](const Shape& axes) {
    return axes.empty() ? Axes::none() : Axes(std::vector<std::int64_t>(axes.begin(), axes.end()));
  };
  const std::uint32_t moved = list(source).mask(operation, rank);
  const std::uint32_t taken = list(destination).mask(operation, rank);
  std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
  for (int i = 0; i < source.ndim(); ++i) {
    const int to = normalize_axis(operation, destination[i], rank);
    order[static_cast<std::size_t>(to)] = normalize_axis(operation, source[i], rank);
  }
  int next = 0;
  for (int axis = 0; axis < rank; ++axis) {
    if ((taken >> axis & 1u) != 0) continue;
    while ((moved >> next & 1u) != 0) ++next;
    order[static_cast<std::size_t>(axis)] = next++;
  }
  return a.transpose(Shape(order));
}

// Of lists.

ndarray flip(const ArrayLike& a, const Axes& axes) { return flip(a.array(), axes); }

ndarray roll(const ArrayLike& a, internal::Int64 shift, const Axes& axes) {
  return roll(a.array(), shift, axes);
}

ndarray rot90(const ArrayLike& a, internal::Int k) { return rot90(a.array(), k); }

}  // namespace cupyxx
