// SPDX-License-Identifier: MIT
// Device-safe. Maxima and sums under windows that slide over images that lie channels last, and
// their gradients, gathered as in pooling.h. A thread takes kWidth channels of a pixel, so that all
// accesses are wide; places of maxima are those in the window, in bytes with kNotPositive where the
// maximum is not positive: behind a ReLU those windows have no gradient.
#pragma once

#include "chainerxx/internal/kernels/pooling.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
/// Calls `body(image, y, x, channel)` for kWidth channels of each pixel of images of rows x columns
/// pixels: blocks of the y axis take images, the threads of the x axis what is in one.
template <int kWidth, class Body>
CUPYXX_FN void for_pixels(const PoolingArgs& args, long rows, long columns, Body&& body) {
  const int packs = static_cast<int>(args.channels / kWidth), width = static_cast<int>(columns);
  const int items = static_cast<int>(rows * columns) * packs;
  const long images = args.planes / args.channels;
  const int step = static_cast<int>(global_threads());
  for (int i = static_cast<int>(global_thread()); i < items; i += step) {
    const int pixel = i / packs, channel = (i - pixel * packs) * kWidth;
    const int y = pixel / width, x = pixel - y * width;
    for (long image = blockIdx.y; image < images; image += gridDim.y) body(image, y, x, channel);
  }
}

/// kSide: of a square window, all of whose loads are then under way at once; 0 for any window.
template <class T, int kSide, int kWidth, class Place>
CUPYXX_FN void pixel_max_pooling(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  const int h = static_cast<int>(g.h), w = static_cast<int>(g.w);
  const long channels = args.channels;
  for_pixels<kWidth>(args, g.oh, g.ow, [&](long image, int oy, int ox, int channel) {
    const long first = image * g.h * g.w * channels + channel;
    const int top = oy * g.sy - g.ph, left = ox * g.sx - g.pw;
    Maximum<C> best[kWidth];
    const int start = first_place<Place>(g, top, left);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) best[i] = Maximum<C>{start};
    const auto take = [&](const Pack<T, kWidth>& values, int place) {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) best[i].take(static_cast<C>(values.x[i]), place);
    };
    const auto is_inside = [&](int y, int x) { return y >= 0 && y < h && x >= 0 && x < w; };
    const auto load = [&](int y, int x) {
      return pack_at<T, kWidth>(args.image, first + (static_cast<long>(y) * w + x) * channels);
    };
    if constexpr (kSide != 0) {
      Pack<T, kWidth> values[kSide][kSide] = {};
#pragma unroll
      for (int y = 0; y < kSide; ++y) {
#pragma unroll
        for (int x = 0; x < kSide; ++x) {
          if (is_inside(top + y, left + x)) values[y][x] = load(top + y, left + x);
        }
      }
#pragma unroll
      for (int y = 0; y < kSide; ++y) {
#pragma unroll
        for (int x = 0; x < kSide; ++x) {
          if (is_inside(top + y, left + x)) take(values[y][x], y * kSide + x);
        }
      }
    } else {
      const Inside in(g, oy, ox);
      for (int y = in.y0; y < in.y1; ++y) {
        for (int x = in.x0; x < in.x1; ++x) take(load(y, x), (y - top) * g.kw + x - left);
      }
    }
    const long at = ((image * g.oh + oy) * g.ow + ox) * channels + channel;
    Pack<T, kWidth> pooled;
    Pack<Place, kWidth> places;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      pooled.x[i] = T(best[i].value);
      const int mark = sizeof(Place) == 1 && !(best[i].value > C(0)) ? kNotPositive : 0;
      places.x[i] = static_cast<Place>(best[i].place | mark);
    }
    store_pack(args.pooled, at, pooled);
    store_pack(args.places, at, places);
  });
}

/// Calls `body(y, x, at)` for the windows on a pixel: the place of the pixel in each, and where its
/// channels stand in the pooled image.
template <int kStride, class Body>
CUPYXX_FN void for_windows_on(const PoolingArgs& args, long image, int y, int x, int channel,
                              Body&& body) {
  const Window& g = args.window;
  const int sy = kStride != 0 ? kStride : g.sy, sx = kStride != 0 ? kStride : g.sx;
  const WindowRange<int> rows(y, g.kh, sy, g.ph, static_cast<int>(g.oh));
  const WindowRange<int> columns(x, g.kw, sx, g.pw, static_cast<int>(g.ow));
  for (int oy = rows.begin; oy < rows.end; ++oy) {
    for (int ox = columns.begin; ox < columns.end; ++ox) {
      body(y + g.ph - oy * sy, x + g.pw - ox * sx,
           ((image * g.oh + oy) * g.ow + ox) * args.channels + channel);
    }
  }
}

/// kStride: of both axes, 0 for any.
template <class T, int kStride, int kWidth, class Place>
CUPYXX_FN void pixel_max_pooling_grad(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  for_pixels<kWidth>(args, g.h, g.w, [&](long image, int y, int x, int channel) {
    C sums[kWidth] = {};
    for_windows_on<kStride>(args, image, y, x, channel, [&](int ky, int kx, long at) {
      const Pack<Place, kWidth> places = pack_at<Place, kWidth>(args.places, at);
      const Pack<T, kWidth> gy = pack_at<T, kWidth>(args.pooled, at);
      const int own = ky * g.kw + kx;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        const int place = static_cast<int>(places.x[i]) & args.place_bits;
        sums[i] += place == own ? static_cast<C>(gy.x[i]) : C(0);
      }
    });
    Pack<T, kWidth> out;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) out.x[i] = T(sums[i]);
    store_pack(args.grad, ((image * g.h + y) * g.w + x) * args.channels + channel, out);
  });
}

template <class T, int kWidth>
CUPYXX_FN void pixel_sum_pooling(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  const C scale = static_cast<C>(args.scale);
  for_pixels<kWidth>(args, g.oh, g.ow, [&](long image, int oy, int ox, int channel) {
    const Inside in(g, oy, ox);
    C sums[kWidth] = {};
    for (int y = in.y0; y < in.y1; ++y) {
      const long row = ((image * g.h + y) * g.w) * args.channels + channel;
#pragma unroll 4
      for (int x = in.x0; x < in.x1; ++x) {
        const Pack<T, kWidth> values = pack_at<T, kWidth>(args.image, row + x * args.channels);
#pragma unroll
        for (int i = 0; i < kWidth; ++i) sums[i] += static_cast<C>(values.x[i]);
      }
    }
    Pack<T, kWidth> out;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) out.x[i] = T(sums[i] * scale);
    store_pack(args.pooled, ((image * g.oh + oy) * g.ow + ox) * args.channels + channel, out);
  });
}

template <class T, int kWidth>
CUPYXX_FN void pixel_sum_pooling_grad(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  const C scale = static_cast<C>(args.scale);
  for_pixels<kWidth>(args, g.h, g.w, [&](long image, int y, int x, int channel) {
    C sums[kWidth] = {};
    for_windows_on<0>(args, image, y, x, channel, [&](int, int, long at) {
      const Pack<T, kWidth> gy = pack_at<T, kWidth>(args.pooled, at);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) sums[i] += static_cast<C>(gy.x[i]);
    });
    Pack<T, kWidth> out;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) out.x[i] = T(sums[i] * scale);
    store_pack(args.grad, ((image * g.h + y) * g.w + x) * args.channels + channel, out);
  });
}
#endif

}  // namespace chainerxx::internal::kernels
