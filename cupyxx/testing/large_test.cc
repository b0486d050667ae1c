// SPDX-License-Identifier: MIT
// Arrays on both sides of 2^31 and beyond 2^32 elements, on a device with memory for them. A few
// elements are set and nearly everything is zero, so that sums and places are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx {
namespace {

constexpr std::int64_t k31 = std::int64_t{1} << 31;
constexpr std::int64_t k32 = std::int64_t{1} << 32;
constexpr std::int64_t kSizes[] = {k31 - 1, k31, k32 + 1};

// The places that are set; element k is k + 1.
std::vector<std::int64_t> places(std::int64_t n) {
  std::vector<std::int64_t> all;
  for (const std::int64_t p : {std::int64_t{0}, std::int64_t{12345}, k31 - 2, k31 - 1, k31,
                               k31 + 4097, k32 - 1, k32, n - 2, n - 1}) {
    if (p < n) all.push_back(p);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

ndarray marked(std::int64_t n) {
  auto x = zeros({n}, int8);
  std::int64_t value = 0;
  for (const std::int64_t p : places(n)) x(p) = ++value;
  return x;
}

std::int64_t total(std::int64_t n) {
  const auto count = static_cast<std::int64_t>(places(n).size());
  return count * (count + 1) / 2;
}

// As a matrix, for sizes that have two factors: 2^32 + 1 is 641 * 6700417.
Shape matrix(std::int64_t n) { return n == k31 ? Shape{1 << 15, 1 << 16} : Shape{641, 6700417}; }

class LargeTest : public testing::DeviceTest {
 protected:
  void SetUp() override {
    try {
      empty({std::int64_t{56} << 30}, int8);
    } catch (const OutOfMemoryError& error) {
      GTEST_SKIP() << "needs 56 GiB of device memory: " << error.what();
    }
  }
  void TearDown() override { free_all_blocks(device()); }
};
CUPYXX_TEST_ON_DEVICES(LargeTest);

#define EXPECT_PLACES(y, n, expected)                                              \
  for (std::int64_t k = 0, count = places(n).size(); k < count; ++k) {             \
    EXPECT_EQ((y)(places(n)[k]).item<std::int64_t>(), (expected)) << places(n)[k]; \
  }

TEST_P(LargeTest, Elementwise) {
  for (const std::int64_t n : kSizes) {
    SCOPED_TRACE(n);
    auto x = marked(n);
    EXPECT_EQ(sum(x).item<std::int64_t>(), total(n));
    {
      const auto y = x + x;
      EXPECT_PLACES(y, n, 2 * (k + 1));
      EXPECT_EQ(sum(y).item<std::int64_t>(), 2 * total(n));
    }
    const std::int64_t even = n / 2 * 2;
    {
      const auto y = x(slice(0, even, 2)) + x(slice(1, even, 2));
      EXPECT_EQ(y.size(), n / 2);
      EXPECT_EQ(sum(y).item<std::int64_t>(), sum(x(slice(0, even))).item<std::int64_t>());
      EXPECT_EQ(y(-1).item<int>(), x(even - 2).item<int>() + x(even - 1).item<int>());
      if (n > k31) {
        EXPECT_EQ(y(k31 / 2 - 1).item<int>(), x(k31 - 2).item<int>() + x(k31 - 1).item<int>());
      }
    }
    // A view that is written with gaps, and one that begins inside a vector.
    auto target = zeros({n}, int8);
    target(slice(1, none, 2)) = x(slice(1, none, 2));
    target(slice(0, none, 2)) = x(slice(0, none, 2));
    EXPECT_TRUE(all(equal(target, x)).item<bool>());
    target(slice(3, none)) += 1;
    EXPECT_EQ(sum(target).item<std::int64_t>(), total(n) + n - 3);
  }
}

TEST_P(LargeTest, Broadcasts) {
  for (const std::int64_t n : {k31, k32 + 1}) {
    SCOPED_TRACE(n);
    const Shape shape = matrix(n);
    const auto x = marked(n);
    auto row = zeros({shape[1]}, int8);
    row(-1) = 3;
    auto y = x.reshape(shape) + row;
    EXPECT_EQ(sum(y).item<std::int64_t>(), total(n) + 3 * shape[0]);
    EXPECT_EQ(y(0, -1).item<int>(), 3);
    EXPECT_EQ(y(-1, -1).item<std::int64_t>(), x(-1).item<int>() + 3);
    auto column = zeros({shape[0], 1}, int8);
    column(-1) = 5;
    y = x.reshape(shape) + column;
    EXPECT_EQ(sum(y).item<std::int64_t>(), total(n) + 5 * shape[1]);
  }
}

TEST_P(LargeTest, TransposedCopies) {
  for (const std::int64_t n : {k31, k32 + 1}) {
    SCOPED_TRACE(n);
    const Shape shape = matrix(n);
    const auto x = marked(n);
    const auto y = x.reshape(shape).T().copy();
    EXPECT_EQ(y.shape(), (Shape{shape[1], shape[0]}));
    EXPECT_EQ(sum(y).item<std::int64_t>(), total(n));
    std::int64_t value = 0;
    for (const std::int64_t p : places(n)) {
      EXPECT_EQ(y(p % shape[1], p / shape[1]).item<std::int64_t>(), ++value) << p;
    }
    const auto both = y + y;
    EXPECT_EQ(both(-1, -1).item<std::int64_t>(), 2 * x(-1).item<int>());
  }
}

TEST_P(LargeTest, Reductions) {
  for (const std::int64_t n : kSizes) {
    SCOPED_TRACE(n);
    auto x = marked(n);
    const auto count = static_cast<std::int64_t>(places(n).size());
    EXPECT_EQ(amax(x).item<std::int64_t>(), count);
    EXPECT_EQ(argmax(x).item<std::int64_t>(), n - 1);
    EXPECT_EQ(count_nonzero(x), count);
    x(n - 3) = -1;
    EXPECT_EQ(argmin(x).item<std::int64_t>(), n - 3);
    EXPECT_EQ(amin(x).item<int>(), -1);
    EXPECT_FALSE(all(x).item<bool>());
    EXPECT_EQ(sum(x(slice(none, none, -1))).item<std::int64_t>(), total(n) - 1);
    if (n == k31 - 1) continue;
    const Shape shape = matrix(n);
    const auto columns = sum(x.reshape(shape), 0);
    EXPECT_EQ(sum(columns).item<std::int64_t>(), total(n) - 1);
    EXPECT_EQ(columns((n - 3) % shape[1]).item<std::int64_t>(), -1);
    const auto rows = sum(x.reshape(shape), 1);
    EXPECT_EQ(sum(rows).item<std::int64_t>(), total(n) - 1);
    EXPECT_EQ(argmax(x.reshape(shape), 1)(-1).item<std::int64_t>(), shape[1] - 1);
  }
}

TEST_P(LargeTest, Taking) {
  for (const std::int64_t n : kSizes) {
    SCOPED_TRACE(n);
    const auto x = marked(n);
    const std::vector<std::int64_t> at = places(n);
    std::vector<std::int64_t> want;
    for (std::size_t k = 0; k < at.size(); ++k) want.push_back(static_cast<std::int64_t>(k) + 1);
    EXPECT_EQ(take(x, array(at)).astype(int64).to_vector<std::int64_t>(), want);
    EXPECT_EQ(ndarray(x(array(at))).astype(int64).to_vector<std::int64_t>(), want);
    // A result of more than 2^31 elements.
    if (n != k32 + 1) continue;
    const auto y = take(x.reshape(matrix(n)), arange(640, -1, -1), 0);
    EXPECT_EQ(sum(y).item<std::int64_t>(), total(n));
    EXPECT_EQ(y(0, -1).item<std::int64_t>(), want.back());
  }
}

TEST_P(LargeTest, Masks) {
  for (const std::int64_t n : {k31, k32 + 1}) {
    SCOPED_TRACE(n);
    auto x = marked(n);
    const auto mask = x != 0;
    const auto count = static_cast<std::int64_t>(places(n).size());
    EXPECT_EQ(count_nonzero(mask), count);
    const ndarray chosen = x(mask);
    ASSERT_EQ(chosen.shape(), (Shape{count}));
    EXPECT_EQ(sum(chosen).item<std::int64_t>(), total(n));
    EXPECT_EQ(chosen(-1).item<std::int64_t>(), count);
    x(mask) = 1;
    EXPECT_EQ(sum(x).item<std::int64_t>(), count);
  }
}

TEST_P(LargeTest, RunningSums) {
  for (const std::int64_t n : {k31 - 1, k32 + 1}) {
    SCOPED_TRACE(n);
    const auto y = cumsum(marked(n), {}, {.dtype = int8});
    std::int64_t running = 0;
    const std::vector<std::int64_t> at = places(n);
    for (std::size_t k = 0; k < at.size(); ++k) {
      running += static_cast<std::int64_t>(k) + 1;
      EXPECT_EQ(y(at[k]).item<std::int64_t>(), running) << at[k];
    }
    EXPECT_EQ(y(1000000).item<int>(), 3);
  }
}

TEST_P(LargeTest, CopiesAndJoins) {
  const auto x = marked(k32 + 1);
  {
    const auto y = concatenate({x(slice(5, none)), x(slice(none, k31))});
    ASSERT_EQ(y.size(), k32 + 1 - 5 + k31);
    EXPECT_EQ(y(k32 - 5).item<int>(), x(-1).item<int>());
    EXPECT_EQ(y(-1).item<int>(), x(k31 - 1).item<int>());
    EXPECT_EQ(sum(y).item<std::int64_t>(), sum(x(slice(5, none))).item<std::int64_t>() +
                                               sum(x(slice(none, k31))).item<std::int64_t>());
  }
  const auto backwards = x(slice(none, none, -1)).copy();
  EXPECT_EQ(backwards(0).item<int>(), x(-1).item<int>());
  EXPECT_EQ(backwards(k32 - k31).item<int>(), x(k31).item<int>());
  EXPECT_EQ(sum(backwards).item<std::int64_t>(), total(k32 + 1));
  EXPECT_EQ(sum(x(slice(k31 - 2, k31 + 1)).copy()).item<std::int64_t>(), 3 + 4 + 5);
}

}  // namespace
}  // namespace cupyxx
