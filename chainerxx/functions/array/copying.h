// SPDX-License-Identifier: MIT
// Functions that repeat elements, or carry them to another device.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/device.h"
#include "cupyxx/export.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/shape.h"

namespace chainerxx {

namespace internal {
/// A text where a number could stand, too; not the number 0.
template <class T>
concept Text = std::convertible_to<T, std::string_view> && !std::same_as<T, std::nullptr_t>;

CUPYXX_API void check_pad_mode(std::string_view mode);
}  // namespace internal

namespace functions {

/// A copy on a device; its gradient travels back.
class CUPYXX_API Copy final : public FunctionOf<Copy> {
 public:
  explicit Copy(cupyxx::Device destination) : destination_(destination) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Device destination_, source_;
};

/// Brings all inputs to their common shape.
class CUPYXX_API Broadcast final : public FunctionOf<Broadcast, 0> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan xs) override;
  std::vector<ndarray> backward(ArraySpan xs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan xs, VariableSpan gy) override;
};

/// Lays its input side by side.
class CUPYXX_API Tile final : public FunctionOf<Tile> {
 public:
  template <cupyxx::internal::ShapeArgument S = cupyxx::Shape>
  explicit Tile(const S& reps) : reps_(reps) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  /// The axes of the result as pairs of (copies, own extent).
  cupyxx::Shape pairs(const cupyxx::Shape& result) const;

  cupyxx::Shape reps_;
};

/// Puts a border of one number around its input.
class CUPYXX_API Pad final : public FunctionOf<Pad> {
 public:
  Pad(const cupyxx::PadWidth& width, double value) : width_(width), value_(value) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  /// Where the input lies in the result.
  std::vector<cupyxx::Index> inside() const;

  cupyxx::PadWidth width_;
  double value_;
};

/// A copy on the host (-1) or on a CUDA device.
CUPYXX_API Variable copy(const Variable& x, int dst);
CUPYXX_API Variable copy(const Variable& x, cupyxx::Device dst);
/// All variables in their common shape.
CUPYXX_API std::vector<Variable> broadcast(const std::vector<Variable>& xs);
/// The same one by one: `auto [a, b] = broadcast(x, y);`.
template <internal::AsVariable... X>
requires(sizeof...(X) > 1) VariableArray<sizeof...(X)> broadcast(const X&... xs) {
  const std::vector<Variable> results = broadcast(std::vector<Variable>{xs...});
  VariableArray<sizeof...(X)> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = results[i];
  return all;
}
/// x laid side by side `reps` times along each axis, counted from the last.
CUPYXX_API Variable tile(const Variable& x, const cupyxx::Shape& reps);
/// x with a border of `value`.
CUPYXX_API Variable pad(const Variable& x, const cupyxx::PadWidth& width, double value = 0);
inline Variable pad(const Variable& x, std::initializer_list<cupyxx::internal::WidthPair> width,
                    double value = 0) {
  return pad(x, cupyxx::PadWidth(width), value);
}
/// In Chainer's order. Throws ValueError for another mode than "constant".
template <internal::Text M>
Variable pad(const Variable& x, const cupyxx::PadWidth& width, M mode, double constant_values = 0) {
  internal::check_pad_mode(mode);
  return pad(x, width, constant_values);
}
template <internal::Text M>
Variable pad(const Variable& x, std::initializer_list<cupyxx::internal::WidthPair> width, M mode,
             double constant_values = 0) {
  internal::check_pad_mode(mode);
  return pad(x, width, constant_values);
}

}  // namespace functions
}  // namespace chainerxx
