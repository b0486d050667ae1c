// SPDX-License-Identifier: MIT
// Device-safe. Filters (o, c, taps) beside those that a library reads or writes, which may be of a
// narrow type, with the channels last, and with channels of zeros behind those that there are.
#pragma once

#include "chainerxx/internal/kernels/pack.h"
#include "chainerxx/internal/kernels/parameters.h"

namespace chainerxx::internal::kernels {

struct FiltersArgs {
  const void* from;
  void* to;       // (o, c, taps), contiguous
  long channels;  // c
  long taps;
  long size;                                 // of `to`
  long filter_step, channel_step, tap_step;  // of `from`, in elements
  int wide;                                  // whether `to` is float32 beside a narrower `from`
};

struct PaddedPixelsArgs {
  const void* from;
  void* to;  // (n, pixels, one pack)
  long channels;
  long pixels;                                // of an image
  long size;                                  // of all images
  long image_step, channel_step, pixel_step;  // of `from`, in elements
};

#if defined(__CUDACC__)
/// to += from.
template <class T>
CUPYXX_FN void add_filters(const FiltersArgs& args) {
  const T* const from = static_cast<const T*>(args.from);
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    const long row = i / args.taps, tap = i - row * args.taps;
    const long filter = row / args.channels, channel = row - filter * args.channels;
    const long at = filter * args.filter_step + channel * args.channel_step + tap * args.tap_step;
    add_to_parameter<T>(args.to, i, args.wide,
                        static_cast<double>(static_cast<Compute<T>>(from[at])));
  }
}

/// Images of few channels with the channels last and zeros behind them, a pack a pixel.
template <class T>
CUPYXX_FN void pad_pixels(const PaddedPixelsArgs& args) {
  constexpr int kWidth = kPackWidth<T>;
  const T* const from = static_cast<const T*>(args.from);
  for (long i = global_thread(); i < args.size; i += global_threads()) {
    const long image = i / args.pixels, pixel = i - image * args.pixels;
    const T* const at = from + image * args.image_step + pixel * args.pixel_step;
    Pack<T, kWidth> pack;
#pragma unroll
    for (int c = 0; c < kWidth; ++c) {
      pack.x[c] = c < args.channels ? at[c * args.channel_step] : T(Compute<T>(0));
    }
    store_pack(args.to, i * kWidth, pack);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
