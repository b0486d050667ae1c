// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/softmax_cross_entropy.h"

#include <utility>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/graph.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void SoftmaxCrossEntropy::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(x.dtype().kind() == 'f', t.dtype().kind() == 'i', t.ndim() == x.ndim() - 1,
                    x.shape()[0] == t.shape()[0],
                    x.shape()[typecheck::slice(2, typecheck::none)] ==
                        t.shape()[typecheck::slice(1, typecheck::none)]);
}

std::vector<ndarray> SoftmaxCrossEntropy::forward(std::span<const ndarray> in) {
  internal::CrossEntropy result = internal::cross_entropy(in[0], in[1], normalize_, records());
  grad_ = std::move(result.grad);
  return {std::move(result.loss)};
}

std::vector<ndarray> SoftmaxCrossEntropy::backward(std::span<const ndarray>,
                                                   std::span<const ndarray> gy) {
  if (internal::is_unit_gradient(gy[0])) return {grad_, {}};
  return {grad_ * gy[0], {}};
}

Variable softmax_cross_entropy(const Variable& x, const Variable& t, bool normalize) {
  return SoftmaxCrossEntropy(normalize)(x, t);
}

}  // namespace chainerxx::functions
