// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/relu.h"

#include "chainerxx/internal/ops/activation.h"
#include "cupyxx/extension/op.h"

namespace chainerxx::internal {
namespace {

constexpr cupyxx::extension::Ufunc<ops::Relu> kRelu;
constexpr cupyxx::extension::Ufunc<ops::GradientOf<ops::Relu>, 2> kReluGrad;

}  // namespace

void apply_relu(const cupyxx::ndarray& y) { kRelu(y, cupyxx::UfuncOptions{.out = y}); }

cupyxx::ndarray relu_gradient(const cupyxx::ndarray& y, const cupyxx::ndarray& gy,
                              const cupyxx::ndarray& out) {
  return kReluGrad(y, gy, cupyxx::UfuncOptions{.out = out});
}

}  // namespace chainerxx::internal
