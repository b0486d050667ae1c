// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/filter_compositions.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {

Variable depthwise_convolution_2d(const Variable& x, const Variable& W, const Variable& b,
                                  const Size2D& stride, const Size2D& pad) {
  const char* const name = "depthwise_convolution_2d";
  internal::refuse_none(name, {&x, &W});
  const cupyxx::Shape image = x.shape(), filters = W.shape();
  if (image.ndim() != 4 || filters.ndim() != 4 || image[1] != filters[1] || image[1] == 0) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": x and W are not (n, c, h, w) and (multiplier, c, kh, kw); ", image,
                        " and ", filters));
  }
  const std::int64_t channels = internal::times(name, filters[0], filters[1]);
  const Variable by_channel =
      reshape(transpose(W, {1, 0, 2, 3}), {channels, std::int64_t{1}, filters[2], filters[3]});
  return convolution_2d(x, by_channel, b,
                        ConvolutionOptions{.stride = stride, .pad = pad, .groups = image[1]});
}

Variable dilated_convolution_2d(const Variable& x, const Variable& W, const Variable& b,
                                const Size2D& stride, const Size2D& pad, const Size2D& dilate) {
  return convolution_2d(x, W, b,
                        ConvolutionOptions{.stride = stride, .pad = pad, .dilate = dilate});
}

}  // namespace chainerxx::functions
