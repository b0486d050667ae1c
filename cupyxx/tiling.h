// SPDX-License-Identifier: MIT
// Larger arrays from smaller ones. NumPy's chapters "Tiling arrays" and "Padding arrays".
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// `a` laid side by side `reps` times along each axis, counted from the last.
CUPYXX_API ndarray tile(const ndarray& a, const Shape& reps);
inline ndarray tile(const ndarray& a, std::int64_t reps) { return tile(a, Shape{reps}); }

/// Each element, or slice along `axis`, `repeats` times; without an axis those of the flattened
/// array.
CUPYXX_API ndarray repeat(const ndarray& a, std::int64_t repeats, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ndarray& a, std::int64_t repeats, O options) {
  return repeat(a, repeats, internal::take_axis(options.axis));
}
/// Each its own number of times.
CUPYXX_API ndarray repeat(const ndarray& a, std::span<const std::int64_t> repeats,
                          const Axes& axis = {});
inline ndarray repeat(const ndarray& a, std::initializer_list<std::int64_t> repeats,
                      const Axes& axis = {}) {
  return repeat(a, std::span(repeats.begin(), repeats.size()), axis);
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ndarray& a, std::span<const std::int64_t> repeats, O options) {
  return repeat(a, repeats, internal::take_axis(options.axis));
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ndarray& a, std::initializer_list<std::int64_t> repeats, O options) {
  return repeat(a, repeats, internal::take_axis(options.axis));
}

/// What fills the border.
enum class PadMode : std::uint8_t {
  constant,     ///< `constant_values`
  edge,         ///< the outermost element
  reflect,      ///< the mirror image, without the edge
  symmetric,    ///< the mirror image, with the edge
  wrap,         ///< the opposite side
  empty,        ///< unset elements
  linear_ramp,  ///< from the edge to `end_values`
  maximum_,     ///< the largest element of a part at the edge, or of the whole axis
  mean,
  median,
  minimum_,
};

/// How many elements are put before and after each axis: one number, one pair, or a pair per axis.
class PadWidth {
 public:
  // Templates for the reason given at Shape.
  template <internal::AxisNumber I>
  PadWidth(I both)  // NOLINT(google-explicit-constructor)
      : pairs_{{static_cast<std::int64_t>(both), static_cast<std::int64_t>(both)}} {}
  template <std::same_as<std::vector<std::array<std::int64_t, 2>>> V>
  PadWidth(const V& pairs) : pairs_(pairs) {}  // NOLINT(google-explicit-constructor)
  const std::vector<std::array<std::int64_t, 2>>& pairs() const { return pairs_; }

 private:
  std::vector<std::array<std::int64_t, 2>> pairs_;
};

/// Numbers before and after each axis: one for all, one pair, or a pair per axis.
class PadValues {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> PadValues(T all)  // NOLINT(google-explicit-constructor)
      : pairs_{{Scalar(all), Scalar(all)}} {}
  PadValues(const Scalar& all) : pairs_{{all, all}} {}  // NOLINT(google-explicit-constructor)
  PadValues(std::initializer_list<std::array<Scalar, 2>> pairs) : pairs_(pairs) {}
  PadValues(std::vector<std::array<Scalar, 2>> pairs)  // NOLINT(google-explicit-constructor)
      : pairs_(std::move(pairs)) {}
  const std::vector<std::array<Scalar, 2>>& pairs() const { return pairs_; }

 private:
  std::vector<std::array<Scalar, 2>> pairs_;
};

/// Options of pad.
struct PadOptions {
  PadMode mode = PadMode::constant;
  PadValues constant_values = 0;
  PadValues end_values = 0;                      ///< of `linear_ramp`
  std::optional<std::int64_t> stat_length = {};  ///< elements at an edge that a statistic is of
  /// reflect and symmetric: twice the edge minus the mirror image (NumPy's reflect_type="odd").
  bool odd = false;
};
/// `a` with a border. Throws ValueError for negative widths and for an empty axis that a mode
/// other than `constant` and `empty` would have to continue.
CUPYXX_API ndarray pad(const ndarray& a, const PadWidth& width, const PadOptions& options = {});
inline ndarray pad(const ndarray& a, std::initializer_list<std::array<std::int64_t, 2>> width,
                   const PadOptions& options = {}) {
  return pad(a, std::vector<std::array<std::int64_t, 2>>(width), options);
}

/// Kronecker product: `b` scaled by every element of `a`, in blocks.
CUPYXX_API ndarray kron(const ndarray& a, const ndarray& b);

inline ndarray ndarray::repeat(std::int64_t repeats, const Axes& axis) const {
  return cupyxx::repeat(*this, repeats, axis);
}

}  // namespace cupyxx
