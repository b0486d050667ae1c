// SPDX-License-Identifier: MIT
// Index lists with arrays; the expectations are NumPy's.
#include <gtest/gtest.h>

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

class AdvancedIndex : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(AdvancedIndex);

ndarray cube() { return arange(60).reshape({3, 4, 5}); }

TEST_P(AdvancedIndex, ArraysBroadcastTogether) {
  const ndarray a = cube();
  const ndarray i = array({0, 2}), j = array({{1}, {-1}, {0}}), k = array({4, -5});
  expect_elements<double>(a(i, j), {3, 2, 5},
                          {5,  6,  7,  8,  9,  45, 46, 47, 48, 49, 15, 16, 17, 18, 19,
                           55, 56, 57, 58, 59, 0,  1,  2,  3,  4,  40, 41, 42, 43, 44});
  expect_elements<double>(a(i, j, k), {3, 2}, {9, 45, 19, 55, 4, 40});
  expect_elements<double>(a(i, i), {2, 5}, {0, 1, 2, 3, 4, 50, 51, 52, 53, 54});
  expect_elements<double>(
      a(j, slice(), k), {3, 2, 4},
      {24, 29, 34, 39, 20, 25, 30, 35, 44, 49, 54, 59, 40, 45, 50, 55, 4, 9, 14, 19, 0, 5, 10, 15});
}

TEST_P(AdvancedIndex, ListsInBracesStandAmongSeveralEntries) {
  const ndarray a = cube();
  expect_elements<double>(a({0, 2}, slice(), {1, -1}), {2, 4}, {1, 6, 11, 16, 44, 49, 54, 59});
  expect_elements<double>(a({0, 2}, {1, 3}, {4, 0}), {2}, {9, 55});
  expect_elements<double>(a(0, {1, 2}, none), {2, 1, 5}, {5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  expect_elements<double>(a(array({0, 2}), {true, false, true, false}), {2, 5},
                          {0, 1, 2, 3, 4, 50, 51, 52, 53, 54});
  expect_elements<double>(a({true, false, true}, slice(), {0, 1}), {2, 4},
                          {0, 5, 10, 15, 41, 46, 51, 56});
  const ndarray b = arange(48).reshape({2, 3, 2, 4});
  expect_elements<double>(b({0, 1}, slice(), {1, 0}, 2), {2, 3}, {6, 14, 22, 26, 34, 42});
  b({0, 1}, slice(), {1, 0}, 2) = -1;
  b({0, 1}, {0, 2}, 0, 0) += 100;
  EXPECT_EQ(b(0, slice(), 1, 2).to_vector<int>(), (std::vector<int>{-1, -1, -1}));
  EXPECT_EQ(b(slice(), {0, 2}, 0, 0).to_vector<int>(), (std::vector<int>{100, 16, 24, 140}));
}

TEST_P(AdvancedIndex, TheirAxesStandWhereTheArraysStood) {
  const ndarray a = cube();
  const ndarray i = array({0, 2, 1});
  expect_elements<double>(a(slice(), i, i), {3, 3}, {0, 12, 6, 20, 32, 26, 40, 52, 46});
  expect_elements<double>(a(slice(1, 3), i), {2, 3, 5},
                          {20, 21, 22, 23, 24, 30, 31, 32, 33, 34, 25, 26, 27, 28, 29,
                           40, 41, 42, 43, 44, 50, 51, 52, 53, 54, 45, 46, 47, 48, 49});
  expect_elements<double>(a(ellipsis, i), {3, 4, 3},
                          {0,  2,  1,  5,  7,  6,  10, 12, 11, 15, 17, 16, 20, 22, 21, 25, 27, 26,
                           30, 32, 31, 35, 37, 36, 40, 42, 41, 45, 47, 46, 50, 52, 51, 55, 57, 56});
  expect_elements<double>(a(slice(), 1, i), {3, 3}, {5, 7, 6, 25, 27, 26, 45, 47, 46});
  expect_elements<double>(a(slice(), i, slice(none, none, 2)), {3, 3, 3},
                          {0,  2,  4,  10, 12, 14, 5,  7,  9,  20, 22, 24, 30, 32,
                           34, 25, 27, 29, 40, 42, 44, 50, 52, 54, 45, 47, 49});
  expect_elements<double>(a(newaxis, i, slice(2), newaxis), {1, 3, 2, 1, 5},
                          {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  40, 41, 42, 43, 44,
                           45, 46, 47, 48, 49, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29});
  expect_elements<double>(a.T()(slice(), i, slice(1)), {5, 3, 1},
                          {0, 10, 5, 1, 11, 6, 2, 12, 7, 3, 13, 8, 4, 14, 9});
}

TEST_P(AdvancedIndex, SeparatedArraysPutTheirAxesInFront) {
  const ndarray a = cube();
  const ndarray i = array({0, 2, 1});
  expect_elements<double>(a(i, slice(), i), {3, 4}, {0, 5, 10, 15, 42, 47, 52, 57, 21, 26, 31, 36});
  expect_elements<double>(a(0, slice(), i), {3, 4}, {0, 5, 10, 15, 2, 7, 12, 17, 1, 6, 11, 16});
  expect_elements<double>(a(i, newaxis, i), {3, 1, 5},
                          {0, 1, 2, 3, 4, 50, 51, 52, 53, 54, 25, 26, 27, 28, 29});
  expect_elements<double>(a(newaxis, i, slice(), 1), {3, 1, 4},
                          {1, 6, 11, 16, 41, 46, 51, 56, 21, 26, 31, 36});
  expect_elements<double>(a(i, ellipsis, i), {3, 4},
                          {0, 5, 10, 15, 42, 47, 52, 57, 21, 26, 31, 36});
}

TEST_P(AdvancedIndex, MasksStandForTheirPositions) {
  const ndarray a = cube();
  const ndarray m = array({true, false, true}), n = (a(0) % 3) == 0, i = array({1, 2});
  expect_elements<double>(a(m, i), {2, 5}, {5, 6, 7, 8, 9, 50, 51, 52, 53, 54});
  expect_elements<double>(a(m, slice(), i), {2, 4}, {1, 6, 11, 16, 42, 47, 52, 57});
  expect_elements<double>(a(1, n), {7}, {20, 23, 26, 29, 32, 35, 38});
  expect_elements<double>(a(slice(), n), {3, 7}, {0,  3,  6,  9,  12, 15, 18, 20, 23, 26, 29,
                                                  32, 35, 38, 40, 43, 46, 49, 52, 55, 58});
  expect_elements<double>(a(ellipsis, array({true, false, false, true, true})), {3, 4, 3},
                          {0,  3,  4,  5,  8,  9,  10, 13, 14, 15, 18, 19, 20, 23, 24, 25, 28, 29,
                           30, 33, 34, 35, 38, 39, 40, 43, 44, 45, 48, 49, 50, 53, 54, 55, 58, 59});
  expect_elements<double>(a(array({1}), array({false, false, false, false})), {0, 5}, {});
}

TEST_P(AdvancedIndex, ZeroDimensionalArraysAreIntegersOrTruth) {
  const ndarray a = cube();
  expect_elements<double>(a(array(Scalar(1)), slice(2)), {2, 5},
                          {20, 21, 22, 23, 24, 25, 26, 27, 28, 29});
  expect_elements<double>(
      ndarray(a(array(Scalar(true)))), {1, 3, 4, 5},
      {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
       20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
       40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59});
  expect_elements<double>(a(0, 0, array(Scalar(false))), {0, 5}, {});
  EXPECT_FALSE(ndarray(a(array(Scalar(1)), 0)).shares_memory(a));
}

TEST_P(AdvancedIndex, AssignsAndTheLastValueWins) {
  const ndarray a = cube();
  a(array({0, 2}), slice(), array({1, 1})) = arange(4);
  expect_elements<double>(
      a, {3, 4, 5},
      {0,  0,  2,  3,  4,  5,  1,  7,  8,  9,  10, 2,  12, 13, 14, 15, 3,  17, 18, 19,
       20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
       40, 0,  42, 43, 44, 45, 1,  47, 48, 49, 50, 2,  52, 53, 54, 55, 3,  57, 58, 59});
  a(slice(), array({3, 0}), slice(none, none, -2)) = -1;
  expect_elements<double>(
      a, {3, 4, 5},
      {-1, 0,  -1, 3,  -1, 5,  1,  7,  8,  9,  10, 2,  12, 13, 14, -1, 3,  -1, 18, -1,
       -1, 21, -1, 23, -1, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, -1, 36, -1, 38, -1,
       -1, 0,  -1, 43, -1, 45, 1,  47, 48, 49, 50, 2,  52, 53, 54, -1, 3,  -1, 58, -1});
  const ndarray c = zeros({5});
  c(array({1, 1, 3, 1})) = array({1, 2, 3, 4});
  expect_elements<double>(c, {5}, {0, 4, 0, 3, 0});
  a(array({true, false, true}), slice(1, 3), 0) = array({{7, 8}, {9, 10}});
  expect_elements<double>(
      a, {3, 4, 5},
      {-1, 0,  -1, 3,  -1, 7,  1,  7,  8,  9,  8,  2,  12, 13, 14, -1, 3,  -1, 18, -1,
       -1, 21, -1, 23, -1, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, -1, 36, -1, 38, -1,
       -1, 0,  -1, 43, -1, 9,  1,  47, 48, 49, 10, 2,  52, 53, 54, -1, 3,  -1, 58, -1});
  const ndarray t = cube();
  t.T()(array({0, 4}), array({1, 2})) = 5;
  expect_elements<double>(
      t, {3, 4, 5}, {0,  1,  2,  3,  4,  5, 6,  7,  8,  9,  10, 11, 12, 13, 5, 15, 16, 17, 18, 19,
                     20, 21, 22, 23, 24, 5, 26, 27, 28, 29, 30, 31, 32, 33, 5, 35, 36, 37, 38, 39,
                     40, 41, 42, 43, 44, 5, 46, 47, 48, 49, 50, 51, 52, 53, 5, 55, 56, 57, 58, 59});
}

TEST_P(AdvancedIndex, ChangesInPlace) {
  const ndarray a = cube();
  a(array({0, 0, 2}), 1) += 100;
  a(array({1}), slice(), array({2})) %= 7;
  a(array({2}), array({3})).ifloordiv(4);
  a(slice(), array({0})).ipow(2);
  expect_elements<double>(
      a, {3, 4, 5}, {0,   1,   4,   9,   16,  105, 106, 107, 108, 109, 10,   11,   12,   13,   14,
                     15,  16,  17,  18,  19,  400, 441, 1,   529, 576, 25,   26,   6,    28,   29,
                     30,  31,  4,   33,  34,  35,  36,  2,   38,  39,  1600, 1681, 1764, 1849, 1936,
                     145, 146, 147, 148, 149, 50,  51,  52,  53,  54,  13,   14,   14,   14,   14});
  const ndarray f = zeros({3}, int32);
  expect_error<DtypeError>([&] { f(array({0})) += 0.5; }, "cannot cast");
}

TEST_P(AdvancedIndex, ListsMadeAtRunTime) {
  const ndarray a = cube();
  const std::vector<Index> index{slice(), array({1, 3}), -1};
  expect_elements<double>(a.getitem(index), {3, 2}, {9, 19, 29, 39, 49, 59});
  a.setitem(index, 0);
  expect_elements<double>(
      a, {3, 4, 5}, {0,  1,  2,  3,  4,  5,  6,  7,  8,  0, 10, 11, 12, 13, 14, 15, 16, 17, 18, 0,
                     20, 21, 22, 23, 24, 25, 26, 27, 28, 0, 30, 31, 32, 33, 34, 35, 36, 37, 38, 0,
                     40, 41, 42, 43, 44, 45, 46, 47, 48, 0, 50, 51, 52, 53, 54, 55, 56, 57, 58, 0});
  const std::vector<Index> basic{1, ellipsis};
  EXPECT_TRUE(a.getitem(basic).get().shares_memory(a));
  a.getitem(basic) = 3;
  EXPECT_EQ(a(1, 2, 2).item<int>(), 3);
}

// More arrays than a device combines in one step.
TEST_P(AdvancedIndex, TenArraysIndexTenAxes) {
  const ndarray a = arange(1024).reshape({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}).astype(float64);
  const std::vector<std::int64_t> chosen{5, 1023, 512, 5, 682};
  std::vector<Index> index;
  for (int axis = 0; axis < 10; ++axis) {
    std::vector<std::int64_t> bits;
    for (const std::int64_t number : chosen) bits.push_back(number >> (9 - axis) & 1);
    if (axis == 3) bits[1] = -1;  // from the end: 1
    index.emplace_back(array(bits));
  }
  expect_elements<double>(a.getitem(index), {5}, {5, 1023, 512, 5, 682});
  a.setitem(index, array({-1, -2, -3, -4, -5}));
  expect_elements<double>(a.getitem(index), {5}, {-4, -2, -3, -4, -5});
  EXPECT_EQ(a.sum().item<double>(), 1023 * 512 - (5 + 1023 + 512 + 682) - (4 + 2 + 3 + 5));
  for (const int axis : {0, 7, 8, 9}) {
    std::vector<Index> beyond = index;
    beyond[static_cast<std::size_t>(axis)] = Index(array({0, 1, 0, 2, 1}));
    expect_error<IndexError>([&] { a.getitem(beyond).get().to_cpu(); }, "index 2 is out of bounds");
  }
}

TEST_P(AdvancedIndex, EmptyArraysChooseNothing) {
  const ndarray a = cube();
  const ndarray none_at_all = zeros({0}, int64);
  EXPECT_EQ(ndarray(a(none_at_all, slice(), none_at_all)).shape(), (Shape{0, 4}));
  a(none_at_all, 1) = 5;
  expect_elements<double>(
      a, {3, 4, 5},
      {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
       20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
       40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59});
}

TEST_P(AdvancedIndex, TheLastValueForAPlaceStays) {
  // Values 0, 1, 2, ... for few places among many and for all places.
  for (const std::int64_t size : {std::int64_t{50}, std::int64_t{3} << 20}) {
    const ndarray a = zeros({size}, int32), place = arange(1000) % 7;
    a(place) = arange(1000, int32);
    expect_elements<int>(a(slice(0, 8)), {8}, {994, 995, 996, 997, 998, 999, 993, 0});
  }
  const ndarray m = zeros({3, 4, 2}, int16);
  m(slice(), array({1, 3, 1})) = arange(18, int16).reshape({3, 3, 2});
  expect_elements<int>(m(slice(), 1), {3, 2}, {4, 5, 10, 11, 16, 17});
  expect_elements<int>(m(slice(), 3), {3, 2}, {2, 3, 8, 9, 14, 15});
  EXPECT_EQ(m.sum().item<int>(), 114);
  const ndarray wide = zeros({4, 64}, float64);
  wide(array({2, 0})) = ones({64});
  EXPECT_EQ(wide(slice(none, none, 2)).sum().item<double>(), 128);
  EXPECT_EQ(wide.sum().item<double>(), 128);
}

TEST_P(AdvancedIndex, NestedListsInBracesKeepTheirAxes) {
  const ndarray a = arange(12).reshape({3, 4});
  expect_elements<int>(a({{0}, {2}}, {1, 3}), {2, 2}, {1, 3, 9, 11});
  expect_elements<int>(a({{0}, {2}}), {2, 1, 4}, {0, 1, 2, 3, 8, 9, 10, 11});
  expect_elements<int>(a(slice(), {{0, 1}, {3, 2}}), {3, 2, 2},
                       {0, 1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10});
  expect_elements<int>(a(1, {{{0, 1}}, {{2, 3}}}), {2, 1, 2}, {4, 5, 6, 7});
  expect_elements<int>(a(slice(), {1}), {3, 1}, {1, 5, 9});
  const std::size_t last = 2;
  expect_elements<int>(a({last, 0}, {a(0, 1), 0}), {2}, {9, 0});
  const ndarray b = a.copy();
  b({{0}, {2}}, {1, 3}) = 0;
  b({{1}, {1}}) += 1;
  expect_elements<int>(b, {3, 4}, {0, 0, 2, 0, 5, 6, 7, 8, 8, 0, 10, 0});
  expect_error<ValueError>(
      [&] {
        a({{0, 1}, {2}});
      },
      "getitem: the lists of an index differ in length, 2 and 1");
  expect_error<ValueError>(
      [&] {
        a(slice(), {{0, 1}, 2});
      },
      "getitem: the lists of an index are not all nested as deep");
}

TEST_P(AdvancedIndex, AtTakesAListForEachAxis) {
  const ndarray a = zeros({2, 3}, int64);
  add.at(a, {{0, 0, 1}, {1, 1, 2}}, 5);
  add.at(a, {0, 0}, 1);
  const ufunc& f = subtract;
  f.at(a, {{1, 1}, {0, 0}}, {3, 4});
  negative.at(a, {{1, 0}, {2, 0}});
  expect_elements<int>(a, {2, 3}, {-2, 12, 2, -7, 0, -5});
  // Of one number each, which is no list of two rows.
  add.at(a, {{1}, {1}}, 4);
  f.at(a, {{0}}, 1);
  negative.at(a, {{0}, {2}});
  expect_elements<int>(a, {2, 3}, {-3, 11, -1, -7, 4, -5});
}

TEST_P(AdvancedIndex, AMaskAmongOthersIsCounted) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  const ndarray mask = array({{true, false, true}, {false, true, false}});
  expect_elements<int>(a(mask, array({0, 1, 2})), {3}, {0, 9, 18});
  a(mask, 3) = -1;
  expect_elements<int>(a(slice(), slice(), 3), {2, 3}, {-1, 7, -1, 15, -1, 23});
  const ndarray never = zeros({3}, bool_);
  EXPECT_EQ(a(slice(), never, 0).get().shape(), (Shape{2, 0}));
}

TEST_P(AdvancedIndex, ReportsWhatDoesNotFit) {
  const ndarray a = cube();
  expect_error<IndexError>(
      [&] {
        a(array({0, 1}), array({0, 1, 2})).get();
      },
      "getitem: indexing arrays could not be broadcast together; shapes (2,) "
      "(3,)");
  expect_error<IndexError>(
      [&] {
        a(slice(), array({true, false})).get();
      },
      "getitem: boolean index of shape (2,) does not match the array of shape "
      "(3, 4, 5)");
  expect_error<IndexError>([&] { a(array({0}), 0, 0, 0).get(); },
                           "getitem: too many indices for array: array is 3-dimensional, but 4 "
                           "were indexed");
  expect_error<IndexError>([&] { a(array({0}), 4).get(); },
                           "getitem: index 4 is out of bounds for axis 1 with size 4");
  expect_error<IndexError>([&] { a(array({1.5}), 0).get(); },
                           "arrays used as indices must be of integer or boolean type, not "
                           "float64");
  expect_error<ShapeError>(
      [&] {
        a(array({0, 1}), 0) = zeros({3});
      },
      "setitem: operands could not be broadcast together with shapes (2, 5) "
      "and (3,)");
  expect_error<ValueError>(
      [&] {
        broadcast_to(a, {3, 4, 5})(array({0}), 0) = 1;
      },
      "assignment destination is read-only");
  expect_error<IndexError>(
      [&] {
        a(array({0, 3}), 0) = 1;
        a.to_vector<int>();
      },
      "setitem: index 3 is out of bounds for ");
  expect_error<IndexError>(
      [&] {
        a(array({0, 1}), array({0, -5})).get().to_vector<int>();
      },
      "getitem: index -5 is out of bounds for ");
}

}  // namespace
}  // namespace cupyxx
