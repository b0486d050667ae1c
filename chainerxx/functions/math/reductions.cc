// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/reductions.h"

#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

void expect_floating(const typecheck::TypeInfos& in) {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

/// A result of a reduction with the reduced axes as 1.
ndarray with_axes(const ndarray& y, const cupyxx::Shape& shape, const cupyxx::Axes& axes) {
  const std::uint32_t reduced = axes.mask("reduction", shape.ndim());
  cupyxx::Shape kept = shape;
  for (int i = 0; i < shape.ndim(); ++i) {
    if ((reduced >> i & 1u) != 0) kept[i] = 1;
  }
  return y.reshape(kept);
}

/// The gradient for all elements that equal the extreme one.
ndarray grad_of_extreme(const ndarray& x, const ndarray& y, const ndarray& gy,
                        const cupyxx::Axes& axes) {
  const ndarray g = with_axes(gy, x.shape(), axes);
  return cupyxx::where(cupyxx::equal(x, with_axes(y, x.shape(), axes)), g, cupyxx::zeros_like(g));
}

}  // namespace

void Max::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> Max::forward(std::span<const ndarray> x) {
  const ndarray y = x[0].max(axes_, {.keepdims = keepdims_});
  if (records()) y_ = internal::SavedArray(y);
  return {y};
}

std::vector<ndarray> Max::backward(std::span<const ndarray> x, std::span<const ndarray> gy) {
  return {grad_of_extreme(x[0], y_.get(*this), gy[0], axes_)};
}

void Min::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> Min::forward(std::span<const ndarray> x) {
  const ndarray y = x[0].min(axes_, {.keepdims = keepdims_});
  if (records()) y_ = internal::SavedArray(y);
  return {y};
}

std::vector<ndarray> Min::backward(std::span<const ndarray> x, std::span<const ndarray> gy) {
  return {grad_of_extreme(x[0], y_.get(*this), gy[0], axes_)};
}

void Mean::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> Mean::forward(std::span<const ndarray> x) {
  return {x[0].mean(axes_, {.keepdims = keepdims_})};
}

std::vector<ndarray> Mean::backward(std::span<const ndarray> x, std::span<const ndarray> gy) {
  const double share = static_cast<double>(gy[0].size()) / static_cast<double>(x[0].size());
  const ndarray g = with_axes(gy[0] * share, x[0].shape(), axes_);
  return {cupyxx::broadcast_to(g, x[0].shape()).copy()};
}

void LogSumExp::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> LogSumExp::forward(std::span<const ndarray> x) {
  ndarray largest = x[0].max(axes_, {.keepdims = true});
  // Infinite ones are left out of the difference, which would not be a number.
  largest = cupyxx::where(cupyxx::isfinite(largest), largest, cupyxx::zeros_like(largest));
  const ndarray y =
      cupyxx::log(cupyxx::exp(x[0] - largest).sum(axes_, {.keepdims = true})) + largest;
  if (records()) y_ = internal::SavedArray(y);
  return {cupyxx::squeeze(y, axes_)};
}

std::vector<ndarray> LogSumExp::backward(std::span<const ndarray> x, std::span<const ndarray> gy) {
  return {cupyxx::exp(x[0] - y_.get(*this)) * with_axes(gy[0], x[0].shape(), axes_)};
}

Variable max(const Variable& x, const cupyxx::Axes& axes, bool keepdims) {
  return Max(axes, keepdims)(x);
}
Variable min(const Variable& x, const cupyxx::Axes& axes, bool keepdims) {
  return Min(axes, keepdims)(x);
}
Variable mean(const Variable& x, const cupyxx::Axes& axes, bool keepdims) {
  return Mean(axes, keepdims)(x);
}
Variable logsumexp(const Variable& x, const cupyxx::Axes& axes) { return LogSumExp(axes)(x); }

}  // namespace chainerxx::functions
