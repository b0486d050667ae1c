// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/filters.h"

#include <algorithm>

#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/filters.h"
#include "chainerxx/internal/precision.h"
#include "cupyxx/creation.h"

namespace chainerxx::internal {
namespace {

const Kernel<kernels::FiltersArgs> kAddFilters{kLibrary, "add_filters", "filters.h",
                                               "add_filters<T>"};
const Kernel<kernels::PaddedPixelsArgs> kPadPixels{kLibrary, "pad_pixels", "filters.h",
                                                   "pad_pixels<T>"};

}  // namespace

ndarray filters_in_form(const ndarray& W, cupyxx::dtype dtype, bool channels_last,
                        std::int64_t channels) {
  const cupyxx::Shape s = W.shape();
  if (channels > s[1]) {
    const ndarray padded = empty_images(W, {s[0], channels, s[2], s[3]}, dtype, channels_last);
    padded.fill(0);
    padded(cupyxx::slice(), cupyxx::slice(0, s[1])).set(W);
    return padded;
  }
  if (W.dtype() == dtype && has_layout(W, channels_last)) {
    return channels_last ? packed_in_layout(W, true) : W;
  }
  // What is narrow already is no parameter, but made for this call.
  if (W.dtype().itemsize() == 2) return cast_images(W, dtype, channels_last);
  return kept_copy(W, dtype, channels_last);
}

void add_filters(const ndarray& dW, const ndarray& gW) {
  const cupyxx::Shape s = gW.shape();
  const cupyxx::Strides strides = dW.strides();
  const std::int64_t itemsize = dW.itemsize();
  const kernels::FiltersArgs args{.from = dW.elements(),
                                  .to = gW.elements(),
                                  .channels = s[1],
                                  .taps = s[2] * s[3],
                                  .size = gW.size(),
                                  .filter_step = strides[0] / itemsize,
                                  .channel_step = strides[1] / itemsize,
                                  .tap_step = strides[3] / itemsize,
                                  .wide = gW.dtype() != dW.dtype()};
  if (args.size == 0) return;
  kAddFilters.launch(dW.dtype(), grid_for(args.size, 1 << 16), args, {&dW, &gW});
}

std::int64_t padded_channels(std::int64_t channels, cupyxx::dtype dtype) {
  const std::int64_t pack = 16 / dtype.itemsize();
  return dtype.itemsize() <= 4 ? std::max(channels, pack) : channels;
}

ndarray padded_pixels(const ndarray& x, std::int64_t channels) {
  const cupyxx::Shape s = x.shape();
  if (channels == s[1]) return packed_in_layout(x, true);
  const ndarray images = in_layout(x, is_channels_last(x));
  const ndarray out = empty_images(x, {s[0], channels, s[2], s[3]}, x.dtype(), true);
  const bool channels_last = is_channels_last(images);
  const std::int64_t pixels = s[2] * s[3];
  const kernels::PaddedPixelsArgs args{.from = images.elements(),
                                       .to = out.elements(),
                                       .channels = s[1],
                                       .pixels = pixels,
                                       .size = s[0] * pixels,
                                       .image_step = s[1] * pixels,
                                       .channel_step = channels_last ? 1 : pixels,
                                       .pixel_step = channels_last ? s[1] : 1};
  if (args.size == 0) return out;
  kPadPixels.launch(x.dtype(), grid_for(args.size, 1 << 16), args, {&images, &out});
  return out;
}

}  // namespace chainerxx::internal
