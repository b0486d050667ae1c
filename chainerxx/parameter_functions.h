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

/// The array that a parameter is, of a type by which functions are found where somebody uses them.
template <class P>
struct ArrayOf {
  using type = cupyxx::ndarray;
};
template <class P>
const typename ArrayOf<P>::type& array_of(const P& parameter) {
  return parameter;
}
template <class P>
std::vector<typename ArrayOf<P>::type> arrays_of(std::initializer_list<P> parameters) {
  return {parameters.begin(), parameters.end()};
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
CUPYXX_API ndarray det(const ndarray& a);
CUPYXX_API ndarray inv(const ndarray& a);
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm det(const P& a) {
  return chainerxx::internal::array_term("linalg::det", chainerxx::internal::term_side(a),
                                         det(static_cast<const ndarray&>(a)));
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm inv(const P& a) {
  return chainerxx::internal::array_term("linalg::inv", chainerxx::internal::term_side(a),
                                         inv(static_cast<const ndarray&>(a)));
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
CHAINERXX_ARRAY_OF_PARAMETER(compress)
CHAINERXX_ARRAY_OF_PARAMETER(cross)
CHAINERXX_ARRAY_OF_PARAMETER(diag)
CHAINERXX_ARRAY_OF_PARAMETER(diagonal)
CHAINERXX_ARRAY_OF_PARAMETER(diff)
CHAINERXX_ARRAY_OF_PARAMETER(expand_dims)
CHAINERXX_ARRAY_OF_PARAMETER(flip)
CHAINERXX_ARRAY_OF_PARAMETER(fliplr)
CHAINERXX_ARRAY_OF_PARAMETER(flipud)
CHAINERXX_ARRAY_OF_PARAMETER(inner)
CHAINERXX_ARRAY_OF_PARAMETER(kron)
CHAINERXX_ARRAY_OF_PARAMETER(median)
CHAINERXX_ARRAY_OF_PARAMETER(moveaxis)
CHAINERXX_ARRAY_OF_PARAMETER(nan_to_num)
CHAINERXX_ARRAY_OF_PARAMETER(nanmean)
CHAINERXX_ARRAY_OF_PARAMETER(nansum)
CHAINERXX_ARRAY_OF_PARAMETER(outer)
CHAINERXX_ARRAY_OF_PARAMETER(pad)
CHAINERXX_ARRAY_OF_PARAMETER(ptp)
CHAINERXX_ARRAY_OF_PARAMETER(repeat)
CHAINERXX_ARRAY_OF_PARAMETER(roll)
CHAINERXX_ARRAY_OF_PARAMETER(rollaxis)
CHAINERXX_ARRAY_OF_PARAMETER(rot90)
CHAINERXX_ARRAY_OF_PARAMETER(sort)
CHAINERXX_ARRAY_OF_PARAMETER(take)
CHAINERXX_ARRAY_OF_PARAMETER(tensordot)
CHAINERXX_ARRAY_OF_PARAMETER(tile)
CHAINERXX_ARRAY_OF_PARAMETER(trace)
CHAINERXX_ARRAY_OF_PARAMETER(tril)
CHAINERXX_ARRAY_OF_PARAMETER(triu)
CHAINERXX_ARRAY_OF_PARAMETER(vdot)
#undef CHAINERXX_ARRAY_OF_PARAMETER

// The same by lists and options in braces, of which no template knows a type.
namespace internal {
template <class N, class Argument>
struct PadPair;
}  // namespace internal
struct AverageOptions;
struct AxisOptions;
struct DiffOptions;
struct MedianOptions;
struct PtpOptions;
struct SortOptions;
#define CHAINERXX_ARRAY_BY_OPTIONS(name, Options)                                            \
  template <chainerxx::internal::ParameterLike P, std::same_as<Options> O = Options>         \
  chainerxx::ParameterTerm name(const P& a, const O& options) {                              \
    return chainerxx::internal::array_term(#name, chainerxx::internal::term_side(a),         \
                                           name(chainerxx::internal::array_of(a), options)); \
  }
CHAINERXX_ARRAY_BY_OPTIONS(average, AverageOptions)
CHAINERXX_ARRAY_BY_OPTIONS(diff, DiffOptions)
CHAINERXX_ARRAY_BY_OPTIONS(expand_dims, AxisOptions)
CHAINERXX_ARRAY_BY_OPTIONS(flip, AxisOptions)
CHAINERXX_ARRAY_BY_OPTIONS(median, MedianOptions)
CHAINERXX_ARRAY_BY_OPTIONS(nanmean, MeanOptions)
CHAINERXX_ARRAY_BY_OPTIONS(nansum, SumOptions)
CHAINERXX_ARRAY_BY_OPTIONS(ptp, PtpOptions)
CHAINERXX_ARRAY_BY_OPTIONS(sort, SortOptions)
#undef CHAINERXX_ARRAY_BY_OPTIONS
#define CHAINERXX_ARRAY_BY_LIST(name, List)                                               \
  template <chainerxx::internal::ParameterLike P>                                         \
  chainerxx::ParameterTerm name(const P& a, const List& list) {                           \
    return chainerxx::internal::array_term(#name, chainerxx::internal::term_side(a),      \
                                           name(chainerxx::internal::array_of(a), list)); \
  }
CHAINERXX_ARRAY_BY_LIST(broadcast_to, Shape)
CHAINERXX_ARRAY_BY_LIST(expand_dims, Axes)
CHAINERXX_ARRAY_BY_LIST(flip, Axes)
CHAINERXX_ARRAY_BY_LIST(take, ArrayLike)
CHAINERXX_ARRAY_BY_LIST(tile, Shape)
#undef CHAINERXX_ARRAY_BY_LIST
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm moveaxis(const P& a, const Shape& source, const Shape& destination) {
  return chainerxx::internal::array_term(
      "moveaxis", chainerxx::internal::term_side(a),
      moveaxis(chainerxx::internal::array_of(a), source, destination));
}
template <chainerxx::internal::ParameterLike P, class... More>
chainerxx::ParameterTerm pad(
    const P& a, std::initializer_list<internal::PadPair<std::int64_t, internal::Int64>> width,
    const More&... more) {
  return chainerxx::internal::array_term("pad", chainerxx::internal::term_side(a),
                                         pad(chainerxx::internal::array_of(a), width, more...));
}
/// Of a parameter: an array, and a TypeError where a variable is expected.
template <chainerxx::internal::ParameterLike P, class I>
chainerxx::ParameterTerm roll(const P& a, std::initializer_list<I> shifts, const Axes& axes = {}) {
  return chainerxx::internal::array_term("roll", chainerxx::internal::term_side(a),
                                         roll(chainerxx::internal::array_of(a), shifts, axes));
}
/// Of a parameter: an array, and a TypeError where a variable is expected.
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm take(const P& a, const ArrayLike& indices, internal::Int axis) {
  return chainerxx::internal::array_term("take", chainerxx::internal::term_side(a),
                                         take(chainerxx::internal::array_of(a), indices, axis));
}
/// Of a parameter: an array, and a TypeError where a variable is expected.
template <chainerxx::internal::ParameterLike P, std::same_as<TakeOptions> O = TakeOptions>
chainerxx::ParameterTerm take(const P& a, const ArrayLike& indices, const O& options) {
  return chainerxx::internal::array_term("take", chainerxx::internal::term_side(a),
                                         take(chainerxx::internal::array_of(a), indices, options));
}
/// Of a parameter: an array, and a TypeError where a variable is expected.
template <chainerxx::internal::ParameterLike P, class I, std::same_as<TakeOptions> O = TakeOptions>
chainerxx::ParameterTerm take(const P& a, const I& indices, const O& options) {
  return chainerxx::internal::array_term("take", chainerxx::internal::term_side(a),
                                         take(chainerxx::internal::array_of(a), indices, options));
}
/// Of a parameter: an array, and a TypeError where a variable is expected.
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm compress(const ArrayLike& condition, const P& a, const Axes& axis = {}) {
  return chainerxx::internal::array_term(
      "compress", chainerxx::internal::term_side(a),
      compress(condition, chainerxx::internal::array_of(a), axis));
}
/// Of a parameter: an array, and a TypeError where a variable is expected.
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm compress(const ndarray& condition, const P& a, const Axes& axis = {}) {
  return chainerxx::internal::array_term(
      "compress", chainerxx::internal::term_side(a),
      compress(condition, chainerxx::internal::array_of(a), axis));
}
template <class X, class Y, class I>
requires chainerxx::internal::ParameterArrays<X, Y> chainerxx::ParameterTerm tensordot(
    const X& x, const Y& y, std::initializer_list<std::initializer_list<I>> axes) {
  return chainerxx::internal::array_term(
      "tensordot", chainerxx::internal::term_side(x),
      tensordot(chainerxx::internal::array_of(x), chainerxx::internal::array_of(y), axes));
}

// And of two arrays, of which the second is a parameter.
#define CHAINERXX_ARRAY_BESIDE_PARAMETER(name)                                                 \
  template <std::derived_from<ndarray> A, chainerxx::internal::ParameterLike P, class... More> \
  requires(!chainerxx::internal::ParameterLike<A>) chainerxx::ParameterTerm name(              \
      const A& a, const P& b, const More&... more) {                                           \
    return chainerxx::internal::array_term(                                                    \
        #name, chainerxx::internal::term_side(b),                                              \
        name(static_cast<const ndarray&>(a), chainerxx::internal::array_of(b), more...));      \
  }
CHAINERXX_ARRAY_BESIDE_PARAMETER(cross)
CHAINERXX_ARRAY_BESIDE_PARAMETER(inner)
CHAINERXX_ARRAY_BESIDE_PARAMETER(kron)
CHAINERXX_ARRAY_BESIDE_PARAMETER(outer)
CHAINERXX_ARRAY_BESIDE_PARAMETER(tensordot)
CHAINERXX_ARRAY_BESIDE_PARAMETER(vdot)
#undef CHAINERXX_ARRAY_BESIDE_PARAMETER

template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm clip(const P& a, const Operand& min, const Operand& max) {
  return a.clip(min, max);
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
  }
CHAINERXX_SUMS_OF_PARAMETER(cumsum)
CHAINERXX_SUMS_OF_PARAMETER(cumprod)
#undef CHAINERXX_SUMS_OF_PARAMETER

// Joins, of a list of parameters or of arguments of which the first or the second is one.
struct JoinOptions;
#define CHAINERXX_JOIN_OF_PARAMETERS(name)                                                         \
  template <chainerxx::internal::ParameterLike P, class... More>                                   \
  chainerxx::ParameterTerm name(std::initializer_list<P> arrays, const More&... more) {            \
    return chainerxx::internal::array_term(                                                        \
        #name, chainerxx::internal::TermSide(chainerxx::internal::array_of(*arrays.begin())),      \
        name(chainerxx::internal::arrays_of(arrays), more...));                                    \
  }                                                                                                \
  template <chainerxx::internal::ParameterLike P, std::derived_from<ndarray> A,                    \
            std::derived_from<ndarray>... More>                                                    \
  chainerxx::ParameterTerm name(const P& first, const A& second, const More&... more) {            \
    return chainerxx::internal::array_term(                                                        \
        #name, chainerxx::internal::term_side(first),                                              \
        name(static_cast<const ndarray&>(first), chainerxx::internal::array_of(second), more...)); \
  }                                                                                                \
  template <chainerxx::internal::ParameterLike P>                                                  \
  chainerxx::ParameterTerm name(const ndarray& first, const P& second) {                           \
    return chainerxx::internal::array_term(#name, chainerxx::internal::term_side(second),          \
                                           name(first, chainerxx::internal::array_of(second)));    \
  }
CHAINERXX_JOIN_OF_PARAMETERS(concatenate)
CHAINERXX_JOIN_OF_PARAMETERS(stack)
CHAINERXX_JOIN_OF_PARAMETERS(vstack)
CHAINERXX_JOIN_OF_PARAMETERS(hstack)
CHAINERXX_JOIN_OF_PARAMETERS(dstack)
#undef CHAINERXX_JOIN_OF_PARAMETERS
/// Of a parameter: an array, and a TypeError where a variable is expected.
template <chainerxx::internal::ParameterLike P, std::same_as<JoinOptions> O = JoinOptions>
chainerxx::ParameterTerm concatenate(std::initializer_list<P> arrays, const O& options) {
  return chainerxx::internal::array_term(
      "concatenate", chainerxx::internal::TermSide(chainerxx::internal::array_of(*arrays.begin())),
      concatenate(chainerxx::internal::arrays_of(arrays), options));
}
template <chainerxx::internal::ParameterLike P, std::same_as<JoinOptions> O = JoinOptions>
chainerxx::ParameterTerm stack(std::initializer_list<P> arrays, const O& options) {
  return chainerxx::internal::array_term(
      "stack", chainerxx::internal::TermSide(chainerxx::internal::array_of(*arrays.begin())),
      stack(chainerxx::internal::arrays_of(arrays), options));
}

template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm einsum(std::string_view subscripts, const P& a) {
  return chainerxx::internal::array_term("einsum", chainerxx::internal::term_side(a),
                                         einsum(subscripts, chainerxx::internal::array_of(a)));
}
template <std::derived_from<ndarray> A, std::derived_from<ndarray> B>
requires(chainerxx::internal::ParameterLike<A> ||
         chainerxx::internal::ParameterLike<B>) chainerxx::ParameterTerm
    einsum(std::string_view subscripts, const A& a, const B& b) {
  ndarray value =
      einsum(subscripts, chainerxx::internal::array_of(a), chainerxx::internal::array_of(b));
  if constexpr (chainerxx::internal::ParameterLike<A>) {
    return chainerxx::internal::array_term("einsum", chainerxx::internal::term_side(a), value);
  } else {
    return chainerxx::internal::array_term("einsum", chainerxx::internal::term_side(b), value);
  }
}
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm einsum(std::string_view subscripts, std::initializer_list<P> operands) {
  return chainerxx::internal::array_term(
      "einsum", chainerxx::internal::TermSide(chainerxx::internal::array_of(*operands.begin())),
      einsum(subscripts, chainerxx::internal::arrays_of(operands)));
}
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
