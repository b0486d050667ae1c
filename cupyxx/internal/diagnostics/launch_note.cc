// SPDX-License-Identifier: MIT
#include "cupyxx/internal/diagnostics/launch_note.h"

#include <cstdlib>
#include <string_view>

#include "cupyxx/extension/environment.h"

namespace cupyxx::internal {

namespace launch_detail {

constinit std::atomic<int> awaited{kUnread};

namespace {

bool awaits_by_environment() {
  const char* value = std::getenv("CUPYXX_DEBUG");
  if (value != nullptr && std::string_view(value).find("sync") != std::string::npos) return true;
  extension::environment_choice("CUPYXX_DEBUG", {"sync", "off", "0", "false", "no"});
  return false;
}

// Says at the start what is no word of it, even where nothing will be launched.
[[maybe_unused]] const bool g_at_the_start = awaits_by_environment();

}  // namespace

int read_awaited() {
  const bool sync = awaits_by_environment();
  int expected = kUnread;
  awaited.compare_exchange_strong(expected, sync ? 1 : 0, std::memory_order_relaxed);
  return awaited.load(std::memory_order_relaxed);
}

}  // namespace launch_detail

namespace {
thread_local const LaunchNoteBase* t_latest = nullptr;
}  // namespace

void LaunchNoteBase::enter() {
  entered_ = true;
  outer_ = t_latest;
  t_latest = this;
}

void LaunchNoteBase::leave() { t_latest = outer_; }

std::string launch_notes() {
  std::string text;
  for (const LaunchNoteBase* note = t_latest; note != nullptr; note = note->outer_) {
    text = note->text_(*note) + (text.empty() ? "" : ", ") + text;
  }
  return text;
}

bool await_launches(bool on) {
  const bool before = launches_are_awaited();
  launch_detail::awaited.store(on ? 1 : 0, std::memory_order_relaxed);
  return before;
}

}  // namespace cupyxx::internal
