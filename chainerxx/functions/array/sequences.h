// SPDX-License-Identifier: MIT
// Functions of lists of sequences.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/axes_arg.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of pad_sequence.
struct PadSequenceOptions {
  std::optional<std::int64_t> length = {};  ///< that of the longest by default
  double padding = 0;
};

/// Arrays (length, ...) of several lengths one above the other, filled up with `padding` to
/// `length` or the longest: (n, length, ...). Throws ValueError for no arrays and a length below
/// the longest, ShapeError for arrays that differ behind the first axis.
CUPYXX_API Variable pad_sequence(const std::vector<Variable>& xs,
                                 std::optional<std::int64_t> length = {}, double padding = 0);
template <internal::NoneLike N>
Variable pad_sequence(const std::vector<Variable>& xs, N, double padding = 0) {
  return pad_sequence(xs, std::optional<std::int64_t>(), padding);
}
template <std::same_as<PadSequenceOptions> O = PadSequenceOptions>
Variable pad_sequence(const std::vector<Variable>& xs, O options) {
  return pad_sequence(xs, options.length, options.padding);
}
template <std::same_as<ndarray> A>
Variable pad_sequence(const std::vector<A>& xs, std::optional<std::int64_t> length = {},
                      double padding = 0) {
  return pad_sequence(chainerxx::internal::constants(xs), length, padding);
}
template <std::same_as<ndarray> A, internal::NoneLike N>
Variable pad_sequence(const std::vector<A>& xs, N, double padding = 0) {
  return pad_sequence(xs, std::optional<std::int64_t>(), padding);
}
/// Sequences (length, ...) from the longest to the shortest by their steps: element t has step t of
/// all that are longer than t, and the other way round. Throws ValueError for other orders.
CUPYXX_API std::vector<Variable> transpose_sequence(const std::vector<Variable>& xs);
template <std::same_as<ndarray> A>
std::vector<Variable> transpose_sequence(const std::vector<A>& xs) {
  return transpose_sequence(chainerxx::internal::constants(xs));
}
/// The parts of x along an axis, without that axis. Throws AxisError for an axis that x lacks.
CUPYXX_API std::vector<Variable> separate(const Variable& x, int axis = 0);
template <std::same_as<AxisOptions> O = AxisOptions>
std::vector<Variable> separate(const Variable& x, O options) {
  return separate(x, options.axis.value_or(0));
}

}  // namespace chainerxx::functions
