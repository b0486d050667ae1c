// SPDX-License-Identifier: MIT
#include "cupyxx/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cupyxx {
namespace {

half from_bits(unsigned bits) {
  half h;
  h.bits = static_cast<unsigned short>(bits);
  return h;
}

/// The definition of binary16, for finite patterns.
double value_of(unsigned bits) {
  const int exponent = static_cast<int>((bits >> 10) & 31);
  const double mantissa = bits & 0x3ff;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, WidensEveryPatternAndComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = from_bits(bits);
    if ((bits & 0x7fff) > 0x7c00) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      const half again(value);
      EXPECT_GT(again.bits & 0x7fff, 0x7c00) << bits;
      EXPECT_EQ(again.bits & 0x8000, static_cast<int>(bits & 0x8000)) << bits;
      continue;
    }
    if ((bits & 0x7fff) == 0x7c00) {
      EXPECT_TRUE(std::isinf(value)) << bits;
    } else {
      EXPECT_EQ(static_cast<double>(value), value_of(bits)) << bits;
    }
    EXPECT_EQ(half(value).bits, bits);
    EXPECT_EQ(half(static_cast<double>(value)).bits, bits);
  }
}

// Rounding is monotonic, so the points around the middle of each pair of neighbours decide it all.
TEST(Half, RoundsTiesToEvenBetweenAllNeighbours) {
  for (unsigned low = 0; low < 0x7c00; ++low) {
    const unsigned high = low + 1;  // infinity above 65504: the middle is 65520
    const double above = high == 0x7c00 ? 65536.0 : value_of(high);
    const double middle = (value_of(low) + above) / 2;
    const unsigned even = (low & 1) == 0 ? low : high;
    const auto middle_f = static_cast<float>(middle);
    ASSERT_EQ(static_cast<double>(middle_f), middle);
    for (unsigned sign : {0U, 0x8000U}) {
      const float s = sign != 0 ? -1 : 1;
      EXPECT_EQ(half(s * middle_f).bits, sign | even) << middle;
      EXPECT_EQ(half(s * std::nextafter(middle_f, 0.0F)).bits, sign | low) << middle;
      EXPECT_EQ(half(s * std::nextafter(middle_f, 1e9F)).bits, sign | high) << middle;
      // A float cannot tell these from the middle: rounding twice would go wrong.
      EXPECT_EQ(half(static_cast<double>(s) * middle).bits, sign | even) << middle;
      EXPECT_EQ(half(s * std::nextafter(middle, 0.0)).bits, sign | low) << middle;
      EXPECT_EQ(half(s * std::nextafter(middle, 1e9)).bits, sign | high) << middle;
    }
  }
}

TEST(Half, HandlesTheEndsOfTheRange) {
  EXPECT_EQ(half(1e30F).bits, 0x7c00);
  EXPECT_EQ(half(-1e300).bits, 0xfc00);
  EXPECT_EQ(half(std::numeric_limits<double>::infinity()).bits, 0x7c00);
  EXPECT_EQ(half(1e-300).bits, 0);
  EXPECT_EQ(half(-1e-300).bits, 0x8000);
  EXPECT_EQ(half(-0.0F).bits, 0x8000);
  EXPECT_TRUE(std::isnan(static_cast<float>(half(std::nan("")))));
  EXPECT_EQ(half(2049).bits, half(2048.0F).bits);
  EXPECT_EQ(half(2051LL).bits, half(2052.0F).bits);
  EXPECT_EQ(half(~0ULL).bits, 0x7c00);
  EXPECT_EQ(half(true).bits, half(1.0F).bits);
}

TEST(Bfloat16, WidensEveryPatternAndComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    bfloat16 b;
    b.bits = static_cast<unsigned short>(bits);
    const float value = b;
    if ((bits & 0x7fff) > 0x7f80) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16(value)))) << bits;
      continue;
    }
    EXPECT_EQ(bfloat16(value).bits, bits);
    EXPECT_EQ(bfloat16(static_cast<double>(value)).bits, bits);
  }
}

TEST(Bfloat16, RoundsTiesToEvenBetweenAllNeighbours) {
  for (unsigned low = 0; low < 0x7f80; ++low) {
    const float middle = __builtin_bit_cast(float, (low << 16) | 0x8000U);
    const unsigned even = (low & 1) == 0 ? low : low + 1;
    const double wide = middle;
    EXPECT_EQ(bfloat16(middle).bits, even) << low;
    EXPECT_EQ(bfloat16(-middle).bits, 0x8000 | even) << low;
    EXPECT_EQ(bfloat16(std::nextafter(wide, 0.0)).bits, low) << low;
    EXPECT_EQ(bfloat16(std::nextafter(wide, 1e300)).bits, low + 1) << low;
    EXPECT_EQ(bfloat16(-std::nextafter(wide, 1e300)).bits, 0x8000 | (low + 1)) << low;
  }
}

}  // namespace
}  // namespace cupyxx
