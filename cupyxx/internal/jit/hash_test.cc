// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/hash.h"

#include <gtest/gtest.h>

#include <set>

namespace cupyxx::internal::jit {
namespace {

TEST(Hasher, SeesEveryBitAndEveryLength) {
  std::set<Hash128> seen;
  std::string text;
  for (int length = 0; length < 70; ++length, text += 'a') {
    EXPECT_TRUE(seen.insert(Hasher().add(text).result()).second) << length;
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
      std::string changed = text;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      EXPECT_TRUE(seen.insert(Hasher().add(changed).result()).second) << length << " " << bit;
    }
  }
}

TEST(Hasher, SeesWhereTextsEnd) {
  EXPECT_NE(Hasher().add("ab").add("c").result(), Hasher().add("a").add("bc").result());
  EXPECT_NE(Hasher().add("ab").result(), Hasher().add("ab").add("").result());
}

TEST(Hasher, SpreadsOverItsBits) {
  int set = 0;
  for (int i = 0; i < 256; ++i) {
    const Hash128 hash = Hasher().add(std::to_string(i)).result();
    set += __builtin_popcountll(hash.high) + __builtin_popcountll(hash.low);
  }
  EXPECT_NEAR(set / 256.0, 64.0, 2.0);
}

TEST(Hash128, PrintsAllDigits) {
  EXPECT_EQ((Hash128{0x0123456789abcdef, 0xfedcba9876543210}).hex(),
            "0123456789abcdeffedcba9876543210");
}

}  // namespace
}  // namespace cupyxx::internal::jit
