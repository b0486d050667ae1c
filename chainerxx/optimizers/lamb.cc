// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/lamb.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chainerxx/internal/kernels/trust_rules.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> LAMB::rule() const {
  const auto steps = static_cast<double>(std::max<std::int64_t>(t(), 1));
  const double fix1 = 1 - std::pow(options_.beta1, steps);
  const double fix2 = std::sqrt(1 - std::pow(options_.beta2, steps));
  // (m / fix1) / (sqrt(v) / fix2 + eps)
  return internal::UpdateRule::of<internal::kernels::Lamb>({.rate = options_.alpha,
                                                            .one_minus_beta1 = 1 - options_.beta1,
                                                            .one_minus_beta2 = 1 - options_.beta2,
                                                            .scale = fix2 / fix1,
                                                            .eps = options_.eps * fix2,
                                                            .decay = options_.weight_decay});
}

}  // namespace chainerxx::optimizers
