// SPDX-License-Identifier: MIT
#include "benchmarks/stream.h"

#include <immintrin.h>

namespace benchmarks {

namespace {

__attribute__((target("avx512f"))) float read_wide(const float* x, std::int64_t n) {
  __m512 sums[4] = {};
  std::int64_t i = 0;
  for (; i + 64 <= n; i += 64) {
    for (int k = 0; k < 4; ++k) {
      _mm_prefetch(reinterpret_cast<const char*>(x + i + 16 * k) + 4096, _MM_HINT_T0);
      sums[k] = _mm512_add_ps(sums[k], _mm512_loadu_ps(x + i + 16 * k));
    }
  }
  // Not _mm512_reduce_add_ps: g++ 12 takes its register for uninitialised where it is inlined.
  float lanes[16], sum = 0;
  _mm512_storeu_ps(lanes,
                   _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3])));
  for (const float lane : lanes) sum += lane;
  for (; i < n; ++i) sum += x[i];
  return sum;
}

__attribute__((target("avx512f"))) void triad_wide(float* z, const float* x, const float* y,
                                                   std::int64_t n) {
  std::int64_t i = 0;
  for (; i < n && (reinterpret_cast<std::uintptr_t>(z + i) & 63) != 0; ++i) z[i] = x[i] + y[i];
  for (; i + 16 <= n; i += 16) {
    _mm512_stream_ps(z + i, _mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
  }
  for (; i < n; ++i) z[i] = x[i] + y[i];
  _mm_sfence();
}

}  // namespace

float stream_read(const float* x, std::int64_t n) {
  if (__builtin_cpu_supports("avx512f")) return read_wide(x, n);
  __m128 sums[8] = {};
  std::int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    for (int k = 0; k < 8; ++k) sums[k] = _mm_add_ps(sums[k], _mm_loadu_ps(x + i + 4 * k));
  }
  float sum = 0;
  for (const __m128& s : sums) sum += s[0] + s[1] + s[2] + s[3];
  for (; i < n; ++i) sum += x[i];
  return sum;
}

void stream_triad(float* z, const float* x, const float* y, std::int64_t n) {
  if (__builtin_cpu_supports("avx512f")) return triad_wide(z, x, y, n);
  std::int64_t i = 0;
  for (; i < n && (reinterpret_cast<std::uintptr_t>(z + i) & 15) != 0; ++i) z[i] = x[i] + y[i];
  for (; i + 4 <= n; i += 4)
    _mm_stream_ps(z + i, _mm_add_ps(_mm_loadu_ps(x + i), _mm_loadu_ps(y + i)));
  for (; i < n; ++i) z[i] = x[i] + y[i];
  _mm_sfence();
}

}  // namespace benchmarks
