// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Parametric rectifier (He et al., 2015): x, or W x for negative x. W has the shape of the axes of
/// x behind the first, as many of them as are given: one slope per channel for a vector. Beside
/// float16 and bfloat16 W may be float32, and so is its gradient then.
class CUPYXX_API PReLU final : public FunctionOf<PReLU> {
 public:
  template <cupyxx::internal::ShapeArgument S = cupyxx::Shape>
  explicit PReLU(const S& shape = {}, double init = 0.25, cupyxx::dtype dtype = cupyxx::float32) {
    initialize(shape, init, dtype);
  }

  ParameterArray W{&gW};
  ndarray gW;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;

 private:
  void initialize(const cupyxx::Shape& shape, double init, cupyxx::dtype dtype);

  internal::SavedArray saved_W_;
};

/// The same with W as a variable.
class CUPYXX_API PReLUFunction final : public FunctionOf<PReLUFunction> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
};

/// Parametric rectifier: x where it is positive, else W x; W as of PReLU.
CUPYXX_API Variable prelu(const Variable& x, const Variable& W);

}  // namespace chainerxx::functions
