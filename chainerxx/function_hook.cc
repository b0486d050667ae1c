// SPDX-License-Identifier: MIT
#include "chainerxx/function_hook.h"

#include <utility>

#include "cupyxx/error.h"

namespace chainerxx {
namespace {
thread_local FunctionHookScope* t_innermost = nullptr;
}  // namespace

FunctionHook::FunctionHook() : place_(std::make_shared<FunctionHook*>(this)) {}
FunctionHook::~FunctionHook() { *place_ = nullptr; }
void FunctionHook::forward_preprocess(const Function&, ArraySpan) {}
void FunctionHook::forward_postprocess(const Function&, ArraySpan) {}
void FunctionHook::backward_preprocess(const Function&, ArraySpan, ArraySpan) {}
void FunctionHook::backward_postprocess(const Function&, ArraySpan, ArraySpan) {}

FunctionHookScope::FunctionHookScope(FunctionHook& hook)
    : hook_(hook.place_), outer_(std::exchange(t_innermost, this)) {}

FunctionHookScope::~FunctionHookScope() {
  // Scopes that stand in containers may end in another order than they began.
  for (FunctionHookScope** at = &t_innermost; *at != nullptr; at = &(*at)->outer_) {
    if (*at != this) continue;
    *at = outer_;
    return;
  }
}

void FunctionHookScope::refuse_lost() {
  throw cupyxx::ValueError(
      "FunctionHookScope: its hook lives no longer: declare the hook before the scope, so that it "
      "ends after it");
}

const FunctionHookScope* FunctionHookScope::innermost() { return t_innermost; }

}  // namespace chainerxx
