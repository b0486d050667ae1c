// SPDX-License-Identifier: MIT
// Pictures of other sizes. Images are (channels, height, width), uint8 or float32, on the host.
// What is random comes from example_random().
#pragma once

#include <cstdint>

#include "chainerxx/datasets/dataset.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::datasets {

/// An image of another size, bilinear; where it becomes smaller each pixel is a mean of all that it
/// covers (triangle filter, as the Python Imaging Library's BILINEAR). uint8 is rounded. Throws
/// ValueError for an empty image or size, DtypeError for other dtypes than uint8 and float32,
/// ShapeError for other than three axes.
CUPYXX_API ndarray resize(const ndarray& image, std::int64_t height, std::int64_t width);
/// The same with the shorter side `size` long, the other one in proportion.
CUPYXX_API ndarray resize_shorter(const ndarray& image, std::int64_t size);

/// A part, as a view. Throws ValueError where it reaches over the border.
CUPYXX_API ndarray crop(const ndarray& image, std::int64_t top, std::int64_t left,
                        std::int64_t height, std::int64_t width);
/// The part in the middle.
CUPYXX_API ndarray center_crop(const ndarray& image, std::int64_t height, std::int64_t width);
/// A part at a random place.
CUPYXX_API ndarray random_crop(const ndarray& image, std::int64_t height, std::int64_t width);

/// The mirror image, left and right exchanged, as a view.
CUPYXX_API ndarray horizontal_flip(const ndarray& image);
/// The image or its mirror image, by chance.
CUPYXX_API ndarray random_flip(const ndarray& image);

/// For each channel of images.
struct ImageStatistics {
  ndarray mean;      ///< (channels,) float64
  ndarray variance;  ///< (channels,) float64
};
/// Mean and variance of the pixels of all images, which are the examples' first arrays and may be
/// of different sizes. Throws ValueError for no images and for different numbers of channels.
CUPYXX_API ImageStatistics mean_and_variance(const Dataset& images);
/// (image - mean) / sqrt(variance), channel by channel, as float32.
CUPYXX_API ndarray normalize(const ndarray& image, const ImageStatistics& statistics);

}  // namespace chainerxx::datasets
