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
bool is_recomputing() { return t_recomputing; }

namespace internal {
RecomputationScope::RecomputationScope() : previous_(std::exchange(t_recomputing, true)) {}
RecomputationScope::~RecomputationScope() { t_recomputing = previous_; }
}  // namespace internal

bool is_debug() {
  return t_debug < 0 ? debug_flag().load(std::memory_order_relaxed) : t_debug != 0;
}
void set_debug(bool debug) { debug_flag().store(debug, std::memory_order_relaxed); }

DebugScope::DebugScope(bool debug)
    : previous_(std::exchange(t_debug, static_cast<signed char>(debug))) {}
DebugScope::~DebugScope() { t_debug = previous_; }

RecordScope::RecordScope(bool record) : previous_(std::exchange(t_recording, record)) {}
RecordScope::~RecordScope() { t_recording = previous_; }

TrainScope::TrainScope(bool train) : previous_(std::exchange(t_training, train)) {}
TrainScope::~TrainScope() { t_training = previous_; }

}  // namespace chainerxx
