// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of scaled_dot_product_attention.
struct AttentionOptions {
  /// bool, broadcast to (..., queries, keys): false hides a key from a query. A query that sees no
  /// key gives zeros.
  ndarray mask = {};
  /// Factor of the products; 1 / sqrt(depth) when not given.
  std::optional<double> scale = {};
  bool is_causal = false;  ///< hides the keys behind each query
};

/// softmax(query key^T scale) value over the last two axes (Vaswani et al., 2017). query is (...,
/// queries, depth), key (..., keys, depth), value (..., keys, width); the axes before broadcast.
CUPYXX_API Variable scaled_dot_product_attention(const Variable& query, const Variable& key,
                                                 const Variable& value,
                                                 const AttentionOptions& options = {});

}  // namespace chainerxx::functions
