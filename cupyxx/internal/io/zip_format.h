// SPDX-License-Identifier: MIT
// Records of the ZIP format (PKWARE's APPNOTE.TXT, sections 4.3 to 4.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cupyxx::internal::io::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50;
inline constexpr std::uint32_t kCentralHeader = 0x02014b50;
inline constexpr std::uint32_t kEnd = 0x06054b50;
inline constexpr std::uint32_t kEnd64 = 0x06064b50;
inline constexpr std::uint32_t kEnd64Locator = 0x07064b50;
inline constexpr std::size_t kLocalHeaderSize = 30;
inline constexpr std::size_t kCentralHeaderSize = 46;
inline constexpr std::size_t kEndSize = 22;
inline constexpr std::size_t kEnd64Size = 56;
inline constexpr std::size_t kEnd64LocatorSize = 20;
inline constexpr std::uint16_t kExtra64 = 1;        // extra field with 64-bit sizes
inline constexpr std::uint32_t kIn64 = 0xffffffff;  // "see the extra field"
inline constexpr std::uint16_t kIn64Short = 0xffff;
inline constexpr std::uint16_t kEncrypted = 1 << 0;
inline constexpr std::uint16_t kUtf8 = 1 << 11;

enum Method : std::uint16_t { kStored = 0, kDeflated = 8 };

/// The unsigned little-endian number in N bytes.
template <int N>
std::uint64_t get(const char* at) {
  std::uint64_t value = 0;
  for (int i = N; i-- > 0;) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}

/// Appends a number in N little-endian bytes.
template <int N>
void put(std::string& out, std::uint64_t value) {
  for (int i = 0; i < N; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace cupyxx::internal::io::zip
