// SPDX-License-Identifier: MIT
// Polynomials and packed bits: texts of errors, and what the signatures add to NumPy's; the results
// are in the reference cases of conformance/.
#include "cupyxx/polynomials.h"

#include <gtest/gtest.h>

#include <limits>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class Polynomials : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Polynomials);

TEST_P(Polynomials, AreArraysOfCoefficients) {
  const ndarray p = array({1, -3, 2}), q = array({2, -2});  // (x - 1)(x - 2), 2 (x - 1)
  expect_elements<int>(polyadd(p, q), {3}, {1, -1, 0});
  expect_elements<int>(polysub(q, p), {3}, {-1, 5, -4});
  expect_elements<int>(polymul(p, q), {4}, {2, -8, 10, -4});
  const PolydivResult parts = polydiv(p, q);
  expect_elements<double>(parts.quotient, {2}, {0.5, -1});
  expect_elements<double>(parts.remainder, {1}, {0});
  expect_elements<int>(polyder(p), {2}, {2, -3});
  expect_elements<double>(polyint(q, 1, array(7)), {3}, {1, -2, 7});
  expect_elements<double>(poly(array({1, 2})), {3}, {1, -3, 2});
  EXPECT_EQ(polyadd(p, q).device(), device());
}

TEST_P(Polynomials, RootsStandForTheirPolynomial) {
  const ndarray zeros_of = roots(array({2, -6, 4, 0}));
  EXPECT_EQ(zeros_of.device(), device());
  EXPECT_NEAR(amax(zeros_of).item<double>(), 2, 1e-12);
  EXPECT_NEAR(sum(zeros_of).item<double>(), 3, 1e-12);
  EXPECT_EQ(roots(array({1, 0, 1})).dtype(), complex128);
  EXPECT_EQ(roots(array({5})).shape(), (Shape{0}));
}

TEST_P(Polynomials, FitsSayHowGoodTheyAre) {
  const ndarray x = arange(5.0), y = array({1.0, 3.0, 5.0, 7.0, 10.0});
  const PolyfitResult full = polyfit_full(x, y, 1);
  EXPECT_EQ(full.rank, 2);
  EXPECT_NEAR(full.coefficients(0).item<double>(), 2.2, 1e-12);
  EXPECT_NEAR(full.residuals(0).item<double>(), 0.4, 1e-12);
  // By hand: the residuals over 3 degrees of freedom, times the inverse of X^T X.
  const PolyfitCovariance found = polyfit_cov(x, y, 1);
  EXPECT_NEAR(found.covariance(0, 0).item<double>(), 0.4 / 3 / 10, 1e-12);
  EXPECT_NEAR(polyfit_cov(x, y, 1, false).covariance(0, 0).item<double>(), 0.1, 1e-12);
  // A weight of zero takes a point out.
  const ndarray w = array({1, 1, 1, 1, 0});
  EXPECT_NEAR(polyfit(x, y, 1, {.w = w})(0).item<double>(), 2, 1e-12);
}

TEST_P(Polynomials, RefuseWhatIsNone) {
  const ndarray matrix = zeros({2, 3}), p = array({1, 2});
  expect_error<ValueError>([&] { polyadd(matrix, p); },
                           "polyadd: the coefficients must be 1-D; (2, 3)");
  expect_error<IndexError>([&] { polydiv(p, zeros({0})); },
                           "polydiv: a polynomial has no coefficients; (2,) and (0,)");
  expect_error<ValueError>([&] { polyder(p, -1); }, "polyder: the order must not be negative; -1");
  expect_error<ValueError>(
      [&] {
        polyint(p, 3, array({1, 2}));
      },
      "polyint: needs one constant, or one for each of the integrals, 3; (2,)");
  expect_error<ValueError>([&] { poly(matrix); },
                           "poly: needs zeros in one axis, or a square matrix; (2, 3)");
  expect_error<ValueError>([&] { roots(matrix); }, "roots: the coefficients must be 1-D; (2, 3)");
  expect_error<TypeError>([&] { polyfit(p, p, 1, {.w = zeros({3})}); },
                          "polyfit: there must be a weight for each point, 2; (3,)");
  expect_error<ValueError>([&] { polyfit_cov(p, p, 1); },
                           "polyfit: needs more points than coefficients to scale the covariance; "
                           "2 for 2");
}

// Each step is one of float64 from the first on, whose zeros and NaNs are those of float32.
TEST_P(Polynomials, ValuesAtFloat32) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const ndarray x = array({0.5f, -0.0f, 3e38f, 1e-40f, 7.25f, -kInfinity, kInfinity});
  const ndarray c = array({1.5, -2.0, 0.1});
  ndarray wanted = zeros_like(x);
  for (int i = 0; i < 3; ++i) wanted = wanted * x + c(i);
  const ndarray y = polyval(c, x);
  EXPECT_EQ(y.dtype(), float64);
  EXPECT_TRUE(array_equal(y, wanted, true));
}

class Bits : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Bits);

TEST_P(Bits, PackAndUnpack) {
  const ndarray bits = array({1, 0, 1, 0, 0, 0, 0, 0, 1});
  expect_elements<int>(packbits(bits), {2}, {160, 128});
  expect_elements<int>(packbits(bits, 0, BitOrder::little), {2}, {5, 1});
  expect_elements<int>(unpackbits(packbits(bits), {}, {.count = 9}), {9},
                       {1, 0, 1, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(packbits(zeros({3, 9}, bool_), 0).shape(), (Shape{1, 9}));
  EXPECT_EQ(packbits(bits).device(), device());
}

TEST_P(Bits, RefuseOtherDtypes) {
  expect_error<TypeError>([] { packbits(zeros({2})); },
                          "packbits: needs integers or bools, not float64");
  expect_error<TypeError>([] { unpackbits(zeros({2}, int8)); },
                          "unpackbits: needs uint8, not int8");
  expect_error<ValueError>([] { unpackbits(zeros({1}, uint8), {}, {.count = -9}); },
                           "unpackbits: cannot cut off 9 bits of 8");
}

}  // namespace
}  // namespace cupyxx
