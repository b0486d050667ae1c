// SPDX-License-Identifier: MIT
// Elements as bytes and text; the expectations are NumPy's.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class TextIoTest : public testing::DeviceTest {
 protected:
  static std::string written(const std::string& text) {
    const std::string path = ::testing::TempDir() + "io_text";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::string content(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};
CUPYXX_TEST_ON_DEVICES(TextIoTest);

TEST_P(TextIoTest, ReadsBytes) {
  std::string bytes;
  for (char i = 0; i < 10; ++i) bytes += i;
  const std::string path = written(bytes);
  const ndarray a = fromfile(path, int32);
  EXPECT_EQ(a.device(), device());
  expect_elements<int>(a, {2}, {50462976, 117835012});
  expect_elements<int>(fromfile(path, int32, {.count = 1}), {1}, {50462976});
  expect_elements<int>(fromfile(path, int32, {.count = 5}), {2}, {50462976, 117835012});
  expect_elements<int>(fromfile(path, int32, {.offset = 6}), {1}, {151521030});
  EXPECT_EQ(fromfile(path, int32, {.offset = 11}).size(), 0);
  EXPECT_EQ(fromfile(path, int32, {.count = 0}).size(), 0);
  expect_elements<int>(fromfile(path, bool_, {.count = 3}), {3}, {0, 1, 1});
  expect_error<ValueError>([&] { fromfile(path, int32, {.offset = -1}); },
                           "fromfile: the offset is negative; -1");
  expect_error<IOError>([] { fromfile("absent"); },
                        "fromfile: absent: cannot open; No such file or directory");
}

TEST_P(TextIoTest, ReadsBackWhatToFileWrites) {
  const std::string path = ::testing::TempDir() + "round";
  for (const dtype type : {bool_, int8, uint64, float16, float32, float64}) {
    const ndarray a = (arange(6, float64) * 0.75).astype(type);
    tofile(a, path);
    expect_array_equal(fromfile(path, type), a);
    if (type.is_bool()) continue;
    tofile(a, path, " , ");
    expect_array_equal(fromfile(path, type, {.sep = ","}), a);
  }
  tofile(array({0.1f, 1.0f}), path, " ");
  EXPECT_EQ(content(path), "0.10000000149011612 1.0");
}

TEST_P(TextIoTest, ReadsText) {
  expect_elements<double>(fromfile(written("1, 2,3 ,  4"), float64, {.sep = ","}), {4},
                          {1, 2, 3, 4});
  const std::string path = written("1  2\n 3 4.5 ");
  expect_elements<double>(fromfile(path, float64, {.sep = " "}), {4}, {1, 2, 3, 4.5});
  expect_elements<float>(fromfile(path, float32, {.count = 2, .sep = " "}), {2}, {1, 2});
  expect_elements<int>(fromstring("7 -8 +9", int16, -1, " "), {3}, {7, -8, 9});
  expect_elements<double>(fromstring("inf -1e400 1e-400 0x", float64, 3, " "), {3},
                          {HUGE_VAL, -HUGE_VAL, 0});
  EXPECT_TRUE(std::isnan(fromstring("nan", float64, -1, ",").item<double>()));
  EXPECT_EQ(fromstring("", float64, -1, ",").size(), 0);
  // Rounded once: float32 has the tie between two of float16 for both.
  expect_elements<double>(fromstring("1.0004882812500003 1.0014648437499998", float16, -1, " "),
                          {2}, {1 + 0x1p-10, 1 + 0x1p-10});
  EXPECT_EQ(fromstring("18446744073709551615", uint64, -1, ",").item<std::uint64_t>(),
            std::numeric_limits<std::uint64_t>::max());
}

TEST_P(TextIoTest, SaysWhatIsNoNumber) {
  expect_error<ValueError>([] { fromstring("1,2,x", float64, -1, ","); },
                           "fromstring: text: element 2 is no number; 'x'");
  expect_error<ValueError>([] { fromstring("1,2 3", float64, -1, ","); },
                           "fromstring: text: no separator ',' after element 1; '3'");
  expect_error<OverflowError>([] { fromstring("1 300", uint8, -1, " "); },
                              "fromstring: 300 does not fit uint8");
  expect_error<ValueError>([] { fromstring("1 2.5", int64, -1, " "); },
                           "fromstring: text: element 1 is no integer, as int64 needs; '2.5'");
  expect_error<ValueError>([] { fromstring("3e-1 4", uint8, -1, " "); },
                           "fromstring: text: element 0 is no integer, as uint8 needs; '3e-1'");
  expect_elements<int>(fromstring("2. 1e3", int64, -1, " "), {2}, {2, 1000});
  expect_error<ValueError>([] { fromstring("1"); }, "fromstring: a separator is needed");
  expect_error<TypeError>([] { fromfile("absent", int8, {.sep = " ", .offset = 3}); },
                          "fromfile: an offset is for binary files only; 3");
}

TEST_P(TextIoTest, LoadsTables) {
  const auto table = [](const std::string& text, const LoadtxtOptions& options = {}) {
    return loadtxt(written(text), options);
  };
  const ndarray a = table("1 2\n3 4\n");
  EXPECT_EQ(a.device(), device());
  expect_elements<double>(a, {2, 2}, {1, 2, 3, 4});
  expect_elements<double>(table("# c\n\n1,2 # x\r\n3,4", {.delimiter = ","}), {2, 2}, {1, 2, 3, 4});
  expect_elements<double>(table("1 2 3"), {3}, {1, 2, 3});
  expect_elements<double>(table("1\n2\n3"), {3}, {1, 2, 3});
  expect_elements<double>(table("5"), {}, {5});
  expect_elements<double>(table(""), {0}, {});
  expect_elements<double>(table("1\n2", {.ndmin = 2}), {2, 1}, {1, 2});
  expect_elements<double>(table("5", {.ndmin = 1}), {1}, {5});
  expect_elements<int>(table("1,2\n3,4", {.dtype = int64, .delimiter = ",", .usecols = {-1}}), {2},
                       {2, 4});
  expect_elements<double>(table("1 2\n3 4", {.unpack = true}), {2, 2}, {1, 3, 2, 4});
  expect_elements<double>(table("1 2\n3 4\n5 6", {.skiprows = 1, .ndmin = 2, .max_rows = 1}),
                          {1, 2}, {3, 4});
  expect_elements<int>(table("1.5 1e2 -.5 .7e1", {.dtype = int32}), {4}, {1, 100, 0, 7});
  expect_elements<double>(table("1 2 # c\r3 4\r\r\n5 6\r", {.usecols = 0}), {3}, {1, 3, 5});
  EXPECT_EQ(table("", {.usecols = {0, 1}}).shape(), (Shape{0, 2}));
  expect_elements<double>(table("1\r2\r\n3\n4", {.skiprows = 2}), {2}, {3, 4});
}

TEST_P(TextIoTest, LoadsOneColumn) {
  const std::string path = written("1,2\n3,4");
  expect_elements<double>(loadtxt(path, {.delimiter = ",", .usecols = 1}), {2}, {2, 4});
  expect_elements<double>(
      loadtxt(path, {.delimiter = ",", .usecols = std::vector<std::int64_t>{0}}), {2}, {1, 3});
}

TEST_P(TextIoTest, LoadsComplexNumbers) {
  using Z = complex<double>;
  const std::string path = written("1+2j 3-1.5e1j\n(4+0j) -5j\n7 (nan-infj)\n");
  const std::vector<Z> read = loadtxt(path, {.dtype = complex128}).to_vector<Z>();
  ASSERT_EQ(read.size(), 6u);
  EXPECT_EQ(std::vector<Z>(read.begin(), read.begin() + 5),
            (std::vector<Z>{{1, 2}, {3, -15}, {4, 0}, {0, -5}, {7, 0}}));
  EXPECT_TRUE(std::isnan(read[5].real()) && std::isinf(read[5].imag()));
  // What savetxt and tofile write.
  const ndarray z = array({Z(1.5, -2), Z(0, 1e-30)});
  for (const dtype type : {complex64, complex128}) {
    savetxt(path, z.astype(type));
    testing::expect_array_equal(loadtxt(path, {.dtype = type}), z.astype(type));
    tofile(z.astype(type), path, " ");
    testing::expect_array_equal(fromfile(path, type, -1, " "), z.astype(type));
  }
  for (const char* text : {"1+2", "(1+2j", "1+2i", "j", "1+2j)", "1++2j"}) {
    const std::string wrong = written(text);
    expect_error<ValueError>([&] { loadtxt(wrong, {.dtype = complex128}); },
                             "line 1: column 0 is no number of complex128");
  }
}

TEST_P(TextIoTest, LargeFloatingTextsFitUint64) {
  expect_elements<std::uint64_t>(loadtxt(written("1.83e19 0"), {.dtype = uint64}), {2},
                                 {18300000000000000000u, 0});
  expect_error<OverflowError>([&] { loadtxt(written("1.85e19 0"), {.dtype = uint64}); },
                              "loadtxt: 1.85e19 does not fit uint64");
}

// What Python prints by "%d", "%x" and their kin.
TEST_P(TextIoTest, WholeNumbersAreExactInEveryBase) {
  const auto saved = [](const ndarray& a, const std::string& format) {
    std::ostringstream out;
    savetxt(out, a, {.fmt = format, .newline = "|"});
    return out.str();
  };
  const ndarray large = array({18446744073709551615u, 9223372036854775808u, 1u});
  EXPECT_EQ(saved(large, "%d"), "18446744073709551615|9223372036854775808|1|");
  EXPECT_EQ(saved(large, "%x"), "ffffffffffffffff|8000000000000000|1|");
  const ndarray signs = array({-255, 0, std::numeric_limits<std::int64_t>::min()});
  EXPECT_EQ(saved(signs, "%x"), "-ff|0|-8000000000000000|");
  EXPECT_EQ(saved(signs, "%#X"), "-0XFF|0X0|-0X8000000000000000|");
  EXPECT_EQ(saved(signs, "%u"), "-255|0|-9223372036854775808|");
  EXPECT_EQ(saved(array({-8, 8}), "%#o"), "-0o10|0o10|");
  EXPECT_EQ(saved(array({-8, 8}), "%+06d"), "-00008|+00008|");
  EXPECT_EQ(saved(array({-8, 8}), "%-6.3d;"), "-008  ;|008   ;|");
  EXPECT_EQ(saved(array({-8, 8}), "% 5d"), "   -8|    8|");
  EXPECT_EQ(saved(array({1.9, -1.9, -0.5, 1e22}), "%d"), "1|-1|0|10000000000000000000000|");
  EXPECT_EQ(saved(array({true, false}), "%d"), "1|0|");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error<ValueError>(
      [&] {
        saved(array({1.0, nan}), "%d");
      },
      "savetxt: %d of NaN, which is no integer");
  expect_error<OverflowError>([&] { saved(array({-INFINITY}), "%i"); },
                              "savetxt: %i of an infinity; -inf");
  expect_error<TypeError>([&] { saved(array({1.5}), "%x"); }, "savetxt: %x is for integers; 1.5");
  const std::string path = ::testing::TempDir() + "whole_numbers.txt";
  tofile(large, path, " ", "%d");
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
            "18446744073709551615 9223372036854775808 1");
}

TEST_P(TextIoTest, NamesLinesAndColumnsOfDamagedTables) {
  const std::string uneven = written("1 2\n\n3");
  expect_error<ValueError>(
      [&] { loadtxt(uneven); },
      "loadtxt: " + uneven + ": line 3: the number of columns changed; 2 and 1");
  const std::string word = written("1 x");
  expect_error<ValueError>([&] { loadtxt(word); }, "line 1: column 1 is no number of float64; 'x'");
  const std::string hole = written("1,,2");
  expect_error<ValueError>([&] { loadtxt(hole, {.delimiter = ","}); },
                           "column 1 is no number of float64; ''");
  const std::string narrow = written("1 2");
  expect_error<ValueError>([&] { loadtxt(narrow, {.usecols = {5}}); }, "there is no column 5 of 2");
  expect_error<ValueError>([&] { loadtxt(narrow, {.ndmin = 3}); },
                           "loadtxt: ndmin must be 0, 1 or 2; 3");
}

TEST_P(TextIoTest, SavesTables) {
  const std::string path = ::testing::TempDir() + "table.txt";
  const ndarray a = arange(6, float64).reshape({2, 3});
  savetxt(path, a);
  EXPECT_EQ(content(path),
            "0.000000000000000000e+00 1.000000000000000000e+00 2.000000000000000000e+00\n"
            "3.000000000000000000e+00 4.000000000000000000e+00 5.000000000000000000e+00\n");
  expect_array_equal(loadtxt(path), a);
  savetxt(path, a.astype(int64),
          {.fmt = "%d", .delimiter = ",", .header = "a b\nc", .footer = "end"});
  EXPECT_EQ(content(path), "# a b\n# c\n0,1,2\n3,4,5\n# end\n");
  savetxt(path, arange(2));
  EXPECT_EQ(content(path), "0.000000000000000000e+00\n1.000000000000000000e+00\n");
  savetxt(path, arange(4).reshape({2, 2}), {.fmt = "%d-%.1f"});
  EXPECT_EQ(content(path), "0-1.0\n2-3.0\n");
  expect_error<ValueError>(
      [&] {
        savetxt(path, zeros({2, 2, 2}));
      },
      "savetxt: expected a 1-D or 2-D array; shape (2, 2, 2)");
  expect_error<ValueError>(
      [&] {
        savetxt(path, zeros({2, 2}), {.fmt = "%d %d %d"});
      },
      "savetxt: fmt has 3 conversions for 2 columns");
  expect_error<ValueError>([&] { savetxt(path, zeros({2}), {.fmt = "%c"}); },
                           "savetxt: a format has conversions of numbers only; '%c'");
  expect_error<ValueError>([&] { savetxt(path, zeros({2}), {.fmt = "%09999999999d"}); },
                           "savetxt: widths and precisions of a format have up to 4 digits; "
                           "'%09999999999d'");
  expect_error<ValueError>([&] { savetxt(path, zeros({2}), {.fmt = "%.12345e"}); },
                           "up to 4 digits; '%.12345e'");
  EXPECT_EQ(content(path), "0-1.0\n2-3.0\n");  // failed calls leave the file
}

// What NumPy 1.24 writes.
TEST_P(TextIoTest, SavesComplexNumbers) {
  const std::string path = ::testing::TempDir() + "complex.txt";
  const ndarray z = array({complex<double>(1, 2), complex<double>(3, -4)});
  savetxt(path, z);
  EXPECT_EQ(content(path),
            " (1.000000000000000000e+00+2.000000000000000000e+00j)\n"
            " (3.000000000000000000e+00-4.000000000000000000e+00j)\n");
  savetxt(path, z.reshape({1, 2}), {.fmt = "%.1f", .delimiter = ","});
  EXPECT_EQ(content(path), " (1.0+2.0j), (3.0-4.0j)\n");
  savetxt(path, z.reshape({1, 2}), {.fmt = "(%.1f%+.1fj) (%.2f%+.3fj)"});
  EXPECT_EQ(content(path), "(1.0+2.0j) (3.00-4.000j)\n");
  savetxt(path, z.reshape({1, 2}), {.fmt = "%s"});
  EXPECT_EQ(content(path), " (1.0+2.0j)  (3.0-4.0j)\n");
  expect_error<ValueError>(
      [&] {
        savetxt(path, z.reshape({1, 2}), {.fmt = "%f %f"});
      },
      "savetxt: fmt has 2 conversions for 2 complex columns; '%f %f'");
}

TEST_P(TextIoTest, SavesNumbersAsPythonPrintsThem) {
  const std::string path = ::testing::TempDir() + "python.txt";
  savetxt(path, array({{0.5, 3.0}}), {.fmt = "%s", .delimiter = ","});
  EXPECT_EQ(content(path), "0.5,3.0\n");
  savetxt(path, array({{1, 3}}), {.fmt = "%r"});
  EXPECT_EQ(content(path), "1 3\n");
  savetxt(path, array({{true, false}}), {.fmt = "%s"});
  EXPECT_EQ(content(path), "True False\n");
  savetxt(path, array({{1e20, 1e-7, 1.0}}).astype(float32), {.fmt = "%s"});
  EXPECT_EQ(content(path), "1e+20 1e-07 1.0\n");
  savetxt(path, array({{0.5, 3.0}}), {.fmt = "<%6s|%-5s>"});
  EXPECT_EQ(content(path), "<   0.5|3.0  >\n");
  savetxt(path, array({{0.125, 3.0}}), {.fmt = "%.3s|%05s"});
  EXPECT_EQ(content(path), "0.1|  3.0\n");
}

TEST_P(TextIoTest, ReadsElementsFromStreams) {
  const ndarray a = zeros({2, 2}), n = zeros({4}, int8), u = zeros({2}, uint64),
                z = zeros({2}, complex64), b = zeros({2}, bool_);
  std::istringstream in("1.5 2 -3e2\n4 -7 12 18446744073709551615 (1,2) 3 1 0");
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) in >> a(i, j);
  }
  in >> n(0) >> n(-1) >> u(0) >> z(0) >> z(1) >> b(0) >> b(1);
  EXPECT_TRUE(static_cast<bool>(in));
  EXPECT_EQ(a.str(), "[[   1.5    2. ]\n [-300.     4. ]]");
  EXPECT_EQ(n.str(), "[-7  0  0 12]");
  EXPECT_EQ(u.str(), "[18446744073709551615                    0]");
  EXPECT_EQ(z.str(), "[1.+2.j 3.+0.j]");
  EXPECT_EQ(b.str(), "[ True False]");
  std::istringstream word("x 5");
  word >> a(0, 0);
  EXPECT_TRUE(word.fail());
  EXPECT_EQ(a(0, 0).item<double>(), 1.5);
  // As `+=`: a named element of an array on the host changes alone, a part does not.
  std::istringstream more("8 9 10 11");
  auto named = a(0, 1);
  more >> named;
  EXPECT_EQ(named.item<double>(), 8);
  EXPECT_EQ(a(0, 1).item<double>(), a.device().is_cpu() ? 2 : 8);
  auto part = a(0, slice(0, 1));
  more >> part;
  EXPECT_EQ(a(0, 0).item<double>(), 9);
  for (auto& x : a(1)) more >> x;
  EXPECT_EQ(a(1).str(), "[10. 11.]");
  std::istringstream large("300"), negative("-1"), one("1");
  expect_error<OverflowError>([&] { large >> n(0); }, "300");
  expect_error<OverflowError>([&] { negative >> u(0); }, "-1");
  expect_error<ValueError>([&] { one >> a(0); },
                           "operator>>: it reads one element; the shape (2,)");
}

}  // namespace
}  // namespace cupyxx
