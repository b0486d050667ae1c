// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/r_adam.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> RAdam::rule() const {
  const auto steps = static_cast<double>(std::max<std::int64_t>(t(), 1));
  const double power2 = std::pow(options_.beta2, steps);
  const double fix1 = 1 - std::pow(options_.beta1, steps), fix2 = 1 - power2;
  // How many independent gradients the second moment averages, in the end and now.
  const double most = 2 / (1 - options_.beta2) - 1, now = most - 2 * steps * power2 / fix2;
  double rate = 0;
  if (now > 5) {
    const double rectifier =
        std::sqrt((now - 4) * (now - 2) * most / ((most - 4) * (most - 2) * now));
    rate = options_.alpha * rectifier * std::sqrt(fix2) / fix1;
  }
  return internal::UpdateRule::of<internal::kernels::RAdam>({.rate = rate,
                                                             .flat = options_.alpha / fix1,
                                                             .one_minus_beta1 = 1 - options_.beta1,
                                                             .one_minus_beta2 = 1 - options_.beta2,
                                                             .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
