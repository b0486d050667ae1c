// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/functions/pooling/spatial_pyramid_pooling_2d.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class PoolingRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(PoolingRefusalsTest);

TEST_P(PoolingRefusalsTest, Pooling) {
  const Variable x = f32({1, 2, 3, 4});
  expect_refusals({
      {"max of integers",
       [] {
         F::max_pooling_2d(i32({1, 2, 3, 4}), 2);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"max of three axes",
       [] {
         F::max_pooling_2d(f32({2, 3, 4}), 2);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"max of two inputs",
       [&] {
         F::MaxPooling2D(2).call(std::vector<Variable>{x, x});
       },
       "InvalidType", "Expect: in_types.size == 1\nActual: 2 != 1"},
      {"no window", [&] { F::max_pooling_2d(x, 0); }, "ValueError",
       "max_pooling_2d: the window must not be empty; (0, 0)"},
      {"a negative window",
       [&] {
         F::max_pooling_2d(x, {2, -2});
       },
       "ValueError", "max_pooling_2d: the window must not be empty; (2, -2)"},
      {"no stride",
       [&] {
         F::max_pooling_2d(x, 2, {.stride = {1, 0}});
       },
       "ValueError", "max_pooling_2d: the stride must be positive; (1, 0)"},
      {"a negative stride", [&] { F::max_pooling_2d(x, 2, {.stride = -1}); }, "ValueError",
       "max_pooling_2d: the stride must be positive; (-1, -1)"},
      {"a negative pad",
       [&] {
         F::max_pooling_2d(x, 2, {.pad = {0, -1}});
       },
       "ValueError", "max_pooling_2d: the padding must not be negative; (0, -1)"},
      {"a window larger than the image", [&] { F::max_pooling_2d(x, 5, {.stride = 1}); },
       "ShapeError",
       "max_pooling_2d: the window is larger than the padded input; window (5, 5), pad (0, 0), "
       "input (1, 2, 3, 4)"},
      {"a window larger than the image, not covered",
       [&] { F::max_pooling_2d(x, 5, {.cover_all = false}); }, "ShapeError",
       "max_pooling_2d: the window is larger than the padded input; window (5, 5), pad (0, 0), "
       "input (1, 2, 3, 4)"},
      {"a huge stride",
       [&] { F::max_pooling_2d(x, 2, {.stride = std::numeric_limits<std::int64_t>::max()}); },
       "ValueError",
       "max_pooling_2d: a size is above 2147483647; (9223372036854775807, 9223372036854775807)"},
      {"an image without extent",
       [] {
         F::max_pooling_2d(f32({1, 2, 0, 4}), 2, {.cover_all = false});
       },
       "ShapeError",
       "max_pooling_2d: the window is larger than the padded input; window (2, 2), pad (0, 0), "
       "input (1, 2, 0, 4)"},
      {"average of integers",
       [] {
         F::average_pooling_2d(i32({1, 2, 3, 4}), 2);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"average of three axes",
       [] {
         F::average_pooling_2d(f32({2, 3, 4}), 2);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"average of no window",
       [&] {
         F::average_pooling_2d(x, {0, 1});
       },
       "ValueError", "average_pooling_2d: the window must not be empty; (0, 1)"},
      {"average of a window larger than the image", [&] { F::average_pooling_2d(x, 4); },
       "ShapeError",
       "average_pooling_2d: the window is larger than the padded input; window (4, 4), pad (0, 0), "
       "input (1, 2, 3, 4)"},
      {"average with a negative pad", [&] { F::average_pooling_2d(x, 2, {.pad = -1}); },
       "ValueError", "average_pooling_2d: the padding must not be negative; (-1, -1)"},
      {"unpooling of integers",
       [] {
         F::unpooling_2d(i32({1, 2, 3, 4}), 2);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"unpooling of three axes",
       [] {
         F::unpooling_2d(f32({2, 3, 4}), 2);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"unpooling with no window", [&] { F::unpooling_2d(x, 0); }, "ValueError",
       "unpooling_2d: the window must not be empty; (0, 0)"},
      {"unpooling with no stride", [&] { F::unpooling_2d(x, 2, {.stride = 0}); }, "ValueError",
       "unpooling_2d: the stride must be positive; (0, 0)"},
      {"unpooling to a size that does not fit", [&] { F::unpooling_2d(x, 2, {.outsize = 9}); },
       "InvalidType", "Expect: in_types[0].shape[2] == expected_h\nActual: 3 != 5"},
      {"unpooling to a negative size",
       [&] {
         F::unpooling_2d(x, 2, {.outsize = {-6, 8}});
       },
       "InvalidType", "Expect: in_types[0].shape[2] == expected_h\nActual: 3 != -3"},
      {"unpooling that pads everything away", [&] { F::unpooling_2d(x, 1, {.pad = 2}); },
       "ShapeError",
       "unpooling_2d: nothing is left of the output; input (1, 2, 3, 4), window (1, 1), pad (2, "
       "2)"},
      {"a pyramid of no height", [&] { F::spatial_pyramid_pooling_2d(x, 0); }, "ValueError",
       "spatial_pyramid_pooling_2d: the pyramid's height is outside of [1, 20]; 0"},
      {"a pyramid of a huge height", [&] { F::spatial_pyramid_pooling_2d(x, 21); }, "ValueError",
       "spatial_pyramid_pooling_2d: the pyramid's height is outside of [1, 20]; 21"},
      {"a level below a pyramid",
       [] {
         F::pyramid_level({3, 4}, -1);
       },
       "ValueError", "spatial_pyramid_pooling_2d: the level is outside of [0, 19]; -1"},
      {"a level above every pyramid",
       [] {
         F::pyramid_level({3, 4}, 20);
       },
       "ValueError", "spatial_pyramid_pooling_2d: the level is outside of [0, 19]; 20"},
      {"a pyramid of integers",
       [] {
         F::spatial_pyramid_pooling_2d(i32({1, 2, 3, 4}), 1);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"a pyramid of three axes",
       [] {
         F::spatial_pyramid_pooling_2d(f32({2, 3, 4}), 1);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 3 != 4"},
      {"a pyramid over an empty image",
       [] {
         F::spatial_pyramid_pooling_2d(f32({1, 2, 0, 4}), 1);
       },
       "ValueError", "spatial_pyramid_pooling_2d: the image is empty; (0, 4)"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
