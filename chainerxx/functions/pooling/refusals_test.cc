// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "chainerxx/functions/array/images.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "chainerxx/functions/pooling/pooling_nd.h"
#include "chainerxx/functions/pooling/regions.h"
#include "chainerxx/functions/pooling/spatial_pyramid_pooling_2d.h"
#include "chainerxx/functions/pooling/window_elements.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
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

TEST_P(PoolingRefusalsTest, PoolingOfAnyNumberOfAxes) {
  const Variable x = f32({1, 2, 3, 4, 5});
  expect_refusals({
      {"max_pooling_1d of volumes", [=] { F::max_pooling_1d(x, 2); }, "ShapeError",
       "max_pooling_1d: x is not (n, channels, length); (1, 2, 3, 4, 5)"},
      {"average_pooling_3d of images",
       [] {
         F::average_pooling_3d(f32({1, 2, 3, 4}), 2);
       },
       "ShapeError", "average_pooling_3d: x is not (n, channels, d, h, w); (1, 2, 3, 4)"},
      {"max_pooling_nd without axes",
       [] {
         F::max_pooling_nd(f32({1, 2}), 2);
       },
       "ShapeError", "max_pooling_nd: x is not (n, channels, ...); (1, 2)"},
      {"a window of two axes",
       [=] {
         F::max_pooling_nd(x, {2, 2});
       },
       "ValueError", "max_pooling_nd: the window is not of 3 axes"},
      {"a window that is None", [=] { F::max_pooling_nd(x, cupyxx::none); }, "ValueError",
       "max_pooling_nd: the window is None"},
      {"a padding that is None", [=] { F::average_pooling_nd(x, 2, {.pad = cupyxx::none}); },
       "ValueError", "average_pooling_nd: the padding is None"},
      {"no stride",
       [=] {
         F::average_pooling_nd(x, 2, {.stride = {1, 0, 1}});
       },
       "ValueError",
       "average_pooling_nd: a size is not positive; window (2, 2, 2), stride (1, 0, 1), pad (0, 0, "
       "0)"},
      {"a window larger than the input",
       [=] {
         F::max_pooling_nd(x, {1, 9, 1}, {.cover_all = false});
       },
       "ShapeError",
       "max_pooling_2d: the window is larger than the padded input; window (9, 1), pad (0, 0), "
       "input (1, 6, 4, 5)"},
      {"another outsize",
       [=] {
         F::unpooling_3d(x, 2, {.outsize = {9, 8, 10}});
       },
       "InvalidType", "Expect: in_types[0].shape[2] == expected_h\nActual: 3 != 5"},
      {"global_average_pooling of rows",
       [] {
         F::global_average_pooling(f32({2, 3}));
       },
       "ShapeError", "global_average_pooling: x is not (n, channels, ...); (2, 3)"},
  });
}

TEST_P(PoolingRefusalsTest, Regions) {
  const Variable x = f32({2, 2, 4, 4});
  const auto rois = [](double image) { return cupyxx::array({{image, 0.0, 0.0, 3.0, 3.0}}); };
  const ndarray boxes = cupyxx::ones({1, 4}), of_first = cupyxx::zeros({1}, cupyxx::int32);
  expect_refusals({
      {"regions of integers",
       [=] {
         F::roi_pooling_2d(i32({1, 1, 4, 4}), rois(0), 1, 1, 1);
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"regions of rows",
       [=] {
         F::roi_average_align_2d(f32({4, 4}), boxes, of_first, 1, 1);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 2 != 4"},
      {"rois of four numbers", [=] { F::roi_pooling_2d(x, boxes, 1, 1, 1); }, "ShapeError",
       "roi_pooling_2d: rois is not (regions, 5); (1, 4)"},
      {"no rois", [=] { F::roi_pooling_2d(x, ndarray(), 1, 1, 1); }, "TypeError",
       "roi_pooling_2d: rois is None"},
      {"an image that there is not", [=] { F::roi_pooling_2d(x, rois(2), 1, 1, 1); }, "IndexError",
       "roi_pooling_2d: there is no image of this number; 2.0 of 2"},
      {"a region that is no number", [=] { F::roi_pooling_2d(x, rois(0) + std::nan(""), 1, 1, 1); },
       "ValueError", "roi_pooling_2d: a number of a region is out of range; nan"},
      {"no parts", [=] { F::roi_pooling_2d(x, rois(0), 0, 1, 1); }, "ValueError",
       "roi_pooling_2d: the size is not in [1, 4096]; (0, 1)"},
      {"a negative scale", [=] { F::roi_average_align_2d(x, boxes, of_first, 1, -1); },
       "ValueError", "roi_average_align_2d: the scale is not positive, or above 1e6; -1.0"},
      {"no regions",
       [=] {
         F::roi_pooling_2d(x, cupyxx::ones({0, 5}), 1, 1, 1);
       },
       "ShapeError", "roi_pooling_2d: there are no regions or no pixels; (0, 5) and (2, 2, 4, 4)"},
      {"other indices", [=] { F::roi_average_align_2d(x, boxes, cupyxx::zeros({2}), 1, 1); },
       "ShapeError", "roi_average_align_2d: roi_indices is not (1,)"},
      {"no samples",
       [=] {
         F::roi_average_align_2d(x, boxes, of_first, 1, 1, {0, 1});
       },
       "ValueError", "roi_average_align_2d: the sampling ratio is not positive; (0, 1)"},
      {"the largest of no numbers",
       [=] { F::roi_max_pooling_2d(x, boxes, cupyxx::zeros({2}), 1, 1); }, "ShapeError",
       "roi_max_pooling_2d: roi_indices is not (1,)"},
      {"averages of regions of five numbers",
       [=] { F::roi_average_pooling_2d(x, rois(0), of_first, 1, 1); }, "ShapeError",
       "roi_average_pooling_2d: rois is not (regions, 4); (1, 5)"},
      {"averages of rows",
       [=] {
         F::roi_average_pooling_2d(f32({4, 4}), boxes, of_first, 1, 1);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 2 != 4"},
      {"the largest in parts without size",
       [=] {
         F::roi_max_pooling_2d(x, boxes, of_first, {2, 0}, 1);
       },
       "ValueError", "roi_max_pooling_2d: the size is not in [1, 4096]; (2, 0)"},
      {"the largest of no samples",
       [=] {
         F::roi_max_align_2d(x, boxes, of_first, 1, 1, {0, 1});
       },
       "ValueError", "roi_max_align_2d: the sampling ratio is not positive; (0, 1)"},
      {"the largest samples of an image that there is not",
       [=] { F::roi_max_align_2d(x, boxes, of_first + 2, 1, 1); }, "IndexError",
       "roi_max_align_2d: there is no image of this number; 2.0 of 2"},
      {"too many samples",
       [=] {
         F::roi_average_align_2d(x, boxes * cupyxx::array({0, 0, 9999, 1}), of_first, 1, 1);
       },
       "ValueError", "roi_average_align_2d: a part takes more than 4096 samples; 9999"},
  });
}

TEST_P(PoolingRefusalsTest, ElementsOfWindowsAndImages) {
  const Variable x = f32({1, 4, 2, 2});
  const ndarray places = cupyxx::zeros({1, 4, 2, 2}, cupyxx::int32);
  expect_refusals({
      {"upsampling_2d of rows",
       [=] {
         F::upsampling_2d(f32({2, 2}), places, 2);
       },
       "ShapeError", "upsampling_2d: x is not (n, c, h, w); (2, 2)"},
      {"upsampling_2d by other indices", [=] { F::upsampling_2d(x, cupyxx::zeros({4}), 2); },
       "ShapeError", "upsampling_2d: the indices are not of the shape of x; (4,) and (1, 4, 2, 2)"},
      {"upsampling_2d by numbers", [=] { F::upsampling_2d(x, places * 0.5, 2); }, "TypeError",
       "upsampling_2d: the indices are no integers; float64"},
      {"upsampling_2d to nothing", [=] { F::upsampling_2d(x, places, 1, {.pad = 2}); },
       "ShapeError",
       "upsampling_2d: nothing is left of the output; input (1, 4, 2, 2), window (1, 1), pad (2, "
       "2)"},
      {"im2col of rows",
       [] {
         F::im2col(f32({2, 2}), 1);
       },
       "InvalidType", "Expect: in_types[0].ndim == 4\nActual: 2 != 4"},
      {"im2col of an empty window", [=] { F::im2col(x, 0); }, "ValueError",
       "im2col: the window must not be empty; (0, 0)"},
      {"im2col of a window that is too large", [=] { F::im2col(x, 3); }, "ShapeError",
       "im2col: the window is larger than the padded input; window (3, 3), pad (0, 0), input "
       "(1, 4, 2, 2)"},
      {"resize_images to nothing",
       [=] {
         F::resize_images(x, {0, 2});
       },
       "ValueError", "resize_images: the size is not positive; (0, 2)"},
      {"resize_images of rows",
       [] {
         F::resize_images(f32({2, 2}), 2);
       },
       "ShapeError", "resize_images: x is not (n, c, h, w); (2, 2)"},
      {"resize_images without pixels",
       [] {
         F::resize_images(f32({1, 1, 0, 2}), 2);
       },
       "ShapeError", "resize_images: there are no pixels; (1, 1, 0, 2)"},
      {"depth2space of other channels", [=] { F::depth2space(x, 3); }, "ValueError",
       "depth2space: r * r does not divide the channels; 3 and (1, 4, 2, 2)"},
      {"space2depth of other sizes", [=] { F::space2depth(x, 3); }, "ValueError",
       "space2depth: r does not divide height and width; 3 and (1, 4, 2, 2)"},
      {"space2depth by nothing", [=] { F::space2depth(x, 0); }, "ValueError",
       "space2depth: r does not divide height and width; 0 and (1, 4, 2, 2)"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
