// SPDX-License-Identifier: MIT
// Lists in which layers' arrays stand beside others: `cupyxx::concatenate({x, layer.W})`.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "chainerxx/parameter_results.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"
#include "cupyxx/shape.h"

namespace chainerxx::internal {

/// An array of a list, which knows whether it is made of parameters. Lists of others alone are
/// cupyxx's (ListedArray), whose functions are no templates.
class ListedTerm {
 public:
  template <class A>
  requires(std::convertible_to<const A&, cupyxx::ndarray>) ListedTerm(const A& a)  // NOLINT
      : array_(a) {
    if constexpr (ParameterLike<A>) side_ = term_side(a);
  }
  static std::vector<cupyxx::ndarray> arrays(std::initializer_list<ListedTerm> list) {
    std::vector<cupyxx::ndarray> arrays;
    for (const ListedTerm& one : list) arrays.push_back(one.array_);
    return arrays;
  }
  static TermSide side(std::initializer_list<ListedTerm> list) { return side({list}); }
  static TermSide side(std::initializer_list<std::initializer_list<ListedTerm>> lists) {
    for (const auto& list : lists) {
      for (const ListedTerm& one : list) {
        if (one.side_) return *one.side_;
      }
    }
    return TermSide(cupyxx::Scalar(0));
  }

 private:
  cupyxx::ndarray array_;
  std::optional<TermSide> side_;
};
/// The same as an argument, which yields to lists of other arrays. Beside an axis in braces options
/// are templates, so that `concatenate({a, b}, {1})` has one meaning.
struct ListedTerms {
  ListedTerms(std::initializer_list<ListedTerm> list)  // NOLINT(google-explicit-constructor)
      : arrays(ListedTerm::arrays(list)), side(ListedTerm::side(list)) {}
  std::vector<cupyxx::ndarray> arrays;
  TermSide side;
};
/// The same of a list of parameters alone, which is another type of list; it has copies, which know
/// no gradient.
template <ParameterLike P>
std::vector<cupyxx::ndarray> arrays_of(std::initializer_list<P> list) {
  return {list.begin(), list.end()};
}
template <ParameterLike P>
TermSide side_of(std::initializer_list<P> list) {
  return list.size() == 0 ? TermSide(cupyxx::Scalar(0))
                          : TermSide(static_cast<const cupyxx::ndarray&>(*list.begin()));
}

}  // namespace chainerxx::internal

// Of a parameter: an array, and a TypeError where a variable is expected.
namespace cupyxx {

struct JoinOptions;
struct StackOptions;
struct EinsumOptions;

#define CHAINERXX_WITH(...) __VA_OPT__(, ) __VA_ARGS__
#define CHAINERXX_OF_PARAMETERS(name, heads, parameters, arguments)                        \
  template <chainerxx::internal::ParameterLike P CHAINERXX_WITH heads>                     \
  chainerxx::ParameterTerm name(std::initializer_list<P> list CHAINERXX_WITH parameters) { \
    return chainerxx::internal::array_term(                                                \
        #name, chainerxx::internal::side_of(list),                                         \
        name(chainerxx::internal::arrays_of(list) CHAINERXX_WITH arguments));              \
  }
#define CHAINERXX_OF_BOTH(name, heads, parameters, arguments)                                  \
  template <std::same_as<chainerxx::internal::ListedTerm> T =                                  \
                chainerxx::internal::ListedTerm CHAINERXX_WITH heads>                          \
  chainerxx::ParameterTerm name(                                                               \
      std::initializer_list<chainerxx::internal::ListedTerm> list CHAINERXX_WITH parameters) { \
    return chainerxx::internal::array_term(#name, T::side(list),                               \
                                           name(T::arrays(list) CHAINERXX_WITH arguments));    \
  }
#define CHAINERXX_OF_BOTH_BY_OPTIONS(name, Options)                                               \
  template <std::same_as<Options> O = Options>                                                    \
  chainerxx::ParameterTerm name(const chainerxx::internal::ListedTerms& list, const O& options) { \
    return chainerxx::internal::array_term(#name, list.side, name(list.arrays, options));         \
  }
#define CHAINERXX_LIST(name, heads, parameters, arguments)    \
  CHAINERXX_OF_PARAMETERS(name, heads, parameters, arguments) \
  CHAINERXX_OF_BOTH(name, heads, parameters, arguments)
#define CHAINERXX_EACH_JOIN(m) \
  m(concatenate) m(concat) m(stack) m(vstack) m(row_stack) m(hstack) m(dstack) m(column_stack)
#define CHAINERXX_ALONE(name) CHAINERXX_LIST(name, (), (), ())
CHAINERXX_EACH_JOIN(CHAINERXX_ALONE)
#define CHAINERXX_BY_OPTIONS(name, Options)                                              \
  CHAINERXX_OF_PARAMETERS(name, (std::same_as<Options> O = Options), (const O& options), \
                          (options))                                                     \
  CHAINERXX_OF_BOTH_BY_OPTIONS(name, Options)
CHAINERXX_BY_OPTIONS(concatenate, JoinOptions)
CHAINERXX_BY_OPTIONS(concat, JoinOptions)
CHAINERXX_BY_OPTIONS(stack, JoinOptions)
CHAINERXX_BY_OPTIONS(vstack, StackOptions)
CHAINERXX_BY_OPTIONS(row_stack, StackOptions)
CHAINERXX_BY_OPTIONS(hstack, StackOptions)
CHAINERXX_LIST(stack, (), (internal::Int axis), (axis))
CHAINERXX_LIST(concat, (), (internal::Int axis), (axis))
// One form for a number and None, beside that of other arrays, which is a template for None.
CHAINERXX_LIST(concatenate, (std::same_as<JoinOptions> O = JoinOptions), (const Axes& axis),
               (axis, O{}))
CHAINERXX_LIST(concatenate, (std::same_as<JoinOptions> O = JoinOptions),
               (const Axes& axis, const O& options), (axis, options))
CHAINERXX_LIST(stack, (std::same_as<JoinOptions> O = JoinOptions),
               (internal::Int axis, const O& options), (axis, options))
// Of one row of blocks, and of rows: {{a}, {b}} are two, as other arrays are.
CHAINERXX_OF_PARAMETERS(block, (), (), ())
template <std::same_as<std::vector<ndarray>> V = std::vector<ndarray>>
chainerxx::ParameterTerm block(const chainerxx::internal::ListedTerms& row) {
  return chainerxx::internal::array_term("block", row.side, block(static_cast<V>(row.arrays)));
}
template <std::same_as<std::vector<ndarray>> V = std::vector<ndarray>>
chainerxx::ParameterTerm block(
    std::initializer_list<std::initializer_list<chainerxx::internal::ListedTerm>> rows) {
  std::vector<V> arrays;
  for (const auto& row : rows) arrays.push_back(chainerxx::internal::ListedTerm::arrays(row));
  return chainerxx::internal::array_term("block", chainerxx::internal::ListedTerm::side(rows),
                                         block(arrays));
}
#undef CHAINERXX_OF_PARAMETERS
#undef CHAINERXX_OF_BOTH
#undef CHAINERXX_OF_BOTH_BY_OPTIONS
#undef CHAINERXX_LIST
#undef CHAINERXX_EACH_JOIN
#undef CHAINERXX_ALONE
#undef CHAINERXX_BY_OPTIONS

#define CHAINERXX_EINSUM(heads, parameters, arguments)                                          \
  template <chainerxx::internal::ParameterLike P CHAINERXX_WITH heads>                          \
  chainerxx::ParameterTerm einsum(std::string_view subscripts,                                  \
                                  std::initializer_list<P> list CHAINERXX_WITH parameters) {    \
    return chainerxx::internal::array_term(                                                     \
        "einsum", chainerxx::internal::side_of(list),                                           \
        einsum(subscripts, chainerxx::internal::arrays_of(list) CHAINERXX_WITH arguments));     \
  }                                                                                             \
  template <std::same_as<chainerxx::internal::ListedTerm> T =                                   \
                chainerxx::internal::ListedTerm CHAINERXX_WITH heads>                           \
  chainerxx::ParameterTerm einsum(                                                              \
      std::string_view subscripts,                                                              \
      std::initializer_list<chainerxx::internal::ListedTerm> list CHAINERXX_WITH parameters) {  \
    return chainerxx::internal::array_term(                                                     \
        "einsum", T::side(list), einsum(subscripts, T::arrays(list) CHAINERXX_WITH arguments)); \
  }
CHAINERXX_EINSUM((), (), ())
CHAINERXX_EINSUM((std::same_as<EinsumOptions> O = EinsumOptions), (const O& options), (options))
#undef CHAINERXX_EINSUM
#undef CHAINERXX_WITH

namespace linalg {
/// Of a list in which layers' arrays stand: an array, and a TypeError where a variable is expected.
CUPYXX_API ndarray multi_dot(std::span<const ndarray> arrays, const ndarray& out);
template <chainerxx::internal::ParameterLike P>
chainerxx::ParameterTerm multi_dot(std::initializer_list<P> list) {
  return chainerxx::internal::array_term(
      "linalg::multi_dot", chainerxx::internal::side_of(list),
      linalg::multi_dot(chainerxx::internal::arrays_of(list), ndarray()));
}
template <std::same_as<chainerxx::internal::ListedTerm> T = chainerxx::internal::ListedTerm>
chainerxx::ParameterTerm multi_dot(std::initializer_list<chainerxx::internal::ListedTerm> list) {
  return chainerxx::internal::array_term("linalg::multi_dot", T::side(list),
                                         linalg::multi_dot(T::arrays(list), ndarray()));
}
template <std::same_as<chainerxx::internal::ListedTerms> T = chainerxx::internal::ListedTerms>
ndarray multi_dot(const chainerxx::internal::ListedTerms& list, const ndarray& out) {
  return linalg::multi_dot(list.arrays, out);
}
}  // namespace linalg

}  // namespace cupyxx
