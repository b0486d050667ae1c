// SPDX-License-Identifier: MIT
// A 128-bit hash for keys of caches and a 64-bit one for checksums: fast, the same on every
// machine, not for secrets.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cupyxx::internal::jit {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend bool operator==(const Hash128&, const Hash128&) = default;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;  // NOLINT: its own 0

  /// 32 hexadecimal digits.
  std::string hex() const {
    std::string text(32, '0');
    for (int i = 0; i < 16; ++i) {
      text[15 - i] = "0123456789abcdef"[(high >> (4 * i)) & 15];
      text[31 - i] = "0123456789abcdef"[(low >> (4 * i)) & 15];
    }
    return text;
  }
};

/// Hashes a sequence of texts; where one ends and the next begins counts.
class Hasher {
 public:
  Hasher& add(std::string_view text) {
    const char* data = text.data();
    std::size_t left = text.size();
    step(left, kSeeds[0]);
    for (; left >= 16; left -= 16, data += 16) step(word(data, 8), word(data + 8, 8));
    if (left > 8) {
      step(word(data, 8), word(data + 8, left - 8));
    } else if (left > 0) {
      step(word(data, left), kSeeds[1]);
    }
    return *this;
  }
  Hasher& add(const Hash128& hash) {
    step(hash.high, hash.low);
    return *this;
  }

  Hash128 result() const {
    return {fold(a_ ^ kSeeds[2], b_ ^ kSeeds[0]), fold(a_ ^ kSeeds[1], b_ ^ kSeeds[3])};
  }

 private:
  static constexpr std::uint64_t kSeeds[4] = {0x9e3779b97f4a7c15, 0xd1b54a32d192ed03,
                                              0xabc98388fb8fac03, 0x8cb92ba72f3d8dd7};

  static std::uint64_t word(const char* data, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, data, size);
    return value;
  }
  // The two halves of a 128-bit product, folded.
  static std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(x) * y;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  static std::uint64_t rotate(std::uint64_t x) { return (x << 29) | (x >> 35); }

  void step(std::uint64_t x, std::uint64_t y) {
    a_ = rotate(a_) + fold(x ^ kSeeds[0], y ^ a_ ^ kSeeds[1]);
    b_ = rotate(b_) + fold(x ^ b_ ^ kSeeds[2], y ^ kSeeds[3]);
  }

  std::uint64_t a_ = kSeeds[3];
  std::uint64_t b_ = kSeeds[0];
};

inline std::uint64_t checksum(std::string_view data) { return Hasher().add(data).result().low; }

}  // namespace cupyxx::internal::jit
