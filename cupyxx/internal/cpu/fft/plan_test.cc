// SPDX-License-Identifier: MIT
// Against the sum itself, in long double.
#include "cupyxx/internal/cpu/fft/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace cupyxx::internal::cpu {
namespace {

using Sum = std::pair<long double, long double>;

// X[k] by its definition.
template <class P>
Sum term_of_definition(const std::vector<complex<P>>& x, std::int64_t k) {
  const auto n = static_cast<std::int64_t>(x.size());
  Sum sum{};
  for (std::int64_t j = 0; j < n; ++j) {
    const long double angle = -2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(j * k % n) / static_cast<long double>(n);
    const long double c = std::cos(angle), s = std::sin(angle);
    const complex<P> z = x[static_cast<std::size_t>(j)];
    sum.first += z.re * c - z.im * s;
    sum.second += z.re * s + z.im * c;
  }
  return sum;
}

// The transform of x as the last of `lanes`, beside others of NaN.
template <class P>
std::vector<complex<P>> transform(const std::vector<complex<P>>& x, std::int64_t lanes) {
  const auto n = static_cast<std::int64_t>(x.size()), lane = lanes - 1;
  const FftPlan<P> plan(n);
  SplitVector<P> work(n * lanes), scratch(plan.scratch_size() * lanes);
  std::fill_n(work.data().re, n * lanes, std::numeric_limits<P>::quiet_NaN());
  std::fill_n(work.data().im, n * lanes, std::numeric_limits<P>::quiet_NaN());
  fft_loops<P>().split(x.data(), work.data() + lane, n, lanes);
  std::vector<complex<P>> result(x.size());
  const Split<P> found = plan.run(work.data(), scratch.data(), lanes);
  fft_loops<P>().join(found + lane, 1, result.data(), n, lanes);
  return result;
}

// Under sanitizers loops are not vectorised, and their sums have another order.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlack = 2;
#else
constexpr double kSlack = 1;
#endif

template <class P>
void expect_transform(std::int64_t n, double bound, std::int64_t lanes = 1) {
  std::vector<complex<P>> x;
  double squares = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const complex<P> z{static_cast<P>(std::sin(1.3 * j + 0.1)), static_cast<P>(j % 7 - 2.5)};
    squares += z.re * z.re + z.im * z.im;
    x.push_back(z);
  }
  const std::vector<complex<P>> result = transform(x, lanes);
  const auto step = std::max<std::int64_t>(1, n / 64);
  for (std::int64_t k = 0; k < n; k += step) {
    const auto [re, im] = term_of_definition(x, k);
    const complex<P> got = result[static_cast<std::size_t>(k)];
    const auto distance = static_cast<double>(std::hypot(got.re - re, got.im - im));
    EXPECT_LE(distance, kSlack * bound * std::sqrt(squares))
        << "number " << k << " of " << n << ", " << lanes << " lanes";
  }
}

// Both directions of n real numbers.
template <class P>
void expect_real_transform(std::int64_t n, double bound) {
  std::vector<P> x;
  std::vector<complex<P>> numbers;
  double squares = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    x.push_back(static_cast<P>(std::cos(0.37 * j * j)));
    numbers.push_back(x.back());
    squares += x.back() * x.back();
  }
  const RealFftPlan<P> plan(n);
  SplitVector<P> work(plan.size()), scratch(plan.scratch_size());
  std::vector<complex<P>> result(static_cast<std::size_t>(n / 2 + 1));
  plan.run(x.data(), 1, result.data(), work.data(), scratch.data());
  for (std::int64_t k = 0; k <= n / 2; k += std::max<std::int64_t>(1, n / 64)) {
    const auto [re, im] = term_of_definition(numbers, k);
    const complex<P> got = result[static_cast<std::size_t>(k)];
    const auto distance = static_cast<double>(std::hypot(got.re - re, got.im - im));
    EXPECT_LE(distance, bound * std::sqrt(squares)) << "number " << k << " of " << n;
  }

  result.front().im = 3;  // does not count
  if (n % 2 == 0) result.back().im = 4;
  std::vector<P> again(x.size());
  plan.run_inverse(result.data(), 1 / static_cast<P>(n), again.data(), work.data(), scratch.data());
  for (std::size_t j = 0; j < x.size(); ++j) {
    EXPECT_NEAR(again[j], x[j], 10 * bound) << j << " of " << n;
  }
}

TEST(FftPlan, EveryLengthUpToAHundred) {
  for (std::int64_t n = 1; n <= 100; ++n) {
    expect_transform<double>(n, 3e-15);
    expect_transform<float>(n, 2e-6);
  }
}

TEST(FftPlan, LongerProductsAndPrimes) {
  for (const std::int64_t n :
       {64, 128, 243, 256, 512, 625, 1001, 1024, 1009, 2 * 1009, 3600, 2048, 4096, 8191, 30030}) {
    expect_transform<double>(n, 3e-15);
    expect_transform<float>(n, 2e-6);
  }
}

TEST(FftPlan, LanesSideBySide) {
  for (const std::int64_t n :
       {1, 2, 3, 4, 7, 8, 30, 31, 37, 64, 79, 97, 113, 127, 243, 316, 1009}) {
    for (const std::int64_t lanes : {4, 7, 8, 16}) {
      expect_transform<double>(n, 3e-15, lanes);
      expect_transform<float>(n, 2e-6, lanes);
    }
  }
}

TEST(FftPlan, FewAndLongTransformsRunAlone) {
  EXPECT_EQ(FftPlan<double>(64).lanes_for(3), 1);
  EXPECT_EQ(FftPlan<double>(64).lanes_for(5), 5);
  EXPECT_EQ(FftPlan<double>(64).lanes_for(1000), 8);
  EXPECT_EQ(FftPlan<float>(64).lanes_for(1000), 16);
  EXPECT_EQ(FftPlan<double>(1 << 16).lanes_for(1000), 1);
}

TEST(FftPlan, TurnsOfLongFirstPassesAreMadeInBlocks) {
  for (const std::int64_t n : {80000, 7 * 14641}) {
    expect_transform<double>(n, 3e-15);
    expect_transform<float>(n, 2e-6);
  }
}

TEST(RealFftPlan, LanesAreTheRows) {
  constexpr std::int64_t kRows = 5;
  for (const std::int64_t n : {1, 2, 5, 16, 37, 74, 158, 316}) {
    const std::int64_t terms = n / 2 + 1;
    std::vector<double> x, again(static_cast<std::size_t>(kRows * n));
    for (std::int64_t i = 0; i < kRows * n; ++i) x.push_back(std::cos(0.37 * i * i));
    const RealFftPlan<double> plan(n);
    SplitVector<double> work(plan.size() * kRows), scratch(plan.scratch_size() * kRows);
    std::vector<complex<double>> rows(static_cast<std::size_t>(kRows * terms)), row(rows);
    plan.run(x.data(), 0.5, rows.data(), work.data(), scratch.data(), kRows);
    for (std::int64_t i = 0; i < kRows; ++i) {
      plan.run(x.data() + i * n, 0.5, row.data() + i * terms, work.data(), scratch.data());
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_NEAR(rows[k].re, row[k].re, 1e-13) << k << " of rows of " << n;
      EXPECT_NEAR(rows[k].im, row[k].im, 1e-13) << k << " of rows of " << n;
    }
    plan.run_inverse(rows.data(), 2 / static_cast<double>(n), again.data(), work.data(),
                     scratch.data(), kRows);
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_NEAR(again[k], x[k], 1e-14) << k << " of rows of " << n;
    }
  }
}

TEST(RealFftPlan, BothDirectionsOfEveryLengthUpToAHundred) {
  for (std::int64_t n = 1; n <= 100; ++n) {
    expect_real_transform<double>(n, 3e-15);
    expect_real_transform<float>(n, 2e-6);
  }
  for (const std::int64_t n : {1000, 1024, 2 * 1009, 4095, 4096, 30030}) {
    expect_real_transform<double>(n, 3e-15);
    expect_real_transform<float>(n, 2e-6);
  }
}

TEST(FftPlan, RootsLieOnTheCircleExactly) {
  for (const std::int64_t n : {1, 2, 3, 8, 12, 1000, 65537, 10000000}) {
    const RootsOfUnity roots(n);
    for (std::int64_t k = 0; k < n; k += std::max<std::int64_t>(1, n / 100)) {
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(n);
      const complex<double> root = root_of_unity(k, n);
      EXPECT_NEAR(root.re, static_cast<double>(std::cos(angle)), 1.2e-16) << k << " of " << n;
      EXPECT_NEAR(root.im, static_cast<double>(std::sin(angle)), 1.2e-16) << k << " of " << n;
      EXPECT_NEAR(roots(k).re, static_cast<double>(std::cos(angle)), 1.2e-16) << k << " of " << n;
      EXPECT_NEAR(roots(k).im, static_cast<double>(std::sin(angle)), 1.2e-16) << k << " of " << n;
    }
  }
  EXPECT_EQ(RootsOfUnity(12)(3).re, 0);
  EXPECT_EQ(RootsOfUnity(1000000)(500000).re, -1);
  EXPECT_EQ(root_of_unity(3, 12).re, 0);
  EXPECT_EQ(root_of_unity(6, 12).re, -1);
}

}  // namespace
}  // namespace cupyxx::internal::cpu
