// SPDX-License-Identifier: MIT
// Text to learn from, and its words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace examples {

struct TextOptions {
  std::string flag = "text";  ///< which names the file, for the message
  bool places = false;        ///< whether each verse stands behind its place, "Gen1:1 "
};
/// The text of a file. Where `path` is empty the King James Bible, which Debian's packages
/// bible-kjv and bible-kjv-text bring: a verse in each line. Throws UserError when there is no
/// text.
std::string read_text(const std::string& path, const TextOptions& options = {});

/// The words of a text, in lower case: what is no letter of ASCII parts them.
std::vector<std::string> words_of(std::string_view text);

}  // namespace examples
