// SPDX-License-Identifier: MIT
// Expected values are NumPy's.
#include "cupyxx/creation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class Creation : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Creation);

TEST_P(Creation, ListsBecomeArrays) {
  const ndarray a = array({{1, 2}, {3, 4}});
  EXPECT_EQ(a.dtype(), int64);
  EXPECT_EQ(a.device(), device());
  expect_elements<int>(a, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(array({1.0f, 2.0f}).dtype(), float32);
  EXPECT_EQ(array({1.0, 2.0}).dtype(), float64);
  EXPECT_EQ(array({true, false}).dtype(), bool_);
  EXPECT_EQ(array({1u}).dtype(), uint32);
  EXPECT_EQ(array({{{1}, {2}}}).shape(), (Shape{1, 2, 1}));
  EXPECT_EQ(array({1, 2}, float16).dtype(), float16);
  EXPECT_EQ(array({1.9, -1.9}, int32).to_vector<int>(), (std::vector<int>{1, -1}));
}

// As in lists; array(2.0f) was float64, which is not computed with beside float32 variables.
TEST_P(Creation, NumbersKeepTheirType) {
  EXPECT_EQ(array(2.0f).dtype(), float32);
  EXPECT_EQ(array(half(2.0f)).dtype(), float16);
  EXPECT_EQ(array(bfloat16(2.0f)).dtype(), bfloat16_);
  EXPECT_EQ(array(2.0).dtype(), float64);
  EXPECT_EQ(array(2).dtype(), int64);
  EXPECT_EQ(array(2u).dtype(), uint32);
  EXPECT_EQ(array(true).dtype(), bool_);
  EXPECT_EQ(array(Scalar(2.0f)).dtype(), float64);
  EXPECT_EQ(array(2.5f, int32).dtype(), int32);
  const ndarray a = array(2.5f, {.ndmin = 1});
  EXPECT_EQ(a.dtype(), float32);
  EXPECT_EQ(a.device(), device());
  expect_elements<float>(a, {1}, {2.5f});
}

TEST_P(Creation, VectorsKeepTheirType) {
  EXPECT_EQ(array(std::vector<int>{1, 2}).dtype(), int32);
  EXPECT_EQ(array(std::vector<std::int64_t>{1}).dtype(), int64);
  EXPECT_EQ(array(std::vector<std::uint8_t>{1}).dtype(), uint8);
  EXPECT_EQ(array(std::vector<half>{half(1.5f)}).dtype(), float16);
  EXPECT_EQ(array(std::vector<float>{}).shape(), (Shape{0}));
  const std::vector<double> values = {1, 2};
  const ndarray a = asarray(std::span(values));
  expect_elements<double>(a, {2}, {1, 2});
  EXPECT_EQ(asarray(std::span(values), float32).dtype(), float32);
}

TEST_P(Creation, RefusesRaggedListsAndIntegersThatDoNotFit) {
  expect_error<ValueError>(
      [] {
        array({{1, 2}, {3}});
      },
      "array: nested lists of different lengths: 2 and 1");
  expect_error<OverflowError>([] { array({1, 300}, uint8); }, "array: 300 does not fit uint8");
  expect_error<OverflowError>([] { array({-1, 3}, uint64); }, "array: -1 does not fit uint64");
  expect_error<ValueError>(
      [] {
        zeros({2, -3});
      },
      "zeros: negative dimensions are not allowed; (2, -3)");
}

TEST_P(Creation, Fills) {
  expect_elements<double>(zeros({2, 2}), {2, 2}, {0, 0, 0, 0});
  expect_elements<int>(ones({3}, int8), {3}, {1, 1, 1});
  expect_elements<int>(ones({2}, bool_), {2}, {1, 1});
  EXPECT_EQ(full({2}, 7).dtype(), int64);
  EXPECT_EQ(full({2}, 7.0f).dtype(), float32);
  EXPECT_EQ(full({2}, 7.0f, {.order = "F"}).dtype(), float32);
  EXPECT_EQ(full({2}, 7.0f, {.dtype = int8}).dtype(), int8);
  EXPECT_EQ(full({2}, half(2)).dtype(), float16);
  // Of integers int64, where counts may go below 0; C's INFINITY is a float.
  EXPECT_EQ(full({2}, std::uint8_t{7}).dtype(), int64);
  expect_elements<double>(full({2}, std::vector<int>(3).size()) - 4, {2}, {-1, -1});
  EXPECT_EQ(full({2}, INFINITY).dtype(), float64);
  EXPECT_EQ(full({2}, NAN).dtype(), float64);
  EXPECT_EQ(full<float>({2}, 1.0).dtype(), float32);
  EXPECT_EQ(full<float>({2}, array(1)).dtype(), float32);
  EXPECT_EQ(full({2}, 7.0).dtype(), float64);
  EXPECT_EQ(full({2}, true).dtype(), bool_);
  expect_elements<float>(full({2, 2}, array({1.0f, 2.0f})), {2, 2}, {1, 2, 1, 2});
  EXPECT_EQ(full({2}, array({1.0f, 2.0f})).dtype(), float32);
  EXPECT_EQ(full({}, 5).shape(), Shape{});
  EXPECT_EQ(zeros({100000}).to_vector<double>(), std::vector<double>(100000));
}

TEST_P(Creation, LikeTakesShapeAndDtype) {
  const ndarray a = ones({2, 3}, int16).T();
  for (const ndarray& like : {zeros_like(a), ones_like(a), empty_like(a), full_like(a, 3)}) {
    EXPECT_EQ(like.shape(), a.shape());
    EXPECT_EQ(like.dtype(), int16);
    EXPECT_EQ(like.device(), device());
  }
  EXPECT_EQ(zeros_like(a, float32).dtype(), float32);
  EXPECT_EQ(full_like(a, 3)(0, 0).item<int>(), 3);
}

TEST_P(Creation, ArangeOfIntegers) {
  expect_elements<int>(arange(4), {4}, {0, 1, 2, 3});
  EXPECT_EQ(arange(4).dtype(), int64);
  expect_elements<int>(arange(2, 5), {3}, {2, 3, 4});
  expect_elements<int>(arange(5, 0, -2), {3}, {5, 3, 1});
  EXPECT_EQ(arange(0).shape(), (Shape{0}));
  EXPECT_EQ(arange(5, 2).shape(), (Shape{0}));
  EXPECT_EQ(arange(3, uint8).dtype(), uint8);
  expect_elements<int>(arange(2, bool_), {2}, {0, 1});
  expect_elements<std::int64_t>(arange(INT64_MAX - 2, INT64_MAX), {2},
                                {INT64_MAX - 2, INT64_MAX - 1});
  expect_error<ValueError>([] { arange(0, 3, 0); }, "arange: the step is zero");
  // The first two numbers must fit; NumPy lets the others wrap around.
  expect_error<OverflowError>([] { arange(-5, 5, 2, uint8); }, "arange: -5 does not fit uint8");
  expect_error<OverflowError>([] { arange(0, -3, -1, uint8); }, "arange: -1 does not fit uint8");
  expect_elements<int>(arange(0, 300, 100, uint8), {3}, {0, 100, 200});
}

TEST_P(Creation, ArangeOfFloats) {
  expect_elements<double>(arange(2.5), {3}, {0, 1, 2});
  expect_elements<double>(arange(0, 1, 0.1), {10},
                          {0.0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6000000000000001,
                           0.7000000000000001, 0.8, 0.9});
  expect_elements<double>(arange(1, 2, 0.3), {4}, {1.0, 1.3, 1.6, 1.9000000000000001});
  expect_elements<double>(arange(0, 1, 0.1, float32)(slice(5, 9)), {4},
                          {0.5, 0.6000000238418579, 0.699999988079071, 0.800000011920929});
  expect_elements<int>(arange(0, 5, 0.5, int32), {10}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  expect_elements<int>(arange(0.5, 5, int64), {5}, {0, 1, 2, 3, 4});
  EXPECT_EQ(arange(10, float16).dtype(), float16);
  // The first two are rounded, the rest continues their difference.
  expect_elements<double>(arange(0, 1, 0.1, float16)(slice(1, 5)), {4},
                          {0.0999755859375, 0.199951171875, 0.2998046875, 0.39990234375});
  expect_error<ValueError>([] { arange(std::numeric_limits<double>::infinity()); },
                           "arange: the number of elements is not finite or too large");
}

TEST_P(Creation, Linspace) {
  expect_elements<double>(linspace(0, 1, 4), {4}, {0.0, 0.3333333333333333, 0.6666666666666666, 1});
  expect_elements<double>(linspace(0, 1, 4, {.endpoint = false}), {4}, {0, 0.25, 0.5, 0.75});
  expect_elements<int>(linspace(0, -2.5, 3, {.dtype = int32}), {3}, {0, -2, -3});
  expect_elements<double>(linspace(0, 10, 7, {.dtype = float32})(slice(3)), {3},
                          {0.0, 1.6666666269302368, 3.3333332538604736});
  expect_elements<double>(linspace(5, 5, 1), {1}, {5});
  EXPECT_EQ(linspace(0, 1, 0).shape(), (Shape{0}));
  EXPECT_EQ(linspace(0, 1).size(), 50);
  double step = 0;
  linspace(2, -3, 6, {.retstep = &step});
  EXPECT_EQ(step, -1);
  linspace(0, 1, 4, {.endpoint = false, .retstep = &step});
  EXPECT_EQ(step, 0.25);
  linspace(0, 1, 1, {.retstep = &step});
  EXPECT_TRUE(std::isnan(step));
  expect_error<ValueError>([] { linspace(0, 1, -1); }, "must not be negative; -1");
}

TEST_P(Creation, Diagonals) {
  expect_elements<int>(eye(2, 3, 1), {2, 3}, {0, 1, 0, 0, 0, 1});
  expect_elements<int>(eye(3, 2, -1), {3, 2}, {0, 0, 1, 0, 0, 1});
  expect_elements<int>(eye(2, -1, 5), {2, 2}, {0, 0, 0, 0});
  expect_elements<int>(identity(2, int8), {2, 2}, {1, 0, 0, 1});
  expect_elements<int>(diag(array({1, 2}), -1), {3, 3}, {0, 0, 0, 1, 0, 0, 0, 2, 0});
  expect_elements<int>(diag(arange(9).reshape({3, 3}), 1), {2}, {1, 5});
  const ndarray unit = eye(3);
  diag(unit).fill(7);
  expect_elements<int>(unit, {3, 3}, {7, 0, 0, 0, 7, 0, 0, 0, 7});
  EXPECT_EQ(diagflat(ones({2, 2})).shape(), (Shape{4, 4}));
  expect_error<ValueError>([] { diag(ones({1, 1, 1})); }, "diag: input must be 1- or 2-d");
  expect_error<ValueError>([] { eye(-1); }, "eye: negative dimensions are not allowed; -1");
}

TEST_P(Creation, ArrayCopiesUnlessTold) {
  const ndarray a = arange(3);
  EXPECT_FALSE(array(a).shares_memory(a));
  EXPECT_TRUE(array(a, {}, {.copy = false}).shares_memory(a));
  EXPECT_TRUE(asarray(a).shares_memory(a));
  EXPECT_FALSE(asarray(a, float32).shares_memory(a));
  EXPECT_EQ(array(a, {}, {.ndmin = 3}).shape(), (Shape{1, 1, 3}));
  const ndarray t = ones({2, 3}).T();
  EXPECT_TRUE(ascontiguousarray(t).flags().c_contiguous);
  EXPECT_TRUE(ascontiguousarray(a).shares_memory(a));
  EXPECT_EQ(ascontiguousarray(array(1)).shape(), (Shape{1}));
}

TEST_P(Creation, ScopesNest) {
  {
    const DeviceScope scope(Device::cpu());
    EXPECT_EQ(zeros({1}).device(), Device::cpu());
    const DeviceScope back(device());
    EXPECT_EQ(zeros({1}).device(), device());
  }
  EXPECT_EQ(current_device(), device());
}

}  // namespace
}  // namespace cupyxx
