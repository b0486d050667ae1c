// SPDX-License-Identifier: MIT
// What devices compute beyond 8, beside the C library.
#include "cupyxx/ops/bessel_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cupyxx::ops::special {
namespace {

TEST(BesselMathTest, HankelsFormAgreesWithTheLibrary) {
  for (double x = 8; x < 1e6; x *= 1.0007) {
    const double bound = 6e-16 / std::sqrt(x);
    const Bessel zero = hankel::order_0(x), one = hankel::order_1(x);
    ASSERT_NEAR(zero.j, ::j0(x), bound) << x;
    ASSERT_NEAR(zero.y, ::y0(x), bound) << x;
    ASSERT_NEAR(one.j, ::j1(x), bound) << x;
    ASSERT_NEAR(one.y, ::y1(x), bound) << x;
  }
}

TEST(BesselMathTest, VanishesAtInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(hankel::order_0(infinity).j, 0);
  EXPECT_EQ(hankel::order_0(infinity).y, 0);
  EXPECT_EQ(hankel::order_1(infinity).j, 0);
  EXPECT_EQ(hankel::order_1(infinity).y, 0);
  EXPECT_NEAR(hankel::order_0(1e308).j, 0, 1e-154);
}

}  // namespace
}  // namespace cupyxx::ops::special
