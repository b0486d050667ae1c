// SPDX-License-Identifier: MIT
// What the functions over sliding windows share.
#pragma once

#include <string>

#include "chainerxx/internal/kernels/windows.h"
#include "chainerxx/utils/size_2d.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// How a window lies on an image.
struct Windows {
  Size2D ksize = 1;
  Size2D stride = 1;
  Size2D pad = 0;
  Size2D dilate = 1;
};

/// Throws ValueError, naming the operation, for sizes that are not positive or a negative padding.
void check(const char* operation, const Windows& windows);
/// The number of places of a window on an image; throws ShapeError where there is none. `shape` is
/// for the message.
Size2D output_size(const char* operation, const Windows& windows, const Size2D& image,
                   bool cover_all, const std::string& shape);

/// (n, c, h, w) -> (n, c, kh, kw, out.h, out.w); `outside` is read where there is no image.
ndarray im2col(const ndarray& image, const Windows& windows, const Size2D& out, double outside);
/// (n, c, kh, kw, oh, ow) -> (n, c, size.h, size.w), sums in a fixed order.
ndarray col2im(const ndarray& col, const Windows& windows, const Size2D& size);

/// Windows as kernels take them; the caller fills in the rest.
kernels::Window kernel_window(const Windows& windows, const Size2D& image, const Size2D& out);

}  // namespace chainerxx::internal
