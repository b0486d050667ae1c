// SPDX-License-Identifier: MIT
// Who wants to see functions as they run:
//
//   struct Count final : chainerxx::FunctionHook {
//     void forward_postprocess(const Function&, ArraySpan) override { ++calls; }
//     int calls = 0;
//   } count;
//   {
//     const chainerxx::FunctionHookScope watched(count);
//     model(x).backward();
//   }
#pragma once

#include <memory>

#include "chainerxx/function.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// Base of all hooks. Each method is called in the thread of the scope, with the function and its
/// arrays on their device; of a function that throws, the second call of a pair does not come.
/// Functions that run within another one are told of, too, between both calls for that one.
class CUPYXX_API FunctionHook {
 public:
  FunctionHook();
  FunctionHook(const FunctionHook&) : FunctionHook() {}  // which no scope knows yet
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is assigned
  FunctionHook& operator=(const FunctionHook&) { return *this; }
  virtual ~FunctionHook();
  /// Before and after a function computes its results.
  virtual void forward_preprocess(const Function& function, ArraySpan inputs);
  virtual void forward_postprocess(const Function& function, ArraySpan inputs);
  /// Before and after it computes gradients; what is not retained is None among the inputs, as is a
  /// gradient that did not arrive.
  virtual void backward_preprocess(const Function& function, ArraySpan inputs,
                                   ArraySpan grad_outputs);
  virtual void backward_postprocess(const Function& function, ArraySpan inputs,
                                    ArraySpan grad_outputs);

 private:
  friend class FunctionHookScope;
  std::shared_ptr<FunctionHook*> place_;  // null in it once the hook is gone
};

/// Lets a hook see the functions of this thread until the end of the scope; hooks of outer scopes
/// see them first. The hook must live as long: functions that run behind its end throw ValueError.
class CUPYXX_API FunctionHookScope {
 public:
  [[nodiscard("give it a name")]] explicit FunctionHookScope(FunctionHook& hook);
  ~FunctionHookScope();
  FunctionHookScope(const FunctionHookScope&) = delete;
  FunctionHookScope& operator=(const FunctionHookScope&) = delete;

  /// The hook, which throws ValueError once it is gone, and the scope around this one; null
  /// without.
  FunctionHook& hook() const {
    if (*hook_ == nullptr) refuse_lost();
    return **hook_;
  }
  const FunctionHookScope* outer() const { return outer_; }
  /// The innermost one of this thread; null outside of all.
  static const FunctionHookScope* innermost();

 private:
  [[noreturn]] static void refuse_lost();

  std::shared_ptr<FunctionHook* const> hook_;
  FunctionHookScope* outer_;
};

}  // namespace chainerxx
