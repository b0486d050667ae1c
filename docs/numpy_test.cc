// SPDX-License-Identifier: MIT
// The page that puts NumPy beside cupyxx: its code runs here, and every name of ours that it prints
// stands in a public header.
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/quotes.h"
#include "docs/numpy_page.h"
#include "docs/public_headers.h"

namespace cp = cupyxx;

namespace {

TEST(NumpyPage, CodeRuns) {
  auto a = cp::arange(12.0).reshape({3, 4});  // a = np.arange(12.0).reshape(3, 4)
  a(cp::slice(1, cp::none), -1) = 0;          // a[1:, -1] = 0
  auto rows = a(cp::array({2, 0}));           // rows = a[[2, 0]], a copy
  auto clipped = cp::clip(a, 2, cp::none);    // np.clip(a, 2, None)
  auto mean = a.mean(0, {.keepdims = true});  // a.mean(axis=0, keepdims=True)
  auto wide =
      cp::zeros({2, 3}, cp::float32, cp::Order::F);  // np.zeros((2, 3), np.float32, order='F')
  auto [values, counts] = cp::unique(a, {.return_counts = true});
  auto total =
      cp::add.reduce(a, {0, 1}, {.initial = 100.0});  // np.add.reduce(a, (0, 1), initial=100.0)
  EXPECT_EQ(rows.get().to_vector<int>(), (std::vector<int>{8, 9, 10, 0, 0, 1, 2, 3}));
  EXPECT_EQ(clipped(0).to_vector<int>(), (std::vector<int>{2, 2, 2, 3}));
  EXPECT_EQ(mean.to_vector<double>(), (std::vector<double>{4, 5, 6, 1}));
  EXPECT_EQ(wide.strides(), (cp::Strides{4, 8}));
  EXPECT_EQ(counts(0).item<int>(), 3);
  EXPECT_EQ(total.item<double>(), 148);
}

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::set<std::string> words(std::string_view text) {
  std::set<std::string> all;
  std::string word;
  for (const char c : text) {
    if (is_name_character(c)) {
      word += c;
    } else if (!word.empty()) {
      all.insert(std::move(word));
      word.clear();
    }
  }
  return all;
}

// The names in the second cell of a row: what a piece of code begins with, and the options in it.
std::set<std::string> promised_names(std::string_view cell) {
  std::set<std::string> names;
  for (std::size_t at = cell.find('`'); at != cell.npos; at = cell.find('`', at)) {
    const std::size_t end = cell.find('`', at + 1);
    std::string_view code = cell.substr(at + 1, end - at - 1);
    at = end + 1;
    if (code.starts_with("for ") || code.starts_with("a(") || code.starts_with("a.")) continue;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= code.size(); ++i) {
      if (i < code.size() && is_name_character(code[i])) continue;
      const std::string_view name = code.substr(begin, i - begin);
      const bool first = begin == 0 || code.substr(0, begin).ends_with("::");
      const bool option = begin > 1 && code[begin - 1] == '.' && code[begin - 2] != '.' &&
                          !is_name_character(code[begin - 2]);
      if (!name.empty() && (first || option) && std::isalpha(static_cast<unsigned char>(name[0]))) {
        names.insert(std::string(name));
      }
      begin = i + 1;
    }
  }
  return names;
}

TEST(NumpyPage, EveryNameStandsInAHeader) {
  std::set<std::string> known;
  for (unsigned long i = 0; i < docs::headers::kFilesCount; ++i) {
    known.merge(words(docs::headers::kFiles[i].text));
  }
  const std::string page = docs::page::kFiles[0].text;
  int count = 0;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = page.find('\n', at);
    const std::string_view row = std::string_view(page).substr(at, end - at);
    at = end + 1;
    // Rows of the chapters have two cells; in the last table there are three.
    if (!row.starts_with("| ") || row.starts_with("| ---")) continue;
    const std::size_t middle = row.find(" | ");
    std::string_view cell = row.substr(middle + 3);
    if (cell.find(" | ") != cell.npos) continue;
    // "the same": the names of the left cell; "none": what follows is ours.
    if (cell.starts_with("the same")) cell = row;
    for (const std::string& name : promised_names(cell)) {
      EXPECT_TRUE(known.contains(name)) << name << " in: " << row;
      ++count;
    }
  }
  EXPECT_GT(count, 300);
}

TEST(NumpyPage, QuotesThisFile) {
  EXPECT_EQ(cp::testing::expect_quotes(docs::page::kFiles[0].text, docs::page::kFiles[1].text), 1);
}

}  // namespace
