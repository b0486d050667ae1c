// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/images.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

Shape image_shape(const char* name, const Variable& x) {
  internal::refuse_none(name, {&x});
  const Shape shape = x.shape();
  if (shape.ndim() == 4) return shape;
  throw cupyxx::ShapeError(cupyxx::message(name, ": x is not (n, c, h, w); ", shape));
}

/// Where new pixels lie among `size` old ones.
ndarray positions(std::int64_t size, std::int64_t count, const ResizeImagesOptions& options) {
  const ndarray places = cupyxx::arange(count).astype(cupyxx::float64);
  const auto ratio = [](std::int64_t a, std::int64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  if (options.mode == ResizeMode::nearest) {
    return cupyxx::floor(places * static_cast<double>(size) / static_cast<double>(count));
  }
  if (options.align_corners) return places * (count == 1 ? 0 : ratio(size - 1, count - 1));
  return cupyxx::maximum((places + 0.5) * ratio(size, count) - 0.5, 0);
}

Variable taken(const Variable& x, const ndarray& places, int axis) {
  std::vector<cupyxx::Index> index(static_cast<std::size_t>(axis), cupyxx::slice());
  index.emplace_back(places.astype(cupyxx::int64));
  return get_item(x, index);
}

Variable resized(const Variable& x, std::int64_t count, int axis,
                 const ResizeImagesOptions& options) {
  const std::int64_t size = x.shape()[axis];
  const ndarray at = positions(size, count, options);
  const ndarray last = cupyxx::full({}, size - 1, cupyxx::float64);
  const ndarray low = cupyxx::minimum(cupyxx::floor(at), last);
  const Variable before = taken(x, low, axis);
  if (options.mode == ResizeMode::nearest) return before;
  Shape along = {std::int64_t{1}, std::int64_t{1}, std::int64_t{1}, std::int64_t{1}};
  along[axis] = count;
  const Variable share =
      cupyxx::broadcast_to((at - low).astype(x.dtype()).reshape(along), before.shape());
  const Variable behind = taken(x, cupyxx::minimum(low + 1, last), axis);
  return before + (behind - before) * share;
}

}  // namespace

Variable resize_images(const Variable& x, const Size2D& output_shape,
                       const ResizeImagesOptions& options) {
  const Shape shape = image_shape("resize_images", x);
  if (output_shape.h < 1 || output_shape.w < 1) {
    throw cupyxx::ValueError(
        cupyxx::message("resize_images: the size is not positive; ", output_shape));
  }
  if (shape[2] < 1 || shape[3] < 1) {
    throw cupyxx::ShapeError(cupyxx::message("resize_images: there are no pixels; ", shape));
  }
  const cupyxx::DeviceScope device(x.device());
  return resized(resized(x, output_shape.h, 2, options), output_shape.w, 3, options);
}

Variable depth2space(const Variable& x, std::int64_t r) {
  const Shape s = image_shape("depth2space", x);
  if (r < 1 || r > std::int64_t{1} << 20 || s[1] % (r * r) != 0) {
    throw cupyxx::ValueError(
        cupyxx::message("depth2space: r * r does not divide the channels; ", r, " and ", s));
  }
  const std::int64_t c = s[1] / (r * r);
  const Variable blocks = reshape(x, {s[0], r, r, c, s[2], s[3]});
  return reshape(transpose(blocks, {0, 3, 4, 1, 5, 2}), {s[0], c, s[2] * r, s[3] * r});
}

Variable space2depth(const Variable& x, std::int64_t r) {
  const Shape s = image_shape("space2depth", x);
  if (r < 1 || r > std::int64_t{1} << 20 || s[2] % r != 0 || s[3] % r != 0) {
    throw cupyxx::ValueError(
        cupyxx::message("space2depth: r does not divide height and width; ", r, " and ", s));
  }
  const Variable blocks = reshape(x, {s[0], s[1], s[2] / r, r, s[3] / r, r});
  return reshape(transpose(blocks, {0, 3, 5, 1, 2, 4}), {s[0], r * r * s[1], s[2] / r, s[3] / r});
}

}  // namespace chainerxx::functions
