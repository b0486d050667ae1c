// SPDX-License-Identifier: MIT
#include "cupyxx/ops/philox.h"

#include <gtest/gtest.h>

namespace cupyxx::random {
namespace {

void expect_block(const unsigned (&counter)[4], const unsigned (&key)[2],
                  const unsigned (&expected)[4]) {
  const Words words =
      philox4x32_10(counter[0], counter[1], counter[2], counter[3], philox_keys(key[0], key[1]));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(words.w[i], expected[i]) << "word " << i;
}

// The known answers that the authors of Random123 publish for philox4x32, 10 rounds.
TEST(Philox, MatchesPublishedKnownAnswers) {
  expect_block({0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr unsigned kOnes = 0xffffffff;
  expect_block({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes},
               {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expect_block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0},
               {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(Philox, BlockPutsSeedIntoKeyAndOffsetIntoCounter) {
  const PhiloxState state{0x299f31d0a4093822ul, 0x243f6a8885a30800ul};
  const PhiloxKeys keys = philox_keys(0xa4093822, 0x299f31d0);
  const Words expected = philox4x32_10(0x243f6a88, 0x85a308d3, 0, 0, keys);
  const Words words = philox_block(state, 0xd3);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(words.w[i], expected.w[i]);
  const Words branch = philox_stream(state).block(0xd3, 0x13198a2e, 0x03707344);
  const unsigned known[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(branch.w[i], known[i]);
}

TEST(Philox, RowMakesTheBlocksOfItsUpperWord) {
  for (const unsigned high : {0u, 1u, 0x243f6a88u, 0xffffffffu}) {
    const PhiloxStream stream = philox_stream({0x299f31d0a4093822ul, 0});
    const PhiloxRow row = stream.row(high);
    for (const unsigned low : {0u, 1u, 0x85a308d3u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      const Words expected = stream.block(join(low, high)), words = row.block(low);
      for (int i = 0; i < 4; ++i) EXPECT_EQ(words.w[i], expected.w[i]) << high << " " << low;
    }
  }
}

TEST(Uniform, CoversHalfOpenUnitInterval) {
  EXPECT_EQ(uniform_float(0), 0.0f);
  EXPECT_EQ(uniform_float(0xffffffffu), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniform_float(0x80000000u), 0.5f);
  EXPECT_EQ(uniform_double(0, 0), 0.0);
  EXPECT_EQ(uniform_double(0xffffffffu, 0xffffffffu), 1.0 - 0x1p-53);
  EXPECT_EQ(uniform_double(0, 0x80000000u), 0.5);
}

TEST(Uniform, NarrowTypesKeepBelowOne) {
  EXPECT_EQ(static_cast<float>(uniform_half(0xffffffffu)), 1.0f - 0x1p-11f);
  EXPECT_EQ(static_cast<float>(uniform_bfloat16(0xffffffffu)), 1.0f - 0x1p-8f);
}

// Of the 2^32 words each value of the range takes the same number.
TEST(Range, TakesAsManyWordsForEveryValue) {
  for (const unsigned long count : {1ul, 3ul, 10ul, 65537ul, 0xfffffffful, 0x100000000ul}) {
    const Range range = range_of(count);
    EXPECT_TRUE(range.is_short());
    const unsigned long each = (1ul << 32) / count;
    EXPECT_EQ(range.threshold, (1ul << 32) - each * count);
    unsigned long value;
    EXPECT_EQ(range.take(0u, value), range.threshold == 0);
    EXPECT_TRUE(range.take(0xffffffffu, value));
    EXPECT_EQ(value, count - 1);
  }
}

TEST(Range, OfSixtyFourBitsIsTheUpperHalfOfTheProduct) {
  for (const unsigned long count : {0x100000001ul, 0x8000000000000001ul, ~0ul}) {
    const Range range = range_of(count);
    EXPECT_FALSE(range.is_short());
    for (const unsigned long word : {0ul, 1ul, 0x123456789abcdef0ul, ~0ul}) {
      const auto product = static_cast<unsigned __int128>(count) * word;
      unsigned long value;
      EXPECT_EQ(range.take(word, value), static_cast<unsigned long>(product) >= -count % count);
      EXPECT_EQ(value, static_cast<unsigned long>(product >> 64));
    }
  }
  unsigned long value;
  EXPECT_TRUE(range_of(0).take(0xfedcba9876543210ul, value));
  EXPECT_EQ(value, 0xfedcba9876543210ul);
}

}  // namespace
}  // namespace cupyxx::random
