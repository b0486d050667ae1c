// SPDX-License-Identifier: MIT
#include "chainerxx/functions/network/crf1d.h"

#include <algorithm>
#include <utility>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

void check_steps(const char* name, const Variable& cost, const std::vector<Variable>& xs) {
  internal::refuse_none(name, {&cost});
  const Shape costs = cost.shape();
  if (costs.ndim() != 2 || costs[0] != costs[1]) {
    throw cupyxx::ShapeError(
        cupyxx::message(name, ": the costs are not (labels, labels); ", costs));
  }
  if (xs.empty()) throw cupyxx::ValueError(cupyxx::message(name, ": there are no steps"));
  for (std::size_t t = 0; t < xs.size(); ++t) {
    internal::refuse_none(name, {&xs[t]});
    const Shape x = xs[t].shape();
    if (x.ndim() != 2 || x[1] != costs[0]) {
      throw cupyxx::ShapeError(
          cupyxx::message(name, ": step ", t, " is not (n, ", costs[0], "); ", x));
    }
    if (t > 0 && x[0] > xs[t - 1].shape()[0]) {
      throw cupyxx::ShapeError(cupyxx::message(name, ": step ", t,
                                               " has more sequences than the one before; ", x[0],
                                               " and ", xs[t - 1].shape()[0]));
    }
  }
}

void check_labels(const std::vector<Variable>& xs, const std::vector<Variable>& ys) {
  if (xs.size() != ys.size()) {
    throw cupyxx::ValueError(cupyxx::message("crf1d: there are not as many labels as steps; ",
                                             ys.size(), " and ", xs.size()));
  }
  for (std::size_t t = 0; t < ys.size(); ++t) {
    internal::refuse_none("crf1d", {&ys[t]});
    if (ys[t].shape() == Shape{xs[t].shape()[0]}) continue;
    throw cupyxx::ShapeError(cupyxx::message("crf1d: the labels of step ", t, " are not (",
                                             xs[t].shape()[0], ",); ", ys[t].shape()));
  }
}

/// One row for each sequence: those that still go on, and those that have ended, the last first.
class Rows {
 public:
  explicit Rows(Variable first) : rows_(std::move(first)) {}

  /// The first n rows, which go on; the others stay as they are.
  const Variable& go_on(std::int64_t n) {
    if (rows_.shape()[0] > n) {
      const std::vector<Variable> parts = split_axis(rows_, {n}, 0);
      rows_ = parts[0];
      ended_.push_back(parts[1]);
    }
    return rows_;
  }
  void set(Variable rows) { rows_ = std::move(rows); }
  Variable all() const {
    if (ended_.empty()) return rows_;
    std::vector<Variable> parts{rows_};
    parts.insert(parts.end(), ended_.rbegin(), ended_.rend());
    return concat(parts, 0);
  }

 private:
  Variable rows_;
  std::vector<Variable> ended_;
};

/// log(sum(exp)) of the scores of all sequences of labels.
Variable log_total(const Variable& cost, const std::vector<Variable>& xs) {
  Rows alpha(xs[0]);
  for (std::size_t t = 1; t < xs.size(); ++t) {
    const Variable& before = alpha.go_on(xs[t].shape()[0]);
    alpha.set(logsumexp(expand_dims(before, 2) + cost, 1) + xs[t]);
  }
  return logsumexp(alpha.all(), 1);
}

/// The scores of these labels.
Variable score_of(const Variable& cost, const std::vector<Variable>& xs,
                  const std::vector<Variable>& ys) {
  Rows score(select_item(xs[0], ys[0]));
  for (std::size_t t = 1; t < xs.size(); ++t) {
    const std::int64_t n = xs[t].shape()[0];
    // select_item has reported labels out of range, among them those that would count from the end.
    const ndarray previous = ys[t - 1].data()(cupyxx::slice(0, n));
    const Variable own = select_item(xs[t], ys[t]);
    score.set(score.go_on(n) + own + get_item(cost, {previous, ys[t].data()}));
  }
  return score.all();
}

std::int64_t checked(std::int64_t n_label) {
  internal::check_sizes("CRF1d", {n_label});
  return n_label;
}

}  // namespace

Variable crf1d(const Variable& cost, const std::vector<Variable>& xs,
               const std::vector<Variable>& ys, ReduceChoice reduce) {
  check_steps("crf1d", cost, xs);
  check_labels(xs, ys);
  std::vector<Variable> scores;
  scores.reserve(xs.size());
  for (const Variable& x : xs) scores.push_back(internal::widened(x));
  const Variable costs = internal::widened(cost);
  const Variable losses = log_total(costs, scores) - score_of(costs, scores, ys);
  if (reduce == Reduce::no) return losses;
  const auto sequences = static_cast<double>(std::max<std::int64_t>(losses.size(), 1));
  return reduce == Reduce::sum ? sum(losses) : sum(losses) / sequences;
}

CRF1dPath argmax_crf1d(const Variable& cost, const std::vector<Variable>& xs) {
  check_steps("argmax_crf1d", cost, xs);
  const cupyxx::DeviceScope device(xs[0].device());
  const std::int64_t labels = cost.shape()[0];
  ndarray alpha = xs[0].data();
  std::vector<ndarray> from, ended;  // of each step but the first; scores of what ends before it
  for (std::size_t t = 1; t < xs.size(); ++t) {
    const std::int64_t n = xs[t].shape()[0];
    ended.push_back(alpha(cupyxx::slice(n, cupyxx::none)));
    alpha = alpha(cupyxx::slice(0, n));
    const ndarray ways = cupyxx::expand_dims(alpha, 2) + cost.data();
    from.push_back(ways.argmax(1));
    alpha = ways.max(1) + xs[t].data();
  }
  CRF1dPath best{alpha.max(1), {alpha.argmax(1)}};
  for (std::size_t t = xs.size() - 1; t > 0; --t) {
    const ndarray& rest = ended[t - 1];
    const ndarray places = cupyxx::arange(best.path.back().size()) * labels + best.path.back();
    const ndarray previous = cupyxx::take(from[t - 1].ravel(), places);
    best.path.push_back(cupyxx::concatenate({previous, rest.argmax(1)}));
    best.score = cupyxx::concatenate({best.score, rest.max(1)});
  }
  std::reverse(best.path.begin(), best.path.end());
  return best;
}

CRF1d::CRF1d(std::int64_t n_label, const initializers::Initial& initial_cost)
    : cost(add("cost", Parameter(initial_cost, {checked(n_label), n_label}))) {}

Variable CRF1d::operator()(const std::vector<Variable>& xs, const std::vector<Variable>& ys,
                           ReduceChoice reduce) const {
  const bool is_volatile = !xs.empty() && !xs[0].is_none() && xs[0].volatile_();
  return crf1d(cost(is_volatile), xs, ys, reduce);
}

CRF1dPath CRF1d::argmax(const std::vector<Variable>& xs) const {
  return argmax_crf1d(cost(true), xs);
}

}  // namespace chainerxx::functions
