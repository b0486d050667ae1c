// SPDX-License-Identifier: MIT
// Pooling and its reverse as functions of variables: the gradient of each is the other.
#pragma once

#include "chainerxx/internal/spatial/windows.h"
#include "chainerxx/variable.h"

namespace chainerxx::internal {

/// The sum under each window times `scale`, at `out` places.
Variable sum_windows(const Variable& x, const Windows& windows, const Size2D& out, double scale);
/// Each element times `scale`, added under its window of an image.
Variable spread_windows(const Variable& x, const Windows& windows, const Size2D& image,
                        double scale, bool channels_last);

/// Where the maxima under windows were found.
struct Maxima {
  ndarray places;  // as max_pool gives them
  Windows windows;
  Size2D image;
  bool channels_last;  // how the image lies
};
/// The elements at the places, 0 in the padding.
Variable pick_maxima(const Variable& x, const Maxima& maxima);
/// An image with each element added at its place.
Variable spread_maxima(const Variable& x, const Maxima& maxima);

}  // namespace chainerxx::internal
