// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// An array that is trained by itself: applied to nothing, it gives a variable of it.
class CUPYXX_API Parameter final : public FunctionOf<Parameter> {
 public:
  /// Takes the array as it is.
  explicit Parameter(const ndarray& array);

  ndarray W;
  ndarray gW;

  /// `volatile_flag` as of Variable.
  Variable operator()(bool volatile_flag = false) const;
  std::vector<ndarray> forward(std::span<const ndarray> in) override;
  std::vector<ndarray> backward(std::span<const ndarray> in, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> in,
                                           std::span<const Variable> gy) override;
  std::vector<Field> fields() override;
};

}  // namespace chainerxx::functions
