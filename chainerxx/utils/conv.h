// SPDX-License-Identifier: MIT
// The arithmetic of windows that slide over images, and the rearrangement that turns a convolution
// into a matrix product. Chainer's `utils.conv`.
#pragma once

#include <cstdint>

#include "chainerxx/utils/size_2d.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::utils {

/// The number of places of a window of size `k` with stride `s` on `size` elements with padding `p`
/// on both sides; below 1 when the window does not fit. With `cover_all` the last window may run
/// over the end, so that every element lies under one. `d` is the distance between the window's
/// elements. Throws ValueError unless the stride is positive, and beyond 64 bits.
CUPYXX_API std::int64_t get_conv_outsize(std::int64_t size, std::int64_t k, std::int64_t s,
                                         std::int64_t p, bool cover_all = false,
                                         std::int64_t d = 1);
/// The inverse: the smallest size on which a window has `size` places. Throws ValueError beyond 64
/// bits.
CUPYXX_API std::int64_t get_deconv_outsize(std::int64_t size, std::int64_t k, std::int64_t s,
                                           std::int64_t p, bool cover_all = false,
                                           std::int64_t d = 1);

/// Options of im2col and col2im.
struct Im2ColOptions {
  Size2D stride = 1;
  Size2D pad = 0;
  Size2D dilate = 1;
  double pval = 0;         ///< what lies outside of the image; im2col only
  bool cover_all = false;  ///< im2col only
};

/// The elements under each place of a window: (n, c, h, w) becomes (n, c, kh, kw, oh, ow). Any
/// floating dtype, on the device of `image`. Throws ShapeError where the window does not fit.
CUPYXX_API cupyxx::ndarray im2col(const cupyxx::ndarray& image, const Size2D& ksize,
                                  const Im2ColOptions& options = {});
/// The sums of what im2col has spread: (n, c, kh, kw, oh, ow) becomes (n, c, h, w) for an image of
/// size `outsize`. The order of the sums is fixed.
CUPYXX_API cupyxx::ndarray col2im(const cupyxx::ndarray& col, const Size2D& outsize,
                                  const Im2ColOptions& options = {});

}  // namespace chainerxx::utils
