// SPDX-License-Identifier: MIT
// Maxima of images (n, c, h, w) with their places, the way back, and the elements under each
// window.
#pragma once

#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// What max_pooling_2d_with_indices gives.
struct PooledWithIndices {
  Variable y;
  ndarray indices;  ///< int64, of each maximum its place in the window, counted along rows
};
/// Options of max_pooling_2d_with_indices and upsampling_2d.
struct UpsamplingOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  Size2D stride = {};  ///< None: the size of the window
  Size2D pad = 0;
  bool cover_all = true;
  Size2D outsize = {};  ///< of upsampling_2d; None: the smallest that fits
};
/// max_pooling_2d with the places of the maxima, the first ones in their windows.
CUPYXX_API PooledWithIndices max_pooling_2d_with_indices(const Variable& x, const Size2D& ksize,
                                                         const UpsamplingOptions& options = {});
/// The inverse: each element of x at the place in its window that `indices` names, zeros elsewhere;
/// elements at the same place add up. See "SegNet". Throws ShapeError for indices of another shape,
/// TypeError unless they are integers, IndexError for one beyond the image, on a device at the next
/// synchronising call.
CUPYXX_API Variable upsampling_2d(const Variable& x, const ndarray& indices, const Size2D& ksize,
                                  const UpsamplingOptions& options = {});
/// In Chainer's order.
template <internal::SizeLike S = Size2D>
Variable upsampling_2d(const Variable& x, const ndarray& indices, const Size2D& ksize, S stride,
                       const Size2D& pad = 0, const Size2D& outsize = {}, bool cover_all = true) {
  return upsampling_2d(
      x, indices, ksize,
      UpsamplingOptions{.stride = stride, .pad = pad, .cover_all = cover_all, .outsize = outsize});
}

/// Options of im2col.
struct Im2ColFunctionOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  Size2D stride = 1;
  Size2D pad = 0;
  bool cover_all = false;
  Size2D dilate = 1;
};
/// The elements under each place of a window: (n, c * kh * kw, oh, ow). Throws ShapeError for what
/// are no images and windows that do not fit, ValueError for sizes that are not positive.
CUPYXX_API Variable im2col(const Variable& x, const Size2D& ksize,
                           const Im2ColFunctionOptions& options = {});
/// In Chainer's order.
template <internal::SizeLike S = Size2D>
Variable im2col(const Variable& x, const Size2D& ksize, S stride, const Size2D& pad = 0,
                bool cover_all = false, const Size2D& dilate = 1) {
  return im2col(x, ksize,
                Im2ColFunctionOptions{
                    .stride = stride, .pad = pad, .cover_all = cover_all, .dilate = dilate});
}

}  // namespace chainerxx::functions
