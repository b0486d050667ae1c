// SPDX-License-Identifier: MIT
// Text to learn from, and its words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace examples {

/// The text of a file. Where `path` is empty the King James Bible, which Debian's packages
/// bible-kjv and bible-kjv-text bring: a verse in each line, without its place. Throws UserError
/// when there is no text.
std::string read_text(const std::string& path);

/// The words of a text, in lower case: what is no letter of ASCII parts them.
std::vector<std::string> words_of(std::string_view text);

}  // namespace examples
