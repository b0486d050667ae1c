// SPDX-License-Identifier: MIT
// Convolutions of images that lie channels last, on devices: in cuDNN, or for windows of one
// element and stride 1 as one product of matrices whose rows are pixels. Each has no result, or
// returns false, where the library has nothing deterministic for it.
#pragma once

#include "chainerxx/internal/spatial/convolution.h"

namespace chainerxx::internal {

ndarray convolve_pixels(const Convolution& how, const ndarray& x, const ndarray& W,
                        const ndarray& b, const Size2D& out);
ndarray convolve_pixels_data(const Convolution& how, const ndarray& W, const ndarray& gy,
                             const Size2D& image);
/// gW += the gradient; gW is C-contiguous, and no array is empty.
bool convolve_pixels_weights(const Convolution& how, const ndarray& x, const ndarray& gy,
                             const ndarray& gW);

}  // namespace chainerxx::internal
