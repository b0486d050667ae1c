// SPDX-License-Identifier: MIT
// Running sums, order statistics and histograms on sizes that take several blocks, and messages;
// the reference cases of //conformance hold the rest.
#include "cupyxx/statistics.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_allclose;
using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Statistics : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Statistics);

TEST_P(Statistics, RunningSumsOfEveryLengthAreExact) {
  for (const std::int64_t n : {1, 31, 512, 513, 4096, 4097, 100000, 5000000}) {
    std::vector<std::int64_t> expected(static_cast<std::size_t>(2 * n));
    for (std::int64_t i = 0; i < 2 * n; ++i) {
      const std::int64_t before = i % n == 0 ? 0 : expected[static_cast<std::size_t>(i - 1)];
      expected[static_cast<std::size_t>(i)] = before + i % 11 - 5;
    }
    const ndarray a = (arange(2 * n) % 11 - 5).reshape({2, n});
    EXPECT_EQ(cumsum(a, -1).to_vector<std::int64_t>(), expected) << n;
    EXPECT_EQ(cumsum(a.astype(float64).T(), 0).T().to_vector<std::int64_t>(), expected) << n;
  }
}

TEST_P(Statistics, RunningSumsRoundLittle) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(70000);
  std::vector<double> expected(values.size());
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = uniform(generator);
    expected[i] = sum += static_cast<double>(values[i]);
  }
  const ndarray result = cumsum(array(values));
  EXPECT_EQ(result.dtype(), float32);
  expect_allclose(result, array(expected), 1e-4, 1e-2);
  expect_array_equal(result, cumsum(array(values)));
}

TEST_P(Statistics, RunningProductsWrapAround) {
  const ndarray three = full({5000}, 3, int64);
  std::vector<std::uint64_t> expected(5000);
  std::uint64_t product = 1;
  for (std::uint64_t& x : expected) x = product *= 3;
  expect_array_equal(cumprod(three), array(expected).view(int64));
  const ndarray out = zeros({2}, int32);
  cumsum(array({1.5, 2.7}), {}, {.out = out});
  expect_elements<int>(out, {2}, {1, 4});
}

TEST_P(Statistics, CountsAndWeighsBins) {
  std::mt19937 generator(2);
  std::vector<std::int64_t> values(20000), counts(300);
  std::vector<double> weights(values.size()), sums(counts.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = generator() % 7 == 0 ? 11 : static_cast<std::int64_t>(generator() % 300);
    weights[i] = static_cast<double>(generator()) * 0x1p-32;
    ++counts[static_cast<std::size_t>(values[i])];
    sums[static_cast<std::size_t>(values[i])] += weights[i];
  }
  const ndarray x = array(values);
  expect_array_equal(bincount(x, {.minlength = 300}), array(counts));
  // In order, so to the last bit.
  expect_array_equal(bincount(x, {.weights = array(weights), .minlength = 300}), array(sums));
  expect_array_equal(bincount(x, array(weights), 300), array(sums));
  const HistogramResult found = histogram(x, 300, {.range = std::pair(0.0, 300.0)});
  expect_array_equal(found.hist, array(counts));
  EXPECT_EQ(found.bin_edges.size(), 301);
}

TEST_P(Statistics, ComplexWeightsKeepBothParts) {
  using Z = complex<double>;
  const ndarray a = array({-3.0, 0.5, 1.5, 3.0, 9.0});
  const ndarray weights = array(std::vector<Z>{{1, 2}, {3, -4}, {5, 6}, {7, 8}, {100, 100}});
  const ndarray expected = array(std::vector<Z>{{1, 2}, {15, 10}});
  expect_array_equal(histogram(a, 2, {.range = {-3, 3}, .weights = weights}).hist, expected);
  expect_array_equal(histogram(a, array({-3, 0, 3}), {.weights = weights}).hist, expected);
  EXPECT_EQ(histogram(a, array({1.0}), {.weights = weights}).hist.dtype(), complex128);
}

TEST_P(Statistics, OrderStatisticsPassOverLongRows) {
  const ndarray a = (arange(3 * 5001) * 7919 % 5001).reshape({3, 5001});
  expect_elements<double>(median(a, 1), {3}, {2500, 2500, 2500});
  expect_elements<double>(percentile(a, array({0, 10, 100}), 1)(slice(), 0), {3}, {0, 500, 5000});
  EXPECT_EQ(quantile(a, 0.25, 1, {.method = QuantileMethod::lower}).dtype(), int64);
  const ndarray some = array({1.0, kNan, 3.0});
  expect_elements<double>(array({nanmean(some).item<double>(), nanmax(some).item<double>(),
                                 nansum(some).item<double>(), nanstd(some).item<double>()}),
                          {4}, {2, 3, 4, 1});
  EXPECT_TRUE(isnan(median(some)).item<bool>());
}

TEST_P(Statistics, NanIsNoExtremeBesideComplexInfinities) {
  const double infinity = std::numeric_limits<double>::infinity();
  using C = complex<double>;
  const ndarray a = array({C(kNan, 0), C(infinity, 2), C(-infinity, -1), C(kNan, 1)});
  for (const dtype type : {complex64, complex128}) {
    const ndarray rows = a.astype(type).reshape({2, 2});
    expect_array_equal(nanmin(rows, 1), a(slice(1, 3)).astype(type));
    expect_array_equal(nanmax(rows, 1), a(slice(1, 3)).astype(type));
    expect_array_equal(nanmin(rows), a(2).astype(type));
    expect_array_equal(nanmax(rows), a(1).astype(type));
  }
}

TEST_P(Statistics, SaysWhatIsWrong) {
  const ndarray a = array({3, 1, 2});
  const ndarray nothing = zeros({0, 0, 4});  // refused where the result would have no elements, too
  expect_error<ValueError>([&] { nanmin(nothing, -2); }, "which has no identity; (0, 0, 4)");
  expect_error<ValueError>([&] { ptp(nothing, {0, 2}); }, "which has no identity; (0, 0, 4)");
  expect_error<ValueError>([&] { diff(a, -1); }, "diff: the order must not be negative; -1");
  expect_error<ValueError>([&] { diff(array(1)); },
                           "diff: takes an array of at least one axis; ()");
  expect_error<ValueError>(
      [&] {
        bincount(array({1, -4}));
      },
      "bincount: the array must have no negative elements; -4");
  expect_error<TypeError>([&] { bincount(ones({2})); },
                          "bincount: cannot cast from float64 to int64 by the rule 'safe'");
  expect_error<ValueError>([&] { bincount(a, {.weights = ones({2})}); },
                           "bincount: the weights and the array differ in length; (2,) and (3,)");
  EXPECT_EQ(histogram_bin_edges(array({1, 2, 5}), 4).to_vector<double>(),
            (std::vector<double>{1, 2, 3, 4, 5}));
  expect_error<ValueError>([&] { histogram(a, 0); },
                           "histogram: the number of bins must be positive; 0");
  expect_error<ValueError>(
      [&] {
        histogram(a, array({2, 1}));
      },
      "histogram: the edges of the bins must increase; shape (2,)");
  expect_error<ValueError>(
      [&] {
        histogram(array({1.0, kNan}));
      },
      "histogram: the range is not finite; (nan, nan)");
  expect_error<ValueError>([&] { percentile(a, 101); },
                           "percentile: q must be in the range [0, 100]; 101");
  expect_error<IndexError>([&] { quantile(zeros({0}), 0.5); },
                           "quantile: there is no element to choose; (0,)");
  expect_error<ValueError>([&] { average(a, {}, {.weights = zeros({3})}); },
                           "average: the weights sum to zero; shape (3,)");
  expect_error<TypeError>(
      [&] {
        average(a.reshape({3, 1}), {}, {.weights = ones({3})});
      },
      "average: one axis must be given when the shapes of a and weights differ; "
      "(3, 1) and (3,)");
  expect_error<ValueError>([&] { nanargmax(array({kNan})); },
                           "nanargmax: a slice of only NaN has no extreme; shape (1,)");
  expect_error<ShapeError>([&] { cumsum(a, {}, {.out = zeros({2})}); },
                           "cumsum: out has shape (2,), the result (3,)");
}

}  // namespace
}  // namespace cupyxx
