// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Options of Scale.
struct ScaleOptions {
  bool nobias = true;
  initializers::Initial initialW = {};  ///< an array is taken as it is; ones by default
  initializers::Initial initial_bias = {};
  cupyxx::dtype dtype = cupyxx::float32;
};

/// x W + b, where the axes of W and b are those of x from `axis` on. Beside float16 and bfloat16 W
/// and b may be float32, and so are their gradients then.
class CUPYXX_API Scale final : public FunctionOf<Scale> {
 public:
  template <cupyxx::internal::ShapeArgument S = cupyxx::Shape>
  explicit Scale(const S& shape, int axis = 1, const ScaleOptions& options = {}) : axis_(axis) {
    initialize(shape, options);
  }

  ParameterArray W{&gW};
  ndarray gW;
  ParameterArray b{&gb};
  ndarray gb;  // null without bias

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;

 private:
  void initialize(const cupyxx::Shape& shape, const ScaleOptions& options);

  int axis_;
  internal::SavedArray saved_W_;
};

/// x y, where the axes of y are those of x from `axis` on.
CUPYXX_API Variable scale(const Variable& x, const Variable& y, int axis = 1);
template <std::same_as<AxisOptions> O = AxisOptions>
Variable scale(const Variable& x, const Variable& y, O options) {
  return scale(x, y, options.axis.value_or(1));
}

}  // namespace chainerxx::functions
