// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/statistics.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/internal/keepdims.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// What sums of squares are divided by; throws ValueError unless it is positive.
double divisor(const char* name, const cupyxx::Shape& shape, const cupyxx::Axes& axes,
               double ddof) {
  const std::uint32_t reduced = axes.mask(name, shape.ndim());
  std::int64_t count = 1;
  for (int i = 0; i < shape.ndim(); ++i) {
    if ((reduced >> i & 1u) != 0) count *= shape[i];
  }
  const double left = static_cast<double>(count) - ddof;
  if (left > 0) return left;
  throw cupyxx::ValueError(cupyxx::message(name, ": ddof leaves nothing to divide by; ",
                                           cupyxx::Scalar(ddof), " of ", count, " elements"));
}

/// The dtype in which distances from means are taken.
cupyxx::dtype distance_type(cupyxx::dtype type) {
  return internal::is_narrow(type) ? cupyxx::float32 : type;
}

}  // namespace

template <class Derived, bool kIsRoot>
void Spread<Derived, kIsRoot>::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

template <class Derived, bool kIsRoot>
std::vector<ndarray> Spread<Derived, kIsRoot>::forward(ArraySpan x) {
  divisor(kIsRoot ? "std" : "var", x[0].shape(), options_.axis, options_.ddof);
  const cupyxx::VarOptions options{.ddof = options_.ddof, .keepdims = options_.keepdims};
  const ndarray y = kIsRoot ? x[0].std(options_.axis, options) : x[0].var(options_.axis, options);
  if (kIsRoot && this->records()) y_ = internal::SavedArray(y);
  return {y};
}

template <class Derived, bool kIsRoot>
std::vector<ndarray> Spread<Derived, kIsRoot>::backward(ArraySpan x, ArraySpan gy) {
  const cupyxx::dtype type = x[0].dtype(), wide = distance_type(type);
  const cupyxx::Shape kept = internal::kept_shape(x[0].shape(), options_.axis);
  const double left = divisor("backward", x[0].shape(), options_.axis, options_.ddof);
  const ndarray distance = x[0] - x[0].mean(options_.axis, {.dtype = wide, .keepdims = true});
  ndarray g = gy[0].reshape(kept).astype(wide, false);
  if constexpr (kIsRoot) {
    const ndarray y = y_.get(*this).reshape(kept).astype(wide, false);
    const ndarray is_zero = cupyxx::equal(y, 0);
    g = cupyxx::where(is_zero, cupyxx::zeros({}, wide),
                      g / cupyxx::where(is_zero, cupyxx::ones({}, wide), y) / left);
  } else {
    g = g * (2 / left);
  }
  return {(distance * g).astype(type, false)};
}

template <class Derived, bool kIsRoot>
std::vector<Variable> Spread<Derived, kIsRoot>::backward_variables(VariableSpan x,
                                                                   VariableSpan gy) {
  const cupyxx::dtype type = x[0].dtype(), wide = distance_type(type);
  const cupyxx::Shape shape = x[0].shape();
  const double left = divisor("backward", shape, options_.axis, options_.ddof);
  const Variable a = cast(x[0], wide);
  const Variable distance = a - broadcast_to(mean(a, options_.axis, true), shape);
  Variable g = cast(gy[0], wide);
  if constexpr (kIsRoot) {
    const Variable y = cast(this->output_variable(0, y_.get(*this)), wide);
    const ndarray is_zero = cupyxx::equal(y.data(), 0);
    const Variable one = cupyxx::ones({}, wide);
    g = internal::masked(cupyxx::logical_not(is_zero), g / where(is_zero, one, y) / left);
  } else {
    g = g * (2 / left);
  }
  return {cast(distance * internal::spread(g, shape, options_.axis), type)};
}

template class Spread<Var, false>;
template class Spread<Std, true>;

Variable var(const Variable& x, const AxesArg& axis, bool keepdims) {
  return Var({.axis = axis, .keepdims = keepdims})(x);
}
Variable std(const Variable& x, const AxesArg& axis, bool keepdims) {
  return Std({.axis = axis, .keepdims = keepdims})(x);
}

}  // namespace chainerxx::functions

namespace chainerxx::internal {

Variable spread(const Variable& x, const VarianceOptions& options, bool is_root) {
  return is_root ? functions::Std(options)(x) : functions::Var(options)(x);
}

}  // namespace chainerxx::internal
