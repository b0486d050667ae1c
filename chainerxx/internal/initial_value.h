// SPDX-License-Identifier: MIT
// Parameters of layers as their options say where they start.
#pragma once

#include "chainerxx/initializers.h"
#include "chainerxx/internal/initialize.h"
#include "cupyxx/creation.h"

namespace chainerxx::internal {

/// Weights: an array of the right shape as it is, what an initializer makes in `dtype`, or what
/// `by_default` returns.
template <class Default>
ndarray initial_weights(const char* function, const char* name,
                        const initializers::Initial& initial, const cupyxx::Shape& shape,
                        cupyxx::dtype dtype, const Default& by_default) {
  if (initial.is_none()) return by_default();
  if (initial.initializer() != nullptr) return generate_array(initial, shape, dtype);
  return checked_initial(function, name, initial.array(), shape);
}

/// The same for what stands beside weights: in their dtype, `value` by default.
inline ndarray initial_bias(const char* function, const char* name,
                            const initializers::Initial& initial, const cupyxx::Shape& shape,
                            cupyxx::dtype weights, double value) {
  if (initial.is_none()) return cupyxx::full(shape, value, weights);
  if (initial.initializer() != nullptr) return generate_array(initial, shape, weights);
  return checked_bias(function, name, initial.array(), shape, weights);
}

}  // namespace chainerxx::internal
