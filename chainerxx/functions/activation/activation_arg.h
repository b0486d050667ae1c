// SPDX-License-Identifier: MIT
// Activations as arguments of layers.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {

namespace internal {
/// A function of a variable whose default for the other argument a pointer does not tell.
template <class C>
concept PointerWithDefault = std::same_as < std::decay_t<C>,
        Variable(*)
(const Variable&, bool) > || std::same_as<std::decay_t<C>, Variable (*)(const Variable&, double)>;
}  // namespace internal

/// What a layer does between its products: `F::tanh`, `F::ReLU()`, or anything else that makes a
/// variable of a variable. The default, and None, leaves it to the layer.
class CUPYXX_API ActivationArg {
 public:
  ActivationArg() = default;
  template <internal::NoneLike N>
  ActivationArg(N) {}  // NOLINT(google-explicit-constructor)
  template <class Call>
  requires(!std::same_as<Call, ActivationArg> && !internal::NoneLike<Call> &&
           !internal::PointerWithDefault<Call> &&
           std::is_invocable_r_v<Variable, const Call&, const Variable&>)
      ActivationArg(Call call)  // NOLINT(google-explicit-constructor)
      : call_([call = std::move(call)](const Variable& x) { return Variable(call(x)); }) {}
  /// `F::relu`, `F::sigmoid`, `F::tanh`, `F::softmax`, `F::log_softmax` and `F::gelu`, with their
  /// defaults. Throws TypeError for another function with a switch behind the variable, whose
  /// default is not known here: that stands in a lambda.
  ActivationArg(Variable (*function)(const Variable& x, bool));  // NOLINT
  /// `F::leaky_relu`, `F::elu`, `F::clipped_relu`, `F::softplus` and `F::swish` likewise.
  ActivationArg(Variable (*function)(const Variable& x, double));  // NOLINT

  bool is_none() const { return !call_; }
  /// Throws std::bad_function_call for None.
  Variable operator()(const Variable& x) const { return call_(x); }

 private:
  std::function<Variable(const Variable&)> call_;
};

}  // namespace chainerxx
