// SPDX-License-Identifier: MIT
// Random numbers from a counter-based generator (Philox4x32-10). The sequence depends on the seed
// and on what was drawn before, not on the device, on threads or on layouts: numbers are equal bit
// for bit on the host and on CUDA devices.
//
//   cupyxx::random::seed(7);
//   auto noise = cupyxx::random::normal({3, 4}, {.scale = 0.1, .dtype = cupyxx::float32});
//   auto counts = cupyxx::random::poisson(rates);             // an array of means
//   auto rng = cupyxx::random::default_rng(7);                // a stream of one's own
//   auto order = rng.permutation(100);
//
// The functions below draw from the default stream of the current device; each is described at the
// method of its name in random/random_state.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/random/generator.h"
#include "cupyxx/random/param.h"
#include "cupyxx/random/random_state.h"
#include "cupyxx/random_seed.h"

namespace cupyxx::random {

/// The default stream of the current device, which threads share. It lives for ever.
CUPYXX_API RandomState& get_random_state();
/// Makes that stream continue as `state` does.
CUPYXX_API void set_random_state(const RandomState& state);
/// A copy of it, to come back to this point with set_state.
CUPYXX_API RandomState get_state();
CUPYXX_API void set_state(const RandomState& state);
/// Forgets the default streams of all devices: their next use seeds them again.
CUPYXX_API void reset_states();

template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray rand(const Shape& size = {}, const O& options = {}) {
  return get_random_state().rand(size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray randn(const Shape& size = {}, const O& options = {}) {
  return get_random_state().randn(size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray random_sample(const Shape& size = {}, const O& options = {}) {
  return get_random_state().random_sample(size, options);
}
// NumPy's other names of random_sample.
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray random(const Shape& size = {}, const O& options = {}) {
  return random_sample(size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray ranf(const Shape& size = {}, const O& options = {}) {
  return random_sample(size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray sample(const Shape& size = {}, const O& options = {}) {
  return random_sample(size, options);
}

/// `high` may be `none`, for both.
template <class High, OptionsOrDtype<DrawOptions> O = DrawOptions>
requires(ParamArgument<High> || std::same_as<High, None>) ndarray
    randint(const Param& low, const High& high, const Shape& size = {}, const O& options = {}) {
  return get_random_state().randint(low, high, size, options);
}
template <class High, OptionsOrDtype<DrawOptions> O = DrawOptions>
requires(ParamArgument<High> || std::same_as<High, None>) ndarray
    random_integers(const Param& low, const High& high, const Shape& size = {},
                    const O& options = {}) {
  return get_random_state().random_integers(low, high, size, options);
}
inline std::string bytes(internal::Int64 length) { return get_random_state().bytes(length); }

// Continuous distributions.

CUPYXX_EACH_LOCATION_AND_SCALE(CUPYXX_PARAMETERS_ARE_ARRAYS);
#undef CUPYXX_EACH_LOCATION_AND_SCALE
CUPYXX_EACH_WITH_A_LIST_ALONE(CUPYXX_LIST_ALONE_IS_REFUSED);
#undef CUPYXX_EACH_WITH_A_LIST_ALONE
#undef CUPYXX_LIST_ALONE_IS_REFUSED
#undef CUPYXX_PARAMETERS_ARE_ARRAYS
inline ndarray uniform(const SizeList& size = {}, const UniformOptions& options = {}) {
  return get_random_state().uniform(size, options);
}
inline ndarray normal(const SizeList& size = {}, const NormalOptions& options = {}) {
  return get_random_state().normal(size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray standard_normal(const Shape& size = {}, const O& options = {}) {
  return get_random_state().standard_normal(size, options);
}
template <OptionsOrDtype<LognormalOptions> O = LognormalOptions>
ndarray lognormal(const SizeList& size = {}, const O& options = {}) {
  return get_random_state().lognormal(size, options);
}
template <OptionsOrDtype<ScaleOptions> O = ScaleOptions>
ndarray exponential(const SizeList& size = {}, const O& options = {}) {
  return get_random_state().exponential(size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray standard_exponential(const Shape& size = {}, const O& options = {}) {
  return get_random_state().standard_exponential(size, options);
}
template <OptionsOrDtype<ScaleOptions> O = ScaleOptions>
ndarray gamma(const Param& shape, const SizeList& size = {}, const O& options = {}) {
  return get_random_state().gamma(shape, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray standard_gamma(const Param& shape, const Shape& size = {}, const O& options = {}) {
  return get_random_state().standard_gamma(shape, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray beta(const Param& a, const Param& b, const Shape& size = {}, const O& options = {}) {
  return get_random_state().beta(a, b, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray chisquare(const Param& df, const Shape& size = {}, const O& options = {}) {
  return get_random_state().chisquare(df, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray f(const Param& dfnum, const Param& dfden, const Shape& size = {}, const O& options = {}) {
  return get_random_state().f(dfnum, dfden, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray noncentral_chisquare(const Param& df, const Param& nonc, const Shape& size = {},
                             const O& options = {}) {
  return get_random_state().noncentral_chisquare(df, nonc, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray noncentral_f(const Param& dfnum, const Param& dfden, const Param& nonc,
                     const Shape& size = {}, const O& options = {}) {
  return get_random_state().noncentral_f(dfnum, dfden, nonc, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray standard_t(const Param& df, const Shape& size = {}, const O& options = {}) {
  return get_random_state().standard_t(df, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray standard_cauchy(const Shape& size = {}, const O& options = {}) {
  return get_random_state().standard_cauchy(size, options);
}
template <OptionsOrDtype<NormalOptions> O = NormalOptions>
ndarray laplace(const SizeList& size = {}, const O& options = {}) {
  return get_random_state().laplace(size, options);
}
template <OptionsOrDtype<NormalOptions> O = NormalOptions>
ndarray gumbel(const SizeList& size = {}, const O& options = {}) {
  return get_random_state().gumbel(size, options);
}
template <OptionsOrDtype<NormalOptions> O = NormalOptions>
ndarray logistic(const SizeList& size = {}, const O& options = {}) {
  return get_random_state().logistic(size, options);
}
template <OptionsOrDtype<ScaleOptions> O = ScaleOptions>
ndarray rayleigh(const SizeList& size = {}, const O& options = {}) {
  return get_random_state().rayleigh(size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray weibull(const Param& a, const Shape& size = {}, const O& options = {}) {
  return get_random_state().weibull(a, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray pareto(const Param& a, const Shape& size = {}, const O& options = {}) {
  return get_random_state().pareto(a, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray power(const Param& a, const Shape& size = {}, const O& options = {}) {
  return get_random_state().power(a, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray triangular(const Param& left, const Param& mode, const Param& right, const Shape& size = {},
                   const O& options = {}) {
  return get_random_state().triangular(left, mode, right, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray wald(const Param& mean, const Param& scale, const Shape& size = {}, const O& options = {}) {
  return get_random_state().wald(mean, scale, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray vonmises(const Param& mu, const Param& kappa, const Shape& size = {},
                 const O& options = {}) {
  return get_random_state().vonmises(mu, kappa, size, options);
}
/// Of lists: `dirichlet({1, 2, 3}, {5})`.
inline ndarray dirichlet(const ArrayLike& alpha, const Shape& size = {}) {
  return get_random_state().dirichlet(alpha.array(), size);
}
inline ndarray multivariate_normal(const ArrayLike& mean, const ArrayLike& cov,
                                   const Shape& size = {}) {
  return get_random_state().multivariate_normal(mean.beside(cov), cov.beside(mean), size);
}
inline ndarray dirichlet(const ndarray& alpha, const Shape& size = {}) {
  return get_random_state().dirichlet(alpha, size);
}
inline ndarray multivariate_normal(const ndarray& mean, const ndarray& cov,
                                   const Shape& size = {}) {
  return get_random_state().multivariate_normal(mean, cov, size);
}

// Discrete distributions.

template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray poisson(const Param& lam = 1, const Shape& size = {}, const O& options = {}) {
  return get_random_state().poisson(lam, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray binomial(const Param& n, const Param& p, const Shape& size = {}, const O& options = {}) {
  return get_random_state().binomial(n, p, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray bernoulli(const Param& p, const Shape& size = {}, const O& options = {}) {
  return get_random_state().bernoulli(p, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray negative_binomial(const Param& n, const Param& p, const Shape& size = {},
                          const O& options = {}) {
  return get_random_state().negative_binomial(n, p, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray geometric(const Param& p, const Shape& size = {}, const O& options = {}) {
  return get_random_state().geometric(p, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray zipf(const Param& a, const Shape& size = {}, const O& options = {}) {
  return get_random_state().zipf(a, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray logseries(const Param& p, const Shape& size = {}, const O& options = {}) {
  return get_random_state().logseries(p, size, options);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray hypergeometric(const Param& ngood, const Param& nbad, const Param& nsample,
                       const Shape& size = {}, const O& options = {}) {
  return get_random_state().hypergeometric(ngood, nbad, nsample, size, options);
}
inline ndarray multinomial(internal::Int64 n, const ndarray& pvals, const Shape& size = {}) {
  return get_random_state().multinomial(n, pvals, size);
}

/// Of a list: `multinomial(20, {0.5, 0.25, 0.25})`.
inline ndarray multinomial(internal::Int64 n, const ArrayLike& pvals, const Shape& size = {}) {
  return get_random_state().multinomial(n, pvals.array(), size);
}

// Orders.

inline ndarray permutation(internal::Int64 n) { return get_random_state().permutation(n); }
inline ndarray permutation(const ndarray& a, internal::Int axis = 0) {
  return get_random_state().permutation(a, axis);
}
inline void shuffle(const ndarray& a, internal::Int axis = 0) {
  get_random_state().shuffle(a, axis);
}
/// Shuffles the elements of a vector, in place.
template <class T>
void shuffle(std::vector<T>& values) {
  get_random_state().shuffle(values);
}
inline ndarray choice(internal::Int64 n, const Shape& size = {},
                      const ChoiceOptions& options = {}) {
  return get_random_state().choice(n, size, options);
}
inline ndarray choice(const ndarray& a, const Shape& size = {}, const ChoiceOptions& options = {}) {
  return get_random_state().choice(a, size, options);
}

// NumPy's positional forms: parameters, then the size, then options or a dtype. A number in the
// first place is a parameter, as in NumPy, and never a size: normal(5) is one number around 5.
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray uniform(const P& low, const Param& high = 1, const Shape& size = {},
                const O& options = {}) {
  return get_random_state().uniform(low, high, size, options);
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray uniform(const P& low, const Param& high, const O& options) {
  return get_random_state().uniform(low, high, options);
}
template <DtypeArgument D>
ndarray uniform(const SizeList& size, const D& dtype) {
  return get_random_state().uniform(size, dtype);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray normal(const P& loc, const Param& scale = 1, const Shape& size = {},
               const O& options = {}) {
  return get_random_state().normal(loc, scale, size, options);
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray normal(const P& loc, const Param& scale, const O& options) {
  return get_random_state().normal(loc, scale, options);
}
template <DtypeArgument D>
ndarray normal(const SizeList& size, const D& dtype) {
  return get_random_state().normal(size, dtype);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray lognormal(const P& mean, const Param& sigma = 1, const Shape& size = {},
                  const O& options = {}) {
  return get_random_state().lognormal(mean, sigma, size, options);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray laplace(const P& loc, const Param& scale = 1, const Shape& size = {},
                const O& options = {}) {
  return get_random_state().laplace(loc, scale, size, options);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray gumbel(const P& loc, const Param& scale = 1, const Shape& size = {},
               const O& options = {}) {
  return get_random_state().gumbel(loc, scale, size, options);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray logistic(const P& loc, const Param& scale = 1, const Shape& size = {},
                 const O& options = {}) {
  return get_random_state().logistic(loc, scale, size, options);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray exponential(const P& scale, const Shape& size = {}, const O& options = {}) {
  return get_random_state().exponential(scale, size, options);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray rayleigh(const P& scale, const Shape& size = {}, const O& options = {}) {
  return get_random_state().rayleigh(scale, size, options);
}
template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray gamma(const Param& shape, const P& scale, const Shape& size = {}, const O& options = {}) {
  return get_random_state().gamma(shape, scale, size, options);
}

// One bound.
template <ParamArgument High, std::same_as<SizedOptions> O = SizedOptions>
ndarray randint(const Param& low, const High& high, const O& options) {
  return get_random_state().randint(low, high, options);
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray randint(const Param& high, const O& options) {
  return get_random_state().randint(high, options);
}
void randint(const internal::ListedRow& write_array_around_the_parameters,
             const internal::ListedRow&) = delete;
void random_integers(const internal::ListedRow& write_array_around_the_parameters,
                     const internal::ListedRow&) = delete;
inline ndarray randint(const Param& high) { return get_random_state().randint(high); }
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray randint(const Param& high, const SizeList& size, const O& options = {}) {
  return get_random_state().randint(0, high, size, options);
}
inline ndarray random_integers(const Param& high) {
  return get_random_state().random_integers(high);
}
template <OptionsOrDtype<DrawOptions> O = DrawOptions>
ndarray random_integers(const Param& high, const SizeList& size, const O& options = {}) {
  return get_random_state().random_integers(1, high, size, options);
}

// Extents one by one: rand(3, 4).
template <Extent... N>
ndarray rand(N... extents) requires(sizeof...(N) > 0) {
  return get_random_state().rand(Shape({static_cast<std::int64_t>(extents)...}));
}
template <Extent... N>
ndarray randn(N... extents) requires(sizeof...(N) > 0) {
  return get_random_state().randn(Shape({static_cast<std::int64_t>(extents)...}));
}

// Lists: choice({1, 2, 3}, 5), choice(3, 5, true, {0.5, 0.25, 0.25}), permutation({1, 4, 9}).
inline ndarray permutation(const ArrayLike& a) { return get_random_state().permutation(a.array()); }
template <internal::ListNumber T>
ndarray permutation(std::initializer_list<T> list) {
  return get_random_state().permutation(list);
}
template <internal::ListNumber T>
ndarray choice(std::initializer_list<T> list, const Shape& size = {},
               const ChoiceOptions& options = {}) {
  return get_random_state().choice(list, size, options);
}
inline ndarray choice(const ArrayLike& a, const Shape& size = {},
                      const ChoiceOptions& options = {}) {
  return get_random_state().choice(a.array(), size, options);
}
template <std::integral N, std::same_as<NamedChoiceOptions> O = NamedChoiceOptions>
ndarray choice(N n, const O& options) {
  return get_random_state().choice(n, options);
}
template <std::same_as<NamedChoiceOptions> O = NamedChoiceOptions>
ndarray choice(const ArrayLike& a, const O& options) {
  return get_random_state().choice(a, options);
}
template <internal::ExtentNumber N, std::same_as<bool> B>
ndarray choice(N n, const Shape& size, B replace, const ArrayLike& p) {
  return get_random_state().choice(n, size, replace, p);
}
template <std::same_as<bool> B>
ndarray choice(const ArrayLike& a, const Shape& size, B replace, const ArrayLike& p) {
  return get_random_state().choice(a, size, replace, p);
}

// NumPy's order: choice(a, size, replace, p).
template <internal::ExtentNumber N, std::same_as<bool> B>
ndarray choice(N n, const Shape& size, B replace, const ndarray& p = {}) {
  return get_random_state().choice(n, size, ChoiceOptions{.replace = replace, .p = p});
}
template <std::same_as<bool> B>
ndarray choice(const ndarray& a, const Shape& size, B replace, const ndarray& p = {},
               internal::Int axis = 0) {
  return get_random_state().choice(a, size,
                                   ChoiceOptions{.replace = replace, .p = p, .axis = axis});
}
template <std::floating_point T>
ndarray choice(T n, const Shape& size = {}, const ChoiceOptions& options = {}) = delete;
template <std::floating_point T>
ndarray permutation(T n) = delete;

}  // namespace cupyxx::random

#include "cupyxx/random_sizes.h"
