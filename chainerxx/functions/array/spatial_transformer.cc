// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/spatial_transformer.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

/// Where points lie along an axis of an image with a border of one pixel.
struct Places {
  ndarray low;     // the pixel before the point
  Variable share;  // of the pixel behind it
};

Places places_of(const Variable& given, std::int64_t size) {
  // 16-bit numbers would lie beside another pixel.
  const Variable points = internal::is_narrow(given.dtype()) ? cast(given, cupyxx::float32) : given;
  const auto last = static_cast<double>(size + 1);
  const Variable at = (points + 1) * (static_cast<double>(size - 1) / 2) + 1;
  // Far outside of the image: on the border, with no slope. What is no number is, too.
  const ndarray inside = cupyxx::logical_and(at.data() >= 0, at.data() <= last);
  const Variable zero = cupyxx::zeros({}, at.dtype());
  const Variable clipped = where(inside, at, zero);
  const ndarray low = cupyxx::minimum(cupyxx::floor(clipped.data()), static_cast<double>(size));
  const Variable before = low.astype(at.dtype(), false);
  return {low.astype(cupyxx::int64), cast(clipped - before, given.dtype())};
}

/// (n, oh, ow) for each channel.
Variable for_channels(const Variable& share, const Shape& shape) {
  return broadcast_to(expand_dims(share, 3), shape);
}

}  // namespace

Variable spatial_transformer_sampler(const Variable& x, const Variable& grid) {
  const char* const name = "spatial_transformer_sampler";
  internal::refuse_none(name, {&x, &grid});
  const Shape image = x.shape(), points = grid.shape();
  if (image.ndim() != 4 || points.ndim() != 4 || points[0] != image[0] || points[1] != 2) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": x and the grid are not (n, c, h, w) and (n, 2, oh, ow); ", image,
                        " and ", points));
  }
  const cupyxx::DeviceScope device(x.device());
  const Variable pixels = pad(transpose(x, {0, 2, 3, 1}), {{0, 0}, {1, 1}, {1, 1}, {0, 0}});
  const auto coordinate = [&](int k) { return get_item(grid, {cupyxx::slice(), k}); };
  const Places column = places_of(coordinate(0), image[3]),
               row = places_of(coordinate(1), image[2]);
  const ndarray number = cupyxx::arange(image[0]).reshape({image[0], 1, 1});
  const Shape sampled = {points[0], points[2], points[3], image[1]};
  const auto at = [&](std::int64_t down, std::int64_t right) {
    return get_item(pixels, {number, row.low + down, column.low + right});
  };
  const Variable right = for_channels(column.share, sampled);
  const auto along = [&](std::int64_t down) {
    const Variable left = at(down, 0);
    return left + (at(down, 1) - left) * right;
  };
  const Variable above = along(0);
  const Variable y = above + (along(1) - above) * for_channels(row.share, sampled);
  return transpose(y, {0, 3, 1, 2});
}

Variable spatial_transformer_grid(const Variable& theta, const Size2D& output_shape) {
  const char* const name = "spatial_transformer_grid";
  internal::refuse_none(name, {&theta});
  const Shape shape = theta.shape();
  if (shape.ndim() != 3 || shape[1] != 2 || shape[2] != 3) {
    throw cupyxx::ShapeError(cupyxx::message(name, ": theta is not (n, 2, 3); ", shape));
  }
  const Size2D& out = output_shape;
  if (out.h < 1 || out.w < 1) {
    throw cupyxx::ValueError(cupyxx::message(name, ": the size is not positive; ", out));
  }
  const cupyxx::DeviceScope device(theta.device());
  const Shape all = {shape[0], std::int64_t{2}, out.h, out.w};
  const ndarray rows = cupyxx::linspace(-1, 1, out.h).astype(theta.dtype()).reshape({out.h, 1});
  const ndarray columns = cupyxx::linspace(-1, 1, out.w).astype(theta.dtype());
  const auto factor = [&](int k) {
    return broadcast_to(get_item(theta, {cupyxx::slice(), cupyxx::slice(), cupyxx::slice(k, k + 1),
                                         cupyxx::newaxis}),
                        all);
  };
  const Variable x = cupyxx::broadcast_to(columns, all), y = cupyxx::broadcast_to(rows, all);
  return factor(0) * x + factor(1) * y + factor(2);
}

}  // namespace chainerxx::functions
