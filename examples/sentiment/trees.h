// SPDX-License-Identifier: MIT
// Sentences as binary trees whose every node has a mood, made by a rule.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

namespace sentiment {

/// The words: four good and four bad adjectives, four nouns, which have no mood, and four that
/// join. "not" turns the mood of what follows round, "very" leaves it, "but" between two parts
/// gives the mood of the second, "and" that of both together, where opposite ones cancel each
/// other.
inline constexpr std::array<const char*, 16> kWords = {
    "good", "great", "warm", "bright", "bad", "awful", "cold", "dull",
    "film", "story", "song", "day",    "not", "very",  "and",  "but"};
enum Mood : std::int32_t { kNegative = 0, kNeutral = 1, kPositive = 2 };

struct Tree {
  std::int32_t mood = kNeutral;
  std::int32_t word = -1;  // of a leaf
  std::unique_ptr<Tree> left, right;

  std::string str() const {
    if (left == nullptr) return kWords[static_cast<std::size_t>(word)];
    return "(" + left->str() + " " + right->str() + ")";
  }
};

using TreePtr = std::unique_ptr<Tree>;

inline TreePtr leaf(std::int32_t word) {
  const std::int32_t mood = word < 4 ? kPositive : word < 8 ? kNegative : kNeutral;
  return std::make_unique<Tree>(Tree{mood, word, nullptr, nullptr});
}

inline TreePtr node(std::int32_t mood, TreePtr left, TreePtr right) {
  return std::make_unique<Tree>(Tree{mood, -1, std::move(left), std::move(right)});
}

/// "and" or "but" with what follows it, whose mood it has.
inline TreePtr joined(std::int32_t word, TreePtr part) {
  const std::int32_t mood = part->mood;
  return node(mood, leaf(word), std::move(part));
}

/// A random sentence; deeper ones join more parts.
inline TreePtr make_tree(std::mt19937& random, int depth) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::int32_t>(random() % n); };
  constexpr std::int32_t kNot = 12, kVery = 13, kAnd = 14, kBut = 15;
  switch (depth == 0 ? 0 : 1 + below(5)) {
    case 0: {  // an adjective and a noun
      TreePtr adjective = leaf(below(8));
      const std::int32_t mood = adjective->mood;
      return node(mood, std::move(adjective), leaf(8 + below(4)));
    }
    case 1: {
      TreePtr part = make_tree(random, depth - 1);
      const std::int32_t mood = kPositive - part->mood;
      return node(mood, leaf(kNot), std::move(part));
    }
    case 2: {
      TreePtr part = make_tree(random, depth - 1);
      const std::int32_t mood = part->mood;
      return node(mood, leaf(kVery), std::move(part));
    }
    case 3: {
      TreePtr first = make_tree(random, depth - 1), second = make_tree(random, depth - 1);
      const std::int32_t sum = first->mood + second->mood - 2;
      const std::int32_t mood = sum > 0 ? kPositive : sum < 0 ? kNegative : kNeutral;
      return node(mood, std::move(first), joined(kAnd, std::move(second)));
    }
    default: {
      TreePtr first = make_tree(random, depth - 1), second = make_tree(random, depth - 1);
      const std::int32_t mood = second->mood;
      return node(mood, std::move(first), joined(kBut, std::move(second)));
    }
  }
}

}  // namespace sentiment
