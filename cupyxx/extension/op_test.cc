// SPDX-License-Identifier: MIT
// Operations from outside behave as those of cupyxx: types, layouts, options, methods, fusion.
#include "cupyxx/extension/op.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/testdata/poly.h"
#include "cupyxx/fuse.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

constexpr extension::Ufunc<testing::Cubic, 4> cubic;
constexpr extension::Ufunc<testing::Dominant, 2> dominant;
constexpr extension::Ufunc<testing::Ends, 1, 2> ends;

class ExtensionOp : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ExtensionOp);

ndarray polynomial(const ndarray& x) { return ((x * 2 + 3) * x + 4) * x; }

TEST_P(ExtensionOp, TakesNumbersAndArrays) {
  for (const dtype type : {float16, bfloat16_, float32, float64}) {
    const ndarray x = arange(-8, 8).astype(type) * 0.25;
    expect_array_equal(cubic(x, 2, 3, 4), polynomial(x.astype(float64)).astype(type));
    const ndarray two = full({16}, 2, type);
    expect_array_equal(cubic(x, two, 3, 4), cubic(x, 2, 3, 4));
    expect_array_equal(cubic(x, 2, full({}, 3, type), two * 2), cubic(x, 2, 3, 4));
  }
  EXPECT_EQ(cubic(arange(4), 1, 0, 0).dtype(), float64);
}

TEST_P(ExtensionOp, TakesEveryLayout) {
  const ndarray x = arange(24).astype(float32).reshape(4, 6) * 0.5;
  for (const ndarray& view :
       std::vector<ndarray>{x.T(), x(slice(), slice(0, 6, 2)), x(slice(3, 0, -1))}) {
    expect_array_equal(cubic(view, 2, 3, 4), polynomial(view));
  }
  const ndarray row = arange(6).astype(float32);
  expect_array_equal(cubic(x, row, 0, 0), row * x * x * x);
  EXPECT_EQ(cubic(zeros({0, 3}), 1, 2, 3).shape(), Shape({0, 3}));
}

TEST_P(ExtensionOp, TakesOptions) {
  const ndarray x = arange(4).astype(float32), out = zeros({4}, float64);
  cubic(x, 1, 0, 0, {.out = out});
  expect_array_equal(out, x.astype(float64) * x * x);
  const ndarray some = dominant(x, -2, {.out = full({4}, 9, float32), .where = x > 1});
  expect_array_equal(some, array({9, 9, 2, 3}, float32));
  expect_error<ShapeError>([&] { cubic(x, arange(3).astype(float32), 0, 0); }, "cubic: ");
  expect_error<DtypeError>([&] { dominant(x, 1, {.out = zeros({4}, int32)}); },
                           "dominant: cannot cast the result from float32 to int32");
}

TEST_P(ExtensionOp, HasTheMethodsOfUfuncs) {
  const ufunc& f = dominant;
  const ndarray x = array({3, -7, 5, 6, 1});
  EXPECT_EQ(f.reduce(x).item<int>(), -7);
  EXPECT_EQ(f.reduce(zeros({0}, int32)).item<int>(), 0);
  expect_array_equal(f.accumulate(x), array({3, -7, -7, -7, -7}));
  expect_array_equal(f.outer(array({1, -4}), array({2, 3})), array({{2, 3}, {-4, -4}}));
  const ndarray places = zeros({3}, x.dtype());
  f.at(places, array({0, 1, 0, 1, 2}), x);
  expect_array_equal(places, array({5, -7, 1}));
  const auto [low, high] = ends(array({1.0, 2.0}));
  expect_array_equal(low, array({0.0, 1.0}));
  expect_array_equal(high, array({2.0, 3.0}));
}

TEST_P(ExtensionOp, IsFused) {
  const auto both = fuse([](auto x, auto y) { return dominant(x * 2, y) + 1; });
  const ndarray x = arange(-5, 5).astype(float32), y = full({10}, 3, float32);
  expect_array_equal(both(x, y), dominant(x * 2, y) + 1);
}

TEST(ExtensionOpNames, AreTheStructs) {
  EXPECT_EQ(cubic.name(), "cubic");
  EXPECT_EQ(cubic.nin(), 4);
  EXPECT_EQ(dominant.types(), (std::vector<std::string>{"ii->i", "ll->l", "ff->f", "dd->d"}));
  EXPECT_EQ(dominant.doc(), "The number of larger magnitude.");
}

}  // namespace
}  // namespace cupyxx
