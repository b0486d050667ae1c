// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/attention.h"

#include <algorithm>
#include <cmath>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {

Variable scaled_dot_product_attention(const Variable& query, const Variable& key,
                                      const Variable& value, const AttentionOptions& options) {
  internal::refuse_none("scaled_dot_product_attention", {&query, &key, &value});
  if (query.ndim() < 3 || key.ndim() < 3 || value.ndim() < 3) {
    throw cupyxx::ShapeError(
        cupyxx::message("scaled_dot_product_attention: the inputs have fewer than 3 axes; ",
                        query.shape(), ", ", key.shape(), " and ", value.shape()));
  }
  const cupyxx::DeviceScope device(query.device());
  // Of vectors without elements all products are 0, whatever they are multiplied by.
  const double depth = static_cast<double>(std::max<std::int64_t>(query.shape().back(), 1));
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
  const int keys = scores.ndim() - 1;
  if (mask.is_none()) return batch_matmul(softmax(scores, keys), value);
  // Hidden scores are the lowest finite number: a query that sees nothing then has weights, which
  // become 0, and not NaN.
  const double lowest = scores.dtype() == cupyxx::float16 ? -65504 : -3.4028234663852886e38;
  const ndarray hidden = cupyxx::full({}, lowest, scores.dtype());
  const ndarray zero = cupyxx::zeros({}, scores.dtype());
  const Variable weights = softmax(where(mask, scores, hidden), keys);
  return batch_matmul(where(mask, weights, zero), value);
}

}  // namespace chainerxx::functions
