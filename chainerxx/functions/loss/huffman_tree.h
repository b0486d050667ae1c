// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "cupyxx/export.h"

namespace chainerxx::functions {

/// A binary tree whose leaves are numbers, as BinaryHierarchicalSoftmax takes it:
/// `Tree(Tree(0, 1), 2)`.
class CUPYXX_API Tree {
 public:
  Tree(std::int64_t leaf) : leaf_(leaf) {}  // NOLINT(google-explicit-constructor)
  Tree(const Tree& left, const Tree& right);

  bool is_leaf() const { return children_ == nullptr; }
  std::int64_t leaf() const { return leaf_; }
  const Tree& left() const;
  const Tree& right() const;
  /// "((0, 1), 2)".
  std::string str() const;

 private:
  struct Children;
  std::int64_t leaf_ = 0;
  std::shared_ptr<const Children> children_;
};

/// The tree of shortest paths on average (Huffman, 1952) for words with numbers of occurrences.
/// Throws ValueError for fewer than two words, and for counts whose sum exceeds 64 bits.
CUPYXX_API Tree create_huffman_tree(const std::map<std::int64_t, std::int64_t>& word_counts);

}  // namespace chainerxx::functions
