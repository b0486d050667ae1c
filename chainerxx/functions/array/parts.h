// SPDX-License-Identifier: MIT
// Functions that take arrays apart, put them together, or choose elements.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/scalar.h"

namespace chainerxx {

namespace internal {
/// Throws ValueError for other than `wanted` variables.
CUPYXX_API void check_unpacked(std::size_t wanted, std::size_t given);
}  // namespace internal

/// Python's unpacking of a list of variables, as cupyxx::unpack of arrays:
/// `auto [mean, ln_var] = unpack<2>(F::split_axis(h, 2, 1))`. Throws ValueError for another number
/// of them.
template <std::size_t N>
VariableArray<N> unpack(const std::vector<Variable>& xs) {
  internal::check_unpacked(N, xs.size());
  VariableArray<N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = xs[i];
  return result;
}

}  // namespace chainerxx

namespace chainerxx::functions {
using chainerxx::unpack;

/// Options of stack.
struct StackOptions {
  int axis = 0;
};

/// Cuts its input along an axis.
class CUPYXX_API SplitAxis final : public FunctionOf<SplitAxis, 0> {
 public:
  SplitAxis(const cupyxx::Sections& sections, int axis) : sections_(sections), axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Sections sections_;
  std::vector<cupyxx::Shape> part_shapes_;
  int axis_;
};

/// Joins its inputs along a new axis.
class CUPYXX_API Stack final : public FunctionOf<Stack> {
 public:
  explicit Stack(int axis = 0) : axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan xs) override;
  std::vector<ndarray> backward(ArraySpan xs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan xs, VariableSpan gy) override;

 private:
  int axis_;
};

/// A part of its input by NumPy's indexing rules.
class CUPYXX_API GetItem final : public FunctionOf<GetItem> {
 public:
  explicit GetItem(std::vector<cupyxx::Index> index) : index_(std::move(index)) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  std::vector<cupyxx::Index> index_;
  std::vector<internal::SavedArray> saved_index_;  // the arrays in it
};

/// One element of each row, by its column.
class CUPYXX_API SelectItem final : public FunctionOf<SelectItem> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
};

/// Elements of one input where a condition holds, of another elsewhere.
class CUPYXX_API Where final : public FunctionOf<Where> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
};

/// The parts of x along an axis: equal ones, or those between positions. Views; the gradient of a
/// part that is not used counts as 0.
CUPYXX_API std::vector<Variable> split_axis(const Variable& x,
                                            const cupyxx::Sections& indices_or_sections, int axis);
inline std::vector<Variable> split_axis(const Variable& x,
                                        std::initializer_list<std::int64_t> indices, int axis) {
  return split_axis(x, cupyxx::Sections(std::vector<std::int64_t>(indices)), axis);
}
template <std::same_as<OneAxis> O = OneAxis>
std::vector<Variable> split_axis(const Variable& x, const cupyxx::Sections& indices_or_sections,
                                 O options) {
  return split_axis(x, indices_or_sections, options.axis);
}
template <std::same_as<OneAxis> O = OneAxis>
std::vector<Variable> split_axis(const Variable& x, std::initializer_list<std::int64_t> indices,
                                 O options) {
  return split_axis(x, indices, options.axis);
}
/// Variables of one shape joined along a new axis.
CUPYXX_API Variable stack(const std::vector<Variable>& xs, int axis = 0);
CUPYXX_API Variable stack(const std::vector<Variable>& xs, const StackOptions& options);
template <std::same_as<ndarray> A>
Variable stack(const std::vector<A>& xs, int axis = 0) {
  return stack(chainerxx::internal::constants(xs), axis);
}
/// x(index...): integers, slices, newaxis, ellipsis give a view; index arrays and masks a copy,
/// whose gradients are added up where an element was taken several times.
CUPYXX_API Variable get_item(const Variable& x, const IndexArg& index);
/// x with `values` added to x(index...), where an element stands several times each of them; they
/// broadcast to its shape.
CUPYXX_API Variable scatter_add(const Variable& x, const IndexArg& index, const Variable& values);
/// y[i] = x[i, t[i]]. Throws IndexError for an index outside of x; on a device at the next
/// synchronising call.
CUPYXX_API Variable select_item(const Variable& x, const Variable& t);
/// x where the condition holds and y elsewhere, broadcast together.
CUPYXX_API Variable where(const Variable& condition, const Variable& x, const Variable& y);
// Closer than cupyxx::where, which an array brings in.
CUPYXX_API Variable where(const ndarray& condition, const Variable& x, const Variable& y);
/// The same with a number, in the dtype of the variable beside it. Throws DtypeError unless that is
/// floating.
CUPYXX_API Variable where(const Variable& condition, const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable where(const Variable& condition, const cupyxx::Scalar& x, const Variable& y);
CUPYXX_API Variable where(const ndarray& condition, const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable where(const ndarray& condition, const cupyxx::Scalar& x, const Variable& y);
template <std::same_as<Variable> Condition, internal::Numeric T>
Variable where(const Condition& condition, const Variable& x, T y) {
  return where(condition, x, cupyxx::Scalar(y));
}
template <std::same_as<Variable> Condition, internal::Numeric T>
Variable where(const Condition& condition, T x, const Variable& y) {
  return where(condition, cupyxx::Scalar(x), y);
}
template <internal::ArrayLike Condition, internal::Numeric T>
Variable where(const Condition& condition, const Variable& x, T y) {
  const ndarray mask = condition;
  const cupyxx::Scalar number = y;
  return where(mask, x, number);
}
template <internal::ArrayLike Condition, internal::Numeric T>
Variable where(const Condition& condition, T x, const Variable& y) {
  const ndarray mask = condition;
  const cupyxx::Scalar number = x;
  return where(mask, number, y);
}

}  // namespace chainerxx::functions
