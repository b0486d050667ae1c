// SPDX-License-Identifier: MIT
// Device-safe. The elements of an image under each place of a window as a row of a matrix.
#pragma once

#include "chainerxx/internal/kernels/pack.h"
#include "chainerxx/internal/kernels/windows.h"

namespace chainerxx::internal::kernels {

struct PatchesArgs {
  const void* from;  // (n, channels, h, w) with these strides, in elements
  void* to;          // (n * oh * ow, width): channel by channel, rows of the window, zeros behind
  long image, channel, line, pixel;
  long rows;
  int channels;
  int width;  // a multiple of 16 bytes
  Window window;
};

#if defined(__CUDACC__)
/// A thread per 16 bytes of the result; Int is as narrow as their number allows.
template <class Int, class T>
CUPYXX_FN void patches_of(const PatchesArgs& args) {
  constexpr int kWidth = kPackWidth<T>;
  const Window& g = args.window;
  const T* const from = static_cast<const T*>(args.from);
  const Int packs = args.width / kWidth, ow = g.ow, oh = g.oh;
  const Int count = static_cast<Int>(args.rows) * packs;
  for (Int i = global_thread(); i < count; i += global_threads()) {
    const Int row = i / packs;
    const int first = static_cast<int>(i - row * packs) * kWidth;
    const Int line = row / ow, ox = row - line * ow;
    const Int image = line / oh, oy = line - image * oh;
    int channel = first / (g.kh * g.kw);
    const int rest = first - channel * g.kh * g.kw;
    int ky = rest / g.kw, kx = rest - ky * g.kw;
    const long top = static_cast<long>(oy) * g.sy - g.ph,
               left = static_cast<long>(ox) * g.sx - g.pw;
    Pack<T, kWidth> pack;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const long y = top + ky * g.dy, x = left + kx * g.dx;
      const bool is_inside = channel < args.channels && y >= 0 && y < g.h && x >= 0 && x < g.w;
      pack.x[k] =
          is_inside
              ? from[image * args.image + channel * args.channel + y * args.line + x * args.pixel]
              : T(Compute<T>(0));
      if (++kx < g.kw) continue;
      kx = 0;
      if (++ky < g.kh) continue;
      ky = 0;
      ++channel;
    }
    store_pack(args.to, static_cast<long>(row) * args.width + first, pack);
  }
}

template <class T>
CUPYXX_FN void patches(const PatchesArgs& args) {
  constexpr long kMost = 0x7fffffff;
  if (args.rows * (args.width / kPackWidth<T>) <= kMost - global_threads()) {
    patches_of<int, T>(args);
  } else {
    patches_of<long, T>(args);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
