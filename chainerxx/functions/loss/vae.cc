// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/vae.h"

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/loss/reduced.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"

namespace chainerxx::functions {

Variable gaussian_kl_divergence(const Variable& mean, const Variable& ln_var, Reduce reduce) {
  internal::expect_same_shape("gaussian_kl_divergence", {&mean, &ln_var});
  const Variable m = internal::widened(mean), v = internal::widened(ln_var);
  return internal::reduced((square(m) + exp(v) - v - 1) * 0.5, reduce);
}

Variable bernoulli_nll(const Variable& x, const Variable& y, Reduce reduce) {
  internal::expect_same_shape("bernoulli_nll", {&x, &y});
  const Variable logits = internal::widened(y);
  return internal::reduced(softplus(logits) - internal::widened(x) * logits, reduce);
}

Variable gaussian_nll(const Variable& x, const Variable& mean, const Variable& ln_var,
                      Reduce reduce) {
  internal::expect_same_shape("gaussian_nll", {&x, &mean, &ln_var});
  constexpr double kLogTwoPi = 1.8378770664093454836;
  const Variable distance = internal::widened(x) - internal::widened(mean);
  const Variable v = internal::widened(ln_var);
  return internal::reduced((square(distance) * exp(-v) + v + kLogTwoPi) * 0.5, reduce);
}

}  // namespace chainerxx::functions
