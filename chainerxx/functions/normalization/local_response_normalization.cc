// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/local_response_normalization.h"

#include <algorithm>
#include <array>
#include <vector>

#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/spatial/normalization.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx {

double internal::placed_k(double k) {
  if (k <= 0 || k >= 0.01) return k;
  throw cupyxx::ValueError(cupyxx::message(
      "local_response_normalization: k comes before alpha here, and ", cupyxx::Scalar(k),
      " is a usual alpha; write {.n = .., .alpha = ", cupyxx::Scalar(k),
      "}, or {.n = .., .k = ", cupyxx::Scalar(k), "} if it is meant"));
}

}  // namespace chainerxx

namespace chainerxx::functions {
namespace {

internal::ResponseNorm how(const LocalResponseNormalizationOptions& options) {
  return {options.n / 2, options.k, options.alpha, options.beta};
}

}  // namespace

void LocalResponseNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f', in[0].ndim() >= 2);
}

std::vector<ndarray> LocalResponseNormalization::forward(ArraySpan x) {
  if (options_.n < 1) {
    throw cupyxx::ValueError(
        cupyxx::message("local_response_normalization: n must be positive; ", options_.n));
  }
  internal::ResponseNormalised result = internal::response_norm(how(options_), x[0]);
  if (records()) scale_ = result.scale;
  return {result.y};
}

std::vector<ndarray> LocalResponseNormalization::backward(ArraySpan x, ArraySpan gy) {
  return {internal::response_norm_grad(how(options_), x[0], scale_, gy[0])};
}

std::vector<Variable> LocalResponseNormalization::backward_variables(VariableSpan in,
                                                                     VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
    // Beyond the channels there is nothing to add.
    const std::int64_t channels = v[0].shape()[1];
    const std::int64_t half = std::min(options_.n / 2, channels);
    std::vector<std::array<std::int64_t, 2>> widths(static_cast<std::size_t>(v[0].ndim()), {0, 0});
    widths[1] = {half, half};
    const Variable squares = pad(square(v[0]), widths);
    Variable around;
    for (std::int64_t k = 0; k <= 2 * half; ++k) {
      around += get_item(squares, {cupyxx::slice(), cupyxx::slice(k, k + channels)});
    }
    return std::vector<Variable>{v[0] * pow(around * options_.alpha + options_.k, -options_.beta)};
  });
}

Variable local_response_normalization(const Variable& x,
                                      const LocalResponseNormalizationOptions& options) {
  return LocalResponseNormalization(options)(x);
}

}  // namespace chainerxx::functions
