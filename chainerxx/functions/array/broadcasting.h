// SPDX-License-Identifier: MIT
// Broadcasting to a shape and its reverse, which arithmetic uses.
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Brings its input to a shape.
class CUPYXX_API BroadcastTo final : public FunctionOf<BroadcastTo> {
 public:
  template <cupyxx::internal::ShapeArgument S = cupyxx::Shape>
  explicit BroadcastTo(const S& shape) : shape_(shape) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Shape shape_;
};

/// The sum over the axes along which a shape is broadcast; the reverse of BroadcastTo.
class CUPYXX_API SumTo final : public FunctionOf<SumTo> {
 public:
  template <cupyxx::internal::ShapeArgument S = cupyxx::Shape>
  explicit SumTo(const S& shape) : shape_(shape) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Shape shape_;
};

/// x in a shape to which it broadcasts.
CUPYXX_API Variable broadcast_to(const Variable& x, const cupyxx::Shape& shape);
/// The sum over the axes along which an array of `shape` broadcasts to x.
CUPYXX_API Variable sum_to(const Variable& x, const cupyxx::Shape& shape);

}  // namespace chainerxx::functions
