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
