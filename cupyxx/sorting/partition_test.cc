// SPDX-License-Identifier: MIT
// Partitions, medians and quantiles beside sorting, which they must agree with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Partition : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Partition);

constexpr dtype kTypes[] = {bool_,  int8,   int16,   int32,     int64,   uint8,  uint16,
                            uint32, uint64, float16, bfloat16_, float32, float64};

/// Numbers of a type of at most `kinds` kinds, some of them NaN.
ndarray random_rows(std::int64_t rows, std::int64_t n, dtype type, std::uint64_t kinds) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(n) + kinds);
  std::vector<double> values(static_cast<std::size_t>(rows * n));
  for (double& value : values) {
    value = static_cast<double>(generator() % kinds);
    if (!type.is_unsigned_integer() && !type.is_bool()) value -= static_cast<double>(kinds / 2);
    if (type.itemsize() == 1) value = std::fmod(value, 100);
    const bool is_floating = type.is_floating() || type == bfloat16_;
    if (is_floating && generator() % 16 == 0) value = kNan;
  }
  return array(values).astype(type).reshape({rows, n});
}

/// Row by row, `rows` has what sorting puts at each k, what is not after it before it, and all.
void expect_partitioned(const ndarray& rows, const ndarray& sorted,
                        const std::vector<std::int64_t>& kth) {
  expect_array_equal(sort(rows), sorted);
  const std::int64_t n = rows.shape()[1];
  for (std::int64_t k : kth) {
    k = k < 0 ? k + n : k;
    const ndarray at = rows(slice(), k), expected = sorted(slice(), k);
    expect_array_equal(at, expected);
    const ndarray before = rows(slice(), slice(0, k)), smallest = sorted(slice(), slice(0, k));
    expect_array_equal(sort(before), smallest);
  }
}

void check_partitions(const ndarray& a) {
  const std::int64_t n = a.shape()[1];
  const ndarray sorted = sort(a), everywhere = arange(n, int64);
  const std::vector<std::int64_t> lists[] = {
      {0}, {n / 2}, {-1}, {n / 2, n / 4, n - 1, n / 2, 3 * n / 4}, {n / 2 - 1, n / 2, -n}};
  for (const std::vector<std::int64_t>& kth : lists) {
    SCOPED_TRACE(::testing::Message() << a.dtype() << " " << n << " at " << kth[0]);
    expect_partitioned(partition(a, kth), sorted, kth);
    const ndarray places = argpartition(a, kth);
    ASSERT_EQ(places.dtype(), int64);
    expect_array_equal(sort(places), broadcast_to(everywhere, a.shape()).copy());
    expect_partitioned(take_along_axis(a, places, 1), sorted, kth);
  }
}

TEST_P(Partition, AgreesWithSortingOnEveryDtype) {
  for (const dtype type : kTypes) {
    for (const auto& [rows, n] : {std::pair{40, 7}, {3, 129}, {2, 700}, {1, 20000}}) {
      check_partitions(random_rows(rows, n, type, 2001));
    }
    check_partitions(random_rows(2, 5000, type, 2));
    check_partitions(random_rows(1, 5000, type, 7));
  }
}

TEST_P(Partition, OrderedAndEqualElementsAreNoTrap) {
  const std::int64_t n = 30000;
  const ndarray up = arange(n, float64);
  const ndarray orders[] = {
      up,
      flip(up),
      minimum(up, flip(up)),
      full({n}, 3.5, float64),
      full({n}, kNan, float64),
      where(equal(remainder(up, 3), 0), kNan, up),
      where(less(up, 29990), 7.0, up),
      remainder(multiply(up, 7919), 64),
  };
  for (const ndarray& a : orders) check_partitions(a.reshape({1, n}));
}

TEST_P(Partition, WalksStridedArraysAndOtherAxes) {
  const ndarray a = random_rows(60, 400, int32, 2001);
  const ndarray columns = partition(a, 30, 0);
  expect_partitioned(transpose(columns), sort(transpose(a)), {30});
  const ndarray odd = a(slice(0, none, 2), slice(none, none, -3));
  expect_partitioned(partition(odd, 50), sort(odd), {50});
  expect_partitioned(partition(a.T(), 20), sort(a.T()), {20});
  const ndarray flat = partition(a, 12345, {});
  expect_partitioned(flat.reshape({1, a.size()}), sort(a, {}).reshape({1, a.size()}), {12345});
}

TEST_P(Partition, ZerosAndNanKeepTheirSigns) {
  const ndarray a = array({0.0, -0.0, -kNan, 1.0, kNan, -0.0});
  const ndarray result = partition(a, 1);
  EXPECT_EQ(sum(signbit(result)).item<int>(), sum(signbit(a)).item<int>());
  EXPECT_EQ(sum(isnan(result)).item<int>(), 2);
  EXPECT_TRUE(isnan(result(slice(4, none))).to_vector<bool>()[0]);
}

TEST_P(Partition, PlacesBeyondTheAxisAreNamed) {
  const ndarray a = zeros({2, 3});
  expect_error<ValueError>([&] { partition(a, 3); },
                           "partition: kth is out of bounds; 3 for 3 elements");
  expect_error<ValueError>(
      [&] {
        argpartition(a, {0, -4});
      },
      "argpartition: kth is out of bounds; -4 for 3 elements");
}

/// The numbers of each row in order, without NaN.
std::vector<std::vector<double>> sorted_numbers(const ndarray& rows) {
  std::vector<std::vector<double>> result(static_cast<std::size_t>(rows.len()));
  const auto values = rows.to_vector<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& row = result[i / static_cast<std::size_t>(rows.shape()[1])];
    if (!std::isnan(values[i])) row.push_back(values[i]);
  }
  for (auto& row : result) std::sort(row.begin(), row.end());
  return result;
}

TEST_P(Partition, QuantilesPassOverNanOnEveryDtype) {
  for (const dtype type : kTypes) {
    for (const auto& [rows, n] :
         {std::pair{30, 1}, {7, 8}, {4, 250}, {3, 257}, {2, 3000}, {1, 40000}}) {
      for (const std::uint64_t kinds : {2, 7, 2001}) {
        SCOPED_TRACE(::testing::Message() << type << " " << n << " of " << kinds << " kinds");
        const ndarray a = random_rows(rows, n, type, kinds);
        std::vector<double> low, high, low_of_all, middle;
        for (const std::vector<double>& row : sorted_numbers(a)) {
          const std::size_t count = row.size();
          const auto at = [&](std::size_t k) { return count == 0 ? kNan : row[k]; };
          low.push_back(at(count == 0 ? 0 : (count - 1) / 4));
          high.push_back(at(count == 0 ? 0 : (3 * (count - 1) + 3) / 4));
          low_of_all.push_back(count < static_cast<std::size_t>(n) ? kNan : low.back());
          middle.push_back((at(count == 0 ? 0 : (count - 1) / 2) + at(count / 2)) / 2);
        }
        const auto of = [&](double q, QuantileMethod method) {
          return nanquantile(a, q, 1, {.method = method}).astype(float64);
        };
        expect_array_equal(of(0.25, QuantileMethod::lower), array(low));
        expect_array_equal(of(0.75, QuantileMethod::higher), array(high));
        const ndarray both =
            nanquantile(a, array({0.25, 1.0}), 1, {.method = QuantileMethod::lower});
        expect_array_equal(both(0).astype(float64), array(low));
        const ndarray all = quantile(a, 0.25, 1, {.method = QuantileMethod::lower});
        expect_array_equal(all.astype(float64), array(low_of_all));
        if (type.itemsize() > 2 || !type.is_floating()) {
          expect_array_equal(nanmedian(a, 1).astype(float64), array(middle));
        }
      }
    }
  }
}

TEST_P(Partition, ManyQuantilesOfOneRowAreItsElements) {
  const ndarray a = random_rows(1, 5000, int32, 2001).ravel(), sorted = sort(a);
  const ndarray q = linspace(0, 1, 5000);
  const ndarray nearest = quantile(a, q, {}, {.method = QuantileMethod::nearest});
  expect_array_equal(nearest, sorted);
}

TEST_P(Partition, MediansAndQuantilesAreThoseOfSortedRows) {
  for (const std::int64_t n : {1, 2, 3, 100, 101, 1000, 4001}) {
    std::mt19937_64 generator(7);
    std::vector<double> values(static_cast<std::size_t>(3 * n));
    for (double& value : values) value = static_cast<double>(generator() % 5000) / 8;
    const ndarray a = array(values).reshape({3, n}), sorted = sort(a);
    const auto at = [&](std::int64_t k) -> ndarray { return sorted(slice(), k).copy(); };
    const ndarray middle = multiply(add(at((n - 1) / 2), at(n / 2)), 0.5);
    expect_array_equal(median(a, 1), middle);
    expect_array_equal(median(transpose(a).copy(), 0), middle);
    const ndarray low = quantile(a, 0.25, 1, {.method = QuantileMethod::lower});
    expect_array_equal(low, at((n - 1) / 4));
    const ndarray three = percentile(a, array({100, 0, 50}), 1);
    expect_array_equal(three(0), at(n - 1));
    expect_array_equal(three(1), at(0));
    expect_array_equal(three(2), middle);
    // A NaN anywhere is the result.
    const ndarray holed = a.copy();
    holed(1, n / 2) = kNan;
    const ndarray expected = where(equal(arange(3), 1), kNan, middle);
    expect_array_equal(median(holed, 1), expected);
    expect_array_equal(percentile(holed, 50, 1), expected);
  }
}

}  // namespace
}  // namespace cupyxx
