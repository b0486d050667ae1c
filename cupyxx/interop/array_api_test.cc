// SPDX-License-Identifier: MIT
// The names of NumPy 2 and of the array API standard.
#include "cupyxx/array_api.h"

#include <gtest/gtest.h>

#include <limits>

#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_allclose;
using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class ArrayApiTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ArrayApiTest);

TEST(Constants, HaveTheirValues) {
  static_assert(pi == 3.141592653589793 && e == 2.718281828459045);
  static_assert(euler_gamma == 0.5772156649015329);
  static_assert(inf == std::numeric_limits<double>::infinity() && nan != nan);
}

TEST_P(ArrayApiTest, OtherNamesAreTheSameOperations) {
  const ndarray x = array({0.25, 0.5});
  expect_array_equal(acos(x), arccos(x));
  expect_array_equal(acosh(x + 1), arccosh(x + 1));
  expect_array_equal(asin(x), arcsin(x));
  expect_array_equal(asinh(x), arcsinh(x));
  expect_array_equal(atan(x), arctan(x));
  expect_array_equal(atanh(x), arctanh(x));
  expect_array_equal(atan2(x, -1), arctan2(x, -1));
  expect_array_equal(pow(x, 2), power(x, 2));
  const ndarray n = array({1, 2});
  expect_array_equal(bitwise_left_shift(n, 3), array({8, 16}));
  expect_array_equal(bitwise_right_shift(n, 1), array({0, 1}));
  expect_array_equal(bitwise_invert(n), array({-2, -3}));
  for (const char* name : {"acos", "acosh", "asin", "asinh", "atan", "atanh", "atan2", "pow",
                           "bitwise_left_shift", "bitwise_right_shift", "bitwise_invert"}) {
    EXPECT_NO_THROW(find_ufunc(name)) << name;
  }
}

TEST_P(ArrayApiTest, ChangesShapes) {
  const ndarray a = arange(6).reshape({1, 2, 3});
  EXPECT_EQ(permute_dims(a, {2, 0, 1}).shape(), Shape({3, 1, 2}));
  EXPECT_TRUE(permute_dims(a, {2, 0, 1}).shares_memory(a));
  expect_elements<int>(matrix_transpose(a), {1, 3, 2}, {0, 3, 1, 4, 2, 5});
  expect_error<ValueError>([] { matrix_transpose(zeros({3})); },
                           "matrix_transpose: needs at least two axes; (3,)");
  expect_array_equal(concat({a, a}, 1), concatenate({a, a}, 1));
  const std::vector<ndarray> several = {a, a};
  expect_array_equal(concat(several), concatenate(several));
  expect_array_equal(concat({a, a}, {}, {.dtype = float32}),
                     concatenate({a, a}, {}, {.dtype = float32}));
  const std::vector<ndarray> parts = unstack(a, -1);
  ASSERT_EQ(parts.size(), 3u);
  expect_elements<int>(parts[1], {1, 2}, {1, 4});
  EXPECT_TRUE(parts[1].shares_memory(a));
  expect_array_equal(stack(parts, -1), a);
  EXPECT_TRUE(unstack(zeros({0, 3})).empty());
  expect_error<AxisError>([] { unstack(array(1)); }, "unstack");
  EXPECT_EQ(astype(a, float32).dtype(), float32);
  EXPECT_TRUE(astype(a, int64, false).shares_memory(a));
}

TEST_P(ArrayApiTest, MultipliesVectors) {
  const ndarray a = arange(6).reshape({2, 3});
  expect_elements<int>(vecdot(a, array({1, 2, 3})), {2}, {8, 26});
  expect_elements<int>(vecdot(a, a, 0), {3}, {9, 17, 29});
  expect_elements<int>(vecdot(a.T(), a.T(), -2), {2}, {5, 50});
  EXPECT_EQ(vecdot(a.astype(int8), a.astype(int8)).dtype(), int8);
  EXPECT_EQ(vecdot(a.astype(float32), a).dtype(), float64);
  using C = complex<double>;
  expect_array_equal(vecdot(array({C(1, 2), C(3, 0)}), array({C(0, 1), C(0, 1)})), array(C(2, 4)));
  EXPECT_EQ(vecdot(zeros({4, 0}), zeros({0})).to_vector<double>(), std::vector<double>(4, 0));
  expect_error<ShapeError>(
      [&] {
        vecdot(a, array({1, 2}));
      },
      "vecdot: lengths differ: 3 and 2; shapes (2, 3) and (2,)");
  expect_elements<int>(matvec(a, array({1, 2, 3})), {2}, {8, 26});
  expect_elements<int>(vecmat(array({1, 2}), a), {3}, {6, 9, 12});
  expect_error<ShapeError>(
      [&] {
        matvec(array({1, 2}), a);
      },
      "matvec: a needs at least two axes; (2,)");
  expect_error<ShapeError>(
      [&] {
        vecmat(array({1, 2, 3}), a);
      },
      "vecmat: lengths differ: 3 and 2; shapes (3,) and (2, 3)");
}

TEST_P(ArrayApiTest, Cumulates) {
  const ndarray a = arange(1, 7).reshape({2, 3});
  expect_elements<int>(cumulative_sum(a, {.axis = 1}), {2, 3}, {1, 3, 6, 4, 9, 15});
  expect_elements<int>(cumulative_sum(a, {.axis = -1, .include_initial = true}), {2, 4},
                       {0, 1, 3, 6, 0, 4, 9, 15});
  expect_elements<int>(cumulative_prod(a, {.axis = 0, .include_initial = true}), {3, 3},
                       {1, 1, 1, 1, 2, 3, 4, 10, 18});
  EXPECT_EQ(cumulative_sum(array({1, 2}, int8)).dtype(), int64);
  EXPECT_EQ(cumulative_sum(array({1, 2}), {.dtype = float32, .include_initial = true}).dtype(),
            float32);
  expect_elements<int>(cumulative_sum(zeros({0}), {.include_initial = true}), {1}, {0});
  const ndarray out = zeros({4}, float32);
  const ndarray result =
      cumulative_prod(array({2.0f, 3.0f, 4.0f}), {.out = out, .include_initial = true});
  EXPECT_EQ(result.data(), out.data());
  expect_elements<int>(out, {4}, {1, 2, 6, 24});
  expect_error<ValueError>([&] { cumulative_sum(a); },
                           "cumulative_sum: an array with several axes needs `axis`; shape (2, 3)");
  expect_error<ValueError>([] { cumulative_prod(array(1)); },
                           "cumulative_prod: needs at least one axis; a 0-d array");
  expect_error<ShapeError>(
      [&] {
        cumulative_sum(array({1, 2}), {.out = out, .include_initial = true});
      },
      "cumulative_sum: out has the shape (4,), the result (3,)");
}

TEST_P(ArrayApiTest, IntegratesByTrapezoids) {
  expect_array_equal(trapezoid(array({1.0, 2.0, 4.0}), {.dx = 2}), array(9.0));
}

TEST_P(ArrayApiTest, FindsDistinctElements) {
  const ndarray x = array({{3.0, nan, 1.0}, {nan, 3.0, 3.0}});
  const UniqueAllResult all = unique_all(x);
  EXPECT_EQ(all.values.size(), 4);  // NaN are distinct
  expect_elements<int>(all.counts, {4}, {1, 3, 1, 1});
  expect_elements<int>(all.indices, {4}, {2, 0, 1, 3});
  EXPECT_EQ(all.inverse_indices.shape(), x.shape());
  expect_array_equal(all.values(all.inverse_indices), x);
  expect_array_equal(unique_values(x), all.values);
  expect_array_equal(unique_counts(x).counts, all.counts);
  expect_array_equal(unique_inverse(x).inverse_indices, all.inverse_indices);
}

TEST(ArrayApi, KnowsKindsOfDtypes) {
  EXPECT_TRUE(isdtype(bool_, "bool"));
  EXPECT_FALSE(isdtype(bool_, "integral"));
  EXPECT_FALSE(isdtype(bool_, "numeric"));
  EXPECT_TRUE(isdtype(int8, "signed integer"));
  EXPECT_FALSE(isdtype(uint8, "signed integer"));
  EXPECT_TRUE(isdtype(uint8, "unsigned integer"));
  EXPECT_TRUE(isdtype(uint8, "integral"));
  EXPECT_TRUE(isdtype(bfloat16_, "real floating"));
  EXPECT_TRUE(isdtype(complex64, "complex floating"));
  EXPECT_FALSE(isdtype(complex64, "real floating"));
  EXPECT_TRUE(isdtype(complex64, "numeric"));
  EXPECT_TRUE(isdtype(float32, float32));
  EXPECT_FALSE(isdtype(float32, float64));
  EXPECT_TRUE(isdtype(float32, {float64, "real floating"}));
  EXPECT_FALSE(isdtype(float32, {float64, "integral"}));
  expect_error<ValueError>([] { isdtype(float32, "float"); },
                           "isdtype: no kind 'float'; kinds are bool");
}

TEST_P(ArrayApiTest, HasTheLinearAlgebra) {
  const ndarray x = arange(1.0, 25.0).reshape({2, 3, 4});
  expect_allclose(linalg::vector_norm(x), array(70.0), 1e-14);  // sqrt(1 + 4 + ... + 576)
  expect_array_equal(linalg::vector_norm(x, {.axis = {0, 2}, .ord = 1}),
                     array({68.0, 100.0, 132.0}));
  expect_array_equal(linalg::vector_norm(x, {.axis = {0, 2}, .keepdims = true, .ord = inf}),
                     array({{{16.0}, {20.0}, {24.0}}}));
  expect_array_equal(linalg::vector_norm(x, {.axis = -1, .ord = 0}), full({2, 3}, 4.0));
  EXPECT_EQ(linalg::vector_norm(x, {.keepdims = true}).shape(), Shape({1, 1, 1}));
  EXPECT_EQ(linalg::vector_norm(x.astype(float32)).dtype(), float32);
  expect_error<ValueError>([&] { linalg::vector_norm(x, {.ord = "fro"}); },
                           "vector_norm: no order 'fro' for vectors");
  expect_allclose(linalg::matrix_norm(x), sqrt(array({650.0, 4250.0})), 1e-14);
  EXPECT_EQ(linalg::matrix_norm(x, {.keepdims = true, .ord = 1}).shape(), Shape({2, 1, 1}));
  expect_error<ValueError>([] { linalg::matrix_norm(zeros({3})); },
                           "matrix_norm: needs at least two axes; (3,)");
  expect_array_equal(linalg::diagonal(x), array({{1.0, 6.0, 11.0}, {13.0, 18.0, 23.0}}));
  expect_array_equal(linalg::diagonal(x, 1)(0), array({2.0, 7.0, 12.0}));
  EXPECT_FALSE(linalg::diagonal(x).flags().writeable);
  EXPECT_TRUE(x.flags().writeable);
  expect_array_equal(linalg::trace(x), array({18.0, 54.0}));
  EXPECT_EQ(linalg::trace(x, 0, float32).dtype(), float32);
  expect_elements<int>(linalg::outer(array({1, 2}), array({3, 4})), {2, 2}, {3, 4, 6, 8});
  expect_error<ValueError>([&] { linalg::outer(x, array({1})); },
                           "outer: both must have one axis; (2, 3, 4) and (1,)");
  expect_elements<int>(linalg::cross(array({1, 0, 0}), array({0, 1, 0})), {3}, {0, 0, 1});
  expect_error<ValueError>(
      [] {
        linalg::cross(array({1, 0}), array({0, 1}));
      },
      "cross: both must have three components; (2,) and (2,)");
  expect_allclose(linalg::svdvals(array({{3.0, 0.0}, {0.0, -5.0}})), array({5.0, 3.0}), 1e-14);
  expect_array_equal(linalg::matmul(x, linalg::matrix_transpose(x)), matmul(x, swapaxes(x, 1, 2)));
  expect_array_equal(linalg::vecdot(x, x), vecdot(x, x));
  expect_array_equal(linalg::tensordot(x, x, 3), tensordot(x, x, 3));
}

}  // namespace
}  // namespace cupyxx
