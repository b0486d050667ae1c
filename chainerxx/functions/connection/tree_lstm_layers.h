// SPDX-License-Identifier: MIT
// Recurrent networks over trees: "Improved Semantic Representations From Tree-Structured Long
// Short-Term Memory Networks" (Tai et al., 2015). A call makes the states of one node, or of one
// node in each of n trees, from those of its children; None stands for a child that there is not.
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Nodes with any number of children, in no order: gates see the sum of their hidden states, and
/// each child has a forget gate that sees its own.
class CUPYXX_API ChildSumTreeLSTM final : public FunctionSet {
 public:
  ChildSumTreeLSTM(std::int64_t in_size, std::int64_t out_size);

  Linear& W_x;      ///< (4 out, in): a, i, o, f
  Linear& W_h_aio;  ///< (3 out, out), without bias
  Linear& W_h_f;    ///< (out, out), without bias

  /// `{c, h}` (n, out) of nodes with inputs x (n, in), from their children's cells and hidden
  /// states; of leaves the lists are empty. Throws ValueError for lists of several lengths, and for
  /// a child with one of them only.
  VariableArray<2> operator()(const std::vector<Variable>& cs, const std::vector<Variable>& hs,
                              const Variable& x) const;
};

/// Nodes with a fixed number of children, each with weights of its own.
class CUPYXX_API NaryTreeLSTM final : public FunctionSet {
 public:
  /// Throws ValueError for less than 1 or more than 1000 children.
  NaryTreeLSTM(std::int64_t in_size, std::int64_t out_size, std::int64_t n_ary = 2);

  Linear& W_x;  ///< ((3 + n_ary) out, in): a, i, o, f_1, ...
  /// That of a child's hidden state, ((3 + n_ary) out, out), without bias; the first is W_h1.
  const Linear& W_h(std::int64_t child) const;
  std::int64_t n_ary() const { return static_cast<std::int64_t>(W_h_.size()); }

  /// As of ChildSumTreeLSTM, of as many children; those that are None, or all where the lists are
  /// empty, count as zeros.
  VariableArray<2> operator()(const std::vector<Variable>& cs, const std::vector<Variable>& hs,
                              const Variable& x) const;

 private:
  std::vector<Linear*> W_h_;
};

}  // namespace chainerxx::functions
