// SPDX-License-Identifier: MIT
#include "chainerxx/parameter_term.h"

#include <functional>
#include <utility>

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/variable.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

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
  using Method = std::function<Variable(const Variable&)>;

  TermKind kind;
  TermSide x, y;
  Method method;  // of x, where the kind says so

  TermRecipe(TermKind the_kind, TermSide the_x, TermSide the_y, Method the_method = {})
      : kind(the_kind), x(std::move(the_x)), y(std::move(the_y)), method(std::move(the_method)) {
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
    if (kind == TermKind::method) return method(x.variable());
    if (kind == TermKind::negative) return functions::neg(x.variable());
    if (x.role_ == TermSide::Role::number) {
      return compute(kind, x.number_, y.variable(), OfVariables());
    }
    if (y.role_ == TermSide::Role::number) {
      return compute(kind, x.variable(), y.number_, OfVariables());
    }
    return compute(kind, x.variable(), y.variable(), OfVariables());
  }
  static const ndarray& array(const TermSide& x) { return x.array_; }
  /// The term of a method of x that gives `value`.
  static ParameterTerm of_method(ndarray value, const TermSide& x, Method method) {
    return {std::move(value),
            std::make_shared<const TermRecipe>(TermKind::method, x, TermSide(cupyxx::Scalar(0)),
                                               std::move(method))};
  }
  /// The term of a reduction by functions::sum or mean; of options a variable knows but keepdims.
  template <class Options>
  static ParameterTerm of_reduction(const char* name, const TermSide& x, const ndarray& value,
                                    const cupyxx::Axes* axes, const Options* options,
                                    OfAxes* reduce) {
    bool is_plain = true, keepdims = false;
    cupyxx::Axes along = axes != nullptr ? *axes : cupyxx::Axes();
    if (options != nullptr) {
      keepdims = options->keepdims;
      cupyxx::Axes named = options->axis;
      if (axes == nullptr) along = cupyxx::internal::take_axis(named);
      is_plain =
          options->dtype == cupyxx::dtype() && options->out.is_none() && options->where.is_none();
      if constexpr (requires { options->initial; }) is_plain &= !options->initial.has_value();
    }
    return of_method(value, x, [=](const Variable& of) {
      if (is_plain) return reduce(of, along, keepdims);
      throw cupyxx::TypeError(cupyxx::message("Variable: `", name, "` of a layer's array, ",
                                              of.shape(),
                                              ", with options that have no gradient; `F::", name,
                                              "(layer.W, ..)` knows axis and "
                                              "keepdims"));
    });
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

ParameterTerm transpose(const TermSide& x, const cupyxx::Shape* axes, OfShape* function) {
  const ndarray& a = TermRecipe::array(x);
  cupyxx::Shape order = axes == nullptr ? cupyxx::Shape() : *axes;
  for (int i = a.ndim() - 1; axes == nullptr && i >= 0; --i) order.push_back(i);
  ndarray value = a.transpose(order);
  return TermRecipe::of_method(std::move(value), x,
                               [=](const Variable& of) { return function(of, order); });
}

ParameterTerm reshape(const TermSide& x, const cupyxx::Shape& shape, OfShape* function) {
  return TermRecipe::of_method(TermRecipe::array(x).reshape(shape), x,
                               [=](const Variable& of) { return function(of, shape); });
}

ParameterTerm sum(const TermSide& x, const cupyxx::Axes* axes, const cupyxx::SumOptions* options,
                  OfAxes* function) {
  const ndarray& a = TermRecipe::array(x);
  const ndarray value = options == nullptr ? cupyxx::sum(a, *axes)
                        : axes == nullptr  ? cupyxx::sum(a, *options)
                                           : cupyxx::sum(a, *axes, *options);
  return TermRecipe::of_reduction("sum", x, value, axes, options, function);
}

ParameterTerm mean(const TermSide& x, const cupyxx::Axes* axes, const cupyxx::MeanOptions* options,
                   OfAxes* function) {
  const ndarray& a = TermRecipe::array(x);
  const ndarray value = options == nullptr ? cupyxx::mean(a, *axes)
                        : axes == nullptr  ? cupyxx::mean(a, *options)
                                           : cupyxx::mean(a, *axes, *options);
  return TermRecipe::of_reduction("mean", x, value, axes, options, function);
}

}  // namespace chainerxx::internal

namespace chainerxx {

ParameterTerm::ParameterTerm(const ParameterArray& parameter)
    : ParameterTerm(static_cast<const ndarray&>(parameter),
                    std::make_shared<const internal::TermRecipe>(
                        internal::TermKind::itself, internal::TermSide(parameter),
                        internal::TermSide(cupyxx::Scalar(0)))) {}

ParameterTerm::ParameterTerm(ndarray value, std::shared_ptr<const internal::TermRecipe> recipe)
    : ParameterMethods(std::move(value)),
      recipe_(std::move(recipe)),
      version_(is_none() ? 0 : version()) {}

Variable ParameterTerm::variable() const {
  if (recipe_ == nullptr || version() != version_) internal::refuse_changed(shape());
  return recipe_->variable();
}

}  // namespace chainerxx
