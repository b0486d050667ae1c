// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/local_convolution_2d.h"

#include <string>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/array/spatial_transformer.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

constexpr std::int64_t kMostPad = std::int64_t{1} << 30;

void check_stride(const char* name, const Size2D& stride) {
  if (stride.h >= 1 && stride.w >= 1) return;
  throw cupyxx::ValueError(cupyxx::message(name, ": the stride is not positive; ", stride));
}

std::string text_of(const Variable& b) { return b.is_none() ? "None" : b.shape().str(); }

/// y + b, of a b as narrow as W became.
Variable with_bias(const Variable& y, const Variable& W, const Variable& b, const Shape& along) {
  if (b.is_none()) return y;
  const Variable own = b.dtype() == W.dtype() ? cast(b, y.dtype()) : b;
  return y + broadcast_to(reshape(own, along), y.shape());
}

/// Where the elements of the windows lie along one axis of an image with a border, before they are
/// moved: (kh kw, oh, ow).
ndarray places(const Shape& offset, const Size2D& ksize, const Size2D& stride, bool along_rows) {
  const std::int64_t oh = offset[2], ow = offset[3];
  const Shape all = {ksize.h, ksize.w, oh, ow};
  const ndarray within = along_rows ? cupyxx::arange(ksize.h).reshape({ksize.h, 1, 1, 1})
                                    : cupyxx::arange(ksize.w).reshape({1, ksize.w, 1, 1});
  const ndarray from = along_rows ? (cupyxx::arange(oh) * stride.h).reshape({1, 1, oh, 1})
                                  : (cupyxx::arange(ow) * stride.w).reshape({1, 1, 1, ow});
  return cupyxx::broadcast_to(within + from, all).reshape({ksize.h * ksize.w, oh, ow});
}

}  // namespace

Variable local_convolution_2d(const Variable& x, const Variable& W, const Variable& b,
                              const Size2D& stride) {
  const char* const name = "local_convolution_2d";
  internal::refuse_none(name, {&x, &W});
  check_stride(name, stride);
  const Shape image = x.shape(), filters = W.shape();
  bool fits = image.ndim() == 4 && filters.ndim() == 6 && filters[3] == image[1] &&
              filters[4] >= 1 && filters[5] >= 1 && image[2] >= filters[4] &&
              image[3] >= filters[5];
  if (fits) {
    fits = filters[1] == (image[2] - filters[4]) / stride.h + 1 &&
           filters[2] == (image[3] - filters[5]) / stride.w + 1 &&
           (b.is_none() || b.shape() == Shape{filters[0], filters[1], filters[2]});
  }
  if (!fits) {
    throw cupyxx::ShapeError(
        cupyxx::message(name,
                        ": x, W and b are not (n, c, h, w), (out, oh, ow, c, kh, kw) and "
                        "(out, oh, ow); ",
                        image, ", ", filters, " and ", text_of(b), " with stride ", stride));
  }
  const std::int64_t n = image[0], out = filters[0], oh = filters[1], ow = filters[2];
  const std::int64_t elements = filters[3] * filters[4] * filters[5];
  // The elements of each window, by places of the windows: (oh, ow, n, c, kh, kw).
  const cupyxx::DeviceScope device(x.device());
  const auto along = [](std::int64_t places, std::int64_t step, std::int64_t size) {
    return (cupyxx::arange(places) * step).reshape({places, 1}) + cupyxx::arange(size);
  };
  const ndarray rows = along(oh, stride.h, filters[4]).reshape({oh, 1, filters[4], 1});
  const ndarray columns = along(ow, stride.w, filters[5]).reshape({1, ow, 1, filters[5]});
  const Variable pixels = transpose(x, {2, 3, 0, 1});
  const Variable windows = get_item(pixels, {rows, columns});  // (oh, ow, kh, kw, n, c)
  const Variable by_place = reshape(transpose(windows, {0, 1, 4, 5, 2, 3}), {oh * ow, n, elements});
  const Variable weights = reshape(transpose(W, {1, 2, 3, 4, 5, 0}), {oh * ow, elements, out});
  const Variable y = reshape(batch_matmul(by_place, weights), {oh, ow, n, out});
  return with_bias(transpose(y, {2, 3, 0, 1}), W, b, {1, out, oh, ow});
}

Variable deformable_convolution_2d_sampler(const Variable& x, const Variable& offset,
                                           const Variable& W, const Variable& b,
                                           const Size2D& stride, const Size2D& pad) {
  const char* const name = "deformable_convolution_2d_sampler";
  internal::refuse_none(name, {&x, &offset, &W});
  check_stride(name, stride);
  if (pad.h < 0 || pad.w < 0 || pad.h > kMostPad || pad.w > kMostPad) {
    throw cupyxx::ValueError(cupyxx::message(name, ": the pad is not in [0, 2 ** 30]; ", pad));
  }
  const Shape image = x.shape(), moves = offset.shape(), filters = W.shape();
  bool fits = image.ndim() == 4 && moves.ndim() == 4 && filters.ndim() == 4 &&
              filters[1] == image[1] && moves[0] == image[0] && filters[2] >= 1 &&
              filters[3] >= 1 && moves[1] == 2 * filters[2] * filters[3] &&
              image[2] + 2 * pad.h >= filters[2] && image[3] + 2 * pad.w >= filters[3];
  if (fits) {
    fits = moves[2] == (image[2] + 2 * pad.h - filters[2]) / stride.h + 1 &&
           moves[3] == (image[3] + 2 * pad.w - filters[3]) / stride.w + 1 &&
           (b.is_none() || b.shape() == Shape{filters[0]});
  }
  if (!fits) {
    throw cupyxx::ShapeError(
        cupyxx::message(name,
                        ": x, offset, W and b are not (n, c, h, w), (n, 2 kh kw, oh, ow), "
                        "(out, c, kh, kw) and (out,); ",
                        image, ", ", moves, ", ", filters, " and ", text_of(b), " with stride ",
                        stride, " and pad ", pad));
  }
  const Size2D ksize{filters[2], filters[3]};
  const std::int64_t n = image[0], window = ksize.h * ksize.w, oh = moves[2], ow = moves[3];
  const cupyxx::DeviceScope device(x.device());
  // Places in 16 bits would lie beside other pixels.
  const auto wide = [](const Variable& v) {
    return internal::is_narrow(v.dtype()) ? cast(v, cupyxx::float32) : v;
  };
  // A border of one pixel more, so that no axis has a single one, for which places mean nothing.
  const Variable padded =
      functions::pad(wide(x), {{0, 0}, {0, 0}, {pad.h, pad.h + 1}, {pad.w, pad.w + 1}});
  const Variable moved = reshape(wide(offset), {n, std::int64_t{2}, window, oh, ow});
  const auto coordinate = [&](int axis) {
    const bool along_rows = axis == 1;
    const auto last = static_cast<double>(padded.shape()[along_rows ? 2 : 3] - 1);
    const Variable still(places(moves, ksize, stride, along_rows).astype(moved.dtype()),
                         moved.volatile_());
    const Variable by = get_item(moved, {cupyxx::slice(), axis});
    return (by + broadcast_to(still, by.shape())) * (2 / last) - 1;
  };
  const Variable grid =
      reshape(stack({coordinate(0), coordinate(1)}, 1), {n, std::int64_t{2}, window, oh * ow});
  const Variable sampled = spatial_transformer_sampler(padded, grid);  // (n, c, kh kw, oh ow)
  const Variable rows = reshape(transpose(sampled, {0, 3, 1, 2}), {n * oh * ow, image[1] * window});
  const Variable weights = reshape(W, {filters[0], image[1] * window});
  const Variable y =
      matmul(rows.dtype() == x.dtype() ? rows : cast(rows, x.dtype()), weights, false, true);
  const Variable placed = transpose(reshape(y, {n, oh, ow, filters[0]}), {0, 3, 1, 2});
  return with_bias(placed, W, b, {1, filters[0], 1, 1});
}

}  // namespace chainerxx::functions
