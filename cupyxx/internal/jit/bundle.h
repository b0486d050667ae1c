// SPDX-License-Identifier: MIT
// Kernels compiled when we build: one block of data, searched by key without loading anything.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::internal::jit {

/// Reads a block that write_bundle() made; an empty or damaged one has no entries.
class Bundle {
 public:
  explicit Bundle(std::span<const unsigned char> data);
  /// The one in this binary.
  static const Bundle& instance();

  std::size_t size() const { return count_; }
  /// The cubin of a key from bundle_key(), inflated; nothing for an unknown key or damaged data.
  std::optional<std::string> find(const Hash128& key) const;
  bool contains(const Hash128& key) const;

 private:
  // Where the first entry is whose key is not below, as a number of entries.
  std::size_t lower_bound(const Hash128& key) const;

  std::span<const unsigned char> data_;
  std::size_t count_ = 0;
};

/// Adds the block of another library to those that load() looks into; it lives for ever.
void add_bundle(const Bundle& bundle);
/// The block that has a kernel: the one in this binary, or one that was added; null where none has.
const Bundle* find_bundle(const Hash128& key);

/// The block for kernels by key, each deflated: machine code shrinks to a tenth.
std::string write_bundle(std::vector<std::pair<Hash128, std::string>> kernels);

}  // namespace cupyxx::internal::jit
