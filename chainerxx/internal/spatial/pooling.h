// SPDX-License-Identifier: MIT
// Maxima and sums under sliding windows of images (n, c, h, w), on the device of their arguments.
#pragma once

#include "chainerxx/internal/spatial/windows.h"

namespace chainerxx::internal {

struct MaxPooled {
  ndarray y;
  ndarray places;  // int32: where in its plane each maximum was found first, -1 in the padding
};
/// Minus infinity where a window lies in the padding altogether.
MaxPooled max_pool(const ndarray& x, const Windows& windows, const Size2D& out);
ndarray max_pool_grad(const ndarray& gy, const ndarray& places, const Windows& windows,
                      const Size2D& image);

/// Sums times `scale`.
ndarray sum_pool(const ndarray& x, const Windows& windows, const Size2D& out, double scale);
ndarray sum_pool_grad(const ndarray& gy, const Windows& windows, const Size2D& image, double scale);

}  // namespace chainerxx::internal
