// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/batch_normalization.h"

#include <string>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/spatial/batch_norm.h"
#include "chainerxx/internal/takes_beside.h"
#include "chainerxx/internal/unsized.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// The input whose dtype the parameters have: x, or gamma in float32 beside a narrower x.
std::int64_t leading_type(const typecheck::TypeInfos& in) {
  const cupyxx::dtype x = in.types()[0].dtype(), gamma = in.types()[1].dtype();
  return x != gamma && internal::takes_beside(gamma, x) ? 1 : 0;
}

/// x.shape[1:1+n] == size and the axes of x suffice.
void expect_channels(const typecheck::TypeInfos& in, std::int64_t axes) {
  const auto dtype = in[leading_type(in)].dtype();
  typecheck::expect(in[0].dtype().kind() == 'f', in[0].ndim() >= axes + 1, in[1].dtype() == dtype,
                    in[2].dtype() == dtype, in[1].shape() == in[2].shape(),
                    in[0].shape()[typecheck::slice(1, axes + 1)] == in[1].shape());
}

void check_eps(double eps) {
  if (eps >= 0) return;
  throw cupyxx::ValueError(
      cupyxx::message("batch_normalization: eps is negative; ", cupyxx::Scalar(eps)));
}

void check_decay(double decay) {
  if (decay >= 0 && decay <= 1) return;
  throw cupyxx::ValueError(cupyxx::message("batch_normalization: the decay is outside of [0, 1]; ",
                                           cupyxx::Scalar(decay)));
}

void check_statistics(const BatchNormalizationOptions& options, const ndarray& gamma) {
  if (options.running_mean.is_none() != options.running_var.is_none()) {
    throw cupyxx::ValueError(
        "batch_normalization: one of running_mean and running_var is missing; they come together");
  }
  if (options.running_mean.is_none()) return;
  for (const ndarray* a : {&options.running_mean, &options.running_var}) {
    if (a->device() != gamma.device()) {
      throw cupyxx::DeviceError(cupyxx::message(
          "batch_normalization: the running statistics are on another device than gamma; ",
          a->device().name(), " and ", gamma.device().name()));
    }
    if (a->shape() == gamma.shape() && a->dtype() == gamma.dtype()) continue;
    const std::string text =
        cupyxx::message("batch_normalization: running statistics differ from gamma; ", a->shape(),
                        " ", a->dtype().name(), " and ", gamma.shape(), " ", gamma.dtype().name());
    if (a->shape() != gamma.shape()) throw cupyxx::ShapeError(text);
    throw cupyxx::DtypeError(text);
  }
}

/// The axes other than those of the channels, and the shape of an array per channel beside x.
struct Channels {
  Channels(const cupyxx::Shape& x, const cupyxx::Shape& gamma) : beside(x) {
    std::vector<std::int64_t> others;
    for (int i = 0; i < x.ndim(); ++i) {
      if (i >= 1 && i <= gamma.ndim()) continue;
      others.push_back(i);
      beside[i] = 1;
    }
    axes = others;
  }
  cupyxx::Axes axes;
  cupyxx::Shape beside;
};

/// y = (x - mean) * inv_std * gamma + beta, of variables per channel.
Variable normalised(const Channels& channels, const Variable& x, const Variable& gamma,
                    const Variable& beta, const Variable& mean, const Variable& inv_std) {
  const auto wide = [&](const Variable& v) {
    return broadcast_to(reshape(v, channels.beside), x.shape());
  };
  return (x - wide(mean)) * wide(inv_std * gamma) + wide(beta);
}

/// The gradients of normalisation by the moments of the batch, for (x, gamma, beta).
std::vector<Variable> batch_gradients(VariableSpan in, VariableSpan gy, double eps) {
  return internal::differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
    const Channels channels(v[0].shape(), v[1].shape());
    const auto mean_of = [&](const Variable& a) {
      return reshape(functions::mean(a, channels.axes), v[1].shape());
    };
    const Variable x = cast(v[0], v[1].dtype()), centre = mean_of(x);
    const Variable distance = x - broadcast_to(reshape(centre, channels.beside), x.shape());
    const Variable inv_std = 1 / sqrt(mean_of(square(distance)) + eps);
    const Variable y = normalised(channels, x, v[1], v[2], centre, inv_std);
    return std::vector<Variable>{cast(y, v[0].dtype())};
  });
}

/// The other options of the core.
internal::BatchNorm how(double eps, double decay = 0) { return {.eps = eps, .decay = decay}; }

}  // namespace

void BatchNormalizationFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 3);
  expect_channels(in, in.types()[1].ndim());
}

std::vector<ndarray> BatchNormalizationFunction::forward(ArraySpan in) {
  check_eps(options_.eps);
  check_decay(options_.decay);
  check_statistics(options_, in[1]);
  const bool updates = !is_recomputing();
  internal::Normalised result = internal::batch_norm(
      how(options_.eps, options_.decay), in[0], in[1], in[2],
      updates ? options_.running_mean : ndarray(), updates ? options_.running_var : ndarray());
  if (records()) moments_ = result.moments;
  return {result.y};
}

std::vector<ndarray> BatchNormalizationFunction::backward(ArraySpan in, ArraySpan gy) {
  const ndarray ggamma = cupyxx::zeros_like(in[1]), gbeta = cupyxx::zeros_like(in[2]);
  const ndarray gx =
      internal::batch_norm_grad(false, in[0], in[1], moments_, gy[0], ggamma, gbeta).x;
  return {gx, ggamma, gbeta};
}

std::vector<Variable> BatchNormalizationFunction::backward_variables(VariableSpan in,
                                                                     VariableSpan gy) {
  return batch_gradients(in, gy, options_.eps);
}

void FixedBatchNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 5);
  expect_channels(in, in.types()[1].ndim());
  const auto dtype = in[leading_type(in)].dtype();
  typecheck::expect(in[3].dtype() == dtype, in[3].shape() == in[1].shape(), in[4].dtype() == dtype,
                    in[4].shape() == in[1].shape());
}

std::vector<ndarray> FixedBatchNormalization::forward(ArraySpan in) {
  check_eps(eps_);
  internal::Normalised result =
      internal::fixed_batch_norm(how(eps_), in[0], in[1], in[2], in[3], in[4]);
  if (records()) moments_ = result.moments;
  return {result.y};
}

std::vector<ndarray> FixedBatchNormalization::backward(ArraySpan in, ArraySpan gy) {
  const ndarray ggamma = cupyxx::zeros_like(in[1]), gbeta = cupyxx::zeros_like(in[2]);
  const ndarray gx =
      internal::batch_norm_grad(true, in[0], in[1], moments_, gy[0], ggamma, gbeta).x;
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

std::vector<Variable> FixedBatchNormalization::backward_variables(VariableSpan in,
                                                                  VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
    const Channels channels(v[0].shape(), v[1].shape());
    const Variable x = cast(v[0], v[1].dtype());
    const Variable y = normalised(channels, x, v[1], v[2], v[3], 1 / sqrt(v[4] + eps_));
    return std::vector<Variable>{cast(y, v[0].dtype())};
  });
}

BatchNormalization::BatchNormalization(const cupyxx::Shape& size,
                                       const BatchNormalizationLayerOptions& options)
    : decay_(options.decay), eps_(options.eps) {
  start(&size, options);
}

double BatchNormalization::placed_decay(double decay) {
  if (decay <= 0 || decay >= 0.01) return decay;  // others are refused where all decays are
  throw cupyxx::ValueError(cupyxx::message(
      "BatchNormalization: the decay comes before eps here, and ", cupyxx::Scalar(decay),
      " keeps next to nothing of the running statistics; write {.eps = ", cupyxx::Scalar(decay),
      "}, where PyTorch's momentum m is {.decay = 1 - m}, or {.decay = ", cupyxx::Scalar(decay),
      "} if it is meant"));
}

void BatchNormalization::start(const cupyxx::Shape* size,
                               const BatchNormalizationLayerOptions& options) {
  check_eps(eps_);
  check_decay(decay_);
  if (size != nullptr) internal::check_sizes("BatchNormalization", *size);
  if (internal::skips_initialization()) return;
  internal::check_floating("BatchNormalization", options.dtype);
  if (size != nullptr) return initialize(*size, options);
  internal::size_later(
      *this, 0, [](VariableSpan x) { return internal::channels_of("BatchNormalization", x, 2); },
      [](const cupyxx::Shape& given) { return given; },
      [options](BatchNormalization& layer, const cupyxx::Shape& sizes) {
        layer.initialize(sizes, options);
      });
}

void BatchNormalization::initialize(const cupyxx::Shape& size,
                                    const BatchNormalizationLayerOptions& options) {
  const char* const name = "BatchNormalization";
  gamma =
      internal::initial_weights(name, "initial_gamma", options.initial_gamma, size, options.dtype,
                                [&] { return cupyxx::ones(size, options.dtype); });
  ggamma = cupyxx::zeros(size, gamma.dtype());
  beta = internal::initial_bias(name, "initial_beta", options.initial_beta, size, gamma.dtype(), 0);
  gbeta = cupyxx::zeros(size, gamma.dtype());
  avg_mean = cupyxx::zeros(size, gamma.dtype());
  avg_var = cupyxx::ones(size, gamma.dtype());
}

std::vector<Field> BatchNormalization::fields() {
  return {{"gamma", &gamma, &ggamma, true},
          {"beta", &beta, &gbeta, true},
          {"avg_mean", &avg_mean, nullptr, true},
          {"avg_var", &avg_var, nullptr, true}};
}

BatchNormalization BatchNormalization::applied(const Variable& x, const Mode& mode,
                                               Then then) const {
  if (!is_initialized()) internal::Unsized::size(*this, {&x, 1});
  BatchNormalization application(*this);
  application.mode_ = mode;
  application.then_ = then;
  if (mode.finetune && !mode.test && !is_recomputing()) {
    cupyxx::extension::refuse_in_capture(
        "batch_normalization with finetune counts its calls, which a graph does not repeat");
    ++finetuned_;
    application.finetuned_ = finetuned_;
  }
  return application;
}

Variable BatchNormalization::operator()(const Variable& x, const Mode& mode) const {
  const BatchNormalization application = applied(x, mode, Then::nothing);
  return static_cast<const FunctionOf<BatchNormalization>&>(application)(x);
}

Variable BatchNormalization::relu(const Variable& x, const Mode& mode) const {
  const BatchNormalization application = applied(x, mode, Then::relu);
  return static_cast<const FunctionOf<BatchNormalization>&>(application)(x);
}

Variable BatchNormalization::add_relu(const Variable& x, const Variable& shortcut,
                                      const Mode& mode) const {
  const BatchNormalization application = applied(x, mode, Then::add_relu);
  return static_cast<const FunctionOf<BatchNormalization>&>(application)(x, shortcut);
}

bool BatchNormalization::keeps_result(const ndarray& x) const {
  return then_ == Then::add_relu || (then_ == Then::relu && x.device().is_cpu());
}

void BatchNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == (then_ == Then::add_relu ? 2 : 1));
  const std::int64_t axes = gamma.ndim();
  const cupyxx::Shape channels = gamma.shape();
  internal::expect_beside("BatchNormalization", "gamma", gamma, "beta", beta, channels);
  internal::expect_beside("BatchNormalization", "gamma", gamma, "avg_mean", avg_mean, channels);
  internal::expect_beside("BatchNormalization", "gamma", gamma, "avg_var", avg_var, channels);
  if (!internal::takes_beside(gamma.dtype(), in.types()[0].dtype())) {
    typecheck::expect(in[0].dtype() == gamma.dtype());
  }
  typecheck::expect(in[0].ndim() >= axes + 1,
                    in[0].shape()[typecheck::slice(1, axes + 1)] == gamma.shape());
  if (then_ != Then::add_relu) return;
  typecheck::expect(in[1].dtype() == in[0].dtype(), in[1].shape() == in[0].shape());
}

std::vector<ndarray> BatchNormalization::forward(ArraySpan x) {
  const Mode mode = mode_.value_or(Mode());
  fixed_ = mode.test;
  const ndarray shortcut = then_ == Then::add_relu ? x[1] : ndarray();
  const bool relu = then_ != Then::nothing;
  internal::Normalised result;
  if (fixed_) {
    result = internal::fixed_batch_norm({.eps = eps_, .relu = relu}, x[0], gamma, beta, avg_mean,
                                        avg_var, shortcut);
  } else {
    // Averages over N batches give the newest the weight 1 / N.
    const double decay =
        mode.finetune ? 1 - 1 / static_cast<double>(std::max<std::int64_t>(1, finetuned_)) : decay_;
    const bool updates = !is_recomputing();
    result = internal::batch_norm({.eps = eps_, .decay = decay, .relu = relu}, x[0], gamma, beta,
                                  updates ? avg_mean : ndarray(), updates ? avg_var : ndarray(),
                                  shortcut);
  }
  retain_inputs({0});
  if (records()) {
    moments_ = result.moments;
    saved_gamma_ = internal::SavedArray(gamma);
    if (keeps_result(x[0])) {
      saved_result_ = internal::SavedArray(result.y);
    } else if (relu) {
      saved_beta_ = internal::SavedArray(beta);
    }
  }
  return {result.y};
}

std::vector<ndarray> BatchNormalization::backward(ArraySpan x, ArraySpan gy) {
  internal::BatchNormRelu relu;
  if (keeps_result(x[0])) {
    relu.y = saved_result_.get(*this);
  } else if (then_ == Then::relu) {
    relu.beta = saved_beta_.get(*this);
  }
  internal::BatchNormGradients grads = internal::batch_norm_grad(
      fixed_, x[0], saved_gamma_.get(*this), moments_, gy[0], ggamma, gbeta, relu);
  if (then_ == Then::add_relu) return {grads.x, grads.added};
  return {grads.x};
}

/// The gradient that passes the ReLU.
Variable BatchNormalization::after_relu(const ndarray& x, const Variable& gy) {
  ndarray y;
  if (keeps_result(x)) {
    y = saved_result_.get(*this);
  } else if (fixed_) {
    y = internal::fixed_batch_norm(how(eps_), x, gamma, beta, avg_mean, avg_var).y;
  } else {
    y = internal::batch_norm(how(eps_), x, gamma, beta, {}, {}).y;
  }
  return internal::masked(cupyxx::greater(y, 0), gy);
}

std::vector<Variable> BatchNormalization::backward_variables(VariableSpan x, VariableSpan gy) {
  const std::vector<Variable> passed = {then_ == Then::nothing ? gy[0]
                                                               : after_relu(x[0].data(), gy[0])};
  const Variable own_gamma = internal::parameter(saved_gamma_.get(*this), ggamma);
  const Variable own_beta = internal::parameter(beta, gbeta);
  const std::vector<Variable> in = {x[0], own_gamma, own_beta};
  std::vector<Variable> grads;
  if (fixed_) {
    grads = internal::differentiate_composed(in, passed, [&](const std::vector<Variable>& v) {
      const auto moment = [&](int i) {
        return moments_(cupyxx::ellipsis, i).astype(gamma.dtype()).reshape(gamma.shape());
      };
      const Channels channels(v[0].shape(), v[1].shape());
      const Variable own = cast(v[0], v[1].dtype());
      const Variable y = normalised(channels, own, v[1], v[2], moment(0), moment(1));
      return std::vector<Variable>{cast(y, v[0].dtype())};
    });
  } else {
    grads = batch_gradients(in, passed, eps_);
  }
  internal::add_gradient(ggamma, grads[1]);
  internal::add_gradient(gbeta, grads[2]);
  if (then_ == Then::add_relu) return {grads[0], passed[0]};
  return {grads[0]};
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
