// SPDX-License-Identifier: MIT
// How user code reads. The guide quotes these lines; what must not compile is checked as well.
#include <gtest/gtest.h>

#include <cmath>
#include <concepts>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/kernel.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace {

namespace cp = cupyxx;
using cp::ellipsis;
using cp::newaxis;
using cp::slice;
using cp::testing::expect_elements;

class Taste : public cp::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Taste);

TEST_P(Taste, ReadsLikeNumPy) {
  auto a = cp::arange(24).reshape({2, 3, 4});
  auto noise = cp::random::normal({3, 4}, {.scale = 0.1});
  EXPECT_EQ((a + noise).shape(), a.shape());
  auto tile = a(0, slice(1, 3), newaxis);
  EXPECT_EQ(tile.shape(), (cp::Shape{2, 1, 4}));
  a(ellipsis, -1) = 0;
  auto centred = a - a.mean(-1, {.keepdims = true});
  float total = cp::where(centred > 3, a, 0).sum().item<float>();
  // By hand: without its last column each row r holds 4r, 4r+1, 4r+2, 0, with mean (12r + 3) / 4.
  // Elements exceed it by more than 3 where r + j - 0.75 > 3: rows 2 to 5 with r + j >= 4.
  float expected = 0;
  for (int r = 0; r < 6; ++r) {
    for (int j = 0; j < 3; ++j) {
      if (r + j >= 4) expected += static_cast<float>(4 * r + j);
    }
  }
  EXPECT_EQ(total, expected);
  const cp::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)",
                                           "squared_diff");
  auto d = squared_diff(a, noise);
  cp::testing::expect_array_equal(d, (a - noise) * (a - noise));
}

TEST_P(Taste, ArithmeticIsWrittenAsFormulas) {
  auto g = cp::array({1.0f, 2.0f, 3.0f}).to(device());
  g = cp::exp(g) / cp::exp(g).sum();
  EXPECT_EQ(g.dtype(), cp::float32);
  EXPECT_NEAR(g.sum().item<double>(), 1, 1e-6);
  EXPECT_NEAR(g(2).item<double>(), 0.66524096, 1e-6);
}

TEST_P(Taste, MaskedAssignmentWritesThrough) {
  auto a = cp::array({-1.0, 2.0, -3.0, 4.0});
  a(a < 0) = 0;
  expect_elements<double>(a, {4}, {0, 2, 0, 4});
  a(a > 3) *= 10;
  expect_elements<double>(a, {4}, {0, 2, 0, 40});
}

TEST_P(Taste, DeepCopySharesNothing) {
  auto a = cp::zeros({2, 2});
  auto b = a.copy();
  b(0, 0) = 1;
  EXPECT_EQ(a(0, 0).item<int>(), 0);
  cp::ndarray row = a(0);
  row = b;  // rebinds the name
  EXPECT_EQ(a(0, 0).item<int>(), 0);
}

// Python's two meanings of `=` stay apart: what would assign to a temporary does not compile.
template <class Left, class Right>
concept Assignable = requires(Left&& left, Right&& right) {
  std::forward<Left>(left) = std::forward<Right>(right);
};

static_assert(!Assignable<decltype(cp::exp(std::declval<cp::ndarray&>())), const cp::ndarray&>,
              "exp(a) = b");
static_assert(!Assignable<cp::View&, const cp::ndarray&>, "auto v = a(0); v = b");
static_assert(!Assignable<cp::View&, const cp::View&>, "auto v = a(0); v = a(1)");
static_assert(!Assignable<cp::View&, int>, "auto v = a(0); v = 1");
static_assert(Assignable<cp::View, const cp::ndarray&>, "a(0) = b");
static_assert(Assignable<cp::View, cp::View>, "a(0) = a(1)");
static_assert(Assignable<cp::View, double>, "a(0) = 1.5");
static_assert(Assignable<cp::ndarray&, cp::View>, "row = a(0)");
static_assert(Assignable<cp::Selection, int>, "a(mask) = 0");
static_assert(Assignable<cp::Selection, cp::Selection>, "a(mask) = b(mask)");
static_assert(std::convertible_to<cp::ndarray, bool>, "bool ok = all(m)");
static_assert(!std::convertible_to<cp::ndarray, char>, "text = a.sum()");
static_assert(!std::convertible_to<int, cp::ndarray>, "numbers become arrays by array()");
static_assert(!std::convertible_to<cp::Shape, cp::ndarray>, "a shape is no array");

}  // namespace
