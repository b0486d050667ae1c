// SPDX-License-Identifier: MIT
// Basic indexing: integers, slices, newaxis, ellipsis.
#include "cupyxx/core/index.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

// A number compared is no index: `a(i > 0)` would take row 0 or 1.
static_assert(std::is_invocable_v<ndarray, int>);
static_assert(!std::is_invocable_v<ndarray, bool>);
static_assert(!std::is_invocable_v<ndarray, bool, slice>);
static_assert(!std::is_invocable_v<ndarray, slice, bool>);

class BasicIndexing : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(BasicIndexing);

TEST_P(BasicIndexing, IntegersDropTheirAxis) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  EXPECT_EQ(a(1).shape(), (Shape{3, 4}));
  EXPECT_EQ(a(1, 2, 3).item<int>(), 23);
  EXPECT_EQ(a(-1, -3, -4).item<int>(), 12);
  EXPECT_EQ(a(0u, 1L, short{2}).item<int>(), 6);
  expect_elements<int>(a(1, 0), {4}, {12, 13, 14, 15});
}

TEST_P(BasicIndexing, SlicesFollowPython) {
  const ndarray a = arange(10);
  const auto values = [&](const slice& s) { return a(s).to_vector<int>(); };
  using V = std::vector<int>;
  EXPECT_EQ(values(slice(3)), (V{0, 1, 2}));
  EXPECT_EQ(values(slice(7, none)), (V{7, 8, 9}));
  EXPECT_EQ(values(slice(-2, none)), (V{8, 9}));
  EXPECT_EQ(values(slice(none, -8)), (V{0, 1}));
  EXPECT_EQ(values(slice(1, 9, 3)), (V{1, 4, 7}));
  EXPECT_EQ(values(slice(none, none, -3)), (V{9, 6, 3, 0}));
  EXPECT_EQ(values(slice(5, 1, -2)), (V{5, 3}));
  EXPECT_EQ(values(slice(100, none, -4)), (V{9, 5, 1}));
  EXPECT_EQ(values(slice(-100, 3)), (V{0, 1, 2}));
  EXPECT_EQ(values(slice(2, -100, -1)), (V{2, 1, 0}));
  EXPECT_EQ(values(slice(5, 5)), V{});
  EXPECT_EQ(values(slice(8, 2)), V{});
  EXPECT_EQ(values(slice(20, 30)), V{});
  EXPECT_EQ(values(slice()), a.to_vector<int>());
  EXPECT_EQ(values(slice(none, none, INT64_MAX)), V{0});
  EXPECT_EQ(values(slice(none, none, INT64_MIN)), V{9});
  EXPECT_EQ(values(slice(INT64_MIN, INT64_MAX)), a.to_vector<int>());
}

TEST_P(BasicIndexing, NewaxisAndEllipsis) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  EXPECT_EQ(a(newaxis).shape(), (Shape{1, 2, 3, 4}));
  EXPECT_EQ(a(ellipsis, newaxis).shape(), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(a(0, slice(1, 3), newaxis).shape(), (Shape{2, 1, 4}));
  expect_elements<int>(a(ellipsis, 0), {2, 3}, {0, 4, 8, 12, 16, 20});
  expect_elements<int>(a(1, ellipsis, -1), {3}, {15, 19, 23});
  EXPECT_EQ(a(ellipsis).shape(), a.shape());
  EXPECT_EQ(a(0, 0, 0, ellipsis).shape(), Shape{});
  EXPECT_EQ(array(5)(newaxis, ellipsis, newaxis).shape(), (Shape{1, 1}));
  EXPECT_EQ(a(none).shape(), (Shape{1, 2, 3, 4}));
  EXPECT_EQ(a(0, slice(), none).shape(), (Shape{3, 1, 4}));
  EXPECT_EQ(a(array({1, 0}), none).shape(), (Shape{2, 1, 3, 4}));
}

TEST_P(BasicIndexing, NoneIsAllAxes) {
  const ndarray a = arange(6).reshape({2, 3});
  EXPECT_EQ(a.sum(none).item<int>(), 15);
  expect_elements<int>(a.cumsum(none), {6}, {0, 1, 3, 6, 10, 15});
}

TEST_P(BasicIndexing, NamesWhatIsWrong) {
  const ndarray a = zeros({2, 3});
  expect_error<IndexError>([&] { a(2); },
                           "getitem: index 2 is out of bounds for axis 0 with size 2");
  expect_error<IndexError>([&] { a(0, -4); },
                           "getitem: index -4 is out of bounds for axis 1 with size 3");
  expect_error<IndexError>([&] { a(0, 0, 0); },
                           "getitem: too many indices for array: array is 2-dimensional, but 3 "
                           "were indexed");
  expect_error<IndexError>([&] { a(ellipsis, 0, ellipsis); },
                           "getitem: an index can only have a single ellipsis ('...'); found 2");
  expect_error<ValueError>([&] { a(slice(none, none, 0)); }, "getitem: slice step cannot be zero");
  expect_error<IndexError>([] { array(1)(0); }, "array is 0-dimensional");
  expect_error<IndexError>([] { zeros({0})(0); }, "with size 0");
}

TEST_P(BasicIndexing, WritesThrough) {
  const ndarray a = zeros({3, 4}, int32);
  a(1) = 1;
  a(ellipsis, 0) = array({7, 8, 9});
  a(2, slice(1, none, 2)) = 5.9;
  expect_elements<int>(a, {3, 4}, {7, 0, 0, 0, 8, 1, 1, 1, 9, 5, 0, 5});
  a(slice(), slice(2, none)) = array({{1}, {2}, {3}});
  expect_elements<int>(a(slice(), 3), {3}, {1, 2, 3});
  a(0) = a(2);
  expect_elements<int>(a(0), {4}, {9, 5, 3, 3});
  a(0) += 1;
  expect_elements<int>(a(0), {4}, {10, 6, 4, 4});
  a(slice(), slice()) = array({{{1, 2, 3, 4}}});  // leading ones are dropped
  expect_elements<int>(a(2), {4}, {1, 2, 3, 4});
}

TEST_P(BasicIndexing, RefusesValuesThatDoNotFit) {
  const ndarray a = zeros({3, 4}, uint8);
  expect_error<ShapeError>([&] { a(0) = zeros({3}); },
                           "setitem: operands could not be broadcast together with shapes (4,) "
                           "and (3,)");
  expect_error<ShapeError>(
      [&] {
        a(0) = zeros({2, 4});
      },
      "setitem: could not broadcast from shape (2, 4) into shape (4,)");
  expect_error<OverflowError>([&] { a(0) = 256; }, "setitem: 256 does not fit uint8");
  expect_error<ValueError>(
      [&] {
        broadcast_to(a, {2, 3, 4})(0) = 1;
      },
      "setitem: assignment destination is read-only");
  ndarray locked = zeros({2});
  locked.set_writeable(false);
  expect_error<ValueError>([&] { locked(0) = 1; }, "read-only");
  expect_error<ValueError>([&] { locked += 1; }, "read-only");
}

TEST_P(BasicIndexing, ViewsTakeLists) {
  const ndarray a = zeros({3, 2});
  a(0) = {1, 2};
  a(slice(), 1) = {1.5, 2, 3};
  expect_elements<double>(a, {3, 2}, {1, 1.5, 0, 2, 0, 3});
  a(slice(1, none)) = {{5, 6}, {7, 8}};
  a(0) = std::vector<float>{3, 4};
  expect_elements<double>(a, {3, 2}, {3, 4, 5, 6, 7, 8});
  a(2) = {a(0, 1), -1};
  a(slice(), 0) = {9};
  expect_elements<double>(a, {3, 2}, {9, 4, 9, 6, 9, -1});
  expect_error<ShapeError>([&] { a(0) = {1, 2, 3}; }, "(3,)");
  const ndarray bytes = zeros({2}, uint8);
  bytes(slice()) = {1.9, 2};
  expect_elements<int>(bytes, {2}, {1, 2});
  expect_error<OverflowError>([&] { bytes(slice()) = {300, 1}; }, "300");
}

TEST_P(BasicIndexing, OverlappingAssignmentActsAsIfCopiedFirst) {
  const ndarray a = arange(6);
  a(slice(1, none)) = a(slice(none, -1));
  expect_elements<int>(a, {6}, {0, 0, 1, 2, 3, 4});
  const ndarray b = arange(6);
  b(slice(none, -1)) = b(slice(1, none));
  expect_elements<int>(b, {6}, {1, 2, 3, 4, 5, 5});
  const ndarray c = arange(5);
  c() = c(slice(none, none, -1));
  expect_elements<int>(c, {5}, {4, 3, 2, 1, 0});
  const ndarray m = arange(9).reshape({3, 3});
  m(ellipsis) = m.T();
  expect_elements<int>(m, {3, 3}, {0, 3, 6, 1, 4, 7, 2, 5, 8});
  // Larger than one chunk and one thread's share.
  const ndarray d = arange(300000);
  d(slice(1, none)) = d(slice(none, -1));
  EXPECT_EQ(d(-1).item<int>(), 299998);
  EXPECT_EQ(d(100001).item<int>(), 100000);
}

TEST_P(BasicIndexing, FewElementsOfAnySteps) {
  const ndarray row = arange(3), matrix = arange(12).reshape({3, 4}).copy();
  matrix(slice(), 1) = row;
  expect_elements<int>(matrix, {3, 4}, {0, 0, 2, 3, 4, 1, 6, 7, 8, 2, 10, 11});
  const ndarray whole = zeros({4, 6}, int64);
  whole(slice(none, none, 2), slice(none, none, -2)) = matrix(slice(0, 2), slice(1, 4));
  expect_elements<int>(whole, {4, 6}, {0, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                       0, 7, 0, 6, 0, 1, 0, 0, 0, 0, 0, 0});
  whole(slice(1, 3), slice(0, 2)) = matrix(slice(0, 2), slice(2, 4)).T();
  expect_elements<int>(whole(slice(1, 3), slice(0, 2)), {2, 2}, {2, 6, 3, 7});
  // One row or column is repeated, and other dtypes are cast.
  whole(slice(0, 2), slice(0, 2)) = matrix(slice(0, 2), slice(0, 1));
  expect_elements<int>(whole(slice(0, 2), slice(0, 2)), {2, 2}, {0, 0, 4, 4});
  const ndarray reals = zeros({3, 2});
  reals(slice(), 1) = row;
  expect_elements<double>(reals, {3, 2}, {0, 0, 0, 1, 0, 2});
  const ndarray letters = zeros({3, 2}, complex64);
  letters(slice(), 0) = letters(slice(), 1) + row;
  expect_elements<float>(real(letters), {3, 2}, {0, 0, 1, 0, 2, 0});
}

TEST_P(BasicIndexing, FewElementsOfAnyDtypes) {
  const std::vector<dtype> types = {bool_,     int8,    int16,   int32,     int64,
                                    uint8,     uint16,  uint32,  uint64,    float16,
                                    bfloat16_, float32, float64, complex64, complex128};
  for (const dtype from : types) {
    for (const dtype to : types) {
      const ndarray row = array({0, 1, 3, 100}).astype(from), target = zeros({4, 2}, to);
      target(slice(), 1) = row;
      const bool truths = from == bool_ || to == bool_;
      const double three = truths ? 1 : 3, hundred = truths ? 1 : 100;
      expect_elements<double>(real(target).astype(float64), {4, 2},
                              {0, 0, 0, 1, 0, three, 0, hundred});
      EXPECT_EQ(row.astype(to).dtype(), to);
      expect_elements<double>(real(row.astype(to)).astype(float64), {4}, {0, 1, three, hundred});
    }
  }
  const ndarray whole = zeros(3, int32), reals = array({1.5, -2.5, 3.0});
  expect_error<DtypeError>([&] { copyto(whole, reals); }, "cannot cast from float64 to int32");
  expect_elements<int>(whole, {3}, {0, 0, 0});
  copyto(whole, reals, {.casting = Casting::unsafe});
  expect_elements<int>(whole, {3}, {1, -2, 3});
}

TEST_P(BasicIndexing, TakesIndexListsMadeAtRunTime) {
  const ndarray a = arange(12).reshape({3, 4});
  const std::vector<internal::IndexItem> index = {1, slice(none, none, 2)};
  expect_elements<int>(a.getitem(index), {2}, {4, 6});
  a.setitem(index, 0);
  expect_elements<int>(a(1), {4}, {0, 5, 0, 7});
  EXPECT_EQ(a.getitem({}).shape(), a.shape());
}

TEST_P(BasicIndexing, ReachesAThirtySecondAxis) {
  ndarray a = arange(2);
  for (int i = 0; i < 31; ++i) a = a(newaxis);
  EXPECT_EQ(a.ndim(), 32);
  EXPECT_EQ(a(ellipsis, 1).ndim(), 31);
  expect_error<ValueError>([&] { a(newaxis); }, "32");
  const ndarray copied = a.T().copy();
  EXPECT_EQ(copied.to_vector<int>(), (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace cupyxx
