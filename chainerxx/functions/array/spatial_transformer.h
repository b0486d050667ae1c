// SPDX-License-Identifier: MIT
// Images seen through a grid: "Spatial Transformer Networks" (Jaderberg et al., 2015).
#pragma once

#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Pixels of images (n, c, h, w) at the points of a grid (n, 2, oh, ow), interpolated bilinearly:
/// (n, c, oh, ow). A point is (x, y), from -1 at the centre of the first pixel to 1 at that of the
/// last; what lies outside is 0. It has gradients by both. Throws ShapeError for arrays that do not
/// fit.
CUPYXX_API Variable spatial_transformer_sampler(const Variable& x, const Variable& grid);
/// The grid (n, 2, oh, ow) of affine transformations theta (n, 2, 3) of points from -1 to 1. Throws
/// ShapeError for another shape, ValueError for a size that is not positive.
CUPYXX_API Variable spatial_transformer_grid(const Variable& theta, const Size2D& output_shape);

}  // namespace chainerxx::functions
