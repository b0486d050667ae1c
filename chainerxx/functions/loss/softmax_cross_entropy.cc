// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/softmax_cross_entropy.h"

#include <algorithm>
#include <utility>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// The shape of labels with an axis for the classes, or that of the classes beside labels.
cupyxx::Shape with_class_axis(const cupyxx::Shape& x, bool is_of_labels) {
  cupyxx::Shape shape;
  for (int i = 0; i < x.ndim(); ++i) shape.push_back((i == 1) == is_of_labels ? 1 : x[i]);
  return shape;
}

/// In which dtype a loss of logits is computed.
cupyxx::dtype wide_type(cupyxx::dtype type) {
  return internal::is_narrow(type) ? cupyxx::float32 : type;
}
/// And which one it has.
cupyxx::dtype loss_type(cupyxx::dtype type) {
  return internal::multiplies_narrow() ? wide_type(type) : type;
}

}  // namespace

SoftmaxCrossEntropy::SoftmaxCrossEntropy(const SoftmaxCrossEntropyOptions& options)
    : options_(options) {
  if (!(options.label_smoothing >= 0 && options.label_smoothing < 1)) {
    throw cupyxx::ValueError(
        cupyxx::message("softmax_cross_entropy: label_smoothing is not in [0, 1); ",
                        cupyxx::Scalar(options.label_smoothing)));
  }
  const ndarray& weight = options.class_weight;
  if (!weight.is_none() && !weight.dtype().is_floating()) {
    throw cupyxx::DtypeError(cupyxx::message(
        "softmax_cross_entropy: class_weight is not floating; ", weight.dtype().name()));
  }
}

void SoftmaxCrossEntropy::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(x.dtype().kind() == 'f', t.dtype().kind() == 'i', t.ndim() == x.ndim() - 1,
                    x.ndim() >= 2, x.shape()[0] == t.shape()[0],
                    x.shape()[typecheck::slice(2, typecheck::none)] ==
                        t.shape()[typecheck::slice(1, typecheck::none)]);
  if (options_.class_weight.is_none()) return;
  typecheck::expect(x.shape()[typecheck::slice(1, 2)] ==
                    typecheck::Variable(options_.class_weight.shape(), "class_weight.shape"));
}

/// Whether the fused kernels compute it.
bool SoftmaxCrossEntropy::is_plain() const {
  return options_.class_weight.is_none() && options_.reduce == Reduce::mean &&
         options_.label_smoothing == 0;
}

/// Labels of which -1 does not count.
ndarray SoftmaxCrossEntropy::plain_labels(const ndarray& x, const ndarray& t) const {
  if (options_.ignore_label == -1) return t;
  const std::int64_t outside = x.shape()[1];
  const ndarray labels = t.astype(cupyxx::int64, false);
  return cupyxx::where(cupyxx::equal(labels, options_.ignore_label), -1,
                       cupyxx::where(labels < 0, outside, labels));
}

/// What the loss of each label is multiplied by.
ndarray SoftmaxCrossEntropy::factors(const ndarray& t, cupyxx::dtype type) const {
  const ndarray counts = cupyxx::not_equal(t, options_.ignore_label);
  const ndarray factor = counts.astype(type);
  if (options_.reduce != Reduce::mean) return factor;
  if (options_.normalize) return factor / cupyxx::maximum(counts.sum(), 1).astype(type);
  return factor / static_cast<double>(std::max<std::int64_t>(t.shape()[0], 1));
}

/// How much of each label, reduction aside, lies at each class.
ndarray SoftmaxCrossEntropy::targets(const cupyxx::Shape& shape, const ndarray& t,
                                     cupyxx::dtype type) const {
  const ndarray classes = cupyxx::arange(shape[1]).reshape(with_class_axis(shape, false));
  const double spread =
      options_.label_smoothing / static_cast<double>(std::max<std::int64_t>(shape[1], 1));
  const ndarray is_label = cupyxx::equal(classes, cupyxx::expand_dims(t, 1));
  ndarray target = is_label.astype(type) * (1 - options_.label_smoothing) + spread;
  if (!options_.class_weight.is_none()) {
    const ndarray weight = options_.class_weight.to(target.device()).astype(type, false);
    target = target * weight.reshape(with_class_axis(shape, false));
  }
  return target;
}

std::vector<ndarray> SoftmaxCrossEntropy::forward(ArraySpan in) {
  const cupyxx::dtype type = in[0].dtype(), result = loss_type(type), wide = wide_type(type);
  if (is_plain()) {
    const ndarray t = plain_labels(in[0], in[1]);
    // Losses of float16 are scaled before backward, and small gradients would be 0 until then.
    const bool prepares = records() && !(result != type && type == cupyxx::float16);
    internal::CrossEntropy fused =
        internal::cross_entropy(in[0], t, options_.normalize, prepares, result);
    grad_ = std::move(fused.grad);
    return {std::move(fused.loss)};
  }
  const cupyxx::Shape shape = in[0].shape();
  if (records() && !options_.class_weight.is_none()) {
    saved_weight_ = internal::SavedArray(options_.class_weight);
  }
  // Taking the labels among the classes reports those out of range; -1 must not count from the end.
  const ndarray counts = cupyxx::not_equal(in[1], options_.ignore_label);
  const ndarray t = in[1].astype(cupyxx::int64, false);
  const ndarray labels = cupyxx::take(cupyxx::arange(std::max<std::int64_t>(shape[1], 1)),
                                      cupyxx::where(counts, cupyxx::where(t < 0, shape[1], t), 0));
  const ndarray log_p = internal::log_softmax(in[0].astype(wide, false));
  const ndarray target = targets(shape, labels, wide);
  // Classes of no weight do not count, were they impossible.
  const ndarray at_classes =
      cupyxx::where(cupyxx::not_equal(target, 0), log_p * target, cupyxx::zeros({}, wide));
  const ndarray loss = -at_classes.sum(1) * factors(in[1], wide);
  return {(options_.reduce == Reduce::no ? loss : loss.sum()).astype(result, false)};
}

std::vector<ndarray> SoftmaxCrossEntropy::backward(ArraySpan in, ArraySpan gy) {
  if (is_plain()) {
    if (!grad_.is_none() && internal::is_unit_gradient(gy[0])) return {grad_, {}};
    if (internal::is_narrow(in[0].dtype())) {  // rounded once
      return {internal::cross_entropy_grad(in[0], plain_labels(in[0], in[1]), options_.normalize,
                                           gy[0]),
              {}};
    }
    return {grad_ * gy[0], {}};
  }
  (void)saved_weight_.get(*this);
  const cupyxx::dtype wide = wide_type(in[0].dtype());
  const ndarray target = targets(in[0].shape(), in[1], wide);
  const ndarray g = gy[0].astype(wide, false) * factors(in[1], wide);
  const ndarray p = internal::softmax(in[0].astype(wide, false));
  const ndarray gx = (p * target.sum(1, {.keepdims = true}) - target) * cupyxx::expand_dims(g, 1);
  return {gx.astype(in[0].dtype(), false), {}};
}

std::vector<Variable> SoftmaxCrossEntropy::backward_variables(VariableSpan in, VariableSpan gy) {
  (void)saved_weight_.get(*this);
  const cupyxx::Shape shape = in[0].shape();
  const cupyxx::dtype given = in[0].dtype(), type = wide_type(given);
  const ndarray t = in[1].data(), target = targets(shape, t, type);
  const Variable weight = factors(t, type), targets_at = cupyxx::broadcast_to(target, shape);
  const Variable total = cupyxx::broadcast_to(target.sum(1, {.keepdims = true}), shape);
  const Variable g = reshape(cast(gy[0], type) * weight, with_class_axis(shape, true));
  const Variable difference = softmax(cast(in[0], type)) * total - targets_at;
  return {cast(difference * broadcast_to(g, shape), given), {}};
}

Variable softmax_cross_entropy(const Variable& x, const Variable& t, bool use_cudnn,
                               bool normalize) {
  return SoftmaxCrossEntropy(use_cudnn, normalize)(x, t);
}
Variable softmax_cross_entropy(const Variable& x, const Variable& t,
                               const SoftmaxCrossEntropyOptions& options) {
  return SoftmaxCrossEntropy(options)(x, t);
}

}  // namespace chainerxx::functions
