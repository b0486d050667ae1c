// SPDX-License-Identifier: MIT
// Functions of the user's, and the texts of errors of the composed chapters; their results are in
// the reference cases of conformance/.
#include "cupyxx/functional.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/sets.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class Functional : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Functional);

TEST_P(Functional, FromfunctionCallsOnceWithAllIndices) {
  int calls = 0;
  const ndarray a = fromfunction(
      [&](const ndarray& i, const ndarray& j) {
        ++calls;
        return i * 10 + j;
      },
      {2, 3}, int64);
  expect_elements<int>(a, {2, 3}, {0, 1, 2, 10, 11, 12});
  EXPECT_EQ(a.dtype(), int64);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(a.device(), device());
  EXPECT_EQ(fromfunction([](const ndarray& i) { return i; }, {3}).dtype(), float64);
}

TEST_P(Functional, PiecewiseChoosesFunctionsAndNumbers) {
  const ndarray x = array({-2.0, -1.0, 0.0, 3.0});
  const auto magnitude = [](const ndarray& part) { return absolute(part); };
  expect_elements<double>(piecewise(x, {x<-1, x> 0}, magnitude, 7), {4}, {2, 0, 0, 7});
  expect_elements<double>(piecewise(x, {x < 0}, -1, magnitude), {4}, {-1, -1, 0, 3});
  int calls = 0;
  const auto counted = [&](const ndarray& part) {
    ++calls;
    return part;
  };
  EXPECT_EQ(piecewise(x, {x > 9}, counted).dtype(), float64);
  EXPECT_EQ(calls, 0);
  expect_error<ValueError>([&] { piecewise(x, {x < 0}, 1, 2, 3); },
                           "piecewise: needs a function per condition, or one more; 3 for 1");
  expect_error<ShapeError>([&] { piecewise(x, {zeros({3}, bool_)}, 1); },
                           "piecewise: conditions must have the shape of x, (4,); (3,)");
  expect_error<TypeError>([&] { piecewise(x, {ndarray()}, 1); }, "piecewise: a condition is None");
}

TEST_P(Functional, HistogramddChecksItsLists) {
  const ndarray sample = zeros({5, 2});
  expect_error<ValueError>(
      [&] {
        histogramdd(sample, {.bins = {1, 2, 3}});
      },
      "histogramdd: the bins must be as many as the axes of the sample, 2; 3");
  expect_error<ValueError>([&] { histogramdd(sample, {.bins = {}}); },
                           "histogramdd: bins are empty; 0");
  expect_error<ValueError>([&] { histogramdd(sample, {.weights = ones({3})}); },
                           "histogramdd: there must be a weight for each point, 5; (3,)");
  expect_error<ValueError>(
      [&] {
        histogramdd(zeros({2, 2, 2}));
      },
      "histogramdd: the sample must be a matrix with a point per row; "
      "(2, 2, 2)");
}

TEST_P(Functional, MaskIndicesAskTheFunction) {
  const auto lower = mask_indices(3, [](const ndarray& m, std::int64_t k) { return tril(m, k); });
  expect_elements<int>(lower[0], {6}, {0, 1, 1, 2, 2, 2});
  expect_elements<int>(lower[1], {6}, {0, 0, 1, 0, 1, 2});
}

TEST_P(Functional, ApplyAlongAxisPutsResultsInTheAxisPlace) {
  const ndarray a = arange(12).reshape({2, 3, 2});
  const auto total = [](const ndarray& x) { return sum(x); };
  expect_elements<int>(apply_along_axis(total, 1, a), {2, 2}, {6, 9, 24, 27});
  const auto ends = [](const ndarray& x) { return take(x, array({0, -1})); };
  expect_elements<int>(apply_along_axis(ends, 1, a), {2, 2, 2}, {0, 1, 4, 5, 6, 7, 10, 11});
  const auto length = [](const ndarray& x) { return static_cast<double>(x.size()); };
  expect_elements<double>(apply_along_axis(length, 0, arange(4)), {}, {4});
  expect_error<ValueError>(
      [&] {
        apply_along_axis(total, 0, zeros({2, 0}));
      },
      "apply_along_axis: cannot apply to an axis without slices; (2, 0)");
}

TEST_P(Functional, ApplyOverAxesKeepsTheRank) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  const auto add_up = [](const ndarray& x, int axis) { return sum(x, axis); };
  expect_elements<int>(apply_over_axes(add_up, a, {0, 2}), {1, 3, 1}, {60, 92, 124});
  // Reductions by their names, which stand for several functions each.
  expect_elements<int>(apply_over_axes(sum, a, {0, 2}), {1, 3, 1}, {60, 92, 124});
  expect_elements<bool>(apply_over_axes(all, a, {0, 1, 2}), {1, 1, 1}, {false});
  const ndarray b = arange(6).reshape({2, 3});
  expect_elements<int>(apply_along_axis(max, 1, b), {2}, {2, 5});
  expect_elements<double>(apply_along_axis(mean, 1, b), {2}, {1, 4});
  expect_elements<double>(apply_along_axis(var, 0, b), {3}, {2.25, 2.25, 2.25});
}

TEST_P(Functional, ErrorsNameTheRoutineAndTheValues) {
  const ndarray a = arange(6.0).reshape({2, 3});
  expect_error<IndexError>([&] { delete_(a, 3, 1); },
                           "delete: index 3 is out of bounds for axis 1 with size 3");
  expect_error<IndexError>(
      [&] {
        insert(a, array({0, -4}), 1, 1);
      },
      "insert: index -4 is out of bounds for axis 1 with size 3");
  expect_error<ValueError>([&] { delete_(a, ones({2}, bool_), 1); },
                           "delete: a mask must have the length of the axis, 3; (2,)");
  expect_error<ValueError>(
      [&] {
        unravel_index(array({3, 6}), {2, 3});
      },
      "unravel_index: index 6 is out of bounds for size 6");
  expect_error<ValueError>(
      [&] {
        ravel_multi_index({array({2}), array({0})}, {2, 3});
      },
      "ravel_multi_index: index 2 is out of bounds for size 2");
  expect_error<ValueError>([&] { interp(1.0, arange(2.0), arange(3.0)); },
                           "interp: fp and xp are not of the same length; (3,) and (2,)");
  expect_error<ValueError>([&] { gradient(arange(1.0)); },
                           "gradient: needs more elements along the axis than edge_order, 1; 1");
  expect_error<ValueError>([&] { cross(zeros({4}), zeros({3})); },
                           "cross: vectors must have 2 or 3 components; (4,) and (3,)");
  expect_error<ValueError>([&] { convolve(zeros({0}), zeros({3})); },
                           "convolve: a sequence is empty; (0,) and (3,)");
  expect_error<ValueError>(
      [&] {
        digitize(a, array({1, 3, 2}));
      },
      "digitize: the bins must rise or fall; shape (3,)");
  expect_error<ValueError>(
      [&] {
        cov(a, {.fweights = array({1, 2})});
      },
      "cov: fweights must be as many as the observations; 2 and 3");
  expect_error<TypeError>([&] { select({a}, {a}); },
                          "select: conditions must be bool, not float64");
  expect_error<ValueError>(
      [&] {
        place(a, ones({2, 3}, bool_), zeros({0}));
      },
      "place: cannot insert from an empty array");
  expect_error<ValueError>([&] { geomspace(0, 1); },
                           "geomspace: a geometric sequence cannot include zero");
  expect_error<ValueError>([&] { linalg::matrix_power(a, 2); },
                           "linalg.matrix_power: the last two axes must be square; (2, 3)");
  expect_error<ValueError>([&] { linalg::multi_dot({a}); },
                           "linalg.multi_dot: needs two arrays at least; 1");
  expect_error<ShapeError>(
      [&] {
        lexsort({arange(3), arange(2)});
      },
      "lexsort: keys must have one shape; (3,) and (2,)");
  expect_error<ValueError>([&] { fill_diagonal(arange(3), 1); },
                           "fill_diagonal: needs two axes at least; (3,)");
}

TEST_P(Functional, NanToNumMayChangeTheArrayItself) {
  const ndarray a = array(std::vector<double>{NAN, INFINITY, -INFINITY, 2});
  EXPECT_EQ(nan_to_num(a, {.copy = false, .nan = -1, .posinf = 5.0, .neginf = 6.0}).data(),
            a.data());
  expect_elements<double>(a, {4}, {-1, 5, 6, 2});
}

TEST_P(Functional, LongConvolutionsWorkInParts) {
  const std::int64_t n = (1 << 22) + 3;
  const ndarray a = arange(n, int64), tail = convolve(a, array({1, -1}));
  EXPECT_EQ(tail.size(), n + 1);
  EXPECT_EQ(tail(1).item<int>(), 1);
  EXPECT_EQ(sum(tail(slice(1, -1))).item<std::int64_t>(), n - 1);
  EXPECT_EQ(tail(-1).item<std::int64_t>(), 1 - n);
}

}  // namespace
}  // namespace cupyxx
