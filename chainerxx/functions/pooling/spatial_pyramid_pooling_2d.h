// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "chainerxx/functions/pooling/pooling_2d.h"

namespace chainerxx::functions {

/// The pooling of one level of a pyramid: how to lay 2^level windows along each axis of an image.
struct PyramidLevel {
  Size2D ksize;
  Size2D pad;
};
/// ceil(h / 2^level) is the height of a window, (2^level ksize - h) / 2 the padding. Throws
/// ValueError for an empty image, and unless 0 <= level < 20.
CUPYXX_API PyramidLevel pyramid_level(const Size2D& image, int level);

}  // namespace chainerxx::functions

namespace chainerxx::internal {
/// Pools one level of a pyramid.
using PoolLevel = Variable (*)(const Variable& x, const functions::PyramidLevel& level,
                               bool use_cudnn);
CUPYXX_API Variable pool_pyramid(const Variable& x, int pyramid_height, PoolLevel pool,
                                 bool use_cudnn);
}  // namespace chainerxx::internal

namespace chainerxx::functions {

/// Pools an image (n, c, h, w) into 1, 4, 16, ... windows and joins the results: (n, c (4^height -
/// 1) / 3, 1, 1) whatever the image's size. See "Spatial Pyramid Pooling in Deep Convolutional
/// Networks for Visual Recognition". Throws ValueError unless 1 <= pyramid_height <= 20.
template <class PoolingClass = MaxPooling2D>
requires std::same_as<PoolingClass, MaxPooling2D> || std::same_as<PoolingClass, AveragePooling2D>
    Variable spatial_pyramid_pooling_2d(const Variable& x, int pyramid_height,
                                        bool use_cudnn = true) {
  return internal::pool_pyramid(
      x, pyramid_height,
      [](const Variable& v, const PyramidLevel& level, bool cudnn) {
        const typename PoolingClass::Options options = {
            .pad = level.pad, .cover_all = true, .use_cudnn = cudnn};
        return PoolingClass(level.ksize, options)(v);
      },
      use_cudnn);
}

}  // namespace chainerxx::functions
