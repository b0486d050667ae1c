// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/array/rearranging.h"
#include "chainerxx/functions/array/sequences.h"
#include "chainerxx/functions/array/spatial_transformer.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class ArrayRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ArrayRefusalsTest);

TEST_P(ArrayRefusalsTest, Rearranging) {
  const Variable x = f32({2, 3});
  expect_refusals({
      {"moveaxis of a missing axis", [&] { F::moveaxis(x, 2, 0); }, "AxisError",
       "moveaxis: axis 2 is out of bounds for array of dimension 2"},
      {"moveaxis to a missing axis", [&] { F::moveaxis(x, 0, -3); }, "AxisError",
       "moveaxis: axis -3 is out of bounds for array of dimension 2"},
      {"moveaxis of an axis twice",
       [&] {
         F::moveaxis(x, {0, -2}, {0, 1});
       },
       "ValueError", "moveaxis: an axis stands there twice; (0, -2)"},
      {"moveaxis to fewer axes",
       [&] {
         F::moveaxis(x, {0, 1}, 0);
       },
       "ValueError", "moveaxis: the numbers of axes differ; (0, 1) and (0,)"},
      {"rollaxis of a missing axis", [&] { F::rollaxis(x, 2); }, "AxisError",
       "rollaxis: axis 2 is out of bounds for array of dimension 2"},
      {"rollaxis beyond the end", [&] { F::rollaxis(x, 0, 3); }, "AxisError",
       "rollaxis: axis 3 is out of bounds for array of dimension 2"},
      {"flip of a missing axis", [&] { F::flip(x, 2); }, "AxisError",
       "flip: axis 2 is out of bounds for array of dimension 2"},
      {"fliplr of a vector", [] { F::fliplr(f32({2})); }, "AxisError",
       "fliplr: axis 1 is out of bounds for array of dimension 1"},
      {"flipud of a number", [] { F::flipud(f32({})); }, "AxisError",
       "flipud: axis 0 is out of bounds for array of dimension 0"},
      {"repeat less than never", [&] { F::repeat(x, -1); }, "ValueError",
       "repeat: the number is negative; -1"},
      {"repeat beyond 64 bits", [&] { F::repeat(x, std::int64_t{1} << 62); }, "ValueError",
       "repeat: the extent exceeds 64 bits; 6 * 4611686018427387904"},
      {"repeat along a missing axis", [&] { F::repeat(x, 2, 2); }, "AxisError",
       "repeat: axis 2 is out of bounds for array of dimension 2"},
      {"permutate by too few", [&] { F::permutate(x, cupyxx::array({0})); }, "ShapeError",
       "permutate: the indices are not of shape (2,); (1,)"},
      {"permutate by numbers",
       [&] {
         F::permutate(x, cupyxx::array({0.0, 1.0}));
       },
       "TypeError", "permutate: the indices are no integers; float64"},
      {"permutate along a missing axis", [&] { F::permutate(x, cupyxx::array({0}), 2); },
       "AxisError", "permutate: axis 2 is out of bounds for array of dimension 2"},
      {"hstack of nothing", [] { F::hstack({}); }, "InvalidType",
       "Expect: in_types.size > 0\nActual: 0 <= 0"},
      {"vstack of other widths",
       [] {
         F::vstack({f32({2}), f32({3})});
       },
       "InvalidType", "Expect: in_types[0].shape[1] == in_types[1].shape[1]\nActual: 2 != 3"},
  });
}

TEST_P(ArrayRefusalsTest, OrderOfElements) {
  const ndarray x = cupyxx::array({{0.0, 1.0, 2.0}, {3.0, 4.0, 5.0}});
  using Numbers = std::vector<double>;
  const auto of = [](const Variable& y) { return y.data().to_vector<double>(); };
  EXPECT_EQ(of(F::flip(x, 1)), (Numbers{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(of(F::flipud(x)), (Numbers{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(of(F::repeat(x, 2, 0)), (Numbers{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(of(F::repeat(x, 2)), (Numbers{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(of(F::moveaxis(x, 0, 1)), (Numbers{0, 3, 1, 4, 2, 5}));
  const ndarray order = cupyxx::array({2, 0, 1});
  EXPECT_EQ(of(F::permutate(x, order, 1)), (Numbers{2, 0, 1, 5, 3, 4}));
  EXPECT_EQ(of(F::permutate(F::permutate(x, order, 1), order, 1, true)), x.to_vector<double>());
  EXPECT_EQ(of(F::vstack({x, x(0)})), (Numbers{0, 1, 2, 3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(of(F::hstack({x(0), x(1)})), (Numbers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(of(F::dstack({x(0), x(1)})), (Numbers{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(F::dstack({x(0), x(1)}).shape(), (cupyxx::Shape{1, 3, 2}));
  EXPECT_EQ(F::rollaxis(cupyxx::zeros({2, 3, 4}), 2).shape(), (cupyxx::Shape{4, 2, 3}));
  EXPECT_EQ(F::rollaxis(cupyxx::zeros({2, 3, 4}), 0, 2).shape(), (cupyxx::Shape{3, 2, 4}));
}

TEST_P(ArrayRefusalsTest, Shapes) {
  expect_refusals({
      {"reshape to another size",
       [] {
         F::reshape(f32({2, 3}), {4, 2});
       },
       "ShapeError", "reshape: cannot reshape array of size 6 into shape (4, 2)"},
      {"reshape with two open extents",
       [] {
         F::reshape(f32({2, 3}), {-1, -1});
       },
       "ValueError", "reshape: can only specify one unknown dimension; (-1, -1)"},
      {"reshape to an extent that does not divide",
       [] {
         F::reshape(f32({2, 3}), {4, -1});
       },
       "ShapeError", "reshape: cannot reshape array of size 6 into shape (4, -1)"},
      {"reshape to a negative extent",
       [] {
         F::reshape(f32({2, 3}), {-2, -3});
       },
       "ShapeError", "reshape: cannot reshape array of size 6 into shape (-2, -3)"},
      {"transpose by too few axes",
       [] {
         F::transpose(f32({2, 3}), {0});
       },
       "InvalidType", "Expect: in_types[0].ndim == axes.ndim\nActual: 2 != 1"},
      {"transpose by an axis twice",
       [] {
         F::transpose(f32({2, 3}), {0, 0});
       },
       "ValueError", "transpose: repeated axis; (0, 0)"},
      {"transpose by a missing axis",
       [] {
         F::transpose(f32({2, 3}), {0, 2});
       },
       "AxisError", "transpose: axis 2 is out of bounds for array of dimension 2"},
      {"swapaxes of a missing axis",
       [] {
         F::swapaxes(f32({2, 3}), 0, 2);
       },
       "InvalidType", "Expect: axis < in_types[0].ndim\nActual: 2 >= 2"},
      {"swapaxes of a missing axis from the end",
       [] {
         F::swapaxes(f32({2, 3}), -3, 0);
       },
       "InvalidType", "Expect: -in_types[0].ndim <= axis\nActual: -2 > -3"},
      {"expand_dims too far",
       [] {
         F::expand_dims(f32({2, 3}), 3);
       },
       "InvalidType", "Expect: axis <= in_types[0].ndim\nActual: 3 > 2"},
      {"expand_dims too far from the end",
       [] {
         F::expand_dims(f32({2, 3}), -4);
       },
       "InvalidType", "Expect: -in_types[0].ndim - 1 <= axis\nActual: -3 > -4"},
      {"squeeze of another extent",
       [] {
         F::squeeze(f32({2, 1}), 0);
       },
       "ValueError",
       "squeeze: cannot select axis 0 to squeeze out, which has size 2 and not one; shape (2, 1)"},
      {"squeeze of a missing axis",
       [] {
         F::squeeze(f32({2, 1}), 2);
       },
       "AxisError", "squeeze: axis 2 is out of bounds for array of dimension 2"},
      {"squeeze of an axis twice",
       [] {
         F::squeeze(f32({2, 1}), {1, -1});
       },
       "ValueError", "squeeze: duplicate value in 'axis'; (1, -1)"},
      {"broadcast of other extents",
       [] {
         F::broadcast({f32({2, 3}), f32({2})});
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == in_types[1].shape[-1]\nActual: 3 != 2"},
      {"broadcast of nothing", [] { F::broadcast({}); }, "InvalidType",
       "Expect: in_types.size > 0\nActual: 0 <= 0"},
      {"broadcast_to fewer axes",
       [] {
         F::broadcast_to(f32({2, 3}), {3});
       },
       "InvalidType", "Expect: in_types[0].ndim <= len(shape)\nActual: 2 > 1"},
      {"broadcast_to another extent",
       [] {
         F::broadcast_to(f32({2, 3}), {2, 4});
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == shape[-1]\nActual: 3 != 4"},
      {"broadcast_to a negative extent",
       [] {
         F::broadcast_to(f32({1, 3}), {-1, 3});
       },
       "ShapeError", "broadcast_to: shape (1, 3) cannot be broadcast to (-1, 3)"},
      {"sum_to more axes",
       [] {
         F::sum_to(f32({3}), {1, 3});
       },
       "InvalidType", "Expect: in_types[0].ndim >= len(shape)\nActual: 1 < 2"},
      {"sum_to another extent",
       [] {
         F::sum_to(f32({2, 3}), {2, 4});
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == shape[-1]\nActual: 3 != 4"},
      {"tile a negative number of times",
       [] {
         F::tile(f32({2, 3}), {-1});
       },
       "ValueError", "tile: a number of copies is negative; (-1,)"},
      {"pad by what lies at the edge",
       [] {
         F::pad(f32({2, 3}), 1, "edge");
       },
       "ValueError", R"(pad: the mode is not "constant"; "edge")"},
      {"pad by a negative width",
       [] {
         F::pad(f32({2, 3}), -1);
       },
       "ValueError", "pad: widths cannot be negative; (-1, -1)"},
      {"pad with too many pairs",
       [] {
         F::pad(f32({2, 3}), {{1, 1}, {1, 1}, {1, 1}});
       },
       "ValueError", "pad: 3 pairs of widths for shape (2, 3)"},
  });
}

TEST_P(ArrayRefusalsTest, Parts) {
  expect_refusals({
      {"concat of nothing", [] { F::concat({}); }, "InvalidType",
       "Expect: in_types.size > 0\nActual: 0 <= 0"},
      {"concat of other dtypes",
       [] {
         F::concat({f32({2, 3}), f64({2, 3})});
       },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"concat of other ranks",
       [] {
         F::concat({f32({2, 3}), f32({2})});
       },
       "InvalidType", "Expect: in_types[0].ndim == in_types[1].ndim\nActual: 2 != 1"},
      {"concat of other extents",
       [] {
         F::concat({f32({2, 3}), f32({1, 3})});
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 1"},
      {"concat along a missing axis",
       [] {
         F::concat({f32({2}), f32({2})});
       },
       "InvalidType", "Expect: in_types[0].ndim > axis\nActual: 1 <= 1"},
      {"concat along a missing axis from the end",
       [] {
         F::concat({f32({2}), f32({2})}, -2);
       },
       "InvalidType", "Expect: -in_types[0].ndim <= axis\nActual: -1 > -2"},
      {"stack of nothing", [] { F::stack({}); }, "InvalidType",
       "Expect: in_types.size > 0\nActual: 0 <= 0"},
      {"stack of other dtypes",
       [] {
         F::stack({f32({2}), f64({2})});
       },
       "InvalidType", "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"stack of other shapes",
       [] {
         F::stack({f32({2}), f32({3})});
       },
       "InvalidType", "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"stack along an axis too far",
       [] {
         F::stack({f32({2}), f32({2})}, 2);
       },
       "InvalidType", "Expect: axis <= in_types[0].ndim\nActual: 2 > 1"},
      {"stack along an axis too far from the end",
       [] {
         F::stack({f32({2}), f32({2})}, -3);
       },
       "InvalidType", "Expect: -in_types[0].ndim - 1 <= axis\nActual: -2 > -3"},
      {"split_axis along a missing axis", [] { F::split_axis(f32({4}), 2, 1); }, "InvalidType",
       "Expect: in_types[0].ndim > axis\nActual: 1 <= 1"},
      {"split_axis along a missing axis from the end", [] { F::split_axis(f32({4}), 2, -2); },
       "InvalidType", "Expect: -in_types[0].ndim <= axis\nActual: -1 > -2"},
      {"split_axis into parts that do not fit", [] { F::split_axis(f32({4}), 3, 0); },
       "InvalidType", "Expect: in_types[0].shape[0] % sections == 0\nActual: 1 != 0"},
      {"split_axis into no parts", [] { F::split_axis(f32({4}), 0, 0); }, "ValueError",
       "split: number sections must be larger than 0; 0"},
      {"split_axis into a negative number", [] { F::split_axis(f32({4}), -2, 0); }, "ValueError",
       "split: number sections must be larger than 0; -2"},
      {"split_axis beyond the end",
       [] {
         F::split_axis(f32({4}), {1, 5}, 0);
       },
       "InvalidType", "Expect: in_types[0].shape[0] >= max_index\nActual: 4 < 5"},
      {"split_axis at indices that fall",
       [] {
         F::split_axis(f32({4}), {3, 1}, 0);
       },
       "ValueError",
       "split_axis: the indices do not rise; parts of 6 elements in all along an axis of 4"},
      {"get_item beyond the end", [] { F::get_item(f32({4}), {4}); }, "IndexError",
       "getitem: index 4 is out of bounds for axis 0 with size 4"},
      {"get_item with too many indices",
       [] {
         F::get_item(f32({4}), {0, 0});
       },
       "IndexError",
       "getitem: too many indices for array: array is 1-dimensional, but 2 were indexed"},
      {"get_item by a mask of another extent",
       [] { F::get_item(f32({4}), {cupyxx::ones({3}, cupyxx::bool_)}); }, "IndexError",
       "getitem: boolean index of shape (3,) does not match the array of shape (4,)"},
      {"get_item by floating numbers", [] { F::get_item(f32({4}), {cupyxx::ones({3})}); },
       "IndexError",
       "getitem: arrays used as indices must be of integer or boolean type, not float64"},
      {"select_item by floating numbers",
       [] {
         F::select_item(f32({2, 3}), f32({2}));
       },
       "InvalidType", "Expect: in_types[1].dtype.kind == i\nActual: f != i"},
      {"select_item of a vector", [] { F::select_item(f32({2}), i32({2})); }, "InvalidType",
       "Expect: in_types[0].ndim == 2\nActual: 1 != 2"},
      {"select_item by a matrix",
       [] {
         F::select_item(f32({2, 3}), i32({2, 1}));
       },
       "InvalidType", "Expect: in_types[1].ndim == 1\nActual: 2 != 1"},
      {"select_item of another batch",
       [] {
         F::select_item(f32({2, 3}), i32({3}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 3"},
      {"where by numbers", [] { F::where(i32({2}), f32({2}), f32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype == bool\nActual: int32 != bool"},
      {"where of other dtypes",
       [] { F::where(cupyxx::ones({2}, cupyxx::bool_), f32({2}), f64({2})); }, "InvalidType",
       "Expect: in_types[1].dtype == in_types[2].dtype\nActual: float32 != float64"},
      {"where of other shapes",
       [] { F::where(cupyxx::ones({2}, cupyxx::bool_), f32({2}), f32({3})); }, "ShapeError",
       "where: operands could not be broadcast together with shapes (2,) and (3,)"},
  });
}

TEST_P(ArrayRefusalsTest, CopiesToNowhere) {
  EXPECT_THROW(F::copy(f32({2}), 1000), cupyxx::DeviceError);
}

TEST_P(ArrayRefusalsTest, ItemsOutOfRange) {
  for (const int t : {3, -1}) {
    EXPECT_THROW(F::select_item(f32({1, 3}), cupyxx::array({t})).data().item<float>(),
                 cupyxx::IndexError);
  }
}

TEST_P(ArrayRefusalsTest, Sequences) {
  const Variable x = f32({2, 3}), longer = f32({3, 3});
  expect_refusals({
    {"pad_sequence of nothing", [] { F::pad_sequence({}); }, "ValueError",
     "pad_sequence: there are no sequences"},
        {"pad_sequence of None",
         [=] {
           F::pad_sequence({x, Variable()});
         },
         "TypeError", "pad_sequence: input 1 is None"},
        {"pad_sequence of other widths",
         [=] {
           F::pad_sequence({x, f32({2, 4})});
         },
         "ShapeError", "pad_sequence: sequences differ behind their first axis; (2, 3) and (2, 4)"},
        {"pad_sequence of numbers", [] { F::pad_sequence({f32({})}); }, "ShapeError",
         "pad_sequence: sequences differ behind their first axis; () and ()"},
        {"pad_sequence to less",
         [=] {
           F::pad_sequence({x, longer}, 2);
         },
         "ValueError", "pad_sequence: the length is below the longest; 2 and 3"},
        {"transpose_sequence of another order",
         [=] {
           F::transpose_sequence({x, longer});
         },
         "ValueError",
         "transpose_sequence: sequence 1 is longer than the one before it; (3, 3) and (2, 3)"},
        {"separate of a missing axis", [=] { F::separate(x, 2); }, "AxisError",
         "separate: axis 2 is out of bounds for array of dimension 2"},
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end where new fails
        {"separate of more than there is room for",
         [=] {
           F::separate(Variable(cupyxx::zeros({std::int64_t{1} << 50, 0})));
         },
         "MemoryError", "separate: there is no room for 1125899906842624 parts"},
#endif
        {"diagonal of one axis", [=] { F::diagonal(x, 0, 1, -1); }, "ValueError",
         "diagonal: an axis stands there twice; (1, -1)"},
        {"diagonal of a missing axis", [=] { F::diagonal(f32({3})); }, "AxisError",
         "diagonal: axis 1 is out of bounds for array of dimension 1"},
        {"scatter_add of integers",
         [] { F::scatter_add(i32({3}), {cupyxx::slice(0, 2)}, i32({2})); }, "InvalidType",
         "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
        {"scatter_add of another shape",
         [=] { F::scatter_add(x, {cupyxx::slice(0, 2)}, f32({2})); }, "InvalidType",
         "Expect: in_types[0].shape[-1] == shape[-1]\nActual: 2 != 3"},
  });
}

TEST_P(ArrayRefusalsTest, SpatialTransformers) {
  const Variable x = f32({2, 3, 4, 4});
  expect_refusals({
      {"a grid for another batch",
       [=] {
         F::spatial_transformer_sampler(x, f32({1, 2, 2, 2}));
       },
       "ShapeError",
       "spatial_transformer_sampler: x and the grid are not (n, c, h, w) and (n, 2, oh, ow); "
       "(2, 3, 4, 4) and (1, 2, 2, 2)"},
      {"theta of other shapes",
       [] {
         F::spatial_transformer_grid(f32({2, 3, 3}), 2);
       },
       "ShapeError", "spatial_transformer_grid: theta is not (n, 2, 3); (2, 3, 3)"},
      {"no size",
       [] {
         F::spatial_transformer_grid(f32({2, 2, 3}), {2, 0});
       },
       "ValueError", "spatial_transformer_grid: the size is not positive; (2, 0)"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
