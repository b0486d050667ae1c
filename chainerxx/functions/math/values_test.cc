// SPDX-License-Identifier: MIT
// Values of functions against C's mathematics and by hand, and slopes where the rows of
// functions/testing, which check gradients, do not go.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/compositions.h"
#include "chainerxx/functions/math/contractions.h"
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
#include "chainerxx/grad.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::functions {
namespace {

class ValuesTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ValuesTest);

TEST_P(ValuesTest, Values) {
  const Variable x(cupyxx::array(0.6));
  EXPECT_NEAR(functions::tan(x).item<double>(), 0.6841368083416923, 1e-15);
  EXPECT_NEAR(functions::arcsin(x).item<double>(), 0.6435011087932844, 1e-15);
  EXPECT_NEAR(functions::arccos(x).item<double>(), 0.9272952180016123, 1e-15);
  EXPECT_NEAR(functions::arctan(x).item<double>(), 0.5404195002705842, 1e-15);
  EXPECT_NEAR(functions::sinh(x).item<double>(), 0.6366535821482412, 1e-15);
  EXPECT_NEAR(functions::cosh(x).item<double>(), 1.1854652182422676, 1e-15);
  EXPECT_NEAR(functions::expm1(x).item<double>(), 0.8221188003905089, 1e-15);
  EXPECT_NEAR(functions::log1p(x).item<double>(), 0.4700036292457356, 1e-15);
  EXPECT_NEAR(functions::log2(x).item<double>(), -0.7369655941662062, 1e-15);
  EXPECT_NEAR(functions::log10(x).item<double>(), -0.22184874961635637, 1e-15);
  EXPECT_NEAR(functions::erf(x).item<double>(), 0.6038560908479259, 1e-15);
  EXPECT_NEAR(functions::erfc(x).item<double>(), 0.3961439091520741, 1e-15);
  EXPECT_NEAR(functions::rsqrt(x).item<double>(), 1.2909944487358056, 1e-15);
  EXPECT_NEAR(functions::arcsinh(x).item<double>(), 0.5688248987322475, 1e-15);
  EXPECT_NEAR(functions::arccosh(x + 1).item<double>(), 1.0469679150031883, 1e-15);
  EXPECT_NEAR(functions::arctanh(x).item<double>(), 0.6931471805599453, 1e-15);
}

TEST_P(ValuesTest, RestsHaveTheSignOfWhatIsDivided) {
  const Variable x(cupyxx::array({-7.5, 7.5, 5.0})), y(cupyxx::array({2.0, -2.0, 3.0}));
  const Variable rest = functions::fmod(x, y);
  cupyxx::testing::expect_array_equal(rest.data(), cupyxx::array({-1.5, 1.5, 2.0}));
  rest.set_grad(cupyxx::array({1.0, 1.0, 2.0}));
  rest.backward();
  cupyxx::testing::expect_array_equal(x.grad(), cupyxx::array({1.0, 1.0, 2.0}));
  cupyxx::testing::expect_array_equal(y.grad(), cupyxx::array({3.0, 3.0, -2.0}));
  const Variable volatile_x(cupyxx::array({5.0f, -4.5f}), true);
  cupyxx::testing::expect_array_equal(functions::fmod(volatile_x, 3).data(),
                                      cupyxx::array({2.0f, -1.5f}));
}

// The numbers are sums of products over NumPy's axes, one by one.
TEST_P(ValuesTest, MatricesOfBatchesAreMultipliedOneByOne) {
  const ndarray a = cupyxx::arange(12, cupyxx::float64).reshape({2, 1, 2, 3});
  const ndarray b = cupyxx::arange(12, cupyxx::float64).reshape({2, 3, 2}) - 5;
  const std::vector<double> all = {-5,  -2,  -32, -20, 13, 16, 40, 52,
                                   -59, -38, -86, -56, 67, 88, 94, 124};
  const Variable product = matmul(Variable(a), Variable(b));
  EXPECT_EQ(product.shape(), (cupyxx::Shape{2, 2, 2, 2}));
  EXPECT_EQ(product.data().to_vector<double>(), all);
  const Variable c(cupyxx::arange(6, cupyxx::float64).reshape({2, 3}));
  const Variable of_matrix = matmul(Variable(b), c, true, true);
  EXPECT_EQ(of_matrix.shape(), (cupyxx::Shape{2, 2, 2}));
  EXPECT_EQ(of_matrix.data().to_vector<double>(),
            (std::vector<double>{-5, -32, -2, -20, 13, 40, 16, 52}));
}

TEST_P(ValuesTest, SpreadIsThatOfPopulationsOrOfSamples) {
  const Variable x(cupyxx::array({{1.0, 2.0, 4.0}, {3.0, 3.0, 9.0}}));
  const auto expect = [](const Variable& found, double first, double second) {
    cupyxx::testing::expect_allclose(found.data(), cupyxx::array({first, second}), 1e-14);
  };
  expect(var(x, 1), 14.0 / 9, 8);
  expect(var(x, 1, {.ddof = 1}), 7.0 / 3, 12);
  expect(functions::std(x, 1), 1.247219128924647, 2.8284271247461903);
  expect(functions::std(x, {.axis = 1, .ddof = 1}), 1.5275252316519468, 3.4641016151377544);
  EXPECT_NEAR(var(x).item<double>(), 59.0 / 9, 1e-14);
  EXPECT_EQ(var(x, {0, 1}, true).shape(), (cupyxx::Shape{1, 1}));
}

// A row of equal elements has no direction in which it spreads; float16 squares do not overflow.
TEST_P(ValuesTest, DeviationsHaveSlopesAtTheirEdges) {
  const Variable x(cupyxx::array({{2.0, 2.0}, {1.0, 3.0}}));
  const Variable y = functions::std(x, 1);
  y.set_grad(cupyxx::ones({2}));
  y.backward({.enable_double_backprop = true});
  cupyxx::testing::expect_array_equal(x.grad(), cupyxx::array({{0.0, 0.0}, {-0.5, 0.5}}));
  const Variable gx = x.grad_var();
  x.cleargrad();
  sum(square(gx)).backward();
  EXPECT_EQ(cupyxx::count_nonzero(cupyxx::isfinite(x.grad())), 4);
  const Variable wide(cupyxx::array({-1000.0, 1000.0}, cupyxx::float16));
  const Variable deviation = functions::std(wide);
  EXPECT_EQ(deviation.item<float>(), 1000);
  deviation.backward();
  cupyxx::testing::expect_array_equal(wide.grad(), cupyxx::array({-0.5, 0.5}, cupyxx::float16));
}

// PyTorch 1.13 gives these; derivatives of digamma are sums by Euler and Maclaurin.
TEST_P(ValuesTest, SpecialFunctionsHaveTheirValues) {
  const auto at = [](double x) { return Variable(cupyxx::array(x)); };
  EXPECT_NEAR(erfinv(at(0.5)).item<double>(), 0.4769362762044699, 1e-14);
  EXPECT_NEAR(erfcinv(at(0.5)).item<double>(), 0.4769362762044699, 1e-14);
  EXPECT_NEAR(ndtr(at(1)).item<double>(), 0.8413447460685429, 1e-14);
  EXPECT_NEAR(ndtri(at(0.975)).item<double>(), 1.959963984540054, 1e-13);
  EXPECT_NEAR(log_ndtr(at(-10)).item<double>(), -53.23128515051247, 1e-10);
  EXPECT_NEAR(functions::lgamma(at(0.5)).item<double>(), 0.5723649429247001, 1e-14);
  EXPECT_NEAR(digamma(at(0.7)).item<double>(), -1.2200235536979347, 1e-13);
  EXPECT_NEAR(polygamma(1, at(0.7)).item<double>(), 2.834049156694612, 1e-12);
  EXPECT_NEAR(polygamma(3, at(0.7)).item<double>(), 25.879149678427726, 1e-11);
}

// 2 x erfcx(x) - 2 / sqrt(pi) and its slope in 150 digits.
TEST_P(ValuesTest, TheScaledComplementHasItsSlopes) {
  const std::vector<double> points = {-3, -0.5, 0, 2, 5.7, 5.8, 30, 1000};
  const std::vector<double> slopes = {
      -97237.06150316462,   -3.0807396562780696,   -1.1283791670955126,    -0.1067964618534896,
      -0.01661914682750033, -0.016074019127668586, -0.0006258354105074841, -5.641887372654967e-07};
  for (const auto& [dtype, bound] : {std::pair{cupyxx::float64, 4e-14},
                                     {cupyxx::float32, 2e-5},
                                     {cupyxx::float16, 2e-3},
                                     {cupyxx::bfloat16_, 8e-3}}) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      SCOPED_TRACE(std::string(dtype.name()) + " at " + std::to_string(points[i]));
      const Variable x(cupyxx::full({}, points[i], dtype));
      if (x.item<double>() != points[i] || (dtype == cupyxx::float16 && i == 0)) continue;
      erfcx(x).backward();
      EXPECT_NEAR(x.grad().item<double>(), slopes[i], bound * -slopes[i] + 3e-8);
    }
  }
  const Variable x(cupyxx::array({-0.5, 2.0, 30.0, 1000.0}));
  const std::vector<Variable> first =
      grad({functions::sum(erfcx(x))}, {x}, {.enable_double_backprop = true});
  const std::vector<Variable> second = grad({functions::sum(first[0])}, {x});
  cupyxx::testing::expect_allclose(second[0].data(),
                                   cupyxx::array({6.985460634643184, 0.0836055052070531,
                                                  4.165309238445888e-05, 1.1283757819707055e-09}),
                                   1e-9);
  const double inf = std::numeric_limits<double>::infinity();
  const Variable ends(cupyxx::array({-inf, inf, std::nan("")}));
  functions::sum(erfcx(ends)).backward();
  EXPECT_EQ(ends.grad()(0).item<double>(), -inf);
  EXPECT_EQ(ends.grad()(1).item<double>(), 0);
  EXPECT_TRUE(std::isnan(ends.grad()(2).item<double>()));
}

// scipy's numbers; x broadcasts, an array of any dtype or a number, and q gives the dtype.
TEST_P(ValuesTest, ZetaHasAGradientByItsSecondArgument) {
  const Variable q(cupyxx::array({0.7, 3.0}));
  const Variable y = zeta(2.5, q);
  cupyxx::testing::expect_allclose(y.data(), cupyxx::array({2.902867578, 0.164710562}), 1e-9);
  const std::vector<Variable> first =
      grad({functions::sum(y)}, {q}, {.enable_double_backprop = true});
  cupyxx::testing::expect_allclose(first[0].data(), cupyxx::array({-9.231920162, -0.09586379917}),
                                   1e-9);
  const std::vector<Variable> second = grad({functions::sum(first[0])}, {q});
  cupyxx::testing::expect_allclose(second[0].data(), cupyxx::array({44.50175601, 0.0919916982}),
                                   1e-9);
  const Variable single(cupyxx::array({0.5, 1, 2}, cupyxx::float32));
  const Variable table = zeta(cupyxx::array({{2}, {3}}, cupyxx::uint8), single);
  EXPECT_EQ(table.dtype(), cupyxx::float32);
  EXPECT_EQ(table.shape(), (cupyxx::Shape{2, 3}));
  functions::sum(table).backward();
  // -2 zeta(3, q) - 3 zeta(4, q)
  cupyxx::testing::expect_allclose(
      single.grad(), cupyxx::array({-65.533342161, -5.651083507, -0.651083507}, cupyxx::float32),
      1e-6);
}

// exp(-x^2 / 2) / (sqrt(2 pi) ndtr(x)) in 60 digits; its own slope is -h (h + x).
TEST_P(ValuesTest, LogarithmsOfSharesHaveTheirSlopesFarToTheLeft) {
  const std::vector<double> points = {-2, -7.9, -8.1, -10, -300, -10000, 3};
  const std::vector<double> slopes = {2.3732155328228973,  8.022817246208788, 8.219951901046749,
                                      10.098093233962512,  300.0033332592634, 10000.000099999998,
                                      0.004437839042125664};
  for (const auto& [dtype, bound] :
       {std::pair{cupyxx::float64, 3e-14}, {cupyxx::float32, 3e-6}, {cupyxx::float16, 1e-3}}) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      SCOPED_TRACE(std::string(dtype.name()) + " at " + std::to_string(points[i]));
      const Variable x(cupyxx::full({}, points[i], dtype));
      if (dtype == cupyxx::float16 && x.item<double>() != points[i]) continue;
      log_ndtr(x).backward();
      EXPECT_NEAR(x.grad().item<double>(), slopes[i], bound * slopes[i]);
    }
  }
  const Variable x(cupyxx::array({-7.9, -300.0}));
  const std::vector<Variable> first =
      grad({functions::sum(log_ndtr(x))}, {x}, {.enable_double_backprop = true});
  const std::vector<Variable> second = grad({functions::sum(first[0])}, {x});
  cupyxx::testing::expect_allclose(second[0].data(),
                                   cupyxx::array({-0.9853403210156723, -0.9999888896295611}), 1e-9);
  const Variable ends(cupyxx::array(
      {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}));
  functions::sum(log_ndtr(ends)).backward();
  EXPECT_EQ(ends.grad()(0).item<double>(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ends.grad()(1).item<double>(), 0);
}

TEST_P(ValuesTest, AnglesLieInTheirQuadrants) {
  const Variable y(cupyxx::array({1.0, 1.0, -1.0, -1.0})), x(cupyxx::array({1.0, -1.0, -1.0, 1.0}));
  const std::vector<double> found =
      (functions::arctan2(y, x) / 0.7853981633974483).data().to_vector<double>();
  const std::vector<double> expected = {1, 3, -3, -1};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-15);
}

// Squares of these leave the range of their dtype; float64 is the reference.
TEST_P(ValuesTest, SlopesOfAnglesAndAreasBeyondTheRangeOfSquares) {
  for (const auto& [dtype, sizes, bound] :
       {std::tuple{cupyxx::float16, std::vector{1e-4, 3e-3, 2.0, 300.0, 2000.0}, 4e-3},
        {cupyxx::float32, std::vector{1e-25, 1e-3, 2.0, 1e20, 1e25}, 1e-6}}) {
    for (const double size : sizes) {
      SCOPED_TRACE(std::string(dtype.name()) + " " + std::to_string(size));
      const Variable x(cupyxx::full({}, size, dtype)), y(cupyxx::full({}, -size / 2, dtype));
      const double exact_x = x.item<double>(), exact_y = y.item<double>();
      const double squares = exact_x * exact_x + exact_y * exact_y;
      arctan2(y, x).backward();
      EXPECT_NEAR(y.grad().item<double>(), exact_x / squares, bound * exact_x / squares);
      EXPECT_NEAR(x.grad().item<double>(), -exact_y / squares, bound * exact_x / squares);
      const Variable z(x.data());
      functions::arcsinh(z).backward();
      const double slope = 1 / std::sqrt(exact_x * exact_x + 1);
      EXPECT_NEAR(z.grad().item<double>(), slope, bound * slope);
    }
  }
}

TEST_P(ValuesTest, StepsHaveNoSlope) {
  const Variable x(cupyxx::array({-1.5, -0.0, 0.5, 2.0}));
  const auto values = [](const Variable& y) { return y.data().to_vector<double>(); };
  EXPECT_EQ(values(functions::sign(x)), (std::vector<double>{-1, 0, 1, 1}));
  EXPECT_EQ(values(functions::floor(x)), (std::vector<double>{-2, 0, 0, 2}));
  EXPECT_EQ(values(functions::ceil(x)), (std::vector<double>{-1, 0, 1, 2}));
  EXPECT_EQ(values(functions::fix(x)), (std::vector<double>{-1, 0, 0, 2}));
  Variable y = functions::sign(x) + functions::floor(x) + functions::ceil(x) + functions::fix(x);
  y.set_grad(cupyxx::full_like(y.data(), std::numeric_limits<double>::infinity()));
  y.backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (std::vector<double>{0, 0, 0, 0}));
}

TEST_P(ValuesTest, ProductsOfZerosHaveTheirSlopes) {
  const Variable x(cupyxx::array({{2.0, 3.0, 4.0}, {2.0, 0.0, 4.0}, {0.0, 3.0, 0.0}}));
  Variable y = functions::prod(x, 1);
  EXPECT_EQ(y.data().to_vector<double>(), (std::vector<double>{24, 0, 0}));
  y.set_grad(cupyxx::ones({3}));
  y.backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (std::vector<double>{12, 8, 6, 0, 8, 0, 0, 0, 0}));
  EXPECT_EQ(functions::prod(cupyxx::zeros({2, 0}), 1).data().to_vector<double>(),
            (std::vector<double>{1, 1}));
}

TEST_P(ValuesTest, RunningSumsAndWeightedMeans) {
  const Variable x(cupyxx::array({{1.0, 2.0}, {3.0, 4.0}}));
  const auto values = [](const Variable& y) { return y.data().to_vector<double>(); };
  EXPECT_EQ(values(functions::cumsum(x)), (std::vector<double>{1, 3, 6, 10}));
  EXPECT_EQ(values(functions::cumsum(x, 0)), (std::vector<double>{1, 2, 4, 6}));
  EXPECT_EQ(values(functions::average(x, 1, cupyxx::array({3.0, 1.0}))),
            (std::vector<double>{1.25, 3.25}));
  EXPECT_EQ(values(functions::average(x)), (std::vector<double>{2.5}));
}

Variable waves(const cupyxx::Shape& shape, double phase) {
  const cupyxx::ndarray all = cupyxx::sin(cupyxx::arange(shape.element_count()) + phase) * 0.5;
  return Variable(all.reshape(shape));
}

// PyTorch 1.13 gives these.
TEST_P(ValuesTest, ContractionsAreThoseOfPyTorch) {
  using cupyxx::testing::expect_allclose;
  const Variable a = waves({2, 3, 4}, 1), b = waves({4, 2, 3}, 2), c = waves({2, 2}, 3);
  expect_allclose(einsum("ijk,klj,il->il", {a, b, c}).data(),
                  cupyxx::array({{0.042245455992244, 0.209974271601905},
                                 {-0.213702953959833, 0.052522911065306}}),
                  1e-13);
  expect_allclose(einsum("iij->ji", {waves({3, 3, 2}, 1)}).data(),
                  cupyxx::array({{0.420735492403948, 0.206059242620878, -0.480698745939779},
                                 {0.454648713412841, -0.272010555444685, -0.375493623385838}}),
                  1e-13);
  const Variable y = einsum("...ij,...kj->...ik", {waves({2, 1, 1, 3}, 1), waves({2, 2, 3}, 2)});
  EXPECT_EQ(y.shape(), cupyxx::Shape({2, 2, 1, 2}));
  expect_allclose(
      y.data().ravel(),
      cupyxx::array({0.196666871799792, -0.242066198294517, 0.282620568184543, -0.317518285480787,
                     -0.153004904175841, 0.202520587506356, -0.247982819900972, 0.288481674469208}),
      1e-13);
  expect_allclose(tensordot(a, b, {1, 2}, {2, 0}).data(),
                  cupyxx::array({{0.598716745740574, -0.554898465329375},
                                 {0.44571393092516, -0.375948445264213}}),
                  1e-13);
  expect_allclose(einsum("ij,jk", {a(0), b(cupyxx::slice(), 0)}).data(),
                  cupyxx::einsum("ij,jk", {a.data()(0), b.data()(cupyxx::slice(), 0)}), 1e-13);
  expect_allclose(tensordot(a, c, 0).data(), cupyxx::tensordot(a.data(), c.data(), 0), 1e-13);
}

TEST_P(ValuesTest, MatricesAreThoseOfPyTorch) {
  using cupyxx::testing::expect_allclose;
  const cupyxx::ndarray a = waves({3, 3}, 1).data();
  const Variable shifted(a + cupyxx::eye(3) * 2);
  expect_allclose(inv(shifted).data(),
                  cupyxx::array({{0.398192517299389, -0.112598332144542, -0.019866794288595},
                                 {0.091755939838009, 0.618439605380651, 0.036230443948547},
                                 {-0.079867901215691, -0.121910309109782, 0.448131058973465}}),
                  1e-13);
  EXPECT_NEAR(det(shifted).item<double>(), 8.5976, 5e-5);
  expect_allclose(cholesky(Variable(a.dot(a.T()) + cupyxx::eye(3))).data(),
                  cupyxx::array({{1.178432230272513, 0.0, 0.0},
                                 {-0.328446090086906, 1.133451748609395, 0.0},
                                 {0.320471172046632, -0.25145556831421, 1.108667677568337}}),
                  1e-13);
  // A device says so when the program waits for it.
  const Variable singular(cupyxx::zeros({2, 2}));
  EXPECT_THROW(inv(singular).data().to_vector<double>(), cupyxx::linalg::LinAlgError);
  EXPECT_THROW(cholesky(singular).data().to_vector<double>(), cupyxx::linalg::LinAlgError);
}

TEST_P(ValuesTest, RunningProductsOfZerosHaveTheirSlopes) {
  const Variable x(cupyxx::array({2.0, 0.0, 3.0, 0.0, 5.0}));
  const Variable y = cumprod(x, 0);
  EXPECT_EQ(y.data().to_vector<double>(), (std::vector<double>{2, 0, 0, 0, 0}));
  y.set_grad(cupyxx::array({1.0, 10.0, 100.0, 1000.0, 10000.0}));
  y.backward();
  // Of x1: 10 * 2 + 100 * 2 * 3, and nothing behind the second zero.
  EXPECT_EQ(x.grad().to_vector<double>(), (std::vector<double>{1, 620, 0, 0, 0}));
}

TEST_P(ValuesTest, PlacesOfExtremes) {
  const Variable x(cupyxx::array({{1.0, 5.0, 5.0}, {-2.0, 0.0, -3.0}}));
  const auto values = [](const Variable& v) { return v.data().to_vector<std::int32_t>(); };
  EXPECT_EQ(values(argmax(x, 1)), (std::vector<std::int32_t>{1, 1}));
  EXPECT_EQ(values(argmin(x, 0)), (std::vector<std::int32_t>{1, 1, 1}));
  EXPECT_EQ(values(argmax(x)), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(argmin(x, -1).creator(), nullptr);
}

TEST_P(ValuesTest, RowsHaveLengthOne) {
  using cupyxx::testing::expect_allclose;
  const Variable x(cupyxx::array({{3.0, 4.0}, {0.0, 0.0}}));
  const Variable y = normalize(x, 0);
  expect_allclose(y.data(), cupyxx::array({{0.6, 0.8}, {0.0, 0.0}}), 1e-15);
  y.set_grad(cupyxx::ones({2, 2}));
  y.backward();
  expect_allclose(x.grad(), cupyxx::array({{0.032, -0.024}, {1.0, 1.0}}), 1e-14);
  expect_allclose(normalize(x, 1).data()(0), cupyxx::array({0.5, 4.0 / 6}), 1e-15);
  // A row of zeros is x / eps, also where only its squares are 0.
  x.cleargrad();
  const Variable scaled = normalize(x, 0.25);
  scaled.set_grad(cupyxx::ones({2, 2}));
  scaled.backward();
  expect_allclose(x.grad()(1), cupyxx::array({4.0, 4.0}), 1e-15);
  expect_allclose(normalize(cupyxx::array({{1e-200, 0.0}}), 0.25).data(),
                  cupyxx::array({{4e-200, 0.0}}), 1e-215);
  const Variable small(cupyxx::zeros({1, 2}, cupyxx::float16));
  EXPECT_EQ(normalize(small, 1e-30).data().to_vector<float>(), (std::vector<float>{0, 0}));
  const auto values = [](const Variable& v) { return v.data().to_vector<double>(); };
  EXPECT_EQ(values(batch_l2_norm_squared(x)), (std::vector<double>{25, 0}));
  EXPECT_EQ(values(bias(x, cupyxx::array({1.0, 2.0}))), (std::vector<double>{4, 6, 1, 2}));
  EXPECT_EQ(values(bias(x, cupyxx::array({1.0, 2.0}), 0)), (std::vector<double>{4, 5, 2, 2}));
}

// `maximum(x, 0)` and `where(x > 0, x, 0)` are what NumPy has made a habit.
TEST_P(ValuesTest, RowsOfFloat16AreNormalizedWhoseSquaresLeaveItsRange) {
  const Variable x(cupyxx::array({{-240.0, 160.0}, {3e-4, -4e-4}}, cupyxx::float16));
  const Variable y = normalize(x, 0);
  EXPECT_EQ(y.dtype(), cupyxx::float16);
  cupyxx::testing::expect_allclose(y.data().astype(cupyxx::float64),
                                   cupyxx::array({{-0.83205029, 0.5547002}, {0.6, -0.8}}), 2e-3);
}

TEST_P(ValuesTest, NumbersStandBesideVariables) {
  const auto values = [](const auto& a) { return a.template to_vector<float>(); };
  using Floats = std::vector<float>;
  const Variable x(cupyxx::array({-1.0f, 0.0f, 3.0f}));
  const auto check = [&](const Variable& y, const Floats& expected, const Floats& gradient) {
    EXPECT_EQ(y.dtype(), cupyxx::float32);
    EXPECT_EQ(values(y.data()), expected);
    x.cleargrad();
    sum(y).backward();
    EXPECT_EQ(values(x.grad()), gradient);
  };
  check(maximum(x, 0), {0, 0, 3}, {0, 1, 1});
  check(maximum(0.5, x), {0.5, 0.5, 3}, {0, 0, 1});
  check(minimum(x, 0.0f), {-1, 0, 0}, {1, 1, 0});
  check(minimum(2, x), {-1, 0, 2}, {1, 1, 0});
  const Variable positive(x > 0);
  check(where(x > 0, x, 7), {7, 7, 3}, {0, 0, 1});
  check(where(x > 0, 0.5, x), {-1, 0, 0.5}, {1, 1, 0});
  check(where(positive, x, 7.0), {7, 7, 3}, {0, 0, 1});
  check(where(positive, 2, x), {-1, 0, 2}, {1, 1, 0});
  cupyxx::testing::expect_error<cupyxx::DtypeError>(
      [] { where(cupyxx::array({true}), Variable(cupyxx::array({1})), 2.5); },
      "where: a number stands beside a floating variable only; int");
}

TEST_P(ValuesTest, EinsumTakesItsOperandsOneByOne) {
  const Variable a(cupyxx::array({{1.0, 2.0}, {3.0, 4.0}}));
  const cupyxx::ndarray b = cupyxx::array({{5.0, 6.0}, {7.0, 8.0}});
  const auto values = [](const Variable& v) { return v.data().to_vector<double>(); };
  EXPECT_EQ(values(einsum("ij,jk->ik", a, b)), values(einsum("ij,jk->ik", {a, b})));
  EXPECT_EQ(values(einsum("ii", a)), std::vector<double>{5});
  EXPECT_EQ(values(einsum("i,i", b(0), a(0))), std::vector<double>{17});
}

}  // namespace
}  // namespace chainerxx::functions
