// SPDX-License-Identifier: MIT
// Subscripts of einsum over small arrays, beside a sum over all labels. The first line of an input
// is the shapes, the rest the subscripts.
#include <algorithm>
#include <map>

#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

/// The sum by its definition, for int64 operands and subscripts without "...".
class Definition {
 public:
  /// False for subscripts that it does not follow.
  bool prepare(const std::string& subscripts, const std::vector<ndarray>& operands) {
    std::string text;
    for (const char c : subscripts) {
      if (c == '.') return false;
      if (c != ' ') text += c;
    }
    const std::size_t arrow = text.find("->");
    std::string terms = text.substr(0, arrow);
    for (const ndarray& operand : operands) {
      const std::size_t comma = std::min(terms.find(','), terms.size());
      labels_.push_back(terms.substr(0, comma));
      terms.erase(0, comma + 1);
      values_.push_back(operand.to_vector<std::int64_t>());
      for (std::size_t axis = 0; axis < labels_.back().size(); ++axis) {
        const std::int64_t n = operand.shape(static_cast<int>(axis));
        extents_[labels_.back()[axis]] = n;
        ++uses_[labels_.back()[axis]];
        if (n < 2) return false;  // may be broadcast
      }
    }
    if (arrow != std::string::npos) {
      result_ = text.substr(arrow + 2);
    } else {
      for (const auto& [label, count] : uses_) {
        if (count == 1) result_ += label;
      }
    }
    return true;
  }

  std::vector<std::int64_t> compute() {
    std::int64_t size = 1;
    for (const char label : result_) size *= extents_.at(label);
    sums_.assign(static_cast<std::size_t>(size), 0);
    add(extents_.begin());
    return sums_;
  }

 private:
  std::size_t place(const std::string& labels) const {
    std::int64_t at = 0;
    for (const char label : labels) at = at * extents_.at(label) + index_.at(label);
    return static_cast<std::size_t>(at);
  }
  void add(std::map<char, std::int64_t>::const_iterator label) {
    if (label == extents_.end()) {
      std::int64_t product = 1;
      for (std::size_t i = 0; i < labels_.size(); ++i) product *= values_[i][place(labels_[i])];
      sums_[place(result_)] += product;
      return;
    }
    const auto next = std::next(label);
    for (index_[label->first] = 0; index_[label->first] < label->second; ++index_[label->first]) {
      add(next);
    }
  }

  std::vector<std::string> labels_;
  std::vector<std::vector<std::int64_t>> values_;
  std::string result_;
  std::map<char, std::int64_t> extents_, uses_, index_;
  std::vector<std::int64_t> sums_;
};

void run(std::string_view bytes) {
  Input input(bytes);
  Input shapes(input.until('\n'));
  const std::string subscripts(input.rest());

  std::vector<ndarray> operands;
  const std::int64_t count = shapes.between(0, 3);
  std::int64_t labels = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::int64_t> extents(static_cast<std::size_t>(shapes.between(0, 4)));
    for (std::int64_t& extent : extents) extent = shapes.between(0, 3);
    labels += static_cast<std::int64_t>(extents.size());
    const ndarray a = zeros(Shape(extents), int64);
    std::int64_t value = i;
    for (std::int64_t& element : a.span<std::int64_t>()) element = value++ % 5 - 2;
    operands.push_back(a);
  }

  ndarray sum;
  if (!attempt([&] { sum = einsum(subscripts, operands); })) return;
  Definition definition;
  if (labels <= 9 && definition.prepare(subscripts, operands) &&
      definition.compute() != sum.to_vector<std::int64_t>()) {
    fail("einsum: another sum than by its definition");
  }
  // And in another dtype, of which all these numbers are exact.
  std::vector<ndarray> floats;
  floats.reserve(operands.size());
  for (const ndarray& operand : operands) floats.push_back(operand.astype(float64));
  if (!equal(einsum(subscripts, floats).astype(int64), sum)) {
    fail("einsum: float64 and int64 differ");
  }
  const ndarray out = ndarray(sum.shape(), int64);
  einsum(subscripts, operands, {.out = out});
  if (!equal(out, sum)) fail("einsum: out holds something else");
}

const Target einsum_target("einsum", &run);

}  // namespace
}  // namespace cupyxx::fuzz
