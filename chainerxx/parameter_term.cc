// SPDX-License-Identifier: MIT
#include "chainerxx/parameter_term.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/parameter_functions.h"
#include "chainerxx/variable.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/ufunc.h"

namespace chainerxx::internal {
namespace {

/// Terms that are computed of each other in a loop, running means say, are arrays from there on: a
/// recipe holds all before it.
constexpr int kMostDepth = 256;

[[noreturn]] void refuse_changed(const cupyxx::Shape& shape) {
  throw cupyxx::ValueError(cupyxx::message(
      "Variable: arithmetic of a layer's array, ", shape,
      ", whose elements have been changed since; make the variable first, `Variable y = layer.W * "
      "2`"));
}

/// A version that no array has.
constexpr std::uint64_t kChanged = std::numeric_limits<std::uint64_t>::max();

/// Changes of the arrays of an index, counted.
std::uint64_t version_of(const std::vector<std::vector<cupyxx::Index>>& index) {
  std::uint64_t sum = 0;
  for (const auto& list : index) {
    for (const cupyxx::Index& entry : list) sum += entry.is_array() ? entry.array().version() : 0;
  }
  return sum;
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

PartPlace::PartPlace(const ParameterArray& of, std::vector<cupyxx::Index> entries)
    : parameter(of),
      gradient(of.grad()),
      has_gradient(of.gradient() != nullptr),
      index({std::move(entries)}),
      version(of.version()),
      index_version(version_of(index)) {}

PartPlace::PartPlace(const ParameterTerm& of, std::vector<cupyxx::Index> entries)
    : parameter(of),
      has_gradient(false),
      index({std::move(entries)}),
      version(of.version()),
      index_version(version_of(index)),
      term(std::make_shared<const TermSide>(of)) {}

PartPlace::PartPlace(const PartPlace& of, const ndarray& part, std::vector<cupyxx::Index> entries)
    : PartPlace(of) {
  // Where a copy of elements has been changed, its parts are none of the parameter's any more.
  if (!part.shares_memory(parameter) && part.version() != 0) version = kChanged;
  index_version += version_of({entries});
  index.push_back(std::move(entries));
}

/// How a term was made.
struct TermRecipe {
  using Method = std::function<Variable(const Variable&)>;

  TermKind kind;
  TermSide x, y;
  Method method;  // of x, where the kind says so
  int depth = 1;  // of terms within terms

  TermRecipe(TermKind the_kind, TermSide the_x, TermSide the_y, Method the_method = {})
      : kind(the_kind), x(std::move(the_x)), y(std::move(the_y)), method(std::move(the_method)) {
    // Their variables are made of what they were made of.
    for (TermSide* side : {&x, &y}) {
      if (side->recipe_ != nullptr) depth = std::max(depth, side->recipe_->depth + 1);
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
  static ndarray value(const cupyxx::ufunc& f, const TermSide& x, const TermSide& y) {
    if (is_number(x)) return f(x.number_, y.array_);
    if (is_number(y)) return f(x.array_, y.number_);
    return f(x.array_, y.array_);
  }
  static bool is_number(const TermSide& x) { return x.role_ == TermSide::Role::number; }
  static const ndarray& array(const TermSide& x) { return x.array_; }
  /// x to the power of y.
  static ParameterTerm power(const cupyxx::ufunc& f, const TermSide& x, const TermSide& y) {
    if (is_number(x)) {
      return of_method(value(f, x, y), y,
                       [base = x.number_](const Variable& of) { return functions::pow(base, of); });
    }
    return of_method(value(f, x, y), x, [y](const Variable& of) {
      return is_number(y) ? functions::pow(of, y.number_) : functions::pow(of, y.variable());
    });
  }
  /// The term of a method of x that gives `value`.
  static ParameterTerm of_method(ndarray value, const TermSide& x, Method method) {
    return {std::move(value),
            std::make_shared<const TermRecipe>(TermKind::method, x, TermSide(cupyxx::Scalar(0)),
                                               std::move(method))};
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
      recipe_(term.version() == term.version_ && term.recipe_ != nullptr &&
                      term.recipe_->depth < kMostDepth
                  ? term.recipe_
                  : nullptr) {}

TermSide::TermSide(ndarray part, const PartPlace& place, GetItem* function)
    : role_(Role::term), array_(std::move(part)) {
  // A copy of the elements, as of a selection or of one element with a name, counts from 0.
  if (!array_.shares_memory(place.parameter) && array_.version() != 0) return;
  TermSide of(place.parameter);
  if (place.term != nullptr) {
    if (place.parameter.version() != place.version) return;
    of = *place.term;
  } else {
    of.role_ = place.has_gradient ? Role::parameter : Role::copy;
    of.gradient_ = place.gradient;
    of.version_ = place.version;
  }
  const auto get = [=, index = place.index, then = place.index_version](const Variable& x) {
    if (version_of(index) != then) refuse_changed(x.shape());
    Variable y = x;
    for (const auto& list : index) y = function(y, list);
    return y;
  };
  recipe_ =
      std::make_shared<const TermRecipe>(TermKind::method, of, TermSide(cupyxx::Scalar(0)), get);
}

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

ParameterTerm reshape(const TermSide& x, ndarray value, OfShape* function) {
  const cupyxx::Shape shape = value.shape();
  return TermRecipe::of_method(std::move(value), x,
                               [=](const Variable& of) { return function(of, shape); });
}

namespace {

/// What has a gradient instead of a function of arrays.
std::string_view with_gradient(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"append", "F::concat({layer.W, x}, axis)"},
      {"array_split", "F::split_axis(layer.W, sections, axis)"},
      {"atleast_1d", "layer.W.reshape(shape)"},
      {"atleast_2d", "layer.W.reshape(shape)"},
      {"atleast_3d", "layer.W.reshape(shape)"},
      {"average", "F::average(layer.W, axis)"},
      {"broadcast_to", "F::broadcast_to(layer.W, shape)"},
      {"column_stack", "F::concat({layer.W, x}, 1)"},
      {"compress", "layer.W(mask)"},
      {"concat", "F::concat({layer.W, x}, axis)"},
      {"concatenate", "F::concat({layer.W, x}, axis)"},
      {"diagonal", "F::diagonal(layer.W)"},
      {"dot", "F::matmul(layer.W, x)"},
      {"dstack", "F::dstack({layer.W, x})"},
      {"dsplit", "F::split_axis(layer.W, sections, 2)"},
      {"einsum", "F::einsum(subscripts, layer.W, x)"},
      {"flip", "F::flip(layer.W, axis)"},
      {"fliplr", "F::fliplr(layer.W)"},
      {"flipud", "F::flipud(layer.W)"},
      {"expand_dims", "F::expand_dims(layer.W, axis)"},
      {"hsplit", "F::split_axis(layer.W, sections, 1)"},
      {"hstack", "F::hstack({layer.W, x})"},
      {"linalg::det", "F::det(layer.W)"},
      {"linalg::inv", "F::inv(layer.W)"},
      {"linalg::multi_dot", "F::matmul(layer.W, x)"},
      {"linalg::solve", "F::matmul(F::inv(layer.W), x)"},
      {"linalg::norm",
       "F::sum(F::absolute(layer.W)) for the sum of magnitudes, F::sqrt(F::sum(F::square(layer.W)))"
       " for the root of squares"},
      {"inner", "F::matmul(layer.W, x, false, true)"},
      {"matmul", "F::matmul(layer.W, x)"},
      {"moveaxis", "F::moveaxis(layer.W, from, to)"},
      {"outer", "F::matmul(F::expand_dims(layer.b, 1), F::expand_dims(x, 0))"},
      {"pad", "F::pad(layer.W, width)"},
      {"ptp", "F::max(layer.W) - F::min(layer.W)"},
      {"repeat", "F::repeat(layer.W, repeats, axis)"},
      {"rollaxis", "F::rollaxis(layer.W, axis)"},
      {"permute_dims", "F::transpose(layer.W, axes)"},
      {"reshape", "layer.W.reshape(shape)"},
      {"row_stack", "F::vstack({layer.W, x})"},
      {"special::log_softmax", "F::log_softmax(layer.W)"},
      {"special::logsumexp", "F::logsumexp(layer.W)"},
      {"special::softmax", "F::softmax(layer.W)"},
      {"split", "F::split_axis(layer.W, sections, axis)"},
      {"stack", "F::stack({layer.W, x}, axis)"},
      {"take", "layer.W(indices)"},
      {"tensordot", "F::tensordot(layer.W, x, axes)"},
      {"tile", "F::tile(layer.W, reps)"},
      {"trace", "F::sum(F::diagonal(layer.W))"},
      {"vsplit", "F::split_axis(layer.W, sections, 0)"},
      {"vstack", "F::vstack({layer.W, x})"},
      {"where", "F::where(mask, layer.W, x)"}};
  for (const auto& [known, other] : kOthers) {
    if (known == name) return other;
  }
  return "the function of chainerxx::functions, as F::square(layer.W)";
}

/// What has no gradient: truth values and integers are constants, as those of operators.
Variable constant_or_refusal(std::string_view name, const ndarray& value, const Variable& of) {
  if (!value.is_none()) {
    const Variable constant = value;
    return constant;
  }
  throw cupyxx::TypeError(
      cupyxx::message("Variable: cupyxx::", name, " of a layer's array, ", of.shape(),
                      ", which is an array without a gradient: write ", with_gradient(name),
                      ", or `ndarray a = ...` first for a constant"));
}

}  // namespace

ParameterTerm array_term(std::string_view name, const TermSide& x, ndarray value) {
  // What is refused is not held.
  const ndarray constant = value.dtype().is_inexact() ? ndarray() : value;
  return TermRecipe::of_method(std::move(value), x, [name, constant](const Variable& of) {
    return constant_or_refusal(name, constant, of);
  });
}

ParameterTerm term_of(const cupyxx::ufunc& f, const TermSide& x,
                      std::span<const NamedFunction> known) {
  ndarray value = f(TermRecipe::array(x));
  for (const NamedFunction& each : known) {
    if (each.name == f.name()) return TermRecipe::of_method(std::move(value), x, each.function);
  }
  return array_term(f.name(), x, std::move(value));
}

ParameterTerm term_of(const cupyxx::ufunc& f, const TermSide& x, const TermSide& y) {
  const std::string_view name = f.name();
  if (name == "add") return term(TermKind::sum, x, y);
  if (name == "subtract") return term(TermKind::difference, x, y);
  if (name == "multiply") return term(TermKind::product, x, y);
  if (name == "true_divide" || name == "divide") return term(TermKind::quotient, x, y);
  if (name == "power") return TermRecipe::power(f, x, y);
  ndarray value = TermRecipe::value(f, x, y);
  return array_term(name, TermRecipe::is_number(x) ? y : x, std::move(value));
}

ParameterTerm array_of(const cupyxx::ufunc& f, const TermSide& of, const cupyxx::Operand& x,
                       const cupyxx::Operand& y) {
  return array_term(f.name(), of, f(x, y));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param)
ParameterTerm cast(const TermSide& x, ndarray value, OfDtype* function) {
  const cupyxx::dtype type = value.dtype();
  return TermRecipe::of_method(value, x, [type, value, function](const Variable& of) -> Variable {
    if (type.is_floating()) return function(of, type);
    const Variable constant = value;
    return constant;
  });
}

ParameterTerm accumulated(const char* name, const TermSide& x, ndarray value,
                          const cupyxx::Axes& axis, bool is_plain, OfAxis* function) {
  if (!is_plain) return array_term(name, x, std::move(value));
  std::optional<int> of_axis;
  if (axis.list().ndim() != 0) of_axis = static_cast<int>(axis.list()[0]);
  return TermRecipe::of_method(std::move(value), x,
                               [=](const Variable& of) { return function(of, of_axis); });
}

ParameterTerm clipped(const TermSide& x, ndarray value, const cupyxx::Operand& min,
                      const cupyxx::Operand& max, OfBounds* function) {
  const auto is_bound = [](const cupyxx::Operand& bound) {
    return bound.is_none() || !bound.is_array();
  };
  if (!is_bound(min) || !is_bound(max)) return array_term("clip", x, std::move(value));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double low = min.is_none() ? -kInfinity : static_cast<double>(min.scalar());
  const double high = max.is_none() ? kInfinity : static_cast<double>(max.scalar());
  return TermRecipe::of_method(std::move(value), x,
                               [=](const Variable& of) { return function(of, low, high); });
}

ParameterTerm norm(const TermSide& x, OfAxes* sum, const NamedFunction& square,
                   const NamedFunction& sqrt) {
  ndarray value = cupyxx::sqrt(cupyxx::square(TermRecipe::array(x)).sum());
  const auto of_variable = [sum, root = sqrt.function,
                            squared = square.function](const Variable& of) {
    // Of the root of 0 the gradient is 0.
    const Variable squares = sum(squared(of), {}, false);
    const ndarray is_zero = cupyxx::equal(squares.data(), 0).astype(of.dtype());
    const Variable one_of_zero = is_zero, others = 1 - is_zero;
    return functions::mul(root(functions::add(squares, one_of_zero)), others);
  };
  return TermRecipe::of_method(std::move(value), x, of_variable);
}

ParameterTerm reduced(const char* name, const TermSide& x, ndarray value, const cupyxx::Axes& axes,
                      bool keepdims, bool is_plain, OfAxes* function) {
  return TermRecipe::of_method(std::move(value), x, [=](const Variable& of) {
    if (is_plain) return function(of, axes, keepdims);
    throw cupyxx::TypeError(cupyxx::message("Variable: `", name, "` of a layer's array, ",
                                            of.shape(),
                                            ", with options that have no gradient; `F::", name,
                                            "(layer.W, ..)` knows axis and keepdims"));
  });
}

}  // namespace chainerxx::internal

namespace chainerxx {

ParameterTerm::ParameterTerm(const ParameterArray& parameter)
    : ParameterTerm(static_cast<const ndarray&>(parameter),
                    std::make_shared<const internal::TermRecipe>(
                        internal::TermKind::itself, internal::TermSide(parameter),
                        internal::TermSide(cupyxx::Scalar(0)))) {}

ParameterTerm::ParameterTerm(const internal::TermSide& side)
    : ParameterTerm(side.array_, side.recipe_) {}

ParameterTerm::ParameterTerm(ndarray value, std::shared_ptr<const internal::TermRecipe> recipe)
    : ParameterMethods(std::move(value)),
      recipe_(std::move(recipe)),
      version_(is_none() ? 0 : version()) {}

Variable ParameterTerm::variable() const {
  if (recipe_ == nullptr || version() != version_) internal::refuse_changed(shape());
  return recipe_->variable();
}

}  // namespace chainerxx
