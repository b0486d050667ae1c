// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/lamb.h"

#include <cmath>

#include "chainerxx/optimizers/array_rules.h"

namespace chainerxx::optimizers {

State LAMB::init_state(const ndarray& param, const ndarray&) {
  return {new_state(param), new_state(param)};
}

void LAMB::update_one(const ndarray& param, const ndarray& grad, State& state) {
  const auto steps = static_cast<double>(t());
  const ndarray p = computed(param), g = computed(grad);
  state[0] += (g - state[0]) * (1 - options_.beta1);
  state[1] += (cupyxx::square(g) - state[1]) * (1 - options_.beta2);
  const ndarray m = state[0] / (1 - std::pow(options_.beta1, steps));
  const ndarray v = state[1] / (1 - std::pow(options_.beta2, steps));
  const ndarray step =
      m / (cupyxx::sqrt(v) + options_.eps) + p * (options_.weight_decay * group_decay());
  const ndarray trust = ratio_or_one(norm_of(p), norm_of(step));
  step_back(param, step * (trust * (options_.alpha * group_rate())));
}

}  // namespace chainerxx::optimizers
