// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of scaled_dot_product_attention and self_attention.
struct AttentionOptions {
  /// bool, broadcast to (..., queries, keys): false hides a key from a query. A query that sees no
  /// key gives zeros.
  ndarray mask = {};
  /// Factor of the products; 1 / sqrt(depth) when not given.
  std::optional<double> scale = {};
  /// Hides the keys behind each query: query i sees the keys up to number i, also where there are
  /// more keys than queries.
  bool is_causal = false;
  /// Sets weights to 0 with this probability in training (TrainScope), and divides the others by 1
  /// less it.
  double dropout_ratio = 0;
};

/// softmax(query key^T scale) value over the last two axes (Vaswani et al., 2017). query is (...,
/// queries, depth), key (..., keys, depth), value (..., keys, width); the axes before broadcast.
///
/// float16 and bfloat16 (in a PrecisionScope of these, float32, too) and, where TF32 is allowed,
/// float32 on devices with tensor cores, of depths and widths up to 128 as shared memory allows,
/// are computed by one kernel forward and two backward (Dao: "FlashAttention-2", 2023): memory
/// linear in the lengths, sums of float32, the same bits each time. All else makes the matrix of
/// weights. Long sequences of 16 bits without mask and dropout are computed by cuDNN's kernels
/// where it is faster, after about a second of compilation for each shape; CHAINERXX_CUDNN_GRAPHS=0
/// in the environment says no.
///
/// The kernels read operands in place when their last axis is contiguous and everything else a
/// multiple of 16 bytes, the transposed parts of one projection among them, and masks by their
/// strides. Results and gradients of (n, heads, length, depth) lie in memory as (n, length, heads,
/// depth), so that y.transpose({0, 2, 1, 3}).reshape({n, length, -1}) is a view.
///
/// Throws ShapeError for inputs of fewer than 3 axes or a mask that does not broadcast to the
/// weights, DtypeError for a mask that is not bool, ValueError for a ratio outside of [0, 1), and
/// InvalidType for inputs that do not fit each other.
CUPYXX_API Variable scaled_dot_product_attention(const Variable& query, const Variable& key,
                                                 const Variable& value,
                                                 const AttentionOptions& options = {});

/// The same for queries, keys and values of one projection: `qkv` is (n, length, 3 heads depth), of
/// each token all queries, all keys and all values, head by head. Gives (n, length, heads depth);
/// its gradient is one array like `qkv`, written once. Throws ShapeError for another shape.
CUPYXX_API Variable self_attention(const Variable& qkv, std::int64_t heads,
                                   const AttentionOptions& options = {});

}  // namespace chainerxx::functions
