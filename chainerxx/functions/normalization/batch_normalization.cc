// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/batch_normalization.h"

#include <string>

#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/spatial/batch_norm.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// x.shape[1:1+n] == size and the axes of x suffice.
void expect_channels(const typecheck::TypeInfos& in, std::int64_t axes) {
  typecheck::expect(in[0].dtype().kind() == 'f', in[0].ndim() >= axes + 1,
                    in[1].dtype() == in[0].dtype(), in[2].dtype() == in[0].dtype(),
                    in[1].shape() == in[2].shape(),
                    in[0].shape()[typecheck::slice(1, axes + 1)] == in[1].shape());
}

void check_eps(double eps) {
  if (eps >= 0) return;
  throw cupyxx::ValueError("batch_normalization: eps is negative; " + cupyxx::Scalar(eps).str());
}

void check_statistics(const BatchNormalizationOptions& options, const ndarray& gamma) {
  if (options.running_mean.is_none() != options.running_var.is_none()) {
    throw cupyxx::ValueError(
        "batch_normalization: one of running_mean and running_var is missing; they come together");
  }
  if (options.running_mean.is_none()) return;
  for (const ndarray* a : {&options.running_mean, &options.running_var}) {
    if (a->shape() != gamma.shape() || a->dtype() != gamma.dtype()) {
      throw cupyxx::ShapeError("batch_normalization: running statistics differ from gamma; " +
                               a->shape().str() + " " + std::string(a->dtype().name()) + " and " +
                               gamma.shape().str() + " " + std::string(gamma.dtype().name()));
    }
  }
}

/// The other options of the core.
internal::BatchNorm how(double eps, double decay = 0) { return {.eps = eps, .decay = decay}; }

}  // namespace

void BatchNormalizationFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 3);
  expect_channels(in, in.types()[1].ndim());
}

std::vector<ndarray> BatchNormalizationFunction::forward(std::span<const ndarray> in) {
  check_eps(options_.eps);
  check_statistics(options_, in[1]);
  internal::Normalised result =
      internal::batch_norm(how(options_.eps, options_.decay), in[0], in[1], in[2],
                           options_.running_mean, options_.running_var);
  if (records()) moments_ = result.moments;
  return {result.y};
}

std::vector<ndarray> BatchNormalizationFunction::backward(std::span<const ndarray> in,
                                                          std::span<const ndarray> gy) {
  const ndarray ggamma = cupyxx::zeros_like(in[1]), gbeta = cupyxx::zeros_like(in[2]);
  const ndarray gx = internal::batch_norm_grad(false, in[0], in[1], moments_, gy[0], ggamma, gbeta);
  return {gx, ggamma, gbeta};
}

void FixedBatchNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 5);
  expect_channels(in, in.types()[1].ndim());
  typecheck::expect(in[3].dtype() == in[0].dtype(), in[3].shape() == in[1].shape(),
                    in[4].dtype() == in[0].dtype(), in[4].shape() == in[1].shape());
}

std::vector<ndarray> FixedBatchNormalization::forward(std::span<const ndarray> in) {
  check_eps(eps_);
  internal::Normalised result =
      internal::fixed_batch_norm(how(eps_), in[0], in[1], in[2], in[3], in[4]);
  if (records()) moments_ = result.moments;
  return {result.y};
}

std::vector<ndarray> FixedBatchNormalization::backward(std::span<const ndarray> in,
                                                       std::span<const ndarray> gy) {
  const ndarray ggamma = cupyxx::zeros_like(in[1]), gbeta = cupyxx::zeros_like(in[2]);
  const ndarray gx = internal::batch_norm_grad(true, in[0], in[1], moments_, gy[0], ggamma, gbeta);
  // y = (x - mean) gamma / sqrt(var + eps) + beta.
  ndarray gmean, gvar;
  if (needs_gradient(3) || needs_gradient(4)) {
    const ndarray inv_std =
        moments_(cupyxx::ellipsis, 1).astype(in[1].dtype()).reshape(in[1].shape());
    gmean = -(in[1] * inv_std * gbeta);
    gvar = in[1] * ggamma * inv_std * inv_std * -0.5;
  }
  return {gx, ggamma, gbeta, gmean, gvar};
}

BatchNormalization::BatchNormalization(const cupyxx::Shape& size,
                                       const BatchNormalizationLayerOptions& options)
    : decay_(options.decay), eps_(options.eps) {
  check_eps(eps_);
  if (internal::skips_initialization()) return;
  gamma = cupyxx::ones(size, options.dtype);
  ggamma = cupyxx::zeros(size, options.dtype);
  beta = cupyxx::zeros(size, options.dtype);
  gbeta = cupyxx::zeros(size, options.dtype);
  avg_mean = cupyxx::zeros(size, options.dtype);
  avg_var = cupyxx::ones(size, options.dtype);
}

std::vector<Field> BatchNormalization::fields() {
  return {{"gamma", &gamma, &ggamma},
          {"beta", &beta, &gbeta},
          {"avg_mean", &avg_mean},
          {"avg_var", &avg_var}};
}

Variable BatchNormalization::operator()(const Variable& x, const Mode& mode) const {
  BatchNormalization application(*this);
  application.mode_ = mode;
  if (mode.finetune && !mode.test) {
    ++finetuned_;
    application.finetuned_ = finetuned_;
  }
  return static_cast<const FunctionOf<BatchNormalization>&>(application)(x);
}

void BatchNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const std::int64_t axes = gamma.ndim();
  typecheck::expect(in[0].dtype() == gamma.dtype(), in[0].ndim() >= axes + 1,
                    in[0].shape()[typecheck::slice(1, axes + 1)] == gamma.shape());
}

std::vector<ndarray> BatchNormalization::forward(std::span<const ndarray> x) {
  const Mode mode = mode_.value_or(Mode());
  fixed_ = mode.test;
  internal::Normalised result;
  if (fixed_) {
    result = internal::fixed_batch_norm(how(eps_), x[0], gamma, beta, avg_mean, avg_var);
  } else {
    // Averages over N batches give the newest the weight 1 / N.
    const double decay =
        mode.finetune ? 1 - 1 / static_cast<double>(std::max<std::int64_t>(1, finetuned_)) : decay_;
    result = internal::batch_norm(how(eps_, decay), x[0], gamma, beta, avg_mean, avg_var);
  }
  if (records()) {
    moments_ = result.moments;
    saved_gamma_ = internal::SavedArray(gamma);
  }
  return {result.y};
}

std::vector<ndarray> BatchNormalization::backward(std::span<const ndarray> x,
                                                  std::span<const ndarray> gy) {
  return {internal::batch_norm_grad(fixed_, x[0], saved_gamma_.get(*this), moments_, gy[0], ggamma,
                                    gbeta)};
}

Variable batch_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                             const BatchNormalizationOptions& options) {
  return BatchNormalizationFunction(options)(x, gamma, beta);
}

Variable fixed_batch_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                                   const Variable& mean, const Variable& var, double eps) {
  return FixedBatchNormalization(eps)(x, gamma, beta, mean, var);
}

}  // namespace chainerxx::functions
