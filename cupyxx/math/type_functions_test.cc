// SPDX-License-Identifier: MIT
// Questions about dtypes, numbers as text, the array's small members; NumPy's answers.
#include "cupyxx/type_functions.h"

#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class TypeFunctions : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(TypeFunctions);

TEST_P(TypeFunctions, Kinds) {
  EXPECT_TRUE(issubdtype(int8, DtypeKind::signedinteger));
  EXPECT_TRUE(issubdtype(uint8, DtypeKind::integer));
  EXPECT_FALSE(issubdtype(bool_, DtypeKind::number));
  EXPECT_TRUE(issubdtype(float16, DtypeKind::inexact));
  EXPECT_FALSE(issubdtype(float32, DtypeKind::integer));
  EXPECT_TRUE(issubdtype(float32, single));
  EXPECT_TRUE(issubdtype(complex64, DtypeKind::complexfloating));
  EXPECT_EQ(intc, int32);
  EXPECT_EQ(longfloat, float64);
}

TEST_P(TypeFunctions, CommonTypes) {
  EXPECT_EQ(min_scalar_type(10), uint8);
  EXPECT_EQ(min_scalar_type(-129), int16);
  EXPECT_EQ(min_scalar_type(true), bool_);
  EXPECT_EQ(min_scalar_type(3.1), float16);
  EXPECT_EQ(min_scalar_type(1e50), float64);
  EXPECT_EQ(min_scalar_type(70000), uint32);
  EXPECT_EQ(min_scalar_type(zeros({2}, int64)), int64);
  EXPECT_EQ(result_type(zeros({2}, float32), 3.0), float32);
  EXPECT_EQ(result_type(int8, uint8), int16);
  EXPECT_EQ(result_type(zeros({2}, int8), 1), int8);
  EXPECT_EQ(result_type(zeros({2}, int8), float16), float16);
  EXPECT_EQ(common_type({zeros({1}, float32), zeros({1}, float16)}), float32);
  EXPECT_EQ(common_type({zeros({1}, float32), zeros({1}, int8)}), float64);
  const dtype arrays[] = {float32}, numbers[] = {int64, float64}, integers[] = {int16};
  EXPECT_EQ(find_common_type(arrays, numbers), float32);
  EXPECT_EQ(find_common_type(integers, arrays), float32);
  // Numbers of a higher kind hold what the arrays hold; as NumPy 1.24.
  EXPECT_EQ(find_common_type({float64}, {complex64}), complex128);
  EXPECT_EQ(find_common_type({float32, float32, int32}, {complex64}), complex128);
  EXPECT_EQ(find_common_type({float16}, {complex64}), complex64);
  EXPECT_EQ(find_common_type({int64}, {float32}), float64);
  EXPECT_EQ(find_common_type({int8}, {float32}), float32);
  EXPECT_EQ(find_common_type({uint64}, {int8}), float64);
  EXPECT_EQ(find_common_type({int8}, {uint64}), int8);
  EXPECT_EQ(find_common_type({bool_}, {uint8}), uint8);
}

TEST_P(TypeFunctions, Limits) {
  EXPECT_EQ(finfo(float32).eps, 1.1920928955078125e-07);
  EXPECT_EQ(finfo(float64).max, 1.7976931348623157e308);
  EXPECT_EQ(finfo(float16).max, 65504);
  EXPECT_EQ(finfo(float16).tiny, 6.103515625e-05);
  EXPECT_EQ(finfo(float32).smallest_subnormal, 1.401298464324817e-45);
  EXPECT_EQ(finfo(float32).precision, 6);
  EXPECT_EQ(finfo(float64).minexp, -1022);
  EXPECT_EQ(finfo(float64).maxexp, 1024);
  EXPECT_EQ(iinfo(int8).min, -128);
  EXPECT_EQ(iinfo(int64).min, INT64_MIN);
  EXPECT_EQ(iinfo(uint64).max, UINT64_MAX);
  expect_error<ValueError>([] { finfo{int8}; }, "finfo: not a floating dtype; int8");
  expect_error<ValueError>([] { iinfo{float32}; }, "iinfo: not an integer dtype; float32");
}

TEST_P(TypeFunctions, NumbersAsText) {
  EXPECT_TRUE(isscalar(3));
  EXPECT_FALSE(isscalar(array(Scalar(3))));
  EXPECT_EQ(binary_repr(5), "101");
  EXPECT_EQ(binary_repr(-3), "-11");
  EXPECT_EQ(binary_repr(3, 4), "0011");
  EXPECT_EQ(binary_repr(-3, 5), "11101");
  EXPECT_EQ(base_repr(0), "0");
  EXPECT_EQ(base_repr(-254, 16), "-FE");
  EXPECT_EQ(base_repr(5, 3, 3), "00012");
  expect_error<ValueError>([] { base_repr(1, 37); }, "base_repr: the base must be in [2, 36]; 37");
}

TEST_P(TypeFunctions, MembersOfArrays) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  EXPECT_TRUE(a.flags()["C_CONTIGUOUS"]);
  EXPECT_FALSE(a.flags()["F"]);
  expect_error<IndexError>([&] { a.flags()["X"]; }, "flags: unknown flag; X");
  const ndarray own = a.copy();
  EXPECT_TRUE(own.base().is_none());
  EXPECT_TRUE(own(1).base().shares_memory(own));
  EXPECT_EQ(a.reduced_view().shape(), (Shape{24}));
  EXPECT_EQ(a(slice(), slice(2)).reduced_view().shape(), (Shape{2, 8}));
  EXPECT_EQ(a.T().reduced_view().shape(), (Shape{4, 3, 2}));
  const ndarray b = array({7, 8, 9});
  b.ifloordiv(2);
  b.ipow(2);
  expect_elements<int>(b, {3}, {9, 16, 16});
  const auto xp = get_array_module(ndarray(), a);
  EXPECT_EQ(xp.device(), a.device());
  EXPECT_EQ(xp.zeros({2}).device(), a.device());
}

}  // namespace
}  // namespace cupyxx
