// SPDX-License-Identifier: MIT
// Local response and layer normalisation.
#include <algorithm>
#include <vector>

#include "chainerxx/internal/cpu/normalization_loops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace chainerxx::internal::kernels;

template <Arch kArch, class T>
void response_norm_image(const ResponseNormArgs& args, long o) {
  using C = Compute<T>;
  using Loops = NormalizationLoops<kArch, T>;
  const long n = args.inner, first = o * args.channels * n;
  const T* const x = static_cast<const T*>(args.x) + first;
  C* const scale = static_cast<C*>(args.scale) + first;
  T* const y = static_cast<T*>(args.out) + first;
  for (long c = 0; c < args.channels; ++c) {
    C* const s = scale + c * n;
    std::fill(s, s + n, C(0));
    const Neighbours near(c, args.half, args.channels);
    for (long j = near.begin; j < near.end; ++j) Loops::add_squares(x + j * n, s, n);
    const C k = static_cast<C>(args.k), alpha = static_cast<C>(args.alpha);
    for (long i = 0; i < n; ++i) s[i] = k + alpha * s[i];
    Loops::scale_row(x + c * n, s, y + c * n, n, static_cast<C>(args.beta));
  }
}

template <Arch kArch, class T>
void response_norm_grad_image(const ResponseNormArgs& args, long o) {
  using C = Compute<T>;
  using Loops = NormalizationLoops<kArch, T>;
  const long n = args.inner, first = o * args.channels * n;
  const T* const x = static_cast<const T*>(args.x) + first;
  const T* const gy = static_cast<const T*>(args.gy) + first;
  const C* const scale = static_cast<const C*>(args.scale) + first;
  T* const gx = static_cast<T*>(args.out) + first;
  const C beta = static_cast<C>(args.beta);
  const C factor = static_cast<C>(2 * args.alpha * args.beta);
  std::vector<C> terms(static_cast<std::size_t>(args.channels * n));
  std::vector<C> sums(static_cast<std::size_t>(n));
  for (long c = 0; c < args.channels; ++c) {
    Loops::term_row(x + c * n, gy + c * n, scale + c * n, terms.data() + c * n, n, beta);
  }
  for (long c = 0; c < args.channels; ++c) {
    std::fill(sums.begin(), sums.end(), C(0));
    const Neighbours near(c, args.half, args.channels);
    for (long j = near.begin; j < near.end; ++j)
      Loops::add_row(terms.data() + j * n, sums.data(), n);
    Loops::grad_row(x + c * n, gy + c * n, scale + c * n, sums.data(), gx + c * n, n, beta, factor);
  }
}

template <class T>
void layer_norm_row(const LayerNormArgs& args, long row) {
  using C = Compute<T>;
  const long n = args.columns;
  const T* const x = static_cast<const T*>(args.x) + row * n;
  T* const y = static_cast<T*>(args.out) + row * n;
  const C* const gamma = static_cast<const C*>(args.gamma);
  const C* const beta = static_cast<const C*>(args.beta);
  const C shift = static_cast<C>(x[0]);
  C a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
  for (long i = 0; i < n; ++i) {
    const C distance = static_cast<C>(x[i]) - shift;
    a += distance;
    b += distance * distance;
  }
  const double mean = static_cast<double>(a) / static_cast<double>(n);
  const double var = static_cast<double>(b) / static_cast<double>(n) - mean * mean;
  args.moments[2 * row] = static_cast<double>(shift) + mean;
  args.moments[2 * row + 1] = 1 / m::sqrt((var > 0 || var != var ? var : 0) + args.eps);
  const C center = static_cast<C>(args.moments[2 * row]);
  const C inv_std = static_cast<C>(args.moments[2 * row + 1]);
#pragma omp simd
  for (long i = 0; i < n; ++i) {
    y[i] = T((static_cast<C>(x[i]) - center) * inv_std * gamma[i] + beta[i]);
  }
}

template <class T>
void layer_norm_grad_row(const LayerNormArgs& args, long row) {
  using C = Compute<T>;
  const long n = args.columns;
  const T* const x = static_cast<const T*>(args.x) + row * n;
  const T* const gy = static_cast<const T*>(args.gy) + row * n;
  T* const gx = static_cast<T*>(args.out) + row * n;
  const C* const gamma = static_cast<const C*>(args.gamma);
  const C center = static_cast<C>(args.moments[2 * row]);
  const C inv_std = static_cast<C>(args.moments[2 * row + 1]);
  C a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
  for (long i = 0; i < n; ++i) {
    const C g = static_cast<C>(gy[i]) * gamma[i];
    a += g;
    b += g * ((static_cast<C>(x[i]) - center) * inv_std);
  }
  const C mean_g = a / static_cast<C>(n), mean_g_x = b / static_cast<C>(n);
#pragma omp simd
  for (long i = 0; i < n; ++i) {
    const C g = static_cast<C>(gy[i]) * gamma[i];
    gx[i] = T(inv_std * (g - mean_g - (static_cast<C>(x[i]) - center) * inv_std * mean_g_x));
  }
}

/// Columns [begin, end) of the gradients of gamma and beta.
template <class T>
void layer_norm_columns(const LayerNormArgs& args, long begin, long end) {
  using C = Compute<T>;
  std::vector<double> a(static_cast<std::size_t>(end - begin)), b(a.size());
  for (long row = 0; row < args.rows; ++row) {
    const T* const x = static_cast<const T*>(args.x) + row * args.columns;
    const T* const gy = static_cast<const T*>(args.gy) + row * args.columns;
    const C center = static_cast<C>(args.moments[2 * row]);
    const C inv_std = static_cast<C>(args.moments[2 * row + 1]);
    for (long i = begin; i < end; ++i) {
      const auto k = static_cast<std::size_t>(i - begin);
      const C g = static_cast<C>(gy[i]);
      a[k] += static_cast<double>(g);
      b[k] += static_cast<double>(g * ((static_cast<C>(x[i]) - center) * inv_std));
    }
  }
  for (long i = begin; i < end; ++i) {
    const auto k = static_cast<std::size_t>(i - begin);
    static_cast<C*>(args.gbeta)[i] = static_cast<C>(a[k]);
    static_cast<C*>(args.ggamma)[i] = static_cast<C>(b[k]);
  }
}

/// Calls `body(i)` for i in [0, n), each worth `work` elements.
template <class Body>
void for_each(long n, long work, Body&& body) {
  parallel_for(n, std::max<std::int64_t>(1, kGrain / std::max(1L, work)),
               [&](std::int64_t begin, std::int64_t end) {
                 for (long i = begin; i < end; ++i) body(i);
               });
}

}  // namespace

void response_norm(bool gradient, cupyxx::dtype type, const ResponseNormArgs& args) {
  if (args.outer == 0) return;
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    with_arch([&]<Arch kArch>() {
      for_each(args.outer, args.channels * args.inner * std::min<long>(args.half, kGrain),
               [&](long o) {
                 gradient ? response_norm_grad_image<kArch, T>(args, o)
                          : response_norm_image<kArch, T>(args, o);
               });
    });
  });
}

void layer_norm(bool gradient, cupyxx::dtype type, const LayerNormArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    for_each(args.rows, args.columns, [&](long row) {
      gradient ? layer_norm_grad_row<T>(args, row) : layer_norm_row<T>(args, row);
    });
    if (!gradient) return;
    constexpr long kColumns = 256;
    for_each((args.columns + kColumns - 1) / kColumns, std::min<long>(args.rows, kGrain) * kColumns,
             [&](long part) {
               const long begin = part * kColumns;
               layer_norm_columns<T>(args, begin, std::min(args.columns, begin + kColumns));
             });
  });
}

}  // namespace chainerxx::internal::cpu
