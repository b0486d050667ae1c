// SPDX-License-Identifier: MIT
// Algorithms of the standard library over the iterators of arrays.
#include <gtest/gtest.h>

#include <algorithm>
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

TEST_P(StandardAlgorithms, ListsOfNumbers) {
  EXPECT_EQ(array({3., 1.}).tolist<double>(), (std::vector<double>{3, 1}));
  EXPECT_THROW(zeros({2, 2}).tolist<double>(), ValueError);
}

}  // namespace
}  // namespace cupyxx
