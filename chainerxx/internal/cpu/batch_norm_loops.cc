// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/batch_norm_loops.h"

#include "chainerxx/internal/cpu/element_types.h"

namespace chainerxx::internal::cpu {

using cupyxx::extension::Arch;
using kernels::Normalise;
using kernels::NormaliseGrad;
using kernels::Summand;

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::add_plane(const T* __restrict x, long n,
                                         const Summand<T, false>& start, Sums& sums) {
  C a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
  for (long i = 0; i < n; ++i) {
    const C distance = static_cast<C>(x[i]) - start.shift;
    a += distance;
    b += distance * distance;
  }
  sums.a += static_cast<double>(a);
  sums.b += static_cast<double>(b);
}

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::add_grad_plane(const T* __restrict x, const T* __restrict gy, long n,
                                              const Summand<T, true>& start, Sums& sums) {
  C a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
  for (long i = 0; i < n; ++i) {
    const C distance = static_cast<C>(x[i]) - start.shift;
    a += static_cast<C>(gy[i]);
    b += static_cast<C>(gy[i]) * distance * start.inv_std;
  }
  sums.a += static_cast<double>(a);
  sums.b += static_cast<double>(b);
}

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::normalise(const T* __restrict x, T* __restrict y, long n,
                                         const Normalise<T>& f) {
#pragma omp simd
  for (long i = 0; i < n; ++i) y[i] = f(x[i]);
}

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::normalise_grad(const T* __restrict x, const T* __restrict gy,
                                              T* __restrict gx, long n, const NormaliseGrad<T>& f) {
#pragma omp simd
  for (long i = 0; i < n; ++i) gx[i] = f(x[i], gy[i]);
}

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::add_rows(const T* __restrict x, long rows, long stride, long n,
                                        const C* __restrict shift, C* __restrict a,
                                        C* __restrict b) {
  for (long o = 0; o < rows; ++o) {
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      const C distance = static_cast<C>(x[o * stride + k]) - shift[k];
      a[k] += distance;
      b[k] += distance * distance;
    }
  }
}

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::add_grad_rows(const T* __restrict x, const T* __restrict gy,
                                             long rows, long stride, long n,
                                             const C* __restrict shift, const C* __restrict inv_std,
                                             C* __restrict a, C* __restrict b) {
  for (long o = 0; o < rows; ++o) {
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      const C distance = static_cast<C>(x[o * stride + k]) - shift[k];
      a[k] += static_cast<C>(gy[o * stride + k]);
      b[k] += static_cast<C>(gy[o * stride + k]) * distance * inv_std[k];
    }
  }
}

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::normalise_rows(const T* __restrict x, T* __restrict y, long rows,
                                              long stride, long n, const Columns& f) {
  for (long o = 0; o < rows; ++o) {
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      y[o * stride + k] =
          T((static_cast<C>(x[o * stride + k]) - f.mean[k]) * f.scale[k] + f.beta[k]);
    }
  }
}

template <Arch kArch, class T>
void BatchNormLoops<kArch, T>::normalise_grad_rows(const T* __restrict x, const T* __restrict gy,
                                                   T* __restrict gx, long rows, long stride, long n,
                                                   const Columns& f) {
  for (long o = 0; o < rows; ++o) {
#pragma omp simd
    for (long k = 0; k < n; ++k) {
      const long i = o * stride + k;
      const C normalised = (static_cast<C>(x[i]) - f.mean[k]) * f.inv_std[k];
      gx[i] = T(f.scale[k] * (static_cast<C>(gy[i]) - f.mean_gy[k] - normalised * f.mean_gy_x[k]));
    }
  }
}

CHAINERXX_FOR_ELEMENT_TYPES(BatchNormLoops)

}  // namespace chainerxx::internal::cpu
