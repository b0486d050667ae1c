// SPDX-License-Identifier: MIT
// Functions that move axes and elements, made of those of axes.h and parts.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/axes_arg.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Options of permutate.
struct PermutateOptions {
  int axis = 0;
  bool inv = false;  ///< the inverse permutation
};
/// Options of diagonal.
struct DiagonalOptions {
  std::int64_t offset = 0;
  int axis1 = 0;
  int axis2 = 1;
};
/// The axes of flip, by name.
struct FlipOptions {
  AxesArg axis = {};
};

/// x with axes moved from `source` to `destination`, one or several each; the others keep their
/// order. Throws ValueError for lists of other lengths or an axis named twice, and AxisError for
/// one that x lacks.
CUPYXX_API Variable moveaxis(const Variable& x, const cupyxx::Shape& source,
                             const cupyxx::Shape& destination);
/// x with `axis` moved before the axis `start`, which may be x.ndim(). Throws AxisError for an axis
/// that x lacks.
CUPYXX_API Variable rollaxis(const Variable& x, int axis, int start = 0);
/// x with its elements in reverse order along axes, all by default. Throws AxisError for an axis
/// that x lacks.
CUPYXX_API Variable flip(const Variable& x, const AxesArg& axis = {});
template <std::same_as<FlipOptions> O = FlipOptions>
Variable flip(const Variable& x, O options) {
  return flip(x, options.axis);
}
/// x of at least two axes with its columns in reverse order.
CUPYXX_API Variable fliplr(const Variable& x);
/// x of at least one axis with its rows in reverse order.
CUPYXX_API Variable flipud(const Variable& x);
/// Each element of x `repeats` times in a row along an axis, or of x as one axis. Throws ValueError
/// for a negative number, and AxisError for an axis that x lacks.
CUPYXX_API Variable repeat(const Variable& x, std::int64_t repeats, std::optional<int> axis = {});
template <internal::NoneLike N>
Variable repeat(const Variable& x, std::int64_t repeats, N) {
  return repeat(x, repeats);
}
template <std::same_as<AxisOptions> O = AxisOptions>
Variable repeat(const Variable& x, std::int64_t repeats, O options) {
  return repeat(x, repeats, options.axis);
}
/// x with its elements along an axis in the order of `indices`, a permutation of 0, 1, ...: element
/// i of the result is element indices[i] of x, or with `inv` element i of x is element indices[i]
/// of the result. Throws ShapeError unless `indices` is (n,) for n elements, TypeError unless it
/// holds integers, and IndexError for one out of range, on a device at the next synchronising call.
CUPYXX_API Variable permutate(const Variable& x, const ndarray& indices, int axis = 0,
                              bool inv = false);
template <std::same_as<PermutateOptions> O = PermutateOptions>
Variable permutate(const Variable& x, const ndarray& indices, O options) {
  return permutate(x, indices, options.axis, options.inv);
}
/// The elements of two axes whose places differ by `offset`, in a last axis of their own. Throws
/// ValueError for one axis given twice, AxisError for one that x lacks.
CUPYXX_API Variable diagonal(const Variable& x, std::int64_t offset = 0, int axis1 = 0,
                             int axis2 = 1);
template <std::same_as<DiagonalOptions> O = DiagonalOptions>
Variable diagonal(const Variable& x, O options) {
  return diagonal(x, options.offset, options.axis1, options.axis2);
}
/// Variables side by side: along axis 1, or the only one of vectors.
CUPYXX_API Variable hstack(const std::vector<Variable>& xs);
template <std::same_as<ndarray> A>
Variable hstack(const std::vector<A>& xs) {
  return hstack(chainerxx::internal::constants(xs));
}
/// Variables below each other: along axis 0, vectors as rows.
CUPYXX_API Variable vstack(const std::vector<Variable>& xs);
template <std::same_as<ndarray> A>
Variable vstack(const std::vector<A>& xs) {
  return vstack(chainerxx::internal::constants(xs));
}
/// Variables behind each other: along axis 2, which matrices and vectors (as one row) get as 1.
CUPYXX_API Variable dstack(const std::vector<Variable>& xs);
template <std::same_as<ndarray> A>
Variable dstack(const std::vector<A>& xs) {
  return dstack(chainerxx::internal::constants(xs));
}

}  // namespace chainerxx::functions
