// SPDX-License-Identifier: MIT
// Conjugates and squares of complex numbers with AVX2, where the compiler takes the parts of each
// number apart. The bits are those of the operations' own loops. Compiled as loops.h says.
#pragma once

#include "cupyxx/internal/cpu/loops.h"

#if defined(__AVX2__) && !defined(__AVX512DQ__)
#define CUPYXX_COMPLEX_VECTORS

#include <immintrin.h>

#include "cupyxx/complex.h"

namespace cupyxx::internal::cpu {
namespace {

inline __m256d load_parts(const double* from) { return _mm256_loadu_pd(from); }
inline __m256 load_parts(const float* from) { return _mm256_loadu_ps(from); }
inline void store_parts(double* to, __m256d parts) { _mm256_storeu_pd(to, parts); }
inline void store_parts(float* to, __m256 parts) { _mm256_storeu_ps(to, parts); }

struct ConjugateVectors {
  static __m256d of(__m256d z) { return _mm256_xor_pd(z, _mm256_setr_pd(0, -0.0, 0, -0.0)); }
  static __m256 of(__m256 z) {
    return _mm256_xor_ps(z, _mm256_setr_ps(0, -0.0F, 0, -0.0F, 0, -0.0F, 0, -0.0F));
  }
};

struct SquareVectors {
  static __m256d of(__m256d z) {
    const __m256d re = _mm256_movedup_pd(z), im = _mm256_permute_pd(z, 0b1111);
    const __m256d turned = _mm256_permute_pd(z, 0b0101);
    return _mm256_addsub_pd(_mm256_mul_pd(re, z), _mm256_mul_pd(im, turned));
  }
  static __m256 of(__m256 z) {
    const __m256 re = _mm256_moveldup_ps(z), im = _mm256_movehdup_ps(z);
    const __m256 turned = _mm256_permute_ps(z, 0b10110001);
    return _mm256_addsub_ps(_mm256_mul_ps(re, z), _mm256_mul_ps(im, turned));
  }
};

/// `Vectors::of` of numbers that lie side by side, `One::apply` of others.
template <class Vectors, class One, class T>
void complex_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  constexpr std::int64_t kPerVector = 32 / (2 * sizeof(T)), kSize = 2 * sizeof(T);
  std::int64_t i = 0;
  if (strides[0] == kSize && strides[1] == kSize) {
    auto* to = reinterpret_cast<T*>(data[0]);
    const auto* from = reinterpret_cast<const T*>(data[1]);
    for (; i + 2 * kPerVector <= n; i += 2 * kPerVector) {
      const auto first = Vectors::of(load_parts(from + 2 * i));
      const auto second = Vectors::of(load_parts(from + 2 * (i + kPerVector)));
      store_parts(to + 2 * i, first);
      store_parts(to + 2 * (i + kPerVector), second);
    }
  }
  for (; i < n; ++i) {
    *reinterpret_cast<complex<T>*>(data[0] + i * strides[0]) =
        One::apply(*reinterpret_cast<const complex<T>*>(data[1] + i * strides[1]));
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu

#endif
