// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/attention.h"

#include <cmath>
#include <limits>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/matmul.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {

Variable scaled_dot_product_attention(const Variable& query, const Variable& key,
                                      const Variable& value, const AttentionOptions& options) {
  if (query.ndim() < 3 || key.ndim() < 3 || value.ndim() < 3) {
    throw cupyxx::ShapeError("scaled_dot_product_attention: the inputs have fewer than 3 axes; " +
                             query.shape().str() + ", " + key.shape().str() + " and " +
                             value.shape().str());
  }
  const double depth = static_cast<double>(query.shape().back());
  Variable scores =
      batch_matmul(query, key, false, true) * options.scale.value_or(1 / std::sqrt(depth));
  ndarray mask = options.mask;
  if (options.is_causal) {
    const cupyxx::Shape shape = scores.shape();
    const ndarray rows = cupyxx::arange(shape[shape.ndim() - 2]);
    const ndarray causal =
        cupyxx::greater_equal(cupyxx::expand_dims(rows, 1), cupyxx::arange(shape.back()));
    mask = mask.is_none() ? causal : cupyxx::logical_and(mask, causal);
  }
  if (!mask.is_none()) {
    const ndarray hidden =
        cupyxx::full({}, -std::numeric_limits<double>::infinity(), scores.dtype());
    scores = where(mask, scores, hidden);
  }
  return batch_matmul(softmax(scores, scores.ndim() - 1), value);
}

}  // namespace chainerxx::functions
