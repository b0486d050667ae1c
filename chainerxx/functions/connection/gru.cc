// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/gru.h"

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"

namespace chainerxx::functions {

GRU::GRU(const InputSize& in_size, std::int64_t units)
    : W_r(add("W_r", Linear(in_size, units))),
      U_r(add("U_r", Linear(units, units))),
      W_z(add("W_z", Linear(in_size, units))),
      U_z(add("U_z", Linear(units, units))),
      W(add("W", Linear(in_size, units))),
      U(add("U", Linear(units, units))) {}

Variable GRU::operator()(const Variable& state, const Variable& x) {
  internal::refuse_none("GRU", {&state, &x});
  const Variable h = cast(state, internal::narrowed(state.dtype()));
  if (h.ndim() < 1 || x.ndim() < 1 || h.shape()[0] != x.shape()[0]) {
    throw cupyxx::ShapeError(cupyxx::message(
        "GRU: the state and the input have different batches; ", h.shape(), " and ", x.shape()));
  }
  const Variable r = sigmoid(W_r(x) + U_r(h));
  const Variable z = sigmoid(W_z(x) + U_z(h));
  const Variable candidate = tanh(W(x) + U(r * h));
  return h + z * (candidate - h);
}

}  // namespace chainerxx::functions
