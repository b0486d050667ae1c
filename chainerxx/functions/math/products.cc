// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/products.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/array/rearranging.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/keepdims.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void Prod::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

std::vector<ndarray> Prod::forward(ArraySpan x) {
  axes_.mask("prod", x[0].ndim());  // as of Sum
  return {cupyxx::prod(x[0], axes_, {.keepdims = keepdims_})};
}

std::vector<ndarray> Prod::backward(ArraySpan x, ArraySpan gy) {
  const ndarray g = gy[0].reshape(internal::kept_shape(x[0].shape(), axes_));
  const ndarray is_zero = cupyxx::equal(x[0], 0);
  const ndarray factors = cupyxx::where(is_zero, cupyxx::ones({}, x[0].dtype()), x[0]);
  const ndarray rest = cupyxx::prod(factors, axes_, {.keepdims = true});
  const ndarray zeros = is_zero.sum(axes_, {.keepdims = true});
  // Without a zero each factor divides the product; beside a single one only that has a slope.
  const ndarray has_slope =
      cupyxx::where(is_zero, cupyxx::equal(zeros, 1), cupyxx::equal(zeros, 0));
  return {cupyxx::where(has_slope, rest / factors * g, cupyxx::zeros({}, x[0].dtype()))};
}

std::vector<Variable> Prod::backward_variables(VariableSpan x, VariableSpan gy) {
  // The reduced axes become the last one, and each factor the product of the others.
  const cupyxx::Shape shape = x[0].shape();
  const std::uint32_t reduced = axes_.mask("prod", shape.ndim());
  cupyxx::Shape order, extents;
  std::int64_t count = 1;
  for (const bool is_reduced : {false, true}) {
    for (int i = 0; i < shape.ndim(); ++i) {
      if (((reduced >> i & 1u) != 0) != is_reduced) continue;
      order.push_back(i);
      extents.push_back(shape[i]);
      if (is_reduced) count *= shape[i];
    }
  }
  if (shape.element_count() == 0) return {x[0] * 0};
  cupyxx::Shape back = order;
  for (int i = 0; i < order.ndim(); ++i) back[static_cast<int>(order[i])] = i;
  const std::int64_t results = shape.element_count() / count;
  const Variable rows = reshape(transpose(x[0], order), {results, 1, count});
  const ndarray is_own =
      cupyxx::equal(cupyxx::arange(count).reshape({count, 1}), cupyxx::arange(count));
  const Variable one = cupyxx::ones({}, x[0].dtype());
  const Variable others = prod(where(is_own, one, rows), 2);
  return {transpose(reshape(others, extents), back) * internal::spread(gy[0], shape, axes_)};
}

namespace {

void expect_axis(const typecheck::TypeInfos& in, int number) {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  const typecheck::Variable axis(number, "axis");
  if (number >= 0) {
    typecheck::expect(axis < in[0].ndim());
  } else {
    typecheck::expect(-in[0].ndim() <= axis);
  }
}

/// The sums of all elements from each on.
ndarray sums_from(const ndarray& a, int axis) {
  return cupyxx::flip(cupyxx::flip(a, axis).cumsum(axis), axis);
}

}  // namespace

void Cumsum::check_type_forward(const typecheck::TypeInfos& in) const { expect_axis(in, axis_); }

std::vector<ndarray> Cumsum::forward(ArraySpan x) {
  retain_inputs({});
  return {x[0].cumsum(axis_)};
}

std::vector<ndarray> Cumsum::backward(ArraySpan, ArraySpan gy) { return {sums_from(gy[0], axis_)}; }

std::vector<Variable> Cumsum::backward_variables(VariableSpan, VariableSpan gy) {
  return {flip(cumsum(flip(gy[0], axis_), axis_), axis_)};
}

void Cumprod::check_type_forward(const typecheck::TypeInfos& in) const { expect_axis(in, axis_); }

std::vector<ndarray> Cumprod::forward(ArraySpan x) { return {x[0].cumprod(axis_)}; }

std::vector<ndarray> Cumprod::backward(ArraySpan x, ArraySpan gy) {
  // Before the first zero each factor divides the products; behind it there is no slope. That of
  // the zero itself is found with 1 in its place.
  const ndarray one = cupyxx::ones({}, x[0].dtype()), zero = cupyxx::zeros({}, x[0].dtype());
  const ndarray is_zero = cupyxx::equal(x[0], 0);
  const ndarray zeros = is_zero.astype(cupyxx::int64).cumsum(axis_);
  const ndarray is_first = cupyxx::logical_and(is_zero, cupyxx::equal(zeros, 1));
  const ndarray factors = cupyxx::where(is_zero, one, x[0]);
  const ndarray others = cupyxx::where(is_first, one, x[0]).cumprod(axis_);
  const ndarray before = sums_from(gy[0] * x[0].cumprod(axis_), axis_) / factors;
  const ndarray at = sums_from(gy[0] * others, axis_);
  return {cupyxx::where(is_first, at, cupyxx::where(cupyxx::equal(zeros, 0), before, zero))};
}

std::vector<Variable> Cumprod::backward_variables(VariableSpan x, VariableSpan gy) {
  return internal::differentiate_composed(x, gy, [this](const std::vector<Variable>& v) {
    // Each product by itself: rows of all factors, with 1 for those that come later.
    const Variable last = moveaxis(v[0], axis_, -1);
    const cupyxx::Shape shape = last.shape();
    const std::int64_t n = shape.back(), rows = n == 0 ? 0 : last.size() / n;
    const ndarray is_earlier =
        cupyxx::less_equal(cupyxx::arange(n), cupyxx::arange(n).reshape({n, 1}));
    const Variable one = cupyxx::ones({}, v[0].dtype());
    const Variable y = prod(where(is_earlier, reshape(last, {rows, 1, n}), one), 2);
    return std::vector<Variable>{moveaxis(reshape(y, shape), -1, axis_)};
  });
}

Variable prod(const Variable& x, const AxesArg& axis, bool keepdims) {
  return Prod(axis, keepdims)(x);
}

Variable cumsum(const Variable& x, std::optional<int> axis) {
  internal::refuse_none("cumsum", {&x});
  return axis ? Cumsum(*axis)(x) : Cumsum(0)(flatten(x));
}

Variable cumprod(const Variable& x, std::optional<int> axis) {
  internal::refuse_none("cumprod", {&x});
  return axis ? Cumprod(*axis)(x) : Cumprod(0)(flatten(x));
}

Variable average(const Variable& x, const AxesArg& axis) { return mean(x, axis); }
Variable average(const Variable& x, const AxesArg& axis, const Variable& weights, bool keepdims) {
  internal::refuse_none("average", {&x, &weights});
  const std::uint32_t reduced = axis.mask("average", x.ndim());
  Variable w = weights;
  if (w.shape() != x.shape()) {
    cupyxx::Shape along = x.shape();
    std::int64_t extent = -1;
    for (int i = 0; i < x.ndim(); ++i) {
      if ((reduced >> i & 1u) != 0) {
        extent = extent == -1 ? x.shape()[i] : -2;  // one axis and no more
      } else {
        along[i] = 1;
      }
    }
    if (extent < 0 || w.shape() != cupyxx::Shape{extent}) {
      throw cupyxx::ShapeError(
          cupyxx::message("average: the weights do not fit; ", w.shape(), " for ", x.shape()));
    }
    w = broadcast_to(reshape(w, along), x.shape());
  }
  if (x.size() == 0) {
    throw cupyxx::ValueError(cupyxx::message("average: there are no elements; shape ", x.shape()));
  }
  if (internal::is_narrow(x.dtype()) && w.dtype() == x.dtype()) {
    // Sums leave the range of 16 bits where their ratio does not.
    const Variable wide = internal::in_float32(w);
    const Variable total = sum(internal::in_float32(x) * wide, axis, keepdims);
    return cast(total / sum(wide, axis, keepdims), x.dtype());
  }
  return sum(x * w, axis, keepdims) / sum(w, axis, keepdims);
}

}  // namespace chainerxx::functions
