// SPDX-License-Identifier: MIT
// Functions of sampled data: interpolation, integrals, derivatives, convolution. NumPy's chapter
// "Mathematical functions", what is not elementwise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

/// Options of trapz.
struct TrapzOptions {
  ndarray x = {};  ///< where the samples lie: 1-D, or of the samples' shape
  double dx = 1;   ///< their distance, without `x`
  int axis = -1;
};
/// Integral by the trapezoidal rule.
CUPYXX_API ndarray trapz(const ndarray& y, const TrapzOptions& options = {});

/// Options of gradient.
struct GradientOptions {
  Axes axis = {};      ///< all of them unless given
  int edge_order = 1;  ///< 1 or 2: accuracy at the ends
};
/// Derivatives along axes by central differences, one array per axis. `spacing` is empty, one
/// distance for all axes, or an entry per axis: a distance (0-d) or coordinates (1-D). Synchronises
/// for arrays of distances.
CUPYXX_API std::vector<ndarray> gradient(const ndarray& f, std::span<const ndarray> spacing = {},
                                         const GradientOptions& options = {});
/// The same for one distance.
CUPYXX_API std::vector<ndarray> gradient(const ndarray& f, double spacing,
                                         const GradientOptions& options = {});

/// Options of ediff1d.
struct Ediff1dOptions {
  ndarray to_end = {};
  ndarray to_begin = {};
};
/// Differences of neighbours in the flattened array.
CUPYXX_API ndarray ediff1d(const ndarray& a, const Ediff1dOptions& options = {});

/// Options of cross: the axes of the vectors in the operands and the result.
struct CrossOptions {
  int axisa = -1;
  int axisb = -1;
  int axisc = -1;
  std::optional<int> axis = {};  ///< for all three
};
/// Cross product of vectors with 2 or 3 components.
CUPYXX_API ndarray cross(const ndarray& a, const ndarray& b, const CrossOptions& options = {});

/// Which positions of one sequence over the other count.
enum class ConvolveMode : std::uint8_t {
  full,   ///< all with an overlap
  same,   ///< as many as the longer sequence has
  valid,  ///< those with a complete overlap
};
/// Discrete convolution of two sequences.
CUPYXX_API ndarray convolve(const ndarray& a, const ndarray& v,
                            ConvolveMode mode = ConvolveMode::full);
/// Cross-correlation of two sequences.
CUPYXX_API ndarray correlate(const ndarray& a, const ndarray& v,
                             ConvolveMode mode = ConvolveMode::valid);

/// Options of nan_to_num.
struct NanToNumOptions {
  bool copy = true;  ///< false: changes the array itself where it is floating
  double nan = 0;
  std::optional<double> posinf = {};  ///< the largest number unless given
  std::optional<double> neginf = {};
};
/// NaN and infinities replaced by numbers.
CUPYXX_API ndarray nan_to_num(const ndarray& a, const NanToNumOptions& options = {});
/// The distance to the next number away from zero; NaN for infinities. Integers become float64.
CUPYXX_API ndarray spacing(const ndarray& x);
/// sin(pi x) / (pi x).
CUPYXX_API ndarray sinc(const ndarray& x);

/// Options of unwrap.
struct UnwrapOptions {
  std::optional<double> discont = {};  ///< smaller jumps stay; half a period unless given
  int axis = -1;
  Scalar period = 2 * 3.14159265358979323846;  ///< an integer keeps integers
};
/// Angles whose jumps by more than half a period are taken back along the axis.
CUPYXX_API ndarray unwrap(const ndarray& p, const UnwrapOptions& options = {});

}  // namespace cupyxx
