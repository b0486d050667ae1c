// SPDX-License-Identifier: MIT
#include "chainerxx/parameter_term.h"

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/variable.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

[[noreturn]] void refuse_changed(const cupyxx::Shape& shape) {
  throw cupyxx::ValueError(cupyxx::message(
      "Variable: arithmetic of a layer's array, ", shape,
      ", whose elements have been changed since; make the variable first, `Variable y = layer.W * "
      "2`"));
}

/// Calls `of` with two sides, which are arrays, variables or numbers.
template <class X, class Of>
auto compute(TermKind kind, const X& x, const auto& y, const Of& of) {
  switch (kind) {
    case TermKind::sum:
      return of.sum(x, y);
    case TermKind::difference:
      return of.difference(x, y);
    case TermKind::product:
      return of.product(x, y);
    default:
      return of.quotient(x, y);
  }
}

struct OfArrays {
  static ndarray sum(const auto& x, const auto& y) { return cupyxx::add(x, y); }
  static ndarray difference(const auto& x, const auto& y) { return cupyxx::subtract(x, y); }
  static ndarray product(const auto& x, const auto& y) { return cupyxx::multiply(x, y); }
  static ndarray quotient(const auto& x, const auto& y) { return cupyxx::true_divide(x, y); }
};

struct OfVariables {
  static Variable sum(const auto& x, const auto& y) { return functions::add(x, y); }
  static Variable difference(const auto& x, const auto& y) { return functions::sub(x, y); }
  static Variable product(const auto& x, const auto& y) { return functions::mul(x, y); }
  static Variable quotient(const auto& x, const auto& y) { return functions::div(x, y); }
};

}  // namespace

/// How a term was made.
struct TermRecipe {
  TermKind kind;
  TermSide x, y;

  TermRecipe(TermKind the_kind, TermSide the_x, TermSide the_y)
      : kind(the_kind), x(std::move(the_x)), y(std::move(the_y)) {
    // Their variables are made of what they were made of.
    for (TermSide* side : {&x, &y}) {
      if (side->role_ == TermSide::Role::term && side->recipe_ != nullptr) side->array_ = ndarray();
    }
  }

  static ndarray value(TermKind kind, const TermSide& x, const TermSide& y) {
    if (kind == TermKind::negative) return cupyxx::negative(x.array_);
    if (x.role_ == TermSide::Role::number) return compute(kind, x.number_, y.array_, OfArrays());
    if (y.role_ == TermSide::Role::number) return compute(kind, x.array_, y.number_, OfArrays());
    return compute(kind, x.array_, y.array_, OfArrays());
  }
  Variable variable() const {
    if (kind == TermKind::itself) return x.variable();
    if (kind == TermKind::negative) return functions::neg(x.variable());
    if (x.role_ == TermSide::Role::number) {
      return compute(kind, x.number_, y.variable(), OfVariables());
    }
    if (y.role_ == TermSide::Role::number) {
      return compute(kind, x.variable(), y.number_, OfVariables());
    }
    return compute(kind, x.variable(), y.variable(), OfVariables());
  }
};

TermSide::TermSide(const ParameterArray& parameter)
    : role_(parameter.gradient() != nullptr ? Role::parameter : Role::copy),
      array_(parameter),
      gradient_(parameter.grad()),
      version_(parameter.is_none() ? 0 : parameter.version()) {}

TermSide::TermSide(const ParameterTerm& term)
    : role_(Role::term),
      array_(term),
      recipe_(term.version() == term.version_ ? term.recipe_ : nullptr) {}

Variable TermSide::variable() const {
  switch (role_) {
    case Role::parameter:
      if (array_.version() != version_) refuse_changed(array_.shape());
      return gradient_.is_none() ? Variable(array_).detach() : parameter(array_, gradient_);
    case Role::copy: {
      ParameterArray copy;
      copy = array_;
      return copy;  // an error that says so
    }
    case Role::term:
      if (recipe_ == nullptr) refuse_changed(array_.shape());
      return recipe_->variable();
    default: {
      const Variable constant = array_;
      return constant;
    }
  }
}

ParameterTerm term(TermKind kind, const TermSide& x, const TermSide& y) {
  ndarray value = TermRecipe::value(kind, x, y);
  return {std::move(value), std::make_shared<const TermRecipe>(kind, x, y)};
}

}  // namespace chainerxx::internal

namespace chainerxx {

ParameterTerm::ParameterTerm(const ParameterArray& parameter)
    : ParameterTerm(static_cast<const ndarray&>(parameter),
                    std::make_shared<const internal::TermRecipe>(
                        internal::TermKind::itself, internal::TermSide(parameter),
                        internal::TermSide(cupyxx::Scalar(0)))) {}

ParameterTerm::ParameterTerm(ndarray value, std::shared_ptr<const internal::TermRecipe> recipe)
    : ndarray(std::move(value)), recipe_(std::move(recipe)), version_(is_none() ? 0 : version()) {}

Variable ParameterTerm::variable() const {
  if (recipe_ == nullptr || version() != version_) internal::refuse_changed(shape());
  return recipe_->variable();
}

}  // namespace chainerxx
