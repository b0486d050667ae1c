// SPDX-License-Identifier: MIT
// Conditional random fields over sequences of labels: "Conditional Random Fields: Probabilistic
// Models for Segmenting and Labeling Sequence Data" (Lafferty et al., 2001).
//
// Sequences lie step by step, as transpose_sequence has them: xs[t] are the scores (n_t, labels) of
// all that are longer than t, the longest first, so that n_t never grows.
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/parameter.h"
#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/initializers.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The most likely labels of sequences, and what they score.
struct CRF1dPath {
  ndarray score;              ///< (n,)
  std::vector<ndarray> path;  ///< of each step the labels (n_t,), int64
};

/// The negative log-likelihood of labels: a sequence scores the sum of its labels' elements of xs
/// and of cost[previous label, label] of its transitions, and its likelihood is the softmax of that
/// over all sequences of its length. `cost` is (labels, labels), ys[t] holds n_t integers. The mean
/// over the sequences, their sum, or one loss each. Throws ValueError for no steps, ShapeError for
/// what does not fit; a label out of range is an IndexError.
CUPYXX_API Variable crf1d(const Variable& cost, const std::vector<Variable>& xs,
                          const std::vector<Variable>& ys, ReduceChoice reduce = Reduce::mean);
/// The labels of the highest score, of several the first (Viterbi). No gradient.
CUPYXX_API CRF1dPath argmax_crf1d(const Variable& cost, const std::vector<Variable>& xs);

/// crf1d with its costs as a parameter.
class CUPYXX_API CRF1d final : public FunctionSet {
 public:
  /// Costs are zeros unless `initial_cost` says otherwise.
  explicit CRF1d(std::int64_t n_label, const initializers::Initial& initial_cost = 0);

  Parameter& cost;  ///< (labels, labels)

  Variable operator()(const std::vector<Variable>& xs, const std::vector<Variable>& ys,
                      ReduceChoice reduce = Reduce::mean) const;
  CRF1dPath argmax(const std::vector<Variable>& xs) const;
};

}  // namespace chainerxx::functions
