// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/copy_bytes.h"

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

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  const auto a = reinterpret_cast<std::uintptr_t>(to), b = reinterpret_cast<std::uintptr_t>(from);
  if (bytes > kPiece && bytes <= kLong && is_slow(a, b) && !overlap(a, b, bytes)) {
    std::size_t piece = kPiece;
    __asm__("" : "+r"(piece));  // of a length that it knows g++ makes a `rep movs` itself
    for (; bytes > piece; bytes -= piece, target += piece, source += piece) {
      std::memcpy(target, source, piece);
    }
  }
  std::memmove(target, source, bytes);
}

}  // namespace cupyxx::internal::cpu
