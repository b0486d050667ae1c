// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/pooling_loops.h"

#include "chainerxx/internal/cpu/element_types.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;

// A call for every row of a window would cost more than its few elements.
#define CHAINERXX_INLINE inline __attribute__((always_inline))
#define CHAINERXX_INLINE_LAMBDA __attribute__((always_inline))

/// Takes one more element into each maximum of a row; kStride 0 reads the stride from `stride`.
template <long kStride, class T, class C>
CHAINERXX_INLINE void take_maxima(const T* __restrict row, long stride, int first, long n,
                                  C* __restrict best, int* __restrict place) {
  const long step = kStride != 0 ? kStride : stride;
#pragma omp simd
  for (long i = 0; i < n; ++i) {
    const C value = static_cast<C>(row[i * step]);
    const bool take = (value > best[i]) | (value != value) | (place[i] < 0);
    best[i] = take ? value : best[i];
    place[i] = take ? first + static_cast<int>(i * step) : place[i];
  }
}

template <long kStride, class T, class C>
CHAINERXX_INLINE void take_sums(const T* __restrict row, long stride, long n, C* __restrict sums) {
  const long step = kStride != 0 ? kStride : stride;
#pragma omp simd
  for (long i = 0; i < n; ++i) sums[i] += static_cast<C>(row[i * step]);
}

/// Calls `row(first, begin, n)` for each element of the windows of one row of results: n of
/// them, from result `begin` on, read elements from `first` in the plane.
template <long kStride, class Row>
CHAINERXX_INLINE void for_window(const PoolingArgs& args, long plane, long oy, Row&& row) {
  const Window& g = args.window;
  const long readable = (args.planes - plane) * g.h * g.w;
  for (long ky = 0; ky < g.kh; ++ky) {
    const long y = oy * g.sy - g.ph + ky;
    if (y < 0 || y >= g.h) continue;
    for (long kx = 0; kx < g.kw; ++kx) {
      const WindowPlaces<kStride> p(g, kx);
      const long first = y * g.w + p.start + p.begin * g.sx, n = p.end - p.begin;
      if (p.end == g.ow && first + (whole_pooling_blocks(n) - 1) * g.sx < readable) {
        for (long k = 0; k < n; k += kPoolingBlock)
          row(first + k * g.sx, p.begin + k, kPoolingBlock);
      } else {
        row(first, p.begin, n);
      }
    }
  }
}

/// Whether every window is a whole square of 2 x 2 elements and none overlap.
bool is_halving(const Window& g) {
  return g.kh == 2 && g.kw == 2 && g.sy == 2 && g.sx == 2 && g.ph == 0 && g.pw == 0 &&
         2 * g.oh <= g.h && 2 * g.ow <= g.w;
}

/// The maxima of n neighbouring windows of 2 x 2 elements, `first` being the place of row[0].
template <class T, class C>
CHAINERXX_INLINE void take_squares(const T* __restrict row, long width, int first, long n,
                                   C* __restrict best, int* __restrict place) {
  const T* __restrict below = row + width;
  const int step = static_cast<int>(width);
#pragma omp simd
  for (long i = 0; i < n; ++i) {
    const C a = static_cast<C>(row[2 * i]), b = static_cast<C>(row[2 * i + 1]);
    const C c = static_cast<C>(below[2 * i]), d = static_cast<C>(below[2 * i + 1]);
    const int at = first + static_cast<int>(2 * i);
    const bool takes_b = (b > a) | (b != b);
    const C ab = takes_b ? b : a;
    const bool takes_c = (c > ab) | (c != c);
    const C abc = takes_c ? c : ab;
    const bool takes_d = (d > abc) | (d != d);
    best[i] = takes_d ? d : abc;
    const int upper = takes_b ? at + 1 : at;
    const int lower = takes_d ? at + step + 1 : at + step;
    place[i] = takes_c | takes_d ? lower : upper;
  }
}

CHAINERXX_INLINE void copy(const int* from, long n, int* to) {
  for (long i = 0; i < n; ++i) to[i] = from[i];
}

template <long kStride, class T>
CHAINERXX_INLINE void max_strided_plane(const PoolingArgs& args, long plane,
                                        Compute<T>* __restrict best, int* __restrict place) {
  using C = Compute<T>;
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  int* const places = static_cast<int*>(args.places) + plane * g.oh * g.ow;
  for (long oy = 0; oy < g.oh; ++oy) {
    for (long ox = 0; ox < whole_pooling_blocks(g.ow); ox += kPoolingBlock) {
      for (long k = ox; k < ox + kPoolingBlock; ++k) best[k] = -static_cast<C>(__builtin_inff());
      for (long k = ox; k < ox + kPoolingBlock; ++k) place[k] = -1;
    }
    for_window<kStride>(args, plane, oy,
                        [&](long first, long begin, long n) CHAINERXX_INLINE_LAMBDA {
                          if (n == kPoolingBlock) {
                            take_maxima<kStride>(image + first, g.sx, static_cast<int>(first),
                                                 kPoolingBlock, best + begin, place + begin);
                          } else {
                            take_maxima<kStride>(image + first, g.sx, static_cast<int>(first), n,
                                                 best + begin, place + begin);
                          }
                        });
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(best[ox]);
    copy(place, g.ow, places + oy * g.ow);
  }
}

/// The maxima of a plane whose windows are such squares.
template <class T>
CHAINERXX_INLINE void max_squares_plane(const PoolingArgs& args, long plane,
                                        Compute<T>* __restrict best, int* __restrict place) {
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  int* const places = static_cast<int*>(args.places) + plane * g.oh * g.ow;
  const long readable = (args.planes - plane) * g.h * g.w;
  for (long oy = 0; oy < g.oh; ++oy) {
    const long first = 2 * oy * g.w;
    if (first + g.w + 2 * whole_pooling_blocks(g.ow) <= readable) {
      for (long k = 0; k < g.ow; k += kPoolingBlock) {
        const long at = first + 2 * k;
        take_squares(image + at, g.w, static_cast<int>(at), kPoolingBlock, best + k, place + k);
      }
    } else {
      take_squares(image + first, g.w, static_cast<int>(first), g.ow, best, place);
    }
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(best[ox]);
    copy(place, g.ow, places + oy * g.ow);
  }
}

template <long kStride, class T>
CHAINERXX_INLINE void sum_strided_plane(const PoolingArgs& args, long plane,
                                        Compute<T>* __restrict sums) {
  using C = Compute<T>;
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  const C scale = static_cast<C>(args.scale);
  for (long oy = 0; oy < g.oh; ++oy) {
    for (long ox = 0; ox < whole_pooling_blocks(g.ow); ox += kPoolingBlock) {
      for (long k = ox; k < ox + kPoolingBlock; ++k) sums[k] = 0;
    }
    for_window<kStride>(args, plane, oy,
                        [&](long first, long begin, long n) CHAINERXX_INLINE_LAMBDA {
                          if (n == kPoolingBlock) {
                            take_sums<kStride>(image + first, g.sx, kPoolingBlock, sums + begin);
                          } else {
                            take_sums<kStride>(image + first, g.sx, n, sums + begin);
                          }
                        });
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(sums[ox] * scale);
  }
}

template <class T>
CHAINERXX_INLINE void sum_whole_plane(const PoolingArgs& args, long plane) {
  using C = Compute<T>;
  const long n = args.window.h * args.window.w;
  const T* const image = static_cast<const T*>(args.image) + plane * n;
  C lanes[kPoolingBlock] = {};
  long i = 0;
  for (; i + kPoolingBlock <= n; i += kPoolingBlock) {
    for (long l = 0; l < kPoolingBlock; ++l) lanes[l] += static_cast<C>(image[i + l]);
  }
  for (; i < n; ++i) lanes[i % kPoolingBlock] += static_cast<C>(image[i]);
  for (long half = kPoolingBlock / 2; half > 0; half /= 2) {
    for (long l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  static_cast<T*>(args.pooled)[plane] = T(lanes[0] * static_cast<C>(args.scale));
}

}  // namespace

template <cupyxx::extension::Arch kArch, class T>
void PoolingLoops<kArch, T>::max_plane(const Args& args, long plane, C* values, int* places) {
  const Window& g = args.window;
  if (is_halving(g)) {
    max_squares_plane<T>(args, plane, values, places);
  } else if (g.sx == 1) {
    max_strided_plane<1, T>(args, plane, values, places);
  } else if (g.sx == 2) {
    max_strided_plane<2, T>(args, plane, values, places);
  } else {
    max_strided_plane<0, T>(args, plane, values, places);
  }
}

template <cupyxx::extension::Arch kArch, class T>
void PoolingLoops<kArch, T>::sum_plane(const Args& args, long plane, C* values) {
  const Window& g = args.window;
  if (is_global(g)) {
    sum_whole_plane<T>(args, plane);
  } else if (g.sx == 1) {
    sum_strided_plane<1, T>(args, plane, values);
  } else if (g.sx == 2) {
    sum_strided_plane<2, T>(args, plane, values);
  } else {
    sum_strided_plane<0, T>(args, plane, values);
  }
}

CHAINERXX_FOR_ELEMENT_TYPES(PoolingLoops)

}  // namespace chainerxx::internal::cpu
