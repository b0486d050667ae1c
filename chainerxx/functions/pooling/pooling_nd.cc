// SPDX-License-Identifier: MIT
#include "chainerxx/functions/pooling/pooling_nd.h"

#include <optional>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

/// Sizes along each axis, all of one number of axes.
struct Geometry {
  Shape window, stride, pad, outsize;
  bool cover_all;
};

Shape sizes(const char* name, const char* what, const SizeND& given, int ndim) {
  if (given.is_none()) throw cupyxx::ValueError(cupyxx::message(name, ": ", what, " is None"));
  if (const std::optional<Shape> found = given.of(ndim)) return *found;
  throw cupyxx::ValueError(cupyxx::message(name, ": ", what, " is not of ", ndim, " axes"));
}

template <class Options>
Geometry geometry(const char* name, const Variable& x, const SizeND& ksize, const Options& options,
                  int ndim) {
  internal::refuse_none(name, {&x});
  const int found = x.ndim() - 2;
  if (found < 1 || (ndim != 0 && found != ndim)) {
    const char* const wanted = ndim == 0   ? "(n, channels, ...)"
                               : ndim == 1 ? "(n, channels, length)"
                                           : "(n, channels, d, h, w)";
    throw cupyxx::ShapeError(cupyxx::message(name, ": x is not ", wanted, "; ", x.shape()));
  }
  Geometry how;
  how.window = sizes(name, "the window", ksize, found);
  how.stride =
      options.stride.is_none() ? how.window : sizes(name, "the stride", options.stride, found);
  how.pad = sizes(name, "the padding", options.pad, found);
  how.cover_all = options.cover_all;
  for (int i = 0; i < found; ++i) {
    if (how.window[i] >= 1 && how.stride[i] >= 1 && how.pad[i] >= 0) continue;
    throw cupyxx::ValueError(cupyxx::message(name, ": a size is not positive; window ", how.window,
                                             ", stride ", how.stride, ", pad ", how.pad));
  }
  return how;
}

/// x (n, c, ...) as images: axis `first` is their height, all axes before it are channels, and all
/// behind it the width.
Variable as_images(const Variable& x, int first) {
  const Shape shape = x.shape();
  Shape image = {shape[0], shape[1], std::int64_t{1}, std::int64_t{1}};
  for (int i = 2; i < shape.ndim(); ++i) {
    const int axis = i < first ? 1 : i == first ? 2 : 3;
    image[axis] = internal::times("pooling", image[axis], shape[i]);
  }
  return reshape(x, image);
}

/// Applies `pool(images, window, stride, pad, axis)` to the last two axes together and to each of
/// those before them.
template <class Pool>
Variable axis_by_axis(const Variable& x, const Geometry& how, const Pool& pool) {
  const auto pooled = [&](const Variable& v, int first, int last) {
    const int h = first - 2;
    const auto size = [&](const Shape& all, std::int64_t neutral) {
      return Size2D(all[h], first == last ? neutral : all[h + 1]);
    };
    const Variable y = pool(as_images(v, first), size(how.window, 1), size(how.stride, 1),
                            size(how.pad, 0), first, last);
    Shape shape = v.shape();
    shape[first] = y.shape()[2];
    if (first != last) shape[last] = y.shape()[3];
    return reshape(y, shape);
  };
  const int end = x.ndim() - 1;
  Variable y = end == 2 ? pooled(x, 2, 2) : pooled(x, end - 1, end);
  for (int axis = end - 2; axis >= 2; --axis) y = pooled(y, axis, axis);
  return y;
}

template <class Options2D, class OptionsND>
Variable pooling(const char* name,
                 Variable (*pool)(const Variable&, const Size2D&, const Options2D&),
                 const Variable& x, const SizeND& ksize, const OptionsND& options, int ndim) {
  const Geometry how = geometry(name, x, ksize, options, ndim);
  return axis_by_axis(x, how,
                      [&](const Variable& images, const Size2D& window, const Size2D& stride,
                          const Size2D& pad, int, int) {
                        return pool(images, window,
                                    {.stride = stride, .pad = pad, .cover_all = how.cover_all});
                      });
}

Variable max_pooling(const char* name, const Variable& x, const SizeND& ksize,
                     const MaxPoolingNDOptions& options, int ndim) {
  return pooling<MaxPooling2DOptions>(name, max_pooling_2d, x, ksize, options, ndim);
}

Variable average_pooling(const char* name, const Variable& x, const SizeND& ksize,
                         const AveragePoolingNDOptions& options, int ndim) {
  return pooling<AveragePooling2DOptions>(name, average_pooling_2d, x, ksize, options, ndim);
}

Variable unpooling(const char* name, const Variable& x, const SizeND& ksize,
                   const UnpoolingNDOptions& options, int ndim) {
  const Geometry how = geometry(name, x, ksize, options, ndim);
  const bool is_given = !options.outsize.is_none();
  const Shape out = is_given ? sizes(name, "outsize", options.outsize, x.ndim() - 2) : Shape{};
  return axis_by_axis(x, how,
                      [&](const Variable& images, const Size2D& window, const Size2D& stride,
                          const Size2D& pad, int first, int last) {
                        // Behind a single axis lie elements that stay as they are.
                        const std::int64_t behind = first == last ? images.shape()[3]
                                                    : is_given    ? out[last - 2]
                                                                  : 0;
                        return unpooling_2d(
                            images, window,
                            {.stride = stride,
                             .pad = pad,
                             .outsize = is_given ? Size2D(out[first - 2], behind) : Size2D(),
                             .cover_all = how.cover_all});
                      });
}

}  // namespace

Variable max_pooling_nd(const Variable& x, const SizeND& ksize,
                        const MaxPoolingNDOptions& options) {
  return max_pooling("max_pooling_nd", x, ksize, options, 0);
}
Variable max_pooling_1d(const Variable& x, const SizeND& ksize,
                        const MaxPoolingNDOptions& options) {
  return max_pooling("max_pooling_1d", x, ksize, options, 1);
}
Variable max_pooling_3d(const Variable& x, const SizeND& ksize,
                        const MaxPoolingNDOptions& options) {
  return max_pooling("max_pooling_3d", x, ksize, options, 3);
}

Variable average_pooling_nd(const Variable& x, const SizeND& ksize,
                            const AveragePoolingNDOptions& options) {
  return average_pooling("average_pooling_nd", x, ksize, options, 0);
}
Variable average_pooling_1d(const Variable& x, const SizeND& ksize,
                            const AveragePoolingNDOptions& options) {
  return average_pooling("average_pooling_1d", x, ksize, options, 1);
}
Variable average_pooling_3d(const Variable& x, const SizeND& ksize,
                            const AveragePoolingNDOptions& options) {
  return average_pooling("average_pooling_3d", x, ksize, options, 3);
}

Variable unpooling_nd(const Variable& x, const SizeND& ksize, const UnpoolingNDOptions& options) {
  return unpooling("unpooling_nd", x, ksize, options, 0);
}
Variable unpooling_1d(const Variable& x, const SizeND& ksize, const UnpoolingNDOptions& options) {
  return unpooling("unpooling_1d", x, ksize, options, 1);
}
Variable unpooling_3d(const Variable& x, const SizeND& ksize, const UnpoolingNDOptions& options) {
  return unpooling("unpooling_3d", x, ksize, options, 3);
}

Variable global_average_pooling(const Variable& x) {
  internal::refuse_none("global_average_pooling", {&x});
  if (x.ndim() < 3) {
    throw cupyxx::ShapeError(
        cupyxx::message("global_average_pooling: x is not (n, channels, ...); ", x.shape()));
  }
  std::vector<std::int64_t> axes;
  for (int i = 2; i < x.ndim(); ++i) axes.push_back(i);
  return mean(x, axes);
}

}  // namespace chainerxx::functions
