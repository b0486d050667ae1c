// SPDX-License-Identifier: MIT
// Text as numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cupyxx/ndarray.h"
#include "examples/program/errors.h"

namespace ptb {

using examples::UserError;

/// The words that have been met, numbered in that order.
class Vocabulary {
 public:
  /// The numbers of the words of a text, separated by white space; a line ends with "<eos>".
  std::vector<std::int32_t> encode(const std::string& text);
  std::int64_t size() const { return static_cast<std::int64_t>(numbers_.size()); }
  /// The word of a number from encode().
  const std::string& word(std::int32_t number) const { return words_.at(number); }

 private:
  std::map<std::string, std::int32_t> numbers_;
  std::vector<std::string> words_;
};

/// The bytes of a file. Throws UserError when it cannot be read or holds no words.
std::string read_text(const std::string& path);

/// The King James Bible of Debian's bible-kjv-text, a verse in each line, in lower case and without
/// punctuation. Throws UserError when it is not installed.
std::string bible();

/// Cuts the last twentieth of `words` off and returns it: text to measure with.
std::vector<std::int32_t> cut_off_end(std::vector<std::int32_t>& words);

/// Sentences of a made-up language of some twenty words with a simple grammar, which is learned in
/// seconds.
std::string made_up_text(int sentences, std::uint32_t seed);

/// The words cut into `columns` long strips that are read side by side: (length, columns) int32 on
/// the current device. What does not fill a row is left out. Throws UserError when that leaves
/// fewer than two rows.
cupyxx::ndarray in_columns(const std::vector<std::int32_t>& words, std::int64_t columns);

}  // namespace ptb
