// SPDX-License-Identifier: MIT
// Expected values are NumPy's.
#include "cupyxx/manipulation.h"

#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class Manipulation : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Manipulation);

TEST_P(Manipulation, ReshapeViewsWhereItCan) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  EXPECT_TRUE(a.reshape({6, 4}).shares_memory(a));
  EXPECT_EQ(a.reshape({-1, 8}).shape(), (Shape{3, 8}));
  EXPECT_EQ(a.reshape({24, 1, -1}).shape(), (Shape{24, 1, 1}));
  // Axes that stay neighbours in memory may be split and joined.
  const ndarray t = a.transpose({2, 0, 1});
  EXPECT_TRUE(t.reshape({2, 2, 6}).shares_memory(a));
  EXPECT_EQ(t.reshape({2, 2, 6}).to_vector<int>(), t.to_vector<int>());
  EXPECT_FALSE(t.reshape({24}).shares_memory(a));
  EXPECT_EQ(t.reshape({24}).to_vector<int>(), t.to_vector<int>());
  const ndarray backwards = arange(6)(slice(none, none, -1));
  EXPECT_TRUE(backwards.reshape({2, 3}).shares_memory(backwards));
  expect_elements<int>(backwards.reshape({2, 3}), {2, 3}, {5, 4, 3, 2, 1, 0});
  EXPECT_EQ(zeros({0, 3}).reshape({3, 0, 7}).shape(), (Shape{3, 0, 7}));
  EXPECT_EQ(zeros({1, 1}).reshape({}).shape(), Shape{});
}

TEST_P(Manipulation, ReshapeNamesWhatDoesNotFit) {
  expect_error<ShapeError>([] { arange(6).reshape({4}); },
                           "reshape: cannot reshape array of size 6 into shape (4,)");
  expect_error<ShapeError>([] { arange(6).reshape({4, -1}); }, "into shape (4, -1)");
  expect_error<ValueError>(
      [] {
        arange(6).reshape({-1, -1});
      },
      "reshape: can only specify one unknown dimension; (-1, -1)");
  expect_error<ShapeError>([] { zeros({0}).reshape({0, -1}); }, "of size 0");
  expect_error<ShapeError>([] { arange(6).reshape({-2, -3}); }, "into shape (-2, -3)");
}

TEST_P(Manipulation, TransposePermutes) {
  const ndarray a = arange(6).reshape({1, 2, 3});
  EXPECT_EQ(transpose(a).shape(), (Shape{3, 2, 1}));
  EXPECT_EQ(transpose(a, {1, 2, 0}).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(transpose(a, {-1, 0, 1}).shape(), (Shape{3, 1, 2}));
  EXPECT_EQ(swapaxes(a, 0, -1).shape(), (Shape{3, 2, 1}));
  EXPECT_EQ(rollaxis(zeros({1, 2, 3, 4}), 3, 1).shape(), (Shape{1, 4, 2, 3}));
  EXPECT_EQ(rollaxis(zeros({1, 2, 3, 4}), 0, 4).shape(), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(rollaxis(zeros({1, 2, 3, 4}), 2).shape(), (Shape{3, 1, 2, 4}));
  expect_elements<int>(a.reshape({2, 3}).T(), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_error<ValueError>(
      [&] {
        transpose(a, {0, 1});
      },
      "transpose: axes (0, 1) don't match array of shape (1, 2, 3)");
  expect_error<ValueError>([&] { transpose(a, {0, 1, 1}); }, "transpose: repeated axis; (0, 1, 1)");
  expect_error<AxisError>([&] { transpose(a, {0, 1, 3}); }, "transpose: axis 3 is out of bounds");
  expect_error<AxisError>([&] { swapaxes(a, 0, 3); }, "swapaxes: axis 3");
}

TEST_P(Manipulation, TransposedCopiesOfEverySize) {
  // Whole tiles, rests of tiles, single rows, and every item size.
  for (const dtype type : {int8, int16, float32, float64}) {
    for (const auto& [rows, columns] :
         {std::pair{1, 70}, {70, 1}, {64, 64}, {67, 129}, {300, 33}}) {
      const ndarray a = arange(rows * columns).astype(type).reshape({rows, columns});
      const auto plain = a.to_vector<double>();
      const auto turned = a.T().copy(Order::C).to_vector<double>();
      bool same = true;
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
          const auto at = static_cast<std::size_t>(i * columns + j);
          same = same && turned[static_cast<std::size_t>(j * rows + i)] == plain[at];
        }
      }
      EXPECT_TRUE(same) << type << " " << rows << " x " << columns;
    }
  }
  const ndarray b = arange(2 * 50 * 40).reshape({2, 50, 40});
  EXPECT_EQ(b.transpose({0, 2, 1}).copy(Order::C)(1, 39, 49).item<int>(), 3999);
  EXPECT_EQ(b.T().copy(Order::C)(3, 2, 1).item<int>(), 2000 + 80 + 3);
}

TEST_P(Manipulation, TransposedCopiesOfManyBytes) {
  const std::int64_t rows = 4384, columns = 4112;  // tiles of which the last are not whole
  const auto bytes = [](const ndarray& row, const ndarray& column) {
    return remainder(row * 31 + column * 7, 251).astype(uint8);
  };
  const ndarray r = arange(rows).astype(int32), c = arange(columns).astype(int32);
  const ndarray a = bytes(r.reshape({rows, 1}), c.reshape({1, columns}));
  const ndarray turned = bytes(r.reshape({1, rows}), c.reshape({columns, 1}));
  expect_array_equal(a.T().copy(Order::C), turned);
  for (const std::int64_t first : {16, 1}) {
    const ndarray part = a(slice(), slice(first, none));
    expect_array_equal(part.T().copy(Order::C), turned(slice(first, none)));
  }
  const ndarray images = a.reshape({2, rows / 2, columns});
  expect_array_equal(images.transpose({0, 2, 1}).copy(Order::C)(1),
                     turned(slice(), slice(rows / 2, none)));
}

TEST_P(Manipulation, AxesOfExtentOne) {
  const ndarray a = zeros({1, 3, 1});
  EXPECT_EQ(squeeze(a).shape(), (Shape{3}));
  EXPECT_EQ(squeeze(a, 0).shape(), (Shape{3, 1}));
  EXPECT_EQ(squeeze(a, {0, -1}).shape(), (Shape{3}));
  EXPECT_EQ(expand_dims(a, 1).shape(), (Shape{1, 1, 3, 1}));
  EXPECT_EQ(expand_dims(a, -1).shape(), (Shape{1, 3, 1, 1}));
  EXPECT_EQ(atleast_1d(array(1)).shape(), (Shape{1}));
  EXPECT_EQ(atleast_2d(zeros({3})).shape(), (Shape{1, 3}));
  EXPECT_EQ(atleast_3d(zeros({3})).shape(), (Shape{1, 3, 1}));
  const auto several = atleast_2d(array(1), zeros({3}), zeros({2, 3}));
  ASSERT_EQ(several.size(), 3u);
  EXPECT_EQ(several[0].shape(), (Shape{1, 1}));
  EXPECT_EQ(several[1].shape(), (Shape{1, 3}));
  EXPECT_EQ(several[2].shape(), (Shape{2, 3}));
  EXPECT_EQ(atleast_1d(array(1), array(2)).size(), 2u);
  EXPECT_EQ(atleast_3d(array(1), array(2))[1].shape(), (Shape{1, 1, 1}));
  EXPECT_EQ(atleast_3d(zeros({3, 4})).shape(), (Shape{3, 4, 1}));
  expect_error<ValueError>([&] { squeeze(a, 1); },
                           "squeeze: cannot select axis 1 to squeeze out, which has size 3");
  expect_error<AxisError>([&] { expand_dims(a, 4); }, "expand_dims: axis 4 is out of bounds");
  const Shape most(std::vector<std::int64_t>(32, 1));
  expect_error<ValueError>([&] { expand_dims(zeros(most), 32); },
                           "shape: an array has at most 32 axes; 33");
}

TEST_P(Manipulation, BroadcastsToReadOnlyViews) {
  const ndarray a = arange(3);
  const ndarray b = broadcast_to(a, {2, 3});
  expect_elements<int>(b, {2, 3}, {0, 1, 2, 0, 1, 2});
  EXPECT_TRUE(b.shares_memory(a));
  EXPECT_FALSE(b.flags().writeable);
  EXPECT_TRUE(a.flags().writeable);
  EXPECT_TRUE(b.copy().flags().writeable);
  expect_error<ShapeError>(
      [&] {
        broadcast_to(a, {3, 2});
      },
      "broadcast_to: shape (3,) cannot be broadcast to (3, 2)");
  expect_error<ShapeError>([&] { broadcast_to(b, {3}); }, "cannot be broadcast to (3,)");
  const broadcast both({zeros({3, 1}), zeros({4})});
  EXPECT_EQ(both.shape(), (Shape{3, 4}));
  EXPECT_EQ(both.size(), 12);
  EXPECT_EQ(both.nd(), 2);
  EXPECT_EQ(both.values()[1].shape(), (Shape{3, 4}));
  // One by one, as the manual writes it.
  const ndarray c = zeros({4, 1});
  EXPECT_EQ(broadcast(c, a(slice(1, none))).shape(), (Shape{4, 2}));
  EXPECT_EQ(broadcast(c).values().size(), 1u);
  const Arrays in_a_call = broadcast_arrays(a, c);
  for (const auto& all : {in_a_call, broadcast_arrays({a, c})}) {
    ASSERT_EQ(all.size(), 2u);
    expect_elements<int>(all[0], {4, 3}, {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
    EXPECT_EQ(all[1].shape(), (Shape{4, 3}));
  }
}

TEST_P(Manipulation, CopytoCastsAndMasks) {
  const ndarray a = zeros({2, 2}, int32);
  copyto(a, array({1, 2}));
  expect_elements<int>(a, {2, 2}, {1, 2, 1, 2});
  copyto(a, 9, {.where = array({true, false})});
  expect_elements<int>(a, {2, 2}, {9, 2, 9, 2});
  expect_error<DtypeError>(
      [&] {
        copyto(a, array({1.5, 2.5}));
      },
      "copyto: cannot cast from float64 to int32 with casting rule "
      "'same_kind'");
  expect_error<DtypeError>([&] { copyto(a, 2.5); },
                           "copyto: cannot cast from float64 to int32 with casting rule "
                           "'same_kind'");
  expect_error<DtypeError>([&] { copyto(zeros({2}, bool_), 1); }, "from int64 to bool");
  copyto(zeros({2}, float16), 2.5, {.casting = Casting::safe});
  copyto(a, array({1.5, 2.5}), {.casting = Casting::unsafe});
  expect_elements<int>(a, {2, 2}, {1, 2, 1, 2});
  expect_error<ShapeError>([&] { copyto(a, zeros({3}, int32)); }, "copyto: operands could not");
}

TEST_P(Manipulation, Joins) {
  const ndarray a = array({1, 2});
  const ndarray b = array({3, 4});
  expect_elements<int>(concatenate({a, b}), {4}, {1, 2, 3, 4});
  expect_elements<int>(stack({a, b}), {2, 2}, {1, 2, 3, 4});
  expect_elements<int>(stack({a, b}, -1), {2, 2}, {1, 3, 2, 4});
  expect_elements<int>(vstack({a, b}), {2, 2}, {1, 2, 3, 4});
  expect_elements<int>(hstack({a, array({5})}), {3}, {1, 2, 5});
  expect_elements<int>(dstack({a, b}), {1, 2, 2}, {1, 3, 2, 4});
  expect_elements<int>(column_stack({a, b}), {2, 2}, {1, 3, 2, 4});
  const ndarray m = arange(4).reshape({2, 2});
  expect_elements<int>(concatenate({m, m.T()}, 1), {2, 4}, {0, 1, 0, 2, 2, 3, 1, 3});
  expect_elements<int>(concatenate({m, m.T()}, {1}), {2, 4}, {0, 1, 0, 2, 2, 3, 1, 3});
  EXPECT_EQ(concatenate({ones({2}, int8), ones({2}, float16)}).dtype(), float16);
  EXPECT_EQ(concatenate({zeros({0, 2}), zeros({3, 2})}).shape(), (Shape{3, 2}));
}

TEST_P(Manipulation, JoinsThePartsOfOneArray) {
  const ndarray a = arange(12).reshape({2, 3, 2});
  const std::vector<int> in_order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  expect_elements<int>(concatenate(a), {6, 2}, in_order);
  expect_elements<int>(concatenate(a, 1), {3, 4}, {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11});
  expect_elements<int>(concatenate(a, {.axis = 1}), {3, 4}, {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11});
  expect_elements<int>(stack(a), {2, 3, 2}, in_order);
  expect_elements<int>(stack(a, -1), {3, 2, 2}, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
  expect_elements<int>(vstack(a), {6, 2}, in_order);
  expect_elements<int>(row_stack(a), {6, 2}, in_order);
  expect_elements<int>(hstack(a), {3, 4}, {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11});
  expect_elements<int>(dstack(a), {3, 2, 2}, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
  expect_elements<int>(column_stack(a), {3, 4}, {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11});
  expect_elements<int>(vstack(arange(3)), {3, 1}, {0, 1, 2});
  expect_elements<int>(vstack(a(0)), {3, 2}, {0, 1, 2, 3, 4, 5});
  expect_error<TypeError>([] { vstack(array(3)); }, "vstack: an array without axes has no parts");
  expect_error<ValueError>([] { concatenate(zeros({0, 3})); }, "need at least one array");
}

TEST_P(Manipulation, JoinsNameWhatDoesNotFit) {
  expect_error<ShapeError>(
      [] {
        concatenate({zeros({2, 3}), zeros({2, 4})});
      },
      "concatenate: all dimensions except axis 0 must match; (2, 3) and "
      "(2, 4)");
  expect_error<ValueError>(
      [] {
        concatenate({array(1), array(2)});
      },
      "concatenate: zero-dimensional arrays cannot be concatenated");
  expect_error<ShapeError>(
      [] {
        stack({zeros({2}), zeros({3})});
      },
      "stack: all input arrays must have the same shape; (2,) and (3,)");
  expect_error<ValueError>([] { concatenate(std::span<const ndarray>{}); },
                           "concatenate: need at least one array to concatenate; 0 given");
  expect_error<AxisError>([] { concatenate({zeros({2})}, 1); }, "concatenate: axis 1");
}

TEST_P(Manipulation, SplitsIntoViews) {
  const ndarray a = arange(6);
  const auto halves = split(a, 2);
  ASSERT_EQ(halves.size(), 2u);
  expect_elements<int>(halves[1], {3}, {3, 4, 5});
  EXPECT_TRUE(halves[1].shares_memory(a));
  const auto parts = split(a, {2, 9});
  ASSERT_EQ(parts.size(), 3u);
  expect_elements<int>(parts[1], {4}, {2, 3, 4, 5});
  EXPECT_EQ(parts[2].size(), 0);
  const auto crossed = split(a, {4, 2});
  EXPECT_EQ(crossed[1].size(), 0);
  expect_elements<int>(crossed[2], {4}, {2, 3, 4, 5});
  const auto uneven = array_split(arange(7), 3);
  expect_elements<int>(uneven[0], {3}, {0, 1, 2});
  expect_elements<int>(uneven[2], {2}, {5, 6});
  EXPECT_EQ(hsplit(zeros({2, 4}), 2)[0].shape(), (Shape{2, 2}));
  EXPECT_EQ(vsplit(zeros({2, 4}), 2)[0].shape(), (Shape{1, 4}));
  EXPECT_EQ(dsplit(zeros({2, 4, 6}), 3)[0].shape(), (Shape{2, 4, 2}));
  expect_error<ValueError>([&] { split(a, 4); },
                           "split: array split does not result in an equal division; 6 into 4");
  expect_error<ValueError>([&] { vsplit(a, 2); }, "vsplit: only works on arrays of 2 or more");
}

}  // namespace
}  // namespace cupyxx
