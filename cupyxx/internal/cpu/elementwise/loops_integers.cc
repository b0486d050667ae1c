// SPDX-License-Identifier: MIT
// Signs and shifts of int64, for which AVX2 has no instructions of their own; signs of float64
// without integers.
#if defined(__AVX2__) && !defined(__AVX512DQ__)
#include <immintrin.h>
#endif

#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/bitwise.h"

namespace cupyxx::internal::cpu {
namespace {

#if defined(__AVX2__) && !defined(__AVX512DQ__)

using Integer = ops::i64;
constexpr std::int64_t kLanes = 4;

__m256i load(const Integer* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
void store(Integer* to, __m256i lanes) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), lanes);
}
__m256i is_negative(__m256i x) { return _mm256_cmpgt_epi64(_mm256_setzero_si256(), x); }

void sign_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  std::int64_t i = 0;
  if (strides[0] == sizeof(Integer) && strides[1] == sizeof(Integer)) {
    auto* to = reinterpret_cast<Integer*>(data[0]);
    const auto* from = reinterpret_cast<const Integer*>(data[1]);
    for (; i + kLanes <= n; i += kLanes) {
      const __m256i x = load(from + i);
      const __m256i is_positive = _mm256_cmpgt_epi64(x, _mm256_setzero_si256());
      store(to + i, _mm256_sub_epi64(is_negative(x), is_positive));  // a mask is -1
    }
  }
  for (; i < n; ++i) {
    *reinterpret_cast<Integer*>(data[0] + i * strides[0]) =
        ops::Sign::apply(*reinterpret_cast<const Integer*>(data[1] + i * strides[1]));
  }
}

/// x with its bits turned where it is negative, shifted without a sign, turned back. The shift of
/// the processor gives 0 for 64 and more, and so for negative ones.
__m256i shift(__m256i x, __m256i by) {
  const __m256i turn = is_negative(x);
  return _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(x, turn), by), turn);
}

void right_shift_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  constexpr std::int64_t kSize = sizeof(Integer);
  std::int64_t i = 0;
  if (strides[0] == kSize && strides[1] == kSize && (strides[2] == kSize || strides[2] == 0)) {
    auto* to = reinterpret_cast<Integer*>(data[0]);
    const auto* x = reinterpret_cast<const Integer*>(data[1]);
    const auto* by = reinterpret_cast<const Integer*>(data[2]);
    if (strides[2] == 0 && n != 0) {
      const __m256i all = _mm256_set1_epi64x(*by);
      for (; i + kLanes <= n; i += kLanes) store(to + i, shift(load(x + i), all));
    } else {
      for (; i + kLanes <= n; i += kLanes) store(to + i, shift(load(x + i), load(by + i)));
    }
  }
  for (; i < n; ++i) {
    *reinterpret_cast<Integer*>(data[0] + i * strides[0]) =
        ops::RightShift::apply(*reinterpret_cast<const Integer*>(data[1] + i * strides[1]),
                               *reinterpret_cast<const Integer*>(data[2] + i * strides[2]));
  }
}

#endif

void double_sign_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  constexpr std::int64_t kSize = sizeof(double);
  if (strides[0] == kSize && strides[1] == kSize) {
    auto* to = reinterpret_cast<double*>(data[0]);
    const auto* from = reinterpret_cast<const double*>(data[1]);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = from[i], more = x > 0 ? 1 : 0, less = x < 0 ? 1 : 0;
      to[i] = x != x ? x : more - less;
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<double*>(data[0] + i * strides[0]) =
        ops::Sign::apply(*reinterpret_cast<const double*>(data[1] + i * strides[1]));
  }
}

/// As bytes, which compilers take in vectors; of bool they do not.
void invert_truths(char* const* data, const std::int64_t* strides, std::int64_t n) {
  auto* to = reinterpret_cast<unsigned char*>(data[0]);
  const auto* from = reinterpret_cast<const unsigned char*>(data[1]);
  if (strides[0] == 1 && strides[1] == 1) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) to[i] = from[i] == 0;
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) to[i * strides[0]] = from[i * strides[1]] == 0;
}

constexpr LoopEntry kEntries[] = {
    {ops::Invert::name, bool_, &invert_truths},
#if defined(__AVX2__) && !defined(__AVX512DQ__)
    {ops::Sign::name, int64, &sign_loop},
    {ops::RightShift::name, int64, &right_shift_loop},
#endif
    {ops::Sign::name, float64, &double_sign_loop},
};

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::integer(const OpInfo& op, dtype type) {
  return find_loop(kEntries, op, type);
}

}  // namespace cupyxx::internal::cpu
