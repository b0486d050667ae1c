// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/group_normalization.h"

#include <algorithm>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/internal/spatial/normalization.h"
#include "chainerxx/internal/sum_to.h"
#include "chainerxx/internal/unsized.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

constexpr const char* kName = "group_normalization";
constexpr const char* kLayer = "GroupNormalization";

void check_groups(const char* name, std::int64_t groups, std::int64_t channels) {
  if (groups >= 1 && groups <= std::max<std::int64_t>(channels, 1) && channels % groups == 0)
    return;
  throw cupyxx::ValueError(cupyxx::message(name, ": the groups do not divide the channels; ",
                                           groups, " and ", channels));
}

void check_eps(const char* name, double eps) {
  if (eps >= 0) return;
  throw cupyxx::ValueError(cupyxx::message(name, ": eps is negative; ", cupyxx::Scalar(eps)));
}

/// x with a row for each group of each sample.
cupyxx::Shape group_rows(const cupyxx::Shape& shape, std::int64_t groups) {
  const std::int64_t rows = shape[0] * groups;
  return {rows, rows == 0 ? 0 : shape.element_count() / rows};
}

/// (channels,) beside (n, channels, ...).
cupyxx::Shape per_channel(const cupyxx::Shape& shape) {
  cupyxx::Shape along = shape;
  for (int i = 0; i < along.ndim(); ++i) along[i] = i == 1 ? shape[1] : 1;
  return along;
}

struct Normalised {
  ndarray y;  // before gamma and beta, as rows
  ndarray moments;
};

Normalised normalised(double eps, const ndarray& x, std::int64_t groups, cupyxx::dtype parameters) {
  const ndarray rows = x.reshape(group_rows(x.shape(), groups));
  const cupyxx::Shape one_row = {rows.shape()[1]};
  const internal::LayerNormalised out = internal::layer_norm(
      eps, rows, cupyxx::ones(one_row, parameters), cupyxx::zeros(one_row, parameters));
  return {out.y, out.moments};
}

ndarray scaled(const ndarray& rows, const cupyxx::Shape& shape, const ndarray& gamma,
               const ndarray& beta) {
  const cupyxx::Shape along = per_channel(shape);
  const ndarray y = rows.reshape(shape) * gamma.reshape(along) + beta.reshape(along);
  return y.astype(rows.dtype(), false);
}

struct Gradients {
  ndarray gx, ggamma, gbeta;
};

Gradients all_gradients(double eps, const ndarray& x, std::int64_t groups, const ndarray& gamma,
                        const ndarray& moments, const ndarray& gy) {
  const cupyxx::Shape shape = x.shape(), along = per_channel(shape);
  const ndarray rows = x.reshape(group_rows(shape, groups));
  const ndarray y = normalised(eps, x, groups, gamma.dtype()).y.reshape(shape);
  const ndarray scale = (gy * gamma.reshape(along)).astype(x.dtype(), false);
  const ndarray ones = cupyxx::ones({rows.shape()[1]}, gamma.dtype());
  const internal::LayerNormGradients grads =
      internal::layer_norm_grad(rows, ones, moments, scale.reshape(rows.shape()));
  const auto per_channel_sum = [&](const ndarray& a) {
    return internal::sum_to(a, along, gamma.dtype()).reshape({shape[1]});
  };
  return {grads.gx.reshape(shape), per_channel_sum(y * gy), per_channel_sum(gy)};
}

/// The same of functions of variables (x, gamma, beta).
Variable composed(const std::vector<Variable>& v, std::int64_t groups, double eps) {
  const cupyxx::Shape shape = v[0].shape(), along = per_channel(shape);
  const Variable x = cast(v[0], v[1].dtype());
  const Variable rows = reshape(x, group_rows(shape, groups));
  const auto mean_of = [&](const Variable& a) {
    return broadcast_to(mean(a, 1, true), rows.shape());
  };
  const Variable distance = rows - mean_of(rows);
  const Variable y = reshape(distance / sqrt(mean_of(square(distance)) + eps), shape);
  const Variable gamma = broadcast_to(reshape(v[1], along), shape);
  return cast(y * gamma + broadcast_to(reshape(v[2], along), shape), v[0].dtype());
}

}  // namespace

void GroupNormalizationFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 3);
  const auto x = in[0], gamma = in[1], beta = in[2];
  typecheck::expect(x.dtype().kind() == 'f', x.ndim() >= 2);
  if (internal::is_wide_parameter(in.types()[0].dtype(), in.types()[1].dtype())) {
    typecheck::expect(gamma.dtype() == beta.dtype());
  } else {
    typecheck::expect(gamma.dtype() == x.dtype(), beta.dtype() == x.dtype());
  }
  typecheck::expect(gamma.ndim() == 1, gamma.shape() == beta.shape(),
                    x.shape()[1] == gamma.shape()[0]);
}

std::vector<ndarray> GroupNormalizationFunction::forward(ArraySpan in) {
  check_eps(kName, eps_);
  check_groups(kName, groups_, in[0].shape()[1]);
  const Normalised out = normalised(eps_, in[0], groups_, in[1].dtype());
  if (records()) moments_ = out.moments;
  return {scaled(out.y, in[0].shape(), in[1], in[2])};
}

std::vector<ndarray> GroupNormalizationFunction::backward(ArraySpan in, ArraySpan gy) {
  const Gradients grads = all_gradients(eps_, in[0], groups_, in[1], moments_, gy[0]);
  return {grads.gx, grads.ggamma, grads.gbeta};
}

std::vector<Variable> GroupNormalizationFunction::backward_variables(VariableSpan in,
                                                                     VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
    return std::vector<Variable>{composed(v, groups_, eps_)};
  });
}

GroupNormalization::GroupNormalization(std::int64_t groups, const InputSize& size,
                                       const GroupNormalizationOptions& options)
    : groups_(groups), eps_(options.eps) {
  const char* const name = kLayer;
  check_eps(name, eps_);
  internal::check_sizes(name, {size.value()});
  check_groups(name, groups, size.is_none() ? groups : size.value());
  internal::check_floating(name, options.dtype);
  if (internal::skips_initialization()) return;
  if (!size.is_none()) {
    initialize(size.value(), options);
    return;
  }
  internal::size_later(
      *this, 1, [](VariableSpan x) { return internal::channels_of(kLayer, x, 2); },
      [](const cupyxx::Shape& given) { return given; },
      [options](GroupNormalization& layer, const cupyxx::Shape& sizes) {
        layer.initialize(sizes[0], options);
      });
}

void GroupNormalization::initialize(std::int64_t size, const GroupNormalizationOptions& options) {
  const char* const name = kLayer;
  check_groups(name, groups_, size);
  gamma =
      internal::initial_weights(name, "initial_gamma", options.initial_gamma, {size}, options.dtype,
                                [&] { return cupyxx::ones({size}, options.dtype); });
  ggamma = cupyxx::zeros_like(gamma);
  beta =
      internal::initial_bias(name, "initial_beta", options.initial_beta, {size}, gamma.dtype(), 0);
  gbeta = cupyxx::zeros_like(beta);
}

std::vector<Field> GroupNormalization::fields() {
  return {{"gamma", &gamma, &ggamma, true}, {"beta", &beta, &gbeta, true}};
}

void GroupNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  if (!internal::is_wide_parameter(in.types()[0].dtype(), gamma.dtype())) {
    typecheck::expect(x.dtype() == gamma.dtype());
  }
  typecheck::expect(x.ndim() >= 2,
                    x.shape()[1] == typecheck::Variable(gamma.shape()[0], "gamma.shape[0]"));
}

std::vector<ndarray> GroupNormalization::forward(ArraySpan x) {
  const Normalised out = normalised(eps_, x[0], groups_, gamma.dtype());
  if (records()) {
    saved_gamma_ = internal::SavedArray(gamma);
    moments_ = out.moments;
  }
  return {scaled(out.y, x[0].shape(), gamma, beta)};
}

std::vector<ndarray> GroupNormalization::backward(ArraySpan x, ArraySpan gy) {
  const Gradients grads =
      all_gradients(eps_, x[0], groups_, saved_gamma_.get(*this), moments_, gy[0]);
  ggamma += grads.ggamma;
  gbeta += grads.gbeta;
  return {grads.gx};
}

std::vector<Variable> GroupNormalization::backward_variables(VariableSpan x, VariableSpan gy) {
  const std::vector<Variable> all = {x[0], internal::parameter(saved_gamma_.get(*this), ggamma),
                                     internal::parameter(beta, gbeta)};
  const std::vector<Variable> grads =
      internal::differentiate_composed(all, gy, [this](const std::vector<Variable>& v) {
        return std::vector<Variable>{composed(v, groups_, eps_)};
      });
  internal::add_gradient(ggamma, grads[1]);
  internal::add_gradient(gbeta, grads[2]);
  return {grads[0]};
}

Variable group_normalization(const Variable& x, std::int64_t groups, const Variable& gamma,
                             const Variable& beta, double eps) {
  return GroupNormalizationFunction(groups, eps)(x, gamma, beta);
}

Variable instance_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                                double eps) {
  internal::refuse_none("instance_normalization", {&x, &gamma, &beta});
  if (x.ndim() < 2) {
    throw cupyxx::ShapeError(
        cupyxx::message("instance_normalization: x is not (n, channels, ...); ", x.shape()));
  }
  return group_normalization(x, x.shape()[1], gamma, beta, eps);
}

}  // namespace chainerxx::functions
