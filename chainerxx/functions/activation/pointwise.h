// SPDX-License-Identifier: MIT
// Activation functions of single elements with parameters. Each is a class, whose objects hold the
// parameters, and a function.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {
namespace internal {

/// What the functions of this file share: one pass over the elements forward, one backward.
enum class PointwiseKind { clipped_relu, leaky_relu, elu, softplus, hard_sigmoid, gelu, swish };

CUPYXX_API void check_pointwise(const typecheck::TypeInfos& in_types);
CUPYXX_API ndarray pointwise(PointwiseKind kind, const ndarray& x, double p, double q);
CUPYXX_API ndarray pointwise_grad(PointwiseKind kind, const ndarray& x, const ndarray& gy, double p,
                                  double q);
CUPYXX_API Variable pointwise_grad(PointwiseKind kind, const Variable& x, const Variable& gy,
                                   double p, double q);

template <class Derived, PointwiseKind kKind>
class Pointwise : public FunctionOf<Derived> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override {
    check_pointwise(in_types);
  }
  std::vector<ndarray> forward(std::span<const ndarray> x) override {
    return {pointwise(kKind, x[0], p_, q_)};
  }
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override {
    return {pointwise_grad(kKind, x[0], gy[0], p_, q_)};
  }
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override {
    return {pointwise_grad(kKind, x[0], gy[0], p_, q_)};
  }

 protected:
  explicit Pointwise(double p = 0, double q = 0) : p_(p), q_(q) {}

 private:
  double p_, q_;
};

}  // namespace internal

namespace functions {

/// min(max(x, 0), z).
class CUPYXX_API ClippedReLU final
    : public internal::Pointwise<ClippedReLU, internal::PointwiseKind::clipped_relu> {
 public:
  /// Throws ValueError unless z is positive.
  explicit ClippedReLU(double z);
};

/// x, or slope * x for negative x.
class CUPYXX_API LeakyReLU final
    : public internal::Pointwise<LeakyReLU, internal::PointwiseKind::leaky_relu> {
 public:
  explicit LeakyReLU(double slope = 0.2) : Pointwise(slope) {}
};

/// x, or alpha * (exp(x) - 1) for negative x (Clevert et al., 2015).
class CUPYXX_API ELU final : public internal::Pointwise<ELU, internal::PointwiseKind::elu> {
 public:
  /// The result is multiplied by `scale`.
  explicit ELU(double alpha = 1, double scale = 1) : Pointwise(alpha, scale) {}
};

/// log(1 + exp(beta x)) / beta.
class CUPYXX_API Softplus final
    : public internal::Pointwise<Softplus, internal::PointwiseKind::softplus> {
 public:
  /// Throws ValueError for beta 0.
  explicit Softplus(double beta = 1);
};

/// max(0, min(1, 0.2 x + 0.5)).
class CUPYXX_API HardSigmoid final
    : public internal::Pointwise<HardSigmoid, internal::PointwiseKind::hard_sigmoid> {};

/// x Phi(x), where Phi is the normal distribution function (Hendrycks and Gimpel, 2016).
class CUPYXX_API GELU final : public internal::Pointwise<GELU, internal::PointwiseKind::gelu> {};

/// x sigmoid(beta x) (Ramachandran et al., 2017).
class CUPYXX_API Swish final : public internal::Pointwise<Swish, internal::PointwiseKind::swish> {
 public:
  explicit Swish(double beta = 1) : Pointwise(beta) {}
};

/// min(max(x, 0), z); the gradient at both corners is 0.
CUPYXX_API Variable clipped_relu(const Variable& x, double z = 20);
/// x, or slope * x for negative x.
CUPYXX_API Variable leaky_relu(const Variable& x, double slope = 0.2);
/// x, or alpha * (exp(x) - 1) for negative x.
CUPYXX_API Variable elu(const Variable& x, double alpha = 1);
/// scale * elu(x, alpha), whose results keep mean 0 and variance 1 by the default constants
/// (Klambauer et al., 2017).
CUPYXX_API Variable selu(const Variable& x, double alpha = 1.6732632423543772848170429916717,
                         double scale = 1.0507009873554804934193349852946);
/// log(1 + exp(beta x)) / beta.
CUPYXX_API Variable softplus(const Variable& x, double beta = 1);
/// max(0, min(1, 0.2 x + 0.5)).
CUPYXX_API Variable hard_sigmoid(const Variable& x);
/// x Phi(x), where Phi is the normal distribution function; exact, not the approximation by tanh.
CUPYXX_API Variable gelu(const Variable& x);
/// x sigmoid(beta x); SiLU for beta 1.
CUPYXX_API Variable swish(const Variable& x, double beta = 1);

}  // namespace functions
}  // namespace chainerxx
