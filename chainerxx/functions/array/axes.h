// SPDX-License-Identifier: MIT
// Functions that rearrange the axes of an array. Results are views of the arguments.
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Options of transpose.
struct TransposeOptions {
  cupyxx::Shape axes;
};
/// The axis of expand_dims and split_axis, by name.
struct OneAxis {
  int axis;
};

/// Options of squeeze.
struct SqueezeOptions {
  AxesArg axis = {};
};

/// Permutes the axes, or reverses them.
class CUPYXX_API Transpose final : public FunctionOf<Transpose> {
 public:
  Transpose() = default;
  template <cupyxx::internal::ShapeArgument S = cupyxx::Shape>
  explicit Transpose(const S& axes) : is_given_(true), axes_(axes) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Shape inverse() const;

  bool is_given_ = false;
  cupyxx::Shape axes_;
};

/// Exchanges two axes.
class CUPYXX_API Swapaxes final : public FunctionOf<Swapaxes> {
 public:
  Swapaxes(int axis1, int axis2) : axis1_(axis1), axis2_(axis2) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  int axis1_, axis2_;
};

/// Inserts an axis of extent 1.
class CUPYXX_API ExpandDims final : public FunctionOf<ExpandDims> {
 public:
  explicit ExpandDims(int axis) : axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  int axis_;
};

/// Drops axes of extent 1.
class CUPYXX_API Squeeze final : public FunctionOf<Squeeze> {
 public:
  explicit Squeeze(const AxesArg& axes = {}) : axes_(axes) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Axes axes_;
};

/// The axes in reverse order.
CUPYXX_API Variable transpose(const Variable& x);
/// Axis i of the result is axis `axes[i]` of x.
CUPYXX_API Variable transpose(const Variable& x, const cupyxx::Shape& axes);
template <std::same_as<TransposeOptions> O = TransposeOptions>
Variable transpose(const Variable& x, O options) {
  return transpose(x, options.axes);
}
/// Exchanges two axes.
CUPYXX_API Variable swapaxes(const Variable& x, int axis1, int axis2);
/// Inserts an axis of extent 1 before `axis`, counted in the result.
CUPYXX_API Variable expand_dims(const Variable& x, int axis);
template <std::same_as<OneAxis> O = OneAxis>
Variable expand_dims(const Variable& x, O options) {
  return expand_dims(x, options.axis);
}
/// Drops all axes of extent 1, or the given ones; throws ValueError for another extent.
CUPYXX_API Variable squeeze(const Variable& x, const AxesArg& axis = {});
template <std::same_as<SqueezeOptions> O = SqueezeOptions>
Variable squeeze(const Variable& x, O options) {
  return squeeze(x, options.axis);
}
/// All elements in one axis.
CUPYXX_API Variable flatten(const Variable& x);

}  // namespace chainerxx::functions
