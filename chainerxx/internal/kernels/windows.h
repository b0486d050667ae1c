// SPDX-License-Identifier: MIT
// Device-safe. Spreads the elements under a sliding window into columns, and sums them back. A
// plane is one channel of one image.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

/// How a window slides over a plane of h x w elements in oh x ow places.
struct Window {
  long h, w, oh, ow;
  int kh, kw, sy, sx, ph, pw, dy, dx;
};

struct WindowsArgs {
  const void* from;
  void* to;
  long planes;
  long size;  // of `to`
  double outside;
  Window window;
};

/// The element of the column (ky, kx) at place (oy, ox).
template <class T>
CUPYXX_FN T under_window(const T* plane, const Window& g, long ky, long kx, long oy, long ox,
                         T outside) {
  const long y = oy * g.sy - g.ph + ky * g.dy, x = ox * g.sx - g.pw + kx * g.dx;
  return y >= 0 && y < g.h && x >= 0 && x < g.w ? plane[y * g.w + x] : outside;
}

/// The sum of all columns at the element (y, x) of an image; `col` is the columns of its plane.
template <class T>
CUPYXX_FN Compute<T> sum_of_columns(const T* col, const Window& g, long y, long x) {
  Compute<T> sum = 0;
  for (long ky = 0; ky < g.kh; ++ky) {
    const long ty = y + g.ph - ky * g.dy;
    if (ty < 0 || ty % g.sy != 0 || ty / g.sy >= g.oh) continue;
    for (long kx = 0; kx < g.kw; ++kx) {
      const long tx = x + g.pw - kx * g.dx;
      if (tx < 0 || tx % g.sx != 0 || tx / g.sx >= g.ow) continue;
      sum += static_cast<Compute<T>>(col[((ky * g.kw + kx) * g.oh + ty / g.sy) * g.ow + tx / g.sx]);
    }
  }
  return sum;
}

#if defined(__CUDACC__)
/// A thread per element of the result; Int is as narrow as the arrays allow.
template <class Int, class T>
CUPYXX_FN void im2col_of(const WindowsArgs& args) {
  const Window& g = args.window;
  const T* const image = static_cast<const T*>(args.from);
  T* const col = static_cast<T*>(args.to);
  const T outside = T(static_cast<Compute<T>>(args.outside));
  const Int oh = g.oh, ow = g.ow, kh = g.kh, kw = g.kw;
  for (Int i = global_thread(); i < static_cast<Int>(args.size); i += global_threads()) {
    Int rest = i / ow;
    const Int ox = i - rest * ow;
    Int next = rest / oh;
    const Int oy = rest - next * oh;
    rest = next / kw;
    const Int kx = next - rest * kw;
    next = rest / kh;
    const Int ky = rest - next * kh;
    col[i] = under_window(image + static_cast<long>(next) * g.h * g.w, g, ky, kx, oy, ox, outside);
  }
}

template <class Int, class T>
CUPYXX_FN void col2im_of(const WindowsArgs& args) {
  const Window& g = args.window;
  const T* const col = static_cast<const T*>(args.from);
  T* const image = static_cast<T*>(args.to);
  const long columns = g.kh * g.kw * g.oh * g.ow;
  const Int h = g.h, w = g.w;
  for (Int i = global_thread(); i < static_cast<Int>(args.size); i += global_threads()) {
    const Int row = i / w, plane = row / h;
    image[i] = T(sum_of_columns(col + plane * columns, g, row - plane * h, i - row * w));
  }
}

constexpr long kNarrow = 1 << 30;

template <class T>
CUPYXX_FN void im2col(const WindowsArgs& args) {
  args.size < kNarrow ? im2col_of<int, T>(args) : im2col_of<long, T>(args);
}

template <class T>
CUPYXX_FN void col2im(const WindowsArgs& args) {
  args.size < kNarrow ? col2im_of<int, T>(args) : col2im_of<long, T>(args);
}
#endif

}  // namespace chainerxx::internal::kernels
