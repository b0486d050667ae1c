// SPDX-License-Identifier: MIT
#include "chainerxx/scope.h"

#include <atomic>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "chainerxx/internal/recomputation.h"

namespace chainerxx {
namespace {
thread_local bool t_recording = true;
thread_local bool t_training = true;
thread_local bool t_tf32 = false;
thread_local bool t_recomputing = false;
thread_local signed char t_debug = -1;  // outside of a DebugScope

std::atomic<bool>& debug_flag() {
  static std::atomic<bool> flag = [] {
    const char* value = std::getenv("CHAINER_DEBUG");
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
  }();
  return flag;
}
}  // namespace

bool is_recording() { return t_recording; }
bool is_training() { return t_training; }
bool is_tf32_allowed() { return t_tf32; }
bool is_recomputing() { return t_recomputing; }

namespace internal {
ModeScope::ModeScope(bool& mode, bool value) : mode_(mode), previous_(std::exchange(mode, value)) {}
ModeScope::~ModeScope() { mode_ = previous_; }

RecomputationScope::RecomputationScope() : ModeScope(t_recomputing, true) {}
}  // namespace internal

bool is_debug() {
  return t_debug < 0 ? debug_flag().load(std::memory_order_relaxed) : t_debug != 0;
}
void set_debug(bool debug) { debug_flag().store(debug, std::memory_order_relaxed); }

DebugScope::DebugScope(bool debug)
    : previous_(std::exchange(t_debug, static_cast<signed char>(debug))) {}
DebugScope::~DebugScope() { t_debug = previous_; }

RecordScope::RecordScope(bool record) : ModeScope(t_recording, record) {}
TrainScope::TrainScope(bool train) : ModeScope(t_training, train) {}
Tf32Scope::Tf32Scope(bool allow) : ModeScope(t_tf32, allow) {}

}  // namespace chainerxx
