// SPDX-License-Identifier: MIT
#include "chainerxx/internal/put_off.h"

#include <utility>

#include "chainerxx/scope.h"

namespace chainerxx::internal {
namespace {

thread_local PutOffScope* t_scope = nullptr;  // of the innermost walk; null where none may

}  // namespace

PutOffScope::PutOffScope(bool is_allowed)
    : previous_(std::exchange(t_scope, is_allowed ? this : nullptr)) {}
PutOffScope::~PutOffScope() { t_scope = previous_; }

void PutOffScope::set_running(const Function* f) {
  if (t_scope != nullptr) t_scope->running_ = f;
}

std::unique_ptr<PutOff>* put_off_by(const Function& f) {
  if (t_scope == nullptr || t_scope->running_ != &f || is_debug()) return nullptr;
  return &t_scope->work_;
}

}  // namespace chainerxx::internal
