// SPDX-License-Identifier: MIT
// cupyxx's functions of layers' arrays: `cupyxx::square(layer.W).sum()`.
//
// As methods of these arrays they give a ParameterTerm: an array as of other arrays, and where a
// variable is expected the function of chainerxx of the parameter, with its gradient. One that has
// no such function throws TypeError there: a constant would leave the parameter untrained without a
// word.
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/method_functions.h"
#include "chainerxx/other_names.h"
#include "chainerxx/parameter_calls.h"
#include "chainerxx/parameter_lists.h"
#include "chainerxx/parameter_term.h"
#include "cupyxx/core/array_operands.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace cupyxx {
class ufunc;
}  // namespace cupyxx

namespace chainerxx {

class SetParameter;
namespace functions {
class Parameter;
}  // namespace functions
namespace internal {

/// A function of variables, and the name of the same of arrays.
struct NamedFunction {
  std::string_view name;
  Variable (*function)(const Variable&);
};
/// f(x), and of variables the function of that name among `known`.
CUPYXX_API ParameterTerm term_of(const cupyxx::ufunc& f, const TermSide& x,
                                 std::span<const NamedFunction> known);
/// f(x, y), and of variables what operators and pow know.
CUPYXX_API ParameterTerm term_of(const cupyxx::ufunc& f, const TermSide& x, const TermSide& y);
/// The root of the sum of squares, by these functions of variables.
CUPYXX_API ParameterTerm norm(const TermSide& x, OfAxes* sum, const NamedFunction& square,
                              const NamedFunction& sqrt);

inline constexpr NamedFunction kNamedFunctions[] = {
    {"absolute", &functions::absolute}, {"exp", &functions::exp},
    {"expm1", &functions::expm1},       {"log", &functions::log},
    {"log1p", &functions::log1p},       {"sin", &functions::sin},
    {"cos", &functions::cos},           {"sqrt", &functions::sqrt},
    {"square", &functions::square},     {"negative", &functions::neg},
    {"positive", &functions::pos},
};

/// f(x, y) of what is no arithmetic of parameters, as lists beside them.
CUPYXX_API ParameterTerm array_of(const cupyxx::ufunc& f, const TermSide& of,
                                  const cupyxx::Operand& x, const cupyxx::Operand& y);

template <class V>
concept VariableForm = std::same_as<V, Variable> || std::same_as<V, functions::Parameter> ||
    std::same_as<V, SetParameter>;
/// For cupyxx's functions of a variable, whose graph they would cut.
template <class V>
V no_array(const V& x) {
  static_assert(kNever<V>,
                "a Variable is no array: write F::sum(x) and not cupyxx::sum(x); its array is "
                "x.data()");
  return x;
}

/// Of which one is made of parameters and neither is a stand-in of cupyxx::fuse().
template <class X, class Y>
concept WithParameter = (ParameterLike<X> && !cupyxx::internal::is_recorded<Y>) ||
                        (ParameterLike<Y> && !cupyxx::internal::is_recorded<X>);

}  // namespace internal

/// What elementwise operations of cupyxx call where an operand is made of parameters.
template <internal::ParameterLike X>
ParameterTerm record_fused(const cupyxx::ufunc& f, const X& x) {
  return internal::term_of(f, internal::term_side(x), internal::kNamedFunctions);
}
template <class X, class Y>
requires internal::WithParameter<X, Y>
auto record_fused(const cupyxx::ufunc& f, const X& x, const Y& y) {
  if constexpr (std::same_as<X, Variable> || std::same_as<Y, Variable>) {
    static_assert(internal::kNever<X, Y>,
                  "a Variable is no array: write functions::add(layer.W, x), layer.W + x");
    return x;
  } else if constexpr (internal::ParameterOperands<X, Y>) {
    return internal::term_of(f, internal::term_side(x), internal::term_side(y));
  } else {
    if constexpr (internal::ParameterLike<X>) {
      return internal::array_of(f, internal::term_side(x), x, y);
    } else {
      return internal::array_of(f, internal::term_side(y), x, y);
    }
  }
}

}  // namespace chainerxx

namespace cupyxx {

namespace internal {
template <chainerxx::internal::ParameterLike P>
inline constexpr bool is_term<P> = true;
}  // namespace internal

#define CHAINERXX_REDUCTION_OF_PARAMETER(name, Options)                              \
  template <chainerxx::internal::ParameterLike P>                                    \
  chainerxx::ParameterTerm name(const P& a, const Axes& axes = {}) {                 \
    return a.name(axes);                                                             \
  }                                                                                  \
  template <chainerxx::internal::ParameterLike P, std::same_as<Options> O = Options> \
  chainerxx::ParameterTerm name(const P& a, const Axes& axes, const O& options) {    \
    return a.name(axes, options);                                                    \
  }                                                                                  \
  template <chainerxx::internal::ParameterLike P, std::same_as<Options> O = Options> \
  chainerxx::ParameterTerm name(const P& a, O options) {                             \
    return a.name(std::move(options));                                               \
  }
CHAINERXX_EACH_PARAMETER_REDUCTION(CHAINERXX_REDUCTION_OF_PARAMETER)
#undef CHAINERXX_REDUCTION_OF_PARAMETER

// Not of variables, whose graph they would cut.
#define CHAINERXX_REDUCTION_OF_VARIABLE(name, Options)                              \
  template <chainerxx::internal::VariableForm V>                                    \
  V name(const V& x, const Axes& = {}) {                                            \
    return chainerxx::internal::no_array(x);                                        \
  }                                                                                 \
  template <chainerxx::internal::VariableForm V, std::same_as<Options> O = Options> \
  V name(const V& x, const Axes&, const O&) {                                       \
    return chainerxx::internal::no_array(x);                                        \
  }                                                                                 \
  template <chainerxx::internal::VariableForm V, std::same_as<Options> O = Options> \
  V name(const V& x, O) {                                                           \
    return chainerxx::internal::no_array(x);                                        \
  }
CHAINERXX_EACH_PARAMETER_REDUCTION(CHAINERXX_REDUCTION_OF_VARIABLE)
#undef CHAINERXX_REDUCTION_OF_VARIABLE
#undef CHAINERXX_EACH_PARAMETER_REDUCTION

/// Not of variables, whose graph it would cut.
template <chainerxx::internal::VariableForm V, class Y>
V dot(const V& x, const Y&) {
  return chainerxx::internal::no_array(x);
}
template <chainerxx::internal::VariableForm V, class Y>
V matmul(const V& x, const Y&) {
  return chainerxx::internal::no_array(x);
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm transpose(const P& a) {
  return a.transpose();
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm transpose(const P& a, const Shape& axes) {
  return a.transpose(axes);
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm reshape(const P& a, const Shape& shape) {
  return a.reshape(shape);
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm ravel(const P& a) {
  return a.ravel();
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm squeeze(const P& a, const Axes& axes = {}) {
  return a.squeeze(axes);
}
template <chainerxx::internal::ParameterLike P, std::same_as<AxisOptions> O = AxisOptions>
chainerxx::ParameterTerm squeeze(const P& a, O options) {
  return a.squeeze(internal::take_axis(options.axis));
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm swapaxes(const P& a, internal::Int axis1, internal::Int axis2) {
  return a.swapaxes(axis1, axis2);
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm reshape(const P& a, const Shape& shape, Choice<Order> order) {
  return a.reshape(shape, order);
}
template <chainerxx::internal::ParameterLike P, std::same_as<OrderOptions> O = OrderOptions>
chainerxx::ParameterTerm reshape(const P& a, const Shape& shape, const O& options) {
  return a.reshape(shape, options);
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm ravel(const P& a, Choice<Order> order) {
  return a.ravel(order);
}
template <chainerxx::internal::ParameterLike P, std::same_as<OrderOptions> O = OrderOptions>
chainerxx::ParameterTerm ravel(const P& a, const O& options) {
  return a.ravel(options.order);
}
#define CHAINERXX_OTHER_NAME(name, method)                                                 \
  template <chainerxx::internal::ParameterLike P>                                          \
  chainerxx::ParameterTerm name(const P& a, const Axes& axes = {}) {                       \
    return a.method(axes);                                                                 \
  }                                                                                        \
  template <chainerxx::internal::ParameterLike P, std::same_as<MaxOptions> O = MaxOptions> \
  chainerxx::ParameterTerm name(const P& a, const Axes& axes, const O& options) {          \
    return a.method(axes, options);                                                        \
  }                                                                                        \
  template <chainerxx::internal::ParameterLike P, std::same_as<MaxOptions> O = MaxOptions> \
  chainerxx::ParameterTerm name(const P& a, O options) {                                   \
    return a.method(std::move(options));                                                   \
  }
CHAINERXX_OTHER_NAME(amax, max)
CHAINERXX_OTHER_NAME(amin, min)
#undef CHAINERXX_OTHER_NAME
namespace linalg {
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm norm(const P& a) {
  return chainerxx::internal::norm(chainerxx::internal::term_side(a), &chainerxx::functions::sum,
                                   {"square", &chainerxx::functions::square},
                                   {"sqrt", &chainerxx::functions::sqrt});
}
// By orders and axes arrays, for which whoever calls them has cupyxx/linalg.h.
struct NormOptions;
struct NormAxes;
CUPYXX_API ndarray norm(const ndarray& a, const NormOptions& options);
template <chainerxx::internal::ParameterLike P, std::same_as<NormOptions> O = NormOptions>
chainerxx::ParameterTerm norm(const P& a, const O& options) {
  return chainerxx::internal::array_term("linalg::norm", chainerxx::internal::term_side(a),
                                         norm(static_cast<const ndarray&>(a), options));
}
template <chainerxx::internal::ParameterLike P, class N, std::same_as<NormOptions> O = NormOptions>
requires(!std::is_class_v<N> || std::same_as<N, None>) chainerxx::ParameterTerm
    norm(const P& a, const N& ord, const Axes& axis = {}, bool keepdims = false) {
  return norm(a, O{.ord = ord, .axis = axis, .keepdims = keepdims});
}
template <chainerxx::internal::ParameterLike P, class N, std::same_as<NormAxes> A = NormAxes,
          std::same_as<NormOptions> O = NormOptions>
requires(!std::is_class_v<N> || std::same_as<N, None>) chainerxx::ParameterTerm
    norm(const P& a, const N& ord, const A& axes) {
  return norm(a, O{.ord = ord, .axis = axes.axis, .keepdims = axes.keepdims});
}
// Those that cupyxx has by the same names, beside which calls of templates could not choose.
CUPYXX_API ndarray cross(const ndarray& x1, const ndarray& x2, internal::Int axis);
CUPYXX_API ndarray diagonal(const ndarray& x, internal::Int offset);
CUPYXX_API ndarray outer(const ndarray& x1, const ndarray& x2);
CUPYXX_API ndarray trace(const ndarray& x, internal::Int offset, cupyxx::dtype dtype);
template <std::derived_from<ndarray> A, std::derived_from<ndarray> B>
requires chainerxx::internal::WithParameters<A, B> chainerxx::ParameterTerm cross(
    const A& x1, const B& x2, internal::Int axis = -1) {
  const ndarray &a = x1, &b = x2;
  return chainerxx::internal::made_of("linalg::cross", linalg::cross(a, b, axis), x1, x2);
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm diagonal(const P& x, internal::Int offset = 0) {
  const ndarray& a = x;
  return chainerxx::internal::made_of("linalg::diagonal", linalg::diagonal(a, offset), x);
}
template <std::derived_from<ndarray> A, std::derived_from<ndarray> B>
requires chainerxx::internal::WithParameters<A, B> chainerxx::ParameterTerm outer(const A& x1,
                                                                                  const B& x2) {
  const ndarray &a = x1, &b = x2;
  return chainerxx::internal::made_of("linalg::outer", linalg::outer(a, b), x1, x2);
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm trace(const P& x, internal::Int offset = 0, cupyxx::dtype dtype = {}) {
  const ndarray& a = x;
  return chainerxx::internal::made_of("linalg::trace", linalg::trace(a, offset, dtype), x);
}
}  // namespace linalg

template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm clip(const P& a, const Operand& min, const Operand& max) {
  return a.clip(min, max);
}
/// Of others between bounds of which one is a layer's array.
template <internal::PlainArray A, class X, class Y>
requires chainerxx::internal::WithParameters<X, Y> chainerxx::ParameterTerm clip(const A& a,
                                                                                 const X& min,
                                                                                 const Y& max) {
  return chainerxx::internal::made_of("clip", a.clip(Operand(min), Operand(max)), min, max);
}
template <chainerxx::internal::ParameterLike P, std::same_as<ClipOptions> O = ClipOptions>
chainerxx::ParameterTerm clip(const P& a, const O& options) {
  return a.clip(options);
}
#define CHAINERXX_SUMS_OF_PARAMETER(name)                                                        \
  template <chainerxx::internal::ParameterLike P>                                                \
  chainerxx::ParameterTerm name(const P& a, const Axes& axis = {}) {                             \
    return a.name(axis);                                                                         \
  }                                                                                              \
  template <chainerxx::internal::ParameterLike P, std::same_as<CumsumOptions> O = CumsumOptions> \
  chainerxx::ParameterTerm name(const P& a, O options) {                                         \
    return a.name(std::move(options));                                                           \
  }                                                                                              \
  template <chainerxx::internal::ParameterLike P, std::same_as<CumsumOptions> O = CumsumOptions> \
  chainerxx::ParameterTerm name(const P& a, const Axes& axis, const O& options) {                \
    return a.name(axis, options);                                                                \
  }
CHAINERXX_SUMS_OF_PARAMETER(cumsum)
CHAINERXX_SUMS_OF_PARAMETER(cumprod)
#undef CHAINERXX_SUMS_OF_PARAMETER

}  // namespace cupyxx
