// SPDX-License-Identifier: MIT
#if defined(__AVX512DQ__)
#include <immintrin.h>
#endif

#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/floating.h"

#if defined(__AVX512DQ__)

namespace cupyxx::internal {
namespace {

// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"

struct AnyLdexp {
  template <class T, class N>
  static T apply(T x, N n) {
    return ops::Ldexp::apply(x, n);
  }
};

/// Eight at a time. Those of float32 are made in float64, where nothing is rounded but what float32
/// has no numbers for.
template <class T, class N>
struct Loop<ops::Ldexp, T(T, N)> {
  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    std::int64_t i = 0;
    if (strides[0] == sizeof(T) && strides[1] == sizeof(T) && strides[2] == sizeof(N)) {
      auto* out = reinterpret_cast<T*>(data[0]);
      const auto* x = reinterpret_cast<const T*>(data[1]);
      const auto* exponent = reinterpret_cast<const N*>(data[2]);
      for (; i + 8 <= n; i += 8) eight(out + i, x + i, exponent + i);
    }
    char* const rest[] = {data[0] + i * strides[0], data[1] + i * strides[1],
                          data[2] + i * strides[2]};
    Loop<AnyLdexp, T(T, N)>::run(rest, strides, n - i);
  }

 private:
  static void eight(T* out, const T* x, const N* exponent) {
    __m512d n;
    if constexpr (sizeof(N) == 8) {
      n = _mm512_cvtepi64_pd(_mm512_loadu_si512(exponent));
    } else {
      n = _mm512_cvtepi32_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(exponent)));
    }
    if constexpr (sizeof(T) == 8) {
      _mm512_storeu_pd(out, _mm512_scalef_pd(_mm512_loadu_pd(x), n));
    } else {
      const __m512d wide = _mm512_cvtps_pd(_mm256_loadu_ps(x));
      _mm256_storeu_ps(out, _mm512_cvtpd_ps(_mm512_scalef_pd(wide, n)));
    }
  }
};

#pragma GCC diagnostic pop

}  // namespace
}  // namespace cupyxx::internal

#endif

CUPYXX_DEFINE_LOOPS(FloatingOps)
