// SPDX-License-Identifier: MIT
// Lists in braces where NumPy takes array_like. The texts are what NumPy 1.24 prints.
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class NumpyLists : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NumpyLists);

std::string printed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST_P(NumpyLists, OfArrays) {
  const ndarray v = arange(4.), w = v * 2;
  EXPECT_EQ(printed(median({v, w, v}, 0)), "[0. 1. 2. 3.]");
  EXPECT_EQ(printed(mean({v, w})), "2.25");
  EXPECT_EQ(printed(max({v, w}, 1)), "[3. 6.]");
  EXPECT_EQ(printed(sum({arange(2), array({0.5, 1.})}, {.axis = 0})), "[0.5 2. ]");
  EXPECT_EQ(printed(std({v, w}, 0, {.ddof = 1})), "[0.         0.70710678 1.41421356 2.12132034]");
  EXPECT_EQ(printed(cov({v, w}).round(3)), "[[1.667 3.333]\n [3.333 6.667]]");
  EXPECT_EQ(printed(dot({v, w}, v)), "[14. 28.]");
  EXPECT_EQ(printed(dot({1, 2}, 3)), "[3 6]");
  EXPECT_EQ(printed(sinc(0.5)), "0.6366197723675814");
  EXPECT_EQ(printed(clip(1.5, 0, 1)), "1.0");
  EXPECT_EQ(printed(clip(5, 0, 3)), "3");
  EXPECT_EQ(printed(where(true, 1, 2)), "1");
  EXPECT_EQ(printed(where(false, v, w)), printed(w));
  EXPECT_EQ(printed(tile(5, {2, 2})), "[[5 5]\n [5 5]]");
  EXPECT_EQ(printed(repeat(5, 3)), "[5 5 5]");
  EXPECT_EQ(printed(digitize(0.5, {0, 1})), "1");
  EXPECT_EQ(printed(digitize(1, v, true)), printed(digitize(array(1), v, true)));
  EXPECT_EQ(printed(isin(2, {1, 2})), "True");
  EXPECT_EQ(printed(isin(2.5, v)), "False");
  EXPECT_EQ(printed(dot(2, {1.5, 2})), "[3. 4.]");
  EXPECT_EQ(printed(logical_and.reduce({v > 0, v < 3})), "[False  True  True False]");
  EXPECT_EQ(printed(maximum.reduce({v, w})), "[0. 2. 4. 6.]");
  EXPECT_EQ(printed(flip({v(slice(0, 2)), w(slice(2, 4))}, 0)), "[[4. 6.]\n [0. 1.]]");
  expect_error<ValueError>(
      [&] {
        mean({v, v(slice(1, none))}, 0);
      },
      "array: the arrays of a list have different shapes: (4,) and (3,)");
}

TEST_P(NumpyLists, OfOneRow) {
  const ndarray a = arange(6).reshape({2, 3});
  EXPECT_EQ(printed(append(a, {{7, 8, 9}}, 0)), "[[0 1 2]\n [3 4 5]\n [7 8 9]]");
  EXPECT_EQ(printed(vstack({a, {{7, 8, 9}}})), "[[0 1 2]\n [3 4 5]\n [7 8 9]]");
  EXPECT_EQ(printed(add({{1, 2, 3}}, {{1}, {2}})), "[[2 3 4]\n [3 4 5]]");
  EXPECT_EQ(printed(negative({{1, 2, 3}})), "[[-1 -2 -3]]");
  EXPECT_EQ(printed(sum({{1, 2, 3}}, 1)), "[6]");
  EXPECT_EQ(printed(transpose({{1, 2}})), "[[1]\n [2]]");
  EXPECT_EQ(printed(kron({{1, 2}}, {{3}})), "[[3 6]]");
  EXPECT_EQ(printed(where({{true, false, true}}, 1, 0)), "[[1 0 1]]");
  EXPECT_EQ(printed(mean({{3, 1.5, 2}}, 0)), "[3.  1.5 2. ]");
  // Arrays with and without a name keep their one axis, numbers alone stay numbers.
  const int row[] = {1, 2, 3};
  using Row = int[3];
  EXPECT_EQ(negative(row).shape(), (Shape{3}));
  EXPECT_EQ(negative(Row{1, 2, 3}).shape(), (Shape{3}));
  EXPECT_EQ(sort(Row{1, 2, 3}).shape(), (Shape{3}));
  EXPECT_EQ(negative({5}).shape(), Shape());
  EXPECT_EQ(sort({5}).shape(), (Shape{1}));
  EXPECT_EQ(sort({{5}}).shape(), (Shape{1, 1}));
}

TEST_P(NumpyLists, OfSeveralTypes) {
  EXPECT_EQ(printed(add({{1, 2.5}, {3, 4}}, {{1, 2.5}})), "[[2.  5. ]\n [4.  6.5]]");
  EXPECT_EQ(printed(linalg::det({{1, 0.5}, {2, 2}})), "1.0");
  EXPECT_EQ(sum({{true, 2}, {3, 4}}, 1).dtype(), int64);
}

TEST_P(NumpyLists, Masks) {
  const ndarray a = arange(6).reshape({2, 3});
  EXPECT_EQ(printed(sum({1, 2, 3}, {.where = {true, false, true}})), "4");
  EXPECT_EQ(printed(sum(a, {.axis = 0, .where = {{true, true, false}, {true, false, false}}})),
            "[3 1 0]");
  EXPECT_EQ(printed(mean(a, {.axis = 1, .where = {true, true, false}})), "[0.5 3.5]");
  EXPECT_EQ(printed(max(a, {.initial = -1, .where = false})), "-1");
  EXPECT_EQ(printed(sum(a, {.where = true})), "15");
  const ndarray b = zeros(3, int64);
  add(b, 5, {.out = b, .where = std::vector<bool>{true, false, true}});
  EXPECT_EQ(printed(b), "[5 0 5]");
  copyto(b, 7, {.where = {false, true, false}});
  EXPECT_EQ(printed(b), "[5 7 5]");
  expect_error<ShapeError>([&] { sum(a, {.where = {true, false}}); }, "sum: ");
}

TEST_P(NumpyLists, ValuesOfABorder) {
  EXPECT_EQ(printed(pad({1, 2}, {1, 2}, "constant", {.constant_values = {4, 6}})), "[4 1 2 6 6]");
}

TEST_P(NumpyLists, LabelsOfEinsum) {
  const ndarray a = arange(6).reshape({2, 3});
  EXPECT_EQ(printed(einsum(a, {1, 0})), "[[0 3]\n [1 4]\n [2 5]]");
  EXPECT_EQ(printed(einsum(a, {0, 1}, {0})), "[ 3 12]");
  EXPECT_EQ(printed(einsum(a, {0, 1}, a, {2, 1})), "[[ 5 14]\n [14 50]]");
  EXPECT_EQ(printed(einsum(a, {0, 1}, arange(3), {1}, {0})), "[ 5 14]");
  EXPECT_EQ(printed(einsum(a, {0, 30}, arange(3), {30}, arange(2), {0}, {})), "14");
  EXPECT_EQ(printed(einsum(arange(4).reshape({2, 2}), {0, 0})), "3");
  expect_error<ValueError>([&] { einsum(a, {0, 52}); }, "einsum: 52 is no label; they are 0 to 51");
}

TEST_P(NumpyLists, ListsBesideLists) {
  const ndarray v = arange(2.), cube = arange(24).reshape({2, 3, 4});
  EXPECT_EQ(printed(cube(ix_({0, 1}, {2}, {0, 3}))), "[[[ 8 11]]\n\n [[20 23]]]");
  EXPECT_EQ(ix_({0, 1}, {1}, {0}, {true, false, true})[3].shape(), (Shape{1, 1, 1, 2}));
  EXPECT_EQ(printed(dstack({{1, 2}, {3, 4}})), "[[[1 3]\n  [2 4]]]");
  EXPECT_EQ(printed(column_stack({v, {5, 6}})), "[[0. 5.]\n [1. 6.]]");
  EXPECT_EQ(printed(repeat({1, 2}, {2, 3})), "[1 1 2 2 2]");
  EXPECT_EQ(printed(repeat({{1}, {2}}, {1, 2}, 0)), "[[1]\n [2]\n [2]]");
  EXPECT_EQ(printed(choose({0, 1, 0}, {{1, 2, 3}, {4, 5, 6}})), "[1 5 3]");
  EXPECT_EQ(printed(choose(array({0, 9}), {{1, 2}, {4, 5}}, "clip")), "[1 5]");
  EXPECT_EQ(printed(ravel_multi_index({{0, 1}, {1, 2}}, {3, 4})), "[1 6]");
  EXPECT_EQ(printed(ravel_multi_index({{3, 9}, {4, 9}}, {7, 6}, {.mode = "clip"})), "[22 41]");
  EXPECT_EQ(printed(eye(2, none, 1, int32)), "[[0 1]\n [0 0]]");
  EXPECT_EQ(printed(histogram2d({0, 1, 1}, {0, 1, 0}, 2).hist), "[[1. 0.]\n [1. 1.]]");
  EXPECT_EQ(printed(histogram2d({0, 1, 1}, {0, 1, 0}, {.bins = 2}).hist), "[[1. 0.]\n [1. 1.]]");
  EXPECT_EQ(printed(spacing(1.)) + printed(spacing({4., 4.})),
            "2.220446049250313e-16[8.8817842e-16 8.8817842e-16]");
}

// The bytes are gone when the statement ends.
TEST_P(NumpyLists, BuffersThatEndAreCopied) {
  const ndarray from_bytes = frombuffer(arange(3).tobytes(), int64);
  const ndarray from_text = frombuffer(std::string(100, 'a').substr(0, 50), uint8);
  const ndarray some = frombuffer(arange(3).tobytes(), {.dtype = int64, .count = 2});
  const ndarray numbers = frombuffer(std::vector<float>(50, 1.5f));
  EXPECT_EQ(printed(from_bytes) + printed(some), "[0 1 2][0 1]");
  EXPECT_EQ(printed(from_text.sum()) + printed(numbers.sum()), "485075.0");
}

TEST_P(NumpyLists, CoordinatesOfGradients) {
  const ndarray v = array({1., 2., 4., 7.}), m = array({{1., 2., 6.}, {3., 4., 5.}});
  EXPECT_EQ(printed(gradient(v, {0, 1, 3, 6})[0]), "[1. 1. 1. 1.]");
  EXPECT_EQ(printed(gradient(v, {0, 0.5, 1.5, 3})[0]), "[2. 2. 2. 2.]");
  EXPECT_EQ(printed(gradient(m, {.axis = 0, .edge_order = 1})[0]),
            "[[ 2.  2. -1.]\n [ 2.  2. -1.]]");
  EXPECT_ANY_THROW(gradient(m, {1, 2}));  // coordinates, in NumPy, too
}

TEST_P(NumpyLists, OneNumberInBracesIsAList) {
  const ndarray a = arange(6).reshape({2, 3});
  EXPECT_EQ(printed(take(a, {{0}, {4}})), "[[0]\n [4]]");
  EXPECT_EQ(printed(take(a, {{0}, {2}}, 1)), "[[[0]\n  [2]]\n\n [[3]\n  [5]]]");
  EXPECT_EQ(printed(a.take({{0}, {2}}, 1)), printed(take(a, {{0}, {2}}, {.axis = 1})));
  EXPECT_EQ(printed(a.take({1, 100, -100}, {.mode = "clip"})), "[1 5 0]");
  EXPECT_EQ(printed(a.take({7, -1}, none, "wrap")), "[1 5]");
  EXPECT_EQ(printed(a.take({4}, 1, {.mode = "wrap"})), "[[1]\n [4]]");
  EXPECT_EQ(printed(pad(a, {{1}, {0}})), "[[0 0 0]\n [0 1 2]\n [3 4 5]\n [0 0 0]]");
  EXPECT_EQ(printed(pad(array({5}), {{2}}, "edge")), "[5 5 5 5 5]");
  EXPECT_EQ(printed(pad(array({{5}}), 1, {.constant_values = {{1}, {2}}})),
            "[[2 1 2]\n [2 5 2]\n [2 1 2]]");
  EXPECT_EQ(printed(pad(array({0}), 2, {.mode = "linear_ramp", .end_values = {{4}}})),
            "[4 2 0 2 4]");
  const std::array<std::int64_t, 2> front = {1, 0};
  EXPECT_EQ(printed(pad(array({{5}}), {front, front})), "[[0 0]\n [0 5]]");
  expect_error<ValueError>(
      [&] {
        pad(a, {{1, 2, 3}, {1}});
      },
      "pad: 3 numbers of one axis; write {before, after}, or {both}");
}

TEST_P(NumpyLists, ElementwiseOperationsTakeThem) {
  const ndarray a = arange(4);
  EXPECT_EQ(printed(add(a, {10, 20, 30, 40})), "[10 21 32 43]");
  EXPECT_EQ(printed(maximum({1, 2, 3, 0}, a)), "[1 2 3 3]");
  EXPECT_EQ(printed(sqrt({1, 4, 9})), "[1. 2. 3.]");
  EXPECT_EQ(printed(multiply(a.reshape({2, 2}), {{1, 2}, {3, 4}})), "[[ 0  2]\n [ 6 12]]");
  EXPECT_EQ(printed(add(a, std::vector<double>{.5, .5, .5, .5})), "[0.5 1.5 2.5 3.5]");
  EXPECT_EQ(printed(add(a, std::array<int, 4>{1, 1, 1, 1})), "[1 2 3 4]");
  EXPECT_EQ(printed(multiply.outer({1, 2}, {4, 5})), "[[ 4  5]\n [ 8 10]]");
  EXPECT_EQ(printed(add.reduce({1, 2, 3})) + printed(add.accumulate({1, 2, 3})), "6[1 3 6]");
  EXPECT_EQ(printed(add.reduceat(arange(8), {0, 4, 1, 5})), "[ 6  4 10 18]");
  EXPECT_EQ(printed(where(a > 1, {1, 2, 3, 4}, {5, 6, 7, 8})), "[5 6 3 4]");
  EXPECT_EQ(printed(clip(a, {1, 1, 0, 0}, 2)), "[1 1 2 2]");
  EXPECT_EQ(printed(full({2, 2}, {1, 2})), "[[1 2]\n [1 2]]");
  EXPECT_EQ(printed(full_like(a, {4, 3, 2, 1})), "[4 3 2 1]");
  EXPECT_EQ(add(a, {1, 2, 3, 4.5}).dtype(), float64);
  EXPECT_EQ(add(a.astype("float32"), {1.f, 2.f, 3.f, 4.f}).dtype(), float32);
  EXPECT_EQ(add(a.astype("float32"), {1., 2., 3., 4.}).dtype(), float64);  // as an array of NumPy's
  EXPECT_EQ(logical_not({true, false}).dtype(), bool_);
  const auto b = zeros(4);
  b += {1, 2, 3, 4};
  b(b > 2) -= {3, 4};
  EXPECT_EQ(printed(b), "[1. 2. 0. 0.]");
  add.at(b, {0, 0, 3}, {1, 1, 5});
  EXPECT_EQ(printed(b), "[3. 2. 0. 5.]");
  EXPECT_EQ(printed(linspace({0, 10}, {1, 20}, 3)), "[[ 0.  10. ]\n [ 0.5 15. ]\n [ 1.  20. ]]");
  expect_error<ShapeError>([&] { add(a, {1, 2, 3}); }, "add: ");
  expect_error<ValueError>(
      [&] {
        add(a, {{1, 2}, {3}});
      },
      "array: nested lists of different lengths: 2 and 1");
}

TEST_P(NumpyLists, OrderStatistics) {
  const ndarray a = array({{10, 7, 4}, {3, 2, 1}});
  EXPECT_EQ(printed(percentile(a, {25, 50})), "[2.25 3.5 ]");
  EXPECT_EQ(printed(percentile(a, {2.5, 50})), "[1.125 3.5  ]");
  EXPECT_EQ(printed(percentile(a, {50})), "[3.5]");
  EXPECT_EQ(printed(percentile(a, 50)), "3.5");
  EXPECT_EQ(printed(percentile(a, {50, 100}, 0)), "[[ 6.5  4.5  2.5]\n [10.   7.   4. ]]");
  EXPECT_EQ(percentile(a, {50, 99.5}, {.axis = 1, .keepdims = true}).shape(), (Shape{2, 2, 1}));
  EXPECT_EQ(printed(quantile(a, {.25, .5})), "[2.25 3.5 ]");
  EXPECT_EQ(printed(quantile(a, {.5}, 1)), "[[7. 2.]]");
  EXPECT_EQ(printed(quantile(a, std::vector<double>{.25, .5})), "[2.25 3.5 ]");
  EXPECT_EQ(printed(nanpercentile(a, {25, 50})), "[2.25 3.5 ]");
  EXPECT_EQ(printed(nanquantile(a, {.5}, {.axis = 1})), "[[7. 2.]]");
  EXPECT_EQ(printed(average(arange(4), none, {4, 3, 2, 1})), "1.0");
  EXPECT_EQ(printed(average(a, 1, {1, 0, 1})), "[7. 2.]");
  EXPECT_EQ(printed(average(a, 1, array({1, 0, 1}))), "[7. 2.]");
  EXPECT_EQ(printed(median({3, 1, 2})), "2.0");
  EXPECT_EQ(printed(ptp({3, 1, 7})), "6");
}

TEST_P(NumpyLists, Histograms) {
  const ndarray a = array({1, 2, 1, 4});
  const auto [hist, edges] = histogram(a, {0, 1, 2, 5});
  EXPECT_EQ(printed(hist), "[0 2 2]");
  EXPECT_EQ(printed(edges), "[0 1 2 5]");
  EXPECT_EQ(printed(histogram(a, {0, 2}).hist), "[3]");  // 0 is no text
  EXPECT_EQ(printed(histogram({1, 2, 1}, {0, 1, 2, 3}).hist), "[0 2 1]");
  EXPECT_EQ(printed(histogram({1, 2, 1}, 2).hist), "[2 1]");
  EXPECT_EQ(printed(digitize(array({.2, 6.4, 3., 1.6}), {0., 1., 2.5, 4., 10.})), "[1 4 3 2]");
  EXPECT_EQ(printed(digitize({.2, 6.4, 3., 1.6}, {0, 1, 4, 10})), "[1 3 2 2]");
  EXPECT_EQ(printed(bincount({0, 1, 1, 3})), "[1 2 0 1]");
  EXPECT_EQ(printed(bincount(array({0, 1, 1}), {.5, 1., 2.})), "[0.5 3. ]");
  EXPECT_EQ(printed(bincount(array({0, 1, 1}), {}, 4)), "[1 2 0 0]");
  EXPECT_EQ(printed(bincount(array({0, 1, 1}), {.minlength = 4})), "[1 2 0 0]");
}

TEST_P(NumpyLists, SortingAndSets) {
  const ndarray a = array({1, 2, 3, 4, 5});
  EXPECT_EQ(printed(searchsorted(a, {-10, 10, 2, 3})), "[0 5 1 2]");
  EXPECT_EQ(printed(searchsorted(a, {3})), "[2]");
  EXPECT_EQ(printed(searchsorted(a, 3)), "2");
  EXPECT_EQ(printed(searchsorted({1, 2, 3, 4, 5}, 3, "right")), "3");
  EXPECT_EQ(printed(searchsorted(a, {3, 2.5}, {.side = SearchSide::right})), "[3 2]");
  EXPECT_EQ(printed(a.searchsorted({2, 3})), "[1 2]");
  EXPECT_EQ(printed(isin(a, {2, 4})), "[False  True False  True False]");
  EXPECT_EQ(printed(isin(a, {2})), "[False  True False False False]");
  EXPECT_EQ(printed(isin({1, 9}, a)), "[ True False]");
  EXPECT_EQ(printed(isin(a, {2, 4.0}, {.invert = true})), "[ True False  True False  True]");
  EXPECT_EQ(printed(isin(a, std::vector<int>{5})), "[False False False False  True]");
  EXPECT_EQ(printed(in1d(a, {2, 4})), "[False  True False  True False]");
  EXPECT_EQ(printed(union1d({-1, 0, 1}, {-2, 0, 2})), "[-2 -1  0  1  2]");
  EXPECT_EQ(printed(intersect1d(a, {3, 1, 9})), "[1 3]");
  EXPECT_EQ(printed(setdiff1d(a, {3, 4, 5})), "[1 2]");
  EXPECT_EQ(printed(setxor1d({1, 2, 3}, {2, 3, 5})), "[1 5]");
  EXPECT_EQ(printed(unique({1, 1, 2, 2, 3, 3})), "[1 2 3]");
  EXPECT_EQ(printed(sort({3, 1, 2})), "[1 2 3]");
  EXPECT_EQ(printed(argsort({3, 1, 2})), "[1 2 0]");
}

TEST_P(NumpyLists, Products) {
  const ndarray a = array({1, 2, 3});
  EXPECT_EQ(printed(dot(a, {1, 0, 2})), "7");
  EXPECT_EQ(printed(dot({1, 0, 2}, a)), "7");
  const double plain[] = {1, 0, 2};
  EXPECT_EQ(printed(dot(a, plain)), "7.0");
  EXPECT_EQ(printed(add(a, plain)), "[2. 2. 5.]");
  EXPECT_EQ(printed(dot(std::vector{1, 0, 2}, a)), "7");
  EXPECT_EQ(printed(dot({1, 2}, {3, 4})), "11");
  EXPECT_EQ(printed(dot(array({5}), {2})), "10");
  EXPECT_EQ(printed(dot({{1, 0}, {0, 1}}, {{4, 1}, {2, 2}})), "[[4 1]\n [2 2]]");
  EXPECT_EQ(printed(a.dot({1, 1, 1})), "6");
  EXPECT_EQ(printed(matmul({{1, 2}, {3, 4}}, {1, 1})), "[3 7]");
  EXPECT_EQ(printed(vdot(a, {1, 2, 3})), "14");
  EXPECT_EQ(printed(inner(a, {0, 1, 0})), "2");
  EXPECT_EQ(printed(outer(a, {1, 10})), "[[ 1 10]\n [ 2 20]\n [ 3 30]]");
  EXPECT_EQ(printed(cross({1, 2, 3}, {4, 5, 6})), "[-3  6 -3]");
  EXPECT_EQ(printed(cross(a, {4, 5, 6})), "[-3  6 -3]");
  EXPECT_EQ(printed(kron({1, 10, 100}, {5, 6, 7})), "[  5   6   7  50  60  70 500 600 700]");
  EXPECT_EQ(printed(convolve({1, 2, 3}, {0, 1, 0.5})), "[0.  1.  2.5 4.  1.5]");
  EXPECT_EQ(printed(correlate(a, {0, 1, 0.5})), "[3.5]");
  EXPECT_EQ(printed(tensordot(ones({2, 3}), {{1, 2, 3}, {4, 5, 6}})), "21.0");
  EXPECT_EQ(printed(linalg::solve({{1, 2}, {3, 5}}, {1, 2})), "[-1.  1.]");
  EXPECT_EQ(printed(linalg::solve(array({{3., 0.}, {0., 2.}}), {9, 8})), "[3. 4.]");
  EXPECT_TRUE(array_equal(linalg::inv({{2, 0}, {0, 4}}), {{0.5, 0.}, {0., 0.25}}));
  EXPECT_EQ(printed(linalg::det({{2, 0}, {0, 4}})), "8.0");
  EXPECT_EQ(printed(linalg::norm({3, 4})), "5.0");
}

TEST_P(NumpyLists, Polynomials) {
  EXPECT_EQ(printed(polyval({3, 0, 1}, 5)), "76");
  EXPECT_EQ(printed(polyval({3, 0, 1}, arange(3))), "[ 1  4 13]");
  EXPECT_EQ(printed(polyval({3, 0, 1}, {5, 0.5})), "[76.    1.75]");
  EXPECT_EQ(printed(polyadd({1, 2}, {9, 5, 4})), "[9 6 6]");
  EXPECT_EQ(printed(polysub({2, 10, -2}, {3, 10, -4})), "[-1  0  2]");
  EXPECT_EQ(printed(polymul({1, 2, 3}, {9, 5, 1})), "[ 9 23 38 17  3]");
  EXPECT_EQ(printed(polydiv({3, 5, 2}, {2, 1}).quotient), "[1.5  1.75]");
  EXPECT_EQ(printed(polyder({1, 1, 1, 1})), "[3 2 1]");
  EXPECT_EQ(printed(polyint({3, 2, 1})), "[1. 1. 1. 0.]");
  EXPECT_EQ(printed(polyint({6, 6}, 1, {5})), "[3. 6. 5.]");
  EXPECT_EQ(printed(poly({0, 0, 0})), "[1. 0. 0. 0.]");
  EXPECT_EQ(printed(sort(roots({1, -3, 2}))), "[1. 2.]");
  EXPECT_TRUE(allclose(polyfit({0, 1, 2, 3}, {1, 3, 5, 7}, 1), {2, 1}));
  EXPECT_EQ(printed(interp(2.5, {1, 2, 3}, {3, 2, 0})), "1.0");
  EXPECT_EQ(printed(interp({0, 1, 1.5, 2.72, 3.14}, {1, 2, 3}, {3, 2, 0})),
            "[3.   3.   2.5  0.56 0.  ]");
  EXPECT_EQ(printed(interp({2.5}, {1, 2, 3}, {3, 2, 0})), "[1.]");
  EXPECT_EQ(printed(interp({2.5}, array({1, 2, 3}), array({3, 2, 0}))), "[1.]");
  EXPECT_EQ(printed(trapz({1, 2, 3}, {4, 6, 8})), "8.0");
}

TEST_P(NumpyLists, Editing) {
  const ndarray a = array({1, 2, 3, 4});
  EXPECT_EQ(printed(append(a, {5, 6})), "[1 2 3 4 5 6]");
  EXPECT_EQ(printed(append({1, 2}, {3, 4})), "[1 2 3 4]");
  EXPECT_EQ(printed(append(array({{1, 2}}), {{7, 8}, {9, 0}}, 0)), "[[1 2]\n [7 8]\n [9 0]]");
  EXPECT_EQ(printed(insert(a, 1, {7, 8})), "[1 7 8 2 3 4]");
  EXPECT_EQ(printed(insert(a, {1, 3}, {7, 8})), "[1 7 2 3 8 4]");  // places, no slice
  EXPECT_EQ(printed(insert(a, {1, 3}, 9)), "[1 9 2 3 9 4]");
  EXPECT_EQ(printed(insert(array({{1, 1}, {2, 2}, {3, 3}}), {1}, array({{7}, {8}, {9}}), 1)),
            "[[1 7 1]\n [2 8 2]\n [3 9 3]]");
  EXPECT_EQ(printed(insert(a, slice(1, 3), 9)), "[1 9 2 9 3 4]");
  EXPECT_EQ(printed(delete_(a, {0, 3})), "[2 3]");  // places, no slice
  const int first = 0;
  EXPECT_EQ(printed(delete_(a, {first, a.size() - 1})), "[2 3]");
  EXPECT_EQ(printed(delete_(a, {true, false, false, true})), "[2 3]");
  EXPECT_EQ(printed(delete_(a, slice(0, 3))), "[4]");
  EXPECT_EQ(printed(delete_(a.reshape({2, 2}), {1}, {.axis = 1})), "[[1]\n [3]]");
  EXPECT_EQ(printed(take(a, {0, 2})), "[1 3]");
  EXPECT_EQ(printed(a.take({0, 2})), "[1 3]");
  EXPECT_EQ(printed(a.take(2)), "3");
  EXPECT_EQ(printed(a.reshape({2, 2}).take({1, 0}, 1)), "[[2 1]\n [4 3]]");
  EXPECT_EQ(printed(compress({true, false, true}, a)), "[1 3]");
  EXPECT_EQ(printed(a.compress({true, false, true})), "[1 3]");
  EXPECT_EQ(printed(a.repeat({1, 0, 2, 1})), "[1 3 3 4]");
  EXPECT_EQ(printed(a.repeat(array({1, 0, 2, 1}))), "[1 3 3 4]");
  EXPECT_EQ(printed(repeat({1, 2}, 2)), "[1 1 2 2]");
  EXPECT_EQ(printed(tile({0, 1}, 2)), "[0 1 0 1]");
  EXPECT_EQ(printed(tile({0, 1}, {2, 2})), "[[0 1 0 1]\n [0 1 0 1]]");
  const auto b = arange(5);
  put(b, {0, 2}, {-44, -55});
  EXPECT_EQ(printed(b), "[-44   1 -55   3   4]");
  b.put({1, 3}, 0);
  EXPECT_EQ(printed(b), "[-44   0 -55   0   4]");
  place(b, b < 0, {7, 8});
  EXPECT_EQ(printed(b), "[7 0 8 0 4]");
  putmask(b, b == 0, {1, 2, 3, 4, 5});
  EXPECT_EQ(printed(b), "[7 2 8 4 4]");
  EXPECT_EQ(printed(b({true, false, false, false, true})), "[7 4]");
  b({true, false, false, false, true}) = 1;
  EXPECT_EQ(printed(b), "[1 2 8 4 1]");
  EXPECT_EQ(printed(unravel_index({22, 41, 37}, {7, 6})[0]), "[3 6 6]");
  const auto at = unravel_index(99, {6, 7, 8});
  EXPECT_EQ(printed(at[0]) + printed(at[1]) + printed(at[2]), "153");
}

TEST_P(NumpyLists, ComparisonsOfWholeArrays) {
  const ndarray a = array({1, 2, 3});
  EXPECT_TRUE(array_equal(a, {1, 2, 3}));
  EXPECT_FALSE(array_equal(a, {1, 2}));
  EXPECT_TRUE(array_equiv(a.reshape({1, 3}), {1, 2, 3}));
  EXPECT_TRUE(allclose(a, {1, 2, 3.0}));
  EXPECT_EQ(printed(isclose(a, {1, 2, 4})), "[ True  True False]");
  testing::assert_array_equal(a, {1, 2, 3});
  testing::assert_equal(a, {1, 2, 3});
  testing::assert_allclose(a, {1., 2., 3.});
  testing::assert_array_almost_equal(a, {1, 2, 3});
  testing::assert_array_less(a, {2, 3, 4});
  expect_error<AssertionError>(
      [&] {
        testing::assert_array_equal(a, {1, 2, 4});
      },
      "Arrays are not equal");
}

TEST_P(NumpyLists, ReductionsAndTheirKin) {
  EXPECT_EQ(printed(sum({0.5, 1.5})), "2.0");
  EXPECT_EQ(printed(sum({{0, 1}, {0, 5}}, 0)), "[0 6]");
  EXPECT_EQ(printed(prod({1, 2, 3, 4})), "24");
  EXPECT_EQ(printed(mean({{1, 2}, {3, 4}}, 1)), "[1.5 3.5]");
  EXPECT_EQ(printed(std({1, 3})), "1.0");
  EXPECT_EQ(printed(var({1, 3}, 0, {.ddof = 1})), "2.0");
  EXPECT_EQ(printed(max({3, 7, 1})) + printed(min({3, 7, 1})), "71");
  EXPECT_EQ(printed(argmax({3, 7, 1})) + printed(argmin({3, 7, 1})), "12");
  EXPECT_EQ(printed(all({true, false})) + printed(any({true, false})), "FalseTrue");
  EXPECT_EQ(count_nonzero({3, 0, 1}), 2);
  EXPECT_EQ(printed(cumsum({1, 2, 3})), "[1 3 6]");
  EXPECT_EQ(printed(cumprod({1, 2, 3})), "[1 2 6]");
  EXPECT_EQ(printed(diff({1, 2, 4, 7, 0})), "[ 1  2  3 -7]");
  EXPECT_EQ(printed(diag({1, 2})), "[[1 0]\n [0 2]]");
  EXPECT_EQ(printed(meshgrid({0, 1, 2}, {0, 1})[1]), "[[0 0 0]\n [1 1 1]]");
  EXPECT_EQ(printed(fft::fft({1, 0, 0, 0}).real()), "[1. 1. 1. 1.]");
  EXPECT_EQ(random::multinomial(20, {.2, .8}).sum().item<int>(), 20);
  EXPECT_TRUE(all(isin(random::choice({2, 3, 5}, 9), {2, 3, 5})).item<bool>());
  EXPECT_EQ(printed(random::choice(2, {3}, true, {0., 1.})), "[1 1 1]");
  EXPECT_EQ(printed(sort(random::permutation({1, 4, 9}))), "[1 4 9]");
  auto rng = random::default_rng(0);
  EXPECT_TRUE(all(isin(rng.choice({2, 3, 5}, 9), {2, 3, 5})).item<bool>());
  EXPECT_EQ(printed(rng.choice({2, 3}, {3}, true, {0., 1.})), "[3 3 3]");
  EXPECT_EQ(rng.multinomial(20, {.2, .8}).sum().item<int>(), 20);
  EXPECT_EQ(printed(sort(rng.permutation({1, 4, 9}))), "[1 4 9]");
  EXPECT_EQ(random::dirichlet({1, 2, 3}, 4).shape(), (Shape{4, 3}));
  EXPECT_EQ(random::multivariate_normal({0, 0}, {{1, 0}, {0, 1}}, 5).shape(), (Shape{5, 2}));
}

TEST_P(NumpyLists, ArgumentsOfTheirOwn) {
  EXPECT_EQ(printed(around({0.37, 1.64}, 1)), "[0.4 1.6]");
  EXPECT_EQ(printed(clip({1, 2, 3, 4}, 2, 3)), "[2 2 3 3]");
  EXPECT_EQ(printed(pad({1, 2, 3}, 2, "reflect")), "[3 2 1 2 3 2 1]");
  EXPECT_EQ(printed(pad({1, 2}, 1)), "[0 1 2 0]");
  EXPECT_EQ(printed(roll({1, 2, 3}, 1)), "[3 1 2]");
  EXPECT_EQ(printed(flip({1, 2, 3})), "[3 2 1]");
  EXPECT_EQ(printed(rot90({{1, 2}, {3, 4}})), "[[2 4]\n [1 3]]");
  EXPECT_EQ(printed(broadcast_to({1, 2}, {2, 2})), "[[1 2]\n [1 2]]");
  EXPECT_EQ(printed(trim_zeros({0, 0, 1, 2, 0})), "[1 2]");
  EXPECT_EQ(printed(resize({1, 2, 3}, {2, 2})), "[[1 2]\n [3 1]]");
  EXPECT_EQ(printed(reshape({1, 2, 3, 4}, {2, 2})), "[[1 2]\n [3 4]]");
  EXPECT_EQ(printed(transpose({{1, 2}, {3, 4}})), "[[1 3]\n [2 4]]");
  EXPECT_EQ(printed(flatnonzero({0, 3, 0, 5})), "[1 3]");
  EXPECT_EQ(printed(argwhere({{0, 1}, {2, 0}})), "[[0 1]\n [1 0]]");
  EXPECT_EQ(printed(partition({3, 1, 2}, 1)(1)), "2");
  EXPECT_EQ(printed(cov({{0, 1, 2}, {2, 1, 0}})), "[[ 1. -1.]\n [-1.  1.]]");
  EXPECT_EQ(printed(nansum({1., nan})) + printed(nanmax({1., nan})), "1.01.0");
  EXPECT_EQ(printed(linalg::cholesky({{4., 2.}, {2., 2.}})), "[[2. 0.]\n [1. 1.]]");
  EXPECT_EQ(printed(linalg::eigvalsh({{2., 0.}, {0., 3.}})), "[2. 3.]");
  EXPECT_EQ(printed(linalg::matrix_power({{0, 1}, {-1, 0}}, 3)), "[[ 0 -1]\n [ 1  0]]");
  EXPECT_EQ(printed(linalg::svd({{3., 0.}, {0., 4.}}).s), "[4. 3.]");
  EXPECT_EQ(printed(where({true, false}, {1, 2}, {3, 4})), "[1 4]");
  EXPECT_EQ(printed(take({4, 3, 5}, {0, 2})), "[4 5]");
  EXPECT_EQ(printed(extract({true, false}, {5, 6})), "[5]");
  EXPECT_EQ(printed(percentile({1, 2, 3}, 50)), "2.0");
  EXPECT_EQ(printed(quantile({1, 2, 3}, {.25, .5})), "[1.5 2. ]");
  EXPECT_EQ(printed(choose({0, 1}, {array({1, 2}), array({3, 4})})), "[1 4]");
  EXPECT_EQ(printed(linalg::matrix_rank({{1., 0.}, {0., 0.}})), "1");
  EXPECT_EQ(printed(array(std::vector<ndarray>{arange(2), arange(2)})), "[[0 1]\n [0 1]]");
  // Beside arrays in a list of arrays.
  const ndarray a = array({1, 2});
  EXPECT_EQ(printed(concatenate({a, {3, 4}})), "[1 2 3 4]");
  EXPECT_EQ(printed(concatenate({{1, 2}, {3}})), "[1 2 3]");
  EXPECT_EQ(printed(vstack({{1, 2}, {3, 4}})), "[[1 2]\n [3 4]]");
  EXPECT_EQ(printed(stack({a, {3, 4}}, 1)), "[[1 3]\n [2 4]]");
  EXPECT_EQ(printed(hstack({{1, 2}, {3, 4}})), "[1 2 3 4]");
  // In options.
  EXPECT_EQ(printed(diff(array({1, 2, 4}), {.prepend = 0})), "[1 1 2]");
  EXPECT_EQ(printed(diff(array({1, 2, 4}), {.append = {7, 9}})), "[1 2 3 2]");
  EXPECT_EQ(printed(diff(array({1, 2, 4}), 1, -1, 0, {7, 9})), "[1 1 2 3 2]");
  EXPECT_EQ(printed(ediff1d(array({1, 2, 4}), {.to_end = 7})), "[1 2 7]");
  EXPECT_EQ(printed(ediff1d(array({1, 2, 4}), -99, {88, 99})), "[ 88  99   1   2 -99]");
  EXPECT_EQ(printed(isin(arange(4), 2)), "[False False  True False]");
}

// A list lies beside the arrays, wherever new arrays are made.
TEST_P(NumpyLists, AreWhereTheArraysAre) {
  const ndarray a = array({1, 2, 3});
  const DeviceScope host(Device::cpu());
  for (const ndarray& result : std::vector<ndarray>{add(a, {1, 2, 3}),
                                                    where(a > 1, {1, 2, 3}, a),
                                                    append(a, {4, 5}),
                                                    insert(a, 1, {7, 8}),
                                                    insert(a, {0, 1}, {7, 8}),
                                                    delete_(a, {0, 1}),
                                                    take(a, {0, 1}),
                                                    a.take({0, 1}),
                                                    isin(a, {1, 2}),
                                                    dot(a, {1, 2, 3}),
                                                    outer({1, 2}, a),
                                                    searchsorted(a, {1, 2}),
                                                    searchsorted(a, {3}),
                                                    interp({1.5, 2.5}, a, {1, 2, 3}),
                                                    interp(a, {1, 2, 3}, {1, 2, 3}),
                                                    percentile(a, {25, 50}),
                                                    digitize(a, {0, 2}),
                                                    histogram(a, {0, 2, 4}).hist,
                                                    bincount(a, {1., 2., 3.}),
                                                    polyval({1, 2}, a),
                                                    polyval(a, {1, 2}),
                                                    average(a, 0, {1, 2, 3}),
                                                    isclose(a, {1, 2, 4}),
                                                    convolve(a, {1, 2}),
                                                    cross(a, {0, 0, 1}),
                                                    a.repeat({1, 2, 3}),
                                                    a({true, false, true}),
                                                    a.compress({true, false, true}),
                                                    kron({1, 2}, a)}) {
    EXPECT_EQ(result.device(), a.device());
  }
  EXPECT_TRUE(array_equal(a, {1, 2, 3}));
  put(a, {0, 1}, {7, 8});
  place(a, a > 7, {5, 6});
  a += {1, 1, 1};
  add.at(a, {0, 0}, {1, 1});
  EXPECT_TRUE(array_equal(a, {10, 6, 4}));
}

// Lists are lists: what has names, text or nothing in it is none.
template <class A>
concept Takes = requires {
  vdot(std::declval<A>(), ndarray());
};
static_assert(!Takes<int> && !Takes<double> && !Takes<const char*> && !Takes<std::string>);
static_assert(!Takes<std::vector<std::string>> && !Takes<std::nullptr_t> && !Takes<None>);
static_assert(Takes<std::vector<double>> && Takes<View> && Takes<Selection>);
template <class A>
concept NumberAsNan = requires(A a) {
  nan_to_num(a, 0.5);
};
static_assert(!NumberAsNan<ndarray>);
template <class A>
concept PairAsSlice = requires(A a) {
  delete_(a, {none, 3});
};
static_assert(!PairAsSlice<ndarray>);

}  // namespace
}  // namespace cupyxx
