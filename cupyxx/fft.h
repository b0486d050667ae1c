// SPDX-License-Identifier: MIT
// Discrete Fourier transforms. NumPy's chapter of this name.
//
//   auto spectrum = cupyxx::fft::rfft(signal, {.axis = 0});
//   auto image = cupyxx::fft::ifft2(cupyxx::fft::fft2(pixels)).real();
//
// Results are complex128 (float64 for irfft, irfftn, irfft2 and hfft) as NumPy's, unless
// `dtype` asks for complex64. Any length works: products of small primes are fastest. On the host
// the transforms are our own, on a device cuFFT's.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "cupyxx/ndarray.h"

namespace cupyxx::fft {

/// Which direction is divided: the inverse by n, both by sqrt(n), or the forward one by n.
enum class Norm : std::uint8_t { backward, ortho, forward };

/// Options of transforms along one axis.
struct Options {
  std::optional<std::int64_t> n = {};  ///< length: the axis is cut, or filled with zeros
  int axis = -1;
  Norm norm = Norm::backward;
  cupyxx::dtype dtype = {};  ///< complex64 or complex128: in which it is computed
};

/// Options of transforms along several axes.
struct OptionsN {
  std::optional<Shape> s = {};  ///< a length for each axis
  Axes axes = {};               ///< all; with `s` the last ones, one for each length
  Norm norm = Norm::backward;
  cupyxx::dtype dtype = {};
};

// All throw ValueError for lengths below 1 and AxisError for an axis that is none.

/// X[k] = sum of a[j] exp(-2 pi i j k / n) along an axis.
CUPYXX_API ndarray fft(const ndarray& a, const Options& options = {});
/// The inverse of fft.
CUPYXX_API ndarray ifft(const ndarray& a, const Options& options = {});
/// The first n / 2 + 1 numbers of the transform of real numbers, or of the real parts of others.
CUPYXX_API ndarray rfft(const ndarray& a, const Options& options = {});
/// The inverse of rfft: n real numbers, 2 (m - 1) by default of m given.
CUPYXX_API ndarray irfft(const ndarray& a, const Options& options = {});
/// The real transform of numbers of which the second half is the conjugate of the first.
CUPYXX_API ndarray hfft(const ndarray& a, const Options& options = {});
/// The inverse of hfft.
CUPYXX_API ndarray ihfft(const ndarray& a, const Options& options = {});

/// Along several axes, all by default.
CUPYXX_API ndarray fftn(const ndarray& a, const OptionsN& options = {});
CUPYXX_API ndarray ifftn(const ndarray& a, const OptionsN& options = {});
/// rfft along the last of the axes, fft along the others; irfftn is the inverse.
CUPYXX_API ndarray rfftn(const ndarray& a, const OptionsN& options = {});
CUPYXX_API ndarray irfftn(const ndarray& a, const OptionsN& options = {});

/// The same along the last two axes by default.
CUPYXX_API ndarray fft2(const ndarray& a, const OptionsN& options = {});
CUPYXX_API ndarray ifft2(const ndarray& a, const OptionsN& options = {});
CUPYXX_API ndarray rfft2(const ndarray& a, const OptionsN& options = {});
CUPYXX_API ndarray irfft2(const ndarray& a, const OptionsN& options = {});

/// The frequencies that fft's n numbers stand for, of samples at distances d, on the current
/// device; negative ones in the second half.
CUPYXX_API ndarray fftfreq(std::int64_t n, double d = 1.0);
/// Those of rfft's n / 2 + 1 numbers.
CUPYXX_API ndarray rfftfreq(std::int64_t n, double d = 1.0);

/// Moves frequency 0 to the middle of the axes, all by default; ifftshift moves it back.
CUPYXX_API ndarray fftshift(const ndarray& x, const Axes& axes = {});
CUPYXX_API ndarray ifftshift(const ndarray& x, const Axes& axes = {});
/// Options of fftshift and ifftshift.
struct ShiftOptions {
  Axes axes = Axes::missing();
};
template <std::same_as<ShiftOptions> O = ShiftOptions>
ndarray fftshift(const ndarray& x, O options) {
  return fftshift(x, internal::take_axis(options.axes));
}
template <std::same_as<ShiftOptions> O = ShiftOptions>
ndarray ifftshift(const ndarray& x, O options) {
  return ifftshift(x, internal::take_axis(options.axes));
}

}  // namespace cupyxx::fft
