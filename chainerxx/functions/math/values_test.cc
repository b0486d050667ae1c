// SPDX-License-Identifier: MIT
// Values of functions against C's mathematics and by hand, and slopes where the rows of
// functions/testing, which check gradients, do not go.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "chainerxx/functions/math/exponential.h"
#include "chainerxx/functions/math/products.h"
#include "chainerxx/functions/math/rounding.h"
#include "chainerxx/functions/math/trigonometric.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"

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
}

TEST_P(ValuesTest, AnglesLieInTheirQuadrants) {
  const Variable y(cupyxx::array({1.0, 1.0, -1.0, -1.0})), x(cupyxx::array({1.0, -1.0, -1.0, 1.0}));
  const std::vector<double> found =
      (functions::arctan2(y, x) / 0.7853981633974483).data().to_vector<double>();
  const std::vector<double> expected = {1, 3, -3, -1};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-15);
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

}  // namespace
}  // namespace chainerxx::functions
