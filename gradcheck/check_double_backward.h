// SPDX-License-Identifier: MIT
// Compares gradients of gradients with finite differences of gradients.
//
//   gradcheck::check_double_backward([](const Variable& v) { return F::tanh(v); }, {x}, gy, ggx);
#pragma once

#include <utility>
#include <vector>

#include "gradcheck/check_backward.h"

namespace gradcheck {

/// A differentiable variable whose gradients are variables: `grad` as chainerxx::grad, found beside
/// the type of variable.
template <class V>
concept TwiceDifferentiable = Differentiable<V> && requires(const std::vector<V>& v) {
  {
    grad(v, v, {.grad_outputs = v, .enable_double_backprop = true})
    } -> std::same_as<std::vector<V>>;
};

/// Options of check_double_backward; see CheckBackwardOptions.
struct CheckDoubleBackwardOptions {
  double eps = 1e-3;
  double atol = 1e-4;
  double rtol = 1e-3;
  bool float64 = false;
  /// Inputs (by number) whose gradient is not differentiated, and which get no gradient of their
  /// own. Inputs that are not floating are none anyway.
  std::vector<int> no_grad = {};
};

namespace internal {

/// Numbers of the inputs that take part.
CUPYXX_API std::vector<std::size_t> differentiated_inputs(const ArrayList& inputs,
                                                          const std::vector<int>& no_grad);
/// Throws ValueError unless there is a gradient for each.
CUPYXX_API void check_gradient_lists(std::size_t outputs, std::size_t grad_outputs,
                                     std::size_t differentiated, std::size_t grad_grads);

}  // namespace internal

/// Throws Mismatch unless the gradients of the gradients of `f` agree with finite differences: the
/// gradients by the inputs, as a function of the inputs and of `grad_outputs`, must have the
/// gradients by both that differences give, for the weights `grad_grad_inputs` (one for each input
/// that takes part). `f` and the inputs are as for check_backward; no parameters inside of it.
template <class F>
requires TwiceDifferentiable<typename internal::Signature<std::remove_cvref_t<F>>::Variable>
void check_double_backward(F&& f, const ArrayList& inputs, const ArrayList& grad_outputs,
                           const ArrayList& grad_grad_inputs,
                           const CheckDoubleBackwardOptions& options = {}) {
  using V = typename internal::Signature<std::remove_cvref_t<F>>::Variable;
  using Its = internal::Signature<std::remove_cvref_t<F>>;
  const std::vector<std::size_t> chosen = internal::differentiated_inputs(inputs, options.no_grad);
  const std::size_t count = inputs.size();
  const auto gradients = [&](const std::vector<V>& all) {
    const std::vector<V> xs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<V> gys(all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
    std::vector<V> ys, at;
    const auto keep = [&](const auto& result) {
      internal::for_each_result<V>(result, [&](const V& y) { ys.push_back(y); });
    };
    if constexpr (Its::kTakesRange) {
      keep(f(xs));
    } else {
      if (xs.size() != Its::kArity) internal::throw_arity(xs.size());
      [&]<std::size_t... I>(std::index_sequence<I...>) { keep(f(static_cast<const V&>(xs[I])...)); }
      (std::make_index_sequence<Its::kArity>());
    }
    internal::check_gradient_lists(ys.size(), gys.size(), chosen.size(), grad_grad_inputs.size());
    for (const std::size_t i : chosen) at.push_back(xs[i]);
    return grad(ys, at, {.grad_outputs = gys, .enable_double_backprop = true});
  };
  std::vector<cupyxx::ndarray> points = inputs.arrays();
  points.insert(points.end(), grad_outputs.begin(), grad_outputs.end());
  check_backward(gradients, points, grad_grad_inputs,
                 {.eps = options.eps,
                  .atol = options.atol,
                  .rtol = options.rtol,
                  .float64 = options.float64,
                  .no_grad = options.no_grad});
}

}  // namespace gradcheck
