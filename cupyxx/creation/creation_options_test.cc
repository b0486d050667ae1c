// SPDX-License-Identifier: MIT
// The dtype by position and by name in every routine that makes arrays, and what array makes of
// lists and containers; the expectations are NumPy's.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/functional.h"
#include "cupyxx/indexing.h"
#include "cupyxx/interop.h"
#include "cupyxx/io.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class CreationOptions : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(CreationOptions);

TEST_P(CreationOptions, TheDtypeStandsInItsPlaceOrHasAName) {
  const ndarray a = arange(3);
  const std::vector<double> buffer{1, 2};
  const auto product = [](const ndarray& i, const ndarray& j) { return i * j; };
  struct Row {
    const char* name;
    ndarray by_position, by_name;
  };
  const Row rows[] = {
      {"zeros", zeros({2}, float32), zeros({2}, {.dtype = float32})},
      {"ones", ones({2}, float32), ones({2}, {.dtype = float32})},
      {"full", full({2}, 7, float32), full({2}, 7, {.dtype = float32})},
      {"zeros_like", zeros_like(a, float32), zeros_like(a, {.dtype = float32})},
      {"ones_like", ones_like(a, float32), ones_like(a, {.dtype = float32})},
      {"full_like", full_like(a, 7, float32), full_like(a, 7, {.dtype = float32})},
      {"eye", eye(2, -1, 0, float32), eye(2, {.dtype = float32})},
      {"eye", eye(2, 3, 1, float32), eye(2, 3, {.k = 1, .dtype = float32})},
      {"identity", identity(2, float32), identity(2, {.dtype = float32})},
      {"tri", tri(3, -1, 0, float32), tri(3, {.dtype = float32})},
      {"tri", tri(3, 4, 1, float32), tri(3, 4, {.k = 1, .dtype = float32})},
      {"arange", arange(5, float32), arange(5, {.dtype = float32})},
      {"arange", arange(1, 5, float32), arange(1, 5, {.dtype = float32})},
      {"arange", arange(1, 5, 2, float32), arange(1, 5, 2, {.dtype = float32})},
      {"linspace", linspace(0, 1, 5, float32), linspace(0, 1, 5, {.dtype = float32})},
      {"linspace", linspace(a, 1, 5, float32), linspace(a, 1, 5, {.dtype = float32})},
      {"logspace", logspace(0, 2, 3, float32), logspace(0, 2, 3, {.dtype = float32})},
      {"geomspace", geomspace(1, 4, 3, float32), geomspace(1, 4, 3, {.dtype = float32})},
      {"array", array(a, float32), array(a, {.dtype = float32})},
      {"array", array(5, float32), array(5, {.dtype = float32})},
      {"array", array({1, 2}, float32), array({1, 2}, {.dtype = float32})},
      {"array", array({1, 2.5}, float32), array({1, 2.5}, {.dtype = float32})},
      {"array", array({{1}, {2}}, float32), array({{1}, {2}}, {.dtype = float32})},
      {"array", array(buffer, float32), array(buffer, {.dtype = float32})},
      {"asarray", asarray(a, float32), asarray(a, {.dtype = float32})},
      {"asanyarray", asanyarray(a, float32), asanyarray(a, {.dtype = float32})},
      {"ascontiguousarray", ascontiguousarray(a, float32),
       ascontiguousarray(a, {.dtype = float32})},
      {"asfortranarray", asfortranarray(a, float32), asfortranarray(a, {.dtype = float32})},
      {"asarray_chkfinite", asarray_chkfinite(a, float32),
       asarray_chkfinite(a, {.dtype = float32})},
      {"indices", indices({2, 2}, float32), indices({2, 2}, {.dtype = float32})},
      {"fromfunction", fromfunction(product, {2, 2}, float32),
       fromfunction(product, {2, 2}, {.dtype = float32})},
      {"frombuffer", frombuffer(buffer, float32), frombuffer(buffer, {.dtype = float32})},
      {"fromstring", fromstring("1 2", float32, -1, " "),
       fromstring("1 2", {.dtype = float32, .sep = " "})},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.by_position.dtype(), float32);
    EXPECT_EQ(row.by_name.dtype(), float32);
    expect_array_equal(row.by_name, row.by_position);
  }
  EXPECT_EQ(empty({2}, {.dtype = float32}).dtype(), float32);
  EXPECT_EQ(empty_like(a, {.dtype = float32}).dtype(), float32);
}

TEST_P(CreationOptions, OtherOptionsStandBesideIt) {
  EXPECT_TRUE(zeros({2, 3}, {.order = Order::F}).flags().f_contiguous);
  EXPECT_EQ(zeros({2, 3}, {.order = Order::F}).dtype(), float64);
  EXPECT_EQ(ones_like(arange(3), {.shape = Shape{2}}).shape(), (Shape{2}));
  EXPECT_EQ(array({1, 2.5}, {.ndmin = 2}).shape(), (Shape{1, 2}));
  EXPECT_EQ(linspace(0, 1, 2, {.endpoint = false}).to_vector<double>(),
            (std::vector<double>{0, 0.5}));
  EXPECT_EQ(linspace(0, 1, {.endpoint = false}).size(), 50);
  const auto [samples, step] = linspace(0, 1, 5, {.retstep = true});
  EXPECT_EQ(samples.size(), 5);
  EXPECT_EQ(step, 0.25);
  EXPECT_EQ(linspace(0, 1, {.num = 4, .endpoint = false, .retstep = true}).step, 0.25);
  expect_elements<double>(eye(2, {.k = 1}), {2, 2}, {0, 1, 0, 0});
  expect_error<TypeError>([] { zeros_like(arange(3), float32, {.dtype = int8}); },
                          "the dtype is given twice: float32 and int8");
  expect_error<TypeError>(
      [] {
        array({1, 2}, float32, {.dtype = int8});
      },
      "array: the dtype is given twice: float32 and int8");
}

TEST_P(CreationOptions, ListsOfSeveralTypesHaveTheirCommonDtype) {
  EXPECT_EQ(array({1, 2.5, true}).dtype(), float64);
  expect_elements<double>(array({1, 2.5, true}), {3}, {1, 2.5, 1});
  EXPECT_EQ(array({true, 2}).dtype(), int64);
  EXPECT_EQ(array({1, complex<double>(0, 1)}).dtype(), complex128);
  EXPECT_EQ(array({std::uint8_t{1}, std::int8_t{2}}).dtype(), int16);
  expect_elements<double>(array({{1, 2.5}, {3, 4}}), {2, 2}, {1, 2.5, 3, 4});
  expect_elements<double>(array({{1}, {2.5}}), {2, 1}, {1, 2.5});
  expect_elements<double>(array({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8.5}}}), {2, 2, 2},
                          {1, 2, 3, 4, 5, 6, 7, 8.5});
  expect_elements<std::int64_t>(array({{{{1, 2}}}}), {1, 1, 1, 2}, {1, 2});
  EXPECT_EQ(array({{{{1.0f}}}}).dtype(), float32);
  expect_elements<double>(array({}), {0}, {});
  EXPECT_EQ(array({{}, {}}).shape(), (Shape{2, 0}));
  expect_elements<int>(asarray({1, 2.5}, int8), {2}, {1, 2});
  // Lists of one type mean what they meant.
  EXPECT_EQ(array({1, 2}).dtype(), int64);
  EXPECT_EQ(array({1.0f}).dtype(), float32);
  EXPECT_EQ(array({5}).shape(), (Shape{1}));
  EXPECT_EQ(array({{1}, {2}}).shape(), (Shape{2, 1}));
  EXPECT_EQ(array({true}).dtype(), bool_);
}

TEST_P(CreationOptions, ArraysInListsAreSlices) {
  const ndarray a = arange(3);
  expect_elements<int>(array({a, a + 1}), {2, 3}, {0, 1, 2, 1, 2, 3});
  expect_elements<double>(array({a(1), 2.5}), {2}, {1, 2.5});
  expect_elements<int>(array({a.sum(), a.max()}), {2}, {3, 2});
  expect_error<ValueError>(
      [&] {
        array({a, arange(2)});
      },
      "array: the arrays of a list have different shapes: (3,) and (2,)");
  expect_error<TypeError>([] { array({ndarray(), ndarray()}); }, "array: ");
}

TEST_P(CreationOptions, ContainersOfTheHost) {
  const std::vector<std::vector<double>> nested{{1, 2}, {3, 4}};
  expect_elements<double>(array(nested), {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(array(std::vector<std::vector<std::vector<float>>>{{{1}, {2}}}).shape(),
            (Shape{1, 2, 1}));
  EXPECT_EQ(array(std::vector<int>{1}).dtype(), int32);
  expect_elements<bool>(array(std::vector<bool>{true, false}), {2}, {true, false});
  EXPECT_EQ(array(std::vector<std::vector<bool>>{{true}}).dtype(), bool_);
  expect_elements<float>(array(std::array<float, 2>{1, 2}), {2}, {1, 2});
  const double plain[2][3] = {{1, 2, 3}, {4, 5, 6}};
  expect_elements<double>(array(plain), {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(array(std::vector<std::complex<float>>{{1, 2}}).dtype(), complex64);
  EXPECT_EQ(array(std::vector<double>{}).shape(), (Shape{0}));
  EXPECT_EQ(asarray(std::span(plain[1])).shape(), (Shape{3}));
}

TEST_P(CreationOptions, RaggedListsAreErrors) {
  expect_error<ValueError>(
      [] {
        array(std::vector<std::vector<int>>{{1, 2}, {3}});
      },
      "array: nested lists of different lengths: 2 and 1");
  expect_error<ValueError>(
      [] {
        array({{1, 2}, {3}});
      },
      "array: nested lists of different lengths: 2 and 1");
  expect_error<ValueError>(
      [] {
        array({{1, 2.5}, {3}});
      },
      "array: nested lists of different lengths: 2 and 1");
  expect_error<ValueError>(
      [] {
        array({{1, 2.5}, 3});
      },
      "array: nested lists of different depths: 2 and 1");
  expect_error<ValueError>(
      [] {
        array({3, {1, 2.5}});
      },
      "array: nested lists of different depths: 1 and 2");
  expect_error<OverflowError>([] { array({1.5, 300}, uint8); }, "array: 300 does not fit uint8");
}

}  // namespace
}  // namespace cupyxx
