// SPDX-License-Identifier: MIT
#include "cupyxx/testing/quotes.h"

#include <gtest/gtest.h>

namespace cupyxx::testing {

std::string flat(const std::string& text) {
  std::string all;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || all.empty() || all.back() != ' ') all += blank ? ' ' : c;
  }
  return all;
}

std::vector<std::string> code_blocks(const std::string& page) {
  const std::string mark = "```cpp\n";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    blocks.push_back(page.substr(begin, page.find("```", begin) - begin));
  }
  return blocks;
}

int expect_quotes(const std::string& page, const std::string& source) {
  const std::string flat_source = flat(source);
  const std::vector<std::string> blocks = code_blocks(page);
  for (const std::string& block : blocks) {
    EXPECT_NE(flat_source.find(flat(block)), std::string::npos) << "is in no test:\n" << block;
  }
  return static_cast<int>(blocks.size());
}

}  // namespace cupyxx::testing
