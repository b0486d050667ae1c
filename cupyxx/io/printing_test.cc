// SPDX-License-Identifier: MIT
#include "cupyxx/printing.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_error;

class PrintingTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(PrintingTest);

std::string streamed(const ndarray& a) {
  std::ostringstream out;
  out << a;
  return out.str();
}

TEST_P(PrintingTest, PrintsTheReferenceCasesAsNumPy) {
  std::ifstream file("cupyxx/testing/testdata/repr.json");
  const auto cases = nlohmann::json::parse(file);
  const NpzFile arrays = load_npz("cupyxx/testing/testdata/repr.npz");
  for (const auto& c : cases) {
    const std::string key = c["a"];
    const auto& kw = c["kw"];
    PrintOptions options;
    if (kw.contains("max_line_width")) options.max_line_width = kw["max_line_width"].get<int>();
    if (kw.contains("precision")) options.precision = kw["precision"].get<int>();
    if (kw.contains("suppress_small")) options.suppress_small = kw["suppress_small"].get<bool>();
    const ndarray a = arrays[key];
    EXPECT_EQ(array_str(a, options), c["str"].get<std::string>()) << key;
    // References of int64 hold C's long long too, of which NumPy says so.
    if (a.dtype() != int64) {
      EXPECT_EQ(array_repr(a, options), c["repr"].get<std::string>()) << key;
    }
  }
}

TEST_P(PrintingTest, StreamsAsStr) {
  EXPECT_EQ(streamed(array({1.0, 2.5})), "[1.  2.5]");
  EXPECT_EQ(streamed(array(2.5)), "2.5");
  EXPECT_EQ(streamed(ndarray()), "None");
  const ndarray a = arange(4);
  EXPECT_EQ(streamed(a(slice(none, none, -2))), "[3 1]");
  std::ostringstream out;
  out << a(a(slice(1, 3)));
  EXPECT_EQ(out.str(), "[1 2]");
}

TEST_P(PrintingTest, TellsGoogleTestTheDtype) {
  EXPECT_EQ(::testing::PrintToString(array({1.0f})), "array([1.], dtype=float32)");
}

TEST_P(PrintingTest, PrintsTheEdgesOfLargeViews) {
  const ndarray a = arange(40000).reshape({200, 200});
  EXPECT_EQ(streamed(a(slice(none, none, -1), 0)(slice(0, 3))), "[39800 39600 39400]");
  EXPECT_EQ(streamed(a.T()),
            "[[    0   200   400 ... 39400 39600 39800]\n"
            " [    1   201   401 ... 39401 39601 39801]\n"
            " [    2   202   402 ... 39402 39602 39802]\n"
            " ...\n"
            " [  197   397   597 ... 39597 39797 39997]\n"
            " [  198   398   598 ... 39598 39798 39998]\n"
            " [  199   399   599 ... 39599 39799 39999]]");
}

TEST_P(PrintingTest, PrintsInAFrame) {
  const ndarray a = arange(12).reshape({3, 4});
  EXPECT_EQ(array2string(a, {.threshold = 5, .edgeitems = 1}, {.separator = ", "}),
            "[[ 0, ...,  3],\n ...,\n [ 8, ..., 11]]");
  EXPECT_EQ("x = " + array2string(a(0), {.max_line_width = 12}, {.prefix = "x = "}),
            "x = [0 1 2\n     3]");
  for (const int least : {0, -1, std::numeric_limits<int>::min()}) {
    EXPECT_EQ(array_repr(arange(2, int32), {.max_line_width = least}),
              "array([0,\n       1],\n      dtype=int32)");
  }
  EXPECT_EQ(array2string(array(2.5)), "2.5");
}

// The options are those of the whole process.
class Printoptions {
 public:
  Printoptions() : before_(get_printoptions()) {}
  ~Printoptions() { set_printoptions(before_); }

 private:
  PrintOptions before_;
};

TEST_P(PrintingTest, SetsWhatStreamsPrintWith) {
  const Printoptions scope;
  set_printoptions({.precision = 3, .threshold = 4});
  set_printoptions({.edgeitems = 1});
  EXPECT_EQ(streamed(arange(5.0) / 3), "[0.    ... 1.333]");
  EXPECT_EQ(array_str(arange(5), {.threshold = 10}), "[0 1 2 3 4]");
  EXPECT_EQ(get_printoptions().precision, 3);
  EXPECT_EQ(get_printoptions().max_line_width, 75);
  testing::expect_error<ValueError>([] { set_printoptions({.edgeitems = 0}); },
                                    "printoptions: edgeitems must be positive; 0");
  EXPECT_EQ(get_printoptions().edgeitems, 1);
}

TEST_P(PrintingTest, PrintsBroadcastArraysOfAnySize) {
  const ndarray a = broadcast_to(arange(3), {1000000, 3});
  EXPECT_EQ(streamed(a), "[[0 1 2]\n [0 1 2]\n [0 1 2]\n ...\n [0 1 2]\n [0 1 2]\n [0 1 2]]");
}

TEST_P(PrintingTest, TakesNumPysNamesOfSetPrintoptions) {
  const ndarray a = array({1e-7, 1.0});
  EXPECT_EQ(array_str(a, {.precision = 3, .suppress = true}), "[0. 1.]");
  EXPECT_EQ(array_str(arange(6), {.linewidth = 8}), "[0 1 2\n 3 4 5]");
  {
    const printoptions scope({.linewidth = 8});
    EXPECT_EQ(array_str(arange(6)), "[0 1 2\n 3 4 5]");
    EXPECT_EQ(get_printoptions().max_line_width, 8);
  }
  EXPECT_EQ(array2string(arange(3), {.separator = ", "}), "[0, 1, 2]");
  expect_error<TypeError>([&] { array_str(a, {.max_line_width = 8, .linewidth = 9}); },
                          "printoptions: max_line_width and linewidth are one option; give one");
  expect_error<TypeError>([&] { array_str(a, {.suppress_small = true, .suppress = true}); },
                          "printoptions: suppress_small and suppress are one option; give one");
}

}  // namespace
}  // namespace cupyxx
