// SPDX-License-Identifier: MIT
// The output layer of language models over large vocabularies: "BlackOut: Speeding up Recurrent
// Neural Network Language Models With Very Large Vocabularies" (Ji et al., 2016).
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/parameter.h"
#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/utils/walker_alias.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// black_out() with its weights, whose samples are drawn with probabilities `counts`.
class CUPYXX_API BlackOut final : public FunctionSet {
 public:
  /// W starts as normal numbers of deviation sqrt(1 / in_size). Throws ValueError as WalkerAlias
  /// does, and for less than one sample.
  BlackOut(std::int64_t in_size, const std::vector<std::int64_t>& counts, std::int64_t sample_size);

  Parameter& W;  ///< (words, in)
  /// When given, (n, sample_size): what is taken instead of drawn words.
  ndarray samples;

  /// The loss of x (n, in) for the words t (n,).
  Variable operator()(const Variable& x, const Variable& t, ReduceChoice reduce = Reduce::mean);

 private:
  std::int64_t sample_size_;
  utils::WalkerAlias sampler_;  // goes where x is
};

}  // namespace chainerxx::functions
