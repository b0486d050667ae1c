// SPDX-License-Identifier: MIT
// What becomes of numbers and masks at the edge of what an array can hold; the expectations are
// those of NumPy 1.24.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class ElementValues : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ElementValues);

TEST_P(ElementValues, NanBecomesNoInteger) {
  const ndarray a = arange(4);
  const auto expect_refusal = [&](const char* operation, auto&& call) {
    expect_error<ValueError>(
        call, std::string(operation) + ": cannot convert float NaN to integer; int64");
    expect_elements<std::int64_t>(a, {4}, {0, 1, 2, 3});
  };
  expect_refusal("setitem", [&] { a(0) = NAN; });
  expect_refusal("setitem", [&] { a(slice()) = NAN; });
  expect_refusal("setitem", [&] { a(array({0, 1})) = NAN; });
  expect_refusal("setitem", [&] { a(greater(a, 1)) = NAN; });
  expect_refusal("fill", [&] { a.fill(NAN); });
  expect_refusal("full", [] { full({2}, NAN, int64); });
  expect_refusal("full_like", [&] { full_like(a, NAN); });
  expect_refusal("copyto", [&] { copyto(a, NAN, {.casting = Casting::unsafe}); });
  expect_refusal("put", [&] { put(a, array({0}), NAN); });
  expect_refusal("putmask", [&] { putmask(a, greater(a, 1), NAN); });
  expect_refusal("insert", [&] { insert(a, 0, NAN); });
  expect_refusal("array", [] { array({1.0, double{NAN}}, int64); });
  expect_refusal("array", [] { array(std::vector<float>{NAN}, int64); });
}

TEST_P(ElementValues, NumbersBeyond64BitsBecomeNoInteger) {
  const ndarray a = zeros({2}, int32);
  expect_error<OverflowError>([&] { a(0) = INFINITY; },
                              "setitem: cannot convert float infinity to integer; int32");
  expect_error<OverflowError>([&] { a.fill(-INFINITY); },
                              "fill: cannot convert float infinity to integer; int32");
  expect_error<OverflowError>([&] { a(0) = 1e30; }, "setitem: 1e+30 does not fit int32");
  expect_error<OverflowError>([&] { array({0x1p63}, int64); }, "does not fit int64");
  expect_elements<std::int64_t>(full({1}, -0x1p63, int64), {1}, {INT64_MIN});
  expect_elements<std::uint64_t>(full({1}, 0x1p63, uint64), {1}, {std::uint64_t{1} << 63});
}

TEST_P(ElementValues, FloatsAreCutToIntegersAndToTheirLowBits) {
  const ndarray a = zeros({4}, uint8);
  a(0) = 2.9;
  a(1) = -0.9;
  a(2) = 300.7;
  a(3) = -1.0;
  expect_elements<int>(a, {4}, {2, 0, 44, 255});
  expect_elements<int>(full({1}, 40000.0, int16), {1}, {-25536});
  expect_elements<int>(array({300.0, -1.0}, uint8), {2}, {44, 255});
  // Arrays are cast.
  a(slice(0, 2)) = array({7.5, 8.5});
  expect_elements<int>(a(slice(0, 2)), {2}, {7, 8});
}

TEST_P(ElementValues, MasksOfExtentZeroChooseNothing) {
  const ndarray a = zeros({3, 2});
  EXPECT_EQ(ndarray(a(slice(), zeros({0}, bool_))).shape(), (Shape{3, 0}));
  EXPECT_EQ(ndarray(a(zeros({0, 2}, bool_), ellipsis)).shape(), (Shape{0}));
  EXPECT_EQ(ndarray(zeros({3, 2, 4})(zeros({3, 0}, bool_), slice())).shape(), (Shape{0, 4}));
  a(slice(), zeros({0}, bool_)) = 1;
  expect_elements<double>(a, {3, 2}, {0, 0, 0, 0, 0, 0});
  expect_error<IndexError>(
      [&] {
        ndarray(a(zeros({4, 0}, bool_), ellipsis));
      },
      "getitem: boolean index of shape (4, 0) does not match");
}

TEST_P(ElementValues, IndicesOutOfRangeAreNamedAsIndexing) {
  if (device().is_cuda()) return;  // at the next wait: advanced_index_test
  const ndarray a = zeros({3, 2});
  expect_error<IndexError>([&] { ndarray(a(slice(), array({5}))); },
                           "getitem: index 5 is out of bounds for axis 1 with size 2");
}

TEST_P(ElementValues, NoPositionsAreOnePart) {
  const ndarray a = arange(4);
  const std::vector<std::int64_t> none_given;
  EXPECT_EQ(split(a, none_given).size(), 1u);
  expect_elements<int>(array_split(a, {})[0], {4}, {0, 1, 2, 3});
  EXPECT_EQ(vsplit(zeros({2, 2}), none_given)[0].shape(), (Shape{2, 2}));
  expect_error<ValueError>([&] { split(a, 0); }, "split: number sections must be larger than 0; 0");
  expect_error<ValueError>([&] { array_split(a, 0); },
                           "array_split: number sections must be larger than 0; 0");
}

TEST_P(ElementValues, BoundsOfSingularValuesMayDifferFromMatrixToMatrix) {
  const ndarray a = array({{{1.0, 0.0}, {0.0, 0.01}}, {{1.0, 0.0}, {0.0, 0.01}}});
  const ndarray inverse = linalg::pinv(a, array({0.1, 0.001}));
  testing::expect_allclose(inverse, array({{{1.0, 0.0}, {0.0, 0.0}}, {{1.0, 0.0}, {0.0, 100.0}}}));
  testing::expect_allclose(linalg::pinv(a, 0.1)(1), inverse(0));
  expect_elements<int>(linalg::matrix_rank(a, array({0.1, 0.001})), {2}, {1, 2});
  expect_elements<int>(linalg::matrix_rank(a, 0.1), {2}, {1, 1});
  expect_elements<int>(linalg::matrix_rank(a), {2}, {2, 2});
  expect_error<ShapeError>([&] { linalg::pinv(a, ones({3})); }, "linalg.pinv: ");
}

TEST_P(ElementValues, LeastSquaresAreTheShortestOnes) {
  const ndarray sides = array({{1.0, 0.0}, {2.0, 1.0}, {6.0, 2.0}});
  const ndarray tall = array({{1.0, 0.0}, {1.0, 1.0}, {1.0, 2.0}});
  const ndarray flat = array({{1.0, 2.0, 0.0, 1.0}, {0.0, 1.0, 1.0, 3.0}, {1.0, 3.0, 1.0, 4.0}});
  for (const ndarray& a : {tall, flat}) {  // of full rank, and with a row that two others make
    const auto [x, residuals, rank, s] = linalg::lstsq(a, sides);
    EXPECT_EQ(rank, 2);
    EXPECT_EQ(residuals.size(), a.shape()[1] == 2 ? 2 : 0);
    testing::expect_allclose(x, dot(linalg::pinv(a), sides), 1e-12, 1e-12);
    testing::expect_allclose(linalg::lstsq(a, sides(slice(), 0)).x, x(slice(), 0), 1e-12, 1e-12);
  }
  expect_error<linalg::LinAlgError>(
      [] {
        linalg::lstsq(full({2, 2}, NAN), ones({2})).x.get();
      },
      "linalg.");
}

TEST_P(ElementValues, TheLastOfSeveralZerosIsTheExtreme) {
  if (device().is_cuda()) return;  // either, as the threads come
  for (const dtype type : {float32, float64}) {
    for (const std::int64_t n : {2, 3, 4, 5, 8, 9, 16, 17, 33, 64, 100, 257, 2048, 5000}) {
      for (const bool last_is_negative : {false, true}) {
        const ndarray a = full({n}, last_is_negative ? 0.0 : -0.0, type);
        a(-1) = last_is_negative ? -0.0 : 0.0;
        for (const ndarray& b : {a, a.reshape({1, n}), a.reshape({n, 1})}) {
          EXPECT_EQ(signbit(amin(b)).item<bool>(), last_is_negative) << b.shape();
          EXPECT_EQ(signbit(amax(b)).item<bool>(), last_is_negative) << b.shape();
        }
      }
    }
  }
  // Other elements stand where they stood.
  const ndarray mixed = array({3.0, -0.0, 0.0, 7.0, 9.0});
  EXPECT_FALSE(signbit(amin(mixed)).item<bool>());
  EXPECT_TRUE(signbit(amax(negative(mixed))).item<bool>());
}

}  // namespace
}  // namespace cupyxx
