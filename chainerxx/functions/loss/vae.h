// SPDX-License-Identifier: MIT
// Losses of variational autoencoders (Kingma and Welling, 2013): sums over all elements
// unless told otherwise.
#pragma once

#include <concepts>

#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The Kullback-Leibler divergence of a normal distribution, given by its mean and the logarithm of
/// its variance, from the standard one: sum(mean^2 + exp(ln_var) - ln_var - 1) / 2.
CUPYXX_API Variable gaussian_kl_divergence(const Variable& mean, const Variable& ln_var,
                                           ReduceChoice reduce = Reduce::sum);
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable gaussian_kl_divergence(const Variable& mean, const Variable& ln_var, O options) {
  return gaussian_kl_divergence(mean, ln_var, options.reduce.value_or(Reduce::sum));
}
/// The negative log-likelihood of x under Bernoulli distributions whose logits are y:
/// sum(log(1 + exp(y)) - x y).
CUPYXX_API Variable bernoulli_nll(const Variable& x, const Variable& y,
                                  ReduceChoice reduce = Reduce::sum);
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable bernoulli_nll(const Variable& x, const Variable& y, O options) {
  return bernoulli_nll(x, y, options.reduce.value_or(Reduce::sum));
}
/// The negative log-likelihood of x under normal distributions:
/// sum(ln_var + log(2 pi) + (x - mean)^2 exp(-ln_var)) / 2.
CUPYXX_API Variable gaussian_nll(const Variable& x, const Variable& mean, const Variable& ln_var,
                                 ReduceChoice reduce = Reduce::sum);
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable gaussian_nll(const Variable& x, const Variable& mean, const Variable& ln_var, O options) {
  return gaussian_nll(x, mean, ln_var, options.reduce.value_or(Reduce::sum));
}

}  // namespace chainerxx::functions
