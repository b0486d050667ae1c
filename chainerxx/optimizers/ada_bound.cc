// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/ada_bound.h"

#include <algorithm>
#include <cstdint>

#include "chainerxx/internal/moment_fix.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> BoundedAdam::rule() const {
  const auto steps = static_cast<double>(std::max<std::int64_t>(t(), 1));
  const double change = initial_alpha_ == 0 ? 1 : options_.alpha / initial_alpha_;
  const double last = options_.final_lr * change, speed = options_.gamma * steps;
  const double rate = internal::corrected_rate(options_, t());
  const double lower = last * (1 - 1 / (speed + 1)), upper = last * (1 + 1 / speed);
  if (amsgrad_) {
    return internal::UpdateRule::of<internal::kernels::AmsBound>(
        {.rate = rate,
         .one_minus_beta1 = 1 - options_.beta1,
         .one_minus_beta2 = 1 - options_.beta2,
         .eps = options_.eps,
         .lower = lower,
         .upper = upper});
  }
  return internal::UpdateRule::of<internal::kernels::AdaBound>(
      {.rate = rate,
       .one_minus_beta1 = 1 - options_.beta1,
       .one_minus_beta2 = 1 - options_.beta2,
       .eps = options_.eps,
       .lower = lower,
       .upper = upper});
}

}  // namespace chainerxx::optimizers
