// SPDX-License-Identifier: MIT
// Convolutions of pictures, which have few channels, by windows of nine elements and more on
// devices: one product of a matrix whose rows are what is under the window, and of the filters.
// Libraries, which take packs of channels, need several times as long.
#pragma once

#include "chainerxx/internal/spatial/convolution.h"

namespace chainerxx::internal {

/// Whether these functions are for a convolution of x into places `out`.
bool is_by_patches(const Convolution& how, const ndarray& x, const Size2D& out);

/// y, (n, o, oh, ow) channels last, = the correlation plus b, through a ReLU where `how` has one;
/// b, of y's dtype, may be null.
void convolve_patches(const Convolution& how, const ndarray& x, const ndarray& W, const ndarray& b,
                      const ndarray& y);
/// gW += the gradient; gy lies channels last without gaps, gW is C-contiguous.
void convolve_patches_weights(const Convolution& how, const ndarray& x, const ndarray& gy,
                              const ndarray& gW);

}  // namespace chainerxx::internal
