// SPDX-License-Identifier: MIT
// The public checks of testing.h: what passes, and numpy.testing's texts for what does not.
#include <gtest/gtest.h>

#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx::testing {
namespace {

class AssertsTest : public DeviceTest {};
CUPYXX_TEST_ON_DEVICES(AssertsTest);

template <class Call>
std::string text_of(Call&& call) {
  try {
    call();
  } catch (const AssertionError& error) {
    return error.what();
  }
  return "passed";
}

TEST_P(AssertsTest, ComparesArrays) {
  const auto equal = [](const Operand& x, const Operand& y,
                        const AssertEqualOptions& options = {}) {
    return text_of([&] { assert_array_equal(x, y, options); });
  };
  EXPECT_EQ(
      equal(array({1.0, 2.0, 3.0}), array({1.0, 2.0, 2.0})),
      "\nArrays are not equal\n\nMismatched elements: 1 / 3 (33.3%)\nMax absolute difference: "
      "1.\nMax relative difference: 0.5\n x: array([1., 2., 3.])\n y: array([1., 2., 2.])");
  EXPECT_EQ(
      equal(array({1, 2, 3}), array({1, 2, 2}), {.err_msg = "mine"}),
      "\nArrays are not equal\nmine\nMismatched elements: 1 / 3 (33.3%)\nMax absolute difference: "
      "1\nMax relative difference: 0.5\n x: array([1, 2, 3])\n y: array([1, 2, 2])");
  EXPECT_EQ(equal(array({1.0, nan}), array({nan, 1.0})),
            "\nArrays are not equal\n\nx and y nan location mismatch:\n x: array([ 1., nan])\n y: "
            "array([nan,  1.])");
  EXPECT_EQ(equal(array({1.0, inf}), array({-inf, 1.0})),
            "\nArrays are not equal\n\nx and y +inf location mismatch:\n x: array([ 1., inf])\n y: "
            "array([-inf,   1.])");
  EXPECT_EQ(equal(array({1.0, 2.0}), array({1.0, 2.0, 3.0})),
            "\nArrays are not equal\n\n(shapes (2,), (3,) mismatch)\n x: array([1., 2.])\n y: "
            "array([1., 2., 3.])");
  EXPECT_EQ(equal(array({1.0, 1.0}), 1), "passed");
  EXPECT_EQ(
      equal(array({1.0, 1.0}), 1, {.strict = true}),
      "\nArrays are not equal\n\n(shapes (2,), () mismatch)\n x: array([1., 1.])\n y: array(1)");
  EXPECT_EQ(equal(array({1.0, 1.0}), array({1, 1}), {.strict = true}),
            "\nArrays are not equal\n\n(dtypes float64, int64 mismatch)\n x: array([1., 1.])\n y: "
            "array([1, 1])");
  EXPECT_EQ(equal(array({true, false}), array({true, true})),
            "\nArrays are not equal\n\nMismatched elements: 1 / 2 (50%)\n x: array([ True, "
            "False])\n y: array([ True,  True])");
  EXPECT_EQ(
      equal(array({1, 2}, uint8), array({2, 2}, uint8)),
      "\nArrays are not equal\n\nMismatched elements: 1 / 2 (50%)\nMax absolute difference: 1\nMax "
      "relative difference: 0.5\n x: array([1, 2], dtype=uint8)\n y: array([2, 2], dtype=uint8)");
  EXPECT_EQ(equal(zeros({2}), array({0.0, 1.0}), {.verbose = false}),
            "\nArrays are not equal\n\nMismatched elements: 1 / 2 (50%)\nMax absolute difference: "
            "1.\nMax relative difference: 1.");
  EXPECT_EQ(equal(array({1.0, 0.0}), zeros({2})),
            "\nArrays are not equal\n\nMismatched elements: 1 / 2 (50%)\nMax absolute difference: "
            "1.\nMax relative difference: inf\n x: array([1., 0.])\n y: array([0., 0.])");
  const ndarray square = arange(100.0).reshape({10, 10});
  EXPECT_EQ(
      equal(square, square + 1),
      "\nArrays are not equal\n\nMismatched elements: 100 / 100 (100%)\nMax absolute difference: "
      "1.\nMax relative difference: 1.\n x: array([[ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  "
      "9.],\n       [10., 11., 12., 13., 14., 15., 16., 17., 18., 19.],\n       [20., 21., 22., "
      "23., 24., 25., 26., 27., 28., 29.],...\n y: array([[  1.,   2.,   3.,   4.,   5.,   6.,   "
      "7.,   8.,   9.,  10.],\n       [ 11.,  12.,  13.,  14.,  15.,  16.,  17.,  18.,  19.,  "
      "20.],\n       [ 21.,  22.,  23.,  24.,  25.,  26.,  27.,  28.,  29.,  30.],...");
  EXPECT_EQ(equal(array({nan, inf, -inf, 1.0}), array({nan, inf, -inf, 1.0})), "passed");
  EXPECT_EQ(equal(nan, array({nan, nan})), "passed");
  EXPECT_EQ(equal(zeros({0, 3}), zeros({0, 3})), "passed");
  EXPECT_EQ(equal(square.T()(slice(none, none, 2)), square.T()(slice(none, none, 2)).copy()),
            "passed");
  assert_raises<TypeError>([] { assert_array_equal(ndarray(), 1); });
}

TEST_P(AssertsTest, ComparesWithinTolerances) {
  const auto close = [](const Operand& x, const Operand& y, double rtol = 1e-7) {
    return text_of([&] { assert_allclose(x, y, rtol); });
  };
  EXPECT_EQ(close(array({1.0, 2.0, nan}), array({1.0, 2.0001, nan})),
            "\nNot equal to tolerance rtol=1e-07, atol=0\n\nMismatched elements: 1 / 3 "
            "(33.3%)\nMax absolute difference: 0.0001\nMax relative difference: 4.99975001e-05\n "
            "x: array([ 1.,  2., nan])\n y: array([1.    , 2.0001,    nan])");
  EXPECT_EQ(close(array({1.0, 2.0, nan}), array({1.0, 2.0001, nan}), 1e-3), "passed");
  EXPECT_EQ(close(1.0, 2.0),
            "\nNot equal to tolerance rtol=1e-07, atol=0\n\nMismatched elements: 1 / 1 (100%)\nMax "
            "absolute difference: 1.\nMax relative difference: 0.5\n x: array(1.)\n y: array(2.)");
  EXPECT_EQ(close(array({inf, 1.0}), array({inf, 2.0})),
            "\nNot equal to tolerance rtol=1e-07, atol=0\n\nMismatched elements: 1 / 2 (50%)\nMax "
            "absolute difference: 1.\nMax relative difference: 0.5\n x: array([inf,  1.])\n y: "
            "array([inf,  2.])");
  EXPECT_EQ(close(inf, array({inf, 2.0})),
            "\nNot equal to tolerance rtol=1e-07, atol=0\n\nx and y +inf location mismatch:\n x: "
            "array(inf)\n y: array([inf,  2.])");
  EXPECT_NO_THROW(assert_allclose(array({1.0}), array({1.1}), {.rtol = 0, .atol = 0.2}));
  EXPECT_EQ(text_of([] {
              assert_allclose(array({1.0, nan}), array({1.0, nan}), {.equal_nan = false});
            }),
            "\nNot equal to tolerance rtol=1e-07, atol=0\n\nMismatched elements: 1 / 2 (50%)\nMax "
            "absolute difference: nan\nMax relative difference: nan\n x: array([ 1., nan])\n y: "
            "array([ 1., nan])");
  const ndarray x = array({1.0, 2.123456789}), y = array({1.0, 2.12345});
  EXPECT_EQ(text_of([&] { assert_array_almost_equal(x, y); }),
            "\nArrays are not almost equal to 6 decimals\n\nMismatched elements: 1 / 2 (50%)\nMax "
            "absolute difference: 6.789e-06\nMax relative difference: 3.19715557e-06\n x: "
            "array([1.      , 2.123457])\n y: array([1.     , 2.12345])");
  EXPECT_NO_THROW(assert_array_almost_equal(x, y, 5));
  EXPECT_NO_THROW(assert_almost_equal(x, y, 5));
  // Integers do not wrap round, and complex infinities are equal to themselves.
  EXPECT_NO_THROW(assert_array_almost_equal(array({1}, uint8), array({2}, uint8), 0));
  EXPECT_THROW(assert_array_almost_equal(array({127}, int8), array({-128}, int8), 0),
               AssertionError);
  EXPECT_NO_THROW(assert_array_almost_equal(array({true}), array({true})));
  EXPECT_THROW(assert_array_almost_equal(array({true}), array({false})), AssertionError);
  const ndarray z = array({complex<double>(inf, 1), complex<double>(2, 1)});
  EXPECT_NO_THROW(assert_array_almost_equal(z, z));
  EXPECT_THROW(assert_array_almost_equal(z, z + complex<double>(0, 1)), AssertionError);
  EXPECT_EQ(
      text_of([] {
        assert_array_less(array({1.0, 2.0}), array({2.0, 2.0}));
      }),
      "\nArrays are not less-ordered\n\nMismatched elements: 1 / 2 (50%)\nMax absolute difference: "
      "1.\nMax relative difference: 0.5\n x: array([1., 2.])\n y: array([2., 2.])");
  EXPECT_NO_THROW(assert_array_less(array({-inf, 1.0}), inf));
}

TEST_P(AssertsTest, ComparesNumbers) {
  EXPECT_EQ(text_of([] { assert_equal(1, 2); }), "\nItems are not equal:\n ACTUAL: 1\n DESIRED: 2");
  EXPECT_EQ(text_of([] { assert_equal(1.5, 2); }),
            "\nItems are not equal:\n ACTUAL: 1.5\n DESIRED: 2");
  EXPECT_NO_THROW(assert_equal(nan, nan));
  EXPECT_NO_THROW(assert_equal(array({1, 2}), array({1, 2})));
  EXPECT_NO_THROW(assert_almost_equal(2.3333333333333, 2.33333334));
  EXPECT_EQ(text_of([] { assert_almost_equal(2.3333333333333, 2.33333334, 10); }),
            "\nArrays are not almost equal to 10 decimals\n ACTUAL: 2.3333333333333\n DESIRED: "
            "2.33333334");
  EXPECT_NO_THROW(assert_approx_equal(0.12345677777777e-20, 0.1234567e-20));
  EXPECT_NO_THROW(assert_approx_equal(0.12345670e-20, 0.12345671e-20, 8));
  EXPECT_EQ(text_of([] { assert_approx_equal(0.12345670e-20, 0.12345672e-20, 8); }),
            "\nItems are not equal to 8 significant digits:\n ACTUAL: 1.234567e-21\n DESIRED: "
            "1.2345672e-21");
  EXPECT_EQ(text_of([] { assert_string_equal("abc", "abd"); }),
            "Differences in strings:\n- abc\n+ abd");
  EXPECT_NO_THROW(assert_string_equal("abc", "abc"));
  EXPECT_EQ(text_of([] { assert_(1 > 2, "one is less"); }), "one is less");
}

TEST_P(AssertsTest, CountsNeighbours) {
  const ndarray x = array({1.0, 1e-10, 1e-20});
  const ndarray y = x * (1 + 4 * 0x1p-52);
  EXPECT_EQ(text_of([&] { assert_array_max_ulp(x, y); }),
            "Arrays are not almost equal up to 1 ULP (max difference is 7 ULP)");
  EXPECT_EQ(text_of([&] { assert_array_almost_equal_nulp(x, y); }),
            "X and Y are not equal to 1 ULP (max is 7)");
  EXPECT_NO_THROW(assert_array_almost_equal_nulp(x, y, 7));
  const ndarray near = array({1.0f, -2.0f, 0.0f});
  const ndarray steps = assert_array_max_ulp(near, nextafter(near, -5.0f), 2);
  EXPECT_EQ(steps.to_vector<int>(), (std::vector<int>{1, 1, 1}));
  // From -0 to 0 there is no step; all NaN are one.
  EXPECT_EQ(assert_array_max_ulp(array({-0.0, nan}), array({0.0, -nan})).to_vector<int>(),
            (std::vector<int>{0, 0}));
  EXPECT_EQ(
      std::string(assert_raises<ValueError>([&] { assert_array_max_ulp(x, zeros({2})); }).what()),
      "assert_array_max_ulp: x and y do not have the same shape; (3,) and (2,)");
  EXPECT_EQ(std::string(assert_raises<TypeError>([] {
                          assert_array_max_ulp(array({1}), array({1}));
                        }).what()),
            "assert_array_max_ulp: no distances of int64");
}

TEST_P(AssertsTest, ExpectsExceptions) {
  const auto found = assert_raises<ValueError>([] { zeros({2}).reshape({3}); });
  EXPECT_NE(std::string(found.what()).find("reshape"), std::string::npos);
  EXPECT_EQ(text_of([] { assert_raises<ValueError>([] {}); }), "cupyxx::ValueError not raised");
  EXPECT_THROW(assert_raises<IndexError>([] { throw TypeError("other"); }), TypeError);
  EXPECT_NO_THROW(assert_raises_regex<Error>("re.*pe", [] { zeros({2}).reshape({3}); }));
  EXPECT_EQ(text_of([] { assert_raises_regex<Error>("^x", [] { throw TypeError("other"); }); }),
            R"("^x" does not match "other")");
}

}  // namespace
}  // namespace cupyxx::testing
