// SPDX-License-Identifier: MIT
#include "examples/imagenet/network.h"

namespace imagenet {

namespace F = chainerxx::functions;
using chainerxx::Variable;

Variable Network::loss(const Variable& x, const Variable& t) const {
  return F::softmax_cross_entropy(predict(x), t);
}

Variable halved(const Variable& x) { return F::max_pooling_2d(x, 3, {.stride = 2}); }

Variable hidden(const F::Linear& layer, const Variable& x) {
  return F::dropout(F::relu(layer(x)), 0.5);
}

}  // namespace imagenet
