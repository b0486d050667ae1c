// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// An array that is trained by itself: applied to nothing, it gives a variable of it.
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

  /// `volatile_flag` as of Variable.
  Variable operator()(bool volatile_flag = false) const;
  /// Where a variable is expected it is its own: `x * p`, `F::matmul(x, p)`.
  operator Variable() const { return (*this)(); }  // NOLINT(google-explicit-constructor)
  /// Throws InvalidType unless there are no inputs.
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;

  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  std::vector<Field> fields() override;
};

}  // namespace chainerxx::functions

namespace chainerxx {
/// As chainer.Parameter: `Parameter& W = add("W", Parameter(initializers::Normal(), {3, 4}))`.
using functions::Parameter;
}  // namespace chainerxx
