// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/vae.h"

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/loss/reduced.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"

namespace chainerxx::functions {
namespace {

/// Losses that were computed in float32, in the type of `x`; a mean is divided before it is
/// rounded, and a sum is Chainer's, of elements of that type.
Variable reduced_as(const Variable& x, const Variable& losses, ReduceChoice reduce) {
  if (reduce == Reduce::mean) return internal::typed_as(x, internal::reduced(losses, reduce));
  return internal::reduced(internal::typed_as(x, losses), reduce);
}

}  // namespace

Variable gaussian_kl_divergence(const Variable& mean, const Variable& ln_var, ReduceChoice reduce) {
  internal::expect_same_shape("gaussian_kl_divergence", {&mean, &ln_var});
  const Variable m = internal::in_float32(mean), v = internal::in_float32(ln_var);
  // exp(v) - 1 before the square, beside which a small one would be lost.
  const Variable losses = (square(m) + (expm1(v) - v)) * 0.5;
  return reduced_as(mean, losses, reduce);
}

Variable bernoulli_nll(const Variable& x, const Variable& y, ReduceChoice reduce) {
  internal::expect_same_shape("bernoulli_nll", {&x, &y});
  const Variable logits = internal::in_float32(y);
  const Variable losses = softplus(logits) - internal::in_float32(x) * logits;
  return reduced_as(y, losses, reduce);
}

Variable gaussian_nll(const Variable& x, const Variable& mean, const Variable& ln_var,
                      ReduceChoice reduce) {
  internal::expect_same_shape("gaussian_nll", {&x, &mean, &ln_var});
  constexpr double kLogTwoPi = 1.8378770664093454836;
  const Variable distance = internal::in_float32(x) - internal::in_float32(mean);
  const Variable v = internal::in_float32(ln_var);
  const Variable losses = (square(distance) * exp(-v) + v + kLogTwoPi) * 0.5;
  return reduced_as(x, losses, reduce);
}

}  // namespace chainerxx::functions
