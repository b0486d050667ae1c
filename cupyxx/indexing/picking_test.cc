// SPDX-License-Identifier: MIT
// Chosen elements and comparisons of whole arrays; the expectations are NumPy's.
#include <gtest/gtest.h>

#include <limits>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class Picking : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Picking);

TEST_P(Picking, AlongAnAxis) {
  const ndarray a = array({{10, 30, 20}, {60, 40, 50}});
  expect_elements<double>(take_along_axis(a, array({{0, 2, 1}, {1, 2, 0}}), 1), {2, 3},
                          {10, 20, 30, 40, 50, 60});
  expect_elements<double>(take_along_axis(a, array({{1, 0, 1}}), 0), {1, 3}, {60, 30, 50});
  put_along_axis(a, array({{1}, {-1}}), 99, 1);
  expect_elements<double>(a, {2, 3}, {10, 99, 20, 60, 40, 99});
  expect_error<ValueError>([&] { take_along_axis(a, array({0}), 0); },
                           "take_along_axis: indices need as many axes as the array; (1,) and "
                           "(2, 3)");
}

TEST_P(Picking, Puts) {
  const ndarray a = arange(6).reshape({2, 3});
  put(a, array({0, -1, 0}), array({7, 8, 9}));
  put(a.T(), array({1, 2}), array({-1}));
  put(a, array({7, -9}), 5, IndexMode::clip);
  put(a, array({8}), 6, IndexMode::wrap);
  expect_elements<double>(a, {2, 3}, {5, -1, 6, -1, 4, 5});
  const ndarray cycled = zeros({5});
  put(cycled, array({0, 1, 2, 3}), array({1, 2, 3}));
  expect_elements<double>(cycled, {5}, {1, 2, 3, 1, 0});
  expect_error<IndexError>(
      [&] {
        put(cycled, array({5}), 0);
        cycled.to_vector<int>();
      },
      "put: index 5 is out of bounds for size 5");
}

TEST_P(Picking, ScatterAddCountsEveryOccurrence) {
  const ndarray a = zeros({4}, float32);
  scatter_add(a, array({0, 1, 1, 3, 1}), array({1, 2, 3, 4, 5}));
  expect_elements<float>(a, {4}, {1, 10, 0, 4});
  scatter_add(a, array({2, 2}), 0.5, {.deterministic = false});
  expect_elements<float>(a, {4}, {1, 10, 1, 4});
  const ndarray m = zeros({2, 3}, int64);
  const Index index[] = {array({0, 1, 0}), slice(1, none)};
  scatter_add(m, index, array({10, 20}));
  expect_elements<int>(m, {2, 3}, {0, 20, 40, 0, 10, 20});
}

TEST_P(Picking, ChoosesAndCompresses) {
  const ndarray x = arange(4), y = arange(10, 14), z = arange(20, 24);
  expect_elements<double>(choose(array({2, 0, 1, 0}), {x, y, z}), {4}, {20, 1, 12, 3});
  expect_elements<double>(choose(array({4, -1, 1, 0}), {x, y, z}, IndexMode::wrap), {4},
                          {10, 21, 12, 3});
  expect_elements<double>(choose(array({4, -1, 1, 0}), {x, y, z}, IndexMode::clip), {4},
                          {20, 1, 12, 3});
  expect_error<ValueError>(
      [&] {
        choose(array({3}), {x, y, z});
      },
      "choose: invalid entry in choice array; 3 of 3");
  const ndarray a = arange(6).reshape({3, 2});
  expect_elements<double>(compress(array({false, true, true}), a, 0), {2, 2}, {2, 3, 4, 5});
  expect_elements<double>(compress(array({0, 1}), a, 1), {3, 1}, {1, 3, 5});
  expect_elements<double>(compress(array({false, true}), a), {1}, {1});
  expect_elements<double>(extract(array({{true, false}, {false, false}, {true, true}}), a), {3},
                          {0, 4, 5});
  expect_error<IndexError>(
      [&] {
        compress(array({true, true, true}), a, 1);
      },
      "compress: index 2 is out of bounds for axis 1 with size 2");
}

TEST_P(Picking, ComparesWholes) {
  const ndarray a = array({1.0, kNan, kInf, -kInf, 2.0});
  const ndarray b = array({1.0 + 1e-9, kNan, kInf, kInf, 2.1});
  expect_elements<double>(isclose(a, b), {5}, {1, 0, 1, 0, 0});
  expect_elements<double>(isclose(a, b, {.equal_nan = true}), {5}, {1, 1, 1, 0, 0});
  expect_elements<double>(isclose(a, b, {.rtol = 0.1}), {5}, {1, 0, 1, 0, 1});
  expect_elements<double>(isclose(array({100, 101}), 100, {.rtol = 0, .atol = 0.5}), {2}, {1, 0});
  EXPECT_TRUE(allclose(ones({2}), 1));
  EXPECT_FALSE(allclose(a, b));
  EXPECT_TRUE(array_equal(arange(3), array({0.0, 1.0, 2.0})));
  EXPECT_FALSE(array_equal(arange(3), arange(3).reshape({1, 3})));
  EXPECT_FALSE(array_equal(a, a));
  EXPECT_TRUE(array_equal(a, a, true));
  EXPECT_TRUE(array_equiv(arange(3), broadcast_to(arange(3), {2, 3})));
  EXPECT_FALSE(array_equiv(arange(3), arange(2)));
}

}  // namespace
}  // namespace cupyxx
