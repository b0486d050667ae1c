// SPDX-License-Identifier: MIT
// Every distribution against SciPy's probabilities and moments, and against the host's bits. Seeds
// are fixed, so nothing here fails by chance.
#include "cupyxx/random/distributions_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random/testdata/bits.h"
#include "cupyxx/random/testdata/distributions.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using testdata::Distribution;
using testing::expect_array_equal;
using testing::expect_error;

class DistributionTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(DistributionTest);

std::vector<Param> params(const Distribution& d) {
  return {d.parameters.begin(), d.parameters.end()};
}

std::string title(const Distribution& d) {
  std::string text = d.name;
  for (const double p : d.parameters) text += " " + std::to_string(p);
  return text;
}

// The chi-square statistic of counts in bins is normal enough beyond 20 degrees of freedom;
// Wilson's and Hilferty's cube root serves fewer as well. 4.5 deviations are one in 300,000.
void expect_masses(const std::vector<double>& values, const Distribution& d) {
  std::vector<double> counts(d.masses.size());
  for (const double v : values) {
    const auto bin = std::lower_bound(d.edges.begin(), d.edges.end(), v) - d.edges.begin();
    ++counts[static_cast<std::size_t>(bin)];
  }
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = d.masses[i] * static_cast<double>(values.size());
    statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  const double freedom = static_cast<double>(counts.size() - 1), t = 2 / (9 * freedom);
  const double deviations = (std::cbrt(statistic / freedom) - (1 - t)) / std::sqrt(t);
  EXPECT_LT(deviations, 4.5) << title(d) << ": chi-square " << statistic;
}

TEST_P(DistributionTest, HasTheProbabilitiesAndMomentsOfSciPy) {
  for (const Distribution& d : testdata::kDistributions) {
    for (const dtype type : {float64, float32}) {
      RandomState state(20151111);
      const auto values = draw(state, d.name, params(d), {100000}, type).to_vector<double>();
      expect_masses(values, d);
      if (std::isnan(d.mean) || std::isnan(d.variance)) continue;
      double mean = 0, variance = 0;
      for (const double v : values) mean += v / 1e5;
      for (const double v : values) variance += (v - d.mean) * (v - d.mean) / 1e5;
      EXPECT_NEAR(mean, d.mean, 5 * std::sqrt(d.variance / 1e5)) << title(d);
      const std::string name = d.name;
      // Heavy tails: the fourth moment, which bounds the variance's error, is infinite.
      if (name == "f" || name == "noncentral_f" || name == "standard_t" || name == "pareto") {
        continue;
      }
      EXPECT_NEAR(variance, d.variance, 0.06 * d.variance) << title(d);
    }
  }
}

TEST_P(DistributionTest, NeighboursAreNotCorrelated) {
  for (const Distribution& d : testdata::kDistributions) {
    if (std::isnan(d.mean) || std::isnan(d.variance)) continue;
    if (std::string(d.name) == "f" || std::string(d.name) == "noncentral_f") continue;
    RandomState state(11);
    const auto values = draw(state, d.name, params(d), {100000}).to_vector<double>();
    for (const std::size_t lag : {1, 2, 3, 4, 32}) {
      double sum = 0;
      for (std::size_t i = lag; i < values.size(); ++i) {
        sum += (values[i] - d.mean) * (values[i - lag] - d.mean);
      }
      const auto n = static_cast<double>(values.size() - lag);
      EXPECT_NEAR(sum / n / d.variance, 0, 5 / std::sqrt(n)) << title(d) << ", lag " << lag;
    }
  }
}

std::uint64_t hash_of(const ndarray& a) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const std::uint8_t byte : a.view(uint8).to_vector<std::uint8_t>()) {
    hash = (hash ^ byte) * 1099511628211u;
  }
  return hash;
}

std::string line(const std::string& name, std::uint64_t hash) {
  return "    {\"" + name + "\", " + std::to_string(hash) + "u},\n";
}

// Devices approximate a square root of these.
bool is_normal_float32(const std::string& name) {
  return name.starts_with("normal ") && name.ends_with(" float32");
}

// After a change of a method that is meant, the text that this prints goes into testdata/bits.h.
TEST_P(DistributionTest, DrawsTheSameBitsOnEveryDevice) {
  const bool on_host = device().is_cpu();
  std::string text, expected;
  for (const auto& [name, hash] : testdata::kBits) {
    if (on_host || !is_normal_float32(name)) expected += line(name, hash);
  }
  const auto check = [&](const std::string& name, const ndarray& a) {
    if (on_host || !is_normal_float32(name)) text += line(name, hash_of(a));
  };
  for (const Distribution& d : testdata::kDistributions) {
    for (const dtype type : {float64, float32}) {
      RandomState state(42);
      check(title(d) + " " + std::string(type.name()),
            draw(state, d.name, params(d), {1000}, type));
    }
  }
  RandomState state(42);
  check("multinomial", state.multinomial(1000, array({0.1, 0.25, 0.05, 0.6}), {250}));
  check("dirichlet", state.dirichlet(array({0.01, 0.5, 2.0, 30.0}), {250}));
  check("permutation", state.permutation(1000));
  check("choice", state.choice(4, {1000}, {.p = array({0.1, 0.25, 0.05, 0.6})}));
  check("choice without replacement",
        state.choice(1000, {500}, {.replace = false, .p = full({1000}, 1e-3)}));
  EXPECT_EQ(text, expected);
}

std::vector<float> standard_normals(const Device& device) {
  const DeviceScope scope(device);
  return RandomState(3).standard_normal({1000003}, {.dtype = float32}).to_vector<float>();
}

// Floats of one sign are in the order of their bits.
int ulps_between(float x, float y) {
  if (std::signbit(x) != std::signbit(y)) return x == y ? 0 : 1 << 30;
  return std::abs(std::bit_cast<int>(x) - std::bit_cast<int>(y));
}

TEST_P(DistributionTest, NormalFloatsAreWithinFourUlpOfTheHosts) {
  const auto here = standard_normals(device()), host = standard_normals(Device::cpu());
  int most = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    most = std::max(most, ulps_between(here[i], host[i]));
  }
  EXPECT_LE(most, 4);
}

// Arrays of equal parameters draw what one number draws, except where a number has a faster way.
TEST_P(DistributionTest, ParametersBroadcast) {
  for (const Distribution& d : testdata::kDistributions) {
    if (d.parameters.empty()) continue;
    std::vector<Param> arrays;
    for (const double p : d.parameters) arrays.emplace_back(full({3, 1}, p));
    RandomState state(5);
    const ndarray a = draw(state, d.name, arrays, {2, 3, 4});
    EXPECT_EQ(a.shape(), Shape({2, 3, 4})) << d.name;
    EXPECT_EQ(state.offset(), 24u);
    const std::string name = d.name;
    if (name == "normal" || name == "uniform" || name == "exponential") continue;
    RandomState again(5);
    expect_array_equal(a, draw(again, d.name, params(d), {2, 3, 4}));
  }
  RandomState state(5);
  const ndarray means = array({0.0, 1000.0, 2e6});
  const ndarray counts = state.poisson(means.reshape({3, 1}), {3, 1000});
  EXPECT_EQ(state.poisson(means).shape(), Shape({3}));
  for (int i = 0; i < 3; ++i) {
    const auto mean = means(i).item<double>();
    EXPECT_NEAR(counts(i).mean().item<double>(), mean, 5 * std::sqrt(mean / 1000)) << i;
  }
  const ndarray shifted = state.normal({1000, 2}, {.loc = array({-50, 50})});
  EXPECT_LT(shifted(ellipsis, 0).max().item<double>(), -40);
  EXPECT_GT(shifted(ellipsis, 1).min().item<double>(), 40);
}

TEST_P(DistributionTest, MultinomialSharesItsTrials) {
  RandomState state(3);
  const ndarray p = array({0.5, 0.125, 0.0, 0.375});
  const ndarray counts = state.multinomial(100, p, {20, 500});
  EXPECT_EQ(counts.shape(), Shape({20, 500, 4}));
  EXPECT_EQ(counts.dtype(), int64);
  expect_array_equal(counts.sum(-1), full({20, 500}, 100));
  const auto mean = counts.mean({0, 1}).to_vector<double>();
  const auto variance = counts.var({0, 1}).to_vector<double>();
  for (std::size_t i = 0; i < 4; ++i) {
    const double q = p.to_vector<double>()[i];
    EXPECT_NEAR(mean[i], 100 * q, 5 * std::sqrt(100 * q * (1 - q) / 1e4)) << i;
    EXPECT_NEAR(variance[i], 100 * q * (1 - q), 7 * q) << i;
  }
  EXPECT_EQ(state.multinomial(0, p).to_vector<int>(), std::vector<int>(4));
  expect_error<ValueError>([&] { state.multinomial(-1, p); }, "multinomial: n < 0; -1");
  expect_error<ValueError>(
      [&] {
        state.multinomial(1, zeros({2, 2}));
      },
      "multinomial: pvals is no vector; (2, 2)");
}

TEST_P(DistributionTest, DirichletSumsToOne) {
  RandomState state(3);
  const ndarray a = state.dirichlet(array({1e-4, 0.5, 2.0}), {20000});
  EXPECT_EQ(a.shape(), Shape({20000, 3}));
  testing::expect_allclose(a.sum(-1), ones({20000}), 1e-14);
  const auto mean = a.mean(0).to_vector<double>();
  EXPECT_NEAR(mean[0], 1e-4 / 2.5001, 4e-4);
  EXPECT_NEAR(mean[1], 0.5 / 2.5001, 0.005);
  // All shapes vanish together: one of the numbers takes everything.
  const ndarray tiny = state.dirichlet(full({4}, 1e-9), {100});
  expect_array_equal(tiny.max(-1), ones({100}));
}

TEST_P(DistributionTest, MultivariateNormalHasItsCovariance) {
  RandomState state(3);
  const ndarray cov = array({{4.0, 1.0}, {1.0, 2.0}});
  const ndarray x = state.multivariate_normal(array({10.0, -10.0}), cov, {40000});
  EXPECT_EQ(x.shape(), Shape({40000, 2}));
  testing::expect_allclose(x.mean(0), array({10.0, -10.0}), 0, 0.05);
  const ndarray centred = x - x.mean(0);
  testing::expect_allclose(centred.T().dot(centred) / 40000, cov, 0, 0.1);
}

TEST_P(DistributionTest, LimitsOfParameters) {
  RandomState state(1);
  const auto all_equal = [&](const ndarray& a, double value) {
    expect_array_equal(a.astype(float64), full(a.shape(), value));
  };
  all_equal(state.normal({5}, {.loc = 3, .scale = 0}), 3);
  all_equal(state.gamma(0, {5}), 0);
  all_equal(state.weibull(0, {5}), 0);
  all_equal(state.poisson(0, {5}), 0);
  all_equal(state.binomial(0, 0.5, {5}), 0);
  all_equal(state.binomial(7, 0, {5}), 0);
  all_equal(state.binomial(7, 1, {5}), 7);
  all_equal(state.geometric(1, {5}), 1);
  all_equal(state.zipf(2000, {5}), 1);
  // Nearly all such numbers are beyond 64 bits, and are drawn again.
  EXPECT_TRUE(state.zipf(1 + 1e-15, {1000}).min().item<std::int64_t>() >= 1);
  all_equal(state.logseries(0, {5}), 1);
  all_equal(state.bernoulli(1, {5}), 1);
  all_equal(state.hypergeometric(0, 50, 20, {5}), 0);
  all_equal(state.hypergeometric(50, 0, 20, {5}), 20);
  all_equal(state.hypergeometric(30, 40, 70, {5}), 30);
  all_equal(state.hypergeometric(0, 0, 0, {5}), 0);
  all_equal(state.negative_binomial(3, 1, {5}), 0);
  EXPECT_EQ(state.negative_binomial(3, 1e-300, {5}).min().item<std::int64_t>(),
            std::numeric_limits<std::int64_t>::max());
  all_equal(state.uniform({5}, {.low = 2, .high = 2}), 2);
  const auto large = state.poisson(1e18, {1000}).to_vector<double>();
  double mean = 0;
  for (const double v : large) mean += (v - 1e18) / 1e9 / 1000;
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(1000.0));
  // Rounding never reaches the open end.
  const ndarray u = state.uniform({100000}, {.low = 1000, .high = 1001, .dtype = float32});
  EXPECT_LT(u.max().item<double>(), 1001);
  EXPECT_LT(state.uniform({100000}, {.dtype = float16}).astype(float32).max().item<double>(), 1);
}

// On the host at once; on a device at the next synchronising call.
TEST_P(DistributionTest, ArraysAreInOrderAsNumbersAre) {
  RandomState state(1);
  const ndarray one = array({1.0, 1.0}), two = array({2.0, 2.0}), mixed = array({0.0, 3.0});
  const auto refused = [this](auto draw, const char* name, const char* on_host,
                              const char* values) {
    const std::string text =
        device().is_cpu() ? message(name, ": ", on_host, "; an element")
                          : message(name, ": two parameters are in the wrong order; ", values);
    expect_error<ValueError>([&] { draw().template to_vector<double>(); }, text);
  };
  refused([&] { return state.uniform({}, {.low = two, .high = mixed}); }, "uniform",
          "high - low < 0", "2.0 and 0.0");
  refused([&] { return state.uniform({}, {.low = 1, .high = mixed}); }, "uniform", "high - low < 0",
          "1.0 and 0.0");
  EXPECT_EQ(state.uniform({}, {.low = one, .high = 1}).to_vector<double>(),
            (std::vector<double>{1, 1}));
  refused([&] { return state.triangular(two, mixed, 4); }, "triangular", "left > mode",
          "2.0 and 0.0");
  refused([&] { return state.triangular(-1, mixed, two); }, "triangular", "mode > right",
          "3.0 and 2.0");
  refused([&] { return state.triangular(one, one, one); }, "triangular", "left == right",
          "1.0 and 1.0");
  const ndarray few = array({1, 100}).astype(int8);
  refused([&] { return state.hypergeometric(few, 1, 3); }, "hypergeometric",
          "ngood + nbad < nsample", "3.0 and 2.0");
  refused([&] { return state.hypergeometric(1, 1, few); }, "hypergeometric",
          "ngood + nbad < nsample", "100.0 and 2.0");
  EXPECT_EQ(state.hypergeometric(few, few, array({2, 200})).to_vector<int>(),
            (std::vector<int>{1, 100}));
  expect_error<ShapeError>([&] { state.uniform({}, {.low = one, .high = zeros({3})}); },
                           "uniform: ");
}

TEST_P(DistributionTest, OtherDtypes) {
  RandomState state(1);
  EXPECT_EQ(state.bernoulli(0.5, {3}).dtype(), bool_);
  EXPECT_EQ(state.poisson(3, {3}).dtype(), int64);
  EXPECT_EQ(state.poisson(3, {3}, {.dtype = uint8}).dtype(), uint8);
  EXPECT_EQ(state.bernoulli(0.5, {3}, {.dtype = float32}).dtype(), float32);
  EXPECT_EQ(state.gamma(2, {3}, {.dtype = float16}).dtype(), float16);
  EXPECT_EQ(state.normal({3}, {.dtype = bfloat16_}).dtype(), bfloat16_);
  EXPECT_EQ(state.beta(2, 3).shape(), Shape());
}

TEST_P(DistributionTest, WritesIntoOut) {
  RandomState a(9), b(9);
  const ndarray expected = a.normal({4, 3}, {.dtype = float32});
  const ndarray columns = zeros({3, 4}, float32);
  const auto version = columns.version();
  b.normal({4, 3}, {.out = columns.T()});
  expect_array_equal(columns.T(), expected);
  EXPECT_GT(columns.version(), version);
  // An array that does not begin at a multiple of 16 bytes.
  const ndarray shifted = zeros({13}, float32);
  RandomState c(9);
  c.normal({}, {.out = shifted(slice(1, none))});
  expect_array_equal(shifted(slice(1, none)), expected.ravel());
  const ndarray counts = zeros({5}, int32);
  EXPECT_TRUE(c.poisson(4, {}, {.out = counts}).shares_memory(counts));
  EXPECT_GT(counts.sum().item<int>(), 0);
  expect_error<DtypeError>([&] { c.normal({13}, {.dtype = float64, .out = shifted}); },
                           "normal: out has dtype float32, the result float64");
  expect_error<ShapeError>([&] { c.normal({12}, {.out = shifted}); },
                           "normal: out has shape (13,), the result (12,)");
  ndarray locked = zeros({2});
  locked.set_writeable(false);
  expect_error<ValueError>([&] { c.normal({2}, {.out = locked}); }, "normal: out is read-only");
}

}  // namespace
}  // namespace cupyxx::random
