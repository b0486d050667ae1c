// SPDX-License-Identifier: MIT
#include "cupyxx/extension/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace cupyxx::extension {
namespace {

/// True for the first caller with a name. Variables are read before main and after it, too.
bool is_first(const char* variable) {
  static std::mutex& mutex = *new std::mutex;
  static std::vector<std::string>& told = *new std::vector<std::string>;
  const std::lock_guard lock(mutex);
  if (std::find(told.begin(), told.end(), variable) != told.end()) return false;
  told.emplace_back(variable);
  return true;
}

/// Says once what is ignored.
void complain(const char* variable, const char* value, std::span<const std::string_view> known) {
  if (!is_first(variable)) return;
  std::string line = "cupyxx: ";
  line.append(variable).append("=").append(value).append(" is ignored; known are ");
  for (const std::string_view& word : known) {
    if (&word != known.data()) line += &word == &known.back() ? " and " : ", ";
    line += word;
  }
  line += '\n';
  // One call, so that lines of many threads and processes do not mix.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

constexpr std::string_view kSwitches[] = {"0", "off", "false", "no", "1", "on", "true", "yes"};

}  // namespace

std::optional<std::size_t> environment_choice(const char* variable,
                                              std::initializer_list<std::string_view> known) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  const auto* const found = std::find(known.begin(), known.end(), std::string_view(value));
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  complain(variable, value, {known.begin(), known.size()});
  return {};
}

std::optional<bool> switch_of(std::string_view word) {
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); };
  for (const std::string_view& known : kSwitches) {
    if (std::equal(known.begin(), known.end(), word.begin(), word.end(), same)) {
      return &known - kSwitches >= 4;
    }
  }
  return {};
}

bool environment_switch(const char* variable, bool otherwise) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return otherwise;
  if (const auto found = switch_of(value)) return *found;
  complain(variable, value, kSwitches);
  return otherwise;
}

}  // namespace cupyxx::extension
