// SPDX-License-Identifier: MIT
// Text as tokens: bytes, or pieces of words that were learned from a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"

namespace gpt {

using Tokens = std::vector<std::int32_t>;

/// Bytes, and pairs of tokens that are tokens of their own (Sennrich, Haddow, Birch: "Neural
/// machine translation of rare words with subword units", 2016). Words are not joined with others;
/// the space before a word is a part of it.
class Vocabulary {
 public:
  /// The bytes alone.
  Vocabulary();
  /// The bytes and the most frequent pairs, until there are `size` tokens.
  static Vocabulary learn(std::string_view text, std::int64_t size);
  /// The same, kept in a file: it is read when it was learned from the same text.
  static Vocabulary learn(std::string_view text, std::int64_t size, const std::string& path);

  std::int64_t size() const { return static_cast<std::int64_t>(pieces_.size()); }
  Tokens encode(std::string_view text) const;
  std::string decode(const Tokens& tokens) const;

 private:
  using Pair = std::pair<std::int32_t, std::int32_t>;

  void join(const Pair& pair);
  bool load(const std::string& path, const std::string& heading);
  void save(const std::string& path, const std::string& heading) const;

  std::vector<Pair> joined_;         // token 256 + i is this pair
  std::vector<std::string> pieces_;  // the text of each token
};

/// Windows of a text and, for each token, the one that follows.
struct Batch {
  cupyxx::ndarray tokens, next;  // (n, length) int32 on the current device
};
/// Windows from random places, which depend on `seed` and `number` only. Throws UserError for a
/// text that is shorter than a window.
Batch random_batch(const Tokens& text, std::int64_t n, std::int64_t length, std::uint64_t seed,
                   std::int64_t number);

}  // namespace gpt
