// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/normalization_loops.h"

#include "chainerxx/internal/cpu/element_types.h"
#include "chainerxx/internal/kernels/response_norm.h"

namespace chainerxx::internal::cpu {

using cupyxx::extension::Arch;
using kernels::inverse_power;

template <Arch kArch, class T>
void NormalizationLoops<kArch, T>::add_squares(const T* __restrict x, C* __restrict sums, long n) {
#pragma omp simd
  for (long i = 0; i < n; ++i) sums[i] += static_cast<C>(x[i]) * static_cast<C>(x[i]);
}

template <Arch kArch, class T>
void NormalizationLoops<kArch, T>::add_row(const C* __restrict terms, C* __restrict sums, long n) {
#pragma omp simd
  for (long i = 0; i < n; ++i) sums[i] += terms[i];
}

template <Arch kArch, class T>
void NormalizationLoops<kArch, T>::scale_row(const T* __restrict x, const C* __restrict s,
                                             T* __restrict y, long n, C beta) {
#pragma omp simd
  for (long i = 0; i < n; ++i) y[i] = T(static_cast<C>(x[i]) * inverse_power(s[i], beta));
}

template <Arch kArch, class T>
void NormalizationLoops<kArch, T>::term_row(const T* __restrict x, const T* __restrict gy,
                                            const C* __restrict s, C* __restrict terms, long n,
                                            C beta) {
#pragma omp simd
  for (long i = 0; i < n; ++i) {
    terms[i] = static_cast<C>(gy[i]) * static_cast<C>(x[i]) * inverse_power(s[i], beta) / s[i];
  }
}

template <Arch kArch, class T>
void NormalizationLoops<kArch, T>::grad_row(const T* __restrict x, const T* __restrict gy,
                                            const C* __restrict s, const C* __restrict sums,
                                            T* __restrict gx, long n, C beta, C factor) {
#pragma omp simd
  for (long i = 0; i < n; ++i) {
    gx[i] = T(static_cast<C>(gy[i]) * inverse_power(s[i], beta) -
              factor * static_cast<C>(x[i]) * sums[i]);
  }
}

CHAINERXX_FOR_ELEMENT_TYPES(NormalizationLoops)

}  // namespace chainerxx::internal::cpu
