// SPDX-License-Identifier: MIT
// Products of few rows in TF32: integers that 10 bits hold, so that sums are exact in any order.
#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/precision.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;

class ThinTest : public testing::DeviceTest {
 protected:
  static ndarray integers(const Shape& shape, std::int64_t phase) {
    const ndarray k = arange(shape.element_count()) * 7 + phase;
    return (k * k % 31 % 9 - 4).reshape(shape).astype(float32);
  }
};
CUPYXX_TEST_ON_DEVICES(ThinTest);

ndarray exact(const ndarray& a, const ndarray& b) {
  return matmul(a.astype(float64), b.astype(float64));
}

TEST_P(ThinTest, AreExactForIntegers) {
  const ComputeScope scope(Precision::tf32);
  // Rows; columns and inner extents below and above a tile, a warp's part and a block's.
  for (const std::int64_t m : {4, 5, 8, 20, 32, 33}) {
    for (const auto& [n, k] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {650, 2600}, {2600, 650}, {2, 8194}, {30, 66}, {70, 2}, {4226, 70}, {10001, 70}}) {
      const ndarray a = integers({m, k}, 1), w = integers({n, k}, 2), v = integers({k, n}, 3);
      expect_array_equal(matmul(a, w.T()).astype(float64), exact(a, w.T()));
      expect_array_equal(matmul(a, v).astype(float64), exact(a, v));
    }
  }
}

TEST_P(ThinTest, AddBiasAndTakePartsOfArrays) {
  const ComputeScope scope(Precision::tf32);
  for (const std::int64_t m : {7, 20, 31}) {
    const ndarray a = integers({m, 660}, 1)(slice(), slice(2, 652));
    const ndarray w = integers({2600, 654}, 2)(slice(), slice(4, 654));
    const ndarray bias = integers({2600}, 3), old = integers({m, 2600}, 4);
    const ndarray product = exact(a, w.T());
    expect_array_equal(gemm(a, w.T(), {.bias = bias}).astype(float64), product + bias);
    expect_array_equal(gemm(a, w.T(), {.bias = bias, .relu = true}).astype(float64),
                       maximum(product + bias, 0));
    const ndarray out = old.copy();
    gemm(a, w.T(), {.out = out, .accumulate = true});
    expect_array_equal(out.astype(float64), product + old);
    const ndarray odd = integers({m, 651}, 1)(slice(), slice(1, 651));  // 4 bytes off
    expect_array_equal(matmul(odd, w.T()).astype(float64), exact(odd, w.T()));
  }
}

TEST_P(ThinTest, RoundFactorsAndNotSums) {
  random::seed(1);
  const ComputeScope scope(Precision::tf32);
  const ndarray a = random::standard_normal({20, 2600}, {.dtype = float32});
  const ndarray v = random::standard_normal({2600, 650}, {.dtype = float32});
  const ndarray right = exact(a, v), first = matmul(a, v);
  const double error = sqrt(square(first - right).sum() / square(right).sum()).item<double>();
  EXPECT_LT(error, 4e-4);
  for (int i = 0; i < 20; ++i) expect_array_equal(matmul(a, v), first);
}

TEST_P(ThinTest, WhatIsNotFiniteStaysSo) {
  const ComputeScope scope(Precision::tf32);
  const ndarray a = ones({20, 650}, float32), w = ones({2600, 650}, float32);
  a(3, 7) = inf;
  w(11, 9) = nan;
  const ndarray y = matmul(a, w.T());
  EXPECT_TRUE(isinf(y(3, 0)).item<bool>());
  EXPECT_TRUE(isnan(y(0, 11)).item<bool>());
  EXPECT_EQ(y(0, 0).item<float>(), 650);
  EXPECT_EQ(y(19, 2599).item<float>(), 650);
}

}  // namespace
}  // namespace cupyxx
