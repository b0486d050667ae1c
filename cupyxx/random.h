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

#include "cupyxx/random/generator.h"
#include "cupyxx/random/param.h"
#include "cupyxx/random/random_state.h"

namespace cupyxx::random {

/// The default stream of the current device, which threads share. It lives for ever.
CUPYXX_API RandomState& get_random_state();
/// Makes that stream continue as `state` does.
CUPYXX_API void set_random_state(const RandomState& state);
/// A copy of it, to come back to this point with set_state.
CUPYXX_API RandomState get_state();
CUPYXX_API void set_state(const RandomState& state);
/// Starts it anew; `none` takes a seed as the first use does.
CUPYXX_API void seed(std::uint64_t seed);
CUPYXX_API void seed(None = {});
/// Forgets the default streams of all devices: their next use seeds them again.
CUPYXX_API void reset_states();

inline ndarray rand(const Shape& size, const DrawOptions& options = {}) {
  return get_random_state().rand(size, options);
}
inline ndarray randn(const Shape& size, const DrawOptions& options = {}) {
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
ndarray randint(const Param& low, const High& high, const Shape& size = {},
                const DrawOptions& options = {}) {
  return get_random_state().randint(low, high, size, options);
}
template <class High>
ndarray random_integers(const Param& low, const High& high, const Shape& size = {},
                        const DrawOptions& options = {}) {
  return get_random_state().random_integers(low, high, size, options);
}
inline std::string bytes(std::int64_t length) { return get_random_state().bytes(length); }

// Continuous distributions.

inline ndarray uniform(const Shape& size = {}, const UniformOptions& options = {}) {
  return get_random_state().uniform(size, options);
}
inline ndarray normal(const Shape& size = {}, const NormalOptions& options = {}) {
  return get_random_state().normal(size, options);
}
inline ndarray standard_normal(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().standard_normal(size, options);
}
inline ndarray lognormal(const Shape& size = {}, const LognormalOptions& options = {}) {
  return get_random_state().lognormal(size, options);
}
inline ndarray exponential(const Shape& size = {}, const ScaleOptions& options = {}) {
  return get_random_state().exponential(size, options);
}
inline ndarray standard_exponential(const Shape& size = {}, const DrawOptions& options = {}) {
  return get_random_state().standard_exponential(size, options);
}
inline ndarray gamma(const Param& shape, const Shape& size = {}, const ScaleOptions& options = {}) {
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
inline ndarray laplace(const Shape& size = {}, const NormalOptions& options = {}) {
  return get_random_state().laplace(size, options);
}
inline ndarray gumbel(const Shape& size = {}, const NormalOptions& options = {}) {
  return get_random_state().gumbel(size, options);
}
inline ndarray logistic(const Shape& size = {}, const NormalOptions& options = {}) {
  return get_random_state().logistic(size, options);
}
inline ndarray rayleigh(const Shape& size = {}, const ScaleOptions& options = {}) {
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
inline ndarray multinomial(std::int64_t n, const ndarray& pvals, const Shape& size = {}) {
  return get_random_state().multinomial(n, pvals, size);
}

// Orders.

inline ndarray permutation(std::int64_t n) { return get_random_state().permutation(n); }
inline ndarray permutation(const ndarray& a, int axis = 0) {
  return get_random_state().permutation(a, axis);
}
inline void shuffle(const ndarray& a, int axis = 0) { get_random_state().shuffle(a, axis); }
inline ndarray choice(std::int64_t n, const Shape& size = {}, const ChoiceOptions& options = {}) {
  return get_random_state().choice(n, size, options);
}
inline ndarray choice(const ndarray& a, const Shape& size = {}, const ChoiceOptions& options = {}) {
  return get_random_state().choice(a, size, options);
}

}  // namespace cupyxx::random
