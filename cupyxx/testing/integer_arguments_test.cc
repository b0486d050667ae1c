// SPDX-License-Identifier: MIT
// What stands for an integer in argument lists: C++'s integers, enumerators, and arrays of one
// integer. What does not compile there: integers_test.cc. The texts are what NumPy 1.24 prints.
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class IntegerArguments : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(IntegerArguments);

enum Column { kDay, kPrice, kVolume };

std::string printed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST_P(IntegerArguments, ArraysOfOneIntegerAreCountsAndExtents) {
  const ndarray a = array({3, 1, 2});
  EXPECT_EQ(zeros(a.max()).shape(), (Shape{3}));
  EXPECT_EQ(ones(a(2)).shape(), (Shape{2}));
  EXPECT_EQ(full({a.max() + 1, 2}, 7).shape(), (Shape{4, 2}));
  EXPECT_EQ(zeros(a).shape(), (Shape{3, 1, 2}));
  EXPECT_EQ(zeros(a.item(0)).shape(), (Shape{3}));
  EXPECT_EQ(arange(6).reshape(a.max(), -1).shape(), (Shape{3, 2}));
  EXPECT_EQ(arange(6).reshape(-1, a(2)).shape(), (Shape{3, 2}));
  EXPECT_EQ(arange(6).reshape(a).shape(), (Shape{3, 1, 2}));
  EXPECT_EQ(arange(6).reshape({a(0), a(2)}).shape(), (Shape{3, 2}));
  EXPECT_EQ(broadcast_to(array({1, 2}), {a(0), 2}).shape(), (Shape{3, 2}));
  EXPECT_EQ(eye(a(2)).shape(), (Shape{2, 2}));
  EXPECT_EQ(printed(roll(arange(5), a(2))), "[3 4 0 1 2]");
  EXPECT_EQ(printed(repeat(arange(2), a(0))), "[0 0 0 1 1 1]");
  EXPECT_EQ(printed(tile(arange(2), a(2))), "[0 1 0 1]");
  EXPECT_EQ(printed(linspace(0, 1, a(0))), "[0.  0.5 1. ]");
  EXPECT_EQ(random::rand({a(0), a(2)}).shape(), (Shape{3, 2}));
}

TEST_P(IntegerArguments, ArraysThatAreNoExtents) {
  expect_error<TypeError>(
      [] {
        zeros(array({2., 3.}));
      },
      "shape: extents must be integers; float64");
  expect_error<TypeError>([] { zeros(array({true})); }, "shape: extents must be integers; bool");
  expect_error<ValueError>(
      [] {
        zeros(array({{2, 3}}));
      },
      "shape: an array of extents has one axis; (1, 2)");
  expect_error<TypeError>([] { zeros(ndarray()); }, "shape");
  expect_error<ValueError>([] { roll(arange(3), array({1.5})); }, "1.5");
}

TEST_P(IntegerArguments, Enumerators) {
  const ndarray table = arange(6).reshape(2, 3);
  EXPECT_EQ(table(1, kPrice).item<int>(), 4);
  EXPECT_EQ(printed(table(slice(), kVolume)), "[2 5]");
  EXPECT_EQ(printed(table(slice(), slice(kPrice, none))), "[[1 2]\n [4 5]]");
  EXPECT_EQ(printed(take(table, kPrice, 1)), "[1 4]");
  EXPECT_EQ(printed(table.sum(kPrice)), "[ 3 12]");
  EXPECT_EQ(zeros(kVolume).shape(), (Shape{2}));
  EXPECT_EQ(printed(sort(table, kDay)), "[[0 1 2]\n [3 4 5]]");
  table(slice(), kDay) = -1;
  EXPECT_EQ(printed(table), "[[-1  1  2]\n [-1  4  5]]");
}

TEST_P(IntegerArguments, UnsignedDifferencesMayBeNegative) {
  const std::vector<int> list{1, 2, 3};
  EXPECT_EQ(printed(roll(arange(5), list.size() - 5)), "[2 3 4 0 1]");
  EXPECT_EQ(printed(diag(array({1, 2}), list.size() - 4)), "[[0 0 0]\n [1 0 0]\n [0 2 0]]");
}

TEST_P(IntegerArguments, WhatTheTypeDoesNotHold) {
  const ndarray a = arange(6).reshape(2, 3);
  const std::int64_t beyond = (std::int64_t{1} << 32) + 1;
  expect_error<OverflowError>([&] { swapaxes(a, beyond, 0); },
                              "argument: 4294967297 is beyond the integers of 32 bits");
  expect_error<OverflowError>([&] { round(a, -beyond); },
                              "argument: -4294967297 is beyond the integers of 32 bits");
  expect_error<OverflowError>([] { random::seed(-1); },
                              "argument: -1 is negative; a seed or a count is 0 or more");
}

TEST_P(IntegerArguments, IteratorsOfExtents) {
  const std::vector<int> extents{4, 2, 3};
  EXPECT_EQ(Shape(extents.begin(), extents.end()), (Shape{4, 2, 3}));
  EXPECT_EQ(zeros(Shape(extents.begin() + 1, extents.end())).shape(), (Shape{2, 3}));
  EXPECT_EQ(Shape(extents.data(), extents.data() + 2), (Shape{4, 2}));
}

TEST_P(IntegerArguments, ListsOfOneNumberAreLists) {
  EXPECT_EQ(printed(roll(arange(4).reshape(2, 2), {1}, 0)), "[[2 3]\n [0 1]]");
  EXPECT_EQ(printed(roll(arange(4).reshape(2, 2), {1, 1}, {0, 1})), "[[3 2]\n [1 0]]");
  EXPECT_EQ(printed(roll(arange(5), std::vector<int>{2})), "[3 4 0 1 2]");
  EXPECT_EQ(printed(arange(2).repeat({2})), "[0 0 1 1]");
  EXPECT_EQ(printed(arange(2).repeat({1, 2})), "[0 1 1]");
  EXPECT_EQ(printed(random::permutation({7})), "[7]");
  EXPECT_EQ(printed(random::choice({7}, 3)), "[7 7 7]");
  EXPECT_EQ(printed(average(array({2., 4.}), 0, {1., 3.})), "3.5");
  EXPECT_EQ(printed(rot90(arange(4).reshape(2, 2), 1, {1, 0})), "[[2 0]\n [3 1]]");
  EXPECT_EQ(printed(rot90(arange(4).reshape(2, 2), 1, 0, 1)), "[[1 3]\n [0 2]]");
  expect_error<ValueError>([] { rot90(zeros({2, 2}), 1, 0); }, "rot90: turns two axes; (0,)");
}

TEST_P(IntegerArguments, ChoiceAmongNumbersWithProbabilities) {
  EXPECT_EQ(printed(random::choice(3, {2}, true, array({0., 1., 0.}))), "[1 1]");
  EXPECT_EQ(printed(random::choice(std::int64_t{3}, 2, true, array({0., 0., 1.}))), "[2 2]");
  EXPECT_EQ(printed(random::choice(3, 2, true, {1., 0., 0.})), "[0 0]");
}

TEST_P(IntegerArguments, SizesByName) {
  const auto same = [](const auto& by_name, const auto& in_its_place) {
    random::seed(5);
    const ndarray first = by_name();
    random::seed(5);
    testing::expect_array_equal(first, in_its_place());
  };
  using namespace random;  // NOLINT(google-build-using-namespace)
  same([] { return poisson(3, {.size = 5}); }, [] { return poisson(3, 5); });
  same(
      [] {
        return binomial(10, 0.5, {.size = {2, 3}});
      },
      [] {
        return binomial(10, 0.5, {2, 3});
      });
  same([] { return exponential(2.0, {.size = 3}); }, [] { return exponential(2.0, 3); });
  same([] { return random::gamma(2, 1, {.size = 2}); }, [] { return random::gamma(2, 1, 2); });
  same([] { return beta(1, 2, {.size = 2, .dtype = float32}); },
       [] { return beta(1, 2, 2, float32); });
  same([] { return hypergeometric(3, 4, 2, {.size = 4}); },
       [] { return hypergeometric(3, 4, 2, 4); });
  same([] { return laplace(0, 1, {.size = {4}}); }, [] { return laplace(0, 1, 4); });
}

TEST_P(IntegerArguments, ItemsByTheirPlaceInTheFlattenedArray) {
  const ndarray a = arange(6).reshape(2, 3);
  EXPECT_EQ(a.item<int>(4), 4);
  EXPECT_EQ(static_cast<int>(a.item(-1)), 5);
  EXPECT_EQ(static_cast<int>(a.T().item(1)), 3);
  EXPECT_EQ(static_cast<int>(array(7).item(0)), 7);
  expect_error<IndexError>([&] { a.item(6); }, "item: index 6 is out of bounds for size 6");
  expect_error<IndexError>([&] { a.item(-7); }, "item: index -7 is out of bounds for size 6");
}

}  // namespace
}  // namespace cupyxx
