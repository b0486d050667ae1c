// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/local_response_normalization.h"

#include <string>

#include "chainerxx/internal/spatial/normalization.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

internal::ResponseNorm how(const LocalResponseNormalizationOptions& options) {
  return {options.n / 2, options.k, options.alpha, options.beta};
}

}  // namespace

void LocalResponseNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f', in[0].ndim() >= 2);
}

std::vector<ndarray> LocalResponseNormalization::forward(std::span<const ndarray> x) {
  if (options_.n < 1) {
    throw cupyxx::ValueError("local_response_normalization: n must be positive; " +
                             std::to_string(options_.n));
  }
  internal::ResponseNormalised result = internal::response_norm(how(options_), x[0]);
  if (records()) scale_ = result.scale;
  return {result.y};
}

std::vector<ndarray> LocalResponseNormalization::backward(std::span<const ndarray> x,
                                                          std::span<const ndarray> gy) {
  return {internal::response_norm_grad(how(options_), x[0], scale_, gy[0])};
}

Variable local_response_normalization(const Variable& x,
                                      const LocalResponseNormalizationOptions& options) {
  return LocalResponseNormalization(options)(x);
}

}  // namespace chainerxx::functions
