// SPDX-License-Identifier: MIT
#include "examples/ptb/corpus.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"
#include "examples/program/text.h"

namespace ptb {

std::vector<std::int32_t> Vocabulary::encode(const std::string& text) {
  std::vector<std::int32_t> encoded;
  const auto take = [&](const std::string& word) {
    const auto next = static_cast<std::int32_t>(numbers_.size());
    const auto [place, is_new] = numbers_.emplace(word, next);
    if (is_new) words_.push_back(word);
    encoded.push_back(place->second);
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    bool any = false;
    for (std::string word; words >> word; any = true) take(word);
    if (any) take("<eos>");
  }
  return encoded;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path))
    throw UserError(cupyxx::message(path, ": cannot be read"));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw UserError(cupyxx::message(path, ": holds no words"));
  }
  return text;
}

std::string bible() {
  std::istringstream verses(examples::read_text("", {.flag = "train"}));
  std::string text;
  for (std::string verse; std::getline(verses, verse); text += '\n') {
    for (const std::string& word : examples::words_of(verse)) text += word + " ";
  }
  return text;
}

std::vector<std::int32_t> cut_off_end(std::vector<std::int32_t>& words) {
  const auto at = words.end() - static_cast<std::ptrdiff_t>(words.size() / 20);
  std::vector<std::int32_t> end(at, words.end());
  words.erase(at, words.end());
  return end;
}

std::string made_up_text(int sentences, std::uint32_t seed) {
  const char* const nouns[] = {"cat", "dog", "bird", "fish", "horse"};
  const char* const adjectives[] = {"small", "old", "quick"};
  const char* const verbs[] = {"sees", "likes", "follows", "hears"};
  std::uint32_t random = seed;
  const auto below = [&](std::uint32_t n) {
    random = random * 1664525 + 1013904223;
    return (random >> 16) % n;
  };
  std::string text;
  const auto thing = [&] {
    text += "the ";
    if (below(3) == 0) text += std::string(adjectives[below(3)]) + " ";
    text += nouns[below(5)];
  };
  for (int i = 0; i < sentences; ++i) {
    thing();
    if (below(5) == 0) {
      text += " sleeps";
    } else {
      text += std::string(" ") + verbs[below(4)] + " ";
      thing();
    }
    text += " .\n";
  }
  return text;
}

cupyxx::ndarray in_columns(const std::vector<std::int32_t>& words, std::int64_t columns) {
  const std::int64_t rows = static_cast<std::int64_t>(words.size()) / columns;
  if (rows < 2) {
    throw UserError(cupyxx::message("a text of ", words.size(), " words is too short for ", columns,
                                    " columns; see --batchsize"));
  }
  const cupyxx::ndarray all = cupyxx::array(words);
  return all(cupyxx::slice(0, rows * columns)).reshape({columns, rows}).T().copy();
}

}  // namespace ptb
