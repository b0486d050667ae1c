// SPDX-License-Identifier: MIT
#include "gradcheck/assert_allclose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "cupyxx/creation.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace gradcheck {
namespace {

using cupyxx::array;
using cupyxx::testing::expect_error;

class AssertAllcloseTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(AssertAllcloseTest);

TEST_P(AssertAllcloseTest, AcceptsWhatLiesWithinTheTolerances) {
  const double inf = std::numeric_limits<double>::infinity();
  assert_allclose(array({1.0, 2.0}), array({1.0001, 2.0002}));
  assert_allclose(array({0.0}), array({9e-6}));
  assert_allclose(array({1.0f, 2.0f}), array({1, 2}));
  assert_allclose(array({std::nan(""), inf, -inf}), array({std::nan(""), inf, -inf}));
  assert_allclose(array({1.0, 1.0}), 1);
  assert_allclose(2.5, array({{2.5}}));
  assert_allclose(cupyxx::zeros({0, 3}), cupyxx::zeros({0, 3}));
  assert_allclose(array({1.0}), array({2.0}), 0, 0.5);
  assert_allclose(array({1.0}), array({2.0}), 1, 0);
}

TEST_P(AssertAllcloseTest, NamesTheWorstElement) {
  const auto x = array({{1.0, 2.0}, {3.0, 4.5}});
  const auto y = array({{1.0, 2.25}, {3.0, 4.0}});
  try {
    assert_allclose(x, y, 0.125, 0, false);
    FAIL();
  } catch (const Mismatch& error) {
    EXPECT_STREQ(error.what(),
                 "assert_allclose: 2 of 4 elements differ; at (1, 1): 4.5 and 4.0, difference 0.5, "
                 "tolerance 0.125");
    EXPECT_EQ(error.worst().index, (cupyxx::Shape{1, 1}));
    EXPECT_EQ(error.worst().actual, 4.5);
    EXPECT_EQ(error.worst().expected, 4.0);
    EXPECT_EQ(error.worst().tolerance, 0.125);
    EXPECT_EQ(error.worst().differing, 2);
  }
}

TEST_P(AssertAllcloseTest, ShowsTheArraysIfVerbose) {
  expect_error<Mismatch>(
      [] {
        assert_allclose(array({1.0, 2.0}), array({1.0, 3.0}));
      },
      "\nx: [1. 2.]\ny: [1. 3.]");
}

TEST_P(AssertAllcloseTest, TakesTheToleranceFromTheSecondArray) {
  assert_allclose(array({1.0}), array({10.0}), 0, 0.9);
  EXPECT_THROW(assert_allclose(array({10.0}), array({1.0}), 0, 0.9), Mismatch);
}

TEST_P(AssertAllcloseTest, RejectsWhatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THROW(assert_allclose(array({inf}), array({1e300}), 1e308, 1), Mismatch);
  EXPECT_THROW(assert_allclose(array({1.0}), array({inf})), Mismatch);
  EXPECT_THROW(assert_allclose(array({inf}), array({-inf})), Mismatch);
  EXPECT_THROW(assert_allclose(array({std::nan("")}), array({1.0})), Mismatch);
}

TEST_P(AssertAllcloseTest, ComparesComplexNumbersByTheirMagnitudes) {
  using Complex = std::complex<double>;
  const double nan = std::nan("");
  const auto x = array({Complex(1, 2), Complex(3, 4)});
  assert_allclose(x, x.copy());
  assert_allclose(x, array({Complex(1, 2.5), Complex(3, 4)}), 0.5, 0);
  assert_allclose(array({Complex(1, nan)}), array({Complex(nan, 2)}));
  assert_allclose(array({Complex(2, 0)}), array({2.0f}));
  expect_error<Mismatch>(
      [&] {
        assert_allclose(x, array({Complex(1, 2), Complex(3, -4)}));
      },
      "assert_allclose: 1 of 2 elements differ; at (1,): (3+4j) and (3-4j), "
      "difference 8, tolerance 0.00051\nx: [1.+2.j 3.+4.j]");
  expect_error<Mismatch>(
      [&] {
        assert_allclose(array({1.0, 3.0}), x);
      },
      "assert_allclose: 2 of 2 elements differ; at (1,): (3+0j) and (3+4j)");
  EXPECT_THROW(assert_allclose(array({Complex(1, 2)}), 1), Mismatch);
}

TEST_P(AssertAllcloseTest, AllowsNothingForAToleranceOfNan) {
  const double nan = std::nan("");
  EXPECT_THROW(assert_allclose(array({1.0}), array({2.0}), nan), Mismatch);
  EXPECT_THROW(assert_allclose(array({1.0}), array({2.0}), 1, nan), Mismatch);
}

TEST_P(AssertAllcloseTest, RejectsOtherShapesAndNone) {
  expect_error<Mismatch>(
      [] {
        assert_allclose(array({1.0, 2.0}), array({{1.0, 2.0}}));
      },
      "assert_allclose: the shapes differ; (2,) and (1, 2)");
  expect_error<cupyxx::TypeError>([] { assert_allclose(cupyxx::ndarray(), array({1.0})); },
                                  "assert_allclose: an array is missing; None");
}

TEST_P(AssertAllcloseTest, MixesDevices) {
  assert_allclose(array({1.0, 2.0}), array({1.0, 2.0}).to_cpu());
}

}  // namespace
}  // namespace gradcheck
