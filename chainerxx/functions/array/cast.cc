// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/cast.h"

#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void Cast::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  if (!in.types()[0].dtype().is_floating()) typecheck::expect(in[0].dtype().kind() == 'f');
}

std::vector<ndarray> Cast::forward(ArraySpan x) {
  retain_inputs({});
  from_ = x[0].dtype();
  return {x[0].astype(to_)};
}

std::vector<ndarray> Cast::backward(ArraySpan, ArraySpan gy) { return {gy[0].astype(from_)}; }

std::vector<Variable> Cast::backward_variables(VariableSpan, VariableSpan gy) {
  return {cast(gy[0], from_)};
}

Variable cast(const Variable& x, cupyxx::dtype to) {
  if (!to.is_floating()) {
    throw cupyxx::DtypeError(cupyxx::message("cast: gradients need a floating dtype; ", to.name()));
  }
  return !x.is_none() && x.dtype() == to ? x : Cast(to)(x);
}

}  // namespace chainerxx::functions
