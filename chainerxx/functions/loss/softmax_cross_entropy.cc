// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/softmax_cross_entropy.h"

#include <algorithm>
#include <utility>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void SoftmaxCrossEntropy::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(x.dtype().kind() == 'f', t.dtype().kind() == 'i', t.ndim() == x.ndim() - 1,
                    x.ndim() >= 2, x.shape()[0] == t.shape()[0],
                    x.shape()[typecheck::slice(2, typecheck::none)] ==
                        t.shape()[typecheck::slice(1, typecheck::none)]);
}

std::vector<ndarray> SoftmaxCrossEntropy::forward(ArraySpan in) {
  const cupyxx::dtype type = in[0].dtype();
  const bool is_narrow = internal::is_narrow(type) && internal::multiplies_narrow();
  // Losses of float16 are scaled before backward, and small gradients would be 0 until then.
  const bool prepares = records() && !(is_narrow && type == cupyxx::float16);
  internal::CrossEntropy result = internal::cross_entropy(in[0], in[1], normalize_, prepares,
                                                          is_narrow ? cupyxx::float32 : type);
  grad_ = std::move(result.grad);
  return {std::move(result.loss)};
}

std::vector<ndarray> SoftmaxCrossEntropy::backward(ArraySpan in, ArraySpan gy) {
  if (!grad_.is_none() && internal::is_unit_gradient(gy[0])) return {grad_, {}};
  if (internal::is_narrow(in[0].dtype())) {  // rounded once
    return {internal::cross_entropy_grad(in[0], in[1], normalize_, gy[0]), {}};
  }
  return {grad_ * gy[0], {}};
}

std::vector<Variable> SoftmaxCrossEntropy::backward_variables(VariableSpan in, VariableSpan gy) {
  const cupyxx::Shape shape = in[0].shape();
  const cupyxx::dtype given = in[0].dtype();
  const cupyxx::dtype type = internal::is_narrow(given) ? cupyxx::float32 : given;
  cupyxx::Shape classes;  // beside the labels with an axis for the classes
  for (int i = 0; i < shape.ndim(); ++i) classes.push_back(i == 1 ? shape[1] : 1);
  const ndarray t = cupyxx::expand_dims(in[1].data(), 1);
  const ndarray is_label = cupyxx::equal(cupyxx::arange(shape[1]).reshape(classes), t);
  const ndarray is_valid = cupyxx::not_equal(t, -1);
  ndarray weight = is_valid.astype(type);
  if (normalize_) {
    weight = weight / cupyxx::maximum(is_valid.sum(), 1).astype(type);
  } else {
    weight = weight / static_cast<double>(std::max<std::int64_t>(shape[0], 1));
  }
  const Variable labels = is_label.astype(type);
  const Variable weights = cupyxx::broadcast_to(weight, shape);
  const Variable x = cast(in[0], type), g = broadcast_to(cast(gy[0], type), shape);
  return {cast((softmax(x) - labels) * weights * g, given), {}};
}

Variable softmax_cross_entropy(const Variable& x, const Variable& t, bool use_cudnn,
                               bool normalize) {
  return SoftmaxCrossEntropy(use_cudnn, normalize)(x, t);
}
Variable softmax_cross_entropy(const Variable& x, const Variable& t,
                               const SoftmaxCrossEntropyOptions& options) {
  return SoftmaxCrossEntropy(options.use_cudnn, options.normalize)(x, t);
}

}  // namespace chainerxx::functions
