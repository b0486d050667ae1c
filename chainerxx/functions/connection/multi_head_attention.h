// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Keys and values of the tokens so far, for generation: each call of a layer with the same cache
/// appends its tokens. A default-constructed one is empty; `length = 0` empties it again.
struct KeyValueCache {
  ndarray keys = {};        ///< (n, heads, room, depth); of the tokens beyond `length` anything
  ndarray values = {};      ///< the same
  std::int64_t length = 0;  ///< tokens so far
};

/// Options of MultiHeadAttention.
struct MultiHeadAttentionOptions {
  bool is_causal = false;    ///< tokens see those before them and themselves
  double dropout_ratio = 0;  ///< of the weights, in training
  /// The base of rotary_embedding, which turns queries and keys; without it they are as projected.
  std::optional<double> rotary_base = {};
  bool nobias = false;
};

/// Self-attention of several heads (Vaswani et al., 2017): queries, keys and values are one
/// projection of the input, and what the heads give is projected once more.
class CUPYXX_API MultiHeadAttention : public FunctionSet {
 public:
  /// Throws ValueError unless `heads` divides `units`, and with rotary positions twice as many.
  MultiHeadAttention(std::int64_t units, std::int64_t heads,
                     const MultiHeadAttentionOptions& options = {});

  Linear& projection;  ///< (3 units, units): queries, keys and values, of each all heads
  Linear& output;      ///< (units, units)

  /// x (n, length, units) in the same shape. `mask` is as in scaled_dot_product_attention. With a
  /// cache, tokens see those in it as well, which come before them and count among the mask's keys;
  /// there is no gradient through it. Throws ShapeError for another shape of x and for a cache of
  /// another batch, and ValueError for a cache outside of NoGradScope.
  Variable operator()(const Variable& x, const ndarray& mask = {}, KeyValueCache* cache = nullptr);
  /// Queries, keys and values of their own have no layer here.
  template <internal::AsVariable K, internal::AsVariable V>
  requires(std::same_as<K, Variable> || !std::convertible_to<const V&, KeyValueCache*>)  //
      Variable
      operator()(const Variable& x, const K&, const V&) {
    static_assert(chainerxx::internal::kNever<K>,
                  "this is self-attention: write attention(x), or attention(x, mask); for keys of "
                  "another sequence functions::scaled_dot_product_attention(q, k, v)");
    return x;
  }

 private:
  std::int64_t units_, heads_;
  MultiHeadAttentionOptions options_;
};

}  // namespace chainerxx::functions
