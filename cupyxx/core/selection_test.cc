// SPDX-License-Identifier: MIT
// Masks and index arrays; where, clip and take.
#include <gtest/gtest.h>

#include <limits>

#include "cupyxx/core/index.h"
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

class Selecting : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Selecting);

TEST_P(Selecting, MasksGather) {
  const ndarray a = arange(6).reshape({2, 3});
  const ndarray chosen = a(a > 2);
  expect_elements<int>(chosen, {3}, {3, 4, 5});
  EXPECT_FALSE(chosen.shares_memory(a));
  expect_elements<int>(ndarray(a(array({false, true}))), {1, 3}, {3, 4, 5});
  EXPECT_EQ(ndarray(a(a > 10)).shape(), (Shape{0}));
  EXPECT_EQ(ndarray(a(array({false, false}))).shape(), (Shape{0, 3}));
  expect_elements<int>(ndarray(a.T()(a.T() > 3)), {2}, {4, 5});
}

TEST_P(Selecting, MasksGatherElementsOfEverySizeInTheirOrder) {
  constexpr std::int64_t kSize = 100003;  // many tiles, the last of them a part
  const ndarray numbers = arange(kSize), mask = numbers % 5 > 2;
  for (const dtype type : {uint8, int16, float32, int64, complex128}) {
    const ndarray a = numbers.astype(type);
    std::vector<double> expected;
    for (std::int64_t i = 3; i < kSize; i += 5) {
      for (const std::int64_t k : {i, i + 1}) {
        expected.push_back(static_cast<double>(type == uint8   ? k % 256
                                               : type == int16 ? static_cast<std::int16_t>(k)
                                                               : k));
      }
    }
    EXPECT_EQ(ndarray(a(mask)).to_vector<double>(), expected) << type.name();
    EXPECT_EQ(ndarray(a(slice(1, none))(mask(slice(1, none)))).to_vector<double>(), expected);
    EXPECT_EQ(ndarray(a.reshape({1, kSize})(mask.reshape({1, kSize}))).to_vector<double>(),
              expected);
  }
}

TEST_P(Selecting, MasksTakeValues) {
  const ndarray a = arange(6, float32).reshape({2, 3});
  a(a > 3) = -1;
  expect_elements<float>(a, {2, 3}, {0, 1, 2, 3, -1, -1});
  a(a < 0) = array({7, 8});
  expect_elements<float>(a, {2, 3}, {0, 1, 2, 3, 7, 8});
  a(array({true, false})) = array({9, 9, 9});
  expect_elements<float>(a(0), {3}, {9, 9, 9});
  a(a == 9) += 1;
  a(a == 10) /= 4;
  expect_elements<float>(a, {2, 3}, {2.5, 2.5, 2.5, 3, 7, 8});
  a(a > 5) = ndarray(a(a < 2.6))(slice(2));
  expect_elements<float>(a(1), {3}, {3, 2.5, 2.5});
}

TEST_P(Selecting, TakesLists) {
  const ndarray a = arange(6).reshape({3, 2});
  a(a > 3) = {7, 8};
  expect_elements<int>(a, {3, 2}, {0, 1, 2, 3, 7, 8});
  a({0, 2}) = {{1, 2}, {3, 4}};
  a({1, 2}, {0, 1}) = std::vector<int>{10, 20};
  expect_elements<int>(a, {3, 2}, {1, 2, 10, 3, 3, 20});
  a(array({0, 1})) = {5};
  expect_elements<int>(a, {3, 2}, {5, 5, 5, 5, 3, 20});
}

TEST_P(Selecting, MasksMustMatch) {
  const ndarray a = zeros({2, 3});
  expect_error<IndexError>(
      [&] {
        a(array({true, false, true})).get();
      },
      "getitem: boolean index of shape (3,) does not match the array of "
      "shape (2, 3)");
  expect_error<ValueError>(
      [&] {
        a(a == 0) = array({1, 2, 3, 4});
      },
      "setitem: cannot assign (4,) input values to the 6 output values where "
      "the mask is true");
  expect_error<IndexError>(
      [&] {
        a(array({1.0, 2.0}));
      },
      "arrays used as indices must be of integer or boolean type, not "
      "float64");
  expect_error<ValueError>(
      [&] {
        broadcast_to(a, {2, 2, 3})(array({true, false})) = 1;
      },
      "setitem: assignment destination is read-only");
}

TEST_P(Selecting, IndexArraysGatherRows) {
  const ndarray a = arange(6).reshape({3, 2});
  expect_elements<int>(ndarray(a(array({2, 0, -1}))), {3, 2}, {4, 5, 0, 1, 4, 5});
  EXPECT_EQ(ndarray(a(array({{0, 1}, {2, 0}}))).shape(), (Shape{2, 2, 2}));
  expect_elements<int>(ndarray(a(array(std::vector<std::int32_t>{1}))), {1, 2}, {2, 3});
}

TEST_P(Selecting, IndexArraysTakeValues) {
  const ndarray a = zeros({4}, int64);
  a(array({1, 3, 1})) = array({5, 6, 7});  // the last of equal positions wins
  expect_elements<int>(a, {4}, {0, 7, 0, 6});
  a(array({0, -2})) = 9;
  expect_elements<int>(a, {4}, {9, 7, 9, 6});
  a(array({0, 0})) += 1;  // each position once, as in NumPy
  EXPECT_EQ(a(0).item<int>(), 10);
  const ndarray m = zeros({3, 2});
  m(array({2, 0})) = array({{1, 2}, {3, 4}});
  expect_elements<double>(m, {3, 2}, {3, 4, 0, 0, 1, 2});
  // A device says so when it is waited for, and writes what is in range.
  expect_error<IndexError>(
      [&] {
        a(array({4, 2})) = 1;
        a.to_vector<int>();
      },
      "setitem: index 4 is out of bounds for ");
}

TEST_P(Selecting, WhereChooses) {
  const ndarray c = array({{true}, {false}});
  expect_elements<int>(where(c, arange(3), -1), {2, 3}, {0, 1, 2, -1, -1, -1});
  expect_elements<double>(where(array({1.0, 0.0}), 0.5, array({3.0, 4.0})), {2}, {0.5, 4});
}

TEST_P(Selecting, ClipLimits) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const ndarray a = array({-2.0, 0.5, kNan, 9.0});
  testing::expect_array_equal(clip(a, 0, 1), array({0.0, 0.5, kNan, 1.0}));
  expect_elements<int>(clip(arange(5), 3, 1), {5}, {1, 1, 1, 1, 1});
  EXPECT_EQ(clip(arange(5, uint8), 1, 3).dtype(), uint8);
  expect_elements<int>(clip(arange(4), array({1, 1, 1, 5}), 9), {4}, {1, 1, 2, 5});
  const ndarray out = zeros({4});
  clip(a, 0, 1, out);
  EXPECT_EQ(out(3).item<double>(), 1);
}

TEST_P(Selecting, ClipWithOneLimit) {
  const ndarray a = arange(5, uint8);
  expect_elements<int>(clip(a, {}, 3), {5}, {0, 1, 2, 3, 3});
  expect_elements<int>(clip(a, 2, none), {5}, {2, 2, 2, 3, 4});
  expect_elements<int>(clip(a, ndarray(), array({1, 2, 1, 2, 1}, uint8)), {5}, {0, 1, 1, 2, 1});
  EXPECT_EQ(clip(a, {}, 3).dtype(), uint8);
  const ndarray out = zeros({5});
  clip(a, 3, {}, out);
  expect_elements<double>(out, {5}, {3, 3, 3, 3, 4});
  expect_error<ValueError>([&] { clip(a, {}, {}); }, "clip: one of the limits must be given");
}

TEST_P(Selecting, TakeGathersAlongAnAxis) {
  const ndarray a = arange(6).reshape({2, 3});
  expect_elements<int>(take(a, array({5, 0, -1})), {3}, {5, 0, 5});
  expect_elements<int>(take(a, array({2, 0}), 1), {2, 2}, {2, 0, 5, 3});
  expect_elements<int>(take(a, array({4, -4}), 1, {.mode = IndexMode::wrap}), {2, 2}, {1, 2, 4, 5});
  expect_elements<int>(take(a, array({4, -4}), 1, {.mode = IndexMode::clip}), {2, 2}, {2, 0, 5, 3});
  EXPECT_EQ(take(a, array(1), 1).shape(), (Shape{2}));
  expect_error<AxisError>([&] { take(a, array({0}), 2); }, "take: axis 2 is out of bounds");
  expect_error<TypeError>([&] { take(a, array({0.5})); }, "take: indices must be integers");
  expect_error<IndexError>([] { take(zeros({0}), array({0}), 0); }, "take: cannot do a non-empty");
  // On a device the error comes with the next wait.
  expect_error<IndexError>([&] { take(a, array({3}), 1).to_vector<int>(); }, "take: index 3");
}

TEST_P(Selecting, DiagonalsAreViewsThatWriteThrough) {
  const ndarray a = arange(12).reshape({3, 4});
  expect_elements<int>(diagonal(a), {3}, {0, 5, 10});
  expect_elements<int>(diagonal(a, 1), {3}, {1, 6, 11});
  expect_elements<int>(diagonal(a, -2), {1}, {8});
  EXPECT_EQ(diagonal(a, 9).shape(), (Shape{0}));
  EXPECT_TRUE(diagonal(a).shares_memory(a));
  diagonal(a, 1)(slice()) = 0;
  expect_elements<int>(a, {3, 4}, {0, 0, 2, 3, 4, 5, 0, 7, 8, 9, 10, 0});
  EXPECT_FALSE(diagonal(broadcast_to(a, {2, 3, 4}), 0, 1, 2).flags().writeable);
  expect_error<ValueError>([] { diagonal(zeros({3})); }, "diagonal: requires an array of at least");
}

}  // namespace
}  // namespace cupyxx
