// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/adam.h"

#include <cmath>

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

double Adam::lr() const {
  const auto steps = static_cast<double>(t());
  const double fix1 = 1 - std::pow(options_.beta1, steps);
  const double fix2 = 1 - std::pow(options_.beta2, steps);
  return options_.alpha * std::sqrt(fix2) / fix1;
}

std::optional<internal::UpdateRule> Adam::rule() const {
  return internal::UpdateRule::of<internal::kernels::Adam>({.rate = lr(),
                                                            .one_minus_beta1 = 1 - options_.beta1,
                                                            .one_minus_beta2 = 1 - options_.beta2,
                                                            .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
