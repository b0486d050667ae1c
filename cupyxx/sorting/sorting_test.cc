// SPDX-License-Identifier: MIT
// Sorting, searching and distinct elements: long rows beside std::stable_sort, and what the
// reference cases of //conformance leave out.
#include "cupyxx/sorting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Sorting : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Sorting);

constexpr dtype kTypes[] = {bool_,  int8,   int16,  int32,   int64,   uint8,
                            uint16, uint32, uint64, float16, float32, float64};

/// Numbers of a type with many equal ones, and some NaN.
ndarray random_rows(std::int64_t rows, std::int64_t n, dtype type) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(n) +
                            static_cast<std::uint64_t>(type.code()));
  std::vector<double> values(static_cast<std::size_t>(rows * n));
  for (double& value : values) {
    value = static_cast<double>(generator() % 2001) - (type.is_unsigned_integer() ? 0 : 1000);
    if (type.itemsize() == 1) value = std::fmod(value, 100);
    if (type.is_floating() && generator() % 16 == 0) value = kNan;
  }
  return array(values).astype(type).reshape({rows, n});
}

ndarray complex_of(const std::vector<double>& re, const std::vector<double>& im, dtype type) {
  const ndarray a = zeros({static_cast<std::int64_t>(re.size())}, type);
  a.real() = array(re);
  a.imag() = array(im);
  return a;
}

/// What the host's own stable sort makes of each row.
std::vector<std::int64_t> stable_order(const ndarray& a) {
  const auto values = a.to_vector<double>();
  const std::int64_t rows = a.shape()[0], n = a.shape()[1];
  std::vector<std::int64_t> order(values.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    const double* x = values.data() + row * n;
    const auto begin = order.begin() + row * n;
    std::iota(begin, begin + n, 0);
    std::stable_sort(begin, begin + n, [&](std::int64_t i, std::int64_t j) {
      return x[i] < x[j] || (std::isnan(x[j]) && !std::isnan(x[i]));
    });
  }
  return order;
}

TEST_P(Sorting, AgreesWithStableSortOnEveryDtype) {
  for (const dtype type : kTypes) {
    for (const auto& [rows, n] : {std::pair{5, 33}, {5003, 7}, {3, 2048}, {2, 2049}, {3, 9000}}) {
      const ndarray a = random_rows(rows, n, type);
      const std::vector<std::int64_t> order = stable_order(a);
      EXPECT_EQ(argsort(a).to_vector<std::int64_t>(), order) << type << " " << n;
      std::vector<std::int64_t> flat = order;
      for (std::size_t i = 0; i < flat.size(); ++i) {
        flat[i] += static_cast<std::int64_t>(i) / n * n;
      }
      expect_array_equal(sort(a), take(a, array(flat)).reshape({rows, n}));
    }
  }
}

/// Numbers in one of several orders, some of them zeros and NaN of both signs.
std::vector<double> ordered_numbers(std::int64_t n, int order, bool special) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(n + order));
  std::vector<double> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto random = static_cast<double>(generator() % 1000003) / 64 - 5000;
    const double kinds[] = {random,
                            static_cast<double>(generator() % 3),
                            7.0,
                            static_cast<double>(i),
                            static_cast<double>(n - i),
                            static_cast<double>(std::min(i, n - i))};
    double value = kinds[order];
    if (special && generator() % 8 == 0) value = generator() % 2 == 0 ? 0.0 : -0.0;
    if (special && generator() % 8 == 0) value = generator() % 2 == 0 ? kNan : -kNan;
    values[static_cast<std::size_t>(i)] = value;
  }
  return values;
}

bool is_before(double x, double y) { return x < y || (std::isnan(y) && !std::isnan(x)); }

TEST_P(Sorting, ValuesKeepTheBitsOfAStableSort) {
  for (const dtype type : {float32, float64}) {
    for (const std::int64_t n :
         {1, 2, 15, 16, 17, 31, 33, 64, 65, 128, 129, 256, 257, 700, 30000}) {
      for (int order = 0; order < 6; ++order) {
        SCOPED_TRACE(::testing::Message() << type << " " << n << " in order " << order);
        const ndarray a = array(ordered_numbers(n, order, true)).astype(type);
        auto expected = a.to_vector<double>();
        std::stable_sort(expected.begin(), expected.end(), is_before);
        const auto result = sort(a).to_vector<double>();
        for (std::size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ(std::isnan(result[i]), std::isnan(expected[i])) << i;
          ASSERT_EQ(std::signbit(result[i]), std::signbit(expected[i])) << i;
          ASSERT_FALSE(is_before(result[i], expected[i]) || is_before(expected[i], result[i])) << i;
        }
      }
    }
  }
}

TEST_P(Sorting, OrderedRowsOfIntegersAreNoTrap) {
  for (const dtype type : {int32, uint32, int64, uint64}) {
    for (const std::int64_t n : {3, 40, 200, 20000}) {
      for (int order = 1; order < 6; ++order) {
        std::vector<double> values = ordered_numbers(n, order, false);
        const ndarray a = array(values).astype(type);
        std::stable_sort(values.begin(), values.end());
        expect_array_equal(sort(a), array(values).astype(type));
        // From the other end, and with the largest number that there is.
        const ndarray turned = bitwise_xor(a, invert(zeros({}, type)));
        const ndarray back = bitwise_xor(sort(a), invert(zeros({}, type)));
        expect_array_equal(sort(turned), back(slice(none, none, -1)));
      }
    }
  }
}

TEST_P(Sorting, KeysWhoseHighBitsAreTheSameAreToldApart) {
  std::vector<double> values;
  values.reserve(5002);
  for (int i = 0; i < 5000; ++i) values.push_back(1 + (i * 7919 % 500) * 0x1p-52);
  values.push_back(-1e300);  // so that the keys take all their bits
  values.push_back(1e300);
  const ndarray a = array(values).reshape({1, -1});
  EXPECT_EQ(argsort(a).to_vector<std::int64_t>(), stable_order(a));
}

TEST_P(Sorting, ComplexNumbersGoByBothPartsAndNanLast) {
  for (const dtype type : {complex64, complex128}) {
    for (const std::int64_t n : {1, 9, 100, 3000}) {
      for (const int order : {0, 1, 2}) {
        const std::vector<double> re = ordered_numbers(n, order, order != 2);
        const std::vector<double> im = ordered_numbers(n, order == 0 ? 1 : 0, order != 2);
        const ndarray a = complex_of(re, im, type);
        std::vector<std::int64_t> expected(re.size());
        std::iota(expected.begin(), expected.end(), 0);
        const auto kind = [&](std::size_t i) {
          return 2 * static_cast<int>(std::isnan(re[i])) + static_cast<int>(std::isnan(im[i]));
        };
        std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t x, std::int64_t y) {
          const auto i = static_cast<std::size_t>(x), j = static_cast<std::size_t>(y);
          if (kind(i) != kind(j)) return kind(i) < kind(j);
          if (is_before(re[i], re[j]) || is_before(re[j], re[i])) return is_before(re[i], re[j]);
          return is_before(im[i], im[j]);
        });
        EXPECT_EQ(argsort(a).to_vector<std::int64_t>(), expected) << type << " " << n;
        const ndarray taken = take(a, array(expected), 0), sorted = sort(a);
        expect_array_equal(sorted.real(), taken.real());
        expect_array_equal(sorted.imag(), taken.imag());
      }
    }
  }
}

TEST_P(Sorting, SearchesAgreeWithTheStandardLibrary) {
  for (const dtype type : kTypes) {
    for (const std::int64_t n : {0, 1, 2, 3, 100, 1025}) {
      const ndarray sorted = n == 0 ? zeros({0}, type) : sort(random_rows(1, n, type).ravel());
      const auto elements = sorted.to_vector<double>();
      for (const std::int64_t count : {1, 31, 32, 33, 200}) {
        const ndarray values = random_rows(1, count, type).ravel();
        std::vector<std::int64_t> left, right;
        for (const double value : values.to_vector<double>()) {
          const auto begin = elements.begin(), end = elements.end();
          left.push_back(std::lower_bound(begin, end, value, is_before) - begin);
          right.push_back(std::upper_bound(begin, end, value, is_before) - begin);
        }
        EXPECT_EQ(searchsorted(sorted, values).to_vector<std::int64_t>(), left) << type << n;
        const ndarray behind = searchsorted(sorted, values, {.side = SearchSide::right});
        EXPECT_EQ(behind.to_vector<std::int64_t>(), right) << type << n;
      }
    }
  }
}

TEST_P(Sorting, SortsAlongAnyAxisOfAnyLayout) {
  const ndarray a = array({{3, 1, 2}, {6, 5, 4}});
  expect_elements<int>(sort(a), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect_elements<int>(sort(a.T(), 0), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect_elements<int>(sort(a, {}), {6}, {1, 2, 3, 4, 5, 6});
  expect_elements<int>(argsort(a(slice(), slice(none, none, -1))), {2, 3}, {1, 0, 2, 0, 1, 2});
  expect_elements<int>(a, {2, 3}, {3, 1, 2, 6, 5, 4});
}

TEST_P(Sorting, KeepsExtremesApart) {
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  const ndarray large = array(std::vector<std::uint64_t>{kMax, 0, kMax - 1, 1UL << 63});
  expect_elements<std::uint64_t>(sort(large), {4}, {0, 1UL << 63, kMax - 1, kMax});
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  const ndarray small = array(std::vector<std::int64_t>{0, kMin, -1, kMin + 1});
  expect_elements<std::int64_t>(sort(small), {4}, {kMin, kMin + 1, -1, 0});
  const double infinity = std::numeric_limits<double>::infinity();
  const ndarray ends = array({infinity, kNan, -infinity, -kNan, 0.0, -0.0});
  expect_elements<int>(argsort(ends), {6}, {2, 4, 5, 0, 1, 3});
}

TEST_P(Sorting, PartitionsAroundEachPosition) {
  const ndarray a = random_rows(3, 500, int32);
  for (const std::int64_t k : {0, 250, 499, -1}) {
    const ndarray parted = partition(a, k);
    const ndarray pivot = parted(slice(), slice(k, k == -1 ? SliceBound() : SliceBound(k + 1)));
    expect_array_equal(pivot, sort(a)(slice(), slice(k, k == -1 ? SliceBound() : k + 1)));
    const std::int64_t at = k < 0 ? k + 500 : k;
    const ndarray below = less_equal(parted(slice(), slice(at)), pivot);
    EXPECT_EQ(below.to_vector<std::uint8_t>(), std::vector<std::uint8_t>(below.size(), 1));
  }
  expect_elements<int>(argpartition(array({3, 1, 2}), {0, 1}), {3}, {1, 2, 0});
}

TEST_P(Sorting, PositionsOfNonzeroElementsGoThroughManyBlocks) {
  const ndarray a = arange(100000).reshape({100, 10, 100}) % 7;
  const std::vector<ndarray> found = nonzero(a);
  std::vector<std::int64_t> flat;
  for (std::int64_t i = 0; i < 100000; ++i) {
    if (i % 7 != 0) flat.push_back(i);
  }
  expect_elements<std::int64_t>(flatnonzero(a), {static_cast<std::int64_t>(flat.size())}, flat);
  expect_array_equal(found[0] * 1000 + found[1] * 100 + found[2], flatnonzero(a));
  expect_array_equal(argwhere(a)(slice(), 1), found[1]);
}

TEST_P(Sorting, UniqueRebuildsItsArgument) {
  const ndarray a = random_rows(3, 3000, int16);
  const UniqueResult found =
      unique(a, {.return_index = true, .return_inverse = true, .return_counts = true});
  expect_array_equal(take(found.values, found.inverse), a.ravel());
  expect_array_equal(take(a, found.index), found.values);
  expect_array_equal(found.values, unique(a));
  const auto counts = found.counts.to_vector<std::int64_t>();
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 9000);
  EXPECT_TRUE(unique(a, UniqueOptions{}).index.is_none());
}

TEST_P(Sorting, SearchesOnBothSides) {
  const ndarray a = array({1, 2, 2, 5});
  EXPECT_EQ(searchsorted(a, 2).item<int>(), 1);
  EXPECT_EQ(searchsorted(a, 2.5).item<int>(), 3);
  expect_elements<int>(searchsorted(a, array({0, 2, 9}), {.side = SearchSide::right}), {3},
                       {0, 3, 4});
  expect_elements<int>(searchsorted(array({5, 1, 2}), array({2, 3}), {.sorter = array({1, 2, 0})}),
                       {2}, {1, 2});
}

TEST_P(Sorting, SaysWhatIsWrong) {
  const ndarray a = array({3, 1, 2});
  expect_error<AxisError>([&] { sort(a, 1); },
                          "sort: axis 1 is out of bounds for array of dimension 1");
  expect_error<AxisError>([&] { sort(array(1.5)); },
                          "sort: axis -1 is out of bounds for array of dimension 0");
  expect_error<TypeError>([&] { sort(a, {0, 1}); }, "sort: takes one axis or none; (0, 1)");
  expect_error<ValueError>([&] { partition(a, 3); },
                           "partition: kth is out of bounds; 3 for 3 elements");
  expect_error<ValueError>(
      [&] {
        searchsorted(a.reshape({1, 3}), 1);
      },
      "searchsorted: the sorted array must be 1-D; (1, 3)");
  expect_error<TypeError>([&] { searchsorted(a, 1, {.sorter = ones({3})}); },
                          "searchsorted: sorter must only contain integers, not float64");
  expect_error<ValueError>([&] { searchsorted(a, 1, {.sorter = array({0})}); },
                           "searchsorted: sorter must be 1-D of a's size; (1,) and (3,)");
  expect_error<DtypeError>([&] { sort(empty({2}, dtype::Code::float8_e4m3)); },
                           "sort: no loop for float8_e4m3");
}

// The array outlives the list that it was taken from.
TEST_P(Sorting, PositionsAreWalkedOver) {
  const ndarray a = array({0, 3, 0, 5});
  std::vector<std::int64_t> found;
  for (const std::int64_t i : nonzero(a)[0]) found.push_back(i);
  for (const std::int64_t i : where(a > 3).front()) found.push_back(i);
  for (const std::int64_t i : a.nonzero().at(0)) found.push_back(i);
  EXPECT_EQ(found, (std::vector<std::int64_t>{1, 3, 3, 1, 3}));
  static_assert(std::same_as<decltype(nonzero(a)[0]), ndarray>);
  const std::vector<ndarray> list = nonzero(a);
  EXPECT_EQ(list.size(), 1U);
}

}  // namespace
}  // namespace cupyxx
