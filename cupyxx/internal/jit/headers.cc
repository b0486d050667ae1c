// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/headers.h"

#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "cupyxx/internal/jit/device_headers.h"

namespace cupyxx::internal::jit {
namespace {

struct Entry {
  DeviceText header;
  std::string text;  // what header.text points to
  Hash128 hash;
  std::vector<std::string_view> includes;
};

// Names and descriptions of operations are for the host. On a device each would be a global
// variable of every kernel: 40 % of its size. Lines stay where they are.
std::string without_texts(std::string text) {
  constexpr std::string_view kConstant = "static constexpr const char*";
  for (std::size_t at = text.find(kConstant); at != std::string::npos;
       at = text.find(kConstant, at)) {
    bool quoted = false;
    for (; at < text.size() && (quoted || text[at] != ';'); ++at) {
      if (text[at] == '"' && text[at - 1] != '\\') quoted = !quoted;
      if (text[at] != '\n') text[at] = ' ';
    }
  }
  return text;
}

// Names after `#include "`, comments and conditions not looked at: one too many does no harm.
std::vector<std::string_view> quoted_includes(std::string_view text) {
  constexpr std::string_view kInclude = "include";
  std::vector<std::string_view> names;
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at)) {
    ++at;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (text.substr(at, kInclude.size()) != kInclude) continue;
    at += kInclude.size();
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (at >= text.size() || text[at] != '"') continue;
    const std::size_t end = text.find_first_of("\"\n", at + 1);
    if (end == std::string_view::npos || text[end] == '\n') continue;
    names.push_back(text.substr(at + 1, end - at - 1));
  }
  return names;
}

class Registry {
 public:
  static Registry& instance() {
    static Registry& registry = *new Registry;
    return registry;
  }

  void add(const DeviceText& header) {
    const std::lock_guard lock(mutex_);
    if (by_name_.count(header.name)) return;
    Entry& entry = entries_.emplace_back();
    entry.text = without_texts(std::string(header.text, header.size));
    entry.header = {header.name, entry.text.c_str(), entry.text.size()};
    entry.hash = Hasher().add(header.name).add(entry.text).result();
    entry.includes = quoted_includes(entry.text);
    by_name_.emplace(header.name, &entry);
  }

  IncludedHeaders closure(std::string_view text) {
    const std::lock_guard lock(mutex_);
    // Ordered by name, so that the hash does not depend on the order of discovery.
    std::map<std::string_view, const Entry*> found;
    std::vector<std::string_view> open = quoted_includes(text);
    while (!open.empty()) {
      const std::string_view name = open.back();
      open.pop_back();
      const auto known = by_name_.find(name);
      if (known == by_name_.end() || !found.emplace(name, known->second).second) continue;
      open.insert(open.end(), known->second->includes.begin(), known->second->includes.end());
    }
    IncludedHeaders result;
    Hasher hasher;
    for (const auto& [name, entry] : found) {
      result.headers.push_back(&entry->header);
      hasher.add(entry->hash);
    }
    result.hash = hasher.result();
    return result;
  }

 private:
  Registry() {
    for (unsigned long i = 0; i < device_headers::kFilesCount; ++i) {
      const auto& file = device_headers::kFiles[i];
      add({file.name, file.text, file.size});
    }
  }

  std::mutex mutex_;
  std::deque<Entry> entries_;  // entries stay where they are
  std::map<std::string_view, const Entry*> by_name_;
};

}  // namespace

IncludedHeaders included_headers(std::string_view text) {
  return Registry::instance().closure(text);
}

}  // namespace cupyxx::internal::jit

namespace cupyxx::extension {

void add_device_text(const DeviceText& text) { internal::jit::Registry::instance().add(text); }

}  // namespace cupyxx::extension
