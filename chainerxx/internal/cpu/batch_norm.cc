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

/// Channels [first, first + n) of a matrix, row by row.
constexpr long kColumns = 64;

template <class T, bool kGradient>
void sums_of_columns(const BatchNormArgs& args, long first, long n, Sums* sums) {
  constexpr long kRows = 64;
  const T* const x = static_cast<const T*>(args.x);
  const T* const gy = static_cast<const T*>(kGradient ? args.gy : args.x);
  for (long begin = 0; begin < args.outer; begin += kRows) {
    for (long k = 0; k < n; ++k) {
      Summand<T, kGradient> sum(args, first + k);
      for (long o = begin; o < std::min(args.outer, begin + kRows); ++o) {
        const long i = o * args.channels + first + k;
        sum.add(x[i], gy[i]);
      }
      sums[k].a += static_cast<double>(sum.a);
      sums[k].b += static_cast<double>(sum.b);
    }
  }
}

template <class T>
void forward_columns(const BatchNormArgs& args, long first, long n) {
  Sums sums[kColumns];
  if (args.fixed == 0) sums_of_columns<T, false>(args, first, n, sums);
  for (long k = 0; k < n; ++k) {
    const Normalise<T> f(args, first + k, moments<T>(args, first + k, sums[k]));
    for (long o = 0; o < args.outer; ++o) {
      const long i = o * args.channels + first + k;
      static_cast<T*>(args.out)[i] = f(static_cast<const T*>(args.x)[i]);
    }
  }
}

template <class T>
void backward_columns(const BatchNormArgs& args, long first, long n) {
  Sums sums[kColumns];
  sums_of_columns<T, true>(args, first, n, sums);
  for (long k = 0; k < n; ++k) {
    finish_gradients<T>(args, first + k, sums[k].a, sums[k].b);
    const NormaliseGrad<T> f(args, first + k, sums[k].a, sums[k].b);
    for (long o = 0; o < args.outer; ++o) {
      const long i = o * args.channels + first + k;
      static_cast<T*>(args.out)[i] =
          f(static_cast<const T*>(args.x)[i], static_cast<const T*>(args.gy)[i]);
    }
  }
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
