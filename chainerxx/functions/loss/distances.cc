// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/distances.h"

#include <algorithm>
#include <limits>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/loss/reduced.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

double samples(const cupyxx::Shape& shape) {
  return static_cast<double>(std::max<std::int64_t>(shape[0], 1));
}

void expect_two(const typecheck::TypeInfos& in) {
  typecheck::expect(in.size() == 2, in[0].dtype().kind() == 'f', in[0].dtype() == in[1].dtype(),
                    in[0].shape() == in[1].shape());
}

void check_delta(double delta) {
  if (delta > 0) return;
  throw cupyxx::ValueError(
      cupyxx::message("huber_loss: delta is not positive; ", cupyxx::Scalar(delta)));
}

}  // namespace

/// What the loss of one class of one sample is multiplied by.
double Hinge::share(const cupyxx::Shape& shape) const {
  return reduce_ == Reduce::mean ? 1 / samples(shape) : 1;
}

void Hinge::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(x.dtype().kind() == 'f', t.dtype().kind() == 'i', x.ndim() == 2, t.ndim() == 1,
                    x.shape()[0] == t.shape()[0]);
}

std::vector<ndarray> Hinge::forward(ArraySpan in) {
  const ndarray one = cupyxx::ones({}, in[0].dtype());
  // Taking the labels among the classes reports those out of range; -1 must not count from the end.
  const std::int64_t count = in[0].shape()[1];
  const ndarray classes = cupyxx::arange(count), t = in[1].astype(cupyxx::int64, false);
  const ndarray labels = cupyxx::take(classes, cupyxx::where(t < 0, count, t));
  const ndarray is_label = cupyxx::equal(classes, cupyxx::expand_dims(labels, 1));
  sign_ = cupyxx::where(is_label, -one, one);
  excess_ = cupyxx::maximum(sign_ * in[0] + 1, 0);
  const ndarray excess = internal::in_float32(excess_);
  const ndarray loss = norm_ == HingeNorm::L1 ? excess : cupyxx::square(excess);
  const ndarray y = reduce_ == Reduce::no ? loss : loss.sum() * share(in[0].shape());
  return {y.astype(in[0].dtype(), false)};
}

std::vector<ndarray> Hinge::backward(ArraySpan in, ArraySpan gy) {
  const bool is_straight = norm_ == HingeNorm::L1;
  const ndarray scale = gy[0] * (share(in[0].shape()) * (is_straight ? 1 : 2));
  const ndarray slope = is_straight ? cupyxx::sign(excess_) : excess_;
  return {slope * sign_ * scale, {}};
}

std::vector<Variable> Hinge::backward_variables(VariableSpan in, VariableSpan gy) {
  const Variable sign = sign_;
  const Variable scale = broadcast_to(gy[0] * share(in[0].shape()), in[0].shape());
  const ndarray inside = excess_ > 0;
  if (norm_ == HingeNorm::L1) return {internal::masked(inside, sign * scale), {}};
  return {internal::masked(inside, (sign * in[0] + 1) * 2 * sign * scale), {}};
}

void HuberLoss::check_type_forward(const typecheck::TypeInfos& in) const {
  expect_two(in);
  typecheck::expect(in[0].ndim() >= 1);
}

std::vector<ndarray> HuberLoss::forward(ArraySpan in) {
  difference_ = in[0] - in[1];
  const ndarray size = cupyxx::absolute(difference_);
  const ndarray loss =
      cupyxx::where(size < delta_, cupyxx::square(difference_) * 0.5, (size - delta_ / 2) * delta_);
  const cupyxx::Shape shape = loss.shape();
  if (shape.ndim() == 1) return {loss};
  return {loss.reshape({shape[0], shape[0] == 0 ? 0 : loss.size() / shape[0]}).sum(1)};
}

std::vector<ndarray> HuberLoss::backward(ArraySpan, ArraySpan gy) {
  cupyxx::Shape rows = gy[0].shape();
  while (rows.ndim() < difference_.ndim()) rows.push_back(1);
  const ndarray gx = difference_.clip(-delta_, delta_) * gy[0].reshape(rows);
  return {gx, needs_gradient(1) ? -gx : ndarray()};
}

std::vector<Variable> HuberLoss::backward_variables(VariableSpan in, VariableSpan gy) {
  cupyxx::Shape rows = gy[0].shape();
  while (rows.ndim() < difference_.ndim()) rows.push_back(1);
  const Variable gx =
      clip(in[0] - in[1], -delta_, delta_) * broadcast_to(reshape(gy[0], rows), in[0].shape());
  return {gx, -gx};
}

void CrossCovariance::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto y = in[0], z = in[1];
  typecheck::expect(y.dtype().kind() == 'f', y.dtype() == z.dtype(), y.ndim() == 2, z.ndim() == 2,
                    y.shape()[0] == z.shape()[0]);
}

std::vector<ndarray> CrossCovariance::forward(ArraySpan in) {
  const ndarray y = internal::in_float32(in[0]), z = internal::in_float32(in[1]);
  y_ = y - y.mean(0, {.keepdims = true});
  z_ = z - z.mean(0, {.keepdims = true});
  covariance_ = cupyxx::gemm(y_.T(), z_) / samples(in[0].shape());
  return {(cupyxx::square(covariance_).sum() * 0.5).astype(in[0].dtype(), false)};
}

std::vector<ndarray> CrossCovariance::backward(ArraySpan in, ArraySpan gy) {
  const ndarray g = covariance_ * (internal::in_float32(gy[0]) / samples(in[0].shape()));
  const cupyxx::dtype type = in[0].dtype();
  return {cupyxx::gemm(z_, g.T()).astype(type, false), cupyxx::gemm(y_, g).astype(type, false)};
}

std::vector<Variable> CrossCovariance::backward_variables(VariableSpan in, VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [](const std::vector<Variable>& v) {
    const auto centred = [](const Variable& given) {
      const Variable x = internal::in_float32(given);
      return x - broadcast_to(mean(x, 0, true), x.shape());
    };
    const Variable covariance = matmul(centred(v[0]), centred(v[1]), true) / samples(v[0].shape());
    return std::vector<Variable>{cast(sum(square(covariance)) * 0.5, v[0].dtype())};
  });
}

Variable hinge(const Variable& x, const Variable& t, cupyxx::Choice<HingeNorm> norm,
               ReduceChoice reduce) {
  return Hinge(norm, reduce)(x, t);
}

Variable huber_loss(const Variable& x, const Variable& t, double delta) {
  check_delta(delta);
  return HuberLoss(delta)(x, t);
}

Variable huber_loss(const Variable& x, const Variable& t, double delta, ReduceChoice reduce) {
  check_delta(delta);
  internal::expect_same_shape("huber_loss", {&x, &t});
  const Variable difference = internal::in_float32(x) - internal::in_float32(t);
  // d^2 / 2 inside, delta (|d| - delta / 2) outside.
  const Variable inside = clip(difference, -delta, delta);
  const Variable losses = inside * (difference - inside * 0.5);
  return internal::typed_as(x, internal::reduced(losses, reduce));
}

Variable cross_covariance(const Variable& y, const Variable& z) { return CrossCovariance()(y, z); }

Variable contrastive(const Variable& x0, const Variable& x1, const Variable& t, double margin,
                     ReduceChoice reduce) {
  if (!(margin > 0)) {
    throw cupyxx::ValueError(
        cupyxx::message("contrastive: the margin is not positive; ", cupyxx::Scalar(margin)));
  }
  internal::refuse_none("contrastive", {&x0, &x1, &t});
  if (x0.ndim() != 2 || x0.shape() != x1.shape() || t.shape() != cupyxx::Shape{x0.shape()[0]}) {
    throw cupyxx::ShapeError(cupyxx::message("contrastive: shapes do not fit; ", x0.shape(), ", ",
                                             x1.shape(), " and ", t.shape()));
  }
  const Variable squared = sum(square(internal::in_float32(x0) - internal::in_float32(x1)), 1);
  const Variable together(t.data().astype(squared.dtype(), false), x0.volatile_());
  const Variable apart(1 - together.data(), x0.volatile_());
  // The root has no slope at 0: pairs that coincide are held just above and receive no gradient.
  const double least = 1e-30;
  const double most = std::numeric_limits<double>::infinity();
  const Variable missing = relu(margin - sqrt(clip(squared, least, most)));
  const Variable losses = (together * squared + apart * square(missing)) * 0.5;
  return internal::typed_as(x0, internal::reduced(losses, reduce));
}

Variable triplet(const Variable& anchor, const Variable& positive, const Variable& negative,
                 double margin, ReduceChoice reduce) {
  if (!(margin > 0)) {
    throw cupyxx::ValueError(
        cupyxx::message("triplet: the margin is not positive; ", cupyxx::Scalar(margin)));
  }
  internal::expect_same_shape("triplet", {&anchor, &positive, &negative});
  if (anchor.ndim() != 2) {
    throw cupyxx::ShapeError(
        cupyxx::message("triplet: the arrays are no matrices; ", anchor.shape()));
  }
  const Variable a = internal::in_float32(anchor), p = internal::in_float32(positive);
  const Variable distance = sum(square(a - p) - square(a - internal::in_float32(negative)), 1);
  return internal::typed_as(anchor, internal::reduced(relu(distance + margin), reduce));
}

}  // namespace chainerxx::functions
