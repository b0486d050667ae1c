// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class StrideTricksTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(StrideTricksTest);

TEST_P(StrideTricksTest, SlidesWindows) {
  const ndarray x = arange(6);
  const ndarray windows = sliding_window_view(x, {3});
  expect_elements<int>(windows, {4, 3}, {0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5});
  EXPECT_TRUE(windows.shares_memory(x));
  EXPECT_FALSE(windows.flags().writeable);
  expect_elements<double>(windows.mean(-1), {4}, {1, 2, 3, 4});

  const ndarray m = arange(12).reshape({3, 4});
  const ndarray squares = sliding_window_view(m, {2, 3});
  EXPECT_EQ(squares.shape(), Shape({2, 2, 2, 3}));
  expect_elements<int>(squares(1, 1), {2, 3}, {5, 6, 7, 9, 10, 11});
  // One axis, given from the end; the same axis twice; the transposed array.
  expect_elements<int>(sliding_window_view(m, {3}, -2)(0), {4, 3},
                       {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  const ndarray twice = sliding_window_view(m, {2, 3}, {1, 1});
  EXPECT_EQ(twice.shape(), Shape({3, 1, 2, 3}));
  expect_elements<int>(twice(2, 0), {2, 3}, {8, 9, 10, 9, 10, 11});
  expect_array_equal(sliding_window_view(m.T(), {3, 2})(1, 1), m.T()(slice(1, 4), slice(1, 3)));
  expect_elements<int>(sliding_window_view(m(slice(none, none, -1)), {1, 4})(0, 0), {1, 4},
                       {8, 9, 10, 11});
  // No extent at all; windows without elements; a 0-d array.
  EXPECT_EQ(sliding_window_view(x, {0}).shape(), Shape({7, 0}));
  EXPECT_EQ(sliding_window_view(x, {6}).shape(), Shape({1, 6}));
  EXPECT_EQ(sliding_window_view(array(5), {}).shape(), Shape());
  for (const dtype type : {bool_, int8, float16, bfloat16_, complex128}) {
    expect_array_equal(sliding_window_view(x.astype(type), {2})(slice(), 1),
                       x.astype(type)(slice(1, none)));
  }
  // Writing goes to the array.
  const ndarray open = sliding_window_view(x, {3}, {}, {.writeable = true});
  open(2, 2) = 40;
  EXPECT_EQ(x(4).item<int>(), 40);
}

TEST_P(StrideTricksTest, RefusesWindowsThatDoNotFit) {
  const ndarray m = zeros({3, 4});
  expect_error<ValueError>(
      [&] {
        sliding_window_view(m, {4, 1});
      },
      "sliding_window_view: the window (4, 1) is larger than the array (3, 4)");
  expect_error<ValueError>(
      [&] {
        sliding_window_view(m, {2, 2}, {0, 0});
        sliding_window_view(m, {2, 3}, {0, 0});
      },
      "sliding_window_view: the window (2, 3) is larger than the array (3, 4)");
  expect_error<ValueError>(
      [&] {
        sliding_window_view(m, {-1, 2});
      },
      "sliding_window_view: window_shape cannot contain negative values; (-1, 2)");
  expect_error<ValueError>(
      [&] { sliding_window_view(m, {2}); },
      "without an axis the window needs an extent for each axis of x; (2,) for (3, 4)");
  expect_error<ValueError>(
      [&] {
        sliding_window_view(m, {2, 2}, 0);
      },
      "sliding_window_view: window_shape and axis differ in length; (2, 2) and (0,)");
  expect_error<AxisError>([&] { sliding_window_view(m, {2}, 2); }, "sliding_window_view");
  expect_error<TypeError>([] { sliding_window_view(ndarray(), {2}); },
                          "sliding_window_view: the array is None");
}

TEST_P(StrideTricksTest, TakesAnyStridesWithinTheMemory) {
  const ndarray x = arange(10);
  expect_elements<int>(as_strided(x, {3, 3}, {16, 8}), {3, 3}, {0, 1, 2, 2, 3, 4, 4, 5, 6});
  expect_elements<int>(as_strided(x, {4}, {0}), {4}, {0, 0, 0, 0});
  expect_elements<int>(as_strided(x, {2, 3}), {2, 3}, {0, 1, 2, 3, 4, 5});
  expect_elements<int>(as_strided(x(slice(none, none, -1)), {3}, {-16}), {3}, {9, 7, 5});
  expect_elements<int>(as_strided(x(slice(5, 7)), {5}, {-8}), {5}, {5, 4, 3, 2, 1});
  expect_elements<int>(as_strided(x(slice(none, none, 2)), {3}), {3}, {0, 2, 4});
  expect_elements<int>(as_strided(x, {0}, {1 << 20}), {0}, {});
  EXPECT_TRUE(as_strided(x).flags().writeable);
  EXPECT_FALSE(as_strided(x, {2}, {8}, {.writeable = false}).flags().writeable);
  const ndarray diagonal = as_strided(zeros({3, 3}), {3}, {32});
  diagonal += 1;
  EXPECT_EQ(diagonal.sum().item<double>(), 3);
  expect_elements<int>(lib::stride_tricks::sliding_window_view(x(slice(4)), {3}), {2, 3},
                       {0, 1, 2, 1, 2, 3});
  expect_elements<int>(sliding_window_view(x.reshape({2, 5})(slice(), slice(3)), {2}, {.axis = 1}),
                       {2, 2, 2}, {0, 1, 1, 2, 5, 6, 6, 7});
}

TEST_P(StrideTricksTest, NeverReadsOutsideOfTheMemory) {
  const ndarray x = arange(10);
  expect_error<ValueError>([&] { as_strided(x, {11}, {8}); },
                           "as_strided: shape (11,) with strides (8,) takes bytes 0 to 88 from the "
                           "first element; the memory has 0 to 80");
  expect_error<ValueError>([&] { as_strided(x(slice(2, 4)), {4}, {-8}); },
                           "takes bytes -24 to 8 from the first element; the memory has -16 to 64");
  expect_error<ValueError>([&] { as_strided(x, {2}, {76}); }, "takes bytes 0 to 84");
  expect_error<ValueError>([&] { as_strided(x, {2}, {4}); },
                           "as_strided: strides (4,) are no multiples of the 8 bytes of int64");
  expect_error<ValueError>([&] { as_strided(x, {-1}, {8}); }, "as_strided");
  expect_error<ValueError>([&] { as_strided(x, {2, 2}, {8}); }, "as_strided");
  expect_error<ValueError>([&] { as_strided(x, {1L << 62, 4}, {8, 8}); }, "as_strided");
  expect_error<ValueError>([&] { as_strided(x, {3}, {1L << 62}); }, "as_strided");
  expect_error<TypeError>([] { as_strided(ndarray()); }, "as_strided: the array is None");
}

}  // namespace
}  // namespace cupyxx
