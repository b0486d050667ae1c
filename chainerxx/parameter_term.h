// SPDX-License-Identifier: MIT
// Arithmetic of layers' arrays: `layer.W * layer.W`.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "chainerxx/method_functions.h"
#include "chainerxx/parameter_array.h"
#include "chainerxx/parameter_part.h"
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
  template <class Base>
  explicit TermSide(const ParameterPart<Base>& part)
      : TermSide(cupyxx::ndarray(part), part.place_, &functions::get_item) {}
  explicit TermSide(const cupyxx::ndarray& array) : role_(Role::array), array_(array) {}
  explicit TermSide(const cupyxx::Scalar& number) : role_(Role::number), number_(number) {}

 private:
  friend struct TermRecipe;
  friend class chainerxx::ParameterTerm;
  using GetItem = Variable(const Variable&, const IndexArg&);
  TermSide(cupyxx::ndarray part, const PartPlace& place, GetItem* function);
  enum class Role : std::uint8_t { number, array, parameter, copy, term };
  Variable variable() const;

  Role role_;
  cupyxx::ndarray array_, gradient_;
  std::uint64_t version_ = 0;  // of a parameter's elements
  cupyxx::Scalar number_;
  std::shared_ptr<const TermRecipe> recipe_;  // null for a term whose elements are other ones now
};

template <class T>
inline constexpr bool kParameterPart = false;
template <class Base>
inline constexpr bool kParameterPart<ParameterPart<Base>> = true;
template <class T>
concept ParameterLike =
    std::same_as<T, ParameterArray> || std::same_as<T, ParameterTerm> || kParameterPart<T>;
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

// Methods, and the functions that are theirs of variables. `axes` is null for transpose's default.
using OfAxes = Variable(const Variable&, const AxesArg&, bool);
using OfShape = Variable(const Variable&, const cupyxx::Shape&);
CUPYXX_API ParameterTerm transpose(const TermSide& x, const cupyxx::Shape* axes, OfShape* function);
CUPYXX_API ParameterTerm reshape(const TermSide& x, cupyxx::ndarray value, OfShape* function);
using OfDtype = Variable(const Variable&, cupyxx::dtype);
CUPYXX_API ParameterTerm cast(const TermSide& x, cupyxx::ndarray value, OfDtype* function);
CUPYXX_API ParameterTerm reduced(const char* name, const TermSide& x, cupyxx::ndarray value,
                                 const cupyxx::Axes& axes, bool keepdims, bool is_plain,
                                 OfAxes* function);
using OfAxis = Variable(const Variable&, std::optional<int>);
CUPYXX_API ParameterTerm accumulated(const char* name, const TermSide& x, cupyxx::ndarray value,
                                     const cupyxx::Axes& axis, bool is_plain, OfAxis* function);
using OfBounds = Variable(const Variable&, double, double);
CUPYXX_API ParameterTerm clipped(const TermSide& x, cupyxx::ndarray value,
                                 const cupyxx::Operand& min, const cupyxx::Operand& max,
                                 OfBounds* function);
/// A function of x that has no gradient as a variable.
CUPYXX_API ParameterTerm array_term(std::string_view name, const TermSide& x,
                                    cupyxx::ndarray value);
/// Whether a variable knows these options, which are axis and keepdims.
template <class Options>
bool is_plain(const Options& options) {
  bool plain = options.out.is_none() && options.where.is_none();
  if constexpr (requires { options.dtype; }) plain &= options.dtype == cupyxx::dtype();
  if constexpr (requires { options.initial; }) plain &= !options.initial.has_value();
  if constexpr (requires { options.ddof; }) plain &= options.ddof == 0;
  return plain;
}
}  // namespace internal

/// What `+`, `-`, `*` and `/` make of layers' arrays: an array as of other arrays, and where a
/// variable is expected the same arithmetic of the parameters, with gradients:
///
///   ndarray step = 0.1 * layer.W;
///   loss += 0.0005 * (layer.W * layer.W).sum();             // adds to layer.gW in backward()
///
/// So are methods that a variable has, too (`T`, `reshape`, `sum`, `max` and their kin), parts,
/// `layer.W(0)`, rows, and cupyxx's functions in parameter_functions.h. All others that give arrays
/// (`dot`, `split`, `linalg::solve`, `concatenate({layer.W, x})`; parameter_calls.h) are arrays,
/// and a TypeError that says what to write where a variable is expected. Constants are results that
/// are places, counts or truth values, `copy` and what makes new arrays (`array`, `zeros_like`,
/// samples), lists that become one array on the way, `mean({layer.W, x}, 0)`, what stands beside a
/// list of numbers in a list or a ufunc, `concatenate({layer.b, {1, 2}})`, `add(layer.b, {1, 2})`,
/// choices of `select` and `choose`, and options, `{.weights = layer.b}`. As a variable it throws
/// ValueError where the array or a parameter have been changed since, and as ParameterArray does.
class CUPYXX_API ParameterTerm : public internal::ParameterMethods<ParameterTerm> {
 public:
  /// The parameter itself: `is_scaled ? layer.W * 2 : layer.W`.
  ParameterTerm(const ParameterArray& parameter);  // NOLINT(google-explicit-constructor)
  /// A part of one.
  template <class Base>
  ParameterTerm(const ParameterPart<Base>& part)  // NOLINT(google-explicit-constructor)
      : ParameterTerm(internal::TermSide(part)) {}
  using ndarray::operator=;
  ParameterTerm(const ParameterTerm&) = default;
  ParameterTerm(ParameterTerm&&) noexcept = default;
  ~ParameterTerm() = default;
  ParameterTerm& operator=(const ParameterTerm&) & = default;
  ParameterTerm& operator=(ParameterTerm&&) & noexcept = default;
  /// Another array is none of parameters: as a variable it throws then.
  ParameterTerm& operator=(const ndarray& other) & noexcept {
    ndarray::operator=(other);
    recipe_.reset();
    return *this;
  }
  ParameterTerm& operator=(ndarray&& other) & noexcept {
    ndarray::operator=(std::move(other));
    recipe_.reset();
    return *this;
  }
  template <internal::ParameterLike P>
  requires(!std::same_as<P, ParameterTerm>) ParameterTerm& operator=(const P& parameter) & {
    return *this = ParameterTerm(parameter);
  }

 private:
  friend class Variable;
  friend class internal::TermSide;
  friend ParameterTerm internal::term(internal::TermKind kind, const internal::TermSide& x,
                                      const internal::TermSide& y);
  friend struct internal::TermRecipe;
  explicit ParameterTerm(const internal::TermSide& side);
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

template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::T() const {
  return transpose();
}
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::transpose() const {
  return internal::transpose(TermSide(static_cast<const Self&>(*this)), nullptr,
                             &functions::transpose);
}
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::transpose(const cupyxx::Shape& axes) const {
  return internal::transpose(TermSide(static_cast<const Self&>(*this)), &axes,
                             &functions::transpose);
}
template <class Self, class Base>
template <cupyxx::internal::AxisNumber I, cupyxx::internal::AxisNumber... More>
requires(sizeof...(More) > 0) ParameterTerm ParameterMethods<Self, Base>::transpose(I first,
                                                                                    More... more)
const { return transpose(cupyxx::Shape(first, more...)); }
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::swapaxes(cupyxx::internal::Int axis1,
                                                     cupyxx::internal::Int axis2) const {
  const int ndim = this->ndim();
  cupyxx::Shape order;
  for (int i = 0; i < ndim; ++i) order.push_back(i);
  std::swap(order[cupyxx::normalize_axis("swapaxes", axis1, ndim)],
            order[cupyxx::normalize_axis("swapaxes", axis2, ndim)]);
  return transpose(order);
}
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::reshape(const cupyxx::Shape& shape) const {
  return internal::reshape(TermSide(static_cast<const Self&>(*this)), ndarray::reshape(shape),
                           &functions::reshape);
}
template <class Self, class Base>
template <cupyxx::internal::OneExtent I, cupyxx::internal::OneExtent... More>
requires(sizeof...(More) > 0) ParameterTerm ParameterMethods<Self, Base>::reshape(I first,
                                                                                  More... more)
const {
  return reshape(cupyxx::Shape{cupyxx::internal::Int64(first), cupyxx::internal::Int64(more)...});
}
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::flatten() const {
  return internal::reshape(TermSide(static_cast<const Self&>(*this)), ndarray::flatten(),
                           &functions::reshape);
}
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::ravel() const {
  return internal::reshape(TermSide(static_cast<const Self&>(*this)), ndarray::ravel(),
                           &functions::reshape);
}
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::squeeze(const cupyxx::Axes& axes) const {
  return internal::reshape(TermSide(static_cast<const Self&>(*this)), ndarray::squeeze(axes),
                           &functions::reshape);
}

template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::astype(cupyxx::dtype dtype, bool copy) const {
  return internal::cast(TermSide(static_cast<const Self&>(*this)), ndarray::astype(dtype, copy),
                        &functions::cast);
}

template <class Self, class Base>
template <class T>
ParameterTerm ParameterMethods<Self, Base>::astype(bool copy) const {
  return astype(cupyxx::dtype_of<T>(), copy);
}

#define CHAINERXX_PARAMETER_REDUCTION(name, Options)                                           \
  template <class Self, class Base>                                                            \
  ParameterTerm ParameterMethods<Self, Base>::name(const cupyxx::Axes& axes) const {           \
    return internal::reduced(#name, TermSide(static_cast<const Self&>(*this)),                 \
                             ndarray::name(axes), axes, false, true, &functions::name);        \
  }                                                                                            \
  template <class Self, class Base>                                                            \
  template <std::same_as<cupyxx::Options> O>                                                   \
  ParameterTerm ParameterMethods<Self, Base>::name(const cupyxx::Axes& axes, const O& options) \
      const {                                                                                  \
    return internal::reduced(#name, TermSide(static_cast<const Self&>(*this)),                 \
                             ndarray::name(axes, options), axes, options.keepdims,             \
                             internal::is_plain(options), &functions::name);                   \
  }                                                                                            \
  template <class Self, class Base>                                                            \
  template <std::same_as<cupyxx::Options> O>                                                   \
  ParameterTerm ParameterMethods<Self, Base>::name(O options) const {                          \
    cupyxx::Axes named = options.axis;                                                         \
    return internal::reduced(#name, TermSide(static_cast<const Self&>(*this)),                 \
                             ndarray::name(options), cupyxx::internal::take_axis(named),       \
                             options.keepdims, internal::is_plain(options), &functions::name); \
  }
CHAINERXX_EACH_PARAMETER_REDUCTION(CHAINERXX_PARAMETER_REDUCTION)
#undef CHAINERXX_PARAMETER_REDUCTION

template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::clip(const cupyxx::Operand& min) const {
  return internal::clipped(TermSide(self()), ndarray::clip(min), min, {}, &functions::clip);
}
template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::clip(const cupyxx::Operand& min,
                                                 const cupyxx::Operand& max) const {
  return internal::clipped(TermSide(self()), ndarray::clip(min, max), min, max, &functions::clip);
}
template <class Self, class Base>
template <std::same_as<cupyxx::ClipOptions> O>
ParameterTerm ParameterMethods<Self, Base>::clip(const O& options) const {
  ndarray value = ndarray::clip(options);
  if (!options.out.is_none()) return internal::array_term("clip", TermSide(self()), value);
  return internal::clipped(TermSide(self()), std::move(value),
                           options.min ? cupyxx::Operand(*options.min) : cupyxx::Operand(),
                           options.max ? cupyxx::Operand(*options.max) : cupyxx::Operand(),
                           &functions::clip);
}

#define CHAINERXX_PARAMETER_SUMS(name)                                                            \
  template <class Self, class Base>                                                               \
  ParameterTerm ParameterMethods<Self, Base>::name(const cupyxx::Axes& axis) const {              \
    return internal::accumulated(#name, TermSide(self()), ndarray::name(axis), axis, true,        \
                                 &functions::name);                                               \
  }                                                                                               \
  template <class Self, class Base>                                                               \
  template <std::same_as<cupyxx::CumsumOptions> O>                                                \
  ParameterTerm ParameterMethods<Self, Base>::name(O options) const {                             \
    cupyxx::Axes named = options.axis;                                                            \
    const bool is_plain = options.out.is_none() && options.dtype == cupyxx::dtype();              \
    return internal::accumulated(#name, TermSide(self()), ndarray::name(options),                 \
                                 cupyxx::internal::take_axis(named), is_plain, &functions::name); \
  }
CHAINERXX_PARAMETER_SUMS(cumsum)
CHAINERXX_PARAMETER_SUMS(cumprod)
#undef CHAINERXX_PARAMETER_SUMS

template <class Self, class Base>
ParameterTerm ParameterMethods<Self, Base>::mT() const {
  return swapaxes(-1, -2);
}

template <class Self>
ParameterTerm array_of(const char* name, const Self& self, cupyxx::ndarray value) {
  return array_term(name, TermSide(self), std::move(value));
}
#define CHAINERXX_ARRAY_METHOD(name, parameters, arguments)                        \
  template <class Self, class Base>                                                \
  ParameterTerm ParameterMethods<Self, Base>::name parameters const {              \
    return internal::array_term(#name, TermSide(self()), ndarray::name arguments); \
  }
#define CHAINERXX_WITH(...) (__VA_ARGS__)
CHAINERXX_ARRAY_METHOD(compress, CHAINERXX_WITH(const ndarray& condition, const cupyxx::Axes& axis),
                       CHAINERXX_WITH(condition, axis))
CHAINERXX_ARRAY_METHOD(compress,
                       CHAINERXX_WITH(const cupyxx::ArrayLike& condition, const cupyxx::Axes& axis),
                       CHAINERXX_WITH(condition, axis))
CHAINERXX_ARRAY_METHOD(diagonal,
                       CHAINERXX_WITH(cupyxx::internal::Int offset, cupyxx::internal::Int axis1,
                                      cupyxx::internal::Int axis2),
                       CHAINERXX_WITH(offset, axis1, axis2))
CHAINERXX_ARRAY_METHOD(dot, CHAINERXX_WITH(const ndarray& other), CHAINERXX_WITH(other))
CHAINERXX_ARRAY_METHOD(dot, CHAINERXX_WITH(const cupyxx::ArrayLike& other), CHAINERXX_WITH(other))
CHAINERXX_ARRAY_METHOD(ptp, CHAINERXX_WITH(const cupyxx::Axes& axes), CHAINERXX_WITH(axes))
CHAINERXX_ARRAY_METHOD(repeat,
                       CHAINERXX_WITH(cupyxx::internal::Int64 repeats, const cupyxx::Axes& axis),
                       CHAINERXX_WITH(repeats, axis))
CHAINERXX_ARRAY_METHOD(repeat, CHAINERXX_WITH(const ndarray& repeats, const cupyxx::Axes& axis),
                       CHAINERXX_WITH(repeats, axis))
CHAINERXX_ARRAY_METHOD(repeat,
                       CHAINERXX_WITH(std::initializer_list<std::int64_t> repeats,
                                      const cupyxx::Axes& axis),
                       CHAINERXX_WITH(repeats, axis))
CHAINERXX_ARRAY_METHOD(round, CHAINERXX_WITH(cupyxx::internal::Int decimals),
                       CHAINERXX_WITH(decimals))
CHAINERXX_ARRAY_METHOD(take, CHAINERXX_WITH(const ndarray& indices), CHAINERXX_WITH(indices))
CHAINERXX_ARRAY_METHOD(take, CHAINERXX_WITH(const cupyxx::ArrayLike& indices),
                       CHAINERXX_WITH(indices))
CHAINERXX_ARRAY_METHOD(take, CHAINERXX_WITH(const ndarray& indices, cupyxx::internal::Int axis),
                       CHAINERXX_WITH(indices, axis))
CHAINERXX_ARRAY_METHOD(take,
                       CHAINERXX_WITH(const cupyxx::ArrayLike& indices, cupyxx::internal::Int axis),
                       CHAINERXX_WITH(indices, axis))
CHAINERXX_ARRAY_METHOD(trace,
                       CHAINERXX_WITH(cupyxx::internal::Int offset, cupyxx::internal::Int axis1,
                                      cupyxx::internal::Int axis2),
                       CHAINERXX_WITH(offset, axis1, axis2))
#undef CHAINERXX_ARRAY_METHOD
#undef CHAINERXX_WITH

}  // namespace internal
}  // namespace chainerxx
