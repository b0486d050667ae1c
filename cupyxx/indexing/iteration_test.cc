// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <sstream>
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

using testing::expect_elements;
using testing::expect_error;

class IterationTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(IterationTest);

TEST(Iteration, WalksOverIndices) {
  std::vector<Shape> all;
  for (const auto& index : ndindex({2, 3})) all.push_back(index);
  EXPECT_EQ(all, (std::vector<Shape>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(ndindex({2, 3}).size(), 6);
  int count = 0;
  for (const auto& index : ndindex(Shape())) count += index.ndim() == 0 ? 1 : 100;
  EXPECT_EQ(count, 1);  // one empty index
  for (const auto& index : ndindex({3, 0, 2})) FAIL() << index;
  expect_error<ValueError>([] { ndindex({2, -1}); }, "ndindex");
}

TEST_P(IterationTest, EnumeratesElements) {
  const ndarray a = arange(6).reshape({2, 3});
  std::ostringstream text;
  for (auto [index, value] : ndenumerate(a.T())) text << index << value.item<int>() << " ";
  EXPECT_EQ(text.str(), "(0, 0)0 (0, 1)3 (1, 0)1 (1, 1)4 (2, 0)2 (2, 1)5 ");
  for (auto [index, value] : ndenumerate(a(slice(), slice(none, none, -1)))) {
    EXPECT_EQ(value.shape(), Shape());
    value += 10 * index[1];  // a view
  }
  expect_elements<int>(a, {2, 3}, {20, 11, 2, 23, 14, 5});
  int count = 0;
  for (auto [index, value] : ndenumerate(array(7.5, float32))) {
    EXPECT_EQ(index, Shape());
    EXPECT_EQ(value.item<float>(), 7.5f);
    EXPECT_EQ(value.dtype(), float32);
    ++count;
  }
  EXPECT_EQ(count, 1);
  for (auto [index, value] : ndenumerate(zeros({0, 2}))) FAIL() << index << value;
  expect_error<TypeError>([] { ndenumerate{ndarray()}; }, "ndenumerate: the array is None");
}

TEST_P(IterationTest, WalksOverSeveralArrays) {
  const ndarray a = arange(3), b = arange(2).reshape({2, 1});
  std::vector<int> sums;
  for (auto [x, y] : nditer({a, b})) sums.push_back(x.item<int>() + 10 * y.item<int>());
  EXPECT_EQ(sums, (std::vector<int>{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(nditer({a, b}).shape(), Shape({2, 3}));
  std::vector<int> products;
  for (auto [x, y, z] : nditer(a, b, array(2))) {
    products.push_back(x.item<int>() * y.item<int>() * z.item<int>());
  }
  EXPECT_EQ(products, (std::vector<int>{0, 0, 0, 0, 2, 4}));
  // One array: its elements, which can be written.
  for (auto x : nditer(a)) x.fill(2 * x.item<int>());
  expect_elements<int>(a, {3}, {0, 2, 4});
  // An array that had to be broadcast is read-only, one that had not is not.
  const ndarray out = zeros({2, 3}, int64);
  for (auto [x, y] : nditer({a, out})) {
    EXPECT_FALSE(x.flags().writeable);
    y.fill(x.item<int>() + 1);
  }
  expect_elements<int>(out, {2, 3}, {1, 3, 5, 1, 3, 5});
  const nditer pairs({a, out});
  auto at = pairs.begin();
  ++at;
  EXPECT_EQ(at.multi_index(), Shape({0, 1}));
  for (auto [x, y] : nditer({a, zeros({0, 3})})) FAIL() << x << y;
  expect_error<ShapeError>([&] { nditer({a, zeros({2})}); }, "nditer");
  expect_error<TypeError>([&] { nditer({a, ndarray()}); }, "nditer: the array is None");
}

TEST_P(IterationTest, OfTheStandardLibraryGoesOverTheFirstAxis) {
  const ndarray m = arange(6.0).reshape({2, 3});
  EXPECT_EQ(std::ranges::distance(m), 2);
  EXPECT_EQ(std::ranges::distance(m(0)), 3);
#if !defined(__clang__) || __clang_major__ >= 16  // before, it cannot read libstdc++'s views
  int rows = 0;
  for (auto row : m | std::views::take(5)) rows += static_cast<int>(row.len());
  for (auto row : std::views::drop(m, 1)) rows += static_cast<int>(row.len());
  EXPECT_EQ(rows, 9);
#endif
  const ndarray a = array({3, 1, 2});
  EXPECT_EQ(std::max_element(a.begin(), a.end()) - a.begin(), 0);
  EXPECT_EQ(std::find(a.begin(), a.end(), 2) - a.begin(), 2);
  EXPECT_EQ(a.end() - std::next(a.begin()), 2);
  // The row that it went over has gone.
  const auto found = std::find((m + 1)(1).begin(), (m + 1)(1).end(), 5);
  const auto largest = std::max_element((a * 2).begin(), (a * 2).end());
  const ndarray other = zeros({2, 3}), another = zeros(3);
  EXPECT_EQ((*found).item<double>(), 5);
  EXPECT_EQ((*largest).item<int>(), 6);
}

}  // namespace
}  // namespace cupyxx
