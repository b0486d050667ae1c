// SPDX-License-Identifier: MIT
#include "chainerxx/internal/kernels/batch_norm.h"

#include <algorithm>

#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;

struct Sums {
  double a = 0, b = 0;
};

template <class T, bool kGradient>
CHAINERXX_CLONES void add_plane(const T* __restrict x, const T* __restrict gy, long n,
                                const Summand<T, kGradient>& start, Sums& sums) {
  using C = Compute<T>;
  C a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
  for (long i = 0; i < n; ++i) {
    const C distance = static_cast<C>(x[i]) - start.shift;
    a += kGradient ? static_cast<C>(gy[i]) : distance;
    b += kGradient ? static_cast<C>(gy[i]) * distance * start.inv_std : distance * distance;
  }
  sums.a += static_cast<double>(a);
  sums.b += static_cast<double>(b);
}

template <class T, bool kGradient>
Sums sums_of(const BatchNormArgs& args, long c) {
  const Summand<T, kGradient> start(args, c);
  Sums sums;
  for (long o = 0; o < args.outer; ++o) {
    const long plane = (o * args.channels + c) * args.inner;
    const T* const x = static_cast<const T*>(args.x) + plane;
    add_plane<T, kGradient>(x, kGradient ? static_cast<const T*>(args.gy) + plane : x, args.inner,
                            start, sums);
  }
  return sums;
}

template <class T>
CHAINERXX_CLONES void normalise(const T* __restrict x, T* __restrict y, long n,
                                const Normalise<T>& f) {
#pragma omp simd
  for (long i = 0; i < n; ++i) y[i] = f(x[i]);
}

template <class T>
CHAINERXX_CLONES void normalise_grad(const T* __restrict x, const T* __restrict gy,
                                     T* __restrict gx, long n, const NormaliseGrad<T>& f) {
#pragma omp simd
  for (long i = 0; i < n; ++i) gx[i] = f(x[i], gy[i]);
}

double count_of(const BatchNormArgs& args) {
  return static_cast<double>(args.outer) * static_cast<double>(args.inner);
}

/// The moments of a channel; in training also what is left behind.
template <class T>
ChannelMoments moments(const BatchNormArgs& args, long c, const Sums& sums) {
  if (args.fixed != 0) {
    const ChannelMoments at = fixed_moments<T>(args, c);
    args.moments[2 * c] = at.mean;
    args.moments[2 * c + 1] = at.inv_std;
    return at;
  }
  const Summand<T, false> start(args, c);
  double variance = 0;
  const ChannelMoments at = moments_of(static_cast<double>(start.shift), sums.a, sums.b,
                                       count_of(args), args.eps, &variance);
  finish_channel<T>(args, c, at, variance);
  return at;
}

template <class T>
void forward_channel(const BatchNormArgs& args, long c) {
  const Sums sums = args.fixed != 0 ? Sums() : sums_of<T, false>(args, c);
  const Normalise<T> f(args, c, moments<T>(args, c, sums));
  for (long o = 0; o < args.outer; ++o) {
    const long plane = (o * args.channels + c) * args.inner;
    normalise(static_cast<const T*>(args.x) + plane, static_cast<T*>(args.out) + plane, args.inner,
              f);
  }
}

template <class T>
void backward_channel(const BatchNormArgs& args, long c) {
  const Sums sums = sums_of<T, true>(args, c);
  finish_gradients<T>(args, c, sums.a, sums.b);
  const NormaliseGrad<T> f(args, c, sums.a, sums.b);
  for (long o = 0; o < args.outer; ++o) {
    const long plane = (o * args.channels + c) * args.inner;
    normalise_grad(static_cast<const T*>(args.x) + plane, static_cast<const T*>(args.gy) + plane,
                   static_cast<T*>(args.out) + plane, args.inner, f);
  }
}

/// So many neighbouring channels of a matrix are taken together, row by row.
constexpr long kColumns = 64;

/// Adds rows to the sums of up to kColumns channels.
template <class T, bool kGradient>
CHAINERXX_CLONES void add_rows(const T* __restrict x, const T* __restrict gy, long rows,
                               long stride, long n, const Compute<T>* __restrict shift,
                               const Compute<T>* __restrict inv_std, Compute<T>* __restrict a,
                               Compute<T>* __restrict b) {
  using C = Compute<T>;
  for (long o = 0; o < rows; ++o) {
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      const C distance = static_cast<C>(x[o * stride + k]) - shift[k];
      a[k] += kGradient ? static_cast<C>(gy[o * stride + k]) : distance;
      b[k] += kGradient ? static_cast<C>(gy[o * stride + k]) * distance * inv_std[k]
                        : distance * distance;
    }
  }
}

template <class T, bool kGradient>
void sums_of_columns(const BatchNormArgs& args, long first, long n, Sums* sums) {
  using C = Compute<T>;
  constexpr long kRows = 64;  // summed in C before they go to double
  C shift[kColumns], inv_std[kColumns];
  for (long k = 0; k < n; ++k) {
    const Summand<T, kGradient> start(args, first + k);
    shift[k] = start.shift;
    inv_std[k] = start.inv_std;
  }
  for (long begin = 0; begin < args.outer; begin += kRows) {
    C a[kColumns] = {}, b[kColumns] = {};
    const long at = begin * args.channels + first;
    const T* const x = static_cast<const T*>(args.x) + at;
    add_rows<T, kGradient>(x, kGradient ? static_cast<const T*>(args.gy) + at : x,
                           std::min(kRows, args.outer - begin), args.channels, n, shift, inv_std, a,
                           b);
    for (long k = 0; k < n; ++k) {
      sums[k].a += static_cast<double>(a[k]);
      sums[k].b += static_cast<double>(b[k]);
    }
  }
}

/// What the passes over the elements of some columns need, as arrays.
template <class C>
struct Columns {
  C mean[kColumns], scale[kColumns], beta[kColumns];
  C inv_std[kColumns], mean_gy[kColumns], mean_gy_x[kColumns];
};

template <class T>
CHAINERXX_CLONES void normalise_rows(const T* __restrict x, T* __restrict y, long rows, long stride,
                                     long n, const Columns<Compute<T>>& f) {
  for (long o = 0; o < rows; ++o) {
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      y[o * stride + k] =
          T((static_cast<Compute<T>>(x[o * stride + k]) - f.mean[k]) * f.scale[k] + f.beta[k]);
    }
  }
}

template <class T>
CHAINERXX_CLONES void normalise_grad_rows(const T* __restrict x, const T* __restrict gy,
                                          T* __restrict gx, long rows, long stride, long n,
                                          const Columns<Compute<T>>& f) {
  using C = Compute<T>;
  for (long o = 0; o < rows; ++o) {
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      const long i = o * stride + k;
      const C normalised = (static_cast<C>(x[i]) - f.mean[k]) * f.inv_std[k];
      gx[i] = T(f.scale[k] * (static_cast<C>(gy[i]) - f.mean_gy[k] - normalised * f.mean_gy_x[k]));
    }
  }
}

template <class T>
void forward_columns(const BatchNormArgs& args, long first, long n) {
  Sums sums[kColumns];
  if (args.fixed == 0) sums_of_columns<T, false>(args, first, n, sums);
  Columns<Compute<T>> columns;
  for (long k = 0; k < n; ++k) {
    const Normalise<T> f(args, first + k, moments<T>(args, first + k, sums[k]));
    columns.mean[k] = f.mean;
    columns.scale[k] = f.scale;
    columns.beta[k] = f.beta;
  }
  normalise_rows(static_cast<const T*>(args.x) + first, static_cast<T*>(args.out) + first,
                 args.outer, args.channels, n, columns);
}

template <class T>
void backward_columns(const BatchNormArgs& args, long first, long n) {
  Sums sums[kColumns];
  sums_of_columns<T, true>(args, first, n, sums);
  Columns<Compute<T>> columns;
  for (long k = 0; k < n; ++k) {
    finish_gradients<T>(args, first + k, sums[k].a, sums[k].b);
    const NormaliseGrad<T> f(args, first + k, sums[k].a, sums[k].b);
    columns.mean[k] = f.mean;
    columns.inv_std[k] = f.inv_std;
    columns.scale[k] = f.scale;
    columns.mean_gy[k] = f.mean_gy;
    columns.mean_gy_x[k] = f.mean_gy_x;
  }
  normalise_grad_rows(static_cast<const T*>(args.x) + first, static_cast<const T*>(args.gy) + first,
                      static_cast<T*>(args.out) + first, args.outer, args.channels, n, columns);
}

}  // namespace

void batch_norm(bool gradient, cupyxx::dtype type, const BatchNormArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    const long per_channel = std::max(1L, args.outer * args.inner);
    if (args.inner == 1) {
      const long parts = (args.channels + kColumns - 1) / kColumns;
      parallel_for(parts, std::max<std::int64_t>(1, kGrain / (per_channel * kColumns)),
                   [&](std::int64_t begin, std::int64_t end) {
                     for (long p = begin; p < end; ++p) {
                       const long first = p * kColumns;
                       const long n = std::min(kColumns, args.channels - first);
                       gradient ? backward_columns<T>(args, first, n)
                                : forward_columns<T>(args, first, n);
                     }
                   });
      return;
    }
    parallel_for(args.channels, std::max<std::int64_t>(1, kGrain / per_channel),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (long c = begin; c < end; ++c) {
                     gradient ? backward_channel<T>(args, c) : forward_channel<T>(args, c);
                   }
                 });
  });
}

}  // namespace chainerxx::internal::cpu
