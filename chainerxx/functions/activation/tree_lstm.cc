// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/tree_lstm.h"

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

constexpr int kOwn = 3;    // a, i, o of a node
constexpr int kGates = 4;  // a, i, f, o of a child

/// a, i, f and o of each unit, in the shape of the cells.
std::vector<Variable> interleaved(const Variable& x, const Shape& cells) {
  Shape by_gate = cells;
  by_gate.insert(2, kGates);
  std::vector<Variable> gates = split_axis(reshape(x, by_gate), kGates, 2);
  for (Variable& gate : gates) gate = reshape(gate, cells);
  return gates;
}

}  // namespace

VariableArray<2> tree_lstm(const std::vector<Variable>& cs, const Variable& x) {
  const char* const name = "tree_lstm";
  std::size_t number = 0;
  for (const Variable& c : cs) {
    if (c.is_none()) throw cupyxx::TypeError(cupyxx::message(name, ": input ", number, " is None"));
    ++number;
  }
  if (x.is_none()) throw cupyxx::TypeError(cupyxx::message(name, ": input ", number, " is None"));
  const int parts = kOwn + static_cast<int>(cs.size());
  const Shape gates = x.shape();
  if (gates.ndim() < 2 || gates[1] % parts != 0) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": x is not (n, ", parts, " units, ...); ", gates));
  }
  Shape cells = gates;
  cells[1] /= parts;
  for (const Variable& c : cs) {
    if (c.shape() == cells) continue;
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": cells do not fit x; ", c.shape(), " instead of ", cells));
  }
  const std::vector<Variable> gate = split_axis(x, parts, 1);
  Variable c = tanh(gate[0]) * sigmoid(gate[1]);
  for (std::size_t k = 0; k < cs.size(); ++k) c = c + sigmoid(gate[kOwn + k]) * cs[k];
  return {c, sigmoid(gate[2]) * tanh(c)};
}

VariableArray<2> slstm(const Variable& c_prev1, const Variable& c_prev2, const Variable& x1,
                       const Variable& x2) {
  const char* const name = "slstm";
  internal::refuse_none(name, {&c_prev1, &c_prev2, &x1, &x2});
  const Shape cells = c_prev1.shape();
  Shape gates = cells;
  if (cells.ndim() >= 2) gates[1] = internal::times(name, kGates, cells[1]);
  if (cells.ndim() < 2 || c_prev2.shape() != cells || x1.shape() != gates || x2.shape() != gates) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": cells and inputs are not (n, units, ...) and (n, 4 units, ...); ",
                        cells, ", ", c_prev2.shape(), ", ", x1.shape(), " and ", x2.shape()));
  }
  const std::vector<Variable> first = interleaved(x1, cells), second = interleaved(x2, cells);
  const Variable c = tanh(first[0]) * sigmoid(first[1]) + tanh(second[0]) * sigmoid(second[1]) +
                     sigmoid(first[2]) * c_prev1 + sigmoid(second[2]) * c_prev2;
  return {c, sigmoid(first[3] + second[3]) * tanh(c)};
}

}  // namespace chainerxx::functions
