// SPDX-License-Identifier: MIT
// Arithmetic of layers' arrays: `layer.W * layer.W`.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include "chainerxx/method_functions.h"
#include "chainerxx/parameter_array.h"
#include "cupyxx/core/array_operands.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"

namespace chainerxx {

class AxesArg;
class Variable;
class ParameterTerm;

namespace internal {
struct TermRecipe;
enum class TermKind : std::uint8_t { itself, negative, sum, difference, product, quotient, method };

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

// Methods, and the functions that are theirs of variables; null where no axes stand in front of the
// options, or none were given at all.
using OfAxes = Variable(const Variable&, const AxesArg&, bool);
using OfShape = Variable(const Variable&, const cupyxx::Shape&);
CUPYXX_API ParameterTerm transpose(const TermSide& x, const cupyxx::Shape* axes, OfShape* function);
CUPYXX_API ParameterTerm reshape(const TermSide& x, const cupyxx::Shape& shape, OfShape* function);
CUPYXX_API ParameterTerm sum(const TermSide& x, const cupyxx::Axes* axes,
                             const cupyxx::SumOptions* options, OfAxes* function);
CUPYXX_API ParameterTerm mean(const TermSide& x, const cupyxx::Axes* axes,
                              const cupyxx::MeanOptions* options, OfAxes* function);
}  // namespace internal

/// What `+`, `-`, `*` and `/` make of layers' arrays: an array as of other arrays, and where a
/// variable is expected the same arithmetic of the parameters, with gradients:
///
///   ndarray step = 0.1 * layer.W;
///   loss += 0.0005 * (layer.W * layer.W).sum();             // adds to layer.gW in backward()
///
/// So are `T`, `transpose`, `reshape`, `sum` and `mean`; other methods, indices and cupyxx's
/// functions give arrays, which are constants. As a variable it throws ValueError where the array
/// or a parameter have been changed since, and as ParameterArray does.
class CUPYXX_API ParameterTerm : public internal::ParameterMethods<ParameterTerm> {
 public:
  /// The parameter itself: `is_scaled ? layer.W * 2 : layer.W`.
  ParameterTerm(const ParameterArray& parameter);  // NOLINT(google-explicit-constructor)
  using ndarray::operator=;

 private:
  friend class Variable;
  friend class internal::TermSide;
  friend ParameterTerm internal::term(internal::TermKind kind, const internal::TermSide& x,
                                      const internal::TermSide& y);
  friend struct internal::TermRecipe;
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

namespace internal {

template <class Self>
ParameterTerm ParameterMethods<Self>::T() const {
  return transpose();
}
template <class Self>
ParameterTerm ParameterMethods<Self>::transpose() const {
  return internal::transpose(TermSide(static_cast<const Self&>(*this)), nullptr,
                             &functions::transpose);
}
template <class Self>
ParameterTerm ParameterMethods<Self>::transpose(const cupyxx::Shape& axes) const {
  return internal::transpose(TermSide(static_cast<const Self&>(*this)), &axes,
                             &functions::transpose);
}
template <class Self>
template <cupyxx::internal::AxisNumber I, cupyxx::internal::AxisNumber... More>
requires(sizeof...(More) > 0) ParameterTerm ParameterMethods<Self>::transpose(I first, More... more)
const { return transpose(cupyxx::Shape(first, more...)); }
template <class Self>
ParameterTerm ParameterMethods<Self>::reshape(const cupyxx::Shape& shape) const {
  return internal::reshape(TermSide(static_cast<const Self&>(*this)), shape, &functions::reshape);
}
template <class Self>
template <cupyxx::internal::OneExtent I, cupyxx::internal::OneExtent... More>
requires(sizeof...(More) > 0) ParameterTerm ParameterMethods<Self>::reshape(I first, More... more)
const {
  return reshape(cupyxx::Shape{cupyxx::internal::Int64(first), cupyxx::internal::Int64(more)...});
}
template <class Self>
ParameterTerm ParameterMethods<Self>::sum(const cupyxx::Axes& axes) const {
  return internal::sum(TermSide(static_cast<const Self&>(*this)), &axes, nullptr, &functions::sum);
}
template <class Self>
ParameterTerm ParameterMethods<Self>::sum(const cupyxx::Axes& axes,
                                          const cupyxx::SumOptions& options) const {
  return internal::sum(TermSide(static_cast<const Self&>(*this)), &axes, &options, &functions::sum);
}
template <class Self>
template <std::same_as<cupyxx::SumOptions> O>
ParameterTerm ParameterMethods<Self>::sum(O options) const {
  return internal::sum(TermSide(static_cast<const Self&>(*this)), nullptr, &options,
                       &functions::sum);
}
template <class Self>
ParameterTerm ParameterMethods<Self>::mean(const cupyxx::Axes& axes) const {
  return internal::mean(TermSide(static_cast<const Self&>(*this)), &axes, nullptr,
                        &functions::mean);
}
template <class Self>
ParameterTerm ParameterMethods<Self>::mean(const cupyxx::Axes& axes,
                                           const cupyxx::MeanOptions& options) const {
  return internal::mean(TermSide(static_cast<const Self&>(*this)), &axes, &options,
                        &functions::mean);
}
template <class Self>
template <std::same_as<cupyxx::MeanOptions> O>
ParameterTerm ParameterMethods<Self>::mean(O options) const {
  return internal::mean(TermSide(static_cast<const Self&>(*this)), nullptr, &options,
                        &functions::mean);
}

}  // namespace internal
}  // namespace chainerxx
