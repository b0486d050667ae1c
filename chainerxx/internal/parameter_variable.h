// SPDX-License-Identifier: MIT
// Parameters that a function owns, as variables: for gradients that depend on them.
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/wanted_parameters.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {

/// Adds a gradient to that of a parameter; where the walk leaves those alone, hands it in for
/// grad(), if that wants it.
inline void add_gradient(ndarray& gradient, const Variable& g) {
  if (g.is_none() || gradient.is_none()) return;
  if (adds_to_parameters()) {
    gradient += g.data();
  } else if (WantedParameters* const wanted = WantedParameters::current()) {
    wanted->add(gradient, g);
  }
}

class ParameterVariable final : public FunctionOf<ParameterVariable> {
 public:
  ParameterVariable(const ndarray& value, const ndarray& gradient)
      : value_(value), gradient_(gradient) {}
  std::string label() const override { return "parameter"; }
  std::vector<ndarray> forward(ArraySpan) override { return {value_}; }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    gradient_ += gy[0];
    return {};
  }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    add_gradient(gradient_, gy[0]);
    return {};
  }
  std::vector<Field> fields() override { return {{"value", &value_, &gradient_}}; }

 private:
  ndarray value_, gradient_;
};

/// A variable of the parameter's elements; what backward brings there is added to `gradient`.
inline Variable parameter(const ndarray& value, const ndarray& gradient) {
  return ParameterVariable(value, gradient)();
}

/// Whether the inputs that are recorded were made of such variables and of constants alone, by
/// functions without parameters: these follow the volatility of the variables beside them.
bool made_of_parameters(VariableSpan inputs);

}  // namespace chainerxx::internal
