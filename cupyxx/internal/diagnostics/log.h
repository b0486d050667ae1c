// SPDX-License-Identifier: MIT
// CUPYXX_LOG=info|debug: one line on stderr for what seldom happens and takes long (compiling,
// growing a pool, opening a library), or for what every kernel and cache does. Costs a load and a
// branch when it is off.
#pragma once

#include <atomic>

namespace cupyxx::internal {

enum class LogLevel : int { off, info, debug };

namespace log_detail {
inline constexpr int kUnread = -1;
extern std::atomic<int> level;
int read_level();
}  // namespace log_detail

/// Whether lines of a level are written.
inline bool logs(LogLevel level) {
  int current = log_detail::level.load(std::memory_order_relaxed);
  if (current == log_detail::kUnread) [[unlikely]] {
    current = log_detail::read_level();
  }
  return static_cast<int>(level) <= current;
}

/// Writes "cupyxx: <text>" in one piece; `format` as of printf.
[[gnu::format(printf, 1, 2)]] void log_line(const char* format, ...) noexcept;

/// Sets the level, as CUPYXX_LOG does at the start; returns the one before. For tests.
LogLevel set_log_level(LogLevel level);

}  // namespace cupyxx::internal
