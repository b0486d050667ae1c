// SPDX-License-Identifier: MIT
#include "chainerxx/utils/conv.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::utils {
namespace {

using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

TEST(ConvOutsize, CountsThePlacesOfAWindow) {
  EXPECT_EQ(get_conv_outsize(10, 3, 1, 0), 8);
  EXPECT_EQ(get_conv_outsize(10, 3, 3, 0), 3);
  EXPECT_EQ(get_conv_outsize(10, 3, 3, 1), 4);
  EXPECT_EQ(get_conv_outsize(11, 4, 3, 0), 3);
  EXPECT_EQ(get_conv_outsize(11, 4, 3, 0, true), 4);
  EXPECT_EQ(get_conv_outsize(10, 3, 1, 0, false, 2), 6);
  EXPECT_EQ(get_conv_outsize(2, 5, 2, 0), -1);
  EXPECT_EQ(get_conv_outsize(2, 4, 3, 0), 0);
  expect_error<cupyxx::ValueError>([] { get_conv_outsize(4, 2, 0, 0); },
                                   "get_conv_outsize: the stride must be positive; 0");
}

TEST(ConvOutsize, HasAnInverse) {
  EXPECT_EQ(get_deconv_outsize(8, 3, 1, 0), 10);
  EXPECT_EQ(get_deconv_outsize(4, 3, 3, 1), 10);
  EXPECT_EQ(get_deconv_outsize(3, 2, 2, 0, true), 5);
  for (std::int64_t size = 3; size < 20; ++size) {
    const std::int64_t places = get_conv_outsize(size, 3, 2, 1, false, 1);
    EXPECT_LE(get_deconv_outsize(places, 3, 2, 1), size);
    EXPECT_EQ(get_conv_outsize(get_deconv_outsize(places, 3, 2, 1), 3, 2, 1), places);
  }
}

TEST(ConvOutsize, EndsAt64Bits) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(get_conv_outsize(kMost - 4, 3, 1, 1), kMost - 4);
  expect_error<cupyxx::ValueError>(
      [] { get_conv_outsize(3, 1, 1, kMost); },
      "get_conv_outsize: the extent exceeds 64 bits; 2 * 9223372036854775807 + 3");
  expect_error<cupyxx::ValueError>([] { get_conv_outsize(3, kMost, 1, 0, false, 2); },
                                   "get_conv_outsize: the extent exceeds 64 bits; "
                                   "9223372036854775807 * 2 + -1");
  expect_error<cupyxx::ValueError>([] { get_deconv_outsize(kMost, 1, 2, 0); },
                                   "get_deconv_outsize: the extent exceeds 64 bits; "
                                   "2 * 9223372036854775807 + -2");
}

TEST(Size2D, TakesOneNumberOrTwo) {
  EXPECT_EQ(Size2D(3), Size2D(3, 3));
  EXPECT_EQ(Size2D(3, 2).str(), "(3, 2)");
  EXPECT_TRUE(Size2D().is_none());
  EXPECT_FALSE(Size2D(0).is_none());
}

class Im2ColTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Im2ColTest);

TEST_P(Im2ColTest, SpreadsTheElementsUnderAWindow) {
  const auto image = cupyxx::arange(1, 7).astype(cupyxx::float32).reshape({1, 1, 2, 3});
  expect_elements<double>(im2col(image, {2, 2}), {1, 1, 2, 2, 1, 2}, {1, 2, 2, 3, 4, 5, 5, 6});
  expect_elements<double>(im2col(image, {1, 2}, {.stride = {1, 2}, .pad = {0, 1}, .pval = -1}),
                          {1, 1, 1, 2, 2, 2}, {-1, 2, -1, 5, 1, 3, 4, 6});
  expect_elements<double>(im2col(image, {1, 2}, {.stride = {1, 2}, .cover_all = true}),
                          {1, 1, 1, 2, 2, 2}, {1, 3, 4, 6, 2, 0, 5, 0});
  expect_elements<double>(im2col(image, {1, 2}, {.dilate = 2}), {1, 1, 1, 2, 2, 1}, {1, 4, 3, 6});
}

TEST_P(Im2ColTest, SumsThemBack) {
  for (const cupyxx::dtype type : {cupyxx::float16, cupyxx::float32, cupyxx::float64}) {
    const auto ones = cupyxx::ones({1, 2, 5, 4}, type);
    const Im2ColOptions options{.stride = {2, 1}, .pad = 1};
    const auto sums = col2im(im2col(ones, {3, 2}, options), {5, 4}, options);
    EXPECT_EQ(sums.dtype(), type);
    // How many windows lie on a row, times how many lie on a column.
    const std::vector<double> rows = {1, 2, 1, 2, 1};
    std::vector<double> expected;
    for (int plane = 0; plane < 2; ++plane) {
      for (const double row : rows) expected.insert(expected.end(), 4, 2 * row);
    }
    expect_elements<double>(sums, {1, 2, 5, 4}, expected);
  }
}

TEST_P(Im2ColTest, RefusesBadSizes) {
  const auto image = cupyxx::ones({1, 1, 2, 3}, cupyxx::float32);
  expect_error<cupyxx::ShapeError>(
      [&] { im2col(image, 4); },
      "im2col: the window is larger than the padded input; window (4, 4), pad (0, 0), input "
      "(1, 1, 2, 3)");
  expect_error<cupyxx::ValueError>([&] { im2col(image, 0); },
                                   "im2col: the window must not be empty; (0, 0)");
  expect_error<cupyxx::ValueError>(
      [&] {
        im2col(image, 1, {.stride = {1, 0}});
      },
      "im2col: the stride must be positive; (1, 0)");
  expect_error<cupyxx::ValueError>([&] { im2col(image, 1, {.pad = -1}); },
                                   "im2col: the padding must not be negative; (-1, -1)");
  expect_error<cupyxx::ShapeError>([&] { im2col(image(0), 1); },
                                   "im2col: an array of 4 axes is expected; (1, 2, 3)");
  expect_elements<double>(im2col(cupyxx::ones({0, 1, 2, 3}, cupyxx::float32), 2),
                          {0, 1, 2, 2, 1, 2}, {});
}

}  // namespace
}  // namespace chainerxx::utils
