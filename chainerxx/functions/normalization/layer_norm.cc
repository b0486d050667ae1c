// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/layer_norm.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/normalization/layer_normalization.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/spatial/normalization.h"
#include "chainerxx/internal/unsized.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// (..., size) as a matrix.
cupyxx::Shape rows(const cupyxx::Shape& shape) {
  std::int64_t count = 1;
  for (int axis = 0; axis + 1 < shape.ndim(); ++axis) count *= shape[axis];
  return {count, shape.back()};
}

/// The layer, of (x, gamma, beta), by functions.
Variable normalised_rows(const std::vector<Variable>& v, double eps) {
  const cupyxx::Shape shape = v[0].shape();
  return reshape(layer_normalization(reshape(v[0], rows(shape)), v[1], v[2], eps), shape);
}

/// LayerNorm::of_sum: its gradients of gamma and beta are added to the layer's by the kernel that
/// makes them.
class LayerNormOfSum final : public FunctionOf<LayerNormOfSum, 2> {
 public:
  LayerNormOfSum(const LayerNorm& layer, double eps) : layer_(layer), eps_(eps) {}
  std::string label() const override { return "LayerNormOfSum"; }
  std::vector<Field> fields() override { return layer_.fields(); }

  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 2);
    typecheck::expect(in[0].dtype() == in[1].dtype(), in[0].shape() == in[1].shape());
    layer_.check_type_forward(typecheck::TypeInfos(in.types().first(1)));
  }

  std::vector<ndarray> forward(ArraySpan in) override {
    const cupyxx::Shape shape = in[0].shape();
    const internal::AddLayerNormalised out = internal::add_layer_norm(
        eps_, in[0].reshape(rows(shape)), in[1].reshape(rows(shape)), layer_.gamma, layer_.beta);
    retain_inputs({});
    if (records()) {
      saved_gamma_ = internal::SavedArray(layer_.gamma);
      sum_ = internal::SavedArray(out.sum);
      moments_ = out.normalised.moments;
    }
    return {out.sum.reshape(shape), out.normalised.y.reshape(shape)};
  }

  std::vector<ndarray> backward(ArraySpan /*in*/, ArraySpan gy) override {
    if (gy[1].is_none()) return {gy[0], gy[0]};
    const cupyxx::Shape shape = gy[1].shape();
    const ndarray gsum = gy[0].is_none() ? ndarray() : gy[0].reshape(rows(shape));
    const ndarray gx = internal::add_layer_norm_grad(sum_.get(*this), saved_gamma_.get(*this),
                                                     moments_, gy[1].reshape(rows(shape)), gsum,
                                                     layer_.ggamma, layer_.gbeta);
    return {gx.reshape(shape), gx.reshape(shape)};
  }

  std::vector<Variable> backward_variables(VariableSpan /*in*/, VariableSpan gy) override {
    if (gy[1].is_none()) return {gy[0], gy[0]};
    const Variable sum = output_variable(0, sum_.get(*this).reshape(gy[1].shape()));
    const std::vector<Variable> all = {sum,
                                       internal::parameter(saved_gamma_.get(*this), layer_.ggamma),
                                       internal::parameter(layer_.beta, layer_.gbeta)};
    const std::vector<Variable> normalised = {gy[1]};
    const std::vector<Variable> grads =
        internal::differentiate_composed(all, normalised, [&](const std::vector<Variable>& v) {
          return std::vector<Variable>{normalised_rows(v, eps_)};
        });
    internal::add_gradient(layer_.ggamma, grads[1]);
    internal::add_gradient(layer_.gbeta, grads[2]);
    const Variable gx = gy[0].is_none() ? grads[0] : grads[0] + gy[0];
    return {gx, gx};
  }

 private:
  LayerNorm layer_;  // its arrays are those of the layer
  double eps_;
  internal::SavedArray saved_gamma_, sum_;
  ndarray moments_;
};

}  // namespace

LayerNorm::LayerNorm(const InputSize& size, const LayerNormOptions& options) : eps_(options.eps) {
  if (!(eps_ >= 0)) {
    throw cupyxx::ValueError(cupyxx::message("LayerNorm: eps is negative; ", cupyxx::Scalar(eps_)));
  }
  internal::check_sizes("LayerNorm", {size.value()});
  internal::check_floating("LayerNorm", options.dtype);
  if (internal::skips_initialization()) return;
  if (!size.is_none()) {
    initialize(size.value(), options);
    return;
  }
  internal::size_later(
      *this, 1,
      [](VariableSpan x) {
        internal::channels_of("LayerNorm", x, 2);
        return cupyxx::Shape{x[0].shape().back()};
      },
      [](const cupyxx::Shape& given) { return given; },
      [options](LayerNorm& layer, const cupyxx::Shape& sizes) {
        layer.initialize(sizes[0], options);
      });
}

void LayerNorm::initialize(std::int64_t size, const LayerNormOptions& options) {
  gamma =
      internal::initial_weights("LayerNorm", "initial_gamma", options.initial_gamma, {size},
                                options.dtype, [&] { return cupyxx::ones({size}, options.dtype); });
  ggamma = cupyxx::zeros_like(gamma);
  beta = internal::initial_bias("LayerNorm", "initial_beta", options.initial_beta, {size},
                                gamma.dtype(), 0);
  gbeta = cupyxx::zeros_like(beta);
}

std::vector<Field> LayerNorm::fields() {
  return {{"gamma", &gamma, &ggamma, true}, {"beta", &beta, &gbeta, true}};
}

VariableArray<2> LayerNorm::of_sum(const Variable& x, const Variable& y) const {
  const cupyxx::Shape shape = x.shape();
  if (y.shape() != shape || shape.ndim() < 2) {
    throw cupyxx::ShapeError(cupyxx::message(
        "LayerNorm::of_sum: two shapes that agree, of two axes or more; ", shape, ", ", y.shape()));
  }
  if (!is_initialized()) internal::Unsized::size(*this, {&x, 1});
  return LayerNormOfSum(*this, eps_)(x, y);
}

void LayerNorm::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  internal::expect_rank("LayerNorm", "gamma", gamma, 1);
  internal::expect_beside("LayerNorm", "gamma", gamma, "beta", beta, gamma.shape());
  const cupyxx::dtype dtype = in.types()[0].dtype();
  const bool is_narrow = dtype == cupyxx::float16 || dtype == cupyxx::bfloat16_;
  if (!is_narrow || gamma.dtype() != cupyxx::float32) {
    typecheck::expect(x.dtype() == gamma.dtype());
  }
  typecheck::expect(x.ndim() >= 2,
                    x.shape()[-1] == typecheck::Variable(gamma.shape()[0], "gamma.shape[0]"));
}

std::vector<ndarray> LayerNorm::forward(ArraySpan x) {
  const cupyxx::Shape shape = x[0].shape();
  const internal::LayerNormalised out =
      internal::layer_norm(eps_, x[0].reshape(rows(shape)), gamma, beta);
  if (records()) {
    saved_gamma_ = internal::SavedArray(gamma);
    moments_ = out.moments;
  }
  return {out.y.reshape(shape)};
}

std::vector<ndarray> LayerNorm::backward(ArraySpan x, ArraySpan gy) {
  const cupyxx::Shape shape = x[0].shape();
  const ndarray gx =
      internal::add_layer_norm_grad(x[0].reshape(rows(shape)), saved_gamma_.get(*this), moments_,
                                    gy[0].reshape(rows(shape)), {}, ggamma, gbeta);
  return {gx.reshape(shape)};
}

std::vector<Variable> LayerNorm::backward_variables(VariableSpan x, VariableSpan gy) {
  const std::vector<Variable> all = {x[0], internal::parameter(saved_gamma_.get(*this), ggamma),
                                     internal::parameter(beta, gbeta)};
  const std::vector<Variable> grads =
      internal::differentiate_composed(all, gy, [this](const std::vector<Variable>& v) {
        return std::vector<Variable>{normalised_rows(v, eps_)};
      });
  internal::add_gradient(ggamma, grads[1]);
  internal::add_gradient(gbeta, grads[2]);
  return {grads[0]};
}

}  // namespace chainerxx::functions
