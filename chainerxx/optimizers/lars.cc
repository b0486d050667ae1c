// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/lars.h"

#include "chainerxx/optimizers/array_rules.h"

namespace chainerxx::optimizers {

State LARS::init_state(const ndarray& param, const ndarray&) { return {new_state(param)}; }

void LARS::update_one(const ndarray& param, const ndarray& grad, State& state) {
  const ndarray p = computed(param), g = computed(grad);
  const double decay = options_.weight_decay * group_decay();
  const ndarray of_p = norm_of(p), of_g = norm_of(g);
  const ndarray one = cupyxx::ones_like(of_p), both = cupyxx::logical_and(of_p > 0, of_g > 0);
  const ndarray scaled = of_p * options_.trust_coefficient / (of_g + of_p * decay + options_.eps);
  const ndarray rate = cupyxx::where(both, scaled, one) * (options_.lr * group_rate());
  state[0] *= options_.momentum;
  state[0] += (g + p * decay) * rate;
  step_back(param, state[0]);
}

}  // namespace chainerxx::optimizers
