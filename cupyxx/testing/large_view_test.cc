// SPDX-License-Identifier: MIT
// Views and indexing of arrays beyond 2^32 elements. Few of their pages are touched, so that they
// need little memory.
#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/reduction.h"

namespace cupyxx {
namespace {

constexpr std::int64_t k31 = std::int64_t{1} << 31;
constexpr std::int64_t k32 = std::int64_t{1} << 32;

class LargeView : public ::testing::Test {
 protected:
  static ndarray make() {
    auto x = empty({k32 + 1}, int8);
    for (const std::int64_t middle : {k31, k32}) {
      for (std::int64_t i = middle - 4; i < middle + 4 && i <= k32; ++i) x(i) = i - middle + 10;
    }
    return x;
  }
  ndarray x = make();
};

TEST_F(LargeView, ElementsAndSlices) {
  EXPECT_EQ(x(-1).item<int>(), 10);
  EXPECT_EQ(x(k31 - 1).item<int>(), 9);
  const auto around = x(slice(k31 - 3, k31 + 3));
  EXPECT_EQ(around.to_vector<signed char>(), (std::vector<signed char>{7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(ndarray(around + around).to_vector<signed char>(),
            (std::vector<signed char>{14, 16, 18, 20, 22, 24}));
  EXPECT_EQ(sum(x(slice(k32 - 4, none))).item<int>(), 6 + 7 + 8 + 9 + 10);
}

TEST_F(LargeView, StepsBeyondTwoToThe31) {
  const auto steps = x(slice(k31, none, k31));
  EXPECT_EQ(steps.to_vector<signed char>(), (std::vector<signed char>{10, 10}));
  EXPECT_EQ(x(slice(none, k31 - 2, -k31)).to_vector<signed char>(),
            (std::vector<signed char>{10, 10}));
  const auto backwards = x(slice(none, none, -1));
  EXPECT_EQ(backwards.size(), k32 + 1);
  EXPECT_EQ(backwards(0).item<int>(), 10);
  EXPECT_EQ(backwards(k32 - k31 + 1).item<int>(), 9);
}

TEST_F(LargeView, MatricesAndTransposes) {
  const auto matrix = x.reshape({641, 6700417});
  EXPECT_EQ(matrix(-1, -1).item<int>(), 10);
  EXPECT_EQ(matrix.T()(k31 % 6700417, k31 / 6700417).item<int>(), 10);
  const auto corner = matrix(slice(-1, none), slice(-4, none)).copy();
  EXPECT_EQ(corner.to_vector<signed char>(), (std::vector<signed char>{7, 8, 9, 10}));
  const auto column = matrix(slice(-1, none), slice(-4, none)).T().copy();
  EXPECT_EQ(column.shape(), (Shape{4, 1}));
  EXPECT_EQ(column.to_vector<signed char>(), (std::vector<signed char>{7, 8, 9, 10}));
}

TEST_F(LargeView, IndexArrays) {
  const auto at = array({k32, k31 + 1, k31 - 4, std::int64_t{-1}});
  EXPECT_EQ(take(x, at).to_vector<signed char>(), (std::vector<signed char>{10, 11, 6, 10}));
  EXPECT_EQ(ndarray(x(at)).to_vector<signed char>(), (std::vector<signed char>{10, 11, 6, 10}));
  x(array({k31, k32})) = array({1, 2});
  EXPECT_EQ(x(k31).item<int>(), 1);
  EXPECT_EQ(x(-1).item<int>(), 2);
}

TEST_F(LargeView, SizesBeyondAnyMemory) {
  const auto wide = broadcast_to(x(slice(k32, none)), {std::int64_t{1} << 40, 1 << 20, 1});
  EXPECT_EQ(wide.size(), std::int64_t{1} << 60);
  EXPECT_EQ(wide((std::int64_t{1} << 40) - 1, 7, 0).item<int>(), 10);
}

}  // namespace
}  // namespace cupyxx
