// SPDX-License-Identifier: MIT
// Documents whose code is that of a test.
#pragma once

#include <string>
#include <vector>

namespace cupyxx::testing {

/// The text with each run of blanks and line ends as one blank.
std::string flat(const std::string& text);

/// The C++ blocks of a page in Markdown.
std::vector<std::string> code_blocks(const std::string& page);

/// Expects each C++ block of a page to stand in a source, blanks aside. Returns how many there are.
int expect_quotes(const std::string& page, const std::string& source);

}  // namespace cupyxx::testing
