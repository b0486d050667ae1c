// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <vector>

#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;

/// The places [begin, end) of one row of windows whose column kx lies in the image; kStride 0 reads
/// the stride at run time.
template <long kStride = 0>
struct Places {
  long start, begin, end;
  Places(const Window& g, long kx) : start(kx - g.pw) {
    const long stride = kStride != 0 ? kStride : g.sx;
    begin = start >= 0 ? 0 : (-start + stride - 1) / stride;
    end = g.w > start ? std::min((g.w - start + stride - 1) / stride, g.ow) : 0;
    begin = std::min(begin, end);
  }
};

// The loops over planes are compiled for several instruction sets as a whole, so what they call is
// inlined: a call for every row of a window would cost more than its few elements.
#define CHAINERXX_INLINE inline __attribute__((always_inline))
#define CHAINERXX_INLINE_LAMBDA __attribute__((always_inline))

/// Rows of results are worked on in blocks of so many elements, the last of which may run over the
/// end into elements that nobody reads: rows are often shorter than a vector.
constexpr long kBlock = 16;

constexpr long whole_blocks(long n) { return (n + kBlock - 1) / kBlock * kBlock; }

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
      const Places<kStride> p(g, kx);
      const long first = y * g.w + p.start + p.begin * g.sx, n = p.end - p.begin;
      if (p.end == g.ow && first + (whole_blocks(n) - 1) * g.sx < readable) {
        for (long k = 0; k < n; k += kBlock) row(first + k * g.sx, p.begin + k, kBlock);
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

/// Room for a row of results, whole blocks from any element on.
template <class C>
struct Rows {
  explicit Rows(long ow)
      : values(static_cast<std::size_t>(whole_blocks(ow) + kBlock)), places(values.size()) {}
  std::vector<C> values;
  std::vector<int> places;
};

template <long kStride, class T>
CHAINERXX_CLONES void max_plane(const PoolingArgs& args, long plane, Rows<Compute<T>>& rows) {
  using C = Compute<T>;
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  int* const places = args.places + plane * g.oh * g.ow;
  C* const __restrict best = rows.values.data();
  int* const __restrict place = rows.places.data();
  for (long oy = 0; oy < g.oh; ++oy) {
    for (long ox = 0; ox < whole_blocks(g.ow); ox += kBlock) {
      for (long k = ox; k < ox + kBlock; ++k) best[k] = -std::numeric_limits<C>::infinity();
      for (long k = ox; k < ox + kBlock; ++k) place[k] = -1;
    }
    for_window<kStride>(args, plane, oy,
                        [&](long first, long begin, long n) CHAINERXX_INLINE_LAMBDA {
                          if (n == kBlock) {
                            take_maxima<kStride>(image + first, g.sx, static_cast<int>(first),
                                                 kBlock, best + begin, place + begin);
                          } else {
                            take_maxima<kStride>(image + first, g.sx, static_cast<int>(first), n,
                                                 best + begin, place + begin);
                          }
                        });
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(best[ox]);
    std::copy(place, place + g.ow, places + oy * g.ow);
  }
}

/// The maxima of a plane whose windows are such squares.
template <class T>
CHAINERXX_CLONES void max_squares_plane(const PoolingArgs& args, long plane,
                                        Rows<Compute<T>>& rows) {
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  int* const places = args.places + plane * g.oh * g.ow;
  const long readable = (args.planes - plane) * g.h * g.w;
  Compute<T>* const __restrict best = rows.values.data();
  int* const __restrict place = rows.places.data();
  for (long oy = 0; oy < g.oh; ++oy) {
    const long first = 2 * oy * g.w;
    if (first + g.w + 2 * whole_blocks(g.ow) <= readable) {
      for (long k = 0; k < g.ow; k += kBlock) {
        const long at = first + 2 * k;
        take_squares(image + at, g.w, static_cast<int>(at), kBlock, best + k, place + k);
      }
    } else {
      take_squares(image + first, g.w, static_cast<int>(first), g.ow, best, place);
    }
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(best[ox]);
    std::copy(place, place + g.ow, places + oy * g.ow);
  }
}

template <long kStride, class T>
CHAINERXX_CLONES void sum_plane(const PoolingArgs& args, long plane, Rows<Compute<T>>& rows) {
  using C = Compute<T>;
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  const C scale = static_cast<C>(args.scale);
  C* const __restrict sums = rows.values.data();
  for (long oy = 0; oy < g.oh; ++oy) {
    for (long ox = 0; ox < whole_blocks(g.ow); ox += kBlock) {
      for (long k = ox; k < ox + kBlock; ++k) sums[k] = 0;
    }
    for_window<kStride>(args, plane, oy,
                        [&](long first, long begin, long n) CHAINERXX_INLINE_LAMBDA {
                          if (n == kBlock) {
                            take_sums<kStride>(image + first, g.sx, kBlock, sums + begin);
                          } else {
                            take_sums<kStride>(image + first, g.sx, n, sums + begin);
                          }
                        });
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(sums[ox] * scale);
  }
}

/// Whether the only window is the whole plane.
bool is_global(const Window& g) {
  return g.oh == 1 && g.ow == 1 && g.kh == g.h && g.kw == g.w && g.ph == 0 && g.pw == 0;
}

template <class T>
CHAINERXX_CLONES void sum_whole_plane(const PoolingArgs& args, long plane, Rows<Compute<T>>&) {
  using C = Compute<T>;
  const long n = args.window.h * args.window.w;
  const T* const image = static_cast<const T*>(args.image) + plane * n;
  C lanes[kBlock] = {};
  long i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    for (long l = 0; l < kBlock; ++l) lanes[l] += static_cast<C>(image[i + l]);
  }
  for (; i < n; ++i) lanes[i % kBlock] += static_cast<C>(image[i]);
  for (long half = kBlock / 2; half > 0; half /= 2) {
    for (long l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  static_cast<T*>(args.pooled)[plane] = T(lanes[0] * static_cast<C>(args.scale));
}

template <class T>
void sum_whole_grad_plane(const PoolingArgs& args, long plane) {
  using C = Compute<T>;
  const long n = args.window.h * args.window.w;
  const C gy = static_cast<C>(static_cast<const T*>(args.pooled)[plane]);
  std::fill_n(static_cast<T*>(args.grad) + plane * n, n, T(gy * static_cast<C>(args.scale)));
}

template <class T>
void max_grad_plane(const PoolingArgs& args, long plane) {
  const Window& g = args.window;
  const T* const gy = static_cast<const T*>(args.pooled) + plane * g.oh * g.ow;
  const int* const places = args.places + plane * g.oh * g.ow;
  T* const gx = static_cast<T*>(args.grad) + plane * g.h * g.w;
  if (sizeof(T) == 2) {  // a sum of float16 is rounded once
    for (long y = 0; y < g.h; ++y) {
      for (long x = 0; x < g.w; ++x) gx[y * g.w + x] = T(max_gradient(gy, places, g, y, x));
    }
    return;
  }
  std::fill(gx, gx + g.h * g.w, T(Compute<T>(0)));
  for (long o = 0; o < g.oh * g.ow; ++o) {
    if (places[o] < 0) continue;
    T& at = gx[places[o]];
    at = T(static_cast<Compute<T>>(at) + static_cast<Compute<T>>(gy[o]));
  }
}

template <class T>
void sum_grad_plane(const PoolingArgs& args, long plane) {
  using C = Compute<T>;
  const Window& g = args.window;
  const T* const gy = static_cast<const T*>(args.pooled) + plane * g.oh * g.ow;
  T* const gx = static_cast<T*>(args.grad) + plane * g.h * g.w;
  const auto scale = static_cast<C>(args.scale);
  if (sizeof(T) == 2) {
    for (long y = 0; y < g.h; ++y) {
      for (long x = 0; x < g.w; ++x) gx[y * g.w + x] = T(sum_gradient(gy, g, y, x) * scale);
    }
    return;
  }
  std::fill(gx, gx + g.h * g.w, T(C(0)));
  for (long oy = 0; oy < g.oh; ++oy) {
    for (long ky = 0; ky < g.kh; ++ky) {
      const long y = oy * g.sy - g.ph + ky;
      if (y < 0 || y >= g.h) continue;
      for (long kx = 0; kx < g.kw; ++kx) {
        const Places<> p(g, kx);
        T* const row = gx + y * g.w + p.start;
        for (long ox = p.begin; ox < p.end; ++ox) {
          row[ox * g.sx] =
              T(static_cast<C>(row[ox * g.sx]) + static_cast<C>(gy[oy * g.ow + ox]) * scale);
        }
      }
    }
  }
}

/// Calls `body(first, last)` for ranges of planes.
template <class Body>
void for_planes(const PoolingArgs& args, const Body& body) {
  const Window& g = args.window;
  const long work = std::max(1L, std::max(g.h * g.w, g.oh * g.ow * g.kh * g.kw));
  parallel_for(args.planes, std::max<std::int64_t>(1, kGrain / work), body);
}

template <class T>
void run(void plane(const PoolingArgs&, long, Rows<Compute<T>>&), const PoolingArgs& args) {
  for_planes(args, [&](std::int64_t begin, std::int64_t end) {
    Rows<Compute<T>> rows(args.window.ow);
    for (long p = begin; p < end; ++p) plane(args, p, rows);
  });
}

void run(void plane(const PoolingArgs&, long), const PoolingArgs& args) {
  for_planes(args, [&](std::int64_t begin, std::int64_t end) {
    for (long p = begin; p < end; ++p) plane(args, p);
  });
}

}  // namespace

void max_pooling(cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    const Window& g = args.window;
    run<T>(is_halving(g) ? max_squares_plane<T>
           : g.sx == 1   ? max_plane<1, T>
           : g.sx == 2   ? max_plane<2, T>
                         : max_plane<0, T>,
           args);
  });
}

void max_pooling_grad(cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) { run(max_grad_plane<Element<decltype(null)>>, args); });
}

void sum_pooling(cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    const Window& g = args.window;
    run<T>(is_global(g) ? sum_whole_plane<T>
           : g.sx == 1  ? sum_plane<1, T>
           : g.sx == 2  ? sum_plane<2, T>
                        : sum_plane<0, T>,
           args);
  });
}

void sum_pooling_grad(cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    run(is_global(args.window) ? sum_whole_grad_plane<T> : sum_grad_plane<T>, args);
  });
}

}  // namespace chainerxx::internal::cpu
