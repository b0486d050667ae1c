// SPDX-License-Identifier: MIT
#include "cupyxx/sorting.h"

#include <algorithm>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/chosen.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/masks.h"
#include "cupyxx/internal/sorting.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting/sorted_rows.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

namespace {

void check_kth(const char* operation, std::span<const std::int64_t> kth,
               const internal::Rows& rows) {
  for (const std::int64_t k : kth) {
    if (k < -rows.n || k >= rows.n) {
      throw ValueError(
          message(operation, ": kth is out of bounds; ", k, " for ", rows.n, " elements"));
    }
  }
}

/// The array that `a` or a number is, on the device of `beside`.
ndarray as_array(const Operand& a, Device beside) {
  a.move_list_to(beside);
  if (a.is_array()) return a.array();
  const DeviceScope scope(beside);
  return array(a.scalar());
}

/// searchsorted by sorting the values among the elements: before their equals, or after them. What
/// stands at a value's place, less the values before it, are the elements in front.
ndarray places_among(const ndarray& sorted, const ndarray& values, bool right) {
  const DeviceScope scope(values.device());
  const std::int64_t n = sorted.size(), count = values.size();
  const ndarray flat = values.ravel();
  const ndarray order = argsort(right ? concatenate({sorted, flat}) : concatenate({flat, sorted}));
  const ndarray is_element = right ? less(order, n) : greater_equal(order, count);
  const ndarray in_front = cumsum(is_element, {}, {.dtype = int64});
  const ndarray place = argsort(order);  // where each number has gone
  const ndarray of_values = internal::part(place, 0, right ? n : 0, right ? n + count : count);
  return take(in_front, of_values, 0).reshape(values.shape());
}

}  // namespace

namespace {

ndarray reversed(const ndarray& rows) { return rows(ellipsis, slice(none, none, -1)); }

}  // namespace

ndarray sort(const ndarray& a, const Axes& axis, const SortOptions& options) {
  internal::check_axis_once("sort", axis, options.axis);
  const internal::Rows rows = internal::rows_along("sort", a, axis);
  const ndarray sorted = internal::sorted_rows("sort", rows);
  return internal::restore_axis(rows, options.descending ? reversed(sorted).copy() : sorted);
}

ndarray sort_complex(const ndarray& a) {
  internal::check_not_none("sort_complex", a);
  const ndarray sorted = sort(a, -1);
  const bool is_small = a.dtype().is_integer() && a.dtype().itemsize() <= 2;
  if (sorted.dtype().is_complex()) return sorted;
  return sorted.astype(is_small ? complex64 : complex128);
}

ndarray argsort(const ndarray& a, const Axes& axis, const SortOptions& options) {
  internal::check_axis_once("argsort", axis, options.axis);
  internal::check_computable("argsort", a);
  // NumPy sorts the one element of a 0-d array.
  internal::Rows rows = internal::rows_along("argsort", a.ndim() == 0 ? a.ravel() : a, axis);
  if (options.descending) {
    // Read from the end and turned round again, so that equal elements keep their order.
    rows.array = reversed(rows.array).copy(Order::C);
    const ndarray places = subtract(rows.n - 1, internal::sorting_places("argsort", rows));
    return internal::restore_axis(rows, reversed(places).copy());
  }
  return internal::restore_axis(rows, internal::sorting_places("argsort", rows));
}

ndarray lexsort(std::span<const ndarray> keys, internal::Int axis) {
  if (keys.empty()) throw TypeError("lexsort: needs at least one key; 0 given");
  ndarray order;
  Shape shape;
  for (const ndarray& given : keys) {
    internal::check_computable("lexsort", given);
    // One number is sorted, as by argsort.
    const ndarray key = given.ndim() == 0 ? given.ravel() : given;
    const internal::Rows rows = internal::rows_along("lexsort", key, axis);
    if (order.is_none()) {
      shape = key.shape();
      order = internal::sorting_places("lexsort", rows);
      continue;
    }
    if (!(key.shape() == shape)) {
      throw ShapeError(message("lexsort: keys must have one shape; ", shape, " and ", key.shape()));
    }
    // Each stable sort keeps the order of the keys before it among equal ones.
    const DeviceScope scope(key.device());
    if (rows.array.ndim() == 1) {
      const ndarray turned = take(rows.array, order, 0);
      const ndarray places = internal::sorting_places("lexsort", {turned, 0, 1, rows.n});
      order = take(order, places, 0);
      continue;
    }
    const ndarray starts = arange(0, rows.count * rows.n, std::max<std::int64_t>(rows.n, 1));
    const ndarray flat = rows.array.reshape({rows.count, rows.n});
    const ndarray first = order.reshape({rows.count, rows.n});
    const ndarray turned = take(flat, add(first, starts.reshape({rows.count, 1})));
    const ndarray places =
        internal::sorting_places("lexsort", {internal::contiguous(turned), 1, rows.count, rows.n});
    order = take(first, add(places, starts.reshape({rows.count, 1}))).reshape(rows.array.shape());
  }
  const ndarray first = keys[0].ndim() == 0 ? keys[0].ravel() : keys[0];
  const ndarray result =
      internal::restore_axis(internal::rows_along("lexsort", first, axis), order);
  return keys[0].ndim() == 0 ? result.reshape({}) : result;
}

ndarray partition(const ndarray& a, internal::Int64 kth, const Axes& axis) {
  const std::int64_t one = kth;
  return partition(a, std::span(&one, 1), axis);
}

ndarray partition(const ndarray& a, std::span<const std::int64_t> kth, const Axes& axis) {
  const internal::Rows rows = internal::rows_along("partition", a, axis);
  check_kth("partition", kth, rows);
  return internal::restore_axis(
      rows, internal::partitioned_rows("partition", rows, {kth.begin(), kth.end()}));
}

ndarray argpartition(const ndarray& a, internal::Int64 kth, const Axes& axis) {
  const std::int64_t one = kth;
  return argpartition(a, std::span(&one, 1), axis);
}

ndarray argpartition(const ndarray& a, std::span<const std::int64_t> kth, const Axes& axis) {
  internal::check_computable("argpartition", a);
  const internal::Rows rows =
      internal::rows_along("argpartition", a.ndim() == 0 ? a.ravel() : a, axis);
  check_kth("argpartition", kth, rows);
  return internal::restore_axis(
      rows, internal::partitioning_places("argpartition", rows, {kth.begin(), kth.end()}));
}

ndarray searchsorted(const ndarray& a, const Operand& v, const SearchsortedOptions& options) {
  internal::check_computable("searchsorted", a);
  const ndarray values = as_array(v, a.device());
  internal::check_computable("searchsorted", values);
  const Device device = internal::common_device("searchsorted", a, values);
  if (a.ndim() != 1) {
    throw ValueError(message("searchsorted: the sorted array must be 1-D; ", a.shape()));
  }
  ndarray sorted = a;
  if (!options.sorter.is_none()) {
    if (!options.sorter.dtype().is_integer()) {
      throw TypeError(message("searchsorted: sorter must only contain integers, not ",
                              options.sorter.dtype().name()));
    }
    if (options.sorter.ndim() != 1 || options.sorter.size() != a.size()) {
      throw ValueError(message("searchsorted: sorter must be 1-D of a's size; ",
                               options.sorter.shape(), " and ", a.shape()));
    }
    sorted = take(a, options.sorter, 0);
  }
  const dtype type = promote_types(a.dtype(), values.dtype());
  sorted = internal::contiguous(sorted.astype(type, false));
  const ndarray keys = internal::contiguous(values.astype(type, false));
  if (type.is_complex()) return places_among(sorted, keys, options.side == SearchSide::right);
  ndarray out = internal::make_array("searchsorted", values.shape(), int64, device);
  const internal::SearchCall call{"searchsorted", &sorted, &keys, &out,
                                  options.side == SearchSide::right};
  device.is_cpu() ? internal::cpu::search_sorted(call) : internal::gpu::search_sorted(call);
  return out;
}

ndarray flatnonzero(const ndarray& a) {
  internal::check_computable("flatnonzero", a);
  return internal::true_positions("flatnonzero", a.dtype().is_bool() ? a : not_equal(a, 0));
}

namespace {

/// A contiguous mask of the nonzero elements, for a host array with axes.
ndarray nonzero_mask(const ndarray& a) {
  return internal::contiguous(a.dtype().is_bool() ? a : not_equal(a, 0));
}

bool is_host_array_with_axes(const char* operation, const ndarray& a) {
  internal::check_computable(operation, a);
  return a.device().is_cpu() && a.ndim() > 0;
}

}  // namespace

Arrays nonzero(const ndarray& a) {
  internal::check_not_none("nonzero", a);
  if (is_host_array_with_axes("nonzero", a) && a.ndim() > 1) {
    return internal::cpu::true_places("nonzero", nonzero_mask(a));
  }
  const ndarray flat = flatnonzero(a);
  const Shape shape = a.ndim() == 0 ? Shape{1} : a.shape();
  if (shape.ndim() == 1) return {flat};
  std::vector<ndarray> result;
  std::int64_t stride = shape.element_count();
  for (int axis = 0; axis < shape.ndim(); ++axis) {
    if (shape[axis] == 0 || stride == 0) {  // there are no elements
      result.push_back(flat.copy());
      continue;
    }
    stride /= shape[axis];
    const ndarray outer = stride == 1 ? flat : floor_divide(flat, stride);
    result.push_back(axis == 0 ? outer : remainder(outer, shape[axis]));
  }
  return result;
}

ndarray argwhere(const ndarray& a) {
  if (is_host_array_with_axes("argwhere", a)) {
    return internal::cpu::true_rows("argwhere", nonzero_mask(a));
  }
  const std::vector<ndarray> positions = nonzero(a);
  if (a.ndim() == 0) {
    return internal::make_array("argwhere", {positions[0].size(), 0}, int64, a.device());
  }
  return internal::contiguous(transpose(stack(positions, 0)));
}

// Of lists.

ndarray partition(const ArrayLike& a, internal::Int64 kth, const Axes& axis) {
  return partition(a.array(), kth, axis);
}

ndarray sort(const ArrayLike& a, const Axes& axis, const SortOptions& options) {
  return sort(a.array(), axis, options);
}

ndarray argsort(const ArrayLike& a, const Axes& axis, const SortOptions& options) {
  return argsort(a.array(), axis, options);
}

ndarray searchsorted(const ArrayLike& a, const Operand& v, const SearchsortedOptions& options) {
  if (v.is_array() && !v.is_list()) return searchsorted(a.beside(v.array()), v, options);
  return searchsorted(a.array(), v, options);
}

Arrays nonzero(const ArrayLike& a) { return nonzero(a.array()); }

ndarray flatnonzero(const ArrayLike& a) { return flatnonzero(a.array()); }

ndarray argwhere(const ArrayLike& a) { return argwhere(a.array()); }

}  // namespace cupyxx
