// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of gumbel_softmax.
struct GumbelSoftmaxOptions {
  double tau = 0.1;
  int axis = 1;
};

/// Nearly one-hot samples of the distributions whose log probabilities lie along an axis, with
/// gradients by them: softmax((log_pi + g) / tau) of Gumbel noise g (Jang et al., 2016). The
/// smaller tau, the nearer. Throws ValueError unless tau is positive.
CUPYXX_API Variable gumbel_softmax(const Variable& log_pi, double tau = 0.1, int axis = 1);
template <std::same_as<GumbelSoftmaxOptions> O = GumbelSoftmaxOptions>
Variable gumbel_softmax(const Variable& log_pi, O options) {
  return gumbel_softmax(log_pi, options.tau, options.axis);
}
/// Not with PyTorch's `hard`.
template <class B>
requires std::same_as<B, bool> Variable gumbel_softmax(const Variable&, double, B) {
  static_assert(chainerxx::internal::kNever<B>,
                "the third argument is the axis, samples are soft: for hard ones with the gradient "
                "of soft ones write y + (hard - y.data()), where hard is the one-hot array of "
                "y.data().argmax(axis)");
  return {};
}

}  // namespace chainerxx::functions
