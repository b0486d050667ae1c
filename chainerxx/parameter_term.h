// SPDX-License-Identifier: MIT
// Arithmetic of layers' arrays: `layer.W * layer.W`.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include "chainerxx/parameter_array.h"
#include "cupyxx/core/array_operands.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"

namespace chainerxx {

class Variable;
class ParameterTerm;

namespace internal {
struct TermRecipe;
enum class TermKind : std::uint8_t { itself, negative, sum, difference, product, quotient };

/// One side of such arithmetic.
class CUPYXX_API TermSide {
 public:
  explicit TermSide(const ParameterArray& parameter);
  explicit TermSide(const ParameterTerm& term);
  explicit TermSide(const cupyxx::ndarray& array) : role_(Role::array), array_(array) {}
  explicit TermSide(const cupyxx::Scalar& number) : role_(Role::number), number_(number) {}

 private:
  friend struct TermRecipe;
  enum class Role : std::uint8_t { number, array, parameter, copy, term };
  Variable variable() const;

  Role role_;
  cupyxx::ndarray array_, gradient_;
  std::uint64_t version_ = 0;  // of a parameter's elements
  cupyxx::Scalar number_;
  std::shared_ptr<const TermRecipe> recipe_;  // null for a term whose elements are other ones now
};

template <class T>
concept ParameterLike = std::same_as<T, ParameterArray> || std::same_as<T, ParameterTerm>;
/// Of which one side is made of parameters and no side is a list.
template <class X, class Y>
concept ParameterOperands = cupyxx::internal::ArrayOperands<X, Y> &&
    (ParameterLike<X> || ParameterLike<Y>)&&!cupyxx::internal::ArrayBesideList<X, Y>;

template <class T>
TermSide term_side(const T& x) {
  if constexpr (ParameterLike<T> || std::derived_from<T, cupyxx::ndarray>) {
    return TermSide(x);
  } else {
    return TermSide(cupyxx::Scalar(x));
  }
}
CUPYXX_API ParameterTerm term(TermKind kind, const TermSide& x, const TermSide& y);
}  // namespace internal

/// What `+`, `-`, `*` and `/` make of layers' arrays: an array as of other arrays, and where a
/// variable is expected the same arithmetic of the parameters, with gradients:
///
///   ndarray step = 0.1 * layer.W;
///   loss += 0.0005 * F::sum(layer.W * layer.W);             // adds to layer.gW in backward()
///
/// Its methods are those of arrays, `(layer.W * layer.W).sum()` a constant. As a variable it throws
/// ValueError where the array or a parameter have been changed since, and as ParameterArray does.
class CUPYXX_API ParameterTerm : public cupyxx::ndarray {
 public:
  /// The parameter itself: `is_scaled ? layer.W * 2 : layer.W`.
  ParameterTerm(const ParameterArray& parameter);  // NOLINT(google-explicit-constructor)
  using ndarray::operator=;

 private:
  friend class Variable;
  friend class internal::TermSide;
  friend ParameterTerm internal::term(internal::TermKind kind, const internal::TermSide& x,
                                      const internal::TermSide& y);
  ParameterTerm(cupyxx::ndarray value, std::shared_ptr<const internal::TermRecipe> recipe);
  Variable variable() const;

  std::shared_ptr<const internal::TermRecipe> recipe_;
  std::uint64_t version_;
};

template <internal::ParameterLike P>
ParameterTerm operator-(const P& x) {
  return internal::term(internal::TermKind::negative, internal::term_side(x),
                        internal::TermSide(cupyxx::Scalar(0)));
}
template <class X, class Y>
requires internal::ParameterOperands<X, Y> ParameterTerm operator+(const X& x, const Y& y) {
  return internal::term(internal::TermKind::sum, internal::term_side(x), internal::term_side(y));
}
template <class X, class Y>
requires internal::ParameterOperands<X, Y> ParameterTerm operator-(const X& x, const Y& y) {
  return internal::term(internal::TermKind::difference, internal::term_side(x),
                        internal::term_side(y));
}
template <class X, class Y>
requires internal::ParameterOperands<X, Y> ParameterTerm operator*(const X& x, const Y& y) {
  return internal::term(internal::TermKind::product, internal::term_side(x),
                        internal::term_side(y));
}
template <class X, class Y>
requires internal::ParameterOperands<X, Y> ParameterTerm operator/(const X& x, const Y& y) {
  return internal::term(internal::TermKind::quotient, internal::term_side(x),
                        internal::term_side(y));
}

}  // namespace chainerxx
