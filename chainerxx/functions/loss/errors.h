// SPDX-License-Identifier: MIT
// Distances of single elements, of distributions and of directions.
#pragma once

#include <concepts>

#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of cosine_similarity.
struct CosineSimilarityOptions {
  int axis = 1;
  double eps = 1e-8;
};

/// |x0 - x1|, element by element; x0 and x1 have one shape. Where both are equal no gradient flows.
CUPYXX_API Variable absolute_error(const Variable& x0, const Variable& x1);
/// (x0 - x1)^2, element by element; x0 and x1 have one shape.
CUPYXX_API Variable squared_error(const Variable& x0, const Variable& x1);
/// The mean of |x0 - x1| over all elements, as a 0-d variable; 0 when there are none.
CUPYXX_API Variable mean_absolute_error(const Variable& x0, const Variable& x1);
/// The Kullback-Leibler divergence of `target`, which holds probabilities, from the distribution
/// whose log-probabilities are x: the mean over all elements of target * (log(target) - x), 0 where
/// the target is 0. x and target have one shape. The divergence by its definition, averaged over
/// samples, is that with Reduce::sum divided by their number.
CUPYXX_API Variable kl_div(const Variable& x, const Variable& target,
                           ReduceChoice reduce = Reduce::mean);
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable kl_div(const Variable& x, const Variable& target, O options) {
  return kl_div(x, target, options.reduce.value_or(Reduce::mean));
}
/// The cosine of the angle between vectors along an axis: sum(x0 x1) / (max(|x0|, eps)
/// max(|x1|, eps)). x0 and x1 have one shape; the result lacks the axis. Throws ValueError unless
/// eps is positive. It is computed in float32 at least, where eps is 1e-18 or more.
CUPYXX_API Variable cosine_similarity(const Variable& x0, const Variable& x1, int axis = 1,
                                      double eps = 1e-8);
template <std::same_as<CosineSimilarityOptions> O = CosineSimilarityOptions>
Variable cosine_similarity(const Variable& x0, const Variable& x1, O options) {
  return cosine_similarity(x0, x1, options.axis, options.eps);
}
/// For pairs of rows 1 - cos where t is 1, and max(0, cos - margin) where t is another number (-1
/// by custom), cos being their cosine_similarity. x0 and x1 are (n, units), t holds n integers.
/// Throws ValueError for a margin outside of [-1, 1].
CUPYXX_API Variable cosine_embedding_loss(const Variable& x0, const Variable& x1, const Variable& t,
                                          double margin = 0, ReduceChoice reduce = Reduce::mean);
template <std::same_as<MarginOptions> O = MarginOptions>
Variable cosine_embedding_loss(const Variable& x0, const Variable& x1, const Variable& t,
                               O options) {
  return cosine_embedding_loss(x0, x1, t, options.margin.value_or(0), options.reduce);
}

}  // namespace chainerxx::functions
