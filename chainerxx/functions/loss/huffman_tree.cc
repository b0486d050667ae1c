// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/huffman_tree.h"

#include <queue>
#include <utility>
#include <vector>

#include "cupyxx/error.h"

namespace chainerxx::functions {

struct Tree::Children {
  Tree left, right;
};

Tree::Tree(const Tree& left, const Tree& right)
    : children_(std::make_shared<const Children>(Children{left, right})) {}

const Tree& Tree::left() const { return children_->left; }
const Tree& Tree::right() const { return children_->right; }

std::string Tree::str() const {
  if (is_leaf()) return std::to_string(leaf_);
  return "(" + left().str() + ", " + right().str() + ")";
}

Tree create_huffman_tree(const std::map<std::int64_t, std::int64_t>& word_counts) {
  if (word_counts.size() < 2) {
    throw cupyxx::ValueError(cupyxx::message(
        "create_huffman_tree: there are fewer than two words; ", word_counts.size()));
  }
  struct Entry {
    std::int64_t count;
    std::int64_t order;  // earlier entries first among equal counts
    Tree tree;
  };
  const auto later = [](const Entry& a, const Entry& b) {
    return std::pair(a.count, a.order) > std::pair(b.count, b.order);
  };
  std::priority_queue<Entry, std::vector<Entry>, decltype(later)> queue(later);
  std::int64_t order = 0;
  for (const auto& [word, count] : word_counts) queue.push({count, order++, Tree(word)});
  while (queue.size() > 1) {
    const Entry first = queue.top();
    queue.pop();
    const Entry second = queue.top();
    queue.pop();
    std::int64_t count;
    if (__builtin_add_overflow(first.count, second.count, &count)) {
      throw cupyxx::ValueError(cupyxx::message("create_huffman_tree: the counts exceed 64 bits; ",
                                               first.count, " and ", second.count));
    }
    queue.push({count, order++, Tree(first.tree, second.tree)});
  }
  return queue.top().tree;
}

}  // namespace chainerxx::functions
