// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/copy_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cupyxx::internal::cpu {
namespace {

std::vector<std::uint8_t> numbered(std::size_t n) {
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(i * 31 + i / 256);
  return bytes;
}

TEST(CopyBytesTest, CopiesEveryLengthAtEveryPlace) {
  const auto source = numbered((std::size_t{5} << 20) + 64);
  for (const std::size_t length :
       {0, 1, 1983, 1984, 1985, 3967, 3968, 3969, 100'000, 4'194'304, 4'194'305, 5'000'000}) {
    for (const std::size_t from : {0, 3}) {
      for (const std::size_t to : {0, 1, 8}) {
        std::vector<std::uint8_t> expected(length + 16, 9), found = expected;
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), length,
                    expected.begin() + static_cast<std::ptrdiff_t>(to));
        copy_bytes(found.data() + to, source.data() + from, length);
        EXPECT_TRUE(found == expected) << length << " from " << from << " to " << to;
        std::fill(found.begin(), found.end(), std::uint8_t{9});
        copy_in_pieces(found.data() + to, source.data() + from, length);
        EXPECT_TRUE(found == expected) << length << " in pieces from " << from << " to " << to;
      }
    }
  }
}

TEST(CopyBytesTest, TargetsMayOverlap) {
  constexpr std::size_t kLength = 10'000;
  for (const std::size_t distance : {0, 8, 1984, 9'999}) {
    for (const bool behind : {false, true}) {
      auto bytes = numbered(2 * kLength), expected = bytes;
      const std::size_t from = behind ? 0 : distance, to = behind ? distance : 0;
      const auto source = numbered(2 * kLength);
      std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), kLength,
                  expected.begin() + static_cast<std::ptrdiff_t>(to));
      copy_bytes(bytes.data() + to, bytes.data() + from, kLength);
      EXPECT_TRUE(bytes == expected) << distance << (behind ? " behind" : " before");
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
