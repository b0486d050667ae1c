// SPDX-License-Identifier: MIT
// Arrays as sets. NumPy's chapter "Set routines"; `unique` is in sorting.h.
#pragma once

#include <concepts>
#include <type_traits>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/number_argument.h"
#include "cupyxx/core/parts.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of in1d and isin.
struct IsinOptions {
  bool assume_unique = false;  ///< taken over from NumPy; changes nothing here
  bool invert = false;         ///< whether elements are absent instead
};
/// Whether each element of the flattened `a` is among those of `b`. Synchronises.
CUPYXX_API ndarray in1d(const ndarray& a, const ndarray& b, const IsinOptions& options = {});
/// The same in a's shape. Synchronises.
CUPYXX_API ndarray isin(const ndarray& a, const ndarray& b, const IsinOptions& options = {});
/// Of lists: `isin(a, {2, 3})`. Synchronises.
CUPYXX_API ndarray in1d(const ArrayLike& a, const ArrayLike& b, const IsinOptions& options = {});
CUPYXX_API ndarray isin(const ArrayLike& a, const ArrayLike& b, const IsinOptions& options = {});
/// Whether a number is among them: `isin(2, {1, 2})` is 0-d.
template <internal::ListNumber N>
ndarray isin(N a, const ArrayLike& b, const IsinOptions& options = {}) {
  return isin(internal::array_beside(a, b.array()), b.array(), options);
}

/// Of a number: `isin(a, 2)`. Synchronises.
template <class T>
requires std::is_arithmetic_v<T> ndarray isin(const ArrayLike& a, T b,
                                              const IsinOptions& options = {}) {
  return isin(a, {b}, options);
}

/// What intersect1d found; positions that were not asked for are null.
struct IntersectResult {
  ndarray values;    ///< sorted, each once
  ndarray indices1;  ///< where each stood first in the flattened first array
  ndarray indices2;  ///< and in the second
  /// What was asked for by its place.
  ndarray operator[](internal::Int part) const {
    return internal::part_of("intersect1d", {&values, &indices1, &indices2}, part);
  }
};
/// The elements that both arrays hold, sorted, each once. Synchronises.
CUPYXX_API ndarray intersect1d(const ndarray& a, const ndarray& b, bool assume_unique = false);
/// The same with their positions. Synchronises.
CUPYXX_API IntersectResult intersect1d_with_indices(const ndarray& a, const ndarray& b);
/// The elements of either array, sorted, each once. Synchronises.
CUPYXX_API ndarray union1d(const ndarray& a, const ndarray& b);
/// The elements of `a` that `b` lacks, sorted, each once; in their order, and repeated, where they
/// are said to be unique. Synchronises.
CUPYXX_API ndarray setdiff1d(const ndarray& a, const ndarray& b, bool assume_unique = false);
/// The elements of exactly one of the arrays, sorted. Synchronises.
CUPYXX_API ndarray setxor1d(const ndarray& a, const ndarray& b, bool assume_unique = false);

/// Options of intersect1d; with `return_indices` it returns what intersect1d_with_indices does.
struct IntersectOptions {
  bool assume_unique = false;
  bool return_indices = false;  ///< without it both are null
};
template <std::same_as<IntersectOptions> O = IntersectOptions>
IntersectResult intersect1d(const ArrayLike& a, const ArrayLike& b, const O& options) {
  if (options.return_indices) return intersect1d_with_indices(a.beside(b), b.beside(a));
  return {intersect1d(a.beside(b), b.beside(a), options.assume_unique), {}, {}};
}
/// Options of setdiff1d and setxor1d.
struct SetOptions {
  bool assume_unique = false;
};
template <std::same_as<SetOptions> O = SetOptions>
ndarray setdiff1d(const ArrayLike& a, const ArrayLike& b, const O& options) {
  return setdiff1d(a.beside(b), b.beside(a), options.assume_unique);
}
template <std::same_as<SetOptions> O = SetOptions>
ndarray setxor1d(const ArrayLike& a, const ArrayLike& b, const O& options) {
  return setxor1d(a.beside(b), b.beside(a), options.assume_unique);
}
/// The same of lists: `union1d(a, {1, 2})`. Synchronise.
CUPYXX_API ndarray intersect1d(const ArrayLike& a, const ArrayLike& b, bool assume_unique = false);
CUPYXX_API ndarray union1d(const ArrayLike& a, const ArrayLike& b);
CUPYXX_API ndarray setdiff1d(const ArrayLike& a, const ArrayLike& b, bool assume_unique = false);
CUPYXX_API ndarray setxor1d(const ArrayLike& a, const ArrayLike& b, bool assume_unique = false);

}  // namespace cupyxx
