// SPDX-License-Identifier: MIT
// genfromtxt, fromiter and require.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <list>
#include <sstream>

#include "cupyxx/constants.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

class GenfromtxtTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(GenfromtxtTest);

ndarray read(const std::string& text, const GenfromtxtOptions& options = {}) {
  std::istringstream stream(text);
  return genfromtxt(stream, options);
}

TEST_P(GenfromtxtTest, FillsHoles) {
  const std::string text = "1,2,3\n4,,6\n ,8,x\n";
  expect_array_equal(read(text, {.delimiter = ","}),
                     array({{1.0, 2.0, 3.0}, {4.0, nan, 6.0}, {nan, 8.0, nan}}));
  EXPECT_EQ(read(text, {.delimiter = ","}).device(), device());
  expect_array_equal(read(text, {.delimiter = ",", .filling_values = {0}}),
                     array({{1.0, 2.0, 3.0}, {4.0, 0.0, 6.0}, {0.0, 8.0, 0.0}}));
  expect_array_equal(
      read("1,2,3\n4,N/A,6\n,8,x\n",
           {.delimiter = ",", .missing_values = {"N/A"}, .filling_values = {7, 8, 9}}),
      array({{1.0, 2.0, 3.0}, {4.0, 8.0, 6.0}, {7.0, 8.0, 9.0}}));
  // The first and the last field between tabulators, too.
  expect_array_equal(read("1\t2\t3\n\t5\t6\r\n7\t8\t\n \t\t\n\n", {.delimiter = "\t"}),
                     array({{1.0, 2.0, 3.0}, {nan, 5.0, 6.0}, {7.0, 8.0, nan}, {nan, nan, nan}}));
  testing::expect_elements<double>(read("1\t2\n\t4\n", {.delimiter = "\t", .usecols = 1}), {2},
                                   {2, 4});
  // The numpy exercise: integers.
  expect_array_equal(
      read("1, 2, 3, 4, 5\n6, , , 7, 8\n , , 9,10,11", {.dtype = int64, .delimiter = ","}),
      array({{1, 2, 3, 4, 5}, {6, -1, -1, 7, 8}, {-1, -1, 9, 10, 11}}));
  expect_array_equal(read("1.5 2\n", {.dtype = int64}), array({-1, 2}));
  // NumPy reads narrower integers as int(float(x)).
  expect_array_equal(read("1.0 -2.7 3e1 x\n", {.dtype = int32}), array({1, -2, 30, -1}, int32));
  expect_array_equal(read("1.0 200.9\n", {.dtype = uint8}), array({1, 200}, uint8));
  expect_array_equal(read("1_000 _1 1__0\n", {.dtype = int64}), array({1000, -1, -1}));
  expect_array_equal(read("1_000.5 2\n"), array({1000.5, 2.0}));
  expect_array_equal(read("1+2J 3J 4\n", {.dtype = complex128}),
                     array({complex<double>(1, 2), complex<double>(0, 3), complex<double>(4)}));
  expect_array_equal(read("1,True,3\n0,False,2", {.dtype = bool_, .delimiter = ","}),
                     array({{true, true, false}, {false, false, false}}));
  expect_array_equal(read("1,,3\n", {.dtype = float32, .delimiter = ","}),
                     array({1.0f, static_cast<float>(nan), 3.0f}));
  expect_array_equal(read("1,,3\n", {.dtype = uint8, .delimiter = ","}), array({1, 255, 3}, uint8));
  expect_array_equal(read("nan,inf,-inf\n1,2,3", {.delimiter = ","}),
                     array({{nan, inf, -inf}, {1.0, 2.0, 3.0}}));
  expect_error<ValueError>([&] { read(text, {.delimiter = ",", .loose = false}); },
                           "genfromtxt: line 3, column 2 is no number of float64; 'x'");
  expect_error<OverflowError>([] { read("300 2\n", {.dtype = int8}); },
                              "genfromtxt: 300 does not fit int8");
}

TEST_P(GenfromtxtTest, OneValueNeedsNoBraces) {
  expect_array_equal(
      read("1,x\n,4\n", {.delimiter = ",", .missing_values = "x", .filling_values = -1}),
      array({{1.0, -1.0}, {-1.0, 4.0}}));
  expect_array_equal(read("1 2 3\n3 4 5\n", {.usecols = 1}), array({2.0, 4.0}));
  expect_array_equal(read("1,\n", {.delimiter = ",", .filling_values = 2.5}), array({1.0, 2.5}));
}

TEST_P(GenfromtxtTest, ChoosesRowsAndColumns) {
  expect_array_equal(read("# c\n1 2 # d\n\n3 4\n"), array({{1.0, 2.0}, {3.0, 4.0}}));
  expect_array_equal(read("h\n1 2\n3 4\n5 6\nf\n", {.skip_header = 1, .skip_footer = 1}),
                     array({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}}));
  expect_array_equal(read("1 2\n3 4\n5 6\n", {.max_rows = 2}), array({{1.0, 2.0}, {3.0, 4.0}}));
  // Rows that are left out are none of them.
  expect_array_equal(read("1 2\n3\n5 6\n7\n", {.invalid_raise = false, .max_rows = 2}),
                     array({{1.0, 2.0}, {5.0, 6.0}}));
  expect_array_equal(read("1 2\n3 4\n5\n", {.max_rows = 2}), array({{1.0, 2.0}, {3.0, 4.0}}));
  EXPECT_EQ(read("1 2\n", {.max_rows = 0}).size(), 0);
  expect_array_equal(read("1 2 3\n3 4 5\n", {.usecols = {2, 0}}), array({{3.0, 1.0}, {5.0, 3.0}}));
  expect_array_equal(read("1 2 3\n3 4 5\n", {.usecols = {-1}}), array({3.0, 5.0}));
  expect_array_equal(read("1 2 3\n3 4 5\n", {.unpack = true}),
                     array({{1.0, 3.0}, {2.0, 4.0}, {3.0, 5.0}}));
  EXPECT_EQ(read("1 2 3\n").shape(), Shape({3}));
  EXPECT_EQ(read("1\n2\n").shape(), Shape({2}));
  EXPECT_EQ(read("5\n").shape(), Shape());
  EXPECT_EQ(read("").shape(), Shape({0}));
  EXPECT_EQ(read("1,2\n", {.skip_header = 5}).shape(), Shape({0}));
  EXPECT_EQ(read("1 2\n", {.ndmin = 2}).shape(), Shape({1, 2}));
  EXPECT_EQ(read("1\n", {.ndmin = 1}).shape(), Shape({1}));
  EXPECT_EQ(read("", {.ndmin = 2}).shape(), Shape({0, 1}));
  testing::expect_elements<double>(read("1 2 3\n4\n5 6", {.usecols = 0}), {3}, {1, 4, 5});
  // Columns from the end are those of the first row.
  testing::expect_elements<double>(read("1 2\n4 7 8\n", {.usecols = {0, -1}}), {2, 2},
                                   {1, 2, 4, 7});
  expect_error<ValueError>(
      [] {
        read("1 2 3\n4 7\n5", {.usecols = {0, -1}});
      },
      "genfromtxt: some errors were detected\n    Line #2 (got 2 columns "
      "instead of 3)\n    Line #3 (got 1 columns instead of 3)");
  EXPECT_EQ(read("", {.unpack = true, .ndmin = 2}).shape(), Shape({1, 0}));
  EXPECT_EQ(read("1 2\r3 4\r5 6", {}).shape(), Shape({3, 2}));
  expect_array_equal(read("1 2\n3 4 5\n6 7\n8\n", {.invalid_raise = false}),
                     array({{1.0, 2.0}, {6.0, 7.0}}));
  expect_error<ValueError>([] { read("1 2\n3 4 5\n6 7\n8\n"); },
                           "genfromtxt: some errors were detected\n    Line #2 (got 3 columns "
                           "instead of 2)\n    Line #4 (got 1 columns instead of 2)");
  expect_error<ValueError>([] { read("1 2\n", {.usecols = {5}}); },
                           "genfromtxt: there is no column 5 of 2");
  expect_error<ValueError>(
      [] {
        read("1 2\n", {.filling_values = {1, 2, 3}});
      },
      "genfromtxt: there are 3 filling_values for 2 columns");
  expect_error<ValueError>([] { read("1\n", {.skip_footer = 1, .max_rows = 1}); },
                           "genfromtxt: skip_footer and max_rows exclude each other; 1 and 1");
  expect_error<ValueError>([] { read("1\n", {.ndmin = 3}); },
                           "genfromtxt: ndmin must be 0, 1 or 2; 3");
}

TEST_P(GenfromtxtTest, ReadsFiles) {
  const std::string path = ::testing::TempDir() + "genfromtxt_test.txt";
  std::ofstream(path) << "1;2\r\n;4\r\n";
  expect_array_equal(genfromtxt(path, {.delimiter = ";"}), array({{1.0, 2.0}, {nan, 4.0}}));
  std::remove(path.c_str());
  expect_error<IOError>([&] { genfromtxt(path); },
                        "genfromtxt: " + path + ": cannot open; No such file or directory");
  expect_error<IOError>([] { genfromtxt("/"); }, "genfromtxt: /: cannot read; it is a directory");
}

class ConversionTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ConversionTest);

TEST_P(ConversionTest, ReadsRanges) {
  const std::list<int> list = {3, 1, 4};
  expect_array_equal(fromiter(list), array({3, 1, 4}));
  expect_array_equal(fromiter(list, float32, 2), array({3.0f, 1.0f}));
  expect_array_equal(fromiter(std::vector<bool>{true, false}), array({true, false}));
  expect_array_equal(fromiter(list, {}, 0), zeros({0}, int64));
  const double plain[] = {0.5, 1.5};
  expect_array_equal(fromiter(plain), array({0.5, 1.5}));
  EXPECT_EQ(fromiter(list).device(), device());
  expect_error<ValueError>([&] { fromiter(list, {}, 5); },
                           "fromiter: the range has fewer elements than count; 3 and 5");
}

TEST_P(ConversionTest, CopiesOnlyWhatDoesNotFulfil) {
  const ndarray a = arange(6).reshape({2, 3}).copy();
  EXPECT_EQ(require(a).data(), a.data());
  EXPECT_EQ(require(a, {}, {"C", "W", "O", "A"}).data(), a.data());
  const ndarray turned = require(a, {}, {"F_CONTIGUOUS"});
  EXPECT_TRUE(turned.flags().f_contiguous);
  expect_array_equal(turned, a);
  EXPECT_EQ(require(a.T(), {}, "f").data(), a.data());
  EXPECT_EQ(require(a, float32).dtype(), float32);
  const ndarray fixed = broadcast_to(arange(3), {2, 3});
  EXPECT_TRUE(require(fixed, {}, "W").flags().writeable);
  EXPECT_FALSE(require(fixed).flags().writeable);
  EXPECT_TRUE(require(a(0), {}, "OWNDATA").flags().owndata);
  expect_error<ValueError>(
      [&] {
        require(a, {}, {"C", "F"});
      },
      "require: an array cannot be in C and in Fortran order; 'C' and 'F'");
  expect_error<ValueError>([&] { require(a, {}, {"X"}); }, "require: there is no requirement 'X'");
  expect_error<TypeError>([] { require(ndarray()); }, "require: the array is None");
}

}  // namespace
}  // namespace cupyxx
