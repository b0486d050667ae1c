// SPDX-License-Identifier: MIT
// A text as numbers of its words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "examples/program/text.h"

namespace word2vec {

/// The words that occur often enough, the most frequent first, and the text as their numbers.
struct Corpus {
  Corpus(const std::string& text, std::int64_t rare) {
    const std::vector<std::string> all = examples::words_of(text);
    std::map<std::string, std::int64_t> occurrences;
    for (const std::string& word : all) ++occurrences[word];
    for (const auto& [word, count] : occurrences) {
      if (count >= rare) words.push_back(word);
    }
    std::ranges::sort(words, [&](const auto& a, const auto& b) {
      return std::pair(-occurrences[a], a) < std::pair(-occurrences[b], b);
    });
    for (const std::string& word : words) {
      numbers.emplace(word, static_cast<std::int32_t>(counts.size()));
      counts.push_back(occurrences[word]);
    }
    for (const std::string& word : all) {
      if (const auto it = numbers.find(word); it != numbers.end())
        text_numbers.push_back(it->second);
    }
  }

  std::vector<std::string> words;
  std::vector<std::int64_t> counts;
  std::map<std::string, std::int32_t> numbers;
  std::vector<std::int32_t> text_numbers;
};

}  // namespace word2vec
