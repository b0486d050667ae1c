// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/sampled_gradients.h"

#include <array>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/parameter_variable.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {

std::vector<Variable> sampled_gradients(const SampledLogistic& state, const ndarray& W, ndarray& gW,
                                        const Variable& x, VariableSpan gy) {
  namespace F = functions;
  const std::array<Variable, 2> in = {x, parameter(W, gW)};
  const std::vector<Variable> grads =
      differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
        const Variable rows = F::get_item(v[1], {state.ids});  // (n, k, in)
        const Variable products =
            F::reshape(F::batch_matmul(rows, F::expand_dims(v[0], 2)), state.ids.shape());
        const Variable against = -state.signs, counts = cupyxx::absolute(state.signs);
        return std::vector<Variable>{F::sum(F::softplus(products * against) * counts)};
      });
  add_gradient(gW, grads[1]);
  return {grads[0], Variable()};
}

}  // namespace chainerxx::internal
