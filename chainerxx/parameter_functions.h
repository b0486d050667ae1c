// SPDX-License-Identifier: MIT
// cupyxx's functions of layers' arrays: `cupyxx::square(layer.W).sum()`.
//
// As methods of these arrays they give a ParameterTerm: an array as of other arrays, and where a
// variable is expected the function of chainerxx of the parameter, with its gradient. One that has
// no such function throws TypeError there: a constant would leave the parameter untrained without a
// word.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <utility>

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/method_functions.h"
#include "chainerxx/other_names.h"
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
/// A function of x that has no gradient as a variable.
CUPYXX_API ParameterTerm array_term(std::string_view name, const TermSide& x,
                                    cupyxx::ndarray value);

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
template <class X, class Y>
concept ParameterArrays = (ParameterLike<X> && std::derived_from<Y, cupyxx::ndarray>) ||
                          (ParameterLike<Y> && std::derived_from<X, cupyxx::ndarray>);

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
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm swapaxes(const P& a, internal::Int axis1, internal::Int axis2) {
  return a.swapaxes(axis1, axis2);
}
/// Other names of max and min.
template <chainerxx::internal::ParameterLike P, class... More>
chainerxx::ParameterTerm amax(const P& a, const More&... more) {
  return a.max(more...);
}
template <chainerxx::internal::ParameterLike P, class... More>
chainerxx::ParameterTerm amin(const P& a, const More&... more) {
  return a.min(more...);
}
namespace linalg {
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm norm(const P& a) {
  return chainerxx::internal::norm(chainerxx::internal::term_side(a), &chainerxx::functions::sum,
                                   {"square", &chainerxx::functions::square},
                                   {"sqrt", &chainerxx::functions::sqrt});
}
}  // namespace linalg

// Arrays, which are no variables: what they call has its declaration where somebody uses them.
#define CHAINERXX_ARRAY_OF_PARAMETER(name)                                                 \
  template <chainerxx::internal::ParameterLike P, class... More>                           \
  chainerxx::ParameterTerm name(const P& a, const More&... more) {                         \
    return chainerxx::internal::array_term(#name, chainerxx::internal::term_side(a),       \
                                           name(static_cast<const ndarray&>(a), more...)); \
  }
CHAINERXX_ARRAY_OF_PARAMETER(average)
CHAINERXX_ARRAY_OF_PARAMETER(broadcast_to)
CHAINERXX_ARRAY_OF_PARAMETER(clip)
CHAINERXX_ARRAY_OF_PARAMETER(expand_dims)
CHAINERXX_ARRAY_OF_PARAMETER(inner)
CHAINERXX_ARRAY_OF_PARAMETER(nan_to_num)
CHAINERXX_ARRAY_OF_PARAMETER(outer)
CHAINERXX_ARRAY_OF_PARAMETER(tensordot)
CHAINERXX_ARRAY_OF_PARAMETER(trace)
#undef CHAINERXX_ARRAY_OF_PARAMETER
CUPYXX_API ndarray where(const ndarray& condition, const Operand& x, const Operand& y);
template <class C, class X, class Y>
requires chainerxx::internal::WithParameter<X, Y> && std::derived_from<C, ndarray>
    chainerxx::ParameterTerm where(const C& condition, const X& x, const Y& y) {
  const Operand first(x), second(y);
  ndarray value = where(static_cast<const ndarray&>(condition), first, second);
  if constexpr (chainerxx::internal::ParameterLike<X>) {
    return chainerxx::internal::array_term("where", chainerxx::internal::term_side(x), value);
  } else {
    return chainerxx::internal::array_term("where", chainerxx::internal::term_side(y), value);
  }
}

// Whoever calls these has cupyxx/linalg.h, which has their defaults.
CUPYXX_API ndarray dot(const ndarray& a, const ndarray& b, const ndarray& out);
CUPYXX_API ndarray matmul(const ndarray& a, const ndarray& b, const ndarray& out);
template <class X, class Y>
requires chainerxx::internal::ParameterArrays<X, Y> chainerxx::ParameterTerm dot(const X& x,
                                                                                 const Y& y) {
  return chainerxx::internal::array_term("dot", chainerxx::internal::term_side(x),
                                         cupyxx::dot(x, y, ndarray()));
}
template <class X, class Y>
requires chainerxx::internal::ParameterArrays<X, Y> chainerxx::ParameterTerm matmul(const X& x,
                                                                                    const Y& y) {
  return chainerxx::internal::array_term("matmul", chainerxx::internal::term_side(x),
                                         cupyxx::matmul(x, y, ndarray()));
}

}  // namespace cupyxx
