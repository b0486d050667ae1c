// SPDX-License-Identifier: MIT
// Checks that tests of arrays share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <typeinfo>
#include <vector>

#include "cupyxx/ndarray.h"

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

/// `call` throws an E whose text contains `text`.
template <class E, class Call>
void expect_error(Call&& call, const std::string& text) {
  try {
    call();
  } catch (const E& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
        << "expected the text: " << text << "\nfound: " << error.what();
    return;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "expected " << typeid(E).name() << " with: " << text << "\nfound "
                  << typeid(error).name() << ": " << error.what();
    return;
  }
  ADD_FAILURE() << "nothing was thrown; expected: " << text;
}

}  // namespace cupyxx::testing
