// SPDX-License-Identifier: MIT
#include "chainerxx/functions/noise/dropout.h"

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/initialize.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/random_place.h"
#include "cupyxx/math.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

Dropout::Dropout(double ratio, const ndarray& mask) : ratio_(ratio), mask_(mask) {
  if (ratio >= 0 && ratio < 1) return;
  throw cupyxx::ValueError(
      cupyxx::message("dropout: the ratio is outside of [0, 1); ", cupyxx::Scalar(ratio)));
}

void Dropout::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

std::vector<ndarray> Dropout::forward(ArraySpan x) {
  retain_inputs({});
  if (!mask_.is_none()) {
    internal::check_noise("dropout", "the mask", mask_, x[0]);
    return {x[0] * mask_};
  }
  if (replays_) return {dropped(x[0])};
  const auto blocks = static_cast<std::uint64_t>((x[0].size() + 3) / 4);
  state_ = cupyxx::extension::reserve_random(x[0].device(), blocks);
  channels_last_ = internal::is_channels_last(x[0]);
  return {dropped(x[0])};
}

ndarray Dropout::dropped(const ndarray& x) const {
  if (!channels_last_) return internal::dropout(x, ratio_, state_);
  const ndarray pixels = internal::as_pixels(internal::in_layout(x, true));
  return internal::dropout(pixels, ratio_, state_).transpose({0, 3, 1, 2});
}

std::vector<ndarray> Dropout::backward(ArraySpan, ArraySpan gy) {
  if (!mask_.is_none()) return {gy[0] * mask_};
  return {dropped(gy[0])};
}

std::vector<Variable> Dropout::backward_variables(VariableSpan, VariableSpan gy) {
  Dropout same(*this);
  same.replays_ = true;
  return {same(gy[0])};
}

Variable dropout(const Variable& x, double ratio, bool train) {
  if (train || x.is_none()) return Dropout(ratio)(x);  // which refuses None
  return x;
}
Variable dropout(const Variable& x, const DropoutOptions& options) {
  return dropout(x, options.ratio, options.train);
}

}  // namespace chainerxx::functions
