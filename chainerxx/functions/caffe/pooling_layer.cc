// SPDX-License-Identifier: MIT
// Pooling by Caffe's rules: sizes are rounded up; a last window that would begin in the padding
// behind the input is dropped; an average divides by what lies inside of input and padding.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/caffe/layers.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

namespace F = functions;
using Variables = std::vector<Variable>;

/// The windows along one axis.
struct Windows {
  std::int64_t extent, ksize, stride, pad;

  std::int64_t count() const {
    std::int64_t n = (extent + 2 * pad - ksize + stride - 1) / stride + 1;
    if (pad > 0 && (n - 1) * stride >= extent + pad) --n;
    return n;
  }
  /// What has to be put behind the input so that the windows end with it.
  std::int64_t behind() const { return (count() - 1) * stride + ksize - pad - extent; }
  /// The part of each window that counts for an average.
  ndarray lengths() const {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count(); ++i) {
      const std::int64_t begin = i * stride - pad;
      values.push_back(static_cast<double>(std::min(begin + ksize, extent + pad) - begin));
    }
    return cupyxx::array(values);
  }
};

struct Pooling {
  bool is_max;
  bool is_global;
  std::int64_t kh, kw, sh, sw, ph, pw;

  Variable operator()(const Variable& x) const {
    if (x.ndim() != 4) {
      throw cupyxx::ShapeError(cupyxx::message("CaffeFunction: pooling needs 4 axes; ", x.shape()));
    }
    const std::int64_t height = x.shape()[2], width = x.shape()[3];
    if (is_global) return pool(x, {height, height, 1, 0}, {width, width, 1, 0});
    return pool(x, {height, kh, sh, ph}, {width, kw, sw, pw});
  }

 private:
  Variable pool(const Variable& x, const Windows& rows, const Windows& columns) const {
    if (rows.count() < 1 || columns.count() < 1) {
      throw cupyxx::ValueError(
          cupyxx::message("CaffeFunction: the window is larger than the padded input; (",
                          rows.ksize, ", ", columns.ksize, ") and ", x.shape()));
    }
    const double outside = is_max ? -std::numeric_limits<double>::infinity() : 0;
    // Windows may also leave a part of the input out.
    const std::int64_t below = rows.behind(), right = columns.behind();
    Variable y = x;
    if (rows.pad != 0 || columns.pad != 0 || below > 0 || right > 0) {
      const std::vector<std::array<std::int64_t, 2>> border{
          {0, 0},
          {0, 0},
          {rows.pad, std::max<std::int64_t>(below, 0)},
          {columns.pad, std::max<std::int64_t>(right, 0)}};
      y = F::pad(x, border, outside);
    }
    const Size2D ksize(rows.ksize, columns.ksize), stride(rows.stride, columns.stride);
    if (is_max) {
      return F::max_pooling_2d(y, ksize, {.stride = stride, .cover_all = false});
    }
    y = F::average_pooling_2d(y, ksize, {.stride = stride});
    const auto whole = static_cast<double>(rows.ksize * columns.ksize);
    const ndarray counted = cupyxx::expand_dims(rows.lengths(), 1) * columns.lengths();
    if (static_cast<bool>((counted == whole).all())) return y;
    const ndarray correction = (whole / counted).astype(x.dtype());
    return y * Variable(cupyxx::broadcast_to(correction, y.shape()), y.volatile_());
  }
};

}  // namespace

CaffeLayer CaffeBuilder::pooling(const caffe_files::Layer& layer) const {
  const auto& p = layer.pooling_param();
  if (p.pool() == caffe_files::PoolingParam::STOCHASTIC) {
    refuse(layer, "pools at random, which is not known here");
  }
  const auto choose = [](bool is_given, std::uint32_t own, std::uint32_t both) {
    return static_cast<std::int64_t>(is_given ? own : both);
  };
  const Pooling pooling = {p.pool() == caffe_files::PoolingParam::MAX,
                           p.global_pooling(),
                           choose(p.has_kernel_h(), p.kernel_h(), p.kernel_size()),
                           choose(p.has_kernel_w(), p.kernel_w(), p.kernel_size()),
                           choose(p.has_stride_h(), p.stride_h(), p.stride()),
                           choose(p.has_stride_w(), p.stride_w(), p.stride()),
                           choose(p.has_pad_h(), p.pad_h(), p.pad()),
                           choose(p.has_pad_w(), p.pad_w(), p.pad())};
  const bool is_sound =
      pooling.is_global || (pooling.kh > 0 && pooling.kw > 0 && pooling.sh > 0 && pooling.sw > 0 &&
                            pooling.ph < pooling.kh && pooling.pw < pooling.kw);
  if (!is_sound) refuse(layer, "has an impossible window");
  return [pooling](const Variables& x, bool) { return Variables{pooling(x[0])}; };
}

}  // namespace chainerxx::internal
