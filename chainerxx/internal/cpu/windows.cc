// SPDX-License-Identifier: MIT
#include <algorithm>

#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;

/// The places [begin, end) of [0, count) at which `start + place * stride` lies in [0, size).
struct Inside {
  long begin, end;
  Inside(long start, long stride, long size, long count) {
    begin = start >= 0 ? 0 : (-start + stride - 1) / stride;
    end = size > start ? (size - start + stride - 1) / stride : 0;
    end = std::min(end, count);
    begin = std::min(begin, end);
  }
};

/// One row of a column: kx fixed, all ox.
template <class T>
void im2col_row(const T* row, T* out, const Window& g, long kx, T outside) {
  const long start = kx * g.dx - g.pw;
  const Inside inside(start, g.sx, g.w, g.ow);
  for (long ox = 0; ox < inside.begin; ++ox) out[ox] = outside;
  if (g.sx == 1) {
    std::copy(row + start + inside.begin, row + start + inside.end, out + inside.begin);
  } else {
    for (long ox = inside.begin; ox < inside.end; ++ox) out[ox] = row[start + ox * g.sx];
  }
  for (long ox = inside.end; ox < g.ow; ++ox) out[ox] = outside;
}

template <class T>
void im2col_plane(const T* image, T* out, const Window& g, T outside) {
  for (long ky = 0; ky < g.kh; ++ky) {
    for (long kx = 0; kx < g.kw; ++kx) {
      for (long oy = 0; oy < g.oh; ++oy, out += g.ow) {
        const long y = oy * g.sy - g.ph + ky * g.dy;
        if (y < 0 || y >= g.h) {
          std::fill(out, out + g.ow, outside);
        } else {
          im2col_row(image + y * g.w, out, g, kx, outside);
        }
      }
    }
  }
}

template <class T>
void col2im_plane(const T* col, T* out, const Window& g) {
  if (sizeof(T) == 2) {  // a sum of float16 is rounded once
    for (long y = 0; y < g.h; ++y) {
      for (long x = 0; x < g.w; ++x) out[y * g.w + x] = T(sum_of_columns(col, g, y, x));
    }
    return;
  }
  std::fill(out, out + g.h * g.w, T(Compute<T>(0)));
  for (long ky = 0; ky < g.kh; ++ky) {
    for (long kx = 0; kx < g.kw; ++kx) {
      const long start = kx * g.dx - g.pw;
      const Inside inside(start, g.sx, g.w, g.ow);
      for (long oy = 0; oy < g.oh; ++oy, col += g.ow) {
        const long y = oy * g.sy - g.ph + ky * g.dy;
        if (y < 0 || y >= g.h) continue;
        T* const row = out + y * g.w + start;
        for (long ox = inside.begin; ox < inside.end; ++ox) {
          row[ox * g.sx] =
              T(static_cast<Compute<T>>(row[ox * g.sx]) + static_cast<Compute<T>>(col[ox]));
        }
      }
    }
  }
}

/// Calls `body(image, columns)` for every plane, with where it begins in both.
template <class Body>
void for_planes(const WindowsArgs& args, const Body& body) {
  const Window& g = args.window;
  const long columns = static_cast<long>(g.kh) * g.kw * g.oh * g.ow;
  parallel_for(args.planes, std::max<std::int64_t>(1, kGrain / std::max(1L, columns)),
               [&](std::int64_t begin, std::int64_t end) {
                 for (long p = begin; p < end; ++p) body(p * g.h * g.w, p * columns);
               });
}

}  // namespace

void im2col(cupyxx::dtype type, const WindowsArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    const T outside = T(static_cast<Compute<T>>(args.outside));
    for_planes(args, [&](long image, long columns) {
      im2col_plane(static_cast<const T*>(args.from) + image, static_cast<T*>(args.to) + columns,
                   args.window, outside);
    });
  });
}

void col2im(cupyxx::dtype type, const WindowsArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    for_planes(args, [&](long image, long columns) {
      col2im_plane(static_cast<const T*>(args.from) + columns, static_cast<T*>(args.to) + image,
                   args.window);
    });
  });
}

void add_to_planes(cupyxx::dtype type, const PlanesArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    using C = Compute<T>;
    T* const planes = static_cast<T*>(args.planes);
    parallel_for(args.outer * args.channels,
                 std::max<std::int64_t>(1, kGrain / std::max(1L, args.inner)),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (long p = begin; p < end; ++p) {
                     T* const at = planes + p * args.inner;
                     const C value = parameter_at<T>(args.channel, p % args.channels, args.wide);
                     for (long i = 0; i < args.inner; ++i) at[i] = T(static_cast<C>(at[i]) + value);
                   }
                 });
  });
}

void plane_sums(cupyxx::dtype type, const PlanesArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    using C = Compute<T>;
    const T* const planes = static_cast<const T*>(args.planes);
    const auto channel = [&](long c) {
      double sum = 0;
      for (long o = 0; o < args.outer; ++o) {
        const T* const at = planes + (o * args.channels + c) * args.inner;
        C part = 0;
#pragma omp simd reduction(+ : part)
        for (long i = 0; i < args.inner; ++i) part += static_cast<C>(at[i]);
        sum += static_cast<double>(part);
      }
      add_to_parameter<T>(args.channel, c, args.wide, sum);
    };
    parallel_for(args.channels,
                 std::max<std::int64_t>(1, kGrain / std::max(1L, args.outer * args.inner)),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (long c = begin; c < end; ++c) channel(c);
                 });
  });
}

}  // namespace chainerxx::internal::cpu
