// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/parameter.h"

#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/parameter_variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

Parameter::Parameter(const ndarray& array) {
  if (array.is_none()) throw cupyxx::TypeError("Parameter: the array is None");
  W = array;
  internal::check_floating("Parameter", array.dtype());
  gW = cupyxx::zeros_like(array);
}

Parameter::Parameter(const initializers::Initial& initial, const cupyxx::Shape& shape,
                     cupyxx::dtype dtype) {
  if (internal::skips_initialization()) return;
  W = generate_array(initial, shape, dtype);
  gW = cupyxx::zeros_like(W);
}

std::vector<Field> Parameter::fields() { return {{"W", &W, &gW, true}}; }

Variable Parameter::operator()(bool volatile_flag) const {
  if (volatile_flag) return Variable(W, true);
  return FunctionOf::operator()();
}

void Parameter::check_type_forward(const typecheck::TypeInfos& in_types) const {
  typecheck::expect(in_types.size() == 0);
}

std::vector<ndarray> Parameter::forward(ArraySpan) { return {W}; }

std::vector<Variable> Parameter::backward_variables(VariableSpan, VariableSpan gy) {
  internal::add_gradient(gW, gy[0]);
  return {};
}

std::vector<ndarray> Parameter::backward(ArraySpan, ArraySpan gy) {
  gW += gy[0];
  return {};
}

}  // namespace chainerxx::functions
