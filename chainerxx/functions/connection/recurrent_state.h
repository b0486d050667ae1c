// SPDX-License-Identifier: MIT
// What cells that keep their states share. Not public.
#pragma once

#include <cstdint>

#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {

/// A state on the device of x.
inline void follow(Variable& state, const Variable& x) {
  if (!state.is_none() && state.device() != x.device()) state = functions::copy(state, x.device());
}

inline void check_input(const char* name, const Variable& x) {
  refuse_none(name, {&x});
  if (x.ndim() >= 1) return;
  throw cupyxx::ShapeError(cupyxx::message(name, ": x is not (n, in); ", x.shape()));
}

inline void check_batch(const char* name, const Variable& state, const Variable& x) {
  if (state.is_none() || (state.ndim() >= 1 && state.shape()[0] == x.shape()[0])) return;
  throw cupyxx::ShapeError(cupyxx::message(name,
                                           ": the state and the input have different batches; ",
                                           state.shape(), " and ", x.shape()));
}

inline void check_state(const char* name, const Variable& state, std::int64_t units) {
  if (state.ndim() == 2 && state.shape()[1] == units) return;
  throw cupyxx::ShapeError(
      cupyxx::message(name, ": a state is not (n, ", units, "); ", state.shape()));
}

/// The state before the first step, beside gates (n, ...).
inline Variable zeros_beside(const Variable& gates, std::int64_t units) {
  const cupyxx::DeviceScope device(gates.device());
  return Variable(cupyxx::zeros({gates.shape()[0], units}, gates.dtype()), gates.volatile_());
}

}  // namespace chainerxx::internal
