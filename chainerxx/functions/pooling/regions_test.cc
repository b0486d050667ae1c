// SPDX-License-Identifier: MIT
// Poolings of regions against loops over their elements in Python, which are written down here.
#include "chainerxx/functions/pooling/regions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chainerxx/functions/math/sum.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;

class RegionsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(RegionsTest);

/// sin(i^2) in two images of 5 by 6 pixels.
ndarray images() {
  const ndarray i = cupyxx::arange(60).astype(cupyxx::float64);
  return cupyxx::sin(i * i).reshape({2, 1, 5, 6});
}
/// Within an image, thin, over its ends, before its begin, and outside; scaled by a half.
ndarray regions() {
  return cupyxx::array(
      {{0, 0, 7, 9}, {4, 2, 11, 4}, {9, 9, 30, 30}, {-6, -4, 3, 3}, {20, 30, 40, 50}});
}
ndarray numbers() { return cupyxx::array({0, 1, 1, 0, 1}); }

ndarray in_parts(std::initializer_list<double> expected) {
  return cupyxx::array(expected).reshape({5, 1, 3, 2});
}

TEST_P(RegionsTest, TheLargestElements) {
  const Variable x(images());
  const Variable y = roi_max_pooling_2d(x, regions(), numbers(), {3, 2}, 0.5);
  expect_allclose(y.data(),
                  in_parts({0.841470984807897,
                            0.920026038196791,
                            -0.491021593898469,
                            0.939530055569931,
                            0.27938655435957,
                            0.939530055569931,
                            0.985120367737382,
                            0.985120367737382,
                            0.733333795829252,
                            0.733333795829252,
                            0.346394965535536,
                            0.346394965535536,
                            0.60178321416493,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0.841470984807897,
                            0,
                            0.841470984807897,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0}),
                  1e-13, 1e-14);
}

TEST_P(RegionsTest, AverageElements) {
  const Variable x(images());
  const Variable y = roi_average_pooling_2d(x, regions(), numbers(), {3, 2}, 0.5);
  expect_allclose(y.data(),
                  in_parts({-0.276015130348673,
                            -0.0136364915359588,
                            -0.759638241944665,
                            0.0748933053719357,
                            -0.304425031668216,
                            0.0204964577130581,
                            0.859227081783317,
                            0.859227081783317,
                            0.539864380682394,
                            0.539864380682394,
                            0.346394965535536,
                            0.346394965535536,
                            0.358433736917393,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0.420735492403948,
                            0,
                            -0.276015130348673,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0}),
                  1e-13, 1e-14);
}

TEST_P(RegionsTest, TheLargestSamples) {
  const Variable x(images());
  const Variable y = roi_max_align_2d(x, regions(), numbers(), {3, 2}, 0.5);
  expect_allclose(y.data(),
                  in_parts({0.530450950312169,
                            -0.0327728594407726,
                            0.71377812877326,
                            -0.131314742680239,
                            0.12763460533359,
                            0.456930740464492,
                            0.760760539378148,
                            0.458916382939423,
                            0.419033018435652,
                            0.564309124235885,
                            0.419033018435652,
                            0.564309124235885,
                            0.145502944325797,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0.741578892300657,
                            -0.371917070041168,
                            0.149746250972396,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0}),
                  1e-12, 1e-13);
  const Variable z = roi_max_align_2d(x, regions(), numbers(), {3, 2}, 0.5, {2, 3});
  expect_allclose(z.data(),
                  in_parts({0.530450950312169,
                            -0.0327728594407726,
                            0.71377812877326,
                            -0.131314742680239,
                            0.12763460533359,
                            0.456930740464492,
                            0.861375258191056,
                            0.559531101752332,
                            0.504636405470157,
                            0.612734492835962,
                            0.46745838703573,
                            0.612734492835962,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0.525919365504935,
                            -0.371917070041168,
                            0.106542554894343,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0}),
                  1e-12, 1e-13);
}

// Of nine pixels each region takes four: the gradient is one share of 1 / 4 for each region.
TEST_P(RegionsTest, GradientsGoWhereTheElementsAre) {
  const Variable x(cupyxx::arange(9).astype(cupyxx::float32).reshape({1, 1, 3, 3}));
  const ndarray rois = cupyxx::array({{0, 0, 2, 2}, {1, 1, 3, 3}});
  const ndarray first = cupyxx::zeros({2}, cupyxx::int32);
  sum(roi_average_pooling_2d(x, rois, first, 1, 1)).backward();
  expect_array_equal(x.grad(),
                     cupyxx::array({{{{0.25, 0.25, 0.0}, {0.25, 0.5, 0.25}, {0.0, 0.25, 0.25}}}},
                                   cupyxx::float32));
  x.cleargrad();
  sum(roi_max_pooling_2d(x, rois, first, 1, 1)).backward();
  expect_array_equal(x.grad(),
                     cupyxx::array({{{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, cupyxx::float32));
  x.cleargrad();
  // The middles of the regions lie on pixels (1, 1) and (2, 2).
  sum(roi_max_align_2d(x, rois, first, 1, 1, 1)).backward();
  expect_array_equal(x.grad(),
                     cupyxx::array({{{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, cupyxx::float32));
}

TEST_P(RegionsTest, SixteenBitsAreAddedUpInFloat32) {
  const Variable x(cupyxx::full({1, 1, 64, 64}, 1000, cupyxx::float16));
  const Variable y = roi_average_pooling_2d(x, cupyxx::array({{0, 0, 64, 64}}),
                                            cupyxx::zeros({1}, cupyxx::int32), 1, 1);
  EXPECT_EQ(y.dtype(), cupyxx::float16);
  EXPECT_EQ(y.item<float>(), 1000);
  sum(y).backward();
  EXPECT_EQ(x.grad()(0, 0, 0, 0).item<float>(), 1.0F / 4096);
}

// 0 times the inf of a pixel that has no share is NaN.
TEST_P(RegionsTest, PixelsWithoutAShareDoNotMatter) {
  ndarray image = cupyxx::full({1, 1, 8, 8}, std::numeric_limits<double>::infinity());
  image(0, 0, cupyxx::slice(2, 6), cupyxx::slice(2, 6)) = 1;
  const ndarray& none = cupyxx::array({0});
  for (const int samples : {1, 2, 3}) {
    for (const double end : {5.0, 6.0}) {
      // The last samples lie before 5, on it, or beyond.
      const Variable x(image);
      const ndarray& region = cupyxx::array({{2.0, 2.0, end, end}});
      const double last = end - (end - 2) / (2 * 2 * samples);
      const double expected = last > 5 ? std::numeric_limits<double>::infinity() : 1;
      const Variable y = roi_average_align_2d(x, region, none, {2, 2}, 1, samples);
      const double found = y.data().item<double>(0, 0, 1, 1);
      EXPECT_TRUE(found == expected || std::abs(found - expected) < 1e-12) << found;
      EXPECT_NEAR(y.data().item<double>(0, 0, 0, 0), 1, 1e-12);
      const Variable z = roi_max_align_2d(x, region, none, {2, 2}, 1, samples);
      const double largest = z.data().item<double>(0, 0, 1, 1);
      EXPECT_TRUE(largest == expected || std::abs(largest - expected) < 1e-12) << largest;
      sum(y + z).backward();
      EXPECT_TRUE(cupyxx::isfinite(x.grad()).all().item<bool>());
      EXPECT_NEAR(x.grad().sum().item<double>(), 8, 1e-12);
    }
  }
  // Samples beyond the image, whose nearest pixels hold inf.
  const Variable x(image);
  const Variable y =
      roi_average_align_2d(x, cupyxx::array({{20.0, 20.0, 24.0, 24.0}}), none, {1, 1}, 1, 2);
  EXPECT_EQ(y.data().item(), 0);
}

}  // namespace
}  // namespace chainerxx::functions
