// SPDX-License-Identifier: MIT
// Maxima and sums under sliding windows of images (n, c, h, w), on the device of their arguments.
#pragma once

#include "chainerxx/internal/spatial/windows.h"

namespace chainerxx::internal {

// Results lie as their input does. The gradients are told how, since what is pooled to one pixel
// does not show it.

struct MaxPooled {
  ndarray y;
  ndarray places;  // where each maximum was found first; only for the functions below
};
/// Minus infinity where a window lies in the padding altogether.
MaxPooled max_pool(const ndarray& x, const Windows& windows, const Size2D& out);
ndarray max_pool_grad(const ndarray& gy, const ndarray& places, const Windows& windows,
                      const Size2D& image, bool channels_last);
/// The same for images that a ReLU has made, and whose gradient goes there alone: where it is easy
/// to tell, 0 where an image is not positive, and noted as such (MaskedGradient). `images` is the
/// handle of the images, which need not be there any more.
ndarray max_pool_grad_before_relu(const ndarray& gy, const ndarray& places, const Windows& windows,
                                  const Size2D& image, bool channels_last, const void* images);
/// Places as integers in the planes of an image of this size, -1 for those in the padding.
ndarray places_in_planes(const ndarray& places, const Windows& windows, const Size2D& image);

/// Sums times `scale`.
ndarray sum_pool(const ndarray& x, const Windows& windows, const Size2D& out, double scale);
ndarray sum_pool_grad(const ndarray& gy, const Windows& windows, const Size2D& image, double scale,
                      bool channels_last);

}  // namespace chainerxx::internal
