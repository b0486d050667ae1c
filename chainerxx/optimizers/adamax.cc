// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/adamax.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> Adamax::rule() const {
  const auto steps = static_cast<double>(std::max<std::int64_t>(t(), 1));
  return internal::UpdateRule::of<internal::kernels::Adamax>(
      {.rate = options_.alpha / (1 - std::pow(options_.beta1, steps)),
       .one_minus_beta1 = 1 - options_.beta1,
       .beta2 = options_.beta2,
       .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
