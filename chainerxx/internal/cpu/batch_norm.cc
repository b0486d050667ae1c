// SPDX-License-Identifier: MIT
#include "chainerxx/internal/kernels/batch_norm.h"

#include <algorithm>

#include "chainerxx/internal/cpu/batch_norm_loops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;
using Sums = BatchNormSums;

constexpr long kColumns = kBatchNormColumns;

template <Arch kArch, class T, bool kGradient>
Sums sums_of(const BatchNormArgs& args, long c) {
  const Summand<T, kGradient> start(args, c);
  Sums sums;
  for (long o = 0; o < args.outer; ++o) {
    const long plane = (o * args.channels + c) * args.inner;
    const T* const x = static_cast<const T*>(args.x) + plane;
    if constexpr (kGradient) {
      const T* const gy = static_cast<const T*>(args.gy) + plane;
      BatchNormLoops<kArch, T>::add_grad_plane(x, gy, args.inner, start, sums);
    } else {
      BatchNormLoops<kArch, T>::add_plane(x, args.inner, start, sums);
    }
  }
  return sums;
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

template <Arch kArch, class T>
void forward_channel(const BatchNormArgs& args, long c) {
  const Sums sums = args.fixed != 0 ? Sums() : sums_of<kArch, T, false>(args, c);
  const Normalise<T> f(args, c, moments<T>(args, c, sums));
  for (long o = 0; o < args.outer; ++o) {
    const long plane = (o * args.channels + c) * args.inner;
    BatchNormLoops<kArch, T>::normalise(static_cast<const T*>(args.x) + plane,
                                        static_cast<T*>(args.out) + plane, args.inner, f);
  }
}

template <Arch kArch, class T>
void backward_channel(const BatchNormArgs& args, long c) {
  const Sums sums = sums_of<kArch, T, true>(args, c);
  finish_gradients<T>(args, c, sums.a, sums.b);
  const NormaliseGrad<T> f(args, c, sums.a, sums.b);
  for (long o = 0; o < args.outer; ++o) {
    const long plane = (o * args.channels + c) * args.inner;
    BatchNormLoops<kArch, T>::normalise_grad(static_cast<const T*>(args.x) + plane,
                                             static_cast<const T*>(args.gy) + plane,
                                             static_cast<T*>(args.out) + plane, args.inner, f);
  }
}

template <Arch kArch, class T, bool kGradient>
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
    const long rows = std::min(kRows, args.outer - begin);
    if constexpr (kGradient) {
      const T* const gy = static_cast<const T*>(args.gy) + at;
      BatchNormLoops<kArch, T>::add_grad_rows(x, gy, rows, args.channels, n, shift, inv_std, a, b);
    } else {
      BatchNormLoops<kArch, T>::add_rows(x, rows, args.channels, n, shift, a, b);
    }
    for (long k = 0; k < n; ++k) {
      sums[k].a += static_cast<double>(a[k]);
      sums[k].b += static_cast<double>(b[k]);
    }
  }
}

template <Arch kArch, class T>
void forward_columns(const BatchNormArgs& args, long first, long n) {
  Sums sums[kColumns];
  if (args.fixed == 0) sums_of_columns<kArch, T, false>(args, first, n, sums);
  BatchNormColumns<Compute<T>> columns;
  for (long k = 0; k < n; ++k) {
    const Normalise<T> f(args, first + k, moments<T>(args, first + k, sums[k]));
    columns.mean[k] = f.mean;
    columns.scale[k] = f.scale;
    columns.beta[k] = f.beta;
  }
  BatchNormLoops<kArch, T>::normalise_rows(static_cast<const T*>(args.x) + first,
                                           static_cast<T*>(args.out) + first, args.outer,
                                           args.channels, n, columns);
}

template <Arch kArch, class T>
void backward_columns(const BatchNormArgs& args, long first, long n) {
  Sums sums[kColumns];
  sums_of_columns<kArch, T, true>(args, first, n, sums);
  BatchNormColumns<Compute<T>> columns;
  for (long k = 0; k < n; ++k) {
    finish_gradients<T>(args, first + k, sums[k].a, sums[k].b);
    const NormaliseGrad<T> f(args, first + k, sums[k].a, sums[k].b);
    columns.mean[k] = f.mean;
    columns.inv_std[k] = f.inv_std;
    columns.scale[k] = f.scale;
    columns.mean_gy[k] = f.mean_gy;
    columns.mean_gy_x[k] = f.mean_gy_x;
  }
  BatchNormLoops<kArch, T>::normalise_grad_rows(
      static_cast<const T*>(args.x) + first, static_cast<const T*>(args.gy) + first,
      static_cast<T*>(args.out) + first, args.outer, args.channels, n, columns);
}

template <Arch kArch, class T>
void normalise_all(bool gradient, const BatchNormArgs& args) {
  const long per_channel = std::max(1L, args.outer * args.inner);
  if (args.inner == 1) {
    const long parts = (args.channels + kColumns - 1) / kColumns;
    parallel_for(parts, std::max<std::int64_t>(1, kGrain / (per_channel * kColumns)),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (long p = begin; p < end; ++p) {
                     const long first = p * kColumns;
                     const long n = std::min(kColumns, args.channels - first);
                     gradient ? backward_columns<kArch, T>(args, first, n)
                              : forward_columns<kArch, T>(args, first, n);
                   }
                 });
    return;
  }
  parallel_for(args.channels, std::max<std::int64_t>(1, kGrain / per_channel),
               [&](std::int64_t begin, std::int64_t end) {
                 for (long c = begin; c < end; ++c) {
                   gradient ? backward_channel<kArch, T>(args, c)
                            : forward_channel<kArch, T>(args, c);
                 }
               });
}

}  // namespace

void batch_norm(bool gradient, cupyxx::dtype type, const BatchNormArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    with_arch([&]<Arch kArch>() { normalise_all<kArch, T>(gradient, args); });
  });
}

}  // namespace chainerxx::internal::cpu
