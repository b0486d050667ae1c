// SPDX-License-Identifier: MIT
// bfloat16 through the public API, on every device. Its operations are walked by ops/driver_test.
#include <gtest/gtest.h>

#include <cmath>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/printing.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;

/// 1 + k/128 is exact, and so is every integer up to 256.
ndarray brain(const ndarray& a) { return a.astype(bfloat16_); }

class Bfloat16Test : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Bfloat16Test);

TEST_P(Bfloat16Test, PromotesAsDecided) {
  const ndarray a = ones({2}, bfloat16_);
  EXPECT_EQ((a + 1).dtype(), bfloat16_);
  EXPECT_EQ((a * 2.5).dtype(), bfloat16_);
  EXPECT_EQ((a + ones({2}, int8)).dtype(), bfloat16_);
  EXPECT_EQ((a + ones({2}, bool_)).dtype(), bfloat16_);
  EXPECT_EQ((a + ones({2}, int16)).dtype(), float32);
  EXPECT_EQ((a + ones({2}, float16)).dtype(), float32);
  EXPECT_EQ((a + ones({2}, int64)).dtype(), float64);
  EXPECT_EQ((a + ones({2}, complex64)).dtype(), complex64);
  EXPECT_EQ(exp(a).dtype(), bfloat16_);
  EXPECT_EQ((a < 2).dtype(), bool_);
}

TEST_P(Bfloat16Test, RoundsOnceToNearestEven) {
  // 1 + 1/256 lies between 1 and 1 + 1/128: to the even one.
  const ndarray a = brain(array({1.00390625f, 1.01171875f, 3.4e38f, 1e-40f, NAN}));
  EXPECT_EQ(a(0).item<float>(), 1);
  EXPECT_EQ(a(1).item<float>(), 1.015625f);
  EXPECT_TRUE(std::isinf(a(2).item<float>()));
  EXPECT_GT(a(3).item<float>(), 0);  // subnormal
  EXPECT_TRUE(std::isnan(a(4).item<float>()));
  EXPECT_EQ((ones({1}, bfloat16_) * 256 + 1).item<float>(), 256);
}

TEST_P(Bfloat16Test, AddsUpInFloat) {
  const ndarray a = ones({100, 30}, bfloat16_);
  EXPECT_EQ(a.sum().dtype(), bfloat16_);
  EXPECT_EQ(a.sum().item<float>(), 3008);  // 3000 rounded to eight digits; not 256
  expect_array_equal(a.sum(0), full({30}, 100, bfloat16_));
  expect_array_equal(a.sum(1, {.dtype = float32}), full({100}, 30, float32));
  const ndarray b = brain(arange(6)).reshape({2, 3});
  EXPECT_EQ(b.mean().item<float>(), 2.5f);
  expect_array_equal(b.max(1), brain(array({2, 5})));
  expect_array_equal(b.T().argmin(0), array({0, 0}));
  EXPECT_EQ(b.var().item<float>(), 2.921875f);  // 35 / 12
  expect_array_equal(cumsum(b, 1), brain(array({{0, 1, 3}, {3, 7, 12}})));
  EXPECT_EQ(count_nonzero(b), 5);
}

TEST_P(Bfloat16Test, MultipliesMatricesInFloat) {
  const ndarray a = ones({40, 300}, bfloat16_), b = full({300, 50}, 0.5, bfloat16_);
  expect_array_equal(matmul(a, b), full({40, 50}, 150, bfloat16_));
  expect_array_equal(dot(a(0), b.T()(0)), array(Scalar(150), bfloat16_));
  expect_array_equal(matmul(a, ones({300, 1}, float32)), full({40, 1}, 300, float32));
}

TEST_P(Bfloat16Test, SortsAndPrints) {
  const ndarray a = brain(array({3.0f, -1.5f, NAN, 0.25f}));
  expect_array_equal(argsort(a), array({1, 3, 0, 2}));
  EXPECT_EQ(searchsorted(sort(a), brain(array({0.25f}))).item<int>(), 1);
  EXPECT_EQ(array_repr(brain(array({0.1f, 2.0f}))), "array([0.1, 2. ], dtype=bfloat16)");
  expect_array_equal(arange(3, bfloat16_), brain(array({0, 1, 2})));
  EXPECT_EQ(a.to_vector<bfloat16>()[1].bits, 0xbfc0);
}

}  // namespace
}  // namespace cupyxx
