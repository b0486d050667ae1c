// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/lstm.h"

#include <utility>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/sequence_ops.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void LSTM::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto c = in[0], x = in[1];
  typecheck::expect(c.dtype().kind() == 'f', x.dtype() == c.dtype(), c.ndim() >= 2, x.ndim() >= 2,
                    c.ndim() == x.ndim(), x.shape()[0] == c.shape()[0],
                    x.shape()[1] == 4 * c.shape()[1]);
  for (int i = 2; i < in.types()[0].shape().ndim(); ++i) {
    typecheck::expect(x.shape()[i] == c.shape()[i]);
  }
}

std::vector<ndarray> LSTM::forward(ArraySpan in) {
  internal::LstmState state = internal::lstm(in[0], in[1]);
  if (records()) c_ = internal::SavedArray(state.c);
  return {std::move(state.c), std::move(state.h)};
}

std::vector<ndarray> LSTM::backward(ArraySpan in, ArraySpan gy) {
  internal::LstmGradients grads = internal::lstm_grad(in[0], in[1], c_.get(*this), gy[0], gy[1]);
  return {std::move(grads.c_prev), std::move(grads.x)};
}

std::vector<Variable> LSTM::backward_variables(VariableSpan in, VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [](const std::vector<Variable>& v) {
    // x as (n, units, 4, ...): the update and the gates of each unit.
    cupyxx::Shape cells = v[0].shape();
    cells.insert(2, 4);
    const Variable x = reshape(v[1], cells);
    const auto part = [&](int k) { return get_item(x, {cupyxx::slice(), cupyxx::slice(), k}); };
    const Variable c = tanh(part(0)) * sigmoid(part(1)) + sigmoid(part(2)) * v[0];
    return std::vector<Variable>{c, sigmoid(part(3)) * tanh(c)};
  });
}

VariableArray<2> lstm(const Variable& c_prev, const Variable& x) { return LSTM()(c_prev, x); }

}  // namespace chainerxx::functions
