// SPDX-License-Identifier: MIT
// Stores that go past the caches: a large result would otherwise be read before it is written.
#pragma once

#include <emmintrin.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cupyxx::internal::cpu {

/// Copies bytes to memory without reading the target's lines. `from` is aligned to 16 bytes.
inline void stream_store(char* to, const char* from, std::size_t nbytes) {
  const std::size_t head = std::min(nbytes, -reinterpret_cast<std::size_t>(to) & 63);
  std::memcpy(to, from, head);
  std::size_t i = head;
  for (; i + 64 <= nbytes; i += 64) {
    const auto* source = reinterpret_cast<const __m128i*>(from + i);
    auto* target = reinterpret_cast<__m128i*>(to + i);
    const __m128i a = _mm_loadu_si128(source);
    const __m128i b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2);
    const __m128i d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  std::memcpy(to + i, from + i, nbytes - i);
}

/// Stores one line of 64 bytes over `nbytes`, whole lines from a line's beginning.
inline void stream_lines(char* to, const char* line, std::int64_t nbytes) {
  const auto* source = reinterpret_cast<const __m128i*>(line);
  const __m128i a = _mm_load_si128(source), b = _mm_load_si128(source + 1);
  const __m128i c = _mm_load_si128(source + 2), d = _mm_load_si128(source + 3);
  for (std::int64_t i = 0; i < nbytes; i += 64) {
    auto* target = reinterpret_cast<__m128i*>(to + i);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();
}

/// From how many bytes on results go past the caches: half of the last level, 4 to 16 MiB.
inline std::int64_t stream_bytes() {
  constexpr std::int64_t kLeast = std::int64_t{4} << 20;
  static const std::int64_t bytes =
      std::clamp<std::int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE) / 2, kLeast, 4 * kLeast);
  return bytes;
}

/// Orders the stores above before what follows.
inline void stream_fence() { _mm_sfence(); }

}  // namespace cupyxx::internal::cpu
