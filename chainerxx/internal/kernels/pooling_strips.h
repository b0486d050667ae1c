// SPDX-License-Identifier: MIT
// Device-safe. Maxima under windows of planes where sides and strides are compiled in. A thread has
// results below each other: rows of the image on which two of their windows lie are loaded once,
// and all loads are under way together. pooling.h has the same for any windows.
#pragma once

#include "chainerxx/internal/kernels/pooling.h"

namespace chainerxx::internal::kernels {

/// Results of a thread.
inline constexpr int kStrip = 4;

#if defined(__CUDACC__)
/// Windows of kSide x kSide elements, kStride apart both ways.
template <class T, int kSide, int kStride, class Place>
CUPYXX_FN void max_pooling_strips(const PoolingArgs& args) {
  using C = Compute<T>;
  constexpr int kRows = (kStrip - 1) * kStride + kSide;
  const Window g = args.window;
  const int h = static_cast<int>(g.h), w = static_cast<int>(g.w);
  const int oh = static_cast<int>(g.oh), ow = static_cast<int>(g.ow);
  for_items<int>(args.planes, (oh + kStrip - 1) / kStrip, ow, [&](long plane, int strip, int ox) {
    const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
    const int oy = strip * kStrip, top = oy * kStride - g.ph, left = ox * kStride - g.pw;
    C values[kRows][kSide];
#pragma unroll
    for (int y = 0; y < kRows; ++y) {
#pragma unroll
      for (int x = 0; x < kSide; ++x) {
        const bool is_inside = top + y >= 0 && top + y < h && left + x >= 0 && left + x < w;
        // What is outside is never taken: nothing is smaller.
        values[y][x] =
            is_inside ? static_cast<C>(image[(top + y) * w + left + x]) : minus_infinity<C>();
      }
    }
    const long first = (plane * oh + oy) * ow + ox;
#pragma unroll
    for (int r = 0; r < kStrip; ++r) {
      if (oy + r >= oh) continue;
      Maximum<C> best{first_place<Place>(g, top + r * kStride, left)};
#pragma unroll
      for (int y = 0; y < kSide; ++y) {
#pragma unroll
        for (int x = 0; x < kSide; ++x) best.take(values[r * kStride + y][x], y * kSide + x);
      }
      const long i = first + static_cast<long>(r) * ow;
      static_cast<T*>(args.pooled)[i] = T(best.value);
      static_cast<Place*>(args.places)[i] = static_cast<Place>(best.place);
    }
  });
}
#endif

}  // namespace chainerxx::internal::kernels
