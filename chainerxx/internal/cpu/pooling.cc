// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "chainerxx/internal/cpu/pooling_loops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;

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
  const int* const places = static_cast<const int*>(args.places) + plane * g.oh * g.ow;
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
        const WindowPlaces<> p(g, kx);
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

/// Calls `plane(p, values, places)` for all planes, with room for a row of results.
template <class T, class Plane>
void with_rows(const PoolingArgs& args, const Plane& plane) {
  for_planes(args, [&](std::int64_t begin, std::int64_t end) {
    const auto room =
        static_cast<std::size_t>(whole_pooling_blocks(args.window.ow) + kPoolingBlock);
    std::vector<Compute<T>> values(room);
    std::vector<int> places(room);
    for (long p = begin; p < end; ++p) plane(p, values.data(), places.data());
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
    with_rows<T>(args, [&](long plane, Compute<T>* values, int* places) {
      with_arch(
          [&]<Arch kArch>() { PoolingLoops<kArch, T>::max_plane(args, plane, values, places); });
    });
  });
}

void max_pooling_grad(cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) { run(max_grad_plane<Element<decltype(null)>>, args); });
}

void sum_pooling(cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    with_rows<T>(args, [&](long plane, Compute<T>* values, int*) {
      with_arch([&]<Arch kArch>() { PoolingLoops<kArch, T>::sum_plane(args, plane, values); });
    });
  });
}

void sum_pooling_grad(cupyxx::dtype type, const PoolingArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    run(is_global(args.window) ? sum_whole_grad_plane<T> : sum_grad_plane<T>, args);
  });
}

}  // namespace chainerxx::internal::cpu
