// SPDX-License-Identifier: MIT
#include "cupyxx/internal/diagnostics/log.h"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "cupyxx/extension/environment.h"

namespace cupyxx::internal {

namespace log_detail {

constinit std::atomic<int> level{kUnread};

namespace {

LogLevel level_of_environment() {
  constexpr LogLevel kLevels[] = {LogLevel::off,   LogLevel::off,   LogLevel::info, LogLevel::info,
                                  LogLevel::debug, LogLevel::debug, LogLevel::off,  LogLevel::off,
                                  LogLevel::info,  LogLevel::info,  LogLevel::info};
  const auto found = extension::environment_choice(
      "CUPYXX_LOG", {"off", "0", "info", "1", "debug", "2", "false", "no", "on", "true", "yes"});
  return found ? kLevels[*found] : LogLevel::off;
}

// Says at the start what is no level, even where nothing will be logged.
[[maybe_unused]] const LogLevel g_at_the_start = level_of_environment();

}  // namespace

int read_level() {
  const LogLevel found = level_of_environment();
  int expected = kUnread;
  level.compare_exchange_strong(expected, static_cast<int>(found), std::memory_order_relaxed);
  return level.load(std::memory_order_relaxed);
}

}  // namespace log_detail

void log_line(const char* format, ...) noexcept {
  char line[1024] = "cupyxx: ";
  constexpr std::size_t kPrefix = 8;
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line + kPrefix, sizeof line - kPrefix - 1, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  std::size_t end = std::min(kPrefix + static_cast<std::size_t>(length), sizeof line - 2);
  line[end++] = '\n';
  // One call, so that lines of many threads and processes do not mix.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, end);
}

LogLevel set_log_level(LogLevel level) {
  const bool was_off = !logs(LogLevel::info);
  const bool was_debug = logs(LogLevel::debug);
  log_detail::level.store(static_cast<int>(level), std::memory_order_relaxed);
  return was_off ? LogLevel::off : was_debug ? LogLevel::debug : LogLevel::info;
}

}  // namespace cupyxx::internal
