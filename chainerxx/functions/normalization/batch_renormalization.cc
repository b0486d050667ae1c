// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/batch_renormalization.h"

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/internal/spatial/batch_norm.h"
#include "chainerxx/internal/takes_beside.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "cupyxx/statistics.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

void check_limits(const char* name, double rmax, double dmax) {
  if (rmax >= 1 && dmax >= 0) return;
  throw cupyxx::ValueError(cupyxx::message(name, ": rmax is below 1 or dmax negative; ",
                                           cupyxx::Scalar(rmax), " and ", cupyxx::Scalar(dmax)));
}

bool fits(const cupyxx::Shape& x, const cupyxx::Shape& gamma) {
  if (x.ndim() < gamma.ndim() + 1) return false;
  for (int i = 0; i < gamma.ndim(); ++i) {
    if (x[i + 1] != gamma[i]) return false;
  }
  return true;
}

/// What the batch's own moments are corrected by, in the dtype and shape of gamma.
struct Correction {
  ndarray r, d;
};

Correction correction(const ndarray& x, const ndarray& mean, const ndarray& var, double rmax,
                      double dmax, double eps) {
  std::vector<std::int64_t> others = {0};
  for (int i = mean.ndim() + 1; i < x.ndim(); ++i) others.push_back(i);
  const ndarray wide = x.astype(mean.dtype(), false);
  const ndarray own = wide.mean(others), deviation = cupyxx::sqrt(wide.var(others) + eps);
  const ndarray running = cupyxx::sqrt(var + eps);
  return {(deviation / running).clip(1 / rmax, rmax), ((own - mean) / running).clip(-dmax, dmax)};
}

}  // namespace

Variable batch_renormalization(const Variable& x, const Variable& gamma, const Variable& beta,
                               double rmax, double dmax, const BatchNormalizationOptions& options) {
  const char* const name = "batch_renormalization";
  internal::refuse_none(name, {&x, &gamma, &beta});
  check_limits(name, rmax, dmax);
  if (options.running_mean.is_none() || options.running_var.is_none()) {
    throw cupyxx::ValueError(cupyxx::message(name, ": running_mean or running_var is missing"));
  }
  if (options.running_mean.shape() != gamma.shape() ||
      options.running_var.shape() != gamma.shape() || !fits(x.shape(), gamma.shape())) {
    throw cupyxx::ShapeError(cupyxx::message(
        name, ": x, gamma and the running statistics do not fit; ", x.shape(), ", ", gamma.shape(),
        ", ", options.running_mean.shape(), " and ", options.running_var.shape()));
  }
  // Nothing to correct, or what it refuses.
  const bool is_floating = x.dtype().kind() == 'f' || x.dtype() == cupyxx::bfloat16_;
  if (x.size() == 0 || !is_floating) return batch_normalization(x, gamma, beta, options);
  const Correction c =
      correction(x.data(), options.running_mean, options.running_var, rmax, dmax, options.eps);
  const Variable r(c.r, x.volatile_()), d(c.d, x.volatile_());
  return batch_normalization(x, gamma * r, beta + gamma * d, options);
}

Variable fixed_batch_renormalization(const Variable& x, const Variable& gamma, const Variable& beta,
                                     const Variable& mean, const Variable& var, double eps) {
  return fixed_batch_normalization(x, gamma, beta, mean, var, eps);
}

BatchRenormalization::BatchRenormalization(const cupyxx::Shape& size, double rmax, double dmax,
                                           const BatchNormalizationLayerOptions& options)
    : rmax_(rmax), dmax_(dmax), decay_(options.decay), eps_(options.eps) {
  const char* const name = "BatchRenormalization";
  check_limits(name, rmax, dmax);
  internal::check_sizes(name, size);
  if (!(eps_ >= 0) || !(decay_ >= 0 && decay_ <= 1)) {
    throw cupyxx::ValueError(cupyxx::message(name,
                                             ": eps is negative or the decay outside of "
                                             "[0, 1]; ",
                                             cupyxx::Scalar(eps_), " and ",
                                             cupyxx::Scalar(decay_)));
  }
  if (internal::skips_initialization()) return;
  internal::check_floating(name, options.dtype);
  gamma =
      internal::initial_weights(name, "initial_gamma", options.initial_gamma, size, options.dtype,
                                [&] { return cupyxx::ones(size, options.dtype); });
  ggamma = cupyxx::zeros_like(gamma);
  beta = internal::initial_bias(name, "initial_beta", options.initial_beta, size, gamma.dtype(), 0);
  gbeta = cupyxx::zeros_like(beta);
  avg_mean = cupyxx::zeros(size, gamma.dtype());
  avg_var = cupyxx::ones(size, gamma.dtype());
}

std::vector<Field> BatchRenormalization::fields() {
  return {{"gamma", &gamma, &ggamma, true},
          {"beta", &beta, &gbeta, true},
          {"avg_mean", &avg_mean, nullptr, true},
          {"avg_var", &avg_var, nullptr, true}};
}

void BatchRenormalization::set_limits(double rmax, double dmax) {
  check_limits("BatchRenormalization", rmax, dmax);
  rmax_ = rmax;
  dmax_ = dmax;
}

Variable BatchRenormalization::operator()(const Variable& x, bool test) const {
  BatchRenormalization application(*this);
  application.test_ = test;
  return static_cast<const FunctionOf<BatchRenormalization>&>(application)(x);
}

void BatchRenormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const std::int64_t axes = gamma.ndim();
  const cupyxx::Shape channels = gamma.shape();
  internal::expect_beside("BatchRenormalization", "gamma", gamma, "beta", beta, channels);
  internal::expect_beside("BatchRenormalization", "gamma", gamma, "avg_mean", avg_mean, channels);
  internal::expect_beside("BatchRenormalization", "gamma", gamma, "avg_var", avg_var, channels);
  if (!internal::takes_beside(gamma.dtype(), in.types()[0].dtype())) {
    typecheck::expect(in[0].dtype() == gamma.dtype());
  }
  typecheck::expect(in[0].ndim() >= axes + 1,
                    in[0].shape()[typecheck::slice(1, axes + 1)] == gamma.shape());
}

std::vector<ndarray> BatchRenormalization::forward(ArraySpan x) {
  fixed_ = test_.value_or(!is_training());
  internal::Normalised result;
  if (fixed_) {
    result = internal::fixed_batch_norm({.eps = eps_}, x[0], gamma, beta, avg_mean, avg_var);
  } else {
    const bool corrects = (rmax_ > 1 || dmax_ > 0) && x[0].size() > 0;
    if (corrects && is_recomputing()) {
      throw cupyxx::ValueError(
          "BatchRenormalization: it cannot be trained within functions::forget; its running "
          "statistics have changed");
    }
    if (corrects) {
      const Correction c = correction(x[0], avg_mean, avg_var, rmax_, dmax_, eps_);
      r_ = c.r;
      d_ = c.d;
    }
    const bool updates = !is_recomputing();
    result =
        internal::batch_norm({.eps = eps_, .decay = decay_}, x[0], corrects ? gamma * r_ : gamma,
                             corrects ? beta + gamma * d_ : beta, updates ? avg_mean : ndarray(),
                             updates ? avg_var : ndarray());
  }
  retain_inputs({0});
  if (records()) {
    moments_ = result.moments;
    saved_gamma_ = internal::SavedArray(gamma);
  }
  return {result.y};
}

std::vector<ndarray> BatchRenormalization::backward(ArraySpan x, ArraySpan gy) {
  const ndarray own_gamma = saved_gamma_.get(*this);
  if (r_.is_none()) {
    return {internal::batch_norm_grad(fixed_, x[0], own_gamma, moments_, gy[0], ggamma, gbeta).x};
  }
  const ndarray by_scale = cupyxx::zeros_like(gamma), by_shift = cupyxx::zeros_like(gamma);
  const ndarray gx =
      internal::batch_norm_grad(false, x[0], own_gamma * r_, moments_, gy[0], by_scale, by_shift).x;
  ggamma += by_scale * r_ + by_shift * d_;
  gbeta += by_shift;
  return {gx};
}

std::vector<Variable> BatchRenormalization::backward_variables(VariableSpan x, VariableSpan gy) {
  const std::vector<Variable> in = {x[0], internal::parameter(saved_gamma_.get(*this), ggamma),
                                    internal::parameter(beta, gbeta)};
  const std::vector<Variable> grads =
      internal::differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
        if (!fixed_) {
          const bool corrects = !r_.is_none();
          return std::vector<Variable>{
              batch_normalization(v[0], corrects ? v[1] * Variable(r_) : v[1],
                                  corrects ? v[2] + v[1] * Variable(d_) : v[2], {.eps = eps_})};
        }
        const auto moment = [&](int i) {
          return moments_(cupyxx::ellipsis, i).astype(gamma.dtype()).reshape(gamma.shape());
        };
        const ndarray inv_std = moment(1);
        return std::vector<Variable>{
            fixed_batch_normalization(v[0], v[1], v[2], moment(0), 1 / (inv_std * inv_std), 0.0)};
      });
  internal::add_gradient(ggamma, grads[1]);
  internal::add_gradient(gbeta, grads[2]);
  return {grads[0]};
}

}  // namespace chainerxx::functions
