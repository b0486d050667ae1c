// SPDX-License-Identifier: MIT
// What may stand between the parentheses of `a(...)`: integers, `slice`, `newaxis`, `ellipsis`
// (basic indexing, which gives a View) and index arrays or masks (which give a Selection).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/values/integer.h"

namespace cupyxx {

/// Python's None: inside a slice "from the start" or "to the end", as an index a new axis, as an
/// axis all of them.
struct None {};
inline constexpr None none{};

/// Inserts an axis of extent 1.
struct NewAxis {};
inline constexpr NewAxis newaxis{};

/// Stands for as many full slices as are missing.
struct Ellipsis {};
inline constexpr Ellipsis ellipsis{};

/// One bound of a slice: an integer or `none`.
struct SliceBound {
  bool given = false;
  std::int64_t value = 0;

  constexpr SliceBound() = default;
  constexpr SliceBound(None) {}  // NOLINT(google-explicit-constructor)
  template <class I>
  requires(std::integral<I> || internal::Enumerator<I>) constexpr SliceBound(
      I v)  // NOLINT(google-explicit-constructor)
      : given(true), value(static_cast<std::int64_t>(v)) {}
};

/// Python's slice object: `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`;
/// `slice()` is the full slice `:`.
struct slice {
  SliceBound start;
  SliceBound stop;
  SliceBound step;

  constexpr slice() = default;
  constexpr explicit slice(SliceBound end) : stop(end) {}
  constexpr slice(SliceBound begin, SliceBound end, SliceBound by = {})
      : start(begin), stop(end), step(by) {}
};

namespace internal {

/// One entry of a basic index.
struct IndexItem {
  enum class Kind : std::uint8_t { integer, slice, newaxis, ellipsis };

  Kind kind = Kind::integer;
  std::int64_t integer = 0;
  cupyxx::slice range;

  // Not of a bool: NumPy's `a[True]` is a mask without axes.
  template <class I>
  requires((std::integral<I> && !std::same_as<I, bool>) ||
           Enumerator<I>) constexpr IndexItem(I i)  // NOLINT
      : integer(static_cast<std::int64_t>(i)) {}
  constexpr IndexItem(cupyxx::slice s)  // NOLINT(google-explicit-constructor)
      : kind(Kind::slice), range(s) {}
  constexpr IndexItem(NewAxis) : kind(Kind::newaxis) {}    // NOLINT(google-explicit-constructor)
  constexpr IndexItem(None) : kind(Kind::newaxis) {}       // NOLINT(google-explicit-constructor)
  constexpr IndexItem(Ellipsis) : kind(Kind::ellipsis) {}  // NOLINT(google-explicit-constructor)
};

}  // namespace internal

class ndarray;
template <std::size_t N>
struct ArrayTuple;

namespace internal {
template <class V>
inline constexpr bool kArrayTuple = false;
template <std::size_t N>
inline constexpr bool kArrayTuple<ArrayTuple<N>> = true;
/// An array for each axis, as nonzero, where and triu_indices give them.
template <class V>
concept ArrayPerAxis = std::derived_from<V, std::vector<ndarray>> || kArrayTuple<V>;
}  // namespace internal

/// An entry that keeps an index basic.
template <class T>
concept BasicIndex = std::constructible_from<internal::IndexItem, const T&>;

}  // namespace cupyxx
