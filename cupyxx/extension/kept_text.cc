// SPDX-License-Identifier: MIT
#include "cupyxx/extension/kept_text.h"

#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::extension {
namespace {

namespace jit = internal::jit;

/// Keys of kernels are hashes, too, of longer texts.
std::string name_of(std::string_view key) {
  return jit::Hasher().add("kept text").add(key).result().hex();
}

/// The key stands in the entry: two of one hash are not taken for each other.
std::string entry_of(std::string_view key) { return std::string(key) + '\n'; }

}  // namespace

std::optional<std::string> find_kept_text(std::string_view key) {
  const std::optional<std::string> entry = jit::DiskCache::instance().find(name_of(key));
  const std::string begin = entry_of(key);
  if (!entry || !entry->starts_with(begin)) return std::nullopt;
  return entry->substr(begin.size());
}

void keep_text(std::string_view key, std::string_view text) noexcept {
  try {
    jit::DiskCache::instance().store(name_of(key), entry_of(key).append(text));
  } catch (...) {
    // Without memory nothing is kept.
  }
}

}  // namespace cupyxx::extension
