// SPDX-License-Identifier: MIT
// Functions that give images (n, c, h, w) another size.
#pragma once

#include <cstdint>

#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Which pixels resize_images reads for a new one.
enum class ResizeMode : std::uint8_t {
  bilinear,  ///< four, weighted by their nearness
  nearest    ///< one
};

/// Options of resize_images.
struct ResizeImagesOptions {
  ResizeMode mode = ResizeMode::bilinear;
  /// Whether the centres of the first and last pixels stay where they are; else the borders of the
  /// image do. Bilinear only.
  bool align_corners = true;
};

/// Images (n, c, h, w) in another height and width. Throws ShapeError for what are no images or
/// images without pixels, ValueError for a size that is not positive.
CUPYXX_API Variable resize_images(const Variable& x, const Size2D& output_shape,
                                  const ResizeImagesOptions& options = {});
/// (n, r * r * c, h, w) as (n, c, r * h, r * w): channel (i r + j) c + k becomes pixel (i, j) of
/// each block of channel k. See "Is the deconvolution layer the same as a convolutional layer?"
/// (Shi et al., 2016). Throws ShapeError for what are no images, ValueError unless r * r divides
/// the channels.
CUPYXX_API Variable depth2space(const Variable& x, std::int64_t r);
/// The inverse: (n, c, r * h, r * w) as (n, r * r * c, h, w). Throws ShapeError for what are no
/// images, ValueError unless r divides height and width.
CUPYXX_API Variable space2depth(const Variable& x, std::int64_t r);

}  // namespace chainerxx::functions
