// SPDX-License-Identifier: MIT
#include "conformance/array/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace conformance {
namespace {

using cupyxx::array;
using cupyxx::ndarray;

constexpr Tolerance kExact;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Judge, AcceptsEqualArrays) {
  EXPECT_EQ(difference(array({1.0, kNan, kInf}), array({1.0, kNan, kInf}), kExact, true), "");
  EXPECT_EQ(difference(array({1, 2}), array({1, 2}), kExact, false), "");
  EXPECT_EQ(difference(cupyxx::zeros({0, 2}), cupyxx::zeros({0, 2}), kExact, false), "");
}

TEST(Judge, NamesAnotherDtypeOrShape) {
  EXPECT_EQ(difference(array({1.0f}), array({1.0}), kExact, false),
            "dtype float32 instead of float64");
  EXPECT_EQ(difference(array({1, 2}), array({{1, 2}}), kExact, false),
            "shape (2,) instead of (1, 2)");
  EXPECT_EQ(difference(ndarray(), array({1}), kExact, false), "no array");
}

TEST(Judge, NamesTheFirstWrongInteger) {
  EXPECT_EQ(difference(array({{1, 2}, {4, 9}}), array({{1, 2}, {3, 4}}), kExact, false),
            "2 of 4 elements; at (1, 0) 4 instead of 3");
  const auto largest = array(std::vector<std::uint64_t>{UINT64_MAX});
  const auto next = array(std::vector<std::uint64_t>{UINT64_MAX - 1});
  EXPECT_NE(difference(next, largest, kExact, false), "");
}

TEST(Judge, CountsUnitsInTheLastPlace) {
  const float next = std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f);
  EXPECT_EQ(difference(array({next}), array({1.0f}), {.ulps = 2}, false), "");
  EXPECT_NE(difference(array({next}), array({1.0f}), {.ulps = 1}, false), "");
  EXPECT_EQ(difference(array({1e-9}), array({0.0}), {.ulps = 1, .scale = 1e8}, false), "");
  EXPECT_EQ(unit_in_last_place(cupyxx::float16, 1.5), std::ldexp(1.0, -10));
  EXPECT_EQ(unit_in_last_place(cupyxx::float32, 0), std::ldexp(1.0, -149));
}

TEST(Judge, NeverAcceptsAnotherKindOfNumber) {
  const Tolerance wide{.ulps = 1e6, .scale = 1};
  EXPECT_NE(difference(array({kInf}), array({-kInf}), wide, false), "");
  EXPECT_NE(difference(array({kInf}), array({1e308}), wide, false), "");
  EXPECT_NE(difference(array({1.0}), array({kInf}), wide, false), "");
  EXPECT_NE(difference(array({kNan}), array({1.0}), wide, false), "");
  EXPECT_NE(difference(array({1.0}), array({kNan}), wide, false), "");
}

TEST(Judge, ComparesTheSignOfZeroOnRequest) {
  EXPECT_EQ(difference(array({-0.0}), array({0.0}), kExact, false), "");
  EXPECT_NE(difference(array({-0.0}), array({0.0}), kExact, true), "");
}

TEST(Judge, ComparesBytesOfViews) {
  const ndarray a = cupyxx::arange(6).reshape({2, 3});
  EXPECT_TRUE(same_bytes(a.T(), a.T().copy()));
  EXPECT_FALSE(same_bytes(a, a + 1));
  EXPECT_FALSE(same_bytes(a, a.T()));
}

}  // namespace
}  // namespace conformance
