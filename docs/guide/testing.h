// SPDX-License-Identifier: MIT
// What the tests of the guide's pages share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/testing/quotes.h"

namespace docs {

/// Collects what is printed to std::cout.
class PrintedTest : public ::testing::Test {
 public:
  PrintedTest() : before_(std::cout.rdbuf(printed_.rdbuf())) {}
  ~PrintedTest() override { std::cout.rdbuf(before_); }

 protected:
  /// Expects what was printed since the last call.
  void expect_printed(const std::string& text) {
    EXPECT_EQ(printed_.str(), text);
    printed_.str("");
  }

 private:
  std::ostringstream printed_;
  std::streambuf* before_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Expects each C++ block of pages of this folder to stand in one of these tests of it.
inline void expect_pages_quote(const std::vector<std::string>& pages,
                               const std::vector<std::string>& tests) {
  std::string source;
  for (const std::string& test : tests) source += read_file("docs/guide/" + test);
  for (const std::string& page : pages) {
    SCOPED_TRACE(page);
    EXPECT_GT(cupyxx::testing::expect_quotes(read_file("docs/guide/" + page), source), 0);
  }
}

/// Expects each piece of code in the last column of a page's tables to stand in one of the tests.
inline void expect_tables_quote(const std::string& page, const std::vector<std::string>& tests) {
  std::string sources;
  for (const std::string& test : tests) sources += read_file("docs/guide/" + test);
  sources = cupyxx::testing::flat(sources);
  std::istringstream rows(read_file("docs/guide/" + page));
  int pieces = 0;
  for (std::string row; std::getline(rows, row);) {
    if (!row.starts_with("| ") || row.starts_with("| ---")) continue;
    const std::string cell = row.substr(row.rfind(" | ", row.size() - 3));
    for (std::size_t at = cell.find('`'); at != cell.npos; at = cell.find('`', at)) {
      const std::size_t end = cell.find('`', at + 1);
      const std::string code = cell.substr(at + 1, end - at - 1);
      EXPECT_NE(sources.find(code), sources.npos) << "is in no test: " << code;
      at = end + 1;
      ++pieces;
    }
  }
  EXPECT_GT(pieces, 50);
}

}  // namespace docs
