// SPDX-License-Identifier: MIT
#include "examples/gpt/text.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <unordered_map>

#include "cupyxx/creation.h"
#include "cupyxx/extension/whole_file.h"
#include "examples/program/errors.h"

namespace gpt {
namespace {

using examples::UserError;

/// Calls `use` with each word, which begins with the white space before it.
template <class Use>
void for_each_word(std::string_view text, const Use& use) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = begin + 1;
    while (end < text.size() && !is_space(text[end])) ++end;
    use(text.substr(begin, end - begin));
    begin = end;
  }
}

Tokens bytes_of(std::string_view text) {
  Tokens tokens;
  for (const char c : text) tokens.push_back(static_cast<unsigned char>(c));
  return tokens;
}

std::uint64_t key_of(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

/// Replaces a pair of neighbours by one token.
void replace(Tokens& tokens, std::int32_t left, std::int32_t right, std::int32_t token) {
  auto to = tokens.begin();
  for (auto from = tokens.begin(); from != tokens.end(); ++to) {
    const bool is_pair = *from == left && from + 1 != tokens.end() && from[1] == right;
    *to = is_pair ? token : *from;
    from += is_pair ? 2 : 1;
  }
  tokens.erase(to, tokens.end());
}

struct Word {
  Tokens tokens;
  std::int64_t count = 0;
};

/// How often pairs stand beside each other, and in which words.
class PairCounts {
 public:
  explicit PairCounts(const std::vector<Word>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) add(words[i], i, 1);
  }
  void add(const Word& word, std::size_t number, std::int64_t sign) {
    for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i) {
      const std::uint64_t key = key_of(word.tokens[i], word.tokens[i + 1]);
      counts_[key] += sign * word.count;
      if (sign > 0) words_[key].push_back(number);
    }
  }
  /// The most frequent pair, of several the first; nothing when none occurs twice.
  std::optional<std::uint64_t> most() const {
    std::uint64_t best = 0;
    std::int64_t most = 1;
    for (const auto& [key, count] : counts_) {
      if (count > most || (count == most && most > 1 && key < best)) {
        best = key;
        most = count;
      }
    }
    if (most < 2) return std::nullopt;
    return best;
  }
  std::vector<std::size_t> take_words(std::uint64_t key) {
    std::vector<std::size_t> words = std::move(words_[key]);
    words_.erase(key);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
  }
  void forget(std::uint64_t key) { counts_.erase(key); }

 private:
  std::unordered_map<std::uint64_t, std::int64_t> counts_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> words_;
};

std::uint64_t hash_of(std::string_view text) {  // FNV-1a
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace

Vocabulary::Vocabulary() {
  for (int byte = 0; byte < 256; ++byte) pieces_.emplace_back(1, static_cast<char>(byte));
}

void Vocabulary::join(const Pair& pair) {
  joined_.push_back(pair);
  pieces_.push_back(pieces_[static_cast<std::size_t>(pair.first)] +
                    pieces_[static_cast<std::size_t>(pair.second)]);
}

Vocabulary Vocabulary::learn(std::string_view text, std::int64_t size) {
  std::map<std::string_view, std::int64_t> counts;
  for_each_word(text, [&](std::string_view word) { ++counts[word]; });
  std::vector<Word> words;
  words.reserve(counts.size());
  for (const auto& [word, count] : counts) words.push_back({bytes_of(word), count});
  PairCounts pairs(words);
  Vocabulary vocabulary;
  while (vocabulary.size() < size) {
    const std::optional<std::uint64_t> key = pairs.most();
    if (!key) break;
    const Pair pair{static_cast<std::int32_t>(*key >> 32), static_cast<std::int32_t>(*key)};
    const auto token = static_cast<std::int32_t>(vocabulary.size());
    for (const std::size_t i : pairs.take_words(*key)) {
      pairs.add(words[i], i, -1);
      replace(words[i].tokens, pair.first, pair.second, token);
      pairs.add(words[i], i, 1);
    }
    pairs.forget(*key);
    vocabulary.join(pair);
  }
  return vocabulary;
}

Vocabulary Vocabulary::learn(std::string_view text, std::int64_t size, const std::string& path) {
  std::ostringstream heading;
  heading << "pairs for " << size << " tokens of a text of " << text.size() << " bytes, "
          << hash_of(text);
  Vocabulary vocabulary;
  if (vocabulary.load(path, heading.str())) return vocabulary;
  vocabulary = learn(text, size);
  vocabulary.save(path, heading.str());
  return vocabulary;
}

bool Vocabulary::load(const std::string& path, const std::string& heading) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != heading) return false;
  Vocabulary found;
  for (Pair pair; file >> pair.first >> pair.second;) {
    if (pair.first < 0 || pair.second < 0 || pair.first >= found.size() ||
        pair.second >= found.size()) {
      return false;
    }
    found.join(pair);
  }
  if (!file.eof()) return false;
  *this = std::move(found);
  return true;
}

void Vocabulary::save(const std::string& path, const std::string& heading) const {
  std::ostringstream text;
  text << heading << '\n';
  for (const auto& [left, right] : joined_) text << left << ' ' << right << '\n';
  // A part of it would be taken for all of it.
  cupyxx::extension::write_whole_file("vocabulary", path, text.str());
}

Tokens Vocabulary::encode(std::string_view text) const {
  std::unordered_map<std::uint64_t, std::int32_t> tokens;
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    tokens.emplace(key_of(joined_[i].first, joined_[i].second), static_cast<std::int32_t>(256 + i));
  }
  std::unordered_map<std::string_view, Tokens> known;
  Tokens out;
  for_each_word(text, [&](std::string_view word) {
    const auto [place, is_new] = known.try_emplace(word);
    Tokens& pieces = place->second;
    if (is_new) {
      pieces = bytes_of(word);
      while (true) {  // the pair that was learned first
        std::int32_t first = INT32_MAX;
        std::size_t at = 0;
        for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
          const auto found = tokens.find(key_of(pieces[i], pieces[i + 1]));
          if (found == tokens.end() || found->second >= first) continue;
          first = found->second;
          at = i;
        }
        if (first == INT32_MAX) break;
        replace(pieces, pieces[at], Tokens(pieces)[at + 1], first);
      }
    }
    out.insert(out.end(), pieces.begin(), pieces.end());
  });
  return out;
}

std::string Vocabulary::decode(const Tokens& tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) text += pieces_[static_cast<std::size_t>(token)];
  return text;
}

Batch random_batch(const Tokens& text, std::int64_t n, std::int64_t length, std::uint64_t seed,
                   std::int64_t number) {
  const std::int64_t places = std::ssize(text) - length;
  if (places < 1) {
    throw UserError(cupyxx::message("a text of ", std::ssize(text), " tokens is too short for ",
                                    length, " and the one behind; see --length"));
  }
  std::seed_seq seeds{seed, seed >> 32, static_cast<std::uint64_t>(number)};
  std::mt19937_64 random(seeds);
  Tokens tokens, next;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::ptrdiff_t>(random() % static_cast<std::uint64_t>(places));
    const auto begin = text.begin() + place;
    tokens.insert(tokens.end(), begin, begin + length);
    next.insert(next.end(), begin + 1, begin + length + 1);
  }
  return {cupyxx::array(tokens).reshape({n, length}), cupyxx::array(next).reshape({n, length})};
}

}  // namespace gpt
