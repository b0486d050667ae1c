// SPDX-License-Identifier: MIT
// Algorithms of the standard library over the iterators of arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class StandardAlgorithms : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(StandardAlgorithms);

std::string printed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST_P(StandardAlgorithms, SortInPlaceAsNumpyDoes) {
  const ndarray a = array({3., nan, 1., 2.});
  std::sort(a.begin(), a.end());
  EXPECT_EQ(printed(a), "[ 1.  2.  3. nan]");
  const ndarray m = array({{3, 1, 2}, {9, 8, 7}});
  std::sort(m(1).begin(), m(1).end());
  EXPECT_EQ(printed(m), "[[3 1 2]\n [7 8 9]]");
  std::stable_sort(m(0).begin() + 1, m(0).end());
  EXPECT_EQ(printed(m(0)), "[3 1 2]");
  std::sort(m(0).begin(), m(0).end() - 1);
  EXPECT_EQ(printed(m(0)), "[1 3 2]");
  const ndarray every_other = a(slice(none, none, -2));
  std::sort(every_other.begin(), every_other.end());
  EXPECT_EQ(printed(a), "[ 1. nan  3.  2.]");
  const ndarray empty = zeros(0);
  std::sort(empty.begin(), empty.end());
  expect_error<ValueError>([&] { std::sort(m.begin(), m.end()); },
                           "std::sort: rows have no order, the elements are arrays of shape (3,)");
  expect_error<ValueError>([&] { std::sort(a.begin(), m.end()); },
                           "iterator: the two are of different arrays, of shapes (4,) and (2, 3)");
}

TEST_P(StandardAlgorithms, ReverseAndSwap) {
  const ndarray a = arange(5), m = arange(6).reshape({3, 2});
  std::reverse(a.begin(), a.end());
  EXPECT_EQ(printed(a), "[4 3 2 1 0]");
  std::reverse(a.begin() + 1, a.begin() + 3);
  EXPECT_EQ(printed(a), "[4 2 3 1 0]");
  std::reverse(m.begin(), m.end());
  EXPECT_EQ(printed(m), "[[4 5]\n [2 3]\n [0 1]]");
  std::swap(a(0), a(-1));
  EXPECT_EQ(printed(a), "[0 2 3 1 4]");
  std::swap(m(0), m(2));
  EXPECT_EQ(printed(m), "[[0 1]\n [2 3]\n [4 5]]");
  ndarray x = a, y = m;
  std::swap(x, y);
  EXPECT_EQ(x.ndim(), 2);
}

TEST_P(StandardAlgorithms, ReadingOnes) {
  const ndarray a = array({3., 1., 2.});
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0.0), 6);
  EXPECT_EQ(std::accumulate(a.begin() + 1, a.end(), 0.0), 3);
  EXPECT_EQ(std::max_element(a.begin(), a.end()) - a.begin(), 0);
  EXPECT_EQ(std::vector<double>(a.begin() + 1, a.end()), (std::vector<double>{1, 2}));
  EXPECT_EQ(std::count_if(a.begin(), a.end(), [](double v) { return v > 1; }), 2);
}

TEST_P(StandardAlgorithms, TheLargerOutlivesTheStatement) {
  const ndarray a = array({3., 1., 2.});
  const auto& most = std::max(a(0), a(1));
  const auto& least = std::min(a.max(), a.min());
  const auto [low, high] = std::minmax(a(0), a(2));
  static_assert(std::same_as<decltype(std::max(a(0), a(1))), ndarray>);
  static_assert(std::same_as<decltype(std::max(1, 2)), const int&>);
  EXPECT_EQ(printed(most) + printed(least) + printed(low) + printed(high), "3.01.02.03.0");
  const double larger = std::max(a(1), a(2));
  EXPECT_EQ(larger, 2);
  EXPECT_THROW(std::max(a, a), ValueError);
}

// They were ambiguous, or references to elements that are gone.
TEST_P(StandardAlgorithms, FunctionsOfElementsAreOurs) {
  const ndarray a = array({4., 1., 9.}), i = array({-3, 2});
  const auto larger = [](double x, double y) { return x > y; };
  const auto& least = std::max(a(0), a(1), larger);
  const auto& most = std::min(a(0), a(1), std::greater<>());
  const auto& between = std::clamp(a(2), a(1), a(0));
  const auto& limited = std::clamp(a(2), 0.5, 7.5);
  const auto& by_order = std::clamp(a(2), a(1), a(0), std::less<>());
  const auto [first, second] = std::minmax(a(0), a(1), larger);
  EXPECT_EQ(printed(least) + printed(most) + printed(between) + printed(limited), "1.04.04.07.5");
  EXPECT_EQ(printed(by_order) + printed(first) + printed(second), "4.04.01.0");
  EXPECT_EQ(printed(std::max(a(0), 5)) + printed(std::min(0.5, a(1))), "5.00.5");
  EXPECT_EQ(printed(std::sqrt(a)) + printed(std::abs(i)), "[2. 1. 3.][3 2]");
  EXPECT_EQ(printed(std::pow(a(0), 2)) + printed(std::pow(2, i(1))), "16.04");
  EXPECT_EQ(printed(std::fmod(i(0), 2)) + printed(std::atan2(a(1), 1)), "-10.7853981633974483");
  EXPECT_EQ(std::to_string(a(0)) + std::to_string(i), "4.0[-3  2]");
  const double root = std::sqrt(a.sum() + 2);
  EXPECT_EQ(root, 4);
  if (std::isnan(a(0)) || std::isinf(a(0)) || std::signbit(a(0))) ADD_FAILURE();
  double best = 0;
  for (const auto& x : a) best = std::max(best, x);
  EXPECT_EQ(best, 9);
  ndarray named = a(1);
  for (const auto& x : a) named = std::max(named, x);
  EXPECT_EQ(printed(named) + printed(std::min(named, a(0))) + printed(std::min(a(1), named)),
            "9.04.01.0");
  EXPECT_EQ(std::pow(2.0, 3), 8);
  static_assert(std::same_as<decltype(std::max(1.0, 2.0)), const double&>);
  static_assert(std::same_as<decltype(std::sqrt(1.0f)), float>);
}

TEST_P(StandardAlgorithms, WriteToElements) {
  const ndarray a = zeros({4});
  std::iota(a.begin(), a.end(), 0.5);
  EXPECT_EQ(printed(a), "[0.5 1.5 2.5 3.5]");
  std::fill(a.begin() + 1, a.end(), 3);
  EXPECT_EQ(printed(a), "[0.5 3.  3.  3. ]");
  EXPECT_EQ(std::fill_n(a.begin(), 2, 1) - a.begin(), 2);
  std::generate(a.begin() + 2, a.end(), [n = 4]() mutable { return ++n; });
  EXPECT_EQ(printed(a), "[1. 1. 5. 6.]");
  const std::vector<int> given = {7, 8};
  EXPECT_EQ(std::copy(given.begin(), given.end(), a.begin() + 1) - a.begin(), 3);
  std::transform(a.begin(), a.end(), a.begin(), [](double x) { return 2 * x; });
  EXPECT_EQ(printed(a), "[ 2. 14. 16. 12.]");
  std::transform(a.begin(), a.end(), arange(4).begin(), a.begin(), std::minus<>());
  std::replace(a.begin(), a.end(), 13, 0);
  std::replace_if(
      a.begin(), a.end(), [](double x) { return x > 10; }, -1);
  EXPECT_EQ(printed(a), "[ 2.  0. -1.  9.]");
  const ndarray m = arange(1., 5).reshape({2, 2});
  std::transform(m.begin(), m.end(), m.begin(), [](const auto& row) { return row / row.sum(); });
  EXPECT_EQ(printed(m * 21), "[[ 7. 14.]\n [ 9. 12.]]");
  std::copy(m(0).begin(), m(0).end(), m(1).begin());
  std::fill(m.begin(), m.begin() + 1, 0);
  EXPECT_EQ(printed(m * 3), "[[0. 0.]\n [1. 2.]]");
  expect_error<IndexError>([&] { std::copy(a.begin(), a.end(), m(0).begin()); },
                           "iterator: from 2 to 3 of 2");
}

TEST_P(StandardAlgorithms, ListsOfNumbers) {
  EXPECT_EQ(array({3., 1.}).tolist<double>(), (std::vector<double>{3, 1}));
  EXPECT_THROW(zeros({2, 2}).tolist<double>(), ValueError);
}

// A vector is as exact as a single number.
TEST_P(StandardAlgorithms, VectorsAreExact) {
  const auto as_ints = [](const ndarray& a) { return std::vector<std::int32_t>(a); };
  EXPECT_EQ(as_ints(array({1.0, -2.0})), (std::vector<std::int32_t>{1, -2}));
  EXPECT_EQ(as_ints(array({2147483647, -2147483648})),
            (std::vector<std::int32_t>{2147483647, -2147483647 - 1}));
  expect_error<ValueError>(
      [&] {
        as_ints(array({1.0, 1.5}));
      },
      "std::vector: 1.5 does not fit int32; write to_vector() to cut what does "
      "not");
  expect_error<ValueError>([&] { as_ints(array({3000000000})); },
                           "std::vector: 3000000000 does not fit int32");
  EXPECT_THROW(as_ints(array({nan})), ValueError);
  EXPECT_THROW(as_ints(array({2147483648.0})), ValueError);
  EXPECT_THROW(static_cast<void>(std::vector<std::uint8_t>(array({-1}))), ValueError);
  EXPECT_THROW(static_cast<void>(std::vector<std::uint64_t>(array({-1.0}))), ValueError);
  EXPECT_THROW(static_cast<void>(std::vector<std::int64_t>(array({~std::uint64_t{0}}))),
               ValueError);
  EXPECT_THROW(static_cast<void>(std::vector<std::int64_t>(array({0x1p63}))), ValueError);
  const std::vector<std::uint64_t> most = array({~std::uint64_t{0}});
  EXPECT_EQ(most[0], ~std::uint64_t{0});
  const std::vector<float> rounded = array({0.1});
  EXPECT_EQ(rounded[0], 0.1f);
  expect_error<TypeError>([&] { std::vector<double> v = array({1.0}) * complex<double>(0, 1); },
                          "std::vector: complex numbers cannot become float64; write real(), or "
                          "to_vector() to drop the imaginary parts");
  EXPECT_EQ(array({1.5}).to_vector<int>(), std::vector<int>{1});
}

}  // namespace
}  // namespace cupyxx
