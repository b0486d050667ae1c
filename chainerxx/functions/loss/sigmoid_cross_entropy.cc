// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/sigmoid_cross_entropy.h"

#include <algorithm>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/sequence_ops.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void SigmoidCrossEntropy::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(x.dtype().kind() == 'f', t.dtype().kind() == 'i', x.ndim() >= 1,
                    x.shape() == t.shape());
}

ndarray SigmoidCrossEntropy::share(const ndarray& x, const ndarray& t) const {
  const cupyxx::dtype type = internal::is_narrow(x.dtype()) ? cupyxx::float32 : x.dtype();
  if (reduce_ != Reduce::mean) return cupyxx::ones({}, type);
  if (!normalize_) {
    const auto samples = static_cast<double>(std::max<std::int64_t>(x.shape()[0], 1));
    return cupyxx::full({}, 1 / samples, type);
  }
  const ndarray count = cupyxx::not_equal(t, -1).sum();
  return cupyxx::divide(1, cupyxx::maximum(count, 1)).astype(type);
}

std::vector<ndarray> SigmoidCrossEntropy::forward(ArraySpan in) {
  const ndarray weight = share(in[0], in[1]);
  if (records()) share_ = weight;
  const ndarray losses = internal::sigmoid_cross_entropy(in[0], in[1]);
  if (reduce_ == Reduce::no) return {losses};
  const ndarray y = internal::in_float32(losses).sum() * weight;
  return {y.astype(in[0].dtype(), false)};
}

std::vector<ndarray> SigmoidCrossEntropy::backward(ArraySpan in, ArraySpan gy) {
  if (reduce_ == Reduce::no) {
    const ndarray one = cupyxx::ones({}, in[0].dtype());
    return {internal::sigmoid_cross_entropy_grad(in[0], in[1], one) * gy[0], {}};
  }
  const ndarray scale = (share_ * gy[0]).astype(in[0].dtype(), false);
  return {internal::sigmoid_cross_entropy_grad(in[0], in[1], scale), {}};
}

std::vector<Variable> SigmoidCrossEntropy::backward_variables(VariableSpan in, VariableSpan gy) {
  const ndarray t = in[1].data();
  const cupyxx::dtype type = in[0].dtype();
  const Variable labels = t.astype(type);
  const Variable weight = cupyxx::not_equal(t, -1).astype(type) * share_.astype(type, false);
  return {(sigmoid(in[0]) - labels) * weight * broadcast_to(gy[0], in[0].shape()), {}};
}

Variable sigmoid_cross_entropy(const Variable& x, const Variable& t, bool use_cudnn,
                               bool normalize) {
  return SigmoidCrossEntropy(use_cudnn, normalize)(x, t);
}
Variable sigmoid_cross_entropy(const Variable& x, const Variable& t,
                               const SigmoidCrossEntropyOptions& options) {
  return SigmoidCrossEntropy(options.use_cudnn, options.normalize, options.reduce)(x, t);
}

}  // namespace chainerxx::functions
