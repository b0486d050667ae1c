// SPDX-License-Identifier: MIT
// What the functions of this folder refuse, and how they say it.
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/compositions.h"
#include "chainerxx/functions/math/contractions.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/exponential.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/matrices.h"
#include "chainerxx/functions/math/products.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/rounding.h"
#include "chainerxx/functions/math/special.h"
#include "chainerxx/functions/math/statistics.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/math/trigonometric.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

namespace chainerxx::testing {
namespace {

namespace F = functions;

class MathRefusalsTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(MathRefusalsTest);

TEST_P(MathRefusalsTest, Arithmetic) {
  expect_refusals({
      {"neg of integers", [] { -i32({2}); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"absolute of integers", [] { F::absolute(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"add of integers", [] { i32({2}) + i32({2}); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"add of other dtypes", [] { f32({2}) + f64({2}); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"add of other shapes", [] { f32({2}) + f32({3}); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"add of a number to integers", [] { i32({2}) + 1; }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"sub of other shapes",
       [] {
         f32({3, 2}) - f32({2, 1});
       },
       "InvalidType", "Expect: in_types[0].shape == in_types[1].shape\nActual: (3, 2) != (2, 1)"},
      {"number minus integers", [] { 1 - i32({2}); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"mul of other dtypes", [] { f16({2}) * f32({2}); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float16 != float32"},
      {"mul of integers by a number", [] { i32({2}) * 2; }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"div of other shapes", [] { f32({2}) / f32({3}); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"div of integers", [] { 1 / i32({2}); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"pow of other shapes", [] { F::pow(f32({2}), f32({3})); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"pow of integers", [] { F::pow(i32({2}), 2); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"number to the power of integers", [] { F::pow(2, i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"exp of integers", [] { F::exp(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"log of integers", [] { F::log(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"sin of integers", [] { F::sin(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"cos of integers", [] { F::cos(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"arctan of integers", [] { F::arctan(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"erf of integers", [] { F::erf(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"floor of integers", [] { F::floor(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"arctan2 of other dtypes", [] { F::arctan2(f32({2}), f64({2})); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"arctanh of integers", [] { F::arctanh(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"fmod of other shapes", [] { F::fmod(f32({2}), f32({3})); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"fmod of integers by a number", [] { F::fmod(i32({2}), 2); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"fmod of None by a number", [] { F::fmod(Variable(), 2); }, "TypeError",
       "fmod: input 0 is None"},
      {"arctan2 of other shapes", [] { F::arctan2(f32({2}), f32({3})); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"sqrt of integers", [] { F::sqrt(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"square of integers", [] { F::square(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"maximum of integers", [] { F::maximum(i32({2}), i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"maximum of other dtypes", [] { F::maximum(f32({2}), f64({2})); }, "InvalidType",
       "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64"},
      {"maximum of other shapes", [] { F::maximum(f32({2}), f32({3})); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"minimum of other shapes", [] { F::minimum(f32({2}), f32({3})); }, "InvalidType",
       "Expect: in_types[0].shape == in_types[1].shape\nActual: (2,) != (3,)"},
      {"one input of minimum", [] { F::Minimum().call(std::vector<Variable>{f32({2})}); },
       "InvalidType", "Expect: in_types.size == 2\nActual: 1 != 2"},
      {"clip of integers", [] { F::clip(i32({2}), 0, 1); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"clip between equal bounds", [] { F::clip(f32({2}), 1, 1); }, "ValueError",
       "clip: x_min is not below x_max; 1.0 and 1.0"},
      {"clip between no numbers",
       [] { F::clip(f32({2}), std::numeric_limits<double>::quiet_NaN(), 1); }, "ValueError",
       "clip: x_min is not below x_max; nan and 1.0"},
  });
}

TEST_P(MathRefusalsTest, Products) {
  expect_refusals({
      {"matmul of integers",
       [] {
         F::matmul(i32({2, 3}), i32({3, 2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"matmul of other dtypes",
       [] {
         F::matmul(f32({2, 3}), f64({3, 2}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"matmul of a number",
       [] {
         F::matmul(f32({}), f32({3, 2}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= 1\nActual: 0 < 1"},
      {"matmul by a number",
       [] {
         F::matmul(f32({2, 3}), f32({}));
       },
       "InvalidType", "Expect: in_types[1].ndim >= 1\nActual: 0 < 1"},
      {"matmul of a vector by a batch",
       [] {
         F::matmul(f32({3}), f32({1, 3, 2}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"matmul of a batch by a vector",
       [] {
         F::matmul(f32({1, 2, 3}), f32({3}));
       },
       "InvalidType", "Expect: in_types[1].ndim >= 2\nActual: 1 < 2"},
      {"matmul of batches of other inner extents",
       [] {
         F::matmul(f32({1, 2, 3}), f32({4, 2}));
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == in_types[1].shape[-2]\nActual: 3 != 4"},
      {"matmul of batches transposed of other inner extents",
       [] {
         F::matmul(f32({5, 2, 3}), f32({5, 2, 4}), true, true);
       },
       "InvalidType", "Expect: in_types[0].shape[-2] == in_types[1].shape[-1]\nActual: 2 != 4"},
      {"matmul of batches that do not broadcast",
       [] {
         F::matmul(f32({2, 5, 2, 3}), f32({4, 1, 3, 2}));
       },
       "InvalidType", "Expect: in_types[0].shape[-4] == in_types[1].shape[-4]\nActual: 2 != 4"},
      {"matmul of other inner extents",
       [] {
         F::matmul(f32({2, 3}), f32({4, 2}));
       },
       "InvalidType", "Expect: in_types[0].shape[1] == in_types[1].shape[0]\nActual: 3 != 4"},
      {"matmul transposed of other inner extents",
       [] {
         F::matmul(f32({2, 3}), f32({2, 4}), true, true);
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[1]\nActual: 2 != 4"},
      {"matmul of a vector by a matrix",
       [] {
         F::matmul(f32({3}), f32({3, 2}));
       },
       "InvalidType", "Expect: 1 == in_types[1].shape[0]\nActual: 1 != 3"},
      {"matmul of two vectors", [] { F::matmul(f32({3}), f32({3})); }, "InvalidType",
       "Expect: 1 == in_types[1].shape[0]\nActual: 1 != 3"},
      {"matmul of a matrix by a row",
       [] {
         F::matmul(f32({2, 3}), f32({3}), false, true);
       },
       "InvalidType", "Expect: in_types[0].shape[1] == 1\nActual: 3 != 1"},
      {"batch_matmul of integers",
       [] {
         F::batch_matmul(i32({1, 2, 3}), i32({1, 3, 2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"batch_matmul of other dtypes",
       [] {
         F::batch_matmul(f32({1, 2, 3}), f64({1, 3, 2}));
       },
       "InvalidType", "Expect: in_types[1].dtype == in_types[0].dtype\nActual: float64 != float32"},
      {"batch_matmul of a vector",
       [] {
         F::batch_matmul(f32({3}), f32({1, 3, 2}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= 2\nActual: 1 < 2"},
      {"batch_matmul of other inner extents",
       [] {
         F::batch_matmul(f32({2, 2, 3}), f32({2, 4, 2}));
       },
       "InvalidType", "Expect: in_types[0].shape[-1] == in_types[1].shape[-2]\nActual: 3 != 4"},
      {"batch_matmul of another batch",
       [] {
         F::batch_matmul(f32({2, 2, 3}), f32({4, 3, 2}));
       },
       "InvalidType", "Expect: in_types[0].shape[0] == in_types[1].shape[0]\nActual: 2 != 4"},
      {"batch_matmul of outer axes that do not broadcast",
       [] {
         F::batch_matmul(f32({2, 1, 2, 3}), f32({3, 1, 3, 2}));
       },
       "ShapeError",
       "matmul: operands could not be broadcast together with shapes (2, 1) and (3, 1)"},
      {"batch_matmul of columns by columns",
       [] {
         F::batch_matmul(f32({2, 3}), f32({2, 3}));
       },
       "InvalidType", "Expect: 1 == in_types[1].shape[-1]\nActual: 1 != 3"},
  });
}

TEST_P(MathRefusalsTest, Reductions) {
  expect_refusals({
      {"sum of integers", [] { F::sum(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"sum over a missing axis", [] { F::sum(f32({2}), 1); }, "AxisError",
       "sum: axis 1 is out of bounds for array of dimension 1"},
      {"sum of a number over an axis", [] { F::sum(f32({}), 0); }, "AxisError",
       "sum: axis 0 is out of bounds for array of dimension 0"},
      {"sum over an axis twice",
       [] {
         F::sum(f32({2, 3}), {0, -2});
       },
       "ValueError", "sum: duplicate value in 'axis'; (0, -2)"},
      {"max of integers", [] { F::max(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"max over a missing axis", [] { F::max(f32({2}), -2); }, "AxisError",
       "max: axis -2 is out of bounds for array of dimension 1"},
      {"max of nothing",
       [] {
         F::max(f32({0, 2}), 0);
       },
       "ValueError", "max: there are no elements along the axes; shape (0, 2)"},
      {"min of integers", [] { F::min(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"min of nothing", [] { F::min(f32({0})); }, "ValueError",
       "min: there are no elements along the axes; shape (0,)"},
      {"mean of integers", [] { F::mean(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"mean over a missing axis", [] { F::mean(f32({2}), 3); }, "AxisError",
       "mean: axis 3 is out of bounds for array of dimension 1"},
      {"mean of nothing",
       [] {
         F::mean(f32({0, 2}), 0);
       },
       "ValueError", "mean: there are no elements along the axes; shape (0, 2)"},
      {"var of integers", [] { F::var(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"var over a missing axis", [] { F::var(f32({2}), 1); }, "AxisError",
       "var: axis 1 is out of bounds for array of dimension 1"},
      {"var of nothing",
       [] {
         F::var(f32({0, 2}), 0);
       },
       "ValueError", "var: ddof leaves nothing to divide by; 0.0 of 0 elements"},
      {"std of one sample", [] { F::std(f32({1}), 0, {.ddof = 1}); }, "ValueError",
       "std: ddof leaves nothing to divide by; 1.0 of 1 elements"},
      {"std over an axis that stands there twice",
       [] {
         F::std(f32({2, 3}), 0, {.axis = 1});
       },
       "ValueError", "std: the axis is given by position and by name"},
      {"prod of integers", [] { F::prod(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"prod over a missing axis", [] { F::prod(f32({2}), 1); }, "AxisError",
       "prod: axis 1 is out of bounds for array of dimension 1"},
      {"prod of a number over an axis", [] { F::prod(f32({}), 0); }, "AxisError",
       "prod: axis 0 is out of bounds for array of dimension 0"},
      {"cumsum of integers", [] { F::cumsum(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"cumsum along a missing axis", [] { F::cumsum(f32({2}), 1); }, "InvalidType",
       "Expect: axis < in_types[0].ndim\nActual: 1 >= 1"},
      {"average by other weights",
       [] {
         F::average(f32({2, 3}), 1, f32({2}));
       },
       "ShapeError", "average: the weights do not fit; (2,) for (2, 3)"},
      {"average over two axes by weights of one",
       [] {
         F::average(f32({2, 3}), {}, f32({3}));
       },
       "ShapeError", "average: the weights do not fit; (3,) for (2, 3)"},
      {"average of nothing",
       [] {
         F::average(f32({0, 3}), 0, f32({0}));
       },
       "ValueError", "average: there are no elements; shape (0, 3)"},
      {"logsumexp of integers", [] { F::logsumexp(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"logsumexp over a missing axis", [] { F::logsumexp(f32({2}), 1); }, "AxisError",
       "logsumexp: axis 1 is out of bounds for array of dimension 1"},
      {"logsumexp of nothing",
       [] {
         F::logsumexp(f32({2, 0}), 1);
       },
       "ValueError", "logsumexp: there are no elements along the axes; shape (2, 0)"},
  });
}

TEST_P(MathRefusalsTest, Contractions) {
  const Variable x = f32({2, 3}), y = f32({3, 2});
  const auto subscripts = [=](const char* text) { return [=] { F::einsum(text, {x, y}); }; };
  expect_refusals({
      {"einsum of nothing", [] { F::einsum("", {}); }, "ValueError",
       "einsum: there are no operands"},
      {"einsum of None",
       [=] {
         F::einsum("i,j", {Variable(), x});
       },
       "TypeError", "einsum: input 0 is None"},
      {"one subscript for two", subscripts("ij->i"), "ValueError",
       "einsum: there are not as many subscripts as operands; \"ij->i\""},
      {"too few letters", subscripts("ij,j->i"), "ValueError",
       "einsum: an operand has another number of axes; \"ij,j->i\""},
      {"digits", subscripts("i1,1k"), "ValueError",
       R"(einsum: subscripts are letters, commas, "->" and "..."; "i1,1k")"},
      {"a letter of its own", subscripts("ij,jk->im"), "ValueError",
       "einsum: the result has a letter that no operand has; \"ij,jk->im\""},
      {"a letter twice", subscripts("ij,jk->ii"), "ValueError",
       "einsum: the result has a letter twice; \"ij,jk->ii\""},
      {"a lost ellipsis", subscripts("...j,jk->k"), "ValueError",
       R"(einsum: the result does not name the axes of "..."; "...j,jk->k")"},
      {"other extents", subscripts("ij,ik->jk"), "ShapeError",
       "einsum: the extents of 'i' differ; 2 and 3"},
      {"another diagonal", [=] { F::einsum("ii", {x}); }, "ShapeError",
       "einsum: the extents of 'i' differ within an operand; (2, 3)"},
      {"tensordot over too many axes", [=] { F::tensordot(x, y, 3); }, "ValueError",
       "tensordot: the number of axes is out of range; 3 for (2, 3) and (3, 2)"},
      {"tensordot of other extents", [=] { F::tensordot(x, y); }, "ShapeError",
       "tensordot: the extents differ; axes (0, 1) and (0, 1) of (2, 3) and (3, 2)"},
      {"tensordot over other numbers of axes",
       [=] {
         F::tensordot(x, y, {0}, {0, 1});
       },
       "ValueError", "tensordot: the numbers of axes differ; (0,) and (0, 1)"},
      {"tensordot over a missing axis", [=] { F::tensordot(x, y, {2}, {0}); }, "AxisError",
       "tensordot: axis 2 is out of bounds for a of dimension 2"},
      {"tensordot over an axis twice",
       [=] {
         F::tensordot(x, y, {0, 1}, {1, -1});
       },
       "ValueError", "tensordot: an axis stands there twice; (1, -1)"},
  });
}

TEST_P(MathRefusalsTest, MatricesAndRows) {
  const Variable x = f32({2, 3});
  expect_refusals({
      {"inv of no square matrix", [=] { F::inv(x); }, "InvalidType",
       "Expect: in_types[0].shape[-2] == in_types[0].shape[-1]\nActual: 2 != 3"},
      {"inv of many",
       [] {
         F::inv(f32({2, 3, 3}));
       },
       "InvalidType", "Expect: in_types[0].ndim <= 2\nActual: 3 > 2"},
      {"batch_det of one",
       [] {
         F::batch_det(f32({3, 3}));
       },
       "InvalidType", "Expect: in_types[0].ndim >= 3\nActual: 2 < 3"},
      {"cholesky of integers",
       [] {
         F::cholesky(i32({2, 2}));
       },
       "InvalidType", "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"cumprod over a missing axis", [=] { F::cumprod(x, 2); }, "InvalidType",
       "Expect: axis < in_types[0].ndim\nActual: 2 >= 2"},
      {"argmax of None", [] { F::argmax(Variable()); }, "TypeError", "argmax: input 0 is None"},
      {"argmax over a missing axis", [=] { F::argmax(x, 2); }, "AxisError",
       "argmax: axis 2 is out of bounds for array of dimension 2"},
      {"argmin of nothing",
       [] {
         F::argmin(f32({2, 0}), 1);
       },
       "ValueError", "argmin: there are no elements along the axes; shape (2, 0)"},
      {"a negative derivative", [=] { F::polygamma(-1, x); }, "ValueError",
       "polygamma: n is not in [0, 20]; -1"},
      {"erfcx of integers", [] { F::erfcx(i32({2})); }, "InvalidType",
       "Expect: in_types[0].dtype.kind == f\nActual: i != f"},
      {"zeta of integers", [] { F::zeta(2, i32({2})); }, "InvalidType",
       "Expect: in_types[1].dtype.kind == f\nActual: i != f"},
      {"zeta of None", [] { F::zeta(2, Variable()); }, "TypeError", "zeta: input 0 is None"},
      {"zeta by a variable", [=] { F::zeta(x, x); }, "ValueError",
       "zeta: x of shape (2, 3) would receive no gradient; write zeta(x.data(), q)"},
      {"normalize with a negative eps", [=] { F::normalize(x, -1); }, "ValueError",
       "normalize: eps is negative; -1.0"},
      {"normalize with the order of a norm", [=] { F::normalize(x, 2, 1); }, "ValueError",
       "normalize: eps, which is added to the L2 norm, is above 1; 2.0: write normalize(x, "
       "{.axis = 1}) for that norm"},
      {"batch_l2_norm_squared of a vector", [] { F::batch_l2_norm_squared(f32({2})); },
       "ShapeError", "batch_l2_norm_squared: x is not (n, ...); (2,)"},
      {"linear_interpolate of other shapes",
       [=] {
         F::linear_interpolate(x, x, f32({3, 2}));
       },
       "ShapeError", "linear_interpolate: the shapes differ; (2, 3) and (3, 2)"},
      {"a bias of another shape", [=] { F::bias(x, f32({2})); }, "ShapeError",
       "bias: (2,) does not fit (2, 3) from axis 1 on"},
  });
}

}  // namespace
}  // namespace chainerxx::testing
