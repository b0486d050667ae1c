// SPDX-License-Identifier: MIT
// Maxima and averages of windows that slide over signals (n, c, ...) of any number of axes. All are
// made of poolings of images: axis by axis, but for the last two, which are images.
#pragma once

#include "chainerxx/utils/size_2d.h"
#include "chainerxx/utils/size_nd.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of poolings over several axes.
template <bool kCoversAll>
struct PoolingNDOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  SizeND stride = {};           ///< None: the size of the window
  SizeND pad = 0;               ///< on both sides of each axis
  bool cover_all = kCoversAll;  ///< the last windows may run over the end: nothing is left out
};
using MaxPoolingNDOptions = PoolingNDOptions<true>;
using AveragePoolingNDOptions = PoolingNDOptions<false>;

/// The largest element under each window of x (n, c, ...). Throws ShapeError where a window is
/// larger than the padded x, ValueError for sizes that are not positive or of another number of
/// axes.
CUPYXX_API Variable max_pooling_nd(const Variable& x, const SizeND& ksize,
                                   const MaxPoolingNDOptions& options = {});
/// max_pooling_nd of sequences (n, c, length).
CUPYXX_API Variable max_pooling_1d(const Variable& x, const SizeND& ksize,
                                   const MaxPoolingNDOptions& options = {});
/// max_pooling_nd of volumes (n, c, d, h, w).
CUPYXX_API Variable max_pooling_3d(const Variable& x, const SizeND& ksize,
                                   const MaxPoolingNDOptions& options = {});
/// The average under each window of x (n, c, ...), padding included as zeros. Throws as
/// max_pooling_nd.
CUPYXX_API Variable average_pooling_nd(const Variable& x, const SizeND& ksize,
                                       const AveragePoolingNDOptions& options = {});
/// average_pooling_nd of sequences (n, c, length).
CUPYXX_API Variable average_pooling_1d(const Variable& x, const SizeND& ksize,
                                       const AveragePoolingNDOptions& options = {});
/// average_pooling_nd of volumes (n, c, d, h, w).
CUPYXX_API Variable average_pooling_3d(const Variable& x, const SizeND& ksize,
                                       const AveragePoolingNDOptions& options = {});

// In Chainer's order, with one stride for all axes.
template <internal::SizeNDLike S>
Variable max_pooling_nd(const Variable& x, const SizeND& ksize, S stride, const SizeND& pad = 0,
                        bool cover_all = true) {
  return max_pooling_nd(x, ksize,
                        MaxPoolingNDOptions{.stride = stride, .pad = pad, .cover_all = cover_all});
}
template <internal::SizeNDLike S>
Variable max_pooling_1d(const Variable& x, const SizeND& ksize, S stride, const SizeND& pad = 0,
                        bool cover_all = true) {
  return max_pooling_1d(x, ksize,
                        MaxPoolingNDOptions{.stride = stride, .pad = pad, .cover_all = cover_all});
}
template <internal::SizeNDLike S>
Variable max_pooling_3d(const Variable& x, const SizeND& ksize, S stride, const SizeND& pad = 0,
                        bool cover_all = true) {
  return max_pooling_3d(x, ksize,
                        MaxPoolingNDOptions{.stride = stride, .pad = pad, .cover_all = cover_all});
}
template <internal::SizeNDLike S>
Variable average_pooling_nd(const Variable& x, const SizeND& ksize, S stride,
                            const SizeND& pad = 0) {
  return average_pooling_nd(x, ksize, AveragePoolingNDOptions{.stride = stride, .pad = pad});
}
template <internal::SizeNDLike S>
Variable average_pooling_1d(const Variable& x, const SizeND& ksize, S stride,
                            const SizeND& pad = 0) {
  return average_pooling_1d(x, ksize, AveragePoolingNDOptions{.stride = stride, .pad = pad});
}
template <internal::SizeNDLike S>
Variable average_pooling_3d(const Variable& x, const SizeND& ksize, S stride,
                            const SizeND& pad = 0) {
  return average_pooling_3d(x, ksize, AveragePoolingNDOptions{.stride = stride, .pad = pad});
}

/// Options of unpooling_nd and its forms.
struct UnpoolingNDOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  SizeND stride = {};  ///< None: the size of the window
  SizeND pad = 0;
  SizeND outsize = {};    ///< None: the smallest that fits
  bool cover_all = true;  ///< the input is what pooling with cover_all would give
};

/// Each element of x (n, c, ...) spread over a window of the result; windows that overlap add up.
CUPYXX_API Variable unpooling_nd(const Variable& x, const SizeND& ksize,
                                 const UnpoolingNDOptions& options = {});
/// unpooling_nd of sequences (n, c, length).
CUPYXX_API Variable unpooling_1d(const Variable& x, const SizeND& ksize,
                                 const UnpoolingNDOptions& options = {});
/// unpooling_nd of volumes (n, c, d, h, w).
CUPYXX_API Variable unpooling_3d(const Variable& x, const SizeND& ksize,
                                 const UnpoolingNDOptions& options = {});

/// The mean of each channel of x (n, c, ...): (n, c). Throws ShapeError for fewer than three axes,
/// ValueError where nothing is averaged.
CUPYXX_API Variable global_average_pooling(const Variable& x);

}  // namespace chainerxx::functions
