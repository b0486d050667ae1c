// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/adam_w.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> AdamW::rule() const {
  const auto steps = static_cast<double>(std::max<std::int64_t>(t(), 1));
  const double fix1 = 1 - std::pow(options_.beta1, steps);
  const double fix2 = 1 - std::pow(options_.beta2, steps);
  return internal::UpdateRule::of<internal::kernels::Adam>(
      {.rate = options_.alpha * std::sqrt(fix2) / fix1,
       .one_minus_beta1 = 1 - options_.beta1,
       .one_minus_beta2 = 1 - options_.beta2,
       .eps = options_.eps,
       .decay = options_.alpha * options_.weight_decay});
}

}  // namespace chainerxx::optimizers
