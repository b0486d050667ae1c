// SPDX-License-Identifier: MIT
// Distinct elements: sort, mark where something new begins, and pick those.

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/chosen.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/sorting/sorted_rows.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

namespace {

ndarray differs(const ndarray& x, const ndarray& y, bool equal_nan) {
  const ndarray plain = not_equal(x, y);
  if (!equal_nan || !x.dtype().is_inexact()) return plain;
  return logical_and(plain, logical_not(logical_and(isnan(x), isnan(y))));
}

/// Of sorted elements or, in a matrix, rows: whether each differs from the one before it.
ndarray first_of_kind(const ndarray& sorted, bool equal_nan) {
  const DeviceScope scope(sorted.device());
  const ndarray mask = ones({sorted.len()}, bool_);
  if (sorted.len() < 2) return mask;
  ndarray changed =
      differs(internal::part(sorted, 0, 1, none), internal::part(sorted, 0, none, -1), equal_nan);
  if (changed.ndim() > 1) changed = any(changed, 1);
  internal::assign("unique", mask(slice(1, none)), changed);
  return mask;
}

/// The order of the rows of a matrix: sorts by the last column first.
ndarray order_of_rows(const ndarray& matrix) {
  const DeviceScope scope(matrix.device());
  ndarray order = arange(matrix.len());
  for (std::int64_t column = matrix.shape()[1] - 1; column >= 0; --column) {
    order = take(order, argsort(take(matrix(slice(), column), order, 0)), 0);
  }
  return order;
}

/// What was asked for beside the values; `first` marks the sorted places where a kind begins.
void fill_places(UniqueResult& result, const ndarray& places, const ndarray& first,
                 const ndarray& begins, const UniqueOptions& options) {
  const std::int64_t n = places.size();
  if (options.return_index) result.index = take(places, begins, 0);
  if (options.return_inverse) {
    result.inverse = internal::make_array("unique", {n}, int64, places.device());
    result.inverse(places) = subtract(cumsum(first), 1);
  }
  if (options.return_counts) {
    const DeviceScope scope(places.device());
    result.counts = diff(begins, 1, -1, {.append = array(Scalar(n))});
  }
}

UniqueResult unique_slices(const ndarray& a, const UniqueOptions& options) {
  const int axis = normalize_axis("unique", *options.axis, a.ndim());
  const ndarray moved = internal::contiguous(rollaxis(a, axis, 0));
  const std::int64_t n = moved.len();
  const ndarray matrix = moved.reshape({n, n == 0 ? 0 : moved.size() / n});
  const ndarray order = order_of_rows(matrix);
  // As in NumPy, a slice with NaN in it equals none, whatever `equal_nan` says.
  const ndarray first = first_of_kind(take(matrix, order, 0), false);
  const ndarray begins = internal::true_positions("unique", first);
  UniqueResult result;
  const ndarray values = take(moved, take(order, begins, 0), 0);
  result.values = internal::contiguous(rollaxis(values, 0, axis + 1));
  fill_places(result, order, first, begins, options);
  return result;
}

}  // namespace

ndarray unique(const ndarray& a) { return internal::unique_of(a, {}).values; }

UniqueResult internal::unique_of(const ndarray& a, const UniqueOptions& options) {
  internal::check_computable("unique", a);
  if (options.axis) return unique_slices(a, options);
  UniqueResult result;
  const ndarray flat = a.ravel();
  ndarray places, sorted;
  if (options.return_index || options.return_inverse) {
    sorted = internal::sort_with_places("unique", flat, places);
  } else {
    places = sorted = sort(flat);  // of the places only their number is read
  }
  const ndarray first = first_of_kind(sorted, options.equal_nan);
  const ndarray begins = internal::true_positions("unique", first);
  result.values = take(sorted, begins, 0);
  fill_places(result, places, first, begins, options);
  return result;
}

// Of lists.

ndarray unique(const ArrayLike& a) { return unique(a.array()); }

// With one or two of the flags.

namespace {

/// With the flags that the options of an overload have.
template <class Options>
UniqueResult found_in(const ArrayLike& a, const Options& options) {
  UniqueOptions all{.axis = options.axis, .equal_nan = options.equal_nan};
  if constexpr (requires { options.return_index; }) all.return_index = options.return_index.value;
  if constexpr (requires { options.return_inverse; }) {
    all.return_inverse = options.return_inverse.value;
  }
  if constexpr (requires { options.return_counts; }) {
    all.return_counts = options.return_counts.value;
  }
  return internal::unique_of(a.array(), all);
}

}  // namespace

UniqueWithIndex unique(const ArrayLike& a, const UniqueWithIndexOptions& options) {
  const UniqueResult found = found_in(a, options);
  return {found.values, found.index};
}
UniqueWithInverse unique(const ArrayLike& a, const UniqueWithInverseOptions& options) {
  const UniqueResult found = found_in(a, options);
  return {found.values, found.inverse};
}
UniqueWithCounts unique(const ArrayLike& a, const UniqueWithCountsOptions& options) {
  const UniqueResult found = found_in(a, options);
  return {found.values, found.counts};
}
UniqueWithIndexAndInverse unique(const ArrayLike& a,
                                 const UniqueWithIndexAndInverseOptions& options) {
  const UniqueResult found = found_in(a, options);
  return {found.values, found.index, found.inverse};
}
UniqueWithIndexAndCounts unique(const ArrayLike& a,
                                const UniqueWithIndexAndCountsOptions& options) {
  const UniqueResult found = found_in(a, options);
  return {found.values, found.index, found.counts};
}
UniqueWithInverseAndCounts unique(const ArrayLike& a,
                                  const UniqueWithInverseAndCountsOptions& options) {
  const UniqueResult found = found_in(a, options);
  return {found.values, found.inverse, found.counts};
}

}  // namespace cupyxx
