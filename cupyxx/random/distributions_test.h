// SPDX-License-Identifier: MIT
// The distributions by name, for tests that walk over all of them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "cupyxx/random/random_state.h"

namespace cupyxx::random {

/// Draws `size` numbers of a distribution with parameters in the order of its scalar ones.
inline ndarray draw(RandomState& r, const std::string& name, const std::vector<Param>& p,
                    const Shape& size, dtype type = {}) {
  const DrawOptions o{.dtype = type};
  if (name == "normal") return r.normal(size, {.loc = p[0], .scale = p[1], .dtype = type});
  if (name == "lognormal") return r.lognormal(size, {.mean = p[0], .sigma = p[1], .dtype = type});
  if (name == "gamma") return r.gamma(p[0], size, {.scale = p[1], .dtype = type});
  if (name == "beta") return r.beta(p[0], p[1], size, o);
  if (name == "chisquare") return r.chisquare(p[0], size, o);
  if (name == "f") return r.f(p[0], p[1], size, o);
  if (name == "standard_t") return r.standard_t(p[0], size, o);
  if (name == "standard_cauchy") return r.standard_cauchy(size, o);
  if (name == "laplace") return r.laplace(size, {.loc = p[0], .scale = p[1], .dtype = type});
  if (name == "gumbel") return r.gumbel(size, {.loc = p[0], .scale = p[1], .dtype = type});
  if (name == "logistic") return r.logistic(size, {.loc = p[0], .scale = p[1], .dtype = type});
  if (name == "exponential") return r.exponential(size, {.scale = p[0], .dtype = type});
  if (name == "rayleigh") return r.rayleigh(size, {.scale = p[0], .dtype = type});
  if (name == "weibull") return r.weibull(p[0], size, o);
  if (name == "pareto") return r.pareto(p[0], size, o);
  if (name == "power") return r.power(p[0], size, o);
  if (name == "triangular") return r.triangular(p[0], p[1], p[2], size, o);
  if (name == "uniform") return r.uniform(size, {.low = p[0], .high = p[1], .dtype = type});
  if (name == "wald") return r.wald(p[0], p[1], size, o);
  if (name == "vonmises") return r.vonmises(p[0], p[1], size, o);
  if (name == "noncentral_chisquare") return r.noncentral_chisquare(p[0], p[1], size, o);
  if (name == "noncentral_f") return r.noncentral_f(p[0], p[1], p[2], size, o);
  if (name == "hypergeometric") return r.hypergeometric(p[0], p[1], p[2], size, o);
  if (name == "poisson") return r.poisson(p[0], size, o);
  if (name == "binomial") return r.binomial(p[0], p[1], size, o);
  if (name == "bernoulli") return r.bernoulli(p[0], size, o);
  if (name == "negative_binomial") return r.negative_binomial(p[0], p[1], size, o);
  if (name == "geometric") return r.geometric(p[0], size, o);
  if (name == "zipf") return r.zipf(p[0], size, o);
  if (name == "logseries") return r.logseries(p[0], size, o);
  throw std::invalid_argument(name);
}

}  // namespace cupyxx::random
