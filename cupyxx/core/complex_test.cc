// SPDX-License-Identifier: MIT
// complex64 and complex128 through the public API, on every device. Values by hand; thousands more
// against NumPy are in conformance/.
#include "cupyxx/complex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <sstream>
#include <vector>

#include "cupyxx/core/nested_list.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/printing.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

using namespace cupyxx::literals;  // NOLINT(google-build-using-namespace)
using Z = complex<double>;
using testing::expect_array_equal;
using testing::expect_error;

static_assert(sizeof(complex<float>) == 8 && sizeof(complex<double>) == 16);
static_assert(std::is_trivially_copyable_v<complex<float>>);
static_assert(!std::is_convertible_v<complex<double>, complex<float>>);
static_assert(std::is_convertible_v<complex<float>, complex<double>>);
static_assert(dtype_of<std::complex<float>>() == complex64);

TEST(Complex, DividesWithoutEarlyOverflow) {
  const Z large(3e200, 4e200);
  EXPECT_EQ(large / large, Z(1));
  const Z quotient = Z(1e300, 1e300) / Z(2e300, 1e300);
  EXPECT_DOUBLE_EQ(quotient.re, 0.6);
  EXPECT_DOUBLE_EQ(quotient.im, 0.2);
  const Z nothing = Z(1, 1) / Z(0);
  EXPECT_EQ(nothing.re, INFINITY);
}

TEST(Complex, OrdersRealPartsFirst) {
  EXPECT_LT(Z(1, 9), Z(2, 0));
  EXPECT_LT(Z(1, 1), Z(1, 2));
  EXPECT_FALSE(Z(1, NAN) < Z(2, 0));
  EXPECT_NE(Z(NAN, 0), Z(NAN, 0));
}

TEST(Complex, NumbersArePythonsText) {
  EXPECT_EQ(Scalar(1.0 + 2.0_j).str(), "(1+2j)");
  EXPECT_EQ(Scalar(-2_j).str(), "(-0-2j)");
  EXPECT_EQ(Scalar(Z(0, 0.5)).str(), "0.5j");
  EXPECT_EQ(Scalar(Z(1e20, -INFINITY)).str(), "(1e+20-infj)");
}

class ComplexTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ComplexTest);

TEST_P(ComplexTest, NumbersAreWeakInTheirKind) {
  EXPECT_EQ((ones({2}, float16) * 1_j).dtype(), complex64);
  EXPECT_EQ((ones({2}, float32) * 1_j).dtype(), complex64);
  EXPECT_EQ((ones({2}, float64) * 1_j).dtype(), complex128);
  EXPECT_EQ((ones({2}, int8) + 1_j).dtype(), complex128);
  EXPECT_EQ((ones({2}, complex64) * 2.5).dtype(), complex64);
  EXPECT_EQ((ones({2}, complex64) * ones({2}, int64)).dtype(), complex128);
  EXPECT_EQ((ones({2}, bfloat16_) * 1_j).dtype(), complex64);
  const ndarray product = array({1.0f, 2.0f}) * (1.0 + 2.0_j);
  EXPECT_EQ(product.to_vector<complex<float>>(), (std::vector<complex<float>>{{1, 2}, {2, 4}}));
}

/// A part is the C library's: NaN, or of the sign, and of the size where that is more than
/// rounding.
bool is_part(double found, double expected, double size) {
  if (std::isnan(found) || std::isnan(expected)) return std::isnan(found) == std::isnan(expected);
  if (found == expected) return std::signbit(found) == std::signbit(expected);
  return std::isfinite(found) && std::isfinite(expected) &&
         std::abs(found - expected) <= 1e-11 * std::max(size, 1e-320);
}

TEST_P(ComplexTest, SpecialValuesAreTheCLibrarys) {
  struct Row {
    const ufunc& f;
    std::complex<double> (*reference)(const std::complex<double>&);
  };
  const Row rows[] = {{exp, std::exp},       {log, std::log},       {sqrt, std::sqrt},
                      {sin, std::sin},       {cos, std::cos},       {tan, std::tan},
                      {sinh, std::sinh},     {cosh, std::cosh},     {tanh, std::tanh},
                      {arcsin, std::asin},   {arccos, std::acos},   {arctan, std::atan},
                      {arcsinh, std::asinh}, {arccosh, std::acosh}, {arctanh, std::atanh}};
  std::vector<double> parts = {NAN};
  for (const double x : {0.0, 5e-324, 1e-310, 1e-9, 0.5, 1.0, 2.0, 3.0, 4.0, 50.0, 709.5, 710.2,
                         711.0, 1e10, 1e200, 1.7e308, double{INFINITY}}) {
    parts.push_back(x);
    parts.push_back(-x);
  }
  std::vector<Z> values;
  for (const double x : parts) {
    for (const double y : parts) values.emplace_back(x, y);
  }
  for (const Row& row : rows) {
    const auto found = internal::call1(row.f, array(values), {}).to_vector<Z>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto expected = row.reference({values[i].re, values[i].im});
      double size = 0;
      for (const double part : {expected.real(), expected.imag()}) {
        if (std::isfinite(part)) size = std::max(size, std::abs(part));
      }
      EXPECT_TRUE(is_part(found[i].re, expected.real(), size) &&
                  is_part(found[i].im, expected.imag(), size))
          << row.f.name() << Scalar(values[i]).str() << " is " << Scalar(found[i]).str() << ", not "
          << expected;
    }
  }
}

TEST_P(ComplexTest, PowersOfInfinityAreInfinite) {
  const auto z = power(array({Z(INFINITY, NAN), Z(NAN, -INFINITY)}), 2.5).to_vector<Z>();
  EXPECT_EQ(z[0].re, INFINITY);
  EXPECT_EQ(z[1].re, INFINITY);
}

TEST_P(ComplexTest, ElementsComeAndGo) {
  const ndarray a = array({{Z(1, 2), Z(3)}, {Z(0, -1), Z(4, 4)}});
  EXPECT_EQ(a.dtype(), complex128);
  EXPECT_EQ(a(0, 0).item<Z>(), Z(1, 2));
  EXPECT_EQ(a(1, 0).item<std::complex<float>>(), std::complex<float>(0, -1));
  EXPECT_EQ(a(0, 0).item().kind(), Scalar::Kind::complex_floating);
  expect_error<TypeError>([&] { a(0, 0).item<double>(); },
                          "item: a complex number cannot become a real one; (1+2j)");
  const std::vector<std::complex<double>> theirs = {{1, 2}, {3, 4}};
  EXPECT_EQ(array(theirs).to_vector<std::complex<double>>(), theirs);
  EXPECT_EQ(a.tolist().str(), "[[(1+2j), (3+0j)], [-1j, (4+4j)]]");
  EXPECT_TRUE(static_cast<bool>(array(Z(0, 1))));
}

TEST_P(ComplexTest, PartsAreViewsThatWriteThrough) {
  const ndarray a = zeros({3}, complex64);
  a.real() = array({1, 2, 3});
  a.imag() = -1;
  EXPECT_EQ(a.to_vector<complex<float>>(),
            (std::vector<complex<float>>{{1, -1}, {2, -1}, {3, -1}}));
  EXPECT_EQ(a.real().dtype(), float32);
  EXPECT_EQ(a.imag().strides(), Strides{8});
  const ndarray b = ones({2}, int32);
  EXPECT_TRUE(real(b).shares_memory(b));
  EXPECT_EQ(imag(b).to_vector<int>(), (std::vector<int>{0, 0}));
  expect_error<ValueError>([&] { b.imag() = 1; }, "setitem: assignment destination is read-only");
}

TEST_P(ComplexTest, CastsDropTheImaginaryPartOnlyWhenAsked) {
  const ndarray a = array({Z(1.5, 2), Z(-3, 1)});
  expect_array_equal(a.astype(int32), array({1, -3}, int32));
  expect_array_equal(a.astype(bool_), array({true, true}));
  EXPECT_FALSE(can_cast(complex64, float64, Casting::same_kind));
  EXPECT_TRUE(can_cast(float64, complex64, Casting::same_kind));
  const ndarray target = zeros({2});
  expect_error<DtypeError>([&] { add(a, a, {.out = target}); },
                           "add: cannot cast the result from complex128 to float64 with casting "
                           "rule 'same_kind'");
  expect_error<TypeError>([&] { target.fill(1_j); },
                          "fill: a complex number cannot become float64; 1j");
  expect_error<DtypeError>([&] { floor(a); }, "floor: no loop for complex128");
}

TEST_P(ComplexTest, ReducesBothParts) {
  const ndarray a = (arange(12) + arange(12) * 2_j).reshape({3, 4});
  EXPECT_EQ(a.sum().item<Z>(), Z(66, 132));
  expect_array_equal(a.sum(0), array({Z(12, 24), Z(15, 30), Z(18, 36), Z(21, 42)}));
  EXPECT_EQ(a.mean().item<Z>(), Z(5.5, 11));
  // The mean of |x - mean|**2, a real number.
  EXPECT_EQ(a.var().dtype(), float64);
  EXPECT_NEAR(a.var().item<double>(), 5 * 143.0 / 12, 1e-12);
  EXPECT_EQ(a.max().item<Z>(), Z(11, 22));
  EXPECT_EQ(a.argmin().item<int>(), 0);
  EXPECT_EQ(prod(array({Z(0, 1), Z(0, 1), Z(2)})).item<Z>(), Z(-2));
  EXPECT_EQ(count_nonzero(a), 11);
}

TEST_P(ComplexTest, ProductsAndTheConjugateOfVdot) {
  const ndarray a = array({{Z(1, 1), Z(2)}, {Z(0, 1), Z(1)}});
  const ndarray b = array({{Z(1), Z(0, 1)}, {Z(1, -1), Z(3)}});
  expect_array_equal(matmul(a, b), array({{Z(3, -1), Z(5, 1)}, {Z(1, 0), Z(2)}}));
  const ndarray x = array({Z(1, 2), Z(3, 4)}), y = array({Z(5, 6), Z(7, 8)});
  EXPECT_EQ(dot(x, y).item<Z>(), Z(-18, 68));
  EXPECT_EQ(vdot(x, y).item<Z>(), Z(70, -8));
  EXPECT_EQ(linalg::norm(x).item<double>(), std::sqrt(30.0));
}

TEST_P(ComplexTest, SortsWithNanLast) {
  const double nan = NAN;
  const ndarray a = array({Z(nan, 1), Z(2, 1), Z(1, nan), Z(2, -1), Z(1, 5)});
  EXPECT_EQ(argsort(a).to_vector<int>(), (std::vector<int>{4, 3, 1, 2, 0}));
  EXPECT_EQ(sort(a)(0).item<Z>(), Z(1, 5));
  const ndarray sorted = array({Z(1), Z(1, 1), Z(1, 1), Z(2)});
  EXPECT_EQ(searchsorted(sorted, array({Z(1, 1), Z(3)})).to_vector<int>(),
            (std::vector<int>{1, 4}));
  EXPECT_EQ(
      searchsorted(sorted, array({Z(1, 1), Z(0)}), {.side = SearchSide::right}).to_vector<int>(),
      (std::vector<int>{3, 0}));
}

TEST_P(ComplexTest, PrintsAsNumPy) {
  std::ostringstream out;
  out << array({Z(1, 0.5), Z(-2.25, -1)});
  EXPECT_EQ(out.str(), "[ 1.  +0.5j -2.25-1.j ]");
  EXPECT_EQ(array_repr(array({complex<float>(0, 1)})), "array([0.+1.j], dtype=complex64)");
}

TEST_P(ComplexTest, LargeArraysAgreeWithSmallOnes) {
  const std::int64_t n = 100003;
  const ndarray x = arange(n).astype(float64) / double(n);
  const ndarray circle = exp(x * 6_j);
  EXPECT_NEAR(absolute(circle).min().item<double>(), 1, 1e-15);
  EXPECT_NEAR(absolute(circle).max().item<double>(), 1, 1e-15);
  testing::expect_allclose(circle.real(), cos(x * 6), 0, 1e-15);
  testing::expect_allclose(log(circle).imag()(slice(0, 50000)), x(slice(0, 50000)) * 6, 1e-12, 0);
}

}  // namespace
}  // namespace cupyxx
