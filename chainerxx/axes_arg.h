// SPDX-License-Identifier: MIT
// Axes and indices as arguments of functions of variables.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx {

// The constructors are templates: g++ 12 lets a list of options such as `{.keepdims = true}`
// through any other, as if its values were axes.

/// One axis, several axes, or `{}`: all of them. A bool is no axis.
class AxesArg : public cupyxx::Axes {
 public:
  AxesArg() = default;
  template <class... I>
  requires(sizeof...(I) > 0 && ((std::integral<I> && !std::same_as<I, bool>)&&...))
      AxesArg(I... axes)  // NOLINT
      : Axes(std::vector<std::int64_t>{static_cast<std::int64_t>(axes)...}), is_given_(true) {}
  template <class A>
  requires(std::is_class_v<A> && !std::same_as<A, AxesArg> &&
           std::convertible_to<const A&, cupyxx::Axes>) AxesArg(const A& axes)  // NOLINT
      : Axes(axes), is_given_(true) {}

  /// Whether it was set, if only to `Axes()`.
  bool is_given() const { return is_given_; }

 private:
  bool is_given_ = false;
};

/// Options of sum, mean, max and min.
struct ReductionOptions {
  AxesArg axis = {};
  bool keepdims = false;  ///< leaves the reduced axes in place, with extent 1
};

/// The axis of functions over one axis, by name; the function's own default where it is not given.
struct AxisOptions {
  std::optional<int> axis = {};
};

/// Options of var and std.
struct VarianceOptions {
  AxesArg axis = {};
  double ddof = 0;        ///< the divisor is the number of elements less this: 1 for samples
  bool keepdims = false;  ///< leaves the reduced axes in place, with extent 1
};

namespace internal {
/// The axis of a call that names options; throws ValueError when they name one, too.
inline const AxesArg& only_axis(const char* operation, const AxesArg& axis, const AxesArg& named) {
  if (!named.is_given()) return axis;
  throw cupyxx::ValueError(
      cupyxx::message(operation, ": the axis is given by position and by name"));
}
}  // namespace internal

/// An index list: integers, slices, newaxis, ellipsis, arrays.
class IndexArg {
 public:
  IndexArg() = default;
  template <class... I>
  requires(sizeof...(I) > 0 && (std::constructible_from<cupyxx::Index, const I&> && ...))
      IndexArg(const I&... index)
      : list_{cupyxx::Index(index)...} {}  // NOLINT(google-explicit-constructor)
  template <class L>
  requires std::same_as<L, std::vector<cupyxx::Index>> IndexArg(L list)  // NOLINT
      : list_(std::move(list)) {}

  const std::vector<cupyxx::Index>& list() const { return list_; }

 private:
  std::vector<cupyxx::Index> list_;
};

}  // namespace chainerxx
