// SPDX-License-Identifier: MIT
// Reductions of columns and of elements that are apart, beside one element at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx {
namespace {

constexpr dtype kTypes[] = {bool_,  int8,   uint8,   int16,   uint16,  int32,
                            uint32, uint64, float16, float32, float64, int64};

// Where the first largest (or smallest) element of a column is, NaN being both.
std::int64_t first_extreme(const ndarray& column, bool largest) {
  std::int64_t best = 0;
  double at_best = column(0).item<double>();
  for (std::int64_t i = 1; i < column.size() && !std::isnan(at_best); ++i) {
    const auto value = column(i).item<double>();
    const bool beats = largest ? value > at_best : value < at_best;
    if (!beats && !std::isnan(value)) continue;
    best = i;
    at_best = value;
  }
  return best;
}

TEST(ReducedLayouts, ExtremesOfColumns) {
  random::seed(3);
  for (const dtype type : kTypes) {
    for (const std::int64_t columns : {1, 5, 16, 37, 150}) {
      for (const std::int64_t rows : {1, 7, 8, 9, 30}) {
        ndarray a = random::randint(0, 9, {rows, columns}).astype(type);
        if (type.is_floating() && rows > 5) {
          a(3, slice(none, none, 3)) = std::numeric_limits<double>::quiet_NaN();
          a(5, slice(none, none, 2)) = std::numeric_limits<double>::quiet_NaN();
          a(1, slice(1, none, 4)) = std::numeric_limits<double>::infinity();
        }
        const ndarray most = argmax(a, 0), least = argmin(a, 0);
        for (std::int64_t j = 0; j < columns; ++j) {
          const ndarray column = a(slice(), j);
          ASSERT_EQ(most(j).item<std::int64_t>(), first_extreme(column, true)) << type.name();
          ASSERT_EQ(least(j).item<std::int64_t>(), first_extreme(column, false)) << type.name();
          ASSERT_EQ(argmax(column).item<std::int64_t>(), first_extreme(column, true));
          ASSERT_EQ(argmin(column.copy()).item<std::int64_t>(), first_extreme(column, false));
        }
      }
    }
  }
}

TEST(ReducedLayouts, ElementsThatAreApart) {
  for (const dtype type : kTypes) {
    for (const std::int64_t n : {1, 2, 7, 200, 2047, 2049, 7000}) {
      const ndarray whole = (arange(3 * n) % 7).astype(type);
      for (const std::int64_t step : {2, 3, -1, -2}) {
        const ndarray a = whole(slice(none, none, step)), b = a.copy();
        EXPECT_TRUE(array_equal(sum(a), sum(b))) << type.name() << n;
        EXPECT_TRUE(array_equal(amax(a), amax(b))) << type.name() << n;
        EXPECT_TRUE(array_equal(argmin(a), argmin(b))) << type.name() << n;
        EXPECT_EQ(count_nonzero(a), count_nonzero(b)) << type.name() << n;
        EXPECT_TRUE(array_equal(mean(a), mean(b))) << type.name() << n;
      }
    }
  }
}

// A loop that has seen enough ends; the only exception is found wherever it is.
TEST(ReducedLayouts, TruthsThatAreApart) {
  for (const std::int64_t n : {3, 2048, 2049, 5000, 20000}) {
    const ndarray none_true = zeros({2 * n}, bool_), all_true = ones({2 * n}, bool_);
    const ndarray a = none_true(slice(none, none, 2)), b = all_true(slice(none, none, 2));
    EXPECT_FALSE(any(a).item<bool>());
    EXPECT_TRUE(all(b).item<bool>());
    for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
      a(at) = true;
      b(at) = false;
      EXPECT_TRUE(any(a).item<bool>()) << at;
      EXPECT_FALSE(all(b).item<bool>()) << at;
      EXPECT_FALSE(all(a).item<bool>()) << at;
      EXPECT_TRUE(any(b).item<bool>()) << at;
      a(at) = false;
      b(at) = true;
    }
  }
}

TEST(ReducedLayouts, PlacesOfTruths) {
  for (const std::int64_t n : {1, 63, 64, 65, 5000, 140000}) {
    const ndarray a = zeros({n}, bool_), b = ones({n}, bool_);
    EXPECT_EQ(argmax(a).item<std::int64_t>(), 0);
    EXPECT_EQ(argmin(b).item<std::int64_t>(), 0);
    a(slice(n - 1, none)) = true;
    b(slice(n / 2, none)) = false;
    EXPECT_EQ(argmax(a).item<std::int64_t>(), n - 1);
    EXPECT_EQ(argmin(b).item<std::int64_t>(), n / 2);
    EXPECT_EQ(argmin(a).item<std::int64_t>(), 0);
    EXPECT_EQ(argmax(b).item<std::int64_t>(), 0);
  }
}

// Rows of all lengths, whose ends fill no vector.
TEST(ReducedLayouts, TruthsOfRows) {
  for (std::int64_t n = 1; n < 200; ++n) {
    const ndarray a = zeros({3, n}, bool_), b = ones({3, n}, bool_);
    a(1, n - 1) = true;
    b(1, n - 1) = false;
    EXPECT_TRUE(array_equal(any(a, 1), array({false, true, false}))) << n;
    EXPECT_TRUE(array_equal(all(b, 1), array({true, false, true}))) << n;
    EXPECT_TRUE(array_equal(count_nonzero(b, 1), array({n, n - 1, n}))) << n;
  }
}

TEST(ReducedLayouts, ExtremesOfComplexNumbers) {
  random::seed(4);
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int trial = 0; trial < 60; ++trial) {
    const ndarray a = zeros({40}, trial % 2 == 0 ? complex128 : complex64);
    a.real() = random::randint(0, 4, {40});
    a.imag() = random::randint(0, 4, {40});
    if (trial % 3 == 1) a(trial % 40) = complex<double>(trial % 2 == 0 ? inf : -inf, 1);
    if (trial % 5 == 1) a(trial * 7 % 40) = complex<double>(0, nan);
    if (trial % 7 == 1) a(trial * 11 % 40) = complex<double>(nan, 0);
    std::int64_t most = 0, least = 0;
    const auto at = [&](std::int64_t i) { return a(i).item<complex<double>>(); };
    const auto is_nan = [&](std::int64_t i) {
      return at(i).re != at(i).re || at(i).im != at(i).im;
    };
    const auto less = [&](std::int64_t i, std::int64_t j) {
      return at(i).re != at(j).re ? at(i).re < at(j).re : at(i).im < at(j).im;
    };
    for (std::int64_t i = 1; i < 40; ++i) {
      if (!is_nan(most) && (is_nan(i) || less(most, i))) most = i;
      if (!is_nan(least) && (is_nan(i) || less(i, least))) least = i;
    }
    EXPECT_EQ(argmax(a).item<std::int64_t>(), most) << trial;
    EXPECT_EQ(argmin(a).item<std::int64_t>(), least) << trial;
  }
}

TEST(ReducedLayouts, NumbersInPlaceOfNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const dtype type : {int8, int16, float16, float32, float64, complex128}) {
    for (const std::int64_t n : {1, 7, 64, 77}) {
      const ndarray a = arange(n).astype(type), mask = arange(n) % 3 == 0;
      const ndarray wanted = a.copy();
      wanted(mask) = 5;
      EXPECT_TRUE(array_equal(where(mask, array(5).astype(type), a), wanted)) << type.name();
    }
  }
  ndarray a = arange(12.0).reshape({3, 4});
  a(0, 3) = nan;
  a(2, slice()) = nan;
  EXPECT_TRUE(array_equal(nansum(a, 1), array({3.0, 22.0, 0.0})));
  EXPECT_TRUE(array_equal(nanmax(a, 0), array({4.0, 5.0, 6.0, 7.0})));
}

TEST(ReducedLayouts, TruthsAsNumbers) {
  const ndarray whole = random::randint(0, 2, {900}).astype(bool_);
  for (const std::int64_t n : {0, 1, 15, 64, 65, 300}) {
    for (const ndarray& a :
         {ndarray(whole(slice(none, n))), ndarray(whole(slice(1, 1 + 2 * n, 2)))}) {
      const ndarray inverted = ~a;
      for (std::int64_t i = 0; i < n; ++i) EXPECT_NE(inverted(i).item<bool>(), a(i).item<bool>());
      for (const dtype type : kTypes) {
        const ndarray numbers = a.astype(type);
        for (std::int64_t i = 0; i < n; ++i) {
          ASSERT_EQ(numbers(i).item<double>(), a(i).item<bool>() ? 1 : 0) << type.name();
        }
      }
    }
  }
}

}  // namespace
}  // namespace cupyxx
