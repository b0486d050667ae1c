// SPDX-License-Identifier: MIT
#include "cupyxx/ops/random_math.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupyxx/ops/random_discrete.h"
#include "cupyxx/ops/random_normal.h"

namespace cupyxx::random {
namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;

void expect_ulps(double actual, long double expected, double ulps, double epsilon = 0x1p-52) {
  EXPECT_NEAR(actual, static_cast<double>(expected),
              ulps * epsilon * std::abs(static_cast<double>(expected)));
}

// The references are long double arithmetic of the C library.
TEST(RandomMath, LogarithmAndExponential) {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    expect_ulps(m::log<false>(x), std::log(static_cast<long double>(x)), 2);
    expect_ulps(m::log<true>(x), std::log(static_cast<long double>(x)), 2);
  }
  for (double x = -700; x < 700; x += 0.173) {
    expect_ulps(m::exp<false>(x), std::exp(static_cast<long double>(x)), 2);
  }
  EXPECT_EQ(m::log<false>(1), 0);
  EXPECT_EQ(m::exp<false>(0), 1);
  EXPECT_EQ(m::exp<false>(-1000), 0);
  EXPECT_EQ(m::exp<false>(1000), INFINITY);
  EXPECT_EQ(m::exp<false>(-745), std::exp(-745.0));
  EXPECT_TRUE(std::isnan(m::exp<false>(NAN)));
}

TEST(RandomMath, NearZero) {
  for (double x = 1e-18; x < 30; x *= 1.7) {
    expect_ulps(m::log1p(x), std::log1p(static_cast<long double>(x)), 6);
    expect_ulps(m::expm1(x), std::expm1(static_cast<long double>(x)), 6);
    expect_ulps(m::expm1(-x), std::expm1(static_cast<long double>(-x)), 6);
    if (x < 1) expect_ulps(m::log1p(-x), std::log1p(static_cast<long double>(-x)), 6);
  }
  EXPECT_EQ(m::expm1(-1000), -1);
  EXPECT_EQ(m::power(0, 0.5), 0);
  EXPECT_EQ(m::power(0, 0), 1);
  expect_ulps(m::power(3, 2.5), std::pow(3.0L, 2.5L), 6);
}

TEST(RandomMath, Circle) {
  for (double x = -0.5; x <= 0.5; x += 0x1p-10) {
    double cosine, sine;
    m::cos_sin_pi<false>(x, cosine, sine);
    EXPECT_NEAR(cosine, static_cast<double>(std::cos(kPi * x)), 2 * 0x1p-52) << x;
    EXPECT_NEAR(sine, static_cast<double>(std::sin(kPi * x)), 2 * 0x1p-52) << x;
  }
  for (double x = -1; x <= 1; x += 0x1p-10) {
    EXPECT_NEAR(dist::arc_cosine(x), std::acos(x), 6 * 0x1p-52) << x;
  }
}

TEST(RandomMath, Integers) {
  EXPECT_EQ(m::floor(2.5), 2);
  EXPECT_EQ(m::floor(-2.5), -3);
  EXPECT_EQ(m::floor(-3), -3);
  EXPECT_EQ(m::floor(1e300), 1e300);
  EXPECT_EQ(m::to_long(1e300), 0x7fffffffffffffffl);
  EXPECT_EQ(m::to_long(-1e300), -0x7fffffffffffffffl - 1);
  EXPECT_EQ(m::to_long(9007199254740993.0), 9007199254740992l);
}

// The probabilities of acceptance, against the gamma function in long double.
TEST(RandomMath, LogarithmsOfProbabilities) {
  for (const double mean : {10.5, 99.0, 12345.5}) {
    for (double k = 0; k < 3 * mean; k += 1 + std::floor(mean / 7)) {
      const long double expected = k * std::log(static_cast<long double>(mean)) - mean -
                                   std::lgamma(static_cast<long double>(k) + 1);
      EXPECT_NEAR(dist::log_poisson(k, mean), static_cast<double>(expected),
                  1e-11 * std::abs(static_cast<double>(expected)) + 1e-13);
    }
  }
  for (const double n : {40.0, 1000.0}) {
    for (double k = 0; k <= n; k += n / 20) {
      const auto choose = [](long double a) { return std::lgamma(a + 1); };
      const long double expected =
          choose(n) - choose(k) - choose(n - k) + k * std::log(0.3L) + (n - k) * std::log(0.7L);
      EXPECT_NEAR(dist::log_binomial(k, n, 0.3), static_cast<double>(expected), 1e-12 * n + 1e-13);
    }
  }
}

// The bound is relative to the radius, as cosine and sine have zeros.
TEST(Normal, IsBoxMullerOfTheWords) {
  for (unsigned i = 0; i < 20000; ++i) {
    const Words words = philox_block({7, 0}, i);
    const auto first_word = static_cast<int>(words.w[0]),
               second_word = static_cast<int>(words.w[1]);
    const float u = std::abs(static_cast<float>(first_word)) + 0.5f;
    if (u == 0x1p31f) continue;
    const long double radius = std::sqrt(-2 * std::log(static_cast<long double>(u) * 0x1p-31L));
    const long double angle = kPi * second_word / 4294967296.0L;
    const long double cosine = first_word < 0 ? -std::cos(angle) : std::cos(angle);
    float first, second;
    normal_pair(words.w[0], words.w[1], 0.0f, 1.0f, first, second);
    const double bound = 8 * 0x1p-23 * static_cast<double>(radius);
    EXPECT_NEAR(first, static_cast<double>(radius * cosine), bound);
    EXPECT_NEAR(second, static_cast<double>(radius * std::sin(angle)), bound);
  }
}

TEST(Normal, ReachesItsTails) {
  float first, second;
  normal_pair(0, 0, 0.0f, 1.0f, first, second);  // the smallest uniform, straight to the right
  EXPECT_NEAR(first, std::sqrt(64 * std::log(2.0)), 1e-6);
  EXPECT_EQ(second, 0);
  normal_pair(0x80000000u, 0, 5.0f, 2.0f, first, second);  // the largest one: 1
  EXPECT_EQ(first, 5.0f);
  normal_pair(0xffffffffu, 0, 0.0f, 1.0f, first, second);  // small, and to the left
  EXPECT_NEAR(first, -std::sqrt(2 * std::log(0x1p32 / 3)), 1e-6);
  EXPECT_NEAR(exponential_float(0), 33 * std::log(2.0), 1e-5);
  EXPECT_NEAR(exponential_float(0xffffffffu), 0, 1e-29);
}

}  // namespace
}  // namespace cupyxx::random
