// SPDX-License-Identifier: MIT
// Device-safe. All distributions that draw element by element, in the order of the enumerators in
// internal/random/sample.h.
#pragma once

#include "cupyxx/ops/random_continuous.h"
#include "cupyxx/ops/random_discrete.h"

namespace cupyxx::random::dist {

/// A shifted normal's square and a chi-square of the other degrees of freedom; with one or fewer, a
/// chi-square of a Poisson number more (Johnson, Kotz, Balakrishnan: "Continuous univariate
/// distributions", 1995, chapter 29).
inline double noncentral_chisquare(Draws& d, double df, double nonc) {
  if (df > 1) {
    const double z = d.normal() + m::square_root(nonc);
    return 2.0 * standard_gamma(d, 0.5 * (df - 1.0)) + z * z;
  }
  return 2.0 * standard_gamma(d, 0.5 * df + poisson(d, 0.5 * nonc));
}

struct NoncentralChisquare {
  static constexpr const char* name = "noncentral_chisquare";
  static constexpr const char* parameters = "df nonc";
  static constexpr Check checks[] = {Check::positive, Check::mean_of_counts};
  static double draw(Draws& d, const double* p) { return noncentral_chisquare(d, p[0], p[1]); }
};

struct NoncentralF {
  static constexpr const char* name = "noncentral_f";
  static constexpr const char* parameters = "dfnum dfden nonc";
  static constexpr Check checks[] = {Check::positive, Check::positive, Check::mean_of_counts};
  static double draw(Draws& d, const double* p) {
    const double x = noncentral_chisquare(d, p[0], p[2]) / p[0];
    return x / (2.0 * standard_gamma(d, 0.5 * p[1]) / p[1]);
  }
};

using ContinuousList =
    DistributionList<NormalAt, Lognormal, Gamma, Beta, Chisquare, F, StudentT, Cauchy, Laplace,
                     Gumbel, Logistic, ExponentialAt, Rayleigh, Weibull, Pareto, Power, Triangular,
                     UniformAt, Wald, VonMises, NoncentralChisquare, NoncentralF>;

using DiscreteList = DistributionList<Poisson, Binomial, Bernoulli, NegativeBinomial, Geometric,
                                      Zipf, Logseries, Hypergeometric, IntegersAt, IntegersOfWords>;

}  // namespace cupyxx::random::dist
