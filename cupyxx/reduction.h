// SPDX-License-Identifier: MIT
// Reductions over any axes: sums, products, extremes, truth, positions. NumPy's chapters "Sums,
// products, differences", "Order statistics", "Averages and variances" and "Truth value testing".
//
//   sum(a, 1, {.keepdims = true});                 // the axis by position
//   sum(a, {.axis = 1, .keepdims = true});         // or by name; TypeError for both
#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "cupyxx/core/array_like.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of sum and prod.
struct SumOptions {
  Axes axis = Axes::missing();
  cupyxx::dtype dtype = {};  ///< of the result; small integers become 64-bit
  ndarray out = {};
  bool keepdims = false;
  std::optional<Scalar> initial = {};  ///< starts the reduction
  MaskOption where = {};               ///< bool: elements that count
};

/// Options of mean.
struct MeanOptions {
  Axes axis = Axes::missing();
  cupyxx::dtype dtype = {};
  ndarray out = {};
  bool keepdims = false;
  MaskOption where = {};
};

/// Options of var and std.
struct VarOptions {
  Axes axis = Axes::missing();
  cupyxx::dtype dtype = {};
  ndarray out = {};
  double ddof = 0;  ///< the divisor is N - ddof
  bool keepdims = false;
  MaskOption where = {};  ///< bool: elements that count
};

/// Options of amax and amin.
struct MaxOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  bool keepdims = false;
  std::optional<Scalar> initial = {};
  MaskOption where = {};
  cupyxx::dtype dtype = {};  ///< in which elements are compared, and of the result
};

/// Options of all and any.
struct AllOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  bool keepdims = false;
  MaskOption where = {};
};

/// Options of argmax and argmin.
struct ArgOptions {
  Axes axis = Axes::missing();
  cupyxx::dtype dtype = {};  ///< of the positions; int64 unless given
  ndarray out = {};
  bool keepdims = false;
};

/// Sum; bool and small integers are summed as 64-bit integers. float16 accumulates in float32.
CUPYXX_API ndarray sum(const ndarray& a, const Axes& axes = {}, const SumOptions& options = {});
template <std::same_as<SumOptions> O = SumOptions>
ndarray sum(const ArrayLike& a, O options) {
  return sum(a.array(), internal::take_axis(options.axis), options);
}
/// Product, with the dtypes of sum.
CUPYXX_API ndarray prod(const ndarray& a, const Axes& axes = {}, const SumOptions& options = {});
template <std::same_as<SumOptions> O = SumOptions>
ndarray prod(const ArrayLike& a, O options) {
  return prod(a.array(), internal::take_axis(options.axis), options);
}
/// Arithmetic mean; integers give float64.
CUPYXX_API ndarray mean(const ndarray& a, const Axes& axes = {}, const MeanOptions& options = {});
template <std::same_as<MeanOptions> O = MeanOptions>
ndarray mean(const ArrayLike& a, O options) {
  return mean(a.array(), internal::take_axis(options.axis), options);
}
/// Variance: the mean of the squared distances to the mean, with divisor N - ddof.
CUPYXX_API ndarray var(const ndarray& a, const Axes& axes = {}, const VarOptions& options = {});
template <std::same_as<VarOptions> O = VarOptions>
ndarray var(const ArrayLike& a, O options) {
  return var(a.array(), internal::take_axis(options.axis), options);
}
/// Standard deviation.
CUPYXX_API ndarray std(const ndarray& a, const Axes& axes = {}, const VarOptions& options = {});
template <std::same_as<VarOptions> O = VarOptions>
ndarray std(const ArrayLike& a, O options) {
  return std(a.array(), internal::take_axis(options.axis), options);
}
/// Largest element; NaN wins. Throws ValueError for a zero-size reduction without `initial`.
CUPYXX_API ndarray amax(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {});
template <std::same_as<MaxOptions> O = MaxOptions>
ndarray amax(const ArrayLike& a, O options) {
  return amax(a.array(), internal::take_axis(options.axis), options);
}
/// Smallest element; NaN wins. Throws ValueError for a zero-size reduction without `initial`.
CUPYXX_API ndarray amin(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {});
template <std::same_as<MaxOptions> O = MaxOptions>
ndarray amin(const ArrayLike& a, O options) {
  return amin(a.array(), internal::take_axis(options.axis), options);
}
/// NumPy's other names of amax and amin.
inline ndarray max(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return amax(a, axes, options);
}
template <std::same_as<MaxOptions> O = MaxOptions>
ndarray max(const ArrayLike& a, O options) {
  return max(a.array(), internal::take_axis(options.axis), options);
}
inline ndarray min(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return amin(a, axes, options);
}
template <std::same_as<MaxOptions> O = MaxOptions>
ndarray min(const ArrayLike& a, O options) {
  return min(a.array(), internal::take_axis(options.axis), options);
}
// `max(a, b)` of two arrays and `max(a(0), 1.0)` do not compile: NumPy takes an axis there, and has
// maximum, fmax and clip for pairs of elements.
template <class T>
requires(std::derived_from<T, ndarray> || std::floating_point<T>) ndarray
    max(const ndarray& a, const T& no_axis_write_maximum)
= delete;
template <class T>
requires(std::derived_from<T, ndarray> || std::floating_point<T>) ndarray
    min(const ndarray& a, const T& no_axis_write_minimum)
= delete;
/// Whether all elements are true; true for none.
CUPYXX_API ndarray all(const ndarray& a, const Axes& axes = {}, const AllOptions& options = {});
template <std::same_as<AllOptions> O = AllOptions>
ndarray all(const ArrayLike& a, O options) {
  return all(a.array(), internal::take_axis(options.axis), options);
}
/// Whether any element is true; false for none.
CUPYXX_API ndarray any(const ndarray& a, const Axes& axes = {}, const AllOptions& options = {});
template <std::same_as<AllOptions> O = AllOptions>
ndarray any(const ArrayLike& a, O options) {
  return any(a.array(), internal::take_axis(options.axis), options);
}
/// Position (int64) of the first largest element along one axis, or in the flattened array.
CUPYXX_API ndarray argmax(const ndarray& a, const Axes& axis = {}, const ArgOptions& options = {});
template <std::same_as<ArgOptions> O = ArgOptions>
ndarray argmax(const ArrayLike& a, O options) {
  return argmax(a.array(), internal::take_axis(options.axis), options);
}
/// Position (int64) of the first smallest element along one axis, or in the flattened array.
CUPYXX_API ndarray argmin(const ndarray& a, const Axes& axis = {}, const ArgOptions& options = {});
template <std::same_as<ArgOptions> O = ArgOptions>
ndarray argmin(const ArrayLike& a, O options) {
  return argmin(a.array(), internal::take_axis(options.axis), options);
}
/// Number of nonzero elements. Synchronises.
CUPYXX_API std::int64_t count_nonzero(const ndarray& a);
/// Options of count_nonzero.
struct CountOptions {
  Axes axis = Axes::missing();
  bool keepdims = false;
};
/// Numbers of nonzero elements (int64) along axes.
CUPYXX_API ndarray count_nonzero(const ndarray& a, const Axes& axes, bool keepdims = false);
template <std::same_as<CountOptions> O = CountOptions>
ndarray count_nonzero(const ndarray& a, O options) {
  return count_nonzero(a, internal::take_axis(options.axis), options.keepdims);
}
template <std::same_as<CountOptions> O = CountOptions>
ndarray count_nonzero(const ndarray& a, const Axes& axes, const O& options) {
  internal::check_axis_once("count_nonzero", axes, options.axis);
  return count_nonzero(a, axes, options.keepdims);
}

/// The same of lists: `sum({1, 2, 3})`, `mean({{1, 2}, {3, 4}}, 0)`.
CUPYXX_API ndarray sum(const ArrayLike& a, const Axes& axes = {}, const SumOptions& options = {});
CUPYXX_API ndarray prod(const ArrayLike& a, const Axes& axes = {}, const SumOptions& options = {});
CUPYXX_API ndarray mean(const ArrayLike& a, const Axes& axes = {}, const MeanOptions& options = {});
CUPYXX_API ndarray var(const ArrayLike& a, const Axes& axes = {}, const VarOptions& options = {});
CUPYXX_API ndarray std(const ArrayLike& a, const Axes& axes = {}, const VarOptions& options = {});
inline ndarray max(const ArrayLike& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return amax(a.array(), axes, options);
}
CUPYXX_API ndarray amax(const ArrayLike& a, const Axes& axes = {}, const MaxOptions& options = {});
inline ndarray min(const ArrayLike& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return amin(a.array(), axes, options);
}
CUPYXX_API ndarray amin(const ArrayLike& a, const Axes& axes = {}, const MaxOptions& options = {});
CUPYXX_API ndarray all(const ArrayLike& a, const Axes& axes = {}, const AllOptions& options = {});
CUPYXX_API ndarray any(const ArrayLike& a, const Axes& axes = {}, const AllOptions& options = {});
CUPYXX_API ndarray argmax(const ArrayLike& a, const Axes& axis = {},
                          const ArgOptions& options = {});
CUPYXX_API ndarray argmin(const ArrayLike& a, const Axes& axis = {},
                          const ArgOptions& options = {});
CUPYXX_API std::int64_t count_nonzero(const ArrayLike& a);
inline ndarray count_nonzero(const ArrayLike& a, const Axes& axes, bool keepdims = false) {
  return count_nonzero(a.array(), axes, keepdims);
}

/// The dtype in its place: `sum(a, 0, float32)`.
template <std::convertible_to<cupyxx::dtype> D>
ndarray sum(const ArrayLike& a, const Axes& axes, const D& dtype) {
  return sum(a.array(), axes, SumOptions{.dtype = dtype});
}
template <std::convertible_to<cupyxx::dtype> D>
ndarray prod(const ArrayLike& a, const Axes& axes, const D& dtype) {
  return prod(a.array(), axes, SumOptions{.dtype = dtype});
}
template <std::convertible_to<cupyxx::dtype> D>
ndarray mean(const ArrayLike& a, const Axes& axes, const D& dtype) {
  return mean(a.array(), axes, MeanOptions{.dtype = dtype});
}
template <std::convertible_to<cupyxx::dtype> D>
ndarray var(const ArrayLike& a, const Axes& axes, const D& dtype) {
  return var(a.array(), axes, VarOptions{.dtype = dtype});
}
template <std::convertible_to<cupyxx::dtype> D>
ndarray std(const ArrayLike& a, const Axes& axes, const D& dtype) {
  return std(a.array(), axes, VarOptions{.dtype = dtype});
}
// A number in that place was to be an option: `var(a, 0, {.ddof = 1})`.
template <internal::ListNumber N>
ndarray sum(const ArrayLike& a, const Axes& axes, N a_dtype_stands_here_write_dot_initial) = delete;
template <internal::ListNumber N>
ndarray prod(const ArrayLike&, const Axes&, N a_dtype_stands_here_write_dot_initial) = delete;
template <internal::ListNumber N>
ndarray mean(const ArrayLike&, const Axes&, N a_dtype_stands_here_write_dot_keepdims) = delete;
template <internal::ListNumber N>
ndarray var(const ArrayLike& a, const Axes& axes, N a_dtype_stands_here_write_dot_ddof) = delete;
template <internal::ListNumber N>
ndarray std(const ArrayLike& a, const Axes& axes, N a_dtype_stands_here_write_dot_ddof) = delete;

// The methods that take options alone.
template <std::same_as<SumOptions> O>
ndarray ndarray::sum(O options) const {
  return cupyxx::sum(*this, std::move(options));
}
template <std::same_as<SumOptions> O>
ndarray ndarray::prod(O options) const {
  return cupyxx::prod(*this, std::move(options));
}
template <std::same_as<MeanOptions> O>
ndarray ndarray::mean(O options) const {
  return cupyxx::mean(*this, std::move(options));
}
template <std::same_as<VarOptions> O>
ndarray ndarray::var(O options) const {
  return cupyxx::var(*this, std::move(options));
}
template <std::same_as<VarOptions> O>
ndarray ndarray::std(O options) const {
  return cupyxx::std(*this, std::move(options));
}
template <std::same_as<MaxOptions> O>
ndarray ndarray::max(O options) const {
  return cupyxx::max(*this, std::move(options));
}
template <std::same_as<MaxOptions> O>
ndarray ndarray::min(O options) const {
  return cupyxx::min(*this, std::move(options));
}
template <std::same_as<AllOptions> O>
ndarray ndarray::all(O options) const {
  return cupyxx::all(*this, std::move(options));
}
template <std::same_as<AllOptions> O>
ndarray ndarray::any(O options) const {
  return cupyxx::any(*this, std::move(options));
}
template <std::same_as<ArgOptions> O>
ndarray ndarray::argmax(O options) const {
  return cupyxx::argmax(*this, std::move(options));
}
template <std::same_as<ArgOptions> O>
ndarray ndarray::argmin(O options) const {
  return cupyxx::argmin(*this, std::move(options));
}

}  // namespace cupyxx
