// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/lamb.h"

#include <cmath>

#include "chainerxx/internal/kernels/trust_rules.h"
#include "chainerxx/internal/moment_fix.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> LAMB::rule() const {
  const double fix1 = internal::moment_fix(options_.beta1, t());
  const double fix2 = std::sqrt(internal::moment_fix(options_.beta2, t()));
  // (m / fix1) / (sqrt(v) / fix2 + eps)
  return internal::UpdateRule::of<internal::kernels::Lamb>({.rate = options_.alpha,
                                                            .one_minus_beta1 = 1 - options_.beta1,
                                                            .one_minus_beta2 = 1 - options_.beta2,
                                                            .scale = fix2 / fix1,
                                                            .eps = options_.eps * fix2,
                                                            .decay = options_.weight_decay});
}

}  // namespace chainerxx::optimizers
