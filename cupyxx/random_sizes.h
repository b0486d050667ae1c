// SPDX-License-Identifier: MIT
// The size by name behind the parameters of a distribution: `poisson(3, {.size = 5})`, as
// `normal(0, 1, {.size = {3, 4}})` has it. Included by random.h.
#pragma once

#include <concepts>

#include "cupyxx/random.h"

namespace cupyxx::random {

/// All of it by name: `uniform({.size = 5})`, `normal({.loc = 2, .size = {3, 4}})`.
template <std::same_as<NamedUniformOptions> O = NamedUniformOptions>
ndarray uniform(const O& options) {
  return get_random_state().uniform(options);
}
template <std::same_as<NamedNormalOptions> O = NamedNormalOptions>
ndarray normal(const O& options) {
  return get_random_state().normal(options);
}

// `normal(0, 1, 2, 3)` does not compile: a size of several axes stands in braces,
// `normal(0, 1, {2, 3})`.
template <ParamArgument P, ParamArgument Q, internal::AxisNumber I, internal::AxisNumber J,
          internal::AxisNumber... More>
ndarray uniform(const P& low, const Q& high, I write_the_size_in_braces, J, More...) = delete;
template <ParamArgument P, ParamArgument Q, internal::AxisNumber I, internal::AxisNumber J,
          internal::AxisNumber... More>
ndarray normal(const P& loc, const Q& scale, I write_the_size_in_braces, J, More...) = delete;
template <ParamArgument P, ParamArgument Q, internal::AxisNumber I, internal::AxisNumber J,
          internal::AxisNumber... More>
ndarray randint(const P& low, const Q& high, I write_the_size_in_braces, J, More...) = delete;

template <std::same_as<SizedOptions> O = SizedOptions>
ndarray standard_gamma(const Param& shape, const O& options) {
  return standard_gamma(shape, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray beta(const Param& a, const Param& b, const O& options) {
  return beta(a, b, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray chisquare(const Param& df, const O& options) {
  return chisquare(df, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray f(const Param& dfnum, const Param& dfden, const O& options) {
  return f(dfnum, dfden, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray noncentral_chisquare(const Param& df, const Param& nonc, const O& options) {
  return noncentral_chisquare(df, nonc, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray noncentral_f(const Param& dfnum, const Param& dfden, const Param& nonc, const O& options) {
  return noncentral_f(dfnum, dfden, nonc, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray standard_t(const Param& df, const O& options) {
  return standard_t(df, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray weibull(const Param& a, const O& options) {
  return weibull(a, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray pareto(const Param& a, const O& options) {
  return pareto(a, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray power(const Param& a, const O& options) {
  return power(a, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray triangular(const Param& left, const Param& mode, const Param& right, const O& options) {
  return triangular(left, mode, right, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray wald(const Param& mean, const Param& scale, const O& options) {
  return wald(mean, scale, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray vonmises(const Param& mu, const Param& kappa, const O& options) {
  return vonmises(mu, kappa, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray poisson(const Param& lam, const O& options) {
  return poisson(lam, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray binomial(const Param& n, const Param& p, const O& options) {
  return binomial(n, p, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray bernoulli(const Param& p, const O& options) {
  return bernoulli(p, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray negative_binomial(const Param& n, const Param& p, const O& options) {
  return negative_binomial(n, p, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray geometric(const Param& p, const O& options) {
  return geometric(p, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray zipf(const Param& a, const O& options) {
  return zipf(a, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray logseries(const Param& p, const O& options) {
  return logseries(p, options.size, options.rest());
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray hypergeometric(const Param& ngood, const Param& nbad, const Param& nsample,
                       const O& options) {
  return hypergeometric(ngood, nbad, nsample, options.size, options.rest());
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray lognormal(const P& mean, const Param& sigma, const O& options) {
  return lognormal(mean, sigma, options.size, options.rest());
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray laplace(const P& loc, const Param& scale, const O& options) {
  return laplace(loc, scale, options.size, options.rest());
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray gumbel(const P& loc, const Param& scale, const O& options) {
  return gumbel(loc, scale, options.size, options.rest());
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray logistic(const P& loc, const Param& scale, const O& options) {
  return logistic(loc, scale, options.size, options.rest());
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray exponential(const P& scale, const O& options) {
  return exponential(scale, options.size, options.rest());
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray rayleigh(const P& scale, const O& options) {
  return rayleigh(scale, options.size, options.rest());
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray gamma(const Param& shape, const P& scale, const O& options) {
  return gamma(shape, scale, options.size, options.rest());
}

}  // namespace cupyxx::random
