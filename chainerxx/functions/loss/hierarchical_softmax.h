// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/loss/huffman_tree.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::internal {
struct SampledLogistic;
}  // namespace chainerxx::internal

namespace chainerxx::functions {

/// A softmax over the leaves of a binary tree, as a loss (Morin and Bengio, 2005): each node on the
/// way to the label decides with its row of W, by +1 for the left child and -1 for the right. Nodes
/// are numbered in depth-first preorder; the loss is summed over the batch. Throws IndexError for a
/// label that is no leaf, on a CUDA device at the next synchronising call.
class CUPYXX_API BinaryHierarchicalSoftmax final : public FunctionOf<BinaryHierarchicalSoftmax> {
 public:
  /// W starts as uniform numbers in [-1, 1). Throws ValueError for a tree that is a leaf, or with a
  /// negative or repeated one.
  BinaryHierarchicalSoftmax(std::int64_t in_size, const Tree& tree,
                            cupyxx::dtype dtype = cupyxx::float32);

  ParameterArray W{&gW};  // (nodes, in)
  ndarray gW;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }
  std::vector<Field> fields() override;
  void move_to(cupyxx::Device device) override;

 private:
  ndarray paths_;  // (leaves, depth): the nodes on the way to each leaf, then 0
  ndarray codes_;  // (leaves, depth): 1, -1, then 0
  std::shared_ptr<internal::SampledLogistic> state_;
  internal::SavedArray saved_W_;
};

}  // namespace chainerxx::functions
