// SPDX-License-Identifier: MIT
// Tiling, padding, rearranging, triangles and grids; the expectations are NumPy's.
#include <gtest/gtest.h>

#include <limits>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class Tiling : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Tiling);

TEST_P(Tiling, StatisticsOfBothEdges) {
  const ndarray a = array({1, 2, 6, 9});
  expect_elements<int>(pad(a, 1, {.mode = "mean", .stat_length = {2, 1}}), {6}, {2, 1, 2, 6, 9, 9});
  expect_elements<int>(pad(a, 1, {.mode = "maximum", .stat_length = {1, 3}}), {6},
                       {1, 1, 2, 6, 9, 9});
  expect_elements<int>(
      pad(arange(6).reshape({2, 3}), 1, {.mode = "minimum", .stat_length = {1, 2}}), {4, 5},
      {0, 0, 1, 2, 1, 0, 0, 1, 2, 1, 3, 3, 4, 5, 4, 0, 0, 1, 2, 1});
  expect_error<ValueError>(
      [&] {
        pad(a, 1, {.mode = "maximum", .stat_length = {0, 3}});
      },
      "pad: stat_length must be positive; 0");
}

TEST_P(Tiling, TileAndRepeat) {
  const ndarray a = arange(6).reshape({2, 3});
  expect_elements<double>(tile(a, 2), {2, 6}, {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  expect_elements<double>(tile(a, {2, 1}), {4, 3}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  expect_elements<double>(tile(a, {2, 1, 2}), {2, 2, 6},
                          {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  expect_elements<double>(tile(a, {0}), {2, 0}, {});
  expect_elements<double>(repeat(a, 2), {12}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  expect_elements<double>(repeat(a, 2, 1), {2, 6}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  expect_elements<double>(repeat(a, {2, 0}, 0), {2, 3}, {0, 1, 2, 0, 1, 2});
  expect_elements<double>(repeat(a.T(), std::vector<std::int64_t>{1, 2, 0, 1, 0, 3}), {7},
                          {0, 3, 3, 4, 5, 5, 5});
  const ndarray counts = array({1, 0, 2}, int32);
  expect_elements<double>(repeat(a, counts, 1), {2, 3}, {0, 2, 2, 3, 5, 5});
  expect_elements<double>(a.repeat(counts, {.axis = 1}), {2, 3}, {0, 2, 2, 3, 5, 5});
  expect_elements<double>(repeat(a, counts(2), {.axis = 0}), {4, 3},
                          {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  expect_elements<double>(repeat(array({5, 6, 7}), counts), {3}, {5, 7, 7});
  expect_error<TypeError>(
      [&] {
        repeat(a, array({1.0, 2.0}), 0);
      },
      "repeat: counts must be integers; float64");
  expect_error<ValueError>([&] { repeat(a, a, 0); }, "repeat: counts must have one axis; (2, 3)");
  expect_elements<double>(kron(a, array({1, 10})), {2, 6},
                          {0, 0, 1, 10, 2, 20, 3, 30, 4, 40, 5, 50});
  expect_elements<double>(kron(array({1, 2}), a), {2, 6}, {0, 1, 2, 0, 2, 4, 3, 4, 5, 6, 8, 10});
  // Short last axes are gone over by rows of the result.
  for (const Shape& shape : {Shape{2, 2}, Shape{3, 1}, Shape{5, 3}, Shape{2, 0}, Shape{2, 40}}) {
    const ndarray x = arange(12).reshape({3, 4}),
                  y = arange(shape[0] * shape[1]).reshape(shape) - 3;
    const ndarray whole = multiply(x.reshape({3, 1, 4, 1}), y.reshape({1, shape[0], 1, shape[1]}));
    expect_array_equal(kron(x, y), whole.reshape({3 * shape[0], 4 * shape[1]}));
    expect_array_equal(
        kron(x.T(), y.astype(float32)),
        multiply(x.T().reshape({4, 1, 3, 1}), y.astype(float32).reshape({1, shape[0], 1, shape[1]}))
            .reshape({4 * shape[0], 3 * shape[1]}));
    EXPECT_EQ(kron(stack(x, x), y).shape(), (Shape{2, 3 * shape[0], 4 * shape[1]}));
  }
  expect_error<ValueError>([&] { repeat(a, -1); }, "repeat: counts cannot be negative; -1");
  expect_error<ValueError>(
      [&] {
        repeat(a, std::vector<std::int64_t>{1, 2, 3}, 0);
      },
      "repeat: 3 counts for an axis of 2");
}

TEST_P(Tiling, PadsPointSymmetrically) {
  const ndarray a = array({1, 2, 4});
  expect_elements<std::int64_t>(pad(a, {{5, 4}}, {.mode = PadMode::reflect, .reflect_type = "odd"}),
                                {12}, {-6, -5, -4, -2, 0, 1, 2, 4, 6, 7, 8, 10});
  expect_elements<std::int64_t>(
      pad(a, {{5, 4}}, {.mode = PadMode::symmetric, .reflect_type = "odd"}), {12},
      {-4, -2, -2, 0, 1, 1, 2, 4, 4, 6, 7, 7});
}

TEST_P(Tiling, PadModes) {
  const ndarray a = arange(1, 7).reshape({2, 3});
  expect_elements<double>(pad(a, 1), {4, 5},
                          {0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0});
  expect_elements<double>(pad(a, {{1, 0}, {2, 1}}, {.constant_values = -3}), {3, 6},
                          {-3, -3, -3, -3, -3, -3, -3, -3, 1, 2, 3, -3, -3, -3, 4, 5, 6, -3});
  expect_elements<double>(pad(a, {{0, 2}}, {.mode = PadMode::edge}), {4, 5},
                          {1, 2, 3, 3, 3, 4, 5, 6, 6, 6, 4, 5, 6, 6, 6, 4, 5, 6, 6, 6});
  expect_elements<double>(
      pad(a, {{1, 1}, {2, 2}}, {.mode = PadMode::reflect}), {4, 7},
      {6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1, 6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1});
  expect_elements<double>(
      pad(a, {{2, 1}, {0, 3}}, {.mode = PadMode::symmetric}), {5, 6},
      {4, 5, 6, 6, 5, 4, 1, 2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 1, 4, 5, 6, 6, 5, 4, 4, 5, 6, 6, 5, 4});
  expect_elements<double>(pad(a, {{1, 2}, {3, 1}}, {.mode = PadMode::wrap}), {5, 7},
                          {4, 5, 6, 4, 5, 6, 4, 1, 2, 3, 1, 2, 3, 1, 4, 5, 6, 4,
                           5, 6, 4, 1, 2, 3, 1, 2, 3, 1, 4, 5, 6, 4, 5, 6, 4});
  expect_elements<double>(pad(arange(3), 7, {.mode = PadMode::reflect}), {17},
                          {1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1});
  EXPECT_EQ(pad(a.astype(float32), 1).dtype(), float32);
  expect_error<ValueError>([&] { pad(a, -1); }, "pad: widths cannot be negative; (-1, -1)");
  expect_error<ValueError>([] { pad(zeros({0}), 1, {.mode = PadMode::edge}); },
                           "pad: only `constant` and `empty` can extend an empty axis");
}

TEST_P(Tiling, FlipsAndTurns) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  expect_elements<double>(flip(a), {2, 3, 4}, {23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12,
                                               11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0});
  expect_elements<double>(
      flip(a, {0, -1}), {2, 3, 4},
      {15, 14, 13, 12, 19, 18, 17, 16, 23, 22, 21, 20, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8});
  expect_elements<double>(fliplr(a), {2, 3, 4}, {8,  9,  10, 11, 4,  5,  6,  7,  0,  1,  2,  3,
                                                 20, 21, 22, 23, 16, 17, 18, 19, 12, 13, 14, 15});
  expect_elements<double>(flipud(a), {2, 3, 4}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                                 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11});
  expect_elements<double>(rot90(a), {3, 2, 4}, {8,  9,  10, 11, 20, 21, 22, 23, 4,  5,  6,  7,
                                                16, 17, 18, 19, 0,  1,  2,  3,  12, 13, 14, 15});
  expect_elements<double>(rot90(a, 2), {2, 3, 4}, {20, 21, 22, 23, 16, 17, 18, 19, 12, 13, 14, 15,
                                                   8,  9,  10, 11, 4,  5,  6,  7,  0,  1,  2,  3});
  expect_elements<double>(
      rot90(a, -1, 1, 2), {2, 4, 3},
      {8, 4, 0, 9, 5, 1, 10, 6, 2, 11, 7, 3, 20, 16, 12, 21, 17, 13, 22, 18, 14, 23, 19, 15});
  expect_elements<double>(
      rot90(a, 5, 2, 0), {4, 3, 2},
      {12, 0, 16, 4, 20, 8, 13, 1, 17, 5, 21, 9, 14, 2, 18, 6, 22, 10, 15, 3, 19, 7, 23, 11});
  EXPECT_TRUE(flip(a).shares_memory(a));
  expect_error<ShapeError>([] { fliplr(zeros({2})); }, "fliplr: needs 2 axes; the shape is (2,)");
  expect_error<AxisError>([&] { flip(a, 3); }, "flip");
}

TEST_P(Tiling, RollsAndMovesAxes) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  expect_elements<double>(roll(a, 5), {2, 3, 4}, {19, 20, 21, 22, 23, 0,  1,  2,  3,  4,  5,  6,
                                                  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18});
  expect_elements<double>(
      roll(a, -1, 2), {2, 3, 4},
      {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 17, 18, 19, 16, 21, 22, 23, 20});
  expect_elements<double>(
      roll(a, 7, 1), {2, 3, 4},
      {8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 16, 17, 18, 19});
  expect_elements<double>(
      roll(a, 1, {0, 1}), {2, 3, 4},
      {20, 21, 22, 23, 12, 13, 14, 15, 16, 17, 18, 19, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7});
  expect_elements<double>(
      roll(a, Shape{1, -2}, {1, 2}), {2, 3, 4},
      {10, 11, 8, 9, 2, 3, 0, 1, 6, 7, 4, 5, 22, 23, 20, 21, 14, 15, 12, 13, 18, 19, 16, 17});
  EXPECT_EQ(roll(zeros({0, 2}), 1).shape(), (Shape{0, 2}));
  expect_elements<double>(
      moveaxis(a, 0, -1), {3, 4, 2},
      {0, 12, 1, 13, 2, 14, 3, 15, 4, 16, 5, 17, 6, 18, 7, 19, 8, 20, 9, 21, 10, 22, 11, 23});
  expect_elements<double>(
      moveaxis(a, {0, 2}, {1, 0}), {4, 2, 3},
      {0, 4, 8, 12, 16, 20, 1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23});
  expect_error<ValueError>(
      [&] {
        moveaxis(a, {0, 1}, {0});
      },
      "moveaxis: as many sources as destinations are needed; (0, 1) and (0,)");
}

TEST_P(Tiling, ShortArraysFillLongOnes) {
  for (const std::int64_t count : {1, 291, 292, 300, 3000}) {
    EXPECT_TRUE(array_equal(tile(arange(7), count), arange(7 * count) % 7)) << count;
  }
  const ndarray a = arange(6, float32).reshape({2, 3});
  const ndarray tiled = tile(a, {1000, 1});
  EXPECT_EQ(tiled.shape(), (Shape{2000, 3}));
  EXPECT_TRUE(array_equal(tiled, (arange(6000) % 6).reshape({2000, 3})));
  EXPECT_TRUE(array_equal(tile(a.T(), {500, 1}), tile(a.T().copy(), {500, 1})));
  EXPECT_EQ(tile(empty({0, 3}), {5, 1}).shape(), (Shape{0, 3}));
  EXPECT_EQ(tile(a, {0, 1}).shape(), (Shape{0, 3}));
}

TEST_P(Tiling, TrianglesAndGrids) {
  const ndarray a = arange(12).reshape({3, 4}), b = arange(18).reshape({2, 3, 3});
  expect_elements<double>(tri(3), {3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1});
  expect_elements<double>(tri(2, 4, 1, int32), {2, 4}, {1, 1, 0, 0, 1, 1, 1, 0});
  EXPECT_EQ(tri(0).shape(), (Shape{0, 0}));
  EXPECT_EQ(tri(-2).shape(), (Shape{0, 0}));
  EXPECT_EQ(tri(-2, 3).shape(), (Shape{0, 3}));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(array_equal(tri(3, 4, kMost), ones({3, 4})));
  EXPECT_TRUE(array_equal(tri(3, 4, -kMost), zeros({3, 4})));
  EXPECT_TRUE(tri(3).flags().writeable && tri(3).flags().c_contiguous);
  expect_elements<double>(tril(a), {3, 4}, {0, 0, 0, 0, 4, 5, 0, 0, 8, 9, 10, 0});
  expect_elements<double>(tril(b, -1), {2, 3, 3},
                          {0, 0, 0, 3, 0, 0, 6, 7, 0, 0, 0, 0, 12, 0, 0, 15, 16, 0});
  expect_elements<double>(triu(a, 1), {3, 4}, {0, 1, 2, 3, 0, 0, 6, 7, 0, 0, 0, 11});
  expect_elements<double>(triu(b), {2, 3, 3},
                          {0, 1, 2, 0, 4, 5, 0, 0, 8, 9, 10, 11, 0, 13, 14, 0, 0, 17});
  expect_elements<double>(triu(arange(3)), {3, 3}, {0, 1, 2, 0, 1, 2, 0, 0, 2});
  EXPECT_EQ(tril(ones({2, 2}, bool_)).dtype(), bool_);
  const auto xy = meshgrid({arange(3), arange(2)});
  expect_elements<double>(xy[0], {2, 3}, {0, 1, 2, 0, 1, 2});
  expect_elements<double>(xy[1], {2, 3}, {0, 0, 0, 1, 1, 1});
  const auto ij = meshgrid({arange(3), arange(2), arange(2)}, {.sparse = true, .indexing = "ij"});
  expect_elements<double>(ij[0], {3, 1, 1}, {0, 1, 2});
  expect_elements<double>(ij[2], {1, 1, 2}, {0, 1});
}

}  // namespace
}  // namespace cupyxx
