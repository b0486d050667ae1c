// SPDX-License-Identifier: MIT
#include "cupyxx/testing/expect.h"

#include <cmath>

namespace cupyxx::testing {

void expect_array_equal(const ndarray& actual, const ndarray& expected) {
  ASSERT_FALSE(actual.is_none());
  EXPECT_EQ(actual.dtype(), expected.dtype());
  ASSERT_EQ(actual.shape(), expected.shape());
  const auto check = [&](const auto& a, const auto& e) {
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (a[i] != a[i] && e[i] != e[i]) continue;
      ASSERT_EQ(a[i], e[i]) << "at flat index " << i;
    }
  };
  if (expected.dtype().is_complex()) {
    check(actual.to_vector<complex<double>>(), expected.to_vector<complex<double>>());
  } else if (expected.dtype().is_floating()) {
    check(actual.to_vector<double>(), expected.to_vector<double>());
  } else if (expected.dtype() == uint64) {
    check(actual.to_vector<std::uint64_t>(), expected.to_vector<std::uint64_t>());
  } else {
    check(actual.to_vector<std::int64_t>(), expected.to_vector<std::int64_t>());
  }
}

void expect_allclose(const ndarray& actual, const ndarray& expected, double rtol, double atol) {
  ASSERT_FALSE(actual.is_none());
  ASSERT_EQ(actual.shape(), expected.shape());
  if (expected.dtype().is_complex()) {
    // NumPy bounds the distance in the plane; each part has at most that.
    expect_allclose(actual.real(), expected.real(), rtol, atol);
    expect_allclose(actual.imag(), expected.imag(), rtol, atol);
    return;
  }
  const auto a = actual.to_vector<double>();
  const auto e = expected.to_vector<double>();
  for (std::size_t i = 0; i < e.size(); ++i) {
    if ((std::isnan(a[i]) && std::isnan(e[i])) || a[i] == e[i]) continue;
    ASSERT_LE(std::abs(a[i] - e[i]), atol + rtol * std::abs(e[i]))
        << "at flat index " << i << ": " << a[i] << " instead of " << e[i];
  }
}

}  // namespace cupyxx::testing
