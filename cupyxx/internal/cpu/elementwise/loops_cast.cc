// SPDX-License-Identifier: MIT
// Compiled once per instruction set, as loops.h says.
#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/cpu/elementwise/truncation.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::internal::cpu {
namespace {

template <class To, class From>
void cast_contiguous(To* to, const From* from, std::int64_t n) {
  std::int64_t i = 0;
#if defined(__F16C__)
  if constexpr (ops::is_same<To, float> && ops::is_same<From, half>) {
    for (; i + 8 <= n; i += 8) {
      const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
      _mm256_storeu_ps(to + i, _mm256_cvtph_ps(bits));
    }
  } else if constexpr (ops::is_same<To, half> && ops::is_same<From, float>) {
    for (; i + 8 <= n; i += 8) {
      const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bits);
    }
  }
#endif
#if defined(CUPYXX_TRUNCATION)
  if constexpr (ops::is_same<From, double> && ops::is_same<To, ops::i64>) {
    for (; i + 8 <= n; i += 8) truncate_long(to + i, from + i);
  } else if constexpr (truncates_short<To, From>) {
    for (; i + 32 <= n; i += 32) truncate_short(to + i, from + i);
  } else if constexpr (cuts_to_bytes<To, From>) {
    for (; i + 32 <= n; i += 32) cut_to_bytes(to + i, from + i);
  }
#endif
  if constexpr (ops::is_same<From, bool>) {
    // As bytes, which compilers take in vectors; of bool they do not.
    const auto* bytes = reinterpret_cast<const unsigned char*>(from);
#pragma omp simd
    for (std::int64_t k = 0; k < n; ++k) to[k] = ops::cast<To>(bytes[k] != 0 ? 1 : 0);
  } else {
#pragma omp simd
    for (std::int64_t k = i; k < n; ++k) to[k] = ops::cast<To>(from[k]);
  }
}

// Copies of elements that are not side by side, or the other way round, several at a time.
template <class T>
bool copy_run(T* to, const char* from, std::int64_t stride, std::int64_t n) {
  constexpr std::int64_t kSize = sizeof(T);
  const auto* in = reinterpret_cast<const T*>(from);
  if (stride == kSize) {
    copy_bytes(to, from, static_cast<std::size_t>(n * kSize));
  } else if (stride == -kSize) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) to[i] = in[-i];
  } else if (stride == 0 && n != 0) {
    const T number = *in;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) to[i] = number;
  } else if (stride == 2 * kSize) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) to[i] = in[2 * i];
  } else {
    return false;
  }
  return true;
}

// Elements that are apart, several at a time: all of them are read before the first is written.
template <class T>
void copy_apart(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                std::int64_t n) {
  constexpr int kAtOnce = 4;
  std::int64_t i = 0;
  if (from_stride == 0 && n != 0) {
    const T number = *reinterpret_cast<const T*>(from);
    for (; i + kAtOnce <= n; i += kAtOnce, to += kAtOnce * to_stride) {
      for (int k = 0; k < kAtOnce; ++k) *reinterpret_cast<T*>(to + k * to_stride) = number;
    }
  }
  for (; i + kAtOnce <= n; i += kAtOnce) {
    T some[kAtOnce];
    for (int k = 0; k < kAtOnce; ++k) some[k] = *reinterpret_cast<const T*>(from + k * from_stride);
    for (int k = 0; k < kAtOnce; ++k) *reinterpret_cast<T*>(to + k * to_stride) = some[k];
    to += kAtOnce * to_stride;
    from += kAtOnce * from_stride;
  }
  for (; i < n; ++i, to += to_stride, from += from_stride) {
    *reinterpret_cast<T*>(to) = *reinterpret_cast<const T*>(from);
  }
}

// How elements of a type are copied: a bool that was never written, or is memory of another type,
// may be any byte.
template <class T>
struct CopiedAs {
  using type = T;
};
template <>
struct CopiedAs<bool> {
  using type = unsigned char;
};

template <class To, class From>
void cast_run(char* const* data, const std::int64_t* strides, std::int64_t n) {
  char* to = data[0];
  const char* from = data[1];
  // Read once: what is stored below could lie in the list of strides, for all that the compiler
  // knows.
  const std::int64_t to_stride = strides[0], from_stride = strides[1];
  if constexpr (ops::is_same<To, From>) {
    using T = typename CopiedAs<To>::type;
    if (to_stride == sizeof(T) && copy_run(reinterpret_cast<T*>(to), from, from_stride, n)) return;
    return copy_apart<T>(to, to_stride, from, from_stride, n);
  }
  if (to_stride == sizeof(To) && from_stride == sizeof(From)) {
    cast_contiguous(reinterpret_cast<To*>(to), reinterpret_cast<const From*>(from), n);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i, to += to_stride, from += from_stride) {
    *reinterpret_cast<To*>(to) = ops::cast<To>(*reinterpret_cast<const From*>(from));
  }
}

template <class From, class... To>
constexpr std::array<LoopFn, sizeof...(To)> casts_from(TypeList<To...>) {
  return {&cast_run<To, From>...};
}
template <class... From>
constexpr CastTable all_casts(TypeList<From...> types) {
  return {casts_from<From>(types)...};
}

}  // namespace

template <>
const CastTable CastLoops<Arch::CUPYXX_ARCH>::table = all_casts(RealTypes{});

}  // namespace cupyxx::internal::cpu
