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
#include <initializer_list>
#include <optional>
#include <string_view>

#include "cupyxx/core/array_like.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::fft {

/// Which direction is divided: the inverse by n, both by sqrt(n), or the forward one by n.
enum class Norm : std::uint8_t { backward, ortho, forward };

}  // namespace cupyxx::fft

namespace cupyxx::internal {
template <>
struct Choices<fft::Norm> {
  static constexpr std::string_view kWhat = "norm";
  static constexpr NamedValue<fft::Norm> kAll[] = {{"backward", fft::Norm::backward},
                                                   {"ortho", fft::Norm::ortho},
                                                   {"forward", fft::Norm::forward}};
};

/// The lengths of several axes, or `none` for the array's own.
template <class S>
concept ShapeOrNone = ShapeArgument<S> || std::same_as<S, None>;
template <ShapeOrNone S>
OptionalShape lengths(const S& s) {
  if constexpr (std::same_as<S, None>) {
    return {};
  } else {
    return Shape(s);
  }
}
}  // namespace cupyxx::internal

namespace cupyxx::fft {

/// A norm in its place among the arguments: a Norm, or its name as in NumPy.
class NormArgument {
 public:
  NormArgument() = default;
  // Templates for the reason given at Shape.
  template <std::same_as<Norm> N>
  NormArgument(N norm) : value_(norm) {}  // NOLINT(google-explicit-constructor)
  template <std::same_as<None> N>
  NormArgument(N) {}  // NOLINT(google-explicit-constructor)
  /// Throws ValueError for a text that is not "backward", "ortho" or "forward".
  template <std::convertible_to<std::string_view> T>
  NormArgument(const T& name)
      : value_(internal::named<Norm>(name, "fft")) {}  // NOLINT(google-explicit-constructor)
  Norm value() const { return value_; }

 private:
  Norm value_ = Norm::backward;
};

/// The length of a transform in its place among the arguments: a number, or `none` for the axis's.
class LengthArgument {
 public:
  template <internal::AxisNumber I>
  LengthArgument(I n) : value_(static_cast<std::int64_t>(n)) {}  // NOLINT
  template <std::same_as<None> N>
  LengthArgument(N) {}  // NOLINT(google-explicit-constructor)
  std::optional<std::int64_t> value() const { return value_; }

 private:
  std::optional<std::int64_t> value_;
};

/// Options of transforms along one axis.
struct Options {
  std::optional<std::int64_t> n = {};  ///< length: the axis is cut, or filled with zeros
  int axis = -1;
  Choice<Norm> norm = Norm::backward;
  cupyxx::dtype dtype = {};  ///< complex64 or complex128: in which it is computed
};

/// Options of transforms along several axes.
struct OptionsN {
  OptionalShape s = {};  ///< a length for each axis
  Axes axes = {};        ///< all; with `s` the last ones, one for each length
  Choice<Norm> norm = Norm::backward;
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

// The length, the axis and the norm in NumPy's places, `fft(a, 8)`, `fft(a, none, 0, "ortho")`, and
// of lists: `fft({1, 2, 3, 4})`.
CUPYXX_API ndarray fft(const ArrayLike& a, const Options& options = {});
CUPYXX_API ndarray ifft(const ArrayLike& a, const Options& options = {});
CUPYXX_API ndarray rfft(const ArrayLike& a, const Options& options = {});
CUPYXX_API ndarray irfft(const ArrayLike& a, const Options& options = {});
inline ndarray hfft(const ArrayLike& a, const Options& options = {}) {
  return hfft(a.array(), options);
}
inline ndarray ihfft(const ArrayLike& a, const Options& options = {}) {
  return ihfft(a.array(), options);
}
CUPYXX_API ndarray fft(const ArrayLike& a, const LengthArgument& n, internal::Int axis = -1,
                       const NormArgument& norm = {});
CUPYXX_API ndarray ifft(const ArrayLike& a, const LengthArgument& n, internal::Int axis = -1,
                        const NormArgument& norm = {});
CUPYXX_API ndarray rfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis = -1,
                        const NormArgument& norm = {});
CUPYXX_API ndarray irfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis = -1,
                         const NormArgument& norm = {});
CUPYXX_API ndarray hfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis = -1,
                        const NormArgument& norm = {});
CUPYXX_API ndarray ihfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis = -1,
                         const NormArgument& norm = {});

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

// The lengths, the axes and the norm in NumPy's places: `fft2(a, {8, 8})`, `fft2(a, b.shape())`;
// the axes without lengths: `fftn(a, none, {0, 1})`.
template <internal::ShapeOrNone S = Shape>
ndarray fftn(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return fftn(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}
template <internal::ShapeOrNone S = Shape>
ndarray ifftn(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return ifftn(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}
template <internal::ShapeOrNone S = Shape>
ndarray rfftn(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return rfftn(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}
template <internal::ShapeOrNone S = Shape>
ndarray irfftn(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return irfftn(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}
template <internal::ShapeOrNone S = Shape>
ndarray fft2(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return fft2(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}
template <internal::ShapeOrNone S = Shape>
ndarray ifft2(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return ifft2(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}
template <internal::ShapeOrNone S = Shape>
ndarray rfft2(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return rfft2(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}
template <internal::ShapeOrNone S = Shape>
ndarray irfft2(const ndarray& a, const S& s, const Axes& axes = {}, const NormArgument& norm = {}) {
  return irfft2(a, {.s = internal::lengths(s), .axes = axes, .norm = norm.value()});
}

/// The frequencies that fft's n numbers stand for, of samples at distances d, on the current
/// device; negative ones in the second half.
CUPYXX_API ndarray fftfreq(internal::Int64 n, double d = 1.0);
/// Those of rfft's n / 2 + 1 numbers.
CUPYXX_API ndarray rfftfreq(internal::Int64 n, double d = 1.0);
/// Options of fftfreq and rfftfreq.
struct FrequencyOptions {
  double d = 1.0;
};
template <std::same_as<FrequencyOptions> O = FrequencyOptions>
ndarray fftfreq(internal::Int64 n, const O& options) {
  return fftfreq(n, options.d);
}
template <std::same_as<FrequencyOptions> O = FrequencyOptions>
ndarray rfftfreq(internal::Int64 n, const O& options) {
  return rfftfreq(n, options.d);
}

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
