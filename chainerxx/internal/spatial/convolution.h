// SPDX-License-Identifier: MIT
// Convolutions of images and their two gradients, on the device of their arguments: oneDNN and
// cuDNN where they can, else columns and a matrix product. Extents have been checked.
#pragma once

#include <array>
#include <cstdint>

#include "chainerxx/internal/spatial/windows.h"

namespace chainerxx::internal {

struct Convolution {
  Windows windows;
  std::int64_t groups = 1;
  bool use_cudnn = true;
  bool allow_tf32 = false;
  bool channels_last = false;  // how results and gradients by images lie
  bool relu = false;           // negative results become 0; of convolve() alone
};

/// Whether channels last is the faster layout for a convolution of x: where the library multiplies
/// in units that want the channels of a pixel together.
bool prefers_channels_last(const Convolution& how, const ndarray& x);

// Images may lie in any way: what lies otherwise than `how` says is copied. W may be float32 beside
// narrow images, and then b and gW, too.

/// The correlation of x (n, c, h, w) with W (o, c / groups, kh, kw): (n, o, out.h, out.w). `b` is
/// null or (o,).
ndarray convolve(const Convolution& how, const ndarray& x, const ndarray& W, const ndarray& b,
                 const Size2D& out);
/// Its gradient by x for an image of this size, from gy (n, o, oh, ow): the transposed convolution.
ndarray convolve_data(const Convolution& how, const ndarray& W, const ndarray& gy,
                      const Size2D& image);
/// Adds its gradient by W to gW.
void convolve_weights(const Convolution& how, const ndarray& x, const ndarray& gy,
                      const ndarray& gW);
/// y += b along axis 1, in place; y has no gaps. b may be float32 beside a narrow y.
void add_channel_bias(const ndarray& y, const ndarray& b);
/// gb += the sum of gy over all axes but 1, in place.
void add_channel_sums(const ndarray& gy, const ndarray& gb);

/// The extents of a convolution, as the libraries take them.
struct ConvolutionShape {
  std::int64_t n, c, h, w, o, oh, ow;
  Windows windows;
  std::int64_t groups;
  bool allow_tf32;
  bool channels_last;  // images and filters

  /// All that tells it from others, to find it among them.
  using Numbers = std::array<std::int64_t, 18>;
  Numbers numbers() const {
    const Windows& g = windows;
    return {n,       c,          h,          w,          o,          oh,
            ow,      g.ksize.h,  g.ksize.w,  g.stride.h, g.stride.w, g.pad.h,
            g.pad.w, g.dilate.h, g.dilate.w, groups,     allow_tf32, channels_last};
  }
  /// Multiplications.
  double work() const {
    const auto of_one = c / groups * windows.ksize.h * windows.ksize.w;
    return static_cast<double>(n * o * oh * ow) * static_cast<double>(of_one);
  }
};

}  // namespace chainerxx::internal
