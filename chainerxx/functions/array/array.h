// SPDX-License-Identifier: MIT
// Functions that rearrange arrays.
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Options of concat.
struct ConcatOptions {
  int axis = 1;
};

/// The same elements in another shape.
class CUPYXX_API Reshape final : public FunctionOf<Reshape> {
 public:
  template <cupyxx::internal::ShapeArgument S = cupyxx::Shape>
  explicit Reshape(const S& shape) : shape_(shape) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Shape shape_;
};

/// Joins its inputs along an axis.
class CUPYXX_API Concat final : public FunctionOf<Concat> {
 public:
  explicit Concat(int axis = 1) : axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan xs) override;
  std::vector<ndarray> backward(ArraySpan xs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan xs, VariableSpan gy) override;

 private:
  /// Where the inputs end in the result, but for the last one.
  std::vector<std::int64_t> ends(std::size_t inputs, int ndim) const;

  int axis_;
};

/// Gives its inputs back.
class CUPYXX_API Identity final : public FunctionOf<Identity, 0> {
 public:
  std::vector<ndarray> forward(ArraySpan xs) override;
  std::vector<ndarray> backward(ArraySpan xs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan xs, VariableSpan gy) override;
};

/// The same elements in another shape; one extent may be -1.
CUPYXX_API Variable reshape(const Variable& x, const cupyxx::Shape& shape);
/// Joins variables along an axis; the other extents agree.
CUPYXX_API Variable concat(const std::vector<Variable>& xs, int axis = 1);
CUPYXX_API Variable concat(const std::vector<Variable>& xs, const ConcatOptions& options);
/// Of variables one by one, along axis 1: `concat(h, c)`.
template <std::same_as<Variable>... More>
requires(sizeof...(More) > 0) Variable concat(const Variable& x, const More&... more) {
  return concat(std::vector<Variable>{x, more...});
}
/// Of arrays, as constants: labels, say.
template <std::same_as<ndarray> A>
Variable concat(const std::vector<A>& xs, int axis = 1) {
  return concat(chainerxx::internal::constants(xs), axis);
}
/// A variable of the same data.
CUPYXX_API Variable identity(const Variable& x);
CUPYXX_API std::vector<Variable> identity(const std::vector<Variable>& xs);
template <internal::AsVariable... X>
requires(sizeof...(X) > 1) VariableArray<sizeof...(X)> identity(const X&... xs) {
  VariableArray<sizeof...(X)> all{xs...};
  for (Variable& each : all) each = identity(each);
  return all;
}

}  // namespace chainerxx::functions
