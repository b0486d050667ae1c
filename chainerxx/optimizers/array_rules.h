// SPDX-License-Identifier: MIT
// What algorithms that compute with arrays share.
#pragma once

#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/reduction.h"

namespace chainerxx::optimizers {

/// An array in the type in which steps are computed.
inline cupyxx::ndarray computed(const cupyxx::ndarray& a) {
  return a.astype(a.dtype() == cupyxx::float64 ? cupyxx::float64 : cupyxx::float32, false);
}
inline cupyxx::ndarray new_state(const cupyxx::ndarray& param) {
  return cupyxx::zeros_like(param,
                            param.dtype() == cupyxx::float64 ? cupyxx::float64 : cupyxx::float32);
}

/// The L2 norm, an array without axes: nothing waits for it.
inline cupyxx::ndarray norm_of(const cupyxx::ndarray& a) {
  return cupyxx::sqrt(cupyxx::square(a).sum());
}

/// The first over the second; 1 unless both are positive.
inline cupyxx::ndarray ratio_or_one(const cupyxx::ndarray& a, const cupyxx::ndarray& b) {
  const cupyxx::ndarray one = cupyxx::ones_like(a);
  const cupyxx::ndarray both = cupyxx::logical_and(a > 0, b > 0);
  return cupyxx::where(both, a / cupyxx::where(both, b, one), one);
}

/// Subtracts a step in the parameter's own type.
inline void step_back(const cupyxx::ndarray& param, const cupyxx::ndarray& step) {
  param.set((computed(param) - step).astype(param.dtype(), false));
}

}  // namespace chainerxx::optimizers
