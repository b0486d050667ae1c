// SPDX-License-Identifier: MIT
// Poolings of regions of interest of images (n, c, h, w).
#pragma once

#include <cstdint>

#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The largest elements in outh * outw parts of each region: (regions, c, outh, outw), 0 where a
/// part lies outside of the image. `rois` is (regions, 5), of each region the number of its image,
/// x_min, y_min, x_max and y_max in pixels, both ends included, which are multiplied by
/// `spatial_scale` and rounded. See "Fast R-CNN". Throws ShapeError and ValueError for rois of
/// another shape, for sizes and scales that are not positive, and IndexError for images that there
/// are not. Copies the regions to the host and waits for it.
CUPYXX_API Variable roi_pooling_2d(const Variable& x, const ndarray& rois, std::int64_t outh,
                                   std::int64_t outw, double spatial_scale);

/// The largest elements in the parts of each region: (regions, c, outsize), 0 where a part lies
/// outside of the image. `rois` is (regions, 4), of each region y_min, x_min, y_max and x_max,
/// which are multiplied by `spatial_scale` and rounded, the ends excluded but at least a pixel
/// wide; `roi_indices` (regions,) are the numbers of their images. Throws as roi_pooling_2d, and
/// copies as it does.
CUPYXX_API Variable roi_max_pooling_2d(const Variable& x, const ndarray& rois,
                                       const ndarray& roi_indices, const Size2D& outsize,
                                       double spatial_scale);
/// The averages of the same elements; the gradient of one goes to all of them.
CUPYXX_API Variable roi_average_pooling_2d(const Variable& x, const ndarray& rois,
                                           const ndarray& roi_indices, const Size2D& outsize,
                                           double spatial_scale);

/// The averages of bilinear samples in the parts of each region: (regions, c, outsize). `rois` is
/// (regions, 4), of each region y_min, x_min, y_max and x_max, which are multiplied by
/// `spatial_scale` and not rounded; `roi_indices` (regions,) are the numbers of their images. Of
/// each part sampling_ratio samples are taken in each direction, by default one for each pixel. See
/// "Mask R-CNN". Throws as roi_pooling_2d, and copies as it does.
CUPYXX_API Variable roi_average_align_2d(const Variable& x, const ndarray& rois,
                                         const ndarray& roi_indices, const Size2D& outsize,
                                         double spatial_scale, const Size2D& sampling_ratio = {});
/// The largest of the same samples, 0 where all lie more than a pixel outside of the image.
CUPYXX_API Variable roi_max_align_2d(const Variable& x, const ndarray& rois,
                                     const ndarray& roi_indices, const Size2D& outsize,
                                     double spatial_scale, const Size2D& sampling_ratio = {});

}  // namespace chainerxx::functions
