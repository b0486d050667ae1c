// SPDX-License-Identifier: MIT
// Texts as of NumPy 1.24.
#include <gtest/gtest.h>

#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/printing.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class FloatTextTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(FloatTextTest);

TEST(FloatText, IsNumpys) {
  EXPECT_EQ(format_float_positional(1.0), "1.");
  EXPECT_EQ(format_float_positional(3.141592653589793), "3.141592653589793");
  EXPECT_EQ(format_float_positional(half(3.140625f)), "3.14");
  EXPECT_EQ(format_float_positional(0.1), "0.1");
  EXPECT_EQ(format_float_positional(1.5, {.precision = 4}), "1.5");
  EXPECT_EQ(format_float_positional(1.5, {.precision = 4, .unique = false}), "1.5000");
  EXPECT_EQ(format_float_positional(0.123456789, {.precision = 4}), "0.1235");
  EXPECT_EQ(format_float_positional(1e-10), "0.0000000001");
  EXPECT_EQ(format_float_positional(123456789.0, {.precision = 3}), "123456789.");
  EXPECT_EQ(format_float_positional(1234.5678, {.precision = 3, .fractional = false}), "1230.");
  EXPECT_EQ(
      format_float_positional(1234.5678, {.precision = 6, .unique = false, .fractional = false}),
      "1234.57");
  EXPECT_EQ(format_float_positional(1.5, {.trim = '-'}), "1.5");
  EXPECT_EQ(format_float_positional(1.0, {.trim = '-'}), "1");
  EXPECT_EQ(format_float_positional(1.0, {.trim = '0'}), "1.0");
  EXPECT_EQ(format_float_positional(1.0, {.trim = '.'}), "1.");
  EXPECT_EQ(format_float_positional(1.5, {.precision = 4, .unique = false, .trim = '.'}), "1.5");
  EXPECT_EQ(format_float_positional(1.0, {.precision = 4, .unique = false, .trim = '0'}), "1.0");
  EXPECT_EQ(format_float_positional(1.0, {.sign = true}), "+1.");
  EXPECT_EQ(format_float_positional(-1.0), "-1.");
  EXPECT_EQ(format_float_positional(nan), "nan");
  EXPECT_EQ(format_float_positional(-inf), "-inf");
  EXPECT_EQ(format_float_positional(inf, {.sign = true}), "+inf");
  EXPECT_EQ(format_float_positional(1.5, {.pad_left = 4, .pad_right = 4}), "   1.5   ");
  EXPECT_EQ(format_float_positional(0.5, {.min_digits = 3}), "0.500");
  EXPECT_EQ(format_float_positional(1e22), "10000000000000000000000.");
  EXPECT_EQ(format_float_positional(5e-324, {.precision = 5}), "0.00000");
  EXPECT_EQ(format_float_positional(0.0), "0.");
  EXPECT_EQ(format_float_positional(-0.0), "-0.");
  EXPECT_EQ(format_float_positional(2.5, {.precision = 0}), "2.");
  EXPECT_EQ(format_float_positional(3.5, {.precision = 0}), "4.");
  EXPECT_EQ(format_float_positional(0.05, {.precision = 1}), "0.1");
  EXPECT_EQ(format_float_positional(1e16), "10000000000000000.");
  EXPECT_EQ(format_float_scientific(1.0), "1.e+00");
  EXPECT_EQ(format_float_scientific(3.141592653589793), "3.141592653589793e+00");
  EXPECT_EQ(format_float_scientific(3.1415927f), "3.1415927e+00");
  EXPECT_EQ(format_float_scientific(1.23e24, {.precision = 2}), "1.23e+24");
  EXPECT_EQ(format_float_scientific(1.23e24, {.exp_digits = 4}), "1.23e+0024");
  EXPECT_EQ(format_float_scientific(1.5, {.precision = 4, .unique = false}), "1.5000e+00");
  EXPECT_EQ(format_float_scientific(1.5, {.precision = 4}), "1.5e+00");
  EXPECT_EQ(format_float_scientific(0.0), "0.e+00");
  EXPECT_EQ(format_float_scientific(-123.456, {.precision = 2, .trim = '-'}), "-1.23e+02");
  EXPECT_EQ(format_float_scientific(1.0, {.trim = '-'}), "1e+00");
  EXPECT_EQ(format_float_scientific(1.0, {.trim = '0'}), "1.0e+00");
  EXPECT_EQ(format_float_scientific(9.996, {.precision = 2}), "1.e+01");
  EXPECT_EQ(format_float_scientific(1e-300), "1.e-300");
  EXPECT_EQ(format_float_scientific(nan), "nan");
  EXPECT_EQ(format_float_scientific(inf, {.sign = true}), "+inf");
  EXPECT_EQ(format_float_scientific(1.5, {.sign = true, .pad_left = 4}), "  +1.5e+00");
  EXPECT_EQ(format_float_scientific(1.5, {.min_digits = 3}), "1.500e+00");
  EXPECT_EQ(format_float_scientific(1e100), "1.e+100");
  EXPECT_EQ(format_float_positional(1.00001, {.precision = 3}), "1.000");
  EXPECT_EQ(format_float_positional(1.20001, {.precision = 3}), "1.200");
  EXPECT_EQ(format_float_positional(1e-10, {.precision = 3}), "0.000");
  EXPECT_EQ(format_float_positional(1.00001, {.precision = 3, .trim = '0'}), "1.0");
  EXPECT_EQ(format_float_scientific(1.00001, {.precision = 3}), "1.000e+00");
  EXPECT_EQ(format_float_positional(1.0, {.pad_right = 3}), "1.   ");
  EXPECT_EQ(format_float_positional(999.9996, {.precision = 3}), "1000.");
  EXPECT_EQ(format_float_positional(1.0, {.trim = '0', .min_digits = 3}), "1.0");
  EXPECT_EQ(format_float_positional(0.0, {.precision = 3, .unique = false}), "0.000");
  EXPECT_EQ(format_float_positional(0.0, {.min_digits = 2}), "0.00");
  EXPECT_EQ(format_float_positional(12345.0, {.precision = 2, .fractional = false}), "12000.");
  EXPECT_EQ(format_float_positional(0.00123456, {.precision = 2, .fractional = false}), "0.0012");
  EXPECT_EQ(format_float_scientific(-0.0), "-0.e+00");
  EXPECT_EQ(format_float_scientific(100000.0, {.exp_digits = 1}), "1.e+5");
  EXPECT_EQ(format_float_positional(1.96, {.precision = 1}), "2.");
  EXPECT_EQ(format_float_positional(0.1f), "0.1");
  EXPECT_EQ(format_float_positional(3), "3.");
}

TEST_P(FloatTextTest, TakesArraysOfOneElement) {
  EXPECT_EQ(format_float_positional(array({0.1f})), "0.1");
  EXPECT_EQ(format_float_scientific(array({{0.1f}}).astype(float64), {.precision = 3}),
            "1.000e-01");
  EXPECT_EQ(format_float_positional(array({3})), "3.");
  expect_error<ValueError>([] { format_float_positional(zeros({2})); }, "");
}

TEST(FloatText, RefusesOptionsThatExcludeEachOther) {
  expect_error<ValueError>([] { format_float_positional(1.0, {.unique = false}); },
                           "format_float_positional: without unique a precision is needed");
  expect_error<ValueError>(
      [] { format_float_positional(1.0, {.precision = 2, .min_digits = 3}); },
      "format_float_positional: min_digits must not exceed the precision; 3 and 2");
  expect_error<ValueError>(
      [] { format_float_positional(1.0, {.precision = 0, .fractional = false}); },
      "format_float_positional: without fractional the precision must be positive; 0");
  expect_error<ValueError>([] { format_float_scientific(1.0, {.trim = 'x'}); },
                           "format_float_scientific: trim must be 'k', '.', '0' or '-'; 'x'");
}

}  // namespace
}  // namespace cupyxx
