// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/set_parameter.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx {

namespace functions {
class Parameter;
}
namespace internal {
/// What stands beside a parameter in arithmetic: all that may stand beside a variable but
/// variables, which have operators for it.
template <class X>
concept BesideParameter =
    !std::derived_from<X, Variable> && requires(const Variable& v, const X& x) {
  v + x;
};
/// What is no variable and stands for one.
template <class P>
concept VariableOfItsOwn = std::same_as<P, functions::Parameter> || std::same_as<P, SetParameter>;
template <class X>
concept BeforeParameter = BesideParameter<X> && !VariableOfItsOwn<X>;
}  // namespace internal

namespace functions {

/// An array that is trained by itself: applied to nothing, it gives a variable of it. Arithmetic
/// with it, `2 * p` and `p * q`, is that of its variable.
class CUPYXX_API Parameter final : public FunctionOf<Parameter> {
 public:
  /// Takes the array as it is.
  explicit Parameter(const ndarray& array);
  /// Makes an array of a shape that starts as `initial` says, on the current device: see
  /// initializers::generate_array, and for its errors. A given array is copied.
  Parameter(const initializers::Initial& initial, const cupyxx::Shape& shape,
            cupyxx::dtype dtype = cupyxx::float32);

  /// The parameter, of any shape.
  ParameterArray W{&gW};
  /// Its gradient: the shape and dtype of W; zeros until backward adds to it.
  ndarray gW;

  /// The elements, and the gradient beside them.
  const ndarray& data() const { return W; }
  const ndarray& array() const { return W; }
  const ndarray& grad() const { return gW; }
  cupyxx::Shape shape() const { return W.shape(); }
  cupyxx::dtype dtype() const { return W.dtype(); }
  int ndim() const { return W.ndim(); }
  std::int64_t size() const { return W.size(); }

  /// `volatile_flag` as of Variable.
  Variable operator()(bool volatile_flag = false) const;
  /// A part of it, as of a variable: `p(0)`, `p(slice(0, 2))`, `p(ids)`.
  template <class... I>
  requires(sizeof...(I) > 0 && std::invocable<const Variable&, const I&...>) Variable operator()(
      const I&... index) const {
    return (*this)()(index...);
  }
  /// Where a variable is expected it is its own: `x * p`, `F::matmul(x, p)`.
  operator Variable() const { return (*this)(); }  // NOLINT(google-explicit-constructor)
  template <class A>
  requires std::same_as<A, cupyxx::Operand>
  operator A() const {  // NOLINT(google-explicit-constructor)
    static_assert(internal::kNever<A>,
                  "a parameter is no array here: write F::square(p) and not cupyxx::square(p); its "
                  "array is p.data()");
  }
  /// Throws InvalidType unless there are no inputs.
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;

  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  std::vector<Field> fields() override;
};

}  // namespace functions

/// Arithmetic of parameters, also those of `model.params()`, and of a parameter and an array or a
/// number.
template <internal::VariableOfItsOwn P>
Variable operator-(const P& p) {
  return -Variable(p);
}
template <internal::VariableOfItsOwn P, internal::BesideParameter X>
Variable operator+(const P& p, const X& x) {
  return Variable(p) + x;
}
template <internal::BeforeParameter X, internal::VariableOfItsOwn P>
Variable operator+(const X& x, const P& p) {
  return x + Variable(p);
}
template <internal::VariableOfItsOwn P, internal::BesideParameter X>
Variable operator-(const P& p, const X& x) {
  return Variable(p) - x;
}
template <internal::BeforeParameter X, internal::VariableOfItsOwn P>
Variable operator-(const X& x, const P& p) {
  return x - Variable(p);
}
template <internal::VariableOfItsOwn P, internal::BesideParameter X>
Variable operator*(const P& p, const X& x) {
  return Variable(p) * x;
}
template <internal::BeforeParameter X, internal::VariableOfItsOwn P>
Variable operator*(const X& x, const P& p) {
  return x * Variable(p);
}
template <internal::VariableOfItsOwn P, internal::BesideParameter X>
Variable operator/(const P& p, const X& x) {
  return Variable(p) / x;
}
template <internal::BeforeParameter X, internal::VariableOfItsOwn P>
Variable operator/(const X& x, const P& p) {
  return x / Variable(p);
}

/// Not as PyTorch writes a step of training.
template <internal::VariableOfItsOwn P, class X>
void operator+=(const P&, const X&) {
  static_assert(internal::kNever<P, X>, "write p.data() += y, as p.data() -= 0.1 * p.grad()");
}
template <internal::VariableOfItsOwn P, class X>
void operator-=(const P&, const X&) {
  static_assert(internal::kNever<P, X>, "write p.data() -= y, as p.data() -= 0.1 * p.grad()");
}
template <internal::VariableOfItsOwn P, class X>
void operator*=(const P&, const X&) {
  static_assert(internal::kNever<P, X>, "write p.data() *= y");
}

/// As chainer.Parameter: `Parameter& W = add("W", Parameter(initializers::Normal(), {3, 4}))`.
using functions::Parameter;
}  // namespace chainerxx
