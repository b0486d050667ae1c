// SPDX-License-Identifier: MIT
// Larger arrays from smaller ones. NumPy's chapters "Tiling arrays" and "Padding arrays". Included
// by manipulation.h.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/number_argument.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// `a` laid side by side `reps` times along each axis, counted from the last.
CUPYXX_API ndarray tile(const ndarray& a, const Shape& reps);
/// Of lists: `tile({0, 1}, {2, 2})`.
CUPYXX_API ndarray tile(const ArrayLike& a, const Shape& reps);
template <internal::AxisNumber I, std::same_as<I>... More>
void tile(const ArrayLike& a, I write_the_repetitions_in_braces, I, More...) = delete;
/// Of a number: `tile(5, {2, 3})`, `repeat(5, 3)`, on the current device.
template <class = void>
ndarray tile(const internal::NumberArgument& a, const Shape& reps) {
  return tile(internal::as_array(a), reps);
}
template <class = void>
ndarray repeat(const internal::NumberArgument& a, internal::Int64 repeats) {
  return internal::as_array(a).repeat(repeats);
}

/// Each element, or slice along `axis`, `repeats` times; without an axis those of the flattened
/// array.
CUPYXX_API ndarray repeat(const ndarray& a, internal::Int64 repeats, const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ArrayLike& a, internal::Int64 repeats, O options) {
  return repeat(a.array(), repeats, internal::take_axis(options.axis));
}
namespace internal {
/// Throws TypeError for other than integers, ValueError for several axes.
CUPYXX_API std::vector<std::int64_t> repeat_counts(const ndarray& repeats);
}  // namespace internal
/// Each its own number of times.
CUPYXX_API ndarray repeat(const ndarray& a, std::span<const std::int64_t> repeats,
                          const Axes& axis = {});
CUPYXX_API ndarray repeat(const ndarray& a, std::initializer_list<std::int64_t> repeats,
                          const Axes& axis = {});
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ArrayLike& a, std::span<const std::int64_t> repeats, O options) {
  return repeat(a.array(), repeats, internal::take_axis(options.axis));
}
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ArrayLike& a, std::initializer_list<std::int64_t> repeats, O options) {
  return repeat(a.array(), repeats, internal::take_axis(options.axis));
}

/// Of a list: `repeat({1, 2}, 3)`, `repeat({1, 2}, {2, 3})`.
CUPYXX_API ndarray repeat(const ArrayLike& a, internal::Int64 repeats, const Axes& axis = {});
CUPYXX_API ndarray repeat(const ArrayLike& a, std::initializer_list<std::int64_t> repeats,
                          const Axes& axis = {});
/// The same with the counts in a container: `repeat(a, std::vector{1, 2, 3})`.
template <internal::AxisNumbers V>
ndarray repeat(const ndarray& a, const V& repeats, const Axes& axis = {}) {
  const std::vector<std::int64_t> counts(repeats.begin(), repeats.end());
  return repeat(a, std::span<const std::int64_t>(counts), axis);
}
template <internal::AxisNumbers V>
ndarray repeat(const ArrayLike& a, const V& repeats, const Axes& axis = {}) {
  return repeat(a.array(), repeats, axis);
}
template <internal::AxisNumbers V, std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ArrayLike& a, const V& repeats, O options) {
  return repeat(a.array(), repeats, internal::take_axis(options.axis));
}
/// The same with the counts in an array. Synchronises.
template <internal::PlainArray A>
ndarray repeat(const ndarray& a, const A& repeats, const Axes& axis = {}) {
  return repeat(a, internal::repeat_counts(repeats), axis);
}
template <internal::PlainArray A, std::same_as<AxisOptions> O = AxisOptions>
ndarray repeat(const ndarray& a, const A& repeats, O options) {
  return repeat(a, repeats, internal::take_axis(options.axis));
}
template <std::same_as<AxisOptions> O>
ndarray ndarray::repeat(const ndarray& repeats, O options) const {
  return repeat(repeats, internal::take_axis(options.axis));
}
template <std::same_as<AxisOptions> O>
ndarray ndarray::repeat(const ArrayLike& repeats, O options) const {
  return repeat(repeats, internal::take_axis(options.axis));
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

namespace internal {
template <>
struct Choices<PadMode> {
  static constexpr std::string_view kWhat = "mode";
  static constexpr NamedValue<PadMode> kAll[] = {{"constant", PadMode::constant},
                                                 {"edge", PadMode::edge},
                                                 {"reflect", PadMode::reflect},
                                                 {"symmetric", PadMode::symmetric},
                                                 {"wrap", PadMode::wrap},
                                                 {"empty", PadMode::empty},
                                                 {"linear_ramp", PadMode::linear_ramp},
                                                 {"maximum", PadMode::maximum_},
                                                 {"mean", PadMode::mean},
                                                 {"median", PadMode::median},
                                                 {"minimum", PadMode::minimum_}};
};
}  // namespace internal

namespace internal {
/// Throws ValueError for other than one or two numbers.
CUPYXX_API void check_pad_pair(std::size_t count);
/// `{before, after}` of one axis, or `{both}`, of which a std::array would make `{both, 0}`.
template <class T, class Number>
struct PadPair : std::array<T, 2> {
  PadPair(std::initializer_list<Number> pair) {  // NOLINT(google-explicit-constructor)
    check_pad_pair(pair.size());
    this->front() = *pair.begin();
    this->back() = *(pair.end() - 1);
  }
  PadPair(const std::array<T, 2>& pair)  // NOLINT(google-explicit-constructor)
      : std::array<T, 2>(pair) {}
};
using WidthPair = PadPair<std::int64_t, Int64>;
}  // namespace internal

/// How many elements are put before and after each axis: one number, one pair, or a pair per axis.
class CUPYXX_API PadWidth {
 public:
  // Templates for the reason given at Shape.
  template <internal::AxisNumber I>
  PadWidth(I both)  // NOLINT(google-explicit-constructor)
      : pairs_(one_pair(static_cast<std::int64_t>(both))) {}
  template <internal::AxisNumber I, internal::AxisNumber J>
  PadWidth(I before, J after)
      : pairs_{{static_cast<std::int64_t>(before), static_cast<std::int64_t>(after)}} {}
  template <std::same_as<std::vector<std::array<std::int64_t, 2>>> V>
  PadWidth(const V& pairs) : pairs_(pairs) {}  // NOLINT(google-explicit-constructor)
  template <std::same_as<std::initializer_list<internal::WidthPair>> L>
  explicit PadWidth(L pairs) : pairs_(pairs.begin(), pairs.end()) {}
  PadWidth(const PadWidth& other);
  PadWidth(PadWidth&& other) noexcept;
  PadWidth& operator=(const PadWidth& other);
  PadWidth& operator=(PadWidth&& other) noexcept;
  ~PadWidth();
  const std::vector<std::array<std::int64_t, 2>>& pairs() const { return pairs_; }

 private:
  static std::vector<std::array<std::int64_t, 2>> one_pair(std::int64_t width);

  std::vector<std::array<std::int64_t, 2>> pairs_;
};

/// Of how many elements at an edge a statistic is: all, a number, or one before and one behind.
class PadLength : public std::optional<PadWidth> {
 public:
  PadLength() = default;
  template <internal::AxisNumber I>
  PadLength(I both)  // NOLINT(google-explicit-constructor)
      : std::optional<PadWidth>(PadWidth(both)) {}
  template <internal::AxisNumber I, internal::AxisNumber J>
  PadLength(I before, J behind) : std::optional<PadWidth>(PadWidth(before, behind)) {}
};

/// Numbers before and after each axis: one for all, one pair, or a pair per axis.
class CUPYXX_API PadValues {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> PadValues(T all)  // NOLINT(google-explicit-constructor)
      : PadValues(Scalar(all)) {}
  PadValues(const Scalar& all);  // NOLINT(google-explicit-constructor)
  template <internal::ListNumber T, internal::ListNumber U>
  PadValues(T before, U after) : pairs_{{Scalar(before), Scalar(after)}} {}
  PadValues(std::initializer_list<internal::PadPair<Scalar, Scalar>> pairs);
  PadValues(std::vector<std::array<Scalar, 2>> pairs);  // NOLINT(google-explicit-constructor)
  PadValues(const PadValues& other);
  PadValues(PadValues&& other) noexcept;
  PadValues& operator=(const PadValues& other);
  PadValues& operator=(PadValues&& other) noexcept;
  ~PadValues();
  const std::vector<std::array<Scalar, 2>>& pairs() const { return pairs_; }

 private:
  std::vector<std::array<Scalar, 2>> pairs_;
};

/// What reflect and symmetric make of the mirror image.
enum class ReflectType : std::uint8_t { even, odd };
namespace internal {
template <>
struct Choices<ReflectType> {
  static constexpr std::string_view kWhat = "reflect_type";
  static constexpr NamedValue<ReflectType> kAll[] = {{"even", ReflectType::even},
                                                     {"odd", ReflectType::odd}};
};
}  // namespace internal

/// Options of pad.
struct PadOptions {
  Choice<PadMode> mode = PadMode::constant;
  PadValues constant_values = 0;
  PadValues end_values = 0;    ///< of `linear_ramp`
  PadLength stat_length = {};  ///< elements at an edge that a statistic is of
  /// Of reflect and symmetric: the mirror image, or twice the edge minus it ("odd").
  Choice<ReflectType> reflect_type = ReflectType::even;
};
namespace internal {
CUPYXX_API PadMode pad_mode(std::string_view name);
inline PadMode pad_mode(PadMode mode) { return mode; }
}  // namespace internal

/// `a` with a border. Throws ValueError for negative widths and for an empty axis that a mode
/// other than `constant` and `empty` would have to continue.
CUPYXX_API ndarray pad(const ndarray& a, const PadWidth& width, const PadOptions& options = {});
CUPYXX_API ndarray pad(const ndarray& a, std::initializer_list<internal::WidthPair> width,
                       const PadOptions& options = {});
/// The mode in its place, by name as in NumPy or as a PadMode: `pad(a, 1, "edge")`. The name of a
/// mode that does not exist is a ValueError.
template <class M>
requires std::same_as<M, PadMode> || std::convertible_to<const M&, std::string_view> ndarray
pad(const ndarray& a, const PadWidth& width, const M& mode, PadOptions options = {}) {
  options.mode = internal::pad_mode(mode);
  return pad(a, width, options);
}
template <class M>
requires std::same_as<M, PadMode> || std::convertible_to<const M&, std::string_view> ndarray
pad(const ndarray& a, std::initializer_list<internal::WidthPair> width, const M& mode,
    PadOptions options = {}) {
  options.mode = internal::pad_mode(mode);
  return pad(a, width, options);
}

/// Of a list: `pad({1, 2, 3}, 1, "edge")`.
template <class M>
requires std::same_as<M, PadMode> || std::convertible_to<const M&, std::string_view> ndarray
pad(const ArrayLike& a, const PadWidth& width, const M& mode, const PadOptions& options = {}) {
  return pad(a.array(), width, mode, options);
}
CUPYXX_API ndarray pad(const ArrayLike& a, const PadWidth& width, const PadOptions& options = {});
template <internal::NoInteger F, class... More>
ndarray pad(const ArrayLike& a, F a_width_is_an_integer, const More&... more) = delete;

/// Kronecker product: `b` scaled by every element of `a`, in blocks.
CUPYXX_API ndarray kron(const ndarray& a, const ndarray& b);
CUPYXX_API ndarray kron(const ArrayLike& a, const ArrayLike& b);

}  // namespace cupyxx
