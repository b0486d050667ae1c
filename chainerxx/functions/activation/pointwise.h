// SPDX-License-Identifier: MIT
// Activation functions of single elements. Each is a class, whose objects hold the numbers, and a
// function.
#pragma once

#include <array>
#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {

namespace ops {  // internal/ops/activation.h
struct Relu;
struct Sigmoid;
struct Tanh;
struct ClippedRelu;
struct LeakyRelu;
struct Elu;
struct Softplus;
struct HardSigmoid;
struct Gelu;
struct GeluTanh;
struct Swish;
struct Softsign;
struct Mish;
}  // namespace ops

namespace internal {

/// What a function of single elements does to arrays and to variables; made from its operation.
struct PointwiseRow {
  bool reads_result;  // the gradient reads it, not the argument
  ndarray (*value)(const ndarray& x, const double* numbers);
  ndarray (*grad)(const ndarray& read, const ndarray& gy, const double* numbers);
  Variable (*rule)(const Variable& read, const Variable& gy, const double* numbers);
};
template <class Op>
CUPYXX_API const PointwiseRow& pointwise_row();

CUPYXX_API void check_pointwise(const typecheck::TypeInfos& in_types);

/// The function of an operation with up to two numbers: one pass over the elements forward, one
/// backward.
template <class Derived, class Op>
class Pointwise : public FunctionOf<Derived> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override {
    check_pointwise(in_types);
  }
  std::vector<ndarray> forward(ArraySpan x) override {
    const PointwiseRow& row = pointwise_row<Op>();
    if (row.reads_result) this->retain_inputs({});
    ndarray y = row.value(x[0], numbers_.data());
    if (row.reads_result && this->records()) y_ = SavedArray(y);
    return {std::move(y)};
  }
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override {
    const PointwiseRow& row = pointwise_row<Op>();
    return {row.grad(row.reads_result ? y_.get(*this) : x[0], gy[0], numbers_.data())};
  }
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override {
    const PointwiseRow& row = pointwise_row<Op>();
    const Variable read = row.reads_result ? this->output_variable(0, y_.get(*this)) : x[0];
    return {row.rule(read, gy[0], numbers_.data())};
  }

 protected:
  explicit Pointwise(double p = 0, double q = 0) : numbers_{p, q} {}

 private:
  std::array<double, 2> numbers_;
  SavedArray y_;
};

}  // namespace internal

namespace functions {

/// Options of leaky_relu.
struct LeakyReLUOptions {
  double slope = 0.2;
};
/// Options of elu.
struct ELUOptions {
  double alpha = 1;
};
/// Options of selu.
struct SELUOptions {
  double alpha = 1.6732632423543772848170429916717;
  double scale = 1.0507009873554804934193349852946;
};
/// Options of clipped_relu.
struct ClippedReLUOptions {
  double z = 20;
};
/// Options of softplus.
struct SoftplusOptions {
  double beta = 1;
};
/// Options of swish, for a beta that is a number.
struct SwishOptions {
  double beta = 1;
};
/// Options of gelu.
struct GELUOptions {
  bool approximate = false;  ///< by tanh
};

/// max(x, 0).
class CUPYXX_API ReLU final : public internal::Pointwise<ReLU, ops::Relu> {
 public:
  explicit ReLU(bool /*use_cudnn*/ = true) {}
};

/// 1 / (1 + exp(-x)).
class CUPYXX_API Sigmoid final : public internal::Pointwise<Sigmoid, ops::Sigmoid> {
 public:
  explicit Sigmoid(bool /*use_cudnn*/ = true) {}
};

/// Hyperbolic tangent.
class CUPYXX_API Tanh final : public internal::Pointwise<Tanh, ops::Tanh> {
 public:
  explicit Tanh(bool /*use_cudnn*/ = true) {}
};

/// min(max(x, 0), z).
class CUPYXX_API ClippedReLU final : public internal::Pointwise<ClippedReLU, ops::ClippedRelu> {
 public:
  /// Throws ValueError unless z is positive.
  explicit ClippedReLU(double z);
};

/// x, or slope * x for negative x.
class CUPYXX_API LeakyReLU final : public internal::Pointwise<LeakyReLU, ops::LeakyRelu> {
 public:
  explicit LeakyReLU(double slope = 0.2) : Pointwise(slope) {}
};

/// x, or alpha * (exp(x) - 1) for negative x (Clevert et al., 2015).
class CUPYXX_API ELU final : public internal::Pointwise<ELU, ops::Elu> {
 public:
  /// The result is multiplied by `scale`.
  explicit ELU(double alpha = 1, double scale = 1) : Pointwise(alpha, scale) {}
};

/// log(1 + exp(beta x)) / beta.
class CUPYXX_API Softplus final : public internal::Pointwise<Softplus, ops::Softplus> {
 public:
  /// Throws ValueError for beta 0.
  explicit Softplus(double beta = 1);
};

/// max(0, min(1, 0.2 x + 0.5)).
class CUPYXX_API HardSigmoid final : public internal::Pointwise<HardSigmoid, ops::HardSigmoid> {};

/// x Phi(x), where Phi is the normal distribution function (Hendrycks and Gimpel, 2016).
class CUPYXX_API GELU final : public internal::Pointwise<GELU, ops::Gelu> {};

/// The approximation of GELU by tanh that GPT-2 was trained with:
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
class CUPYXX_API GELUTanh final : public internal::Pointwise<GELUTanh, ops::GeluTanh> {};

/// x sigmoid(beta x) (Ramachandran et al., 2017).
class CUPYXX_API Swish final : public internal::Pointwise<Swish, ops::Swish> {
 public:
  explicit Swish(double beta = 1) : Pointwise(beta) {}
};

/// x / (1 + |x|).
class CUPYXX_API Softsign final : public internal::Pointwise<Softsign, ops::Softsign> {};

/// x tanh(softplus(x)) (Misra, 2019).
class CUPYXX_API Mish final : public internal::Pointwise<Mish, ops::Mish> {};

// `use_cudnn` stands here as in the manual; our own kernels serve every device.
/// max(x, 0); the gradient at 0 is 0.
CUPYXX_API Variable relu(const Variable& x, bool use_cudnn = true);
/// 1 / (1 + exp(-x)).
CUPYXX_API Variable sigmoid(const Variable& x, bool use_cudnn = true);
/// Hyperbolic tangent.
CUPYXX_API Variable tanh(const Variable& x, bool use_cudnn = true);
/// min(max(x, 0), z); the gradient at both corners is 0.
CUPYXX_API Variable clipped_relu(const Variable& x, double z = 20);
template <std::same_as<ClippedReLUOptions> O = ClippedReLUOptions>
Variable clipped_relu(const Variable& x, O options) {
  return clipped_relu(x, options.z);
}
/// x, or slope * x for negative x.
CUPYXX_API Variable leaky_relu(const Variable& x, double slope = 0.2);
template <std::same_as<LeakyReLUOptions> O = LeakyReLUOptions>
Variable leaky_relu(const Variable& x, O options) {
  return leaky_relu(x, options.slope);
}
/// x, or alpha * (exp(x) - 1) for negative x.
CUPYXX_API Variable elu(const Variable& x, double alpha = 1);
template <std::same_as<ELUOptions> O = ELUOptions>
Variable elu(const Variable& x, O options) {
  return elu(x, options.alpha);
}
/// scale * elu(x, alpha), whose results keep mean 0 and variance 1 by the default constants
/// (Klambauer et al., 2017).
CUPYXX_API Variable selu(const Variable& x, double alpha = 1.6732632423543772848170429916717,
                         double scale = 1.0507009873554804934193349852946);
template <std::same_as<SELUOptions> O = SELUOptions>
Variable selu(const Variable& x, O options) {
  return selu(x, options.alpha, options.scale);
}
/// log(1 + exp(beta x)) / beta.
CUPYXX_API Variable softplus(const Variable& x, double beta = 1);
template <std::same_as<SoftplusOptions> O = SoftplusOptions>
Variable softplus(const Variable& x, O options) {
  return softplus(x, options.beta);
}
/// max(0, min(1, 0.2 x + 0.5)).
CUPYXX_API Variable hard_sigmoid(const Variable& x);
/// x Phi(x), where Phi is the normal distribution function; with `approximate` by tanh, see
/// GELUTanh.
CUPYXX_API Variable gelu(const Variable& x, bool approximate = false);
template <std::same_as<GELUOptions> O = GELUOptions>
Variable gelu(const Variable& x, O options) {
  return gelu(x, options.approximate);
}
/// Not with PyTorch's text, which would be true whatever it says.
template <std::same_as<char> C>
Variable gelu(const Variable&, const C*) {
  static_assert(internal::kNever<C>,
                "write gelu(x, {.approximate = true}), or gelu(x) without tanh");
  return {};
}
/// x sigmoid(beta x); SiLU for beta 1.
CUPYXX_API Variable swish(const Variable& x, double beta = 1);
template <std::same_as<SwishOptions> O = SwishOptions>
Variable swish(const Variable& x, O options) {
  return swish(x, options.beta);
}
/// The same with a beta that has gradients: one number, or the shape of the axes of x behind the
/// first, as many of them as it has. Throws ShapeError where it does not fit.
CUPYXX_API Variable swish(const Variable& x, const Variable& beta);
template <std::derived_from<cupyxx::ndarray> A>
Variable swish(const Variable& x, const A& beta) {
  const Variable as_operand = beta;  // a constant, or the layer's parameter: no root of its own
  return swish(x, as_operand);
}
/// x / (1 + |x|).
CUPYXX_API Variable softsign(const Variable& x);
/// x tanh(softplus(x)) (Misra, 2019).
CUPYXX_API Variable mish(const Variable& x);

}  // namespace functions
}  // namespace chainerxx
