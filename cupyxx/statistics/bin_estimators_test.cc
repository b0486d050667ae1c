// SPDX-License-Identifier: MIT
// Numbers of bins as of NumPy 1.24; scopes of printing options.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/printing.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class BinEstimatorsTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(BinEstimatorsTest);

std::map<std::string, std::int64_t> bins_of(const ndarray& x,
                                            const HistogramOptions& options = {}) {
  std::map<std::string, std::int64_t> all;
  for (const char* rule : {"auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"}) {
    all[rule] = histogram_bin_edges(x, rule, options).size() - 1;
  }
  return all;
}
using Bins = std::map<std::string, std::int64_t>;

TEST_P(BinEstimatorsTest, ChooseAsNumpyDoes) {
  const ndarray steps = arange(1, 1001) * 0.6180339887498949;
  const ndarray even = steps - floor(steps);
  EXPECT_EQ(bins_of(even), (Bins{{"auto", 11},
                                 {"fd", 10},
                                 {"doane", 11},
                                 {"scott", 10},
                                 {"stone", 1},
                                 {"rice", 20},
                                 {"sturges", 11},
                                 {"sqrt", 32}}));
  EXPECT_EQ(bins_of(even, {.range = std::pair{0.1, 0.7}}), (Bins{{"auto", 11},
                                                                 {"fd", 9},
                                                                 {"doane", 11},
                                                                 {"scott", 9},
                                                                 {"stone", 2},
                                                                 {"rice", 17},
                                                                 {"sturges", 11},
                                                                 {"sqrt", 25}}));
  const ndarray skew = -log(even);
  EXPECT_EQ(bins_of(skew), (Bins{{"auto", 33},
                                 {"fd", 33},
                                 {"doane", 16},
                                 {"scott", 21},
                                 {"stone", 24},
                                 {"rice", 20},
                                 {"sturges", 11},
                                 {"sqrt", 32}}));
  const ndarray integers = floor(even * 37).astype(int64);
  EXPECT_EQ(bins_of(integers), (Bins{{"auto", 11},
                                     {"fd", 10},
                                     {"doane", 11},
                                     {"scott", 10},
                                     {"stone", 100},
                                     {"rice", 20},
                                     {"sturges", 11},
                                     {"sqrt", 32}}));
  EXPECT_EQ(bins_of(array({1.0, 2.0, 4.0, 8.0, 16.0})), (Bins{{"auto", 4},
                                                              {"fd", 3},
                                                              {"doane", 5},
                                                              {"scott", 2},
                                                              {"stone", 2},
                                                              {"rice", 4},
                                                              {"sturges", 4},
                                                              {"sqrt", 3}}));
  for (const ndarray& x : {full({7}, 3.0), array({2.0}), zeros({0}), zeros({2, 3}, bool_)}) {
    for (const auto& [rule, bins] : bins_of(x)) EXPECT_EQ(bins, 1) << rule;
  }
  const HistogramResult found = histogram(skew.reshape({10, 100}).T(), "auto");
  expect_elements<int>(found.hist, {33},
                       {197, 157, 127, 102, 82, 66, 53, 43, 34, 27, 22, 18, 14, 11, 9, 8, 6,
                        5,   4,   3,   2,   2,  2,  1,  1,  1,  0,  1,  1,  0,  0,  0, 1});
  expect_array_equal(found.bin_edges, histogram(skew, 33).bin_edges);
  EXPECT_EQ(histogram(skew, "fd", {.density = true}).hist.dtype(), float64);
}

TEST_P(BinEstimatorsTest, RefuseOthers) {
  const ndarray x = arange(5.0);
  expect_error<ValueError>([&] { histogram(x, "best"); },
                           "histogram: 'best' is not a valid estimator for bins");
  expect_error<TypeError>(
      [&] { histogram(x, "auto", {.weights = x}); },
      "histogram: the number of bins cannot be estimated for weighted data; 'auto'");
  expect_error<TypeError>([] { histogram(ndarray(), "auto"); }, "histogram: the array is None");
  expect_error<DtypeError>([&] { histogram(x.astype(complex64), "auto"); },
                           "histogram: no loop for complex64");
}

std::string printed(const ndarray& a) {
  std::ostringstream text;
  text << a;
  return text.str();
}

TEST(Printoptions, HoldUntilTheEndOfTheScope) {
  const ndarray a = array({1.0 / 3, 2.0 / 3});
  {
    const printoptions outer({.precision = 3});
    EXPECT_EQ(printed(a), "[0.333 0.667]");
    {
      const printoptions inner({.precision = 1, .edgeitems = 1});
      EXPECT_EQ(printed(a), "[0.3 0.7]");
      EXPECT_EQ(inner.options().edgeitems, 1);
    }
    EXPECT_EQ(printed(a), "[0.333 0.667]");
    EXPECT_EQ(get_printoptions().edgeitems, 3);
  }
  EXPECT_EQ(printed(a), "[0.33333333 0.66666667]");
  expect_error<ValueError>([] { const printoptions wrong({.precision = -1}); },
                           "printoptions: the precision must not be negative; -1");
  EXPECT_EQ(printed(a), "[0.33333333 0.66666667]");
}

}  // namespace
}  // namespace cupyxx
