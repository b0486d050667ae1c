// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/copy_bytes.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdint>
#include <cstring>

namespace cupyxx::internal::cpu {
namespace {

// Lines of 64 bytes, below glibc's least length for `rep movsb`.
constexpr std::size_t kPiece = 31 * 64;
// Longer ones go past the caches in memmove.
constexpr std::size_t kLong = std::size_t{4} << 20;
// How far behind the source in its page of 4 KiB a target is slow.
constexpr std::size_t kPage = 4096, kNear = 32;

bool overlap(std::uintptr_t a, std::uintptr_t b, std::size_t bytes) {
  return a < b ? b - a < bytes : a - b < bytes;
}

bool is_slow(std::uintptr_t to, std::uintptr_t from) {
  const std::size_t behind = (to - from) % kPage;
  return behind != 0 && behind < kNear;
}

// Whether this is AMD's Zen 3 or 4. Zen 5 copies by `rep movsb` as fast from everywhere.
bool is_family_19h() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0 || b != signature_AMD_ebx) return false;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  const unsigned family = a >> 8 & 15, more = a >> 20 & 255;
  return family == 15 && family + more == 0x19;
#else
  return false;
#endif
}

}  // namespace

void copy_in_pieces(void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  std::size_t piece = kPiece;
  __asm__("" : "+r"(piece));  // of a length that it knows g++ makes a `rep movs` itself
  for (; bytes > piece; bytes -= piece, target += piece, source += piece) {
    std::memcpy(target, source, piece);
  }
  std::memcpy(target, source, bytes);
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  const auto a = reinterpret_cast<std::uintptr_t>(to), b = reinterpret_cast<std::uintptr_t>(from);
  if (bytes > kPiece && bytes <= kLong && is_slow(a, b)) {
    static const bool in_pieces = is_family_19h();
    if (in_pieces && !overlap(a, b, bytes)) return copy_in_pieces(to, from, bytes);
  }
  std::memmove(to, from, bytes);
}

}  // namespace cupyxx::internal::cpu
