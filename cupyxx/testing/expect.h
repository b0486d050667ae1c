// SPDX-License-Identifier: MIT
// Checks that tests of arrays share.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/ndarray.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::testing {

/// Shape, dtype and every element agree; NaN equals NaN.
void expect_array_equal(const ndarray& actual, const ndarray& expected);

/// Shapes agree, and |actual - expected| <= atol + rtol * |expected| everywhere.
void expect_allclose(const ndarray& actual, const ndarray& expected, double rtol = 1e-5,
                     double atol = 1e-8);

/// The elements, in C order, equal `expected`; the shape is `shape`.
template <class T>
void expect_elements(const ndarray& actual, const Shape& shape, const std::vector<T>& expected) {
  EXPECT_EQ(actual.shape(), shape);
  EXPECT_EQ(actual.to_vector<T>(), expected);
}

}  // namespace cupyxx::testing
