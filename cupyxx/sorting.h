// SPDX-License-Identifier: MIT
// Sorting, searching and counting. NumPy's chapter of that name and "Set routines: unique".
//
//   auto order = cupyxx::argsort(a);           // along the last axis; {} means the flattened array
//   auto found = cupyxx::unique(a, {.return_counts = true}).counts;
//
// Every sort is stable, and NaN comes last.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/parts.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// NumPy's names of algorithms; ours is stable whichever is asked for.
enum class SortKind : std::uint8_t { quicksort, mergesort, heapsort, stable };
namespace internal {
template <>
struct Choices<SortKind> {
  static constexpr std::string_view kWhat = "kind";
  static constexpr NamedValue<SortKind> kAll[] = {{"quicksort", SortKind::quicksort},
                                                  {"mergesort", SortKind::mergesort},
                                                  {"heapsort", SortKind::heapsort},
                                                  {"stable", SortKind::stable}};
};
}  // namespace internal

/// Options of sort and argsort.
struct SortOptions {
  Axes axis = Axes::missing();
  Choice<SortKind> kind = SortKind::quicksort;
  bool descending = false;  ///< largest first, NaN before them; equal elements keep their order
};

/// A sorted copy along one axis, or of the flattened array for `{}`. Throws AxisError for a 0-d
/// array with an axis.
CUPYXX_API ndarray sort(const ndarray& a, const Axes& axis = -1, const SortOptions& options = {});
template <std::same_as<SortOptions> O = SortOptions>
ndarray sort(const ArrayLike& a, O options) {
  return sort(a.array(), internal::take_axis(options.axis, -1), options);
}
/// The positions (int64) that sort each row; equal elements keep their order.
CUPYXX_API ndarray argsort(const ndarray& a, const Axes& axis = -1,
                           const SortOptions& options = {});
template <std::same_as<SortOptions> O = SortOptions>
ndarray argsort(const ArrayLike& a, O options) {
  return argsort(a.array(), internal::take_axis(options.axis, -1), options);
}
/// The positions (int64) that sort by several keys, the last of which counts most. Keys have one
/// shape and are sorted along an axis.
CUPYXX_API ndarray lexsort(std::span<const ndarray> keys, internal::Int axis = -1);
inline ndarray lexsort(std::initializer_list<ndarray> keys, internal::Int axis = -1) {
  return lexsort(internal::as_span(keys), axis);
}
/// Of lists beside arrays: `lexsort({{1, 5, 1}, {9, 4, 0}})`.
inline ndarray lexsort(std::initializer_list<ArrayLike> keys, internal::Int axis = -1) {
  return lexsort(internal::arrays_of(keys), axis);
}
/// The rows of an array are keys, the last row counts most.
template <std::derived_from<ndarray> A>
ndarray lexsort(const A& keys, internal::Int axis = -1) {
  std::vector<ndarray> rows = {keys};  // of None, which has no rows, the error
  if (!keys.is_none()) rows.assign(keys.begin(), keys.end());
  return lexsort(std::span<const ndarray>(rows), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray lexsort(std::span<const ndarray> keys, O options) {
  return lexsort(keys, internal::take_axis("lexsort", options.axis, -1));
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray lexsort(std::initializer_list<ndarray> keys, O options) {
  return lexsort(internal::as_span(keys), internal::take_axis("lexsort", options.axis, -1));
}
/// A copy in which the k-th element stands where sorting puts it, smaller ones before it and larger
/// ones after it. Negative k count from the end; throws ValueError beyond the axis.
CUPYXX_API ndarray partition(const ndarray& a, internal::Int64 kth, const Axes& axis = -1);
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray partition(const ArrayLike& a, internal::Int64 kth, O options) {
  return partition(a.array(), kth, internal::take_axis(options.axis, -1));
}
CUPYXX_API ndarray partition(const ndarray& a, std::span<const std::int64_t> kth,
                             const Axes& axis = -1);
inline ndarray partition(const ndarray& a, std::initializer_list<std::int64_t> kth,
                         const Axes& axis = -1) {
  return partition(a, internal::as_span(kth), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray partition(const ArrayLike& a, std::span<const std::int64_t> kth, O options) {
  return partition(a.array(), kth, internal::take_axis(options.axis, -1));
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray partition(const ArrayLike& a, std::initializer_list<std::int64_t> kth, O options) {
  return partition(a.array(), kth, internal::take_axis(options.axis, -1));
}
CUPYXX_API ndarray partition(const ArrayLike& a, internal::Int64 kth, const Axes& axis = -1);
inline ndarray partition(const ArrayLike& a, std::initializer_list<std::int64_t> kth,
                         const Axes& axis = -1) {
  return partition(a.array(), internal::as_span(kth), axis);
}
/// The positions (int64) that partition each row.
CUPYXX_API ndarray argpartition(const ndarray& a, internal::Int64 kth, const Axes& axis = -1);
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray argpartition(const ndarray& a, internal::Int64 kth, O options) {
  return argpartition(a, kth, internal::take_axis(options.axis, -1));
}
CUPYXX_API ndarray argpartition(const ndarray& a, std::span<const std::int64_t> kth,
                                const Axes& axis = -1);
inline ndarray argpartition(const ndarray& a, std::initializer_list<std::int64_t> kth,
                            const Axes& axis = -1) {
  return argpartition(a, internal::as_span(kth), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray argpartition(const ndarray& a, std::span<const std::int64_t> kth, O options) {
  return argpartition(a, kth, internal::take_axis(options.axis, -1));
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray argpartition(const ndarray& a, std::initializer_list<std::int64_t> kth, O options) {
  return argpartition(a, kth, internal::take_axis(options.axis, -1));
}

/// Of lists: `argpartition({3, 4, 2, 1}, 2)`.
inline ndarray argpartition(const ArrayLike& a, internal::Int64 kth, const Axes& axis = -1) {
  return argpartition(a.array(), kth, axis);
}
inline ndarray argpartition(const ArrayLike& a, std::initializer_list<std::int64_t> kth,
                            const Axes& axis = -1) {
  return argpartition(a.array(), internal::as_span(kth), axis);
}

/// Where a value that is already there would be inserted: before or after its equals.
enum class SearchSide : std::uint8_t { left, right };

namespace internal {
template <>
struct Choices<SearchSide> {
  static constexpr std::string_view kWhat = "side";
  static constexpr NamedValue<SearchSide> kAll[] = {{"left", SearchSide::left},
                                                    {"right", SearchSide::right}};
};
}  // namespace internal
/// The kind by its name, as in NumPy: `argsort(a, -1, "stable")`. Throws ValueError for another
/// one.
template <std::convertible_to<std::string_view> K>
ndarray sort(const ndarray& a, const Axes& axis, const K& kind) {
  return sort(a, axis, SortOptions{.kind = internal::named<SortKind>(kind, "sort")});
}
template <std::convertible_to<std::string_view> K>
ndarray argsort(const ndarray& a, const Axes& axis, const K& kind) {
  return argsort(a, axis, SortOptions{.kind = internal::named<SortKind>(kind, "argsort")});
}
/// Of lists: `sort({3, 1, 2})`, `argsort({3, 1, 2})`.
CUPYXX_API ndarray sort(const ArrayLike& a, const Axes& axis = -1, const SortOptions& options = {});
CUPYXX_API ndarray argsort(const ArrayLike& a, const Axes& axis = -1,
                           const SortOptions& options = {});

/// Options of searchsorted.
struct SearchsortedOptions {
  Choice<SearchSide> side = SearchSide::left;
  ndarray sorter = {};  ///< positions that sort `a`, as argsort gives them
};

/// Where the values would be inserted into the sorted 1-D array `a` to keep its order, as int64.
CUPYXX_API ndarray searchsorted(const ndarray& a, const Operand& v,
                                const SearchsortedOptions& options = {});
/// Of lists, and with the side by its name: `searchsorted({1, 2, 3}, 2, "right")`. Throws
/// ValueError for another one.
CUPYXX_API ndarray searchsorted(const ArrayLike& a, const Operand& v,
                                const SearchsortedOptions& options = {});
template <internal::ListNumber T, class A = ArrayLike>
ndarray searchsorted(const A& a, std::initializer_list<T> v,
                     const SearchsortedOptions& options = {}) {
  return searchsorted(a, internal::list_of(v), options);
}
/// With `sorter` behind it: `searchsorted(a, v, "left", argsort(a))`.
template <std::convertible_to<std::string_view> S>
ndarray searchsorted(const ArrayLike& a, const Operand& v, const S& side,
                     const ndarray& sorter = {}) {
  const auto which = internal::named<SearchSide>(side, "searchsorted");
  return searchsorted(a, v, SearchsortedOptions{.side = which, .sorter = sorter});
}
template <internal::ListNumber T, std::convertible_to<std::string_view> S>
ndarray searchsorted(const ArrayLike& a, std::initializer_list<T> v, const S& side,
                     const ndarray& sorter = {}) {
  const auto which = internal::named<SearchSide>(side, "searchsorted");
  return searchsorted(a, v, SearchsortedOptions{.side = which, .sorter = sorter});
}

/// A sorted copy as complex numbers: complex64 for integers of up to 16 bits and for complex64,
/// else complex128.
CUPYXX_API ndarray sort_complex(const ndarray& a);
inline ndarray sort_complex(const ArrayLike& a) { return sort_complex(a.array()); }

/// The positions (int64) of the nonzero elements, an array per axis. Synchronises.
CUPYXX_API Arrays nonzero(const ndarray& a);
/// The same: NumPy's `where` of a condition alone. Synchronises.
inline Arrays where(const ndarray& condition) { return nonzero(condition); }
/// Their positions in the flattened array. Synchronises.
CUPYXX_API ndarray flatnonzero(const ndarray& a);
/// Their positions as rows of a matrix. Synchronises.
CUPYXX_API ndarray argwhere(const ndarray& a);
/// Of lists: `flatnonzero({0, 3, 0})`. Synchronise.
CUPYXX_API Arrays nonzero(const ArrayLike& a);
CUPYXX_API ndarray flatnonzero(const ArrayLike& a);
CUPYXX_API ndarray argwhere(const ArrayLike& a);

// The methods that take options alone.
template <std::same_as<SortOptions> O>
ndarray ndarray::argsort(O options) const {
  return cupyxx::argsort(*this, std::move(options));
}
template <std::convertible_to<std::string_view> S, std::derived_from<ndarray>... A>
requires(sizeof...(A) <= 1) ndarray ndarray::searchsorted(const Operand& v, const S& side,
                                                          const A&... sorter)
const { return cupyxx::searchsorted(*this, v, side, sorter...); }
template <std::same_as<AxisOptions> O>
void ndarray::sort(O options) const {
  sort(internal::take_axis("sort", options.axis, -1));
}

}  // namespace cupyxx

#include "cupyxx/unique.h"
