// SPDX-License-Identifier: MIT
// Losses over many words that look at a few of them: the right one, and some that were drawn.
#pragma once

#include <cstdint>

#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/utils/walker_alias.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// -log(sigmoid(w_t x)) - sum of log(sigmoid(-w_s x)) over the samples s (Mikolov et al., 2013):
/// x is (n, in), W (words, in), t holds n words and `samples` is (n, drawn) of integers. The sum
/// over the batch, the mean, or a loss for each. Throws ShapeError for arrays that do not fit,
/// TypeError for words that are no integers; a word out of range is an IndexError, on a CUDA device
/// at the next synchronising call. NegativeSampling is the layer, which adds to the few rows of its
/// gradient that count; here the gradient of W is made as a whole.
CUPYXX_API Variable negative_sampling(const Variable& x, const Variable& t, const Variable& W,
                                      const Variable& samples, ReduceChoice reduce = Reduce::sum);
/// In Chainer's order: with `sample_size` words that `sampler` draws. Throws ValueError for a
/// negative size.
CUPYXX_API Variable negative_sampling(const Variable& x, const Variable& t, const Variable& W,
                                      const utils::WalkerAlias& sampler, std::int64_t sample_size,
                                      ReduceChoice reduce = Reduce::sum);

/// -log(p(t)) - sum of log(1 - p(s)) over the samples s (Ji et al., 2016), where p is the softmax
/// of w x over t and its samples. The arguments are those of negative_sampling; the mean by
/// default. There is at least one sample. Throws as negative_sampling.
CUPYXX_API Variable black_out(const Variable& x, const Variable& t, const Variable& W,
                              const Variable& samples, ReduceChoice reduce = Reduce::mean);

}  // namespace chainerxx::functions
