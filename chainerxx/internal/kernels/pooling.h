// SPDX-License-Identifier: MIT
// Device-safe. Maxima and sums under windows that slide over planes, and their gradients. Both
// gradients are gathered: each element of an image asks the windows that lie on it.
#pragma once

#include "chainerxx/internal/kernels/windows.h"

namespace chainerxx::internal::kernels {

struct PoolingArgs {
  const void* image;  // planes x h x w; for max_pooling_grad unused
  void* pooled;       // planes x oh x ow
  void* grad;         // planes x h x w, what the gradients write
  int* places;        // planes x oh x ow: where in its plane a maximum was found, -1 for nowhere
  long planes;
  double scale;  // of sums
  Window window;
};

/// The windows [begin, end) of one axis that lie on element i.
struct WindowRange {
  long begin, end;
  CUPYXX_FN WindowRange(long i, int k, int s, int p, long count) {
    const long last = (i + p) / s;
    begin = i + p < k ? 0 : (i + p - k) / s + 1;
    end = last + 1 < count ? last + 1 : count;
  }
};

/// The gradient at (y, x) of maxima: those of the windows whose maximum it is.
template <class T>
CUPYXX_FN Compute<T> max_gradient(const T* gy, const int* places, const Window& g, long y, long x) {
  const WindowRange rows(y, g.kh, g.sy, g.ph, g.oh), columns(x, g.kw, g.sx, g.pw, g.ow);
  const int place = static_cast<int>(y * g.w + x);
  Compute<T> sum = 0;
  for (long oy = rows.begin; oy < rows.end; ++oy) {
    for (long ox = columns.begin; ox < columns.end; ++ox) {
      const long o = oy * g.ow + ox;
      if (places[o] == place) sum += static_cast<Compute<T>>(gy[o]);
    }
  }
  return sum;
}

/// The sum of what the windows on (y, x) hold.
template <class T>
CUPYXX_FN Compute<T> sum_gradient(const T* gy, const Window& g, long y, long x) {
  const WindowRange rows(y, g.kh, g.sy, g.ph, g.oh), columns(x, g.kw, g.sx, g.pw, g.ow);
  Compute<T> sum = 0;
  for (long oy = rows.begin; oy < rows.end; ++oy) {
    for (long ox = columns.begin; ox < columns.end; ++ox) {
      sum += static_cast<Compute<T>>(gy[oy * g.ow + ox]);
    }
  }
  return sum;
}

#if defined(__CUDACC__)
/// Calls `body(plane, y, x, i)` for the elements of `planes` x rows x columns.
template <class Int, class Body>
CUPYXX_FN void for_elements(long planes, long rows, long columns, Body&& body) {
  const Int h = rows, w = columns, size = planes * rows * columns;
  for (Int i = global_thread(); i < size; i += global_threads()) {
    const Int row = i / w, plane = row / h;
    body(static_cast<long>(plane), static_cast<long>(row - plane * h),
         static_cast<long>(i - row * w), static_cast<long>(i));
  }
}
/// The same with indices as narrow as the arrays allow.
template <class Body>
CUPYXX_FN void for_all(long planes, long rows, long columns, Body&& body) {
  if (planes * rows * columns < kNarrow) {
    for_elements<int>(planes, rows, columns, body);
  } else {
    for_elements<long>(planes, rows, columns, body);
  }
}

/// The part of a window inside of the image.
struct Inside {
  int y0, y1, x0, x1;
  CUPYXX_FN Inside(const Window& g, long oy, long ox) {
    const long y = oy * g.sy - g.ph, x = ox * g.sx - g.pw;
    y0 = y > 0 ? y : 0;
    x0 = x > 0 ? x : 0;
    y1 = y + g.kh < g.h ? y + g.kh : g.h;
    x1 = x + g.kw < g.w ? x + g.kw : g.w;
  }
};

template <class T>
CUPYXX_FN void max_pooling(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  const int w = static_cast<int>(g.w);
  T* const pooled = static_cast<T*>(args.pooled);
  for_all(args.planes, g.oh, g.ow, [&](long plane, long oy, long ox, long i) {
    const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
    const Inside in(g, oy, ox);
    int place = -1;
    C best = -m::exp(C(1000));  // minus infinity
    for (int y = in.y0; y < in.y1; ++y) {
      for (int x = in.x0; x < in.x1; ++x) {
        const C value = static_cast<C>(image[y * w + x]);
        if (value > best || value != value || place < 0) {
          best = value;
          place = y * w + x;
        }
      }
    }
    pooled[i] = T(best);
    args.places[i] = place;
  });
}

template <class T>
CUPYXX_FN void max_pooling_grad(const PoolingArgs& args) {
  const Window g = args.window;
  T* const gx = static_cast<T*>(args.grad);
  for_all(args.planes, g.h, g.w, [&](long plane, long y, long x, long i) {
    const long first = plane * g.oh * g.ow;
    const T* const gy = static_cast<const T*>(args.pooled) + first;
    gx[i] = T(max_gradient(gy, args.places + first, g, y, x));
  });
}

template <class T>
CUPYXX_FN void sum_pooling(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  const int w = static_cast<int>(g.w);
  const C scale = static_cast<C>(args.scale);
  T* const pooled = static_cast<T*>(args.pooled);
  for_all(args.planes, g.oh, g.ow, [&](long plane, long oy, long ox, long i) {
    const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
    const Inside in(g, oy, ox);
    C sum = 0;
    for (int y = in.y0; y < in.y1; ++y) {
      for (int x = in.x0; x < in.x1; ++x) sum += static_cast<C>(image[y * w + x]);
    }
    pooled[i] = T(sum * scale);
  });
}

template <class T>
CUPYXX_FN void sum_pooling_grad(const PoolingArgs& args) {
  const Window g = args.window;
  const Compute<T> scale = static_cast<Compute<T>>(args.scale);
  T* const gx = static_cast<T*>(args.grad);
  for_all(args.planes, g.h, g.w, [&](long plane, long y, long x, long i) {
    const T* const gy = static_cast<const T*>(args.pooled) + plane * g.oh * g.ow;
    gx[i] = T(sum_gradient(gy, g, y, x) * scale);
  });
}
#endif

}  // namespace chainerxx::internal::kernels
