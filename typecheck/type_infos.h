// SPDX-License-Identifier: MIT
// The types of all inputs of a function, as its type check sees them.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "typecheck/tree.h"

namespace typecheck {

namespace internal {

/// `in_types[i]`: looked up on evaluation, so that a condition on the number may come first.
struct Input : Node<Input> {
  Input(std::span<const TypeInfo> the_types, std::int64_t i, const char* n)
      : types(the_types), index(i), text(n) {}
  const TypeInfo& eval() const {
    const auto count = static_cast<std::int64_t>(types.size());
    return types[static_cast<std::size_t>(check_index(index, text, count))];
  }
  CUPYXX_API Expr to_expr() const;

  std::span<const TypeInfo> types;
  std::int64_t index;
  const char* text;
};

/// `in_types.size`.
struct InputCount : Node<InputCount> {
  InputCount(std::int64_t c, const char* n) : count(c), text(n) {}
  std::int64_t eval() const { return count; }
  CUPYXX_API Expr to_expr() const;

  std::int64_t count;
  const char* text;
};

}  // namespace internal

/// Refers to the types of the inputs (and to the characters of its name) for the length of a check.
/// Elements and size are expressions:
///
///     typecheck::expect(in.size() == 2, in[0].ndim() == 2, in[0].dtype() == cupyxx::float32);
class TypeInfos {
 public:
  TypeInfos() = default;
  /// Takes a span, an array or a vector.
  template <std::convertible_to<std::span<const TypeInfo>> Types>
  TypeInfos(const Types& types,  // NOLINT(google-explicit-constructor)
            const char* name = "in_types")
      : types_(types), name_(name) {}

  /// The number of inputs, as an expression.
  internal::InputCount size() const { return {static_cast<std::int64_t>(types_.size()), name_}; }
  /// The type of one input, as an expression; evaluation throws IndexError where there is none.
  internal::Input operator[](std::int64_t i) const { return {types_, i, name_}; }
  /// The types themselves.
  std::span<const TypeInfo> types() const { return types_; }

 private:
  std::span<const TypeInfo> types_;
  const char* name_ = "in_types";
};

/// Chainer's name.
using TypeInfoTuple = TypeInfos;

}  // namespace typecheck
