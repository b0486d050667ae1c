// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/reductions.h"

#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/internal/keepdims.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
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
  return y.reshape(internal::kept_shape(shape, axes));
}

/// The same for variables, whose gradient reaches gy only.
Variable grad_of_extreme(const Variable& x, const ndarray& y, const Variable& gy,
                         const cupyxx::Axes& axes) {
  const ndarray is_extreme = cupyxx::equal(x.data(), with_axes(y, x.shape(), axes));
  return internal::masked(is_extreme, internal::spread(gy, x.shape(), axes));
}

/// Throws for axes that x does not have, and when results would be of no elements.
void check_axes(const char* name, const ndarray& x, const cupyxx::Axes& axes) {
  const std::uint32_t reduced = axes.mask(name, x.ndim());
  if (x.size() != 0) return;
  const cupyxx::Shape shape = x.shape();
  std::int64_t results = 1;
  for (int i = 0; i < shape.ndim(); ++i) {
    if ((reduced >> i & 1u) == 0) results *= shape[i];
  }
  if (results == 0) return;
  throw cupyxx::ValueError(
      cupyxx::message(name, ": there are no elements along the axes; shape ", shape));
}

/// The gradient for all elements that equal the extreme one.
ndarray grad_of_extreme(const ndarray& x, const ndarray& y, const ndarray& gy,
                        const cupyxx::Axes& axes) {
  const ndarray g = with_axes(gy, x.shape(), axes);
  return cupyxx::where(cupyxx::equal(x, with_axes(y, x.shape(), axes)), g, cupyxx::zeros_like(g));
}

double share(std::int64_t results, const cupyxx::Shape& shape) {
  return static_cast<double>(results) / static_cast<double>(shape.element_count());
}

}  // namespace

template <class Derived, bool kLargest>
void Extreme<Derived, kLargest>::check_type_forward(const typecheck::TypeInfos& in) const {
  expect_floating(in);
}

template <class Derived, bool kLargest>
std::vector<ndarray> Extreme<Derived, kLargest>::forward(ArraySpan x) {
  check_axes(kLargest ? "max" : "min", x[0], axes_);
  const ndarray y = kLargest ? x[0].max(axes_, {.keepdims = keepdims_})
                             : x[0].min(axes_, {.keepdims = keepdims_});
  if (this->records()) y_ = internal::SavedArray(y);
  return {y};
}

template <class Derived, bool kLargest>
std::vector<ndarray> Extreme<Derived, kLargest>::backward(ArraySpan x, ArraySpan gy) {
  return {grad_of_extreme(x[0], y_.get(*this), gy[0], axes_)};
}

template <class Derived, bool kLargest>
std::vector<Variable> Extreme<Derived, kLargest>::backward_variables(VariableSpan x,
                                                                     VariableSpan gy) {
  return {grad_of_extreme(x[0], y_.get(*this), gy[0], axes_)};
}

template class Extreme<Max, true>;
template class Extreme<Min, false>;

void Mean::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> Mean::forward(ArraySpan x) {
  retain_inputs({});
  check_axes("mean", x[0], axes_);
  return {x[0].mean(axes_, {.keepdims = keepdims_})};
}

std::vector<ndarray> Mean::backward(ArraySpan, ArraySpan gy) {
  const cupyxx::Shape shape = input_shape(0);
  const ndarray g = with_axes(gy[0] * share(gy[0].size(), shape), shape, axes_);
  return {cupyxx::broadcast_to(g, shape).copy(cupyxx::Order::C)};
}

std::vector<Variable> Mean::backward_variables(VariableSpan x, VariableSpan gy) {
  const cupyxx::Shape shape = x[0].shape();
  return {internal::spread(gy[0] * share(gy[0].size(), shape), shape, axes_)};
}

void LogSumExp::check_type_forward(const typecheck::TypeInfos& in) const { expect_floating(in); }

std::vector<ndarray> LogSumExp::forward(ArraySpan x) {
  check_axes("logsumexp", x[0], axes_);
  ndarray largest = x[0].max(axes_, {.keepdims = true});
  // Infinite ones are left out of the difference, which would not be a number.
  largest = cupyxx::where(cupyxx::isfinite(largest), largest, cupyxx::zeros_like(largest));
  const ndarray y =
      cupyxx::log(cupyxx::exp(x[0] - largest).sum(axes_, {.keepdims = true})) + largest;
  if (records()) y_ = internal::SavedArray(y);
  return {cupyxx::squeeze(y, axes_)};
}

std::vector<ndarray> LogSumExp::backward(ArraySpan x, ArraySpan gy) {
  return {cupyxx::exp(x[0] - y_.get(*this)) * with_axes(gy[0], x[0].shape(), axes_)};
}

std::vector<Variable> LogSumExp::backward_variables(VariableSpan x, VariableSpan gy) {
  const cupyxx::Shape shape = x[0].shape();
  const ndarray y = cupyxx::squeeze(y_.get(*this), axes_);
  return {exp(x[0] - internal::spread(output_variable(0, y), shape, axes_)) *
          internal::spread(gy[0], shape, axes_)};
}

Variable max(const Variable& x, const AxesArg& axes, bool keepdims) {
  return Max(axes, keepdims)(x);
}
Variable min(const Variable& x, const AxesArg& axes, bool keepdims) {
  return Min(axes, keepdims)(x);
}
Variable mean(const Variable& x, const AxesArg& axes, bool keepdims) {
  return Mean(axes, keepdims)(x);
}
Variable argmax(const Variable& x, std::optional<int> axis) {
  internal::refuse_none("argmax", {&x});
  check_axes("argmax", x.data(), axis ? cupyxx::Axes(*axis) : cupyxx::Axes());
  const ndarray places = axis ? x.data().argmax(*axis) : x.data().argmax();
  return Variable(places.astype(cupyxx::int32), x.volatile_());
}
Variable argmin(const Variable& x, std::optional<int> axis) {
  internal::refuse_none("argmin", {&x});
  check_axes("argmin", x.data(), axis ? cupyxx::Axes(*axis) : cupyxx::Axes());
  const ndarray places = axis ? x.data().argmin(*axis) : x.data().argmin();
  return Variable(places.astype(cupyxx::int32), x.volatile_());
}
Variable logsumexp(const Variable& x, const AxesArg& axes) { return LogSumExp(axes)(x); }

}  // namespace chainerxx::functions
