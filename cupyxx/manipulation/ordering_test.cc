// SPDX-License-Identifier: MIT
// Orders of memory; the expectations are NumPy's.
#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
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
using testing::expect_elements;
using testing::expect_error;

class Ordering : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Ordering);

TEST_P(Ordering, NewArraysLieAsAsked) {
  for (const ndarray& a : {empty({2, 3}, int32, Order::F), zeros({2, 3}, int32, Order::F),
                           ones({2, 3}, int32, Order::F), full({2, 3}, 7, int32, Order::F)}) {
    EXPECT_EQ(a.strides(), (Strides{4, 8}));
    EXPECT_TRUE(a.flags()["F"]);
    EXPECT_FALSE(a.flags()["C_CONTIGUOUS"]);
    EXPECT_EQ(a.device(), device());
  }
  expect_elements<int>(full({2, 3}, 7, {}, Order::F), {2, 3}, {7, 7, 7, 7, 7, 7});
  EXPECT_EQ(eye(3, 4, 1, float32, Order::F).strides(), (Strides{4, 12}));
  EXPECT_EQ(zeros({2, 3}, float64, Order::C).strides(), (Strides{24, 8}));
  EXPECT_TRUE(array({{1, 2}, {3, 4}}, {}, {.order = Order::F}).flags().f_contiguous);
  expect_elements<int>(array({{1, 2}, {3, 4}}, {}, {.order = Order::F}), {2, 2}, {1, 2, 3, 4});
}

TEST_P(Ordering, CopiesKeepOrChangeTheOrder) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  const ndarray turned = a.transpose({1, 2, 0});  // strides 32, 8, 96
  EXPECT_EQ(turned.copy(Order::K).strides(), (Strides{32, 8, 96}));
  EXPECT_EQ(turned.copy(Order::A).strides(), (Strides{64, 16, 8}));
  EXPECT_EQ(turned.copy(Order::F).strides(), (Strides{8, 24, 96}));
  EXPECT_EQ(turned.copy(Order::C).strides(), (Strides{64, 16, 8}));
  EXPECT_EQ(turned.copy().strides(), (Strides{32, 8, 96}));
  EXPECT_EQ(a.T().copy(Order::A).strides(), (Strides{8, 32, 96}));
  for (const Order order : {Order::C, Order::F, Order::A, Order::K}) {
    EXPECT_EQ(turned.copy(order).to_vector<int>(), turned.to_vector<int>());
    EXPECT_FALSE(turned.copy(order).shares_memory(a));
  }
  EXPECT_EQ(empty_like(turned, {}, {.order = Order::K}).strides(), (Strides{32, 8, 96}));
  EXPECT_EQ(zeros_like(a, int8, {.shape = Shape{5}}).shape(), (Shape{5}));
  expect_elements<int>(full_like(a, 3, int16, {.order = Order::F, .shape = Shape{2, 1}}), {2, 1},
                       {3, 3});
  EXPECT_TRUE(asfortranarray(a).flags().f_contiguous);
  EXPECT_TRUE(asfortranarray(a.T()).shares_memory(a));
  EXPECT_EQ(asfortranarray(array(1)).shape(), (Shape{1}));
  EXPECT_TRUE(asarray(a.T(), {}, Order::F).shares_memory(a));
  EXPECT_FALSE(asarray(a, {}, Order::F).shares_memory(a));
}

TEST_P(Ordering, AstypeTakesOrderAndCasting) {
  const ndarray a = arange(6).reshape({2, 3});
  EXPECT_EQ(a.astype(int32, {.order = Order::F}).strides(), (Strides{4, 8}));
  EXPECT_TRUE(a.astype(int64, {.copy = false}).shares_memory(a));
  EXPECT_FALSE(a.astype(int64, {.order = Order::F, .copy = false}).shares_memory(a));
  expect_error<DtypeError>([&] { a.astype(int32, {.casting = Casting::safe}); },
                           "astype: cannot cast from int64 to int32 with casting rule 'safe'");
}

TEST_P(Ordering, ElementsAreReadInAnOrder) {
  const ndarray a = arange(6).reshape({2, 3});
  expect_elements<int>(a.ravel(Order::F), {6}, {0, 3, 1, 4, 2, 5});
  expect_elements<int>(a.T().ravel(Order::K), {6}, {0, 1, 2, 3, 4, 5});
  expect_elements<int>(a.T().ravel(Order::A), {6}, {0, 1, 2, 3, 4, 5});
  expect_elements<int>(a.flatten(Order::F), {6}, {0, 3, 1, 4, 2, 5});
  EXPECT_TRUE(a.T().ravel(Order::F).shares_memory(a));
  EXPECT_FALSE(a.T().flatten(Order::F).shares_memory(a));
  expect_elements<int>(a.reshape({3, 2}, Order::F), {3, 2}, {0, 4, 3, 2, 1, 5});
  expect_elements<int>(a.T().reshape({2, 3}, Order::A), {2, 3}, {0, 2, 4, 1, 3, 5});
  expect_elements<int>(reshape(a, {-1, 2}, Order::C), {3, 2}, {0, 1, 2, 3, 4, 5});
  expect_error<ValueError>([&] { a.reshape({6}, Order::K); }, "reshape: order must be C, F or A");
}

TEST_P(Ordering, NdminCountsForEverythingThatBecomesAnArray) {
  EXPECT_EQ(array({1, 2}, {}, {.ndmin = 3}).shape(), (Shape{1, 1, 2}));
  EXPECT_EQ(array({{1.0f}}, float16, {.ndmin = 3}).shape(), (Shape{1, 1, 1}));
  EXPECT_EQ(array(std::vector<int>{1, 2}, int8, {.ndmin = 2}).shape(), (Shape{1, 2}));
  EXPECT_EQ(array(5, {}, {.ndmin = 2}).shape(), (Shape{1, 1}));
  const ndarray a = arange(3);
  EXPECT_TRUE(array(a, {}, {.copy = false, .ndmin = 2}).shares_memory(a));
  expect_error<ValueError>([] { array({1}, {}, {.ndmin = 40}); },
                           "array: ndmin is larger than the highest rank; 40 and 32");
}

TEST_P(Ordering, ArraysOverTheMemoryOfOthers) {
  const ndarray memory = arange(6);
  const ndarray windows({5, 2}, int64, memory, {8, 8});
  expect_elements<int>(windows, {5, 2}, {0, 1, 1, 2, 2, 3, 3, 4, 4, 5});
  EXPECT_TRUE(windows.shares_memory(memory));
  expect_elements<int>(ndarray({3}, int64, memory, {-16}, 32), {3}, {4, 2, 0});
  expect_elements<int>(ndarray({2}, int32, memory, {}, 8), {2}, {1, 0});
  ndarray({2}, int64, memory, {}, 32).fill(9);
  expect_elements<int>(memory, {6}, {0, 1, 2, 3, 9, 9});
  EXPECT_EQ(ndarray({0, 7}, float64, memory).size(), 0);
  expect_error<ValueError>([&] { ndarray({4}, int64, memory, {16}); },
                           "ndarray: the elements do not fit into the memory; shape (4,), strides "
                           "(16,), offset 0, 48 bytes");
  expect_error<ValueError>(
      [&] {
        ndarray({2, 2}, int64, memory, {8});
      },
      "ndarray: strides and shape differ in length; (8,) and (2, 2)");
}

TEST_P(Ordering, MethodsTakeTheOptionsOfTheirRoutines) {
  const ndarray a = array({{3.0, 1.0, 2.0}, {9.0, 8.0, 7.0}});
  const ndarray out = zeros({2, 3});
  EXPECT_EQ(a.clip(2, 8, out).data(), out.data());
  expect_elements<double>(out, {2, 3}, {3, 2, 2, 8, 8, 7});
  const ndarray picked = zeros({2});
  a.take(array({5, 7}), {.out = picked, .mode = IndexMode::wrap});
  expect_elements<double>(picked, {2}, {7, 1});
  expect_elements<double>(a.take(array({3}), 1, {.mode = IndexMode::clip}), {2, 1}, {2, 7});
  // By numbers, which go where the array is.
  EXPECT_EQ(take(a, 4).item<double>(), a.take(array(4)).item<double>());
  EXPECT_EQ(take(a, 1, 0).shape(), a(1).shape());
  expect_array_equal(take(a, {1, 0}), a.take(array({1, 0})));
  expect_array_equal(take(a, {1, 0}, 1), a.take(array({1, 0}), 1));
  expect_array_equal(take(a, {7, 99}, {.mode = IndexMode::clip}),
                     a.take(array({7, 99}), {.mode = IndexMode::clip}));
  expect_array_equal(take(a, -1, {.axis = 1}), a(slice(), -1));
  {
    const DeviceScope host(Device::cpu());
    EXPECT_EQ(take(a, {0, 1}).device(), device());
  }
  expect_error<TypeError>([] { take(ndarray(), 1); }, "take: the array is None");
  const ndarray product = zeros({2, 2});
  a.dot(a.T(), product);
  expect_elements<double>(product, {2, 2}, {14, 49, 49, 194});
  expect_elements<int>(a.argmax(1, {.keepdims = true}), {2, 1}, {0, 0});
  expect_elements<double>(a.trace(1, 0, 1, {.dtype = float32}), {}, {8});
  expect_elements<double>(a.cumsum(1), {2, 3}, {3, 4, 6, 9, 17, 24});
  expect_elements<double>(a.ptp(0, {.keepdims = true}), {1, 3}, {6, 7, 5});
  expect_elements<double>((a / 3).round(1), {2, 3}, {1, 0.3, 0.7, 3, 2.7, 2.3});
  expect_elements<double>(a.var({}, {.where = greater(a, 2)}), {}, {5.1875});
  expect_elements<int>(a.argsort(), {2, 3}, {1, 2, 0, 2, 1, 0});
  a.sort();
  expect_elements<double>(a, {2, 3}, {1, 2, 3, 7, 8, 9});
  a.sort(0);
  expect_elements<int>(a(0).searchsorted(array({0.0, 2.5})), {2}, {0, 2});
  EXPECT_EQ(greater(a, 7).nonzero()[1].to_vector<int>(), (std::vector<int>{1, 2}));
  expect_elements<int>(2 << array({1, 2}), {2}, {4, 8});
  expect_elements<int>(64 >> array({1, 2}), {2}, {32, 16});
}

}  // namespace
}  // namespace cupyxx
