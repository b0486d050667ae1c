// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <vector>

#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;

/// The places [begin, end) of one row of windows whose column kx lies in the image.
struct Places {
  long start, begin, end;
  Places(const Window& g, long kx) : start(kx - g.pw) {
    begin = start >= 0 ? 0 : (-start + g.sx - 1) / g.sx;
    end = g.w > start ? std::min((g.w - start + g.sx - 1) / g.sx, g.ow) : 0;
    begin = std::min(begin, end);
  }
};

// The loops over planes are compiled for several instruction sets as a whole, so what they call is
// inlined: a call for every row of a window would cost more than its few elements.
#define CHAINERXX_INLINE inline __attribute__((always_inline))

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

template <long kStride, class T>
CHAINERXX_CLONES void max_plane(const PoolingArgs& args, long plane, Compute<T>* __restrict best) {
  using C = Compute<T>;
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  int* const places = args.places + plane * g.oh * g.ow;
  for (long oy = 0; oy < g.oh; ++oy) {
    int* const place = places + oy * g.ow;
    for (long ox = 0; ox < g.ow; ++ox) best[ox] = -std::numeric_limits<C>::infinity();
    for (long ox = 0; ox < g.ow; ++ox) place[ox] = -1;
    for (long ky = 0; ky < g.kh; ++ky) {
      const long y = oy * g.sy - g.ph + ky;
      if (y < 0 || y >= g.h) continue;
      for (long kx = 0; kx < g.kw; ++kx) {
        const Places p(g, kx);
        const long x = p.start + p.begin * g.sx;
        take_maxima<kStride>(image + y * g.w + x, g.sx, static_cast<int>(y * g.w + x),
                             p.end - p.begin, best + p.begin, place + p.begin);
      }
    }
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(best[ox]);
  }
}

template <long kStride, class T>
CHAINERXX_CLONES void sum_plane(const PoolingArgs& args, long plane, Compute<T>* __restrict sums) {
  using C = Compute<T>;
  const Window g = args.window;
  const T* const image = static_cast<const T*>(args.image) + plane * g.h * g.w;
  T* const pooled = static_cast<T*>(args.pooled) + plane * g.oh * g.ow;
  const C scale = static_cast<C>(args.scale);
  for (long oy = 0; oy < g.oh; ++oy) {
    for (long ox = 0; ox < g.ow; ++ox) sums[ox] = 0;
    for (long ky = 0; ky < g.kh; ++ky) {
      const long y = oy * g.sy - g.ph + ky;
      if (y < 0 || y >= g.h) continue;
      for (long kx = 0; kx < g.kw; ++kx) {
        const Places p(g, kx);
        take_sums<kStride>(image + y * g.w + p.start + p.begin * g.sx, g.sx, p.end - p.begin,
                           sums + p.begin);
      }
    }
    for (long ox = 0; ox < g.ow; ++ox) pooled[oy * g.ow + ox] = T(sums[ox] * scale);
  }
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
        const Places p(g, kx);
        T* const row = gx + y * g.w + p.start;
        for (long ox = p.begin; ox < p.end; ++ox) {
          row[ox * g.sx] =
              T(static_cast<C>(row[ox * g.sx]) + static_cast<C>(gy[oy * g.ow + ox]) * scale);
        }
      }
    }
  }
}

}  // namespace

void pooling(KernelName name, cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    const Window& g = args.window;
    const bool is_max = name == KernelName::max_pooling;
    const bool is_gradient = !is_max && name != KernelName::sum_pooling;
    const auto forward = g.sx == 1   ? (is_max ? max_plane<1, T> : sum_plane<1, T>)
                         : g.sx == 2 ? (is_max ? max_plane<2, T> : sum_plane<2, T>)
                                     : (is_max ? max_plane<0, T> : sum_plane<0, T>);
    const auto backward =
        name == KernelName::max_pooling_grad ? max_grad_plane<T> : sum_grad_plane<T>;
    const long work = std::max(1L, std::max(g.h * g.w, g.oh * g.ow * g.kh * g.kw));
    parallel_for(args.planes, std::max<std::int64_t>(1, kGrain / work),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<Compute<T>> row(static_cast<std::size_t>(is_gradient ? 0 : g.ow));
                   for (long p = begin; p < end; ++p) {
                     is_gradient ? backward(args, p) : forward(args, p, row.data());
                   }
                 });
  });
}

}  // namespace chainerxx::internal::cpu
