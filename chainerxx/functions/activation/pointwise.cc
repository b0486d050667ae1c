// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/pointwise.h"

#include <string>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/gradient_row.h"
#include "chainerxx/internal/masked.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace internal {
namespace {

constexpr KernelName kValues[] = {
    KernelName::clipped_relu, KernelName::leaky_relu, KernelName::elu,  KernelName::softplus,
    KernelName::hard_sigmoid, KernelName::gelu,       KernelName::swish};
constexpr KernelName kGradients[] = {KernelName::clipped_relu_grad, KernelName::leaky_relu_grad,
                                     KernelName::elu_grad,          KernelName::softplus_grad,
                                     KernelName::hard_sigmoid_grad, KernelName::gelu_grad,
                                     KernelName::swish_grad};

constexpr double kDensityAtZero = 0.39894228040143267794;  // 1 / sqrt(2 pi)

/// exp(-x^2 / 2) / sqrt(2 pi).
template <class A>
A normal_density(const A& x) {
  return math::exp(x * x * -0.5) * kDensityAtZero;
}

/// Phi(x), out of the gradient of gelu: Phi(x) + x phi(x).
ndarray normal_distribution(const ndarray& x) {
  const ndarray slope = elementwise(KernelName::gelu_grad, x, cupyxx::ones_like(x));
  return slope - x * normal_density(x);
}

constexpr UnaryRow kNormalDistribution{
    "normal distribution", [](const auto& x) { return normal_distribution(x); },
    [](const auto& x, const auto&, const auto& gy) { return normal_density(x) * gy; },
    Keep::inputs};

}  // namespace

void check_pointwise(const typecheck::TypeInfos& in) {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

ndarray pointwise(PointwiseKind kind, const ndarray& x, double p, double q) {
  return elementwise(kValues[static_cast<int>(kind)], x, {}, p, q);
}

ndarray pointwise_grad(PointwiseKind kind, const ndarray& x, const ndarray& gy, double p,
                       double q) {
  return elementwise(kGradients[static_cast<int>(kind)], x, gy, p, q);
}

Variable pointwise_grad(PointwiseKind kind, const Variable& x, const Variable& gy, double p,
                        double q) {
  const ndarray& a = x.data();
  switch (kind) {
    case PointwiseKind::clipped_relu:
      return masked(cupyxx::logical_and(a > 0, a < p), gy);
    case PointwiseKind::leaky_relu:
      return functions::where(a >= 0, gy, gy * p);
    case PointwiseKind::elu: {
      // exp(x) is not taken where it could overflow.
      const ndarray is_negative = a < 0;
      return functions::where(is_negative, gy * functions::exp(masked(is_negative, x)) * (p * q),
                              gy * q);
    }
    case PointwiseKind::softplus:
      return gy * functions::sigmoid(x * p);
    case PointwiseKind::hard_sigmoid:
      return masked(cupyxx::logical_and(a > -2.5, a < 2.5), gy * 0.2);
    case PointwiseKind::gelu:
      return gy * (apply_row(kNormalDistribution, x) + x * normal_density(x));
    case PointwiseKind::swish:
      break;
  }
  const Variable s = functions::sigmoid(x * p);
  return gy * (s + x * s * (1 - s) * p);
}

}  // namespace internal

namespace functions {

ClippedReLU::ClippedReLU(double z) : Pointwise(z) {
  if (z > 0) return;
  throw cupyxx::ValueError("clipped_relu: z is not positive; " + cupyxx::Scalar(z).str());
}

Softplus::Softplus(double beta) : Pointwise(beta) {
  if (beta != 0) return;
  throw cupyxx::ValueError("softplus: beta is 0");
}

Variable clipped_relu(const Variable& x, double z) { return ClippedReLU(z)(x); }
Variable leaky_relu(const Variable& x, double slope) { return LeakyReLU(slope)(x); }
Variable elu(const Variable& x, double alpha) { return ELU(alpha)(x); }
Variable selu(const Variable& x, double alpha, double scale) { return ELU(alpha, scale)(x); }
Variable softplus(const Variable& x, double beta) { return Softplus(beta)(x); }
Variable hard_sigmoid(const Variable& x) { return HardSigmoid()(x); }
Variable gelu(const Variable& x) { return GELU()(x); }
Variable swish(const Variable& x, double beta) { return Swish(beta)(x); }

}  // namespace functions
}  // namespace chainerxx
