// SPDX-License-Identifier: MIT
// Distinct elements with their places and counts, in as many parts as are asked for by name:
// `auto [values, counts] = cupyxx::unique(a, {.return_counts = true})`. Included by sorting.h.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/parts.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of unique.
struct UniqueOptions {
  bool return_index = false;
  bool return_inverse = false;
  bool return_counts = false;
  std::optional<int> axis = {};  ///< slices along it are compared; none: elements
  bool equal_nan = true;         ///< all NaN count as one
};

/// What unique found; arrays that were not asked for are null.
struct UniqueResult {
  ndarray values;   ///< sorted
  ndarray index;    ///< where each stood first
  ndarray inverse;  ///< which of `values` each element is
  ndarray counts;   ///< how often each occurred
  /// What was asked for by its place: `unique(a, {.return_counts = true})[1]` are the counts.
  ndarray operator[](internal::Int part) const {
    return internal::part_of("unique", {&values, &index, &inverse, &counts}, part);
  }
};

namespace internal {
/// unique with any options, as a result of four.
CUPYXX_API UniqueResult unique_of(const ndarray& a, const UniqueOptions& options);
}  // namespace internal

// The options that name one or two of the three flags, and what they ask for.

/// Options of unique: return_index.
struct UniqueWithIndexOptions {
  internal::NamedFlag return_index;
  std::optional<int> axis = {};
  bool equal_nan = true;
};
/// What unique found with return_index.
struct UniqueWithIndex {
  ndarray values;
  ndarray index;
  ndarray operator[](internal::Int part) const {
    return internal::part_of("unique", {&values, &index}, part);
  }
  operator UniqueResult() const {  // NOLINT(google-explicit-constructor)
    return {values, index, {}, {}};
  }
};
/// Options of unique: return_inverse.
struct UniqueWithInverseOptions {
  internal::NamedFlag return_inverse;
  std::optional<int> axis = {};
  bool equal_nan = true;
};
/// What unique found with return_inverse.
struct UniqueWithInverse {
  ndarray values;
  ndarray inverse;
  ndarray operator[](internal::Int part) const {
    return internal::part_of("unique", {&values, &inverse}, part);
  }
  operator UniqueResult() const {  // NOLINT(google-explicit-constructor)
    return {values, {}, inverse, {}};
  }
};
/// Options of unique: return_counts.
struct UniqueWithCountsOptions {
  internal::NamedFlag return_counts;
  std::optional<int> axis = {};
  bool equal_nan = true;
};
/// What unique found with return_counts.
struct UniqueWithCounts {
  ndarray values;
  ndarray counts;
  ndarray operator[](internal::Int part) const {
    return internal::part_of("unique", {&values, &counts}, part);
  }
  operator UniqueResult() const {  // NOLINT(google-explicit-constructor)
    return {values, {}, {}, counts};
  }
};
/// Options of unique: return_index and return_inverse.
struct UniqueWithIndexAndInverseOptions {
  internal::NamedFlag return_index;
  internal::NamedFlag return_inverse;
  std::optional<int> axis = {};
  bool equal_nan = true;
};
/// What unique found with return_index and return_inverse.
struct UniqueWithIndexAndInverse {
  ndarray values;
  ndarray index;
  ndarray inverse;
  ndarray operator[](internal::Int part) const {
    return internal::part_of("unique", {&values, &index, &inverse}, part);
  }
  operator UniqueResult() const {  // NOLINT(google-explicit-constructor)
    return {values, index, inverse, {}};
  }
};
/// Options of unique: return_index and return_counts.
struct UniqueWithIndexAndCountsOptions {
  internal::NamedFlag return_index;
  internal::NamedFlag return_counts;
  std::optional<int> axis = {};
  bool equal_nan = true;
};
/// What unique found with return_index and return_counts.
struct UniqueWithIndexAndCounts {
  ndarray values;
  ndarray index;
  ndarray counts;
  ndarray operator[](internal::Int part) const {
    return internal::part_of("unique", {&values, &index, &counts}, part);
  }
  operator UniqueResult() const {  // NOLINT(google-explicit-constructor)
    return {values, index, {}, counts};
  }
};
/// Options of unique: return_inverse and return_counts.
struct UniqueWithInverseAndCountsOptions {
  internal::NamedFlag return_inverse;
  internal::NamedFlag return_counts;
  std::optional<int> axis = {};
  bool equal_nan = true;
};
/// What unique found with return_inverse and return_counts.
struct UniqueWithInverseAndCounts {
  ndarray values;
  ndarray inverse;
  ndarray counts;
  ndarray operator[](internal::Int part) const {
    return internal::part_of("unique", {&values, &inverse, &counts}, part);
  }
  operator UniqueResult() const {  // NOLINT(google-explicit-constructor)
    return {values, {}, inverse, counts};
  }
};

/// The distinct elements, sorted. Synchronises.
CUPYXX_API ndarray unique(const ndarray& a);
/// Of lists: `unique({1, 1, 2})`. Synchronises.
CUPYXX_API ndarray unique(const ArrayLike& a);
/// The same with positions and counts, or over slices: the values and what the list in braces
/// names, `auto [values, inverse] = unique(a, {.return_inverse = true})`. Synchronise.
CUPYXX_API UniqueWithIndex unique(const ArrayLike& a, const UniqueWithIndexOptions& options);
CUPYXX_API UniqueWithInverse unique(const ArrayLike& a, const UniqueWithInverseOptions& options);
CUPYXX_API UniqueWithCounts unique(const ArrayLike& a, const UniqueWithCountsOptions& options);
CUPYXX_API UniqueWithIndexAndInverse unique(const ArrayLike& a,
                                            const UniqueWithIndexAndInverseOptions& options);
CUPYXX_API UniqueWithIndexAndCounts unique(const ArrayLike& a,
                                           const UniqueWithIndexAndCountsOptions& options);
CUPYXX_API UniqueWithInverseAndCounts unique(const ArrayLike& a,
                                             const UniqueWithInverseAndCountsOptions& options);
/// With all three flags, none of them, or options that have a name. Synchronises.
template <std::same_as<UniqueOptions> O = UniqueOptions>
UniqueResult unique(const ArrayLike& a, const O& options) {
  return internal::unique_of(a.array(), options);
}
// `unique(a, {true})` would be one of six.
template <std::same_as<bool> B>
void unique(const ArrayLike& a, std::initializer_list<B> write_dot_and_the_name) = delete;
/// What is wanted in NumPy's places, in as many parts as there can be: `auto [values, index] =
/// unique(a, true)`, `auto [values, index, inverse] = unique(a, true, true)`. An array whose flag
/// is false is null: `unique(a, false, false, true).counts`. Synchronise.
template <std::same_as<bool> B>
UniqueWithIndex unique(const ArrayLike& a, B return_index) {
  const UniqueResult found = internal::unique_of(a.array(), {.return_index = return_index});
  return {found.values, found.index};
}
template <std::same_as<bool> B>
UniqueWithIndexAndInverse unique(const ArrayLike& a, B return_index, bool return_inverse) {
  const UniqueResult found = internal::unique_of(
      a.array(), {.return_index = return_index, .return_inverse = return_inverse});
  return {found.values, found.index, found.inverse};
}
template <std::same_as<bool> B>
UniqueResult unique(const ArrayLike& a, B return_index, bool return_inverse, bool return_counts) {
  return internal::unique_of(a.array(), {.return_index = return_index,
                                         .return_inverse = return_inverse,
                                         .return_counts = return_counts});
}
template <std::same_as<bool> B>
UniqueResult unique(const ArrayLike& a, B return_index, bool return_inverse, bool return_counts,
                    internal::Int axis) {
  return internal::unique_of(a.array(), {.return_index = return_index,
                                         .return_inverse = return_inverse,
                                         .return_counts = return_counts,
                                         .axis = int{axis}});
}

}  // namespace cupyxx
