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

inline ndarray rand(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().rand(size, options);
}
inline ndarray randn(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().randn(size, options);
}
inline ndarray random_sample(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().random_sample(size, options);
}
// NumPy's other names of random_sample.
inline ndarray random(const Shape& size = {}, const DrawOptions& options = {}) {
  return random_sample(size, options);
}
inline ndarray ranf(const Shape& size = {}, const DrawOptions& options = {}) {
  return random_sample(size, options);
}
inline ndarray sample(const Shape& size = {}, const DrawOptions& options = {}) {
  return random_sample(size, options);
}

/// `high` may be `none`, for both.
template <class High>
requires(ParamArgument<High> || std::same_as<High, None>) ndarray
    randint(const Param& low, const High& high, const Shape& size = {},
            const DrawOptions& options = {}) {
  return get_random_state().randint(low, high, size, options);
}
template <class High>
requires(ParamArgument<High> || std::same_as<High, None>) ndarray
    random_integers(const Param& low, const High& high, const Shape& size = {},
                    const DrawOptions& options = {}) {
  return get_random_state().random_integers(low, high, size, options);
}
inline std::string bytes(internal::Int64 length) { return get_random_state().bytes(length); }

// Continuous distributions.

inline ndarray uniform(const SizeList& size = {}, const UniformOptions& options = {}) {
  return get_random_state().uniform(size, options);
}
inline ndarray normal(const SizeList& size = {}, const NormalOptions& options = {}) {
  return get_random_state().normal(size, options);
}
inline ndarray standard_normal(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().standard_normal(size, options);
}
inline ndarray lognormal(const SizeList& size = {}, const LognormalOptions& options = {}) {
  return get_random_state().lognormal(size, options);
}
inline ndarray exponential(const SizeList& size = {}, const ScaleOptions& options = {}) {
  return get_random_state().exponential(size, options);
}
inline ndarray standard_exponential(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().standard_exponential(size, options);
}
inline ndarray gamma(const Param& shape, const SizeList& size = {},
                     const ScaleOptions& options = {}) {
  return get_random_state().gamma(shape, size, options);
}
inline ndarray standard_gamma(const Param& shape, const Shape& size = {},
                              const DrawOptions& options = {}) {
  return get_random_state().standard_gamma(shape, size, options);
}
inline ndarray beta(const Param& a, const Param& b, const Shape& size = {},
                    const DrawOptions& options = {}) {
  return get_random_state().beta(a, b, size, options);
}
inline ndarray chisquare(const Param& df, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().chisquare(df, size, options);
}
inline ndarray f(const Param& dfnum, const Param& dfden, const Shape& size = {},
                 const DrawOptions& options = {}) {
  return get_random_state().f(dfnum, dfden, size, options);
}
inline ndarray noncentral_chisquare(const Param& df, const Param& nonc, const Shape& size = {},
                                    const DrawOptions& options = {}) {
  return get_random_state().noncentral_chisquare(df, nonc, size, options);
}
inline ndarray noncentral_f(const Param& dfnum, const Param& dfden, const Param& nonc,
                            const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().noncentral_f(dfnum, dfden, nonc, size, options);
}
inline ndarray standard_t(const Param& df, const Shape& size = {},
                          const DrawOptions& options = {}) {
  return get_random_state().standard_t(df, size, options);
}
inline ndarray standard_cauchy(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().standard_cauchy(size, options);
}
inline ndarray laplace(const SizeList& size = {}, const NormalOptions& options = {}) {
  return get_random_state().laplace(size, options);
}
inline ndarray gumbel(const SizeList& size = {}, const NormalOptions& options = {}) {
  return get_random_state().gumbel(size, options);
}
inline ndarray logistic(const SizeList& size = {}, const NormalOptions& options = {}) {
  return get_random_state().logistic(size, options);
}
inline ndarray rayleigh(const SizeList& size = {}, const ScaleOptions& options = {}) {
  return get_random_state().rayleigh(size, options);
}
inline ndarray weibull(const Param& a, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().weibull(a, size, options);
}
inline ndarray pareto(const Param& a, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().pareto(a, size, options);
}
inline ndarray power(const Param& a, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().power(a, size, options);
}
inline ndarray triangular(const Param& left, const Param& mode, const Param& right,
                          const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().triangular(left, mode, right, size, options);
}
inline ndarray wald(const Param& mean, const Param& scale, const Shape& size = {},
                    const DrawOptions& options = {}) {
  return get_random_state().wald(mean, scale, size, options);
}
inline ndarray vonmises(const Param& mu, const Param& kappa, const Shape& size = {},
                        const DrawOptions& options = {}) {
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

inline ndarray poisson(const Param& lam = 1, const Shape& size = {},
                       const DrawOptions& options = {}) {
  return get_random_state().poisson(lam, size, options);
}
inline ndarray binomial(const Param& n, const Param& p, const Shape& size = {},
                        const DrawOptions& options = {}) {
  return get_random_state().binomial(n, p, size, options);
}
inline ndarray bernoulli(const Param& p, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().bernoulli(p, size, options);
}
inline ndarray negative_binomial(const Param& n, const Param& p, const Shape& size = {},
                                 const DrawOptions& options = {}) {
  return get_random_state().negative_binomial(n, p, size, options);
}
inline ndarray geometric(const Param& p, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().geometric(p, size, options);
}
inline ndarray zipf(const Param& a, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().zipf(a, size, options);
}
inline ndarray logseries(const Param& p, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().logseries(p, size, options);
}
inline ndarray hypergeometric(const Param& ngood, const Param& nbad, const Param& nsample,
                              const Shape& size = {}, const DrawOptions& options = {}) {
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
/// Orders the elements of a vector anew.
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

// NumPy's positional forms: parameters, then the size, then options or a dtype. A plain number in
// front is the parameter that NumPy has there, never a size: normal(5) is one number around 5.
template <ParamArgument P>
ndarray uniform(const P& low, const Param& high = 1, const Shape& size = {},
                const DrawOptions& options = {}) {
  return get_random_state().uniform(low, high, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray uniform(const P& low, const Param& high, const Shape& size, const D& dtype) {
  return get_random_state().uniform(low, high, size, dtype);
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray uniform(const P& low, const Param& high, const O& options) {
  return get_random_state().uniform(low, high, options);
}
template <DtypeArgument D>
ndarray uniform(const SizeList& size, const D& dtype) {
  return get_random_state().uniform(size, dtype);
}
template <ParamArgument P>
ndarray normal(const P& loc, const Param& scale = 1, const Shape& size = {},
               const DrawOptions& options = {}) {
  return get_random_state().normal(loc, scale, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray normal(const P& loc, const Param& scale, const Shape& size, const D& dtype) {
  return get_random_state().normal(loc, scale, size, dtype);
}
template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
ndarray normal(const P& loc, const Param& scale, const O& options) {
  return get_random_state().normal(loc, scale, options);
}
template <DtypeArgument D>
ndarray normal(const SizeList& size, const D& dtype) {
  return get_random_state().normal(size, dtype);
}
template <ParamArgument P>
ndarray lognormal(const P& mean, const Param& sigma = 1, const Shape& size = {},
                  const DrawOptions& options = {}) {
  return get_random_state().lognormal(mean, sigma, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray lognormal(const P& mean, const Param& sigma, const Shape& size, const D& dtype) {
  return get_random_state().lognormal(mean, sigma, size, dtype);
}
template <DtypeArgument D>
ndarray lognormal(const SizeList& size, const D& dtype) {
  return get_random_state().lognormal(size, dtype);
}
template <ParamArgument P>
ndarray laplace(const P& loc, const Param& scale = 1, const Shape& size = {},
                const DrawOptions& options = {}) {
  return get_random_state().laplace(loc, scale, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray laplace(const P& loc, const Param& scale, const Shape& size, const D& dtype) {
  return get_random_state().laplace(loc, scale, size, dtype);
}
template <DtypeArgument D>
ndarray laplace(const SizeList& size, const D& dtype) {
  return get_random_state().laplace(size, dtype);
}
template <ParamArgument P>
ndarray gumbel(const P& loc, const Param& scale = 1, const Shape& size = {},
               const DrawOptions& options = {}) {
  return get_random_state().gumbel(loc, scale, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray gumbel(const P& loc, const Param& scale, const Shape& size, const D& dtype) {
  return get_random_state().gumbel(loc, scale, size, dtype);
}
template <DtypeArgument D>
ndarray gumbel(const SizeList& size, const D& dtype) {
  return get_random_state().gumbel(size, dtype);
}
template <ParamArgument P>
ndarray logistic(const P& loc, const Param& scale = 1, const Shape& size = {},
                 const DrawOptions& options = {}) {
  return get_random_state().logistic(loc, scale, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray logistic(const P& loc, const Param& scale, const Shape& size, const D& dtype) {
  return get_random_state().logistic(loc, scale, size, dtype);
}
template <DtypeArgument D>
ndarray logistic(const SizeList& size, const D& dtype) {
  return get_random_state().logistic(size, dtype);
}
template <ParamArgument P>
ndarray exponential(const P& scale, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().exponential(scale, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray exponential(const P& scale, const Shape& size, const D& dtype) {
  return get_random_state().exponential(scale, size, dtype);
}
template <DtypeArgument D>
ndarray exponential(const SizeList& size, const D& dtype) {
  return get_random_state().exponential(size, dtype);
}
template <ParamArgument P>
ndarray rayleigh(const P& scale, const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().rayleigh(scale, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray rayleigh(const P& scale, const Shape& size, const D& dtype) {
  return get_random_state().rayleigh(scale, size, dtype);
}
template <DtypeArgument D>
ndarray rayleigh(const SizeList& size, const D& dtype) {
  return get_random_state().rayleigh(size, dtype);
}
template <ParamArgument P>
ndarray gamma(const Param& shape, const P& scale, const Shape& size = {},
              const DrawOptions& options = {}) {
  return get_random_state().gamma(shape, scale, size, options);
}
template <ParamArgument P, DtypeArgument D>
ndarray gamma(const Param& shape, const P& scale, const Shape& size, const D& dtype) {
  return get_random_state().gamma(shape, scale, size, dtype);
}
template <DtypeArgument D>
ndarray gamma(const Param& shape, const SizeList& size, const D& dtype) {
  return get_random_state().gamma(shape, size, dtype);
}

// One bound, and a dtype in the place of options.
template <ParamArgument High, std::same_as<SizedOptions> O = SizedOptions>
ndarray randint(const Param& low, const High& high, const O& options) {
  return get_random_state().randint(low, high, options);
}
template <std::same_as<SizedOptions> O = SizedOptions>
ndarray randint(const Param& high, const O& options) {
  return get_random_state().randint(high, options);
}
inline ndarray randint(const Param& high) { return get_random_state().randint(high); }
inline ndarray randint(const Param& high, const SizeList& size, const DrawOptions& options = {}) {
  return get_random_state().randint(0, high, size, options);
}
template <DtypeArgument D>
ndarray randint(const Param& high, const SizeList& size, const D& dtype) {
  return get_random_state().randint(0, high, size, DrawOptions{.dtype = dtype});
}
template <class High, DtypeArgument D>
ndarray randint(const Param& low, const High& high, const Shape& size, const D& dtype) {
  return get_random_state().randint(low, high, size, DrawOptions{.dtype = dtype});
}
inline ndarray random_integers(const Param& high) {
  return get_random_state().random_integers(high);
}
inline ndarray random_integers(const Param& high, const SizeList& size,
                               const DrawOptions& options = {}) {
  return get_random_state().random_integers(1, high, size, options);
}
template <DtypeArgument D>
ndarray random_integers(const Param& high, const SizeList& size, const D& dtype) {
  return get_random_state().random_integers(1, high, size, DrawOptions{.dtype = dtype});
}
template <class High, DtypeArgument D>
ndarray random_integers(const Param& low, const High& high, const Shape& size, const D& dtype) {
  return get_random_state().random_integers(low, high, size, DrawOptions{.dtype = dtype});
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

// The dtype in the place of options.
template <DtypeArgument D>
ndarray random_sample(const Shape& size, const D& dtype) {
  return get_random_state().random_sample(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray standard_normal(const Shape& size, const D& dtype) {
  return get_random_state().standard_normal(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray standard_exponential(const Shape& size, const D& dtype) {
  return get_random_state().standard_exponential(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray standard_cauchy(const Shape& size, const D& dtype) {
  return get_random_state().standard_cauchy(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray standard_gamma(const Param& shape, const Shape& size, const D& dtype) {
  return get_random_state().standard_gamma(shape, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray beta(const Param& a, const Param& b, const Shape& size, const D& dtype) {
  return get_random_state().beta(a, b, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray chisquare(const Param& df, const Shape& size, const D& dtype) {
  return get_random_state().chisquare(df, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray noncentral_chisquare(const Param& df, const Param& nonc, const Shape& size,
                             const D& dtype) {
  return get_random_state().noncentral_chisquare(df, nonc, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray f(const Param& dfnum, const Param& dfden, const Shape& size, const D& dtype) {
  return get_random_state().f(dfnum, dfden, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray noncentral_f(const Param& dfnum, const Param& dfden, const Param& nonc, const Shape& size,
                     const D& dtype) {
  return get_random_state().noncentral_f(dfnum, dfden, nonc, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray standard_t(const Param& df, const Shape& size, const D& dtype) {
  return get_random_state().standard_t(df, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray weibull(const Param& a, const Shape& size, const D& dtype) {
  return get_random_state().weibull(a, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray pareto(const Param& a, const Shape& size, const D& dtype) {
  return get_random_state().pareto(a, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray power(const Param& a, const Shape& size, const D& dtype) {
  return get_random_state().power(a, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray triangular(const Param& left, const Param& mode, const Param& right, const Shape& size,
                   const D& dtype) {
  return get_random_state().triangular(left, mode, right, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray wald(const Param& mean, const Param& scale, const Shape& size, const D& dtype) {
  return get_random_state().wald(mean, scale, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray vonmises(const Param& mu, const Param& kappa, const Shape& size, const D& dtype) {
  return get_random_state().vonmises(mu, kappa, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray poisson(const Param& lam, const Shape& size, const D& dtype) {
  return get_random_state().poisson(lam, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray binomial(const Param& n, const Param& p, const Shape& size, const D& dtype) {
  return get_random_state().binomial(n, p, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray bernoulli(const Param& p, const Shape& size, const D& dtype) {
  return get_random_state().bernoulli(p, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray negative_binomial(const Param& n, const Param& p, const Shape& size, const D& dtype) {
  return get_random_state().negative_binomial(n, p, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray geometric(const Param& p, const Shape& size, const D& dtype) {
  return get_random_state().geometric(p, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray zipf(const Param& a, const Shape& size, const D& dtype) {
  return get_random_state().zipf(a, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray logseries(const Param& p, const Shape& size, const D& dtype) {
  return get_random_state().logseries(p, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray hypergeometric(const Param& ngood, const Param& nbad, const Param& nsample,
                       const Shape& size, const D& dtype) {
  return get_random_state().hypergeometric(ngood, nbad, nsample, size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray rand(const Shape& size, const D& dtype) {
  return get_random_state().rand(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray randn(const Shape& size, const D& dtype) {
  return get_random_state().randn(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray random(const Shape& size, const D& dtype) {
  return random_sample(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray ranf(const Shape& size, const D& dtype) {
  return random_sample(size, DrawOptions{.dtype = dtype});
}
template <DtypeArgument D>
ndarray sample(const Shape& size, const D& dtype) {
  return random_sample(size, DrawOptions{.dtype = dtype});
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
