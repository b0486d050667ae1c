// SPDX-License-Identifier: MIT
// Functions of sampled data: interpolation, integrals, derivatives, convolution. NumPy's chapter
// "Mathematical functions", what is not elementwise. Included by math.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/number_argument.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of interp.
struct InterpOptions {
  std::optional<Scalar> left = {};    ///< left of the first point; its value unless given
  std::optional<Scalar> right = {};   ///< right of the last point
  std::optional<double> period = {};  ///< of the points; they need no order then
};
/// Piecewise linear interpolation through the points (xp, fp), in float64; in complex128 for
/// complex `fp`, part by part. `xp` must increase.
CUPYXX_API ndarray interp(const Operand& x, const ndarray& xp, const ndarray& fp,
                          const InterpOptions& options = {});
/// Of lists: `interp(x, {1, 2, 3}, {10, 20, 30})`.
CUPYXX_API ndarray interp(const Operand& x, const ArrayLike& xp, const ArrayLike& fp,
                          const InterpOptions& options = {});
template <internal::ListNumber T, class P = ArrayLike, class F = ArrayLike>
ndarray interp(std::initializer_list<T> x, const P& xp, const F& fp,
               const InterpOptions& options = {}) {
  return interp(internal::list_of(x), xp, fp, options);
}
/// With the values outside of the points in their place: `interp(x, xp, fp, 0, none)`.
template <class L, class R = None>
requires(internal::NumberOrNone<L>&& internal::NumberOrNone<R>) ndarray
    interp(const Operand& x, const ArrayLike& xp, const ArrayLike& fp, L left, R right = {}) {
  InterpOptions options;
  if constexpr (!std::is_same_v<L, None>) options.left = left;
  if constexpr (!std::is_same_v<R, None>) options.right = right;
  return interp(x, xp, fp, options);
}

/// Options of trapz.
struct TrapzOptions {
  ArrayOption x = {};  ///< where the samples lie: 1-D, or of the samples' shape
  double dx = 1;       ///< their distance, without `x`
  int axis = -1;
};
/// Integral by the trapezoidal rule.
CUPYXX_API ndarray trapz(const ndarray& y, const TrapzOptions& options = {});
CUPYXX_API ndarray trapz(const ArrayLike& y, const TrapzOptions& options = {});
/// With the places, or without them and the distance, where NumPy has them: `trapz(y, x)`,
/// `trapz(y, none, 0.5)`.
CUPYXX_API ndarray trapz(const ArrayLike& y, const ArrayLike& x, double dx = 1,
                         internal::Int axis = -1);
CUPYXX_API ndarray trapz(const ArrayLike& y, None, double dx, internal::Int axis = -1);

namespace internal {
CUPYXX_API Arrays gradient_by(const ndarray& f, std::initializer_list<double> dx);
}  // namespace internal
/// Options of gradient.
struct GradientOptions {
  Axes axis = {};      ///< all of them unless given
  int edge_order = 1;  ///< 1 or 2: accuracy at the ends
};
/// Derivatives along axes by central differences, one array per axis. `spacing` is empty, one
/// distance for all axes, or an entry per axis: a distance (0-d) or coordinates (1-D). Synchronises
/// for arrays of distances.
CUPYXX_API Arrays gradient(const ndarray& f, std::span<const ndarray> spacing = {},
                           const GradientOptions& options = {});
/// The same for one distance.
CUPYXX_API Arrays gradient(const ndarray& f, double spacing, const GradientOptions& options = {});
template <std::same_as<GradientOptions> O = GradientOptions>
Arrays gradient(const ndarray& f, const O& options) {
  return gradient(f, std::span<const ndarray>(), options);
}
/// Of a list: `gradient({1, 2, 4, 7})`.
CUPYXX_API Arrays gradient(const ArrayLike& f);
CUPYXX_API Arrays gradient(const ArrayLike& f, double spacing);
/// The same for the distances or coordinates of each axis, where NumPy has them: `gradient(f, x)`,
/// `gradient(f, dy, dx)`.
template <internal::PlainArray A, internal::PlainArray... More>
Arrays gradient(const ndarray& f, const A& first, const More&... more) {
  const ndarray spacing[] = {first, more...};
  return gradient(f, std::span<const ndarray>(spacing));
}
/// With options behind them: `gradient(f, x, {.edge_order = 2})`.
template <internal::PlainArray A, std::same_as<GradientOptions> O = GradientOptions>
Arrays gradient(const ndarray& f, const A& coordinates, const O& options) {
  const ndarray spacing[] = {coordinates};
  return gradient(f, std::span<const ndarray>(spacing), options);
}
template <internal::PlainArray A, internal::PlainArray B,
          std::same_as<GradientOptions> O = GradientOptions>
Arrays gradient(const ndarray& f, const A& first, const B& second, const O& options) {
  const ndarray spacing[] = {first, second};
  return gradient(f, std::span<const ndarray>(spacing), options);
}
/// Of a list of coordinates: `gradient(f, {0, 1, 3})`, which options have no place beside.
CUPYXX_API Arrays gradient(const ndarray& f, const internal::ListedRow& coordinates);
template <class T, std::same_as<T>... More>
requires(std::is_arithmetic_v<T> && sizeof...(More) > 0) Arrays
    gradient(const ndarray& f, T first, More... more) {
  return internal::gradient_by(f, {static_cast<double>(first), static_cast<double>(more)...});
}

/// Options of ediff1d.
struct Ediff1dOptions {
  ArrayValue to_end = {};
  ArrayValue to_begin = {};
};
/// Differences of neighbours in the flattened array.
CUPYXX_API ndarray ediff1d(const ndarray& a, const Ediff1dOptions& options = {});
/// Of a list: `ediff1d({1, 4, 9})`.
CUPYXX_API ndarray ediff1d(const ArrayLike& a, const Ediff1dOptions& options = {});
/// What stands behind the differences and before them in its place: `ediff1d(a, -99, {88, 99})`.
CUPYXX_API ndarray ediff1d(const ndarray& a, const Operand& to_end, const Operand& to_begin);
template <internal::ListNumber N>
ndarray ediff1d(const ArrayLike& a, N to_end) {
  return ediff1d(a.array(), Ediff1dOptions{.to_end = to_end});
}

/// Options of cross: the axes of the vectors in the operands and the result.
struct CrossOptions {
  int axisa = -1;
  int axisb = -1;
  int axisc = -1;
  std::optional<int> axis = {};  ///< for all three
};
/// Cross product of vectors with 2 or 3 components.
CUPYXX_API ndarray cross(const ndarray& a, const ndarray& b, const CrossOptions& options = {});
/// Of lists: `cross(a, {0, 0, 1})`.
CUPYXX_API ndarray cross(const ArrayLike& a, const ArrayLike& b, const CrossOptions& options = {});

/// Which positions of one sequence over the other count.
enum class ConvolveMode : std::uint8_t {
  full,   ///< all with an overlap
  same,   ///< as many as the longer sequence has
  valid,  ///< those with a complete overlap
};
namespace internal {
template <>
struct Choices<ConvolveMode> {
  static constexpr std::string_view kWhat = "mode";
  static constexpr NamedValue<ConvolveMode> kAll[] = {
      {"full", ConvolveMode::full}, {"same", ConvolveMode::same}, {"valid", ConvolveMode::valid}};
};
}  // namespace internal
/// Discrete convolution of two sequences.
CUPYXX_API ndarray convolve(const ndarray& a, const ndarray& v,
                            ConvolveMode mode = ConvolveMode::full);
/// Cross-correlation of two sequences.
CUPYXX_API ndarray correlate(const ndarray& a, const ndarray& v,
                             ConvolveMode mode = ConvolveMode::valid);
namespace internal {
CUPYXX_API ConvolveMode convolve_mode(const char* operation, std::string_view name);
inline ConvolveMode convolve_mode(const char* /*operation*/, ConvolveMode mode) { return mode; }
}  // namespace internal
/// Of lists, and with the mode by its name: `convolve(a, {1, 2, 1}, "same")`. Throws ValueError for
/// another one.
template <class M = ConvolveMode>
ndarray convolve(const ArrayLike& a, const ArrayLike& v, const M& mode = ConvolveMode::full) {
  return convolve(a.beside(v), v.beside(a), internal::convolve_mode("convolve", mode));
}
template <class M = ConvolveMode>
ndarray correlate(const ArrayLike& a, const ArrayLike& v, const M& mode = ConvolveMode::valid) {
  return correlate(a.beside(v), v.beside(a), internal::convolve_mode("correlate", mode));
}

/// Options of convolve.
struct ConvolveOptions {
  Choice<ConvolveMode> mode = ConvolveMode::full;
};
template <std::same_as<ConvolveOptions> O = ConvolveOptions>
ndarray convolve(const ArrayLike& a, const ArrayLike& v, const O& options) {
  return convolve(a.beside(v), v.beside(a), ConvolveMode(options.mode));
}
/// Options of correlate.
struct CorrelateOptions {
  Choice<ConvolveMode> mode = ConvolveMode::valid;
};
template <std::same_as<CorrelateOptions> O = CorrelateOptions>
ndarray correlate(const ArrayLike& a, const ArrayLike& v, const O& options) {
  return correlate(a.beside(v), v.beside(a), ConvolveMode(options.mode));
}
/// Options of nan_to_num.
struct NanToNumOptions {
  bool copy = true;  ///< false: changes the array itself where it is floating
  double nan = 0;
  std::optional<double> posinf = {};  ///< the largest number unless given
  std::optional<double> neginf = {};
};
/// NaN and infinities replaced by numbers.
CUPYXX_API ndarray nan_to_num(const ndarray& a, const NanToNumOptions& options = {});
/// The options in NumPy's places, of which `copy` is the first: `nan_to_num(a, true, 0.5)`.
template <std::same_as<bool> B>
ndarray nan_to_num(const ndarray& a, B copy, double number = 0, std::optional<double> posinf = {},
                   std::optional<double> neginf = {}) {
  return nan_to_num(
      a, NanToNumOptions{.copy = copy, .nan = number, .posinf = posinf, .neginf = neginf});
}
/// Of lists and numbers: `nan_to_num({1.0, nan})`.
CUPYXX_API ndarray nan_to_num(const Operand& a, const NanToNumOptions& options = {});
// `nan_to_num(a, 0.5)` does not compile: NumPy takes that number for `copy`.
template <class T>
requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>) ndarray
    nan_to_num(const ndarray& a, T write_true_and_the_number_or_dot_nan)
= delete;
/// The distance to the next number away from zero; NaN for infinities. Integers become float64.
CUPYXX_API ndarray spacing(const ndarray& x);
CUPYXX_API ndarray spacing(const Operand& x);
/// sin(pi x) / (pi x).
CUPYXX_API ndarray sinc(const ndarray& x);
/// Of a list: `sinc({0.5, 1})`.
CUPYXX_API ndarray sinc(const ArrayLike& x);
template <class = void>
ndarray sinc(const internal::NumberArgument& x) {
  return sinc(internal::as_array(x));
}

/// Options of unwrap.
struct UnwrapOptions {
  std::optional<double> discont = {};  ///< smaller jumps stay; half a period unless given
  int axis = -1;
  Scalar period = 2 * 3.14159265358979323846;  ///< an integer keeps integers
};
/// Angles whose jumps by more than half a period are taken back along the axis.
CUPYXX_API ndarray unwrap(const ndarray& p, const UnwrapOptions& options = {});
CUPYXX_API ndarray unwrap(const ArrayLike& p, const UnwrapOptions& options = {});
/// The smallest jump in its place: `unwrap(p, 2.0)`, `unwrap(p, none, 0)`.
template <std::same_as<None> N>
ndarray unwrap(const ArrayLike& p, N, int axis) {
  return unwrap(p.array(), UnwrapOptions{.axis = axis});
}
template <std::same_as<double> D>
ndarray unwrap(const ArrayLike& p, D discont, int axis = -1) {
  return unwrap(p.array(), UnwrapOptions{.discont = discont, .axis = axis});
}

}  // namespace cupyxx
