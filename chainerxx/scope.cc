// SPDX-License-Identifier: MIT
#include "chainerxx/scope.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "chainerxx/internal/recomputation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/environment.h"

namespace chainerxx {
namespace {
constexpr std::int8_t kOutside = -1;  // of every scope
thread_local bool t_recording = true;
thread_local bool t_training = true;
thread_local bool t_recomputing = false;
thread_local std::int8_t t_precision = kOutside;
thread_local std::int8_t t_layout = kOutside;
thread_local signed char t_debug = kOutside;

std::atomic<bool>& debug_flag() {
  static std::atomic<bool> flag = cupyxx::extension::environment_switch("CHAINER_DEBUG", false);
  return flag;
}

Precision precision_of_environment() {
  static const Precision precision = [] {
    const char* const name = std::getenv("CHAINERXX_PRECISION");
    return name == nullptr || *name == '\0' ? Precision::float32
                                            : cupyxx::precision_of(name, "CHAINERXX_PRECISION");
  }();
  return precision;
}

constexpr std::array<std::string_view, 3> kLayouts = {"automatic", "plain", "channels_last"};

[[noreturn]] void throw_no_layout(std::string_view what, const auto&... found) {
  throw cupyxx::ValueError(cupyxx::message(what, ": there is no such layout; ", found...,
                                           " instead of automatic, plain or channels_last"));
}

Layout layout_of_environment() {
  static const Layout layout = [] {
    const char* const given = std::getenv("CHAINERXX_LAYOUT");
    const std::string_view name = given == nullptr || *given == '\0' ? "automatic" : given;
    for (std::size_t i = 0; i < kLayouts.size(); ++i) {
      if (kLayouts[i] == name) return static_cast<Layout>(i);
    }
    throw_no_layout("CHAINERXX_LAYOUT", "'", name, "'");
  }();
  return layout;
}

Layout known(Layout layout) {
  const auto number = static_cast<unsigned>(layout);
  if (number >= kLayouts.size()) throw_no_layout("LayoutScope", "number ", number);
  return layout;
}
}  // namespace

bool is_recording() { return t_recording; }
bool is_training() { return t_training; }
bool is_recomputing() { return t_recomputing; }
Precision current_precision() {
  return t_precision == kOutside ? precision_of_environment() : static_cast<Precision>(t_precision);
}
bool is_tf32_allowed() { return current_precision() != Precision::float32; }
Layout current_layout() {
  return t_layout == kOutside ? layout_of_environment() : static_cast<Layout>(t_layout);
}

namespace internal {
RecomputationScope::RecomputationScope() : ModeScope(t_recomputing, true) {}
}  // namespace internal

bool is_debug() {
  return t_debug < 0 ? debug_flag().load(std::memory_order_relaxed) : t_debug != 0;
}
void set_debug(bool debug) { debug_flag().store(debug, std::memory_order_relaxed); }

DebugScope::DebugScope(bool debug)
    : previous_(std::exchange(t_debug, static_cast<signed char>(debug))) {}
DebugScope::~DebugScope() { t_debug = previous_; }

void internal::set_recording(bool record) { t_recording = record; }
void internal::set_training(bool train) { t_training = train; }

RecordScope::RecordScope(bool record) : ModeScope(t_recording, record) {}
TrainScope::TrainScope(bool train) : ModeScope(t_training, train) {}
PrecisionScope::PrecisionScope(Precision precision)
    : ModeScope(t_precision,
                static_cast<std::int8_t>(cupyxx::internal::known(precision, "PrecisionScope"))) {}
LayoutScope::LayoutScope(Layout layout)
    : ModeScope(t_layout, static_cast<std::int8_t>(known(layout))) {}

}  // namespace chainerxx
