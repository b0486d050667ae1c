// SPDX-License-Identifier: MIT
#include "cupyxx/internal/rows.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cupyxx/complex_functions.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/partition.h"
#include "cupyxx/internal/sorting.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"

namespace cupyxx::internal {

namespace {

void sort_rows(const SortCall& call) {
  call.source->device().is_cpu() ? cpu::sort_rows(call) : gpu::sort_rows(call);
}

}  // namespace

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
  index.push_back(slice(begin, end));
  return a.getitem(index);
}

namespace {

/// Whether numbers are sorted by one part after the other: complex ones on a device.
bool sorts_parts(const ndarray& a) { return a.dtype().is_complex() && !a.device().is_cpu(); }

/// The elements of each row (of `from`, a matrix) that places within the row choose.
ndarray from_places(const Rows& rows, const ndarray& from, const ndarray& places) {
  const DeviceScope scope(from.device());
  const ndarray starts = (arange(rows.count) * rows.n).reshape({rows.count, 1});
  return take(from.ravel(), add(places.reshape({rows.count, rows.n}), starts));
}

/// NumPy's order of complex numbers: by the real parts, then by the imaginary ones, where numbers
/// with a NaN come last, those with a real NaN after the others. Stable passes, the last part
/// first.
ndarray complex_places(const Rows& rows) {
  const Shape matrix = {rows.count, rows.n};
  const ndarray numbers = rows.array.reshape(matrix);
  const auto pick = [&](const ndarray& from, const ndarray& places) {
    return from_places(rows, from, places);
  };
  const ndarray first = real(numbers), second = imag(numbers);
  const ndarray nans = add(multiply(isnan(first), Scalar(2, int8)), isnan(second));
  ndarray places = argsort(second, 1);
  for (const ndarray& key : {first, nans}) {
    places = pick(places, argsort(pick(key, places), 1));
  }
  return places.reshape(rows.array.shape());
}

}  // namespace

ndarray sorted_rows(const char* operation, const Rows& rows) {
  if (sorts_parts(rows.array)) {
    return from_places(rows, rows.array, complex_places(rows)).reshape(rows.array.shape());
  }
  ndarray values =
      make_array(operation, rows.array.shape(), rows.array.dtype(), rows.array.device());
  sort_rows({operation, &rows.array, &values, nullptr, rows.count, rows.n});
  return values;
}

ndarray sorting_places(const char* operation, const Rows& rows) {
  if (sorts_parts(rows.array)) return complex_places(rows);
  ndarray places = make_array(operation, rows.array.shape(), int64, rows.array.device());
  sort_rows({operation, &rows.array, nullptr, &places, rows.count, rows.n});
  return places;
}

namespace {

/// Whether the rows can be selected from; brings `kth` into the form that selection takes.
bool is_selectable(const Rows& rows, std::vector<std::int64_t>& kth) {
  if (!rows.array.device().is_cpu() || rows.array.dtype().is_complex()) return false;
  for (std::int64_t& k : kth) k = k < 0 ? k + rows.n : k;
  std::sort(kth.begin(), kth.end());
  kth.erase(std::unique(kth.begin(), kth.end()), kth.end());
  return true;
}

}  // namespace

ndarray partitioned_rows(const char* operation, const Rows& rows, std::vector<std::int64_t> kth) {
  if (!is_selectable(rows, kth)) return sorted_rows(operation, rows);
  ndarray values =
      make_array(operation, rows.array.shape(), rows.array.dtype(), rows.array.device());
  cpu::partition_rows({&rows.array, &values, nullptr, rows.count, rows.n, kth});
  return values;
}

ndarray partitioning_places(const char* operation, const Rows& rows,
                            std::vector<std::int64_t> kth) {
  if (!is_selectable(rows, kth)) return sorting_places(operation, rows);
  ndarray places = make_array(operation, rows.array.shape(), int64, rows.array.device());
  cpu::partition_rows({&rows.array, nullptr, &places, rows.count, rows.n, kth});
  return places;
}

ndarray sort_with_places(const char* operation, const ndarray& a, ndarray& places) {
  if (sorts_parts(a)) {
    places = complex_places({contiguous(a), 0, 1, a.size()});
    return take(a, places, 0);
  }
  const ndarray source = contiguous(a);
  ndarray values = make_array(operation, a.shape(), a.dtype(), a.device());
  places = make_array(operation, a.shape(), int64, a.device());
  sort_rows({operation, &source, &values, &places, 1, a.size()});
  return values;
}

ndarray true_positions(const char* operation, const ndarray& mask) {
  const ndarray flags = contiguous(mask);
  return flags.device().is_cpu() ? cpu::true_positions(operation, flags)
                                 : gpu::true_positions(operation, flags);
}

ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray& mask) {
  const ndarray elements = contiguous(source), flags = contiguous(mask);
  return flags.device().is_cpu() ? cpu::chosen_elements(operation, elements, flags)
                                 : gpu::chosen_elements(operation, elements, flags);
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
