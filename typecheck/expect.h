// SPDX-License-Identifier: MIT
// States what must hold of shapes and dtypes. A check that passes allocates nothing and makes no
// text; one that fails throws an InvalidType that shows the condition and its values.
//
//   typecheck::expect(in.size() == 1, in[0].ndim() >= 1, in[0].dtype() == cupyxx::float32);
#pragma once

#include <concepts>
#include <string>

#include "cupyxx/error.h"
#include "typecheck/expr.h"
#include "typecheck/invalid_type.h"
#include "typecheck/tree.h"
#include "typecheck/type_infos.h"

namespace typecheck {

/// A comparison of expressions.
template <class T>
concept Condition = internal::IsComparison<T>::value || std::same_as<T, Expr>;

/// Throws the error that is being handled with another text, as one of the same kind: for who adds
/// where a condition could not be evaluated.
[[noreturn]] CUPYXX_API void rethrow_as(const std::string& text);

namespace internal {

/// Throws the InvalidType of a condition that does not hold.
[[noreturn]] CUPYXX_API void fail(const Expr& condition);
CUPYXX_API void expect_expr(const Expr& condition);

template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void fail_tree(const T& condition) {
  fail(condition.to_expr());
}

/// Throws the error that is being handled with the text of the condition that it comes from.
[[noreturn]] CUPYXX_API void rethrow_in(const cupyxx::Error& error, const Expr& condition);

template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void rethrow_in_tree(const cupyxx::Error& error,
                                                            const T& condition) {
  rethrow_in(error, condition.to_expr());
}

template <Tree T>
bool holds(const T& condition) {
  try {
    return condition.eval();
  } catch (const cupyxx::Error& error) {
    rethrow_in_tree(error, condition);
  }
}

template <class T>
void expect_one(const T& condition) {
  if constexpr (Tree<T>) {
    if (!holds(condition)) fail_tree(condition);
  } else {
    expect_expr(condition);
  }
}

}  // namespace internal

/// Evaluates the conditions in order and throws InvalidType at the first that does not hold; those
/// after it are not evaluated. One that cannot be evaluated, an index out of range say, is named by
/// the IndexError, ValueError or OverflowError. Takes comparisons only.
template <Condition... T>
void expect(const T&... conditions) {
  (internal::expect_one(conditions), ...);
}

// Values are no conditions: `expect(x.ndim())` does not compile, and says what to write.
template <class... T>
requires(!(Condition<T> && ...)) void expect(const T&... write_comparisons_only) = delete;

/// Whether checks are wanted: false if CHAINER_TYPE_CHECK was 0, off, false or no when this was
/// first called. `expect` itself does not ask.
CUPYXX_API bool enabled();

}  // namespace typecheck
