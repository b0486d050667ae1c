// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/convolution_products.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"

namespace chainerxx::internal {
namespace {

using cupyxx::slice;

/// (c, kh, kw, oh, ow) of image i as one matrix per group; a 1x1 window needs no copy.
ndarray columns_of(const Convolution& how, const ndarray& x, std::int64_t i, const Size2D& out) {
  const Windows& g = how.windows;
  const ndarray image = x(slice(i, i + 1));
  const ndarray col = is_pointwise(g) ? image : im2col(image, g, out, 0);
  const std::int64_t rows = x.shape()[1] / how.groups * g.ksize.h * g.ksize.w;
  return col.reshape({how.groups, rows, out.h * out.w});
}

/// (groups, o / groups, c / groups * kh * kw).
ndarray grouped(const Convolution& how, const ndarray& W) {
  const cupyxx::Shape s = W.shape();
  return W.reshape({how.groups, s[0] / how.groups, s[1] * s[2] * s[3]});
}

ndarray planes_as_groups(const Convolution& how, const ndarray& image) {
  const cupyxx::Shape s = image.shape();
  return image.reshape({how.groups, s[0] / how.groups, s[1] * s[2]});
}

/// (n, c, h, w) as n matrices of c rows.
ndarray as_matrices(const ndarray& images) {
  const cupyxx::Shape s = images.shape();
  return images.reshape({s[0], s[1], s[2] * s[3]});
}

/// Images that are small are put side by side, (c, n * h * w), so that the sums are long.
ndarray side_by_side(const ndarray& images) {
  const cupyxx::Shape s = images.shape();
  return as_matrices(images).transpose({1, 0, 2}).reshape({s[1], s[0] * s[2] * s[3]});
}

}  // namespace

void convolve_by_columns(const Convolution& how, const ndarray& x, const ndarray& W,
                         const ndarray& y) {
  const cupyxx::Shape s = y.shape();
  const ndarray weights = grouped(how, W);
  for (std::int64_t i = 0; i < s[0]; ++i) {
    const ndarray col = columns_of(how, x, i, {s[2], s[3]});
    const ndarray out = planes_as_groups(how, y(i));
    for (std::int64_t g = 0; g < how.groups; ++g) {
      cupyxx::gemm(weights(g), col(g), {.out = out(g)});
    }
  }
}

void data_by_columns(const Convolution& how, const ndarray& W, const ndarray& gy,
                     const ndarray& gx) {
  const cupyxx::Shape s = gx.shape(), t = gy.shape();
  const Windows& windows = how.windows;
  const ndarray weights = grouped(how, W);
  ndarray col = empty_beside(
      gy, {how.groups, s[1] / how.groups * windows.ksize.h * windows.ksize.w, t[2] * t[3]},
      gy.dtype());
  for (std::int64_t i = 0; i < s[0]; ++i) {
    const ndarray from = planes_as_groups(how, gy(i));
    if (is_pointwise(windows)) col = gx(i).reshape(col.shape());
    for (std::int64_t g = 0; g < how.groups; ++g) {
      cupyxx::gemm(weights(g).T(), from(g), {.out = col(g)});
    }
    if (is_pointwise(windows)) continue;
    const ndarray columns = col.reshape({1, s[1], windows.ksize.h, windows.ksize.w, t[2], t[3]});
    gx(slice(i, i + 1)) = col2im(columns, windows, {s[2], s[3]});
  }
}

void weights_by_columns(const Convolution& how, const ndarray& x, const ndarray& gy,
                        const ndarray& gW) {
  const cupyxx::Shape s = gy.shape();
  const ndarray sums = grouped(how, gW);
  for (std::int64_t i = 0; i < s[0]; ++i) {
    const ndarray col = columns_of(how, x, i, {s[2], s[3]});
    const ndarray from = planes_as_groups(how, gy(i));
    for (std::int64_t g = 0; g < how.groups; ++g) {
      cupyxx::gemm(from(g), col(g).T(), {.out = sums(g), .accumulate = true});
    }
  }
}

void data_by_products(const ndarray& W, const ndarray& gy, const ndarray& gx) {
  cupyxx::matmul(as_matrix(W).T(), as_matrices(gy), as_matrices(gx));
}

/// Larger ones have a product each, in groups whose products take little memory; they are added up
/// in a fixed order.
void weights_by_products(const ndarray& x, const ndarray& gy, const ndarray& gW) {
  constexpr std::int64_t kLongSum = 128, kMostElements = std::int64_t{1} << 24;
  const ndarray sums = as_matrix(gW);
  const cupyxx::Shape s = gy.shape();
  if (s[2] * s[3] < kLongSum) {
    cupyxx::gemm(side_by_side(gy), side_by_side(x).T(), {.out = sums, .accumulate = true});
    return;
  }
  const auto together = std::clamp<std::int64_t>(kMostElements / gW.size(), 1, s[0]);
  const ndarray from = as_matrices(gy), to = as_matrices(x);
  for (std::int64_t begin = 0; begin < s[0]; begin += together) {
    const slice images(begin, std::min(begin + together, s[0]));
    const ndarray products = cupyxx::matmul(from(images), to(images).transpose({0, 2, 1}));
    ndarray total = sums;
    total += products.sum(0);
  }
}

}  // namespace chainerxx::internal
