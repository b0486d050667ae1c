// SPDX-License-Identifier: MIT
// How images (n, c, h, w) lie in memory: plane behind plane, which is C order, or pixel behind
// pixel with the channels of each as neighbours, "channels last". The shape is the same.
#pragma once

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// Whether the channels of a pixel are nearer to each other than its neighbours are: the layout
/// that results keep, whether there are gaps or not. Never of what lies in both ways, such as
/// images of one channel or one pixel, and of what is not four-dimensional.
bool is_channels_last(const ndarray& a);

/// Whether the elements of images lie in this way without gaps.
bool has_layout(const ndarray& images, bool channels_last);
/// Whether the first element stands on a multiple of 16 bytes.
bool begins_on_pack(const ndarray& a);
/// Images in a layout without gaps: themselves, or a copy.
ndarray in_layout(const ndarray& images, bool channels_last);
/// The same, and on a multiple of 16 bytes.
ndarray packed_in_layout(const ndarray& images, bool channels_last);
/// New images on the device of `beside`.
ndarray empty_images(const ndarray& beside, const cupyxx::Shape& shape, cupyxx::dtype dtype,
                     bool channels_last);
/// A copy in another dtype, in a layout without gaps.
ndarray cast_images(const ndarray& images, cupyxx::dtype dtype, bool channels_last);
/// A view of images that lie channels last: (n, h, w, c), C-contiguous if they have no gaps.
ndarray as_pixels(const ndarray& images);
/// The same without gaps as a matrix with a row for each pixel, (n * h * w, c); a view.
ndarray as_pixel_rows(const ndarray& images);

}  // namespace chainerxx::internal
