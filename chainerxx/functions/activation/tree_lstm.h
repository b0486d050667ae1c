// SPDX-License-Identifier: MIT
// Recurrent cells of trees: a node's cells come from those of its children.
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The cells and hidden states `{c, h}` of a node with N children (Tai et al., 2015; Bowman et al.,
/// 2016), from the children's cells (n, units, ...) and x (n, (3 + N) units, ...), whose parts
/// along axis 1 are a, i, o, f_1, ... f_N: c = tanh(a) sigmoid(i) + sum of c_k sigmoid(f_k), h =
/// tanh(c) sigmoid(o). Without children it is a leaf. Throws ShapeError for what does not fit.
CUPYXX_API VariableArray<2> tree_lstm(const std::vector<Variable>& cs, const Variable& x);
/// In Chainer's order: the children's cells one by one, x behind them.
template <internal::AsVariable... More>
VariableArray<2> tree_lstm(const Variable& c, const Variable& next, const More&... more) {
  std::vector<Variable> cs{c, next, more...};
  const Variable x = cs.back();
  cs.pop_back();
  return tree_lstm(cs, x);
}

/// The cells and hidden states `{c, h}` of a node with two children (Zhu et al., 2015), from their
/// cells (n, units, ...) and x1, x2 (n, 4 units, ...), whose columns are a, i, f, o of unit 0, then
/// of unit 1, ...: c = tanh(a1) sigmoid(i1) + tanh(a2) sigmoid(i2) + c_prev1 sigmoid(f1) +
/// c_prev2 sigmoid(f2), h = tanh(c) sigmoid(o1 + o2), which is what Chainer computes. Throws
/// ShapeError for what does not fit.
CUPYXX_API VariableArray<2> slstm(const Variable& c_prev1, const Variable& c_prev2,
                                  const Variable& x1, const Variable& x2);

}  // namespace chainerxx::functions
