// SPDX-License-Identifier: MIT
#include "chainerxx/utils/conv.h"

#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/spatial/windows.h"
#include "cupyxx/error.h"

namespace chainerxx::utils {
namespace {

using cupyxx::ndarray;
using internal::product_plus;
using internal::Windows;

void check_rank(const char* operation, const ndarray& a, int ndim) {
  if (a.ndim() == ndim) return;
  throw cupyxx::ShapeError(
      cupyxx::message(operation, ": an array of ", ndim, " axes is expected; ", a.shape()));
}

Windows windows_of(const Size2D& ksize, const Im2ColOptions& options) {
  return {.ksize = ksize, .stride = options.stride, .pad = options.pad, .dilate = options.dilate};
}

/// From the first element of a window of k elements at distance d to behind its last one.
std::int64_t extent_of(const char* operation, std::int64_t k, std::int64_t d) {
  return product_plus(operation, k, d, product_plus(operation, -1, d, 1));
}

}  // namespace

std::int64_t get_conv_outsize(std::int64_t size, std::int64_t k, std::int64_t s, std::int64_t p,
                              bool cover_all, std::int64_t d) {
  if (s <= 0) {
    throw cupyxx::ValueError(cupyxx::message("get_conv_outsize: the stride must be positive; ", s));
  }
  constexpr const char* kName = "get_conv_outsize";
  const std::int64_t padded = product_plus(kName, 2, p, size);
  const std::int64_t before = product_plus(kName, -1, extent_of(kName, k, d), padded);
  const std::int64_t room = cover_all ? product_plus(kName, 1, s - 1, before) : before;
  return product_plus(kName, 1, room / s - (room % s < 0 ? 1 : 0), 1);  // rounded down
}

std::int64_t get_deconv_outsize(std::int64_t size, std::int64_t k, std::int64_t s, std::int64_t p,
                                bool cover_all, std::int64_t d) {
  constexpr const char* kName = "get_deconv_outsize";
  const std::int64_t between = product_plus(kName, s, size, product_plus(kName, -1, s, 0));
  const std::int64_t padded = product_plus(kName, 1, between, extent_of(kName, k, d));
  const std::int64_t all = product_plus(kName, -2, p, padded);
  return cover_all ? product_plus(kName, 1, all, product_plus(kName, -1, s, 1)) : all;
}

ndarray im2col(const ndarray& image, const Size2D& ksize, const Im2ColOptions& options) {
  check_rank("im2col", image, 4);
  const Windows windows = windows_of(ksize, options);
  check("im2col", windows);
  const cupyxx::Shape shape = image.shape();
  const Size2D out =
      output_size("im2col", windows, {shape[2], shape[3]}, options.cover_all, shape.str());
  return internal::im2col(image, windows, out, options.pval);
}

ndarray col2im(const ndarray& col, const Size2D& outsize, const Im2ColOptions& options) {
  check_rank("col2im", col, 6);
  const cupyxx::Shape shape = col.shape();
  const Windows windows = windows_of({shape[2], shape[3]}, options);
  check("col2im", windows);
  if (outsize.h < 0 || outsize.w < 0) {
    throw cupyxx::ValueError(
        cupyxx::message("col2im: the size of the image is negative; ", outsize));
  }
  return internal::col2im(col, windows, outsize);
}

}  // namespace chainerxx::utils
