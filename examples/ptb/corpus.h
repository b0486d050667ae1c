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

 private:
  std::map<std::string, std::int32_t> numbers_;
};

/// The bytes of a file. Throws UserError when it cannot be read or holds no words.
std::string read_text(const std::string& path);

/// Sentences of a made-up language of some twenty words with a simple grammar: something to learn
/// from where no text is given.
std::string made_up_text(int sentences, std::uint32_t seed);

/// The words cut into `columns` long strips that are read side by side: (length, columns) int32 on
/// the current device. What does not fill a row is left out. Throws UserError when that leaves
/// fewer than two rows.
cupyxx::ndarray in_columns(const std::vector<std::int32_t>& words, std::int64_t columns);

}  // namespace ptb
