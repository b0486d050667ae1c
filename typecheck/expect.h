// SPDX-License-Identifier: MIT
// States what must hold of shapes and dtypes. A check that passes allocates nothing and makes no
// text; one that fails throws an InvalidType that shows the condition and its values.
//
//   typecheck::expect(in.size() == 1, in[0].ndim() >= 1, in[0].dtype() == cupyxx::float32);
#pragma once

#include <concepts>

#include "typecheck/expr.h"
#include "typecheck/invalid_type.h"
#include "typecheck/tree.h"
#include "typecheck/type_infos.h"

namespace typecheck {

/// A comparison of expressions.
template <class T>
concept Condition = internal::IsComparison<T>::value || std::same_as<T, Expr>;

namespace internal {

/// Throws the InvalidType of a condition that does not hold.
[[noreturn]] CUPYXX_API void fail(const Expr& condition);

template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void fail_tree(const T& condition) {
  fail(condition.to_expr());
}

template <class T>
void expect_one(const T& condition) {
  if constexpr (Tree<T>) {
    if (!condition.eval()) fail_tree(condition);
  } else {
    condition.expect();
  }
}

}  // namespace internal

/// Evaluates the conditions in order and throws InvalidType at the first that does not hold; those
/// after it are not evaluated. Takes comparisons only.
template <Condition... T>
void expect(const T&... conditions) {
  (internal::expect_one(conditions), ...);
}

/// Whether checks are wanted: false if CHAINER_TYPE_CHECK was 0 when this was first called.
/// `expect` itself does not ask.
CUPYXX_API bool enabled();

}  // namespace typecheck
