// SPDX-License-Identifier: MIT
#include "cupyxx/ops/philox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cupyxx::random {
namespace {

void expect_block(const unsigned (&counter)[4], const unsigned (&key)[2],
                  const unsigned (&expected)[4]) {
  const Words words = philox4x32_10(counter, key);
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
  const PhiloxState state{0x299f31d0a4093822ul, 0x85a308d3243f6a00ul};
  const unsigned counter[4] = {0x243f6a88, 0x85a308d3, 0, 0};
  const unsigned key[2] = {0xa4093822, 0x299f31d0};
  const Words expected = philox4x32_10(counter, key);
  const Words words = philox_block(state, 0x88);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(words.w[i], expected.w[i]);
}

TEST(Uniform, CoversHalfOpenUnitInterval) {
  EXPECT_EQ(uniform_float(0), 0.0f);
  EXPECT_EQ(uniform_float(0xffffffffu), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniform_float(0x80000000u), 0.5f);
  EXPECT_EQ(uniform_double(0, 0), 0.0);
  EXPECT_EQ(uniform_double(0xffffffffu, 0xffffffffu), 1.0 - 0x1p-53);
  EXPECT_EQ(uniform_double(0, 0x80000000u), 0.5);
}

TEST(Uniform, BelowIsTheUpperHalfOfTheProduct) {
  for (const unsigned long range : {1ul, 10ul, 0x100000001ul, 0xfffffffffffffffful}) {
    for (const unsigned long bits : {0ul, 1ul, 0x123456789abcdef0ul, 0xfffffffffffffffful}) {
      const auto product = static_cast<unsigned __int128>(range) * bits;
      EXPECT_EQ(
          uniform_below(range, static_cast<unsigned>(bits), static_cast<unsigned>(bits >> 32)),
          static_cast<unsigned long>(product >> 64));
    }
  }
}

// The reference is long double arithmetic of the C library.
template <class T>
void expect_box_muller_within(double ulps) {
  const long double kTwoPi = 6.283185307179586476925286766559L;
  const double epsilon = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
  for (int i = 0; i < 200; ++i) {
    // As uniform_float and uniform_double make them: multiples of 2^-24.
    const T u0 = i == 1 ? T(1) - T(epsilon / 2) : T(std::floor(i / 200.0 * 0x1p24) / 0x1p24);
    for (int j = 0; j < 40; ++j) {
      const T u1 = T(j) / 40;
      T first, second;
      box_muller(u0, u1, first, second);
      const long double radius = std::sqrt(-2 * std::log1p(-static_cast<long double>(u0)));
      const long double angle = kTwoPi * static_cast<long double>(u1);
      // Near the zeros of sine and cosine the error is relative to the radius.
      const double bound = ulps * epsilon * std::max(1e-30, static_cast<double>(radius));
      EXPECT_NEAR(first, static_cast<double>(radius * std::cos(angle)), bound) << u0 << " " << u1;
      EXPECT_NEAR(second, static_cast<double>(radius * std::sin(angle)), bound) << u0 << " " << u1;
    }
  }
}

TEST(BoxMuller, MatchesLongDoubleReference) {
  expect_box_muller_within<float>(3);
  expect_box_muller_within<double>(3);
}

}  // namespace
}  // namespace cupyxx::random
