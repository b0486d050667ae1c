// SPDX-License-Identifier: MIT
#include "examples/imagenet/auxiliary.h"

namespace imagenet {

namespace F = chainerxx::functions;
using chainerxx::Variable;

Variable AuxiliaryNetwork::loss(const Variable& x, const Variable& t) const {
  Variable h = first_part(x);
  const Variable loss1 = F::softmax_cross_entropy(auxiliary1(h), t);
  h = second_part(h);
  const Variable loss2 = F::softmax_cross_entropy(auxiliary2(h), t);
  return 0.3 * (loss1 + loss2) + F::softmax_cross_entropy(last_part(h), t);
}

Variable AuxiliaryNetwork::predict(const Variable& x) const {
  return last_part(second_part(first_part(x)));
}

}  // namespace imagenet
