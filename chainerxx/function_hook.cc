// SPDX-License-Identifier: MIT
#include "chainerxx/function_hook.h"

#include <utility>

namespace chainerxx {
namespace {
thread_local const FunctionHookScope* t_innermost = nullptr;
}  // namespace

FunctionHook::~FunctionHook() = default;
void FunctionHook::forward_preprocess(const Function&, ArraySpan) {}
void FunctionHook::forward_postprocess(const Function&, ArraySpan) {}
void FunctionHook::backward_preprocess(const Function&, ArraySpan, ArraySpan) {}
void FunctionHook::backward_postprocess(const Function&, ArraySpan, ArraySpan) {}

FunctionHookScope::FunctionHookScope(FunctionHook& hook)
    : hook_(hook), outer_(std::exchange(t_innermost, this)) {}
FunctionHookScope::~FunctionHookScope() { t_innermost = outer_; }

const FunctionHookScope* FunctionHookScope::innermost() { return t_innermost; }

}  // namespace chainerxx
