// SPDX-License-Identifier: MIT
// Reading and writing chosen elements. The rest of NumPy's chapter "Indexing routines".
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "cupyxx/indexing.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// The elements at the positions that `indices` (with as many axes as `a`) gives along one axis.
CUPYXX_API ndarray take_along_axis(const ndarray& a, const ndarray& indices, int axis);
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray take_along_axis(const ndarray& a, const ndarray& indices, O options) {
  return take_along_axis(a, indices, internal::take_axis("take_along_axis", options.axis, -1));
}
/// Writes to the positions that take_along_axis reads.
CUPYXX_API void put_along_axis(const ndarray& a, const ndarray& indices, const Operand& values,
                               int axis);
/// Writes to the elements at positions in C order; `values` is repeated as needed. The last of
/// equal positions wins.
CUPYXX_API void put(const ndarray& a, const ndarray& indices, const Operand& values,
                    IndexMode mode = IndexMode::raise);

/// Options of scatter_add.
struct ScatterOptions {
  /// Additions at one place happen in an order that depends on the indices only. Without it float32
  /// and float64 on a device are added atomically, as the threads come.
  bool deterministic = true;
};
/// Adds to the chosen elements; a place that is chosen several times adds up (add.at, CuPy's
/// scatter_add).
CUPYXX_API void scatter_add(const ndarray& a, std::span<const Index> index, const Operand& b,
                            const ScatterOptions& options = {});
inline void scatter_add(const ndarray& a, const Index& index, const Operand& b,
                        const ScatterOptions& options = {}) {
  scatter_add(a, std::span(&index, 1), b, options);
}

/// Element by element that of `choices[a]`, all broadcast together. Mode `raise` synchronises.
/// `out` must have the result's shape and may have any dtype.
CUPYXX_API ndarray choose(const ndarray& a, std::span<const ndarray> choices,
                          IndexMode mode = IndexMode::raise, const ndarray& out = {});
inline ndarray choose(const ndarray& a, std::initializer_list<ndarray> choices,
                      IndexMode mode = IndexMode::raise, const ndarray& out = {}) {
  return choose(a, std::span(choices.begin(), choices.size()), mode, out);
}
/// The slices along an axis where a 1-D condition holds; without an axis, elements of the flattened
/// array. The condition may be shorter. `out` as of take. Synchronises.
CUPYXX_API ndarray compress(const ndarray& condition, const ndarray& a, const Axes& axis = {},
                            const ndarray& out = {});
/// Options of compress.
struct CompressOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
};
template <std::same_as<CompressOptions> O = CompressOptions>
ndarray compress(const ndarray& condition, const ndarray& a, O options) {
  return compress(condition, a, internal::take_axis(options.axis), options.out);
}
/// The elements of the flattened array where the flattened condition holds. Synchronises.
CUPYXX_API ndarray extract(const ndarray& condition, const ndarray& a);

/// Writes `values`, repeated in the order of the true elements, where a mask of a's size is true.
/// Synchronises.
CUPYXX_API void place(const ndarray& a, const ndarray& mask, const Operand& values);
/// Writes where a mask of a's shape is true the element of `values`, repeated in the order of all
/// elements, at the same position.
CUPYXX_API void putmask(const ndarray& a, const ndarray& mask, const Operand& values);
/// Element by element that of the first choice whose condition (bool) holds, or `otherwise`.
CUPYXX_API ndarray select(std::span<const ndarray> conditions, std::span<const ndarray> choices,
                          const Operand& otherwise = 0);
inline ndarray select(std::initializer_list<ndarray> conditions,
                      std::initializer_list<ndarray> choices, const Operand& otherwise = 0) {
  return select(std::span(conditions.begin(), conditions.size()),
                std::span(choices.begin(), choices.size()), otherwise);
}

// The methods of these names.
inline void ndarray::put(const ndarray& indices, const Operand& values) const {
  cupyxx::put(*this, indices, values);
}
inline ndarray ndarray::choose(std::span<const ndarray> choices) const {
  return cupyxx::choose(*this, choices);
}
inline ndarray ndarray::choose(std::initializer_list<ndarray> choices) const {
  return cupyxx::choose(*this, choices);
}
inline ndarray ndarray::compress(const ndarray& condition, const Axes& axis) const {
  return cupyxx::compress(condition, *this, axis);
}

}  // namespace cupyxx
