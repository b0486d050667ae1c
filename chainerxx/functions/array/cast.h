// SPDX-License-Identifier: MIT
// Other dtypes.
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Its input in another floating dtype; the gradient comes back in the input's.
class CUPYXX_API Cast final : public FunctionOf<Cast> {
 public:
  explicit Cast(cupyxx::dtype to) : to_(to) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::dtype to_, from_;
};

/// x in a floating dtype; x itself where it has that dtype. Throws DtypeError for a dtype that is
/// not floating.
CUPYXX_API Variable cast(const Variable& x, cupyxx::dtype to);

}  // namespace chainerxx::functions
