// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/pointwise.h"

#include <string>

#include "chainerxx/internal/array_ops.h"
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
