// SPDX-License-Identifier: MIT
// Device-safe. Maxima and sums under windows that slide over planes, and their gradients. Both
// gradients are gathered: each element of an image asks the windows that lie on it.
#pragma once

#include "chainerxx/internal/kernels/pack.h"
#include "chainerxx/internal/kernels/windows.h"

namespace chainerxx::internal::kernels {

struct PoolingArgs {
  const void* image;  // planes x h x w; for max_pooling_grad unused
  void* pooled;       // planes x oh x ow
  void* grad;         // planes x h x w, what the gradients write
  void* places;  // planes x oh x ow: where a maximum was found. Hosts: int, where in its plane;
                 // devices: unsigned char or int, where in its window. The largest value of
                 // the type, on hosts -1, for nowhere
  long planes;
  double scale;  // of sums
  Window window;
  long channels;  // of images that lie channels last (pixel_pooling.h), else unused
  int place_bits =
      -1;  // those of a place there that are compared: with all, marked ones are nowhere
};

/// The mark of a place in a byte; windows of 127 elements and more have places of more bytes.
inline constexpr int kNotPositive = 128;

/// The windows [begin, end) of one axis that lie on element i.
template <class Int>
struct WindowRange {
  Int begin, end;
  CUPYXX_FN WindowRange(Int i, int k, int s, int p, Int count) {
    const Int last = (i + p) / s;
    begin = i + p < k ? 0 : (i + p - k) / s + 1;
    end = last + 1 < count ? last + 1 : count;
  }
};

/// The gradient at (y, x) of maxima: those of the windows whose maximum it is.
template <class T>
CUPYXX_FN Compute<T> max_gradient(const T* gy, const int* places, const Window& g, long y, long x) {
  const WindowRange<long> rows(y, g.kh, g.sy, g.ph, g.oh), columns(x, g.kw, g.sx, g.pw, g.ow);
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
template <class T, class Int>
CUPYXX_FN Compute<T> sum_gradient(const T* gy, const Window& g, Int y, Int x) {
  const Int oh = static_cast<Int>(g.oh), ow = static_cast<Int>(g.ow);
  const WindowRange<Int> rows(y, g.kh, g.sy, g.ph, oh), columns(x, g.kw, g.sx, g.pw, ow);
  Compute<T> sum = 0;
  for (Int oy = rows.begin; oy < rows.end; ++oy) {
    for (Int ox = columns.begin; ox < columns.end; ++ox) {
      sum += static_cast<Compute<T>>(gy[oy * ow + ox]);
    }
  }
  return sum;
}

#if defined(__CUDACC__)
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

/// Calls `body(plane, row, column)` for rows x columns items of every plane: threads and blocks of
/// the y axis take planes, those of the x axis the items of one. Places advance without divisions.
template <class Int, class Body>
CUPYXX_FN void for_items(long planes, Int rows, Int columns, Body&& body) {
  const Int threads = static_cast<Int>(global_threads()), first = static_cast<Int>(global_thread());
  const Int step_rows = threads / columns, step_columns = threads % columns;
  const Int first_row = first / columns, first_column = first % columns;
  const long step = static_cast<long>(gridDim.y) * blockDim.y;
  for (long plane = static_cast<long>(blockIdx.y) * blockDim.y + threadIdx.y; plane < planes;
       plane += step) {
    Int row = first_row, column = first_column;
    while (row < rows) {
      body(plane, row, column);
      row += step_rows;
      column += step_columns;
      if (column >= columns) {
        column -= columns;
        ++row;
      }
    }
  }
}
/// The same with indices as narrow as the planes of the window allow.
template <class Body>
CUPYXX_FN void for_planes(const PoolingArgs& args, long rows, long columns, Body&& body) {
  const Window& g = args.window;
  if (g.h * g.w < kNarrow && g.oh * g.ow < kNarrow) {
    for_items<int>(args.planes, static_cast<int>(rows), static_cast<int>(columns), body);
  } else {
    for_items<long>(args.planes, rows, columns, body);
  }
}

/// The place for nowhere.
template <class Place>
CUPYXX_FN constexpr int nowhere() {
  return sizeof(Place) == 1 ? 255 : 0x7fffffff;
}

/// The first place of a window that lies in the image, or nowhere.
template <class Place>
CUPYXX_FN int first_place(const Window& g, int top, int left) {
  const int y = top < 0 ? -top : 0, x = left < 0 ? -left : 0;
  const bool inside = y < g.kh && x < g.kw && top + y < g.h && left + x < g.w;
  return inside ? y * g.kw + x : nowhere<Place>();
}

/// A running maximum and where it was found, from the first place of its window on; a NaN replaces
/// all before it.
template <class C>
struct Maximum {
  int place;
  C value = minus_infinity<C>();

  CUPYXX_FN void take(C x, int at) {
    if (x > value || x != x) {
      value = x;
      place = at;
    }
  }
};

/// kSide: of a square window, all of whose loads are then under way at once; 0 for any window.
template <class T, int kSide, class Place>
CUPYXX_FN void max_pooling(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  const int w = static_cast<int>(g.w);
  const int oh = static_cast<int>(g.oh), ow = static_cast<int>(g.ow);
  for_items<int>(args.planes, oh, ow, [&](long plane, int oy, int ox) {
    const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
    const int top = oy * g.sy - g.ph, left = ox * g.sx - g.pw;
    Maximum<C> best{first_place<Place>(g, top, left)};
    if (kSide != 0 && top >= 0 && left >= 0 && top + kSide <= g.h && left + kSide <= w) {
      const T* const corner = image + top * w + left;
      C values[kSide + 1][kSide + 1];
#pragma unroll
      for (int y = 0; y < kSide; ++y) {
#pragma unroll
        for (int x = 0; x < kSide; ++x) values[y][x] = static_cast<C>(corner[y * w + x]);
      }
#pragma unroll
      for (int y = 0; y < kSide; ++y) {
#pragma unroll
        for (int x = 0; x < kSide; ++x) best.take(values[y][x], y * kSide + x);
      }
    } else {
      const Inside in(g, oy, ox);
      for (int y = in.y0; y < in.y1; ++y) {
        for (int x = in.x0; x < in.x1; ++x) {
          best.take(static_cast<C>(image[y * w + x]), (y - top) * g.kw + x - left);
        }
      }
    }
    const long i = (plane * g.oh + oy) * g.ow + ox;
    static_cast<T*>(args.pooled)[i] = T(best.value);
    static_cast<Place*>(args.places)[i] = static_cast<Place>(best.place);
  });
}

/// A thread takes four neighbours of a row, on which lie nearly the same windows. kStride: of both
/// axes, 0 for any.
template <class T, int kStride, class Place>
CUPYXX_FN void max_pooling_grad(const PoolingArgs& args) {
  using C = Compute<T>;
  constexpr int kWidth = 4;
  const Window g = args.window;
  const int h = static_cast<int>(g.h), w = static_cast<int>(g.w);
  const int oh = static_cast<int>(g.oh), ow = static_cast<int>(g.ow);
  const int sy = kStride != 0 ? kStride : g.sy, sx = kStride != 0 ? kStride : g.sx;
  const bool packed =
      w % kWidth == 0 && reinterpret_cast<unsigned long>(args.grad) % alignof(Pack<T, kWidth>) == 0;
  // The first window that lies on element i of an axis.
  const auto first = [](int i, int k, int s, int p) { return i + p < k ? 0 : (i + p - k) / s + 1; };
  for_items<int>(args.planes, h, (w + kWidth - 1) / kWidth, [&](long plane, int y, int column) {
    const long pooled = plane * g.oh * g.ow;
    const T* const gy = static_cast<const T*>(args.pooled) + pooled;
    const Place* const places = static_cast<const Place*>(args.places) + pooled;
    const int x = column * kWidth;
    const int last_row = (y + g.ph) / sy, last_column = (x + kWidth - 1 + g.pw) / sx;
    const int rows = last_row + 1 < oh ? last_row + 1 : oh;
    const int columns = last_column + 1 < ow ? last_column + 1 : ow;
    const int first_column = first(x, g.kw, sx, g.pw);
    C sums[kWidth] = {};
    for (int oy = first(y, g.kh, sy, g.ph); oy < rows; ++oy) {
#pragma unroll 3
      for (int ox = first_column; ox < columns; ++ox) {
        // The place in this window of the first of the four.
        const int own = (y + g.ph - oy * sy) * g.kw + x + g.pw - ox * sx;
        const int place = static_cast<int>(places[oy * ow + ox]);
        const int row_end = (y + g.ph - oy * sy + 1) * g.kw;
        const int k = place < row_end && place >= row_end - g.kw ? place - own : -1;
        const C value = static_cast<C>(gy[oy * ow + ox]);
#pragma unroll
        for (int i = 0; i < kWidth; ++i) sums[i] += k == i ? value : C(0);
      }
    }
    T* const gx = static_cast<T*>(args.grad) + plane * g.h * g.w + y * w + x;
    if (packed) {
      Pack<T, kWidth> out;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) out.x[i] = T(sums[i]);
      store_pack(gx, 0, out);
    } else {
      for (int i = 0; i < kWidth && x + i < w; ++i) gx[i] = T(sums[i]);
    }
  });
}

template <class T>
CUPYXX_FN void sum_pooling(const PoolingArgs& args) {
  using C = Compute<T>;
  const Window g = args.window;
  const C scale = static_cast<C>(args.scale);
  for_planes(args, g.oh, g.ow, [&](long plane, auto oy, auto ox) {
    const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
    const Inside in(g, oy, ox);
    const auto w = static_cast<decltype(oy)>(g.w);
    C sum = 0;
    for (int y = in.y0; y < in.y1; ++y) {
      for (int x = in.x0; x < in.x1; ++x) sum += static_cast<C>(image[y * w + x]);
    }
    static_cast<T*>(args.pooled)[(plane * g.oh + oy) * g.ow + ox] = T(sum * scale);
  });
}

template <class T>
CUPYXX_FN void sum_pooling_grad(const PoolingArgs& args) {
  const Window g = args.window;
  const auto scale = static_cast<Compute<T>>(args.scale);
  for_planes(args, g.h, g.w, [&](long plane, auto y, auto x) {
    const T* const gy = static_cast<const T*>(args.pooled) + plane * g.oh * g.ow;
    static_cast<T*>(args.grad)[(plane * g.h + y) * g.w + x] =
        T(sum_gradient<T>(gy, g, y, x) * scale);
  });
}
#endif

}  // namespace chainerxx::internal::kernels
