// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using testing::expect_error;

class IntegersTest : public testing::DeviceTest {
 protected:
  RandomState state_{20150601};
};
CUPYXX_TEST_ON_DEVICES(IntegersTest);

TEST_P(IntegersTest, EveryValueIsAsLikelyAsAnother) {
  for (const std::int64_t range : {2, 3, 6, 7, 10, 100}) {
    const auto values = state_.randint(-3, range - 3, {100000}).to_vector<std::int64_t>();
    std::vector<double> counts(static_cast<std::size_t>(range));
    for (const std::int64_t v : values) {
      ASSERT_TRUE(-3 <= v && v < range - 3) << v;
      ++counts[static_cast<std::size_t>(v + 3)];
    }
    const double expected = 1e5 / static_cast<double>(range);
    double statistic = 0;
    for (const double count : counts)
      statistic += (count - expected) * (count - expected) / expected;
    const auto freedom = static_cast<double>(range - 1);
    EXPECT_LT(statistic, freedom + 5 * std::sqrt(2 * freedom) + 10) << range;
  }
}

// With a range of 3 2^62 a remainder of words would draw the lower third twice as often.
TEST_P(IntegersTest, LargeRangesHaveNoBias) {
  const auto values =
      state_.randint(0, 3ull << 62, {30000}, {.dtype = uint64}).to_vector<std::uint64_t>();
  int lower = 0;
  for (const std::uint64_t v : values) {
    ASSERT_LT(v, 3ull << 62);
    lower += v < 1ull << 62;
  }
  EXPECT_NEAR(lower, 10000, 5 * std::sqrt(30000 * 2.0 / 9));
}

TEST_P(IntegersTest, TakesTheWholeRangeOfEveryDtype) {
  for (const dtype type : {int8, int16, int32, uint8, uint16, uint32}) {
    const int bits = static_cast<int>(8 * type.itemsize());
    const bool is_signed = type.is_signed_integer();
    const std::int64_t low = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    const std::int64_t high = low + (std::int64_t{1} << bits);
    const ndarray a = state_.randint(low, high, {4000}, {.dtype = type});
    EXPECT_EQ(a.dtype(), type);
    const auto values = a.to_vector<std::int64_t>();
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double width = std::ldexp(1.0, bits);
    EXPECT_NEAR(static_cast<double>(*least), static_cast<double>(low), width / 100) << type;
    EXPECT_NEAR(static_cast<double>(*most), static_cast<double>(high), width / 100) << type;
  }
  const auto all = state_.randint(INT64_MIN, INT64_MAX, {1000}).to_vector<std::int64_t>();
  EXPECT_LT(*std::min_element(all.begin(), all.end()), INT64_MIN / 10 * 9);
  EXPECT_GT(*std::max_element(all.begin(), all.end()), INT64_MAX / 10 * 9);
  const auto words =
      state_.random_integers(0, UINT64_MAX, {1000}, {.dtype = uint64}).to_vector<std::uint64_t>();
  EXPECT_GT(*std::max_element(words.begin(), words.end()), UINT64_MAX / 10 * 9);
  const auto flags = state_.randint(0, 2, {1000}, {.dtype = bool_}).astype(int64);
  EXPECT_NEAR(flags.sum().item<int>(), 500, 80);
  EXPECT_EQ(state_.randint(5, 6, {3}).to_vector<int>(), (std::vector<int>{5, 5, 5}));
}

TEST_P(IntegersTest, TheDtypeDoesNotChangeTheSequence) {
  RandomState a(4), b(4);
  testing::expect_array_equal(a.randint(-50, 50, {1001}, {.dtype = int8}).astype(int64),
                              b.randint(-50, 50, {1001}));
}

TEST_P(IntegersTest, BoundsBroadcast) {
  const ndarray low = array({{0}, {-10}}), high = array({1, 5, 1000});
  const ndarray a = state_.randint(low, high, {2000, 2, 3});
  EXPECT_EQ(a.shape(), Shape({2000, 2, 3}));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto values = a(ellipsis, i, j).to_vector<double>();
      const double least = i == 0 ? 0 : -10, most = j == 0 ? 0 : j == 1 ? 4 : 999;
      const auto [first, last] = std::minmax_element(values.begin(), values.end());
      EXPECT_NEAR(*first, least, (most - least) / 100);
      EXPECT_NEAR(*last, most, (most - least) / 100);
    }
  }
  EXPECT_EQ(state_.random_integers(low, low).to_vector<int>(), (std::vector<int>{0, -10}));
  expect_error<ValueError>([&] { state_.randint(low, -10); }, "randint: low >= high; an element");
  expect_error<ValueError>([&] { state_.randint(low, 300, {}, {.dtype = int8}); },
                           "randint: high is out of bounds for int8");
  // Of 64 bits, too, whatever the dtype of the array.
  expect_error<ValueError>([&] { state_.randint(low, 5, {}, {.dtype = uint64}); },
                           "randint: low is out of bounds for uint64");
  const ndarray large = array({(std::uint64_t{1} << 63) + 1});
  for (const dtype type : {int64, int32}) {
    expect_error<ValueError>([&] { state_.randint(0, large, {}, {.dtype = type}); },
                             message("randint: high is out of bounds for ", type.name()));
  }
  const ndarray half = array({std::uint64_t{1} << 63});
  EXPECT_GE(state_.randint(0, half, {1000}).min().item<std::int64_t>(), 0);
  EXPECT_EQ(state_.randint(half, large, {}, {.dtype = uint64}).item<std::uint64_t>(),
            std::uint64_t{1} << 63);
}

TEST_P(IntegersTest, RefusesWhatItCannotDraw) {
  expect_error<ValueError>([&] { state_.randint(3, 3); }, "randint: low >= high; 3 and 3");
  expect_error<ValueError>([&] { state_.random_integers(3, 1); },
                           "random_integers: low > high; 3 and 1");
  expect_error<ValueError>([&] { state_.randint(0, 300, {2}, {.dtype = int8}); },
                           "randint: high is out of bounds for int8; 0 and 300");
  expect_error<ValueError>([&] { state_.randint(-1, 3, {2}, {.dtype = uint8}); },
                           "randint: low is out of bounds for uint8; -1 and 3");
  expect_error<DtypeError>([&] { state_.randint(0, 3, {2}, {.dtype = float32}); },
                           "randint: the dtype is no integer type; float32");
  expect_error<DtypeError>([&] { state_.randint(0, 2.5); },
                           "randint: the bounds are no integers; 2.5");
  expect_error<DtypeError>([&] { state_.randint(0, ones({2})); },
                           "randint: the bounds are no integers; float64");
  expect_error<ValueError>([&] { state_.randint(0, 3, {-2}); },
                           "randint: negative dimensions are not allowed; (-2,)");
}

}  // namespace
}  // namespace cupyxx::random
