// SPDX-License-Identifier: MIT
// Numbers that are made many at a time are those that each element draws by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/internal/random/sample.h"
#include "cupyxx/ops/random_lists.h"

namespace cupyxx::internal {
namespace {

template <class Distribution, class T>
void check(Sample sample, const std::vector<double>& p) {
  // Fewer than a batch, whole ones, and several threads' worth.
  for (const std::int64_t n : {1, 63, 64, 1000, 40000}) {
    kernels::SampleArgs args{};
    args.count = static_cast<int>(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) args.values[k] = p[k];
    // The places of the last elements need the upper word.
    args.stream = random::philox_stream({20150601, (1ul << 32) - 500});
    const ndarray out = empty({n}, dtype_of<T>());
    sample_random(sample, out, args, {});
    const auto* found = static_cast<const T*>(out.data());
    for (std::int64_t i = 0; i < n; ++i) {
      random::Draws draws(args.stream, static_cast<unsigned long>(i));
      const auto expected = static_cast<T>(Distribution::draw(draws, args.values));
      ASSERT_EQ(found[i], expected) << sample_info(sample).name << " " << p[0] << ", element " << i;
    }
  }
}

TEST(SampleBatches, GammasAreThoseOfEachElement) {
  for (const double shape : {0.0, 0.3, 1.0, 1.01, 3.0, 250.0, 1e9}) {
    check<random::dist::Gamma, double>(Sample::gamma, {shape, 2.5});
    check<random::dist::Gamma, float>(Sample::gamma, {shape, 1.0});
    if (shape > 0) check<random::dist::Chisquare, double>(Sample::chisquare, {2 * shape});
  }
}

TEST(SampleBatches, BetasAreThoseOfEachElement) {
  for (const double a : {0.5, 1.0, 2.0, 70.0}) {
    for (const double b : {0.5, 1.0, 3.0}) {
      check<random::dist::Beta, double>(Sample::beta, {a, b});
      check<random::dist::Beta, float>(Sample::beta, {a, b});
    }
  }
}

TEST(SampleBatches, CountsAreThoseOfEachElement) {
  for (const double mean : {0.0, 1e-9, 0.5, 5.0, 9.999, 10.0, 300.0}) {
    check<random::dist::Poisson, long>(Sample::poisson, {mean});
  }
  for (const double n : {0.0, 1.0, 3.0, 20.0, 199.0, 250.0, 1e15}) {
    for (const double p : {0.0, 1e-16, 1e-3, 0.3, 0.5, 0.501, 0.97, 1.0}) {
      check<random::dist::Binomial, long>(Sample::binomial, {n, p});
    }
  }
}

// What kernels ask of parameters in arrays; the two that are wrong come to the front.
template <class Distribution>
std::vector<double> disorder(std::vector<double> of) {
  double p[kernels::kSampleParameters] = {};
  std::copy(of.begin(), of.end(), p);
  if (!kernels::are_disordered<Distribution>(p)) return {};
  return {p[0], p[1]};
}

TEST(SampleParameters, AreInOrder) {
  using Numbers = std::vector<double>;
  using random::dist::Hypergeometric, random::dist::Triangular, random::dist::UniformAt;
  EXPECT_EQ(disorder<UniformAt>({2, 1}), (Numbers{2, 1}));
  EXPECT_EQ(disorder<UniformAt>({2, 2}), Numbers{});
  EXPECT_EQ(disorder<Triangular>({1, 2, 3}), Numbers{});
  EXPECT_EQ(disorder<Triangular>({1, 1, 3}), Numbers{});
  EXPECT_EQ(disorder<Triangular>({1, 3, 3}), Numbers{});
  EXPECT_EQ(disorder<Triangular>({2, 1, 3}), (Numbers{2, 1}));
  EXPECT_EQ(disorder<Triangular>({1, 4, 3}), (Numbers{4, 3}));
  EXPECT_EQ(disorder<Triangular>({1, 1, 1}), (Numbers{1, 1}));
  EXPECT_EQ(disorder<Hypergeometric>({2, 3, 5}), Numbers{});
  EXPECT_EQ(disorder<Hypergeometric>({2, 3, 6}), (Numbers{6, 5}));
  EXPECT_EQ(disorder<random::dist::Gamma>({2, 1}), Numbers{});
}

}  // namespace
}  // namespace cupyxx::internal
