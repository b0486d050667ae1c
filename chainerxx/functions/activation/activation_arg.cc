// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/activation_arg.h"

#include <cstddef>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "cupyxx/error.h"

namespace chainerxx {
namespace {

/// The function with the default of its second argument.
template <class T, std::size_t kCount>
auto with_default(Variable (*function)(const Variable& x, T), const char* type,
                  const std::pair<Variable (*)(const Variable&, T), T> (&defaults)[kCount]) {
  for (const auto& [known, value] : defaults) {
    if (function != known) continue;
    return [function, value = value](const Variable& x) { return function(x, value); };
  }
  throw cupyxx::TypeError(cupyxx::message(
      "activation: a function of a variable and a ", type,
      " is none where its default is not known; write [](const Variable& x) { return f(x); }"));
}

}  // namespace

ActivationArg::ActivationArg(Variable (*function)(const Variable& x, bool))
    : call_(with_default<bool>(function, "bool",
                               {{functions::relu, true},
                                {functions::sigmoid, true},
                                {functions::tanh, true},
                                {functions::softmax, true},
                                {functions::log_softmax, true},
                                {functions::gelu, false}})) {}
ActivationArg::ActivationArg(Variable (*function)(const Variable& x, double))
    : call_(with_default<double>(function, "double",
                                 {{functions::leaky_relu, 0.2},
                                  {functions::elu, 1},
                                  {functions::clipped_relu, 20},
                                  {functions::softplus, 1},
                                  {functions::swish, 1}})) {}

}  // namespace chainerxx
