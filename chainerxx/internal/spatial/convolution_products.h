// SPDX-License-Identifier: MIT
// Convolutions of plain images as products of matrices: of columns, or for windows of one element
// and stride 1 of the images as they are. All arrays are C-contiguous, of one dtype and not empty.
#pragma once

#include "chainerxx/internal/spatial/convolution.h"

namespace chainerxx::internal {

inline bool is_pointwise(const Windows& windows) {
  return windows.ksize == Size2D(1) && windows.stride == Size2D(1) && windows.pad == Size2D(0);
}

// For any windows and groups.
void convolve_by_columns(const Convolution& how, const ndarray& x, const ndarray& W,
                         const ndarray& y);
void data_by_columns(const Convolution& how, const ndarray& W, const ndarray& gy,
                     const ndarray& gx);
/// gW += the gradient, as the last one of these.
void weights_by_columns(const Convolution& how, const ndarray& x, const ndarray& gy,
                        const ndarray& gW);

// For pointwise windows in one group.
void data_by_products(const ndarray& W, const ndarray& gy, const ndarray& gx);
void weights_by_products(const ndarray& x, const ndarray& gy, const ndarray& gW);

}  // namespace chainerxx::internal
