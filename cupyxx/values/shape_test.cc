// SPDX-License-Identifier: MIT
#include "cupyxx/shape.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

using testing::expect_error;

TEST(Shape, PrintsAsAPythonTuple) {
  EXPECT_EQ(Shape{}.str(), "()");
  EXPECT_EQ(Shape{4}.str(), "(4,)");
  std::ostringstream os;
  os << Shape{2, 3};
  EXPECT_EQ(os.str(), "(2, 3)");
}

TEST(Shape, GrowsAndShrinks) {
  Shape shape{2, 4};
  shape.insert(1, 3);
  shape.insert(0, 1);
  shape.push_back(5);
  EXPECT_EQ(shape, (Shape{1, 2, 3, 4, 5}));
  shape.erase(0);
  shape.erase(3);
  EXPECT_EQ(shape, (Shape{2, 3, 4}));
  EXPECT_EQ(shape.back(), 4);
  EXPECT_FALSE(shape == (Shape{2, 3}));
}

TEST(Shape, CountsFromTheEndAsATuple) {
  Shape shape{2, 3, 4};
  const Shape& constant = shape;
  EXPECT_EQ(shape[-1], 4);
  EXPECT_EQ(constant[-3], 2);
  EXPECT_EQ((Shape{5, 6}[-2]), 5);
  EXPECT_EQ((Shape{5, 6}[1]), 6);
  shape[-2] = 7;
  EXPECT_EQ(shape, (Shape{2, 7, 4}));
  EXPECT_EQ(shape.front(), 2);
  expect_error<IndexError>(
      [] {
        (void)Shape{5, 6}[2];
      },
      "shape: index 2 is out of range for (5, 6)");
  expect_error<IndexError>(
      [] {
        (void)Shape{5, 6}[-3];
      },
      "shape: index -3 is out of range for (5, 6)");
  expect_error<IndexError>([] { (void)Shape{}[0]; }, "shape: index 0 is out of range for ()");
}

TEST(Shape, RejectsMoreThanThirtyTwoAxes) {
  Shape shape(std::vector<std::int64_t>(32, 1));
  EXPECT_EQ(shape.ndim(), 32);
  const char* text = "shape: an array has at most 32 axes; 33";
  expect_error<ValueError>([&] { shape.push_back(1); }, text);
  expect_error<ValueError>([&] { shape.insert(0, 1); }, text);
  expect_error<ValueError>([] { Shape s(std::vector<std::int64_t>(33, 1)); }, text);
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(Shape{}.element_count(), 1);
  EXPECT_EQ((Shape{2, 3, 4}).element_count(), 24);
  EXPECT_EQ((Shape{INT64_MAX, 4, 0}).element_count(), 0);
  EXPECT_EQ((Shape{INT64_MAX}).element_count(), INT64_MAX);
}

TEST(Shape, RejectsCountsBeyondSixtyFourBits) {
  expect_error<ValueError>(
      [] {
        (void)Shape{std::int64_t{1} << 32, std::int64_t{1} << 31}.element_count();
      },
      "shape: the number of elements exceeds 64 bits; (4294967296, 2147483648)");
}

TEST(Broadcast, FollowsNumPysRule) {
  EXPECT_EQ(broadcast_shapes("add", {2, 3}, {3}), (Shape{2, 3}));
  EXPECT_EQ(broadcast_shapes("add", {3}, {2, 1}), (Shape{2, 3}));
  EXPECT_EQ(broadcast_shapes("add", {2, 1, 4}, {3, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcast_shapes("add", {}, {5}), (Shape{5}));
  EXPECT_EQ(broadcast_shapes("add", {}, {}), Shape{});
  EXPECT_EQ(broadcast_shapes("add", {0, 3}, {1, 1}), (Shape{0, 3}));
  EXPECT_EQ(broadcast_shapes("add", {1}, {0}), (Shape{0}));
}

TEST(Broadcast, RejectsMismatchedAxes) {
  expect_error<ShapeError>(
      [] {
        broadcast_shapes("add", {2, 3}, {4});
      },
      "add: operands could not be broadcast together with shapes (2, 3) and (4,)");
  expect_error<ShapeError>(
      [] {
        broadcast_shapes("add", {4}, {2, 3});
      },
      "add: operands could not be broadcast together with shapes (4,) and (2, 3)");
  expect_error<ShapeError>([] { broadcast_shapes("add", {0}, {2}); }, "shapes (0,) and (2,)");
}

TEST(Strides, AreContiguous) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}, 8), (Strides{96, 32, 8}));
  EXPECT_EQ(contiguous_strides({}, 8), Strides{});
  EXPECT_EQ(contiguous_strides({2, 0, 3}, 8), (Strides{24, 24, 8}));
}

TEST(Axis, CountsFromEitherEnd) {
  EXPECT_EQ(normalize_axis("sum", 0, 2), 0);
  EXPECT_EQ(normalize_axis("sum", -1, 2), 1);
  EXPECT_EQ(normalize_axis("sum", -2, 2), 0);
}

TEST(Axis, IsRejectedOutsideOfTheRank) {
  const char* text = "sum: axis 3 is out of bounds for array of dimension 2";
  expect_error<AxisError>([] { normalize_axis("sum", 3, 2); }, text);
  expect_error<ValueError>([] { normalize_axis("sum", 3, 2); }, text);
  expect_error<IndexError>([] { normalize_axis("sum", 3, 2); }, text);
  expect_error<AxisError>([] { normalize_axis("sum", -3, 2); },
                          "sum: axis -3 is out of bounds for array of dimension 2");
  expect_error<AxisError>([] { normalize_axis("sum", 0, 0); },
                          "sum: axis 0 is out of bounds for array of dimension 0");
}

TEST(Axes, BecomeAMask) {
  EXPECT_EQ(Axes{}.mask("sum", 3), 7U);
  EXPECT_EQ(Axes{}.mask("sum", 0), 0U);
  EXPECT_EQ(Axes{}.mask("sum", 32), ~0U);
  EXPECT_EQ(Axes(1).mask("sum", 3), 2U);
  EXPECT_EQ((Axes{0, -1}).mask("sum", 3), 5U);
  EXPECT_EQ(Axes::none().mask("sum", 3), 0U);
}

TEST(Axes, RejectDuplicatesAndStrangers) {
  expect_error<ValueError>(
      [] {
        (void)Axes{0, 0}.mask("sum", 2);
      },
      "sum: duplicate value in 'axis'; (0, 0)");
  expect_error<ValueError>(
      [] {
        (void)Axes{1, -1}.mask("sum", 2);
      },
      "sum: duplicate value in 'axis'; (1, -1)");
  expect_error<AxisError>([] { (void)Axes(2).mask("sum", 2); },
                          "sum: axis 2 is out of bounds for array of dimension 2");
}

}  // namespace
}  // namespace cupyxx
