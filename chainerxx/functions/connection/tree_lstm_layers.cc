// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/tree_lstm_layers.h"

#include "chainerxx/functions/activation/tree_lstm.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/connection/recurrent_state.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

constexpr int kOwn = 3;  // a, i, o
constexpr std::int64_t kMostChildren = 1000;
constexpr const char* kSum = "ChildSumTreeLSTM";
constexpr const char* kNary = "NaryTreeLSTM";

/// Cells in the type of a 16-bit product, in which gates are.
Variable narrowed(const Variable& c) { return cast(c, internal::narrowed(c.dtype())); }

std::int64_t gates_of(std::int64_t n_ary, std::int64_t out_size) {
  if (n_ary >= 1 && n_ary <= kMostChildren) return internal::times(kNary, kOwn + n_ary, out_size);
  throw cupyxx::ValueError(
      cupyxx::message(kNary, ": the number of children is not in [1, 1000]; ", n_ary));
}

void check(const char* name, const std::vector<Variable>& cs, const std::vector<Variable>& hs,
           const Variable& x, std::int64_t units) {
  internal::check_input(name, x);
  if (cs.size() != hs.size()) {
    throw cupyxx::ValueError(cupyxx::message(
        name, ": there are not as many cells as hidden states; ", cs.size(), " and ", hs.size()));
  }
  for (std::size_t k = 0; k < cs.size(); ++k) {
    if (cs[k].is_none() != hs[k].is_none()) {
      throw cupyxx::ValueError(
          cupyxx::message(name, ": child ", k, " has only one of cells and hidden states"));
    }
    if (cs[k].is_none()) continue;
    for (const Variable* state : {&cs[k], &hs[k]}) {
      internal::check_state(name, *state, units);
      internal::check_batch(name, *state, x);
    }
  }
}

}  // namespace

ChildSumTreeLSTM::ChildSumTreeLSTM(std::int64_t in_size, std::int64_t out_size)
    : W_x(add("W_x", Linear(in_size, internal::times(kSum, kOwn + 1, out_size)))),
      W_h_aio(add("W_h_aio",
                  Linear(out_size, internal::times(kSum, kOwn, out_size), {.nobias = true}))),
      W_h_f(add("W_h_f", Linear(out_size, out_size, {.nobias = true}))) {}

VariableArray<2> ChildSumTreeLSTM::operator()(const std::vector<Variable>& cs,
                                              const std::vector<Variable>& hs,
                                              const Variable& x) const {
  const std::int64_t units = W_h_f.W.shape()[0];
  check(kSum, cs, hs, x, units);
  std::vector<Variable> cells;
  Variable sum;
  for (std::size_t k = 0; k < cs.size(); ++k) {
    if (cs[k].is_none()) continue;
    cells.push_back(narrowed(cs[k]));
    sum = sum.is_none() ? hs[k] : sum + hs[k];
  }
  const std::vector<Variable> of_x = split_axis(W_x(x), {kOwn * units}, 1);
  if (cells.empty()) return tree_lstm(cells, of_x[0]);
  std::vector<Variable> gates = {of_x[0] + W_h_aio(sum)};
  for (const Variable& h : hs) {
    if (!h.is_none()) gates.push_back(of_x[1] + W_h_f(h));
  }
  return tree_lstm(cells, concat(gates, 1));
}

NaryTreeLSTM::NaryTreeLSTM(std::int64_t in_size, std::int64_t out_size, std::int64_t n_ary)
    : W_x(add("W_x", Linear(in_size, gates_of(n_ary, out_size)))) {
  for (std::int64_t k = 1; k <= n_ary; ++k) {
    const Linear made(out_size, gates_of(n_ary, out_size), {.nobias = true});
    W_h_.push_back(&add(cupyxx::message("W_h", k), made));
  }
}

const Linear& NaryTreeLSTM::W_h(std::int64_t child) const {
  if (child >= 0 && child < n_ary()) return *W_h_[static_cast<std::size_t>(child)];
  throw cupyxx::IndexError(cupyxx::message(kNary, ": there is no child ", child, " of ", n_ary()));
}

VariableArray<2> NaryTreeLSTM::operator()(const std::vector<Variable>& cs,
                                          const std::vector<Variable>& hs,
                                          const Variable& x) const {
  const std::int64_t units = W_h_[0]->W.shape()[1];
  check(kNary, cs, hs, x, units);
  if (!cs.empty() && cs.size() != W_h_.size()) {
    throw cupyxx::ValueError(cupyxx::message(kNary, ": there are not as many children as weights; ",
                                             cs.size(), " and ", W_h_.size()));
  }
  Variable gates = W_x(x);
  std::vector<Variable> cells;
  for (std::size_t k = 0; k < W_h_.size(); ++k) {
    const bool is_there = k < cs.size() && !cs[k].is_none();
    if (is_there) gates = gates + (*W_h_[k])(hs[k]);
    cells.push_back(is_there ? narrowed(cs[k]) : internal::zeros_beside(gates, units));
  }
  return tree_lstm(cells, gates);
}

}  // namespace chainerxx::functions
