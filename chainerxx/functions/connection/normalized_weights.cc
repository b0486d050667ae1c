// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/normalized_weights.h"

#include <optional>
#include <string>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/exponential.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/unsized.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"

namespace chainerxx::internal {
namespace {

ndarray with_length_one(const ndarray& x, double eps) {
  return x / (cupyxx::sqrt(cupyxx::square(x).sum()) + eps);
}

}  // namespace

void size_layer(Function& layer, const Variable& x) {
  chainerxx::internal::Unsized::size(layer, {&x, 1});
}

Variable standardized_filters(const Variable& W, double eps) {
  const cupyxx::Shape s = W.shape();
  const cupyxx::Shape rows = {s[0], s[0] == 0 ? std::int64_t{0} : W.size() / s[0]};
  if (W.size() == 0) return W;
  const Variable x = functions::reshape(W, rows);
  const Variable centred = x - functions::broadcast_to(functions::mean(x, AxesArg(1), true), rows);
  const Variable variance = functions::mean(functions::square(centred), AxesArg(1), true);
  // A filter of equal numbers is 0, and so is the slope of its deviation.
  const ndarray is_flat = cupyxx::equal(variance.data(), 0).astype(W.dtype());
  const Variable deviation = functions::sqrt(variance + is_flat) * (1 - is_flat) + eps;
  return functions::reshape(centred / functions::broadcast_to(deviation, rows), s);
}

SingularVector::SingularVector(int axis, const functions::SpectralNormalizationOptions& options)
    : axis_(axis), options_(options) {
  if (options.n_power_iteration < 1) {
    throw cupyxx::ValueError(cupyxx::message(
        "SpectralNormalization: n_power_iteration is not positive; ", options.n_power_iteration));
  }
  // Its size comes from W, or from a file, which may be read before the layer's first call.
  chainerxx::internal::size_later(
      *this, 1, [](VariableSpan inputs) { return inputs[0].shape(); },
      [](const cupyxx::Shape& saved) { return std::optional<cupyxx::Shape>(saved); },
      [](SingularVector& made, const cupyxx::Shape& sizes) {
        made.u = cupyxx::random::standard_normal(sizes);
      });
}

ndarray SingularVector::matrix(const ndarray& W) const {
  const ndarray first = cupyxx::moveaxis(W, axis_, 0);
  return first.reshape({first.shape()[0], std::int64_t{-1}});
}

void SingularVector::start(const ndarray& W) {
  if (W.is_none()) return;
  if (is_initialized()) {
    if (u.dtype() != W.dtype()) u = u.astype(W.dtype());
    return;
  }
  if (W.size() == 0) {
    throw cupyxx::ValueError(
        cupyxx::message("SpectralNormalization: W has no elements; ", W.shape()));
  }
  const cupyxx::DeviceScope device(W.device());
  chainerxx::internal::Unsized::size(*this, {W.shape()[axis_]});
  u = u.astype(W.dtype()).to(W.device());
}

ndarray SingularVector::gamma_of(const Function& layer, const ndarray& W) const {
  if (!layer.is_initialized()) {
    throw cupyxx::ValueError(
        "SpectralNormalization: gamma needs the sizes of the layer, which waits for one");
  }
  if (W.is_none()) return cupyxx::zeros({});
  return cupyxx::linalg::svd(matrix(W), false, false).s(0).copy();
}

Variable SingularVector::normalized(const Variable& W, const Variable& gamma) {
  const ndarray whole = matrix(W.data());
  if (!is_recomputing()) {
    left_ = u;
    for (int i = 0; i < options_.n_power_iteration; ++i) {
      right_ = with_length_one(cupyxx::matmul(left_, whole), options_.eps);
      left_ = with_length_one(cupyxx::matmul(whole, right_), options_.eps);
    }
    if (is_training()) u(cupyxx::ellipsis) = left_;
  }
  // left W right, a sum over W in its own order of axes.
  const ndarray outer = left_.reshape({left_.size(), std::int64_t{1}}) * right_;
  const cupyxx::Shape turned = cupyxx::moveaxis(W.data(), axis_, 0).shape();
  const Variable pairs = cupyxx::moveaxis(outer.reshape(turned), 0, axis_);
  const Variable sigma = functions::sum(W * pairs) * (1 / options_.factor.value_or(1));
  const Variable share = gamma.is_none() ? 1 / sigma : gamma / sigma;
  return W * functions::broadcast_to(share, W.shape());
}

}  // namespace chainerxx::internal
