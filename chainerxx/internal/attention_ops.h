// SPDX-License-Identifier: MIT
// Fused attention on devices with tensor cores: memory linear in the length. 16-bit arrays without
// masks and dropout take cuDNN's kernels where those are faster.
#pragma once

#include "cupyxx/ndarray.h"
#include "cupyxx/ops/philox.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// What attention does beside its operands.
struct AttentionForm {
  ndarray mask = {};  ///< bool, (batch, heads, queries, keys) by strides; null: none
  double scale = 1;
  bool is_causal = false;
  double ratio = 0;  ///< of dropout
  cupyxx::random::PhiloxState state{};
};

/// Operands or gradients; each is (batch, heads, rows, depth).
struct AttentionOperands {
  ndarray query, key, value;
};

/// (batch, heads, queries): the logarithm of each row's sum of exponentials.
struct AttentionSums {
  ndarray logs = {};        ///< null unless asked for
  bool is_natural = false;  ///< else to base 2
};

/// y, and what its gradient reads beside the operands.
struct AttentionResult {
  ndarray y;  // (batch, heads, queries, width), in memory (batch, queries, heads, width)
  AttentionSums sums;
};

/// Whether there is a kernel for operands of a type, of heads as deep and values as wide,
/// multiplied by `scale`; for float32 one that reads them as TF32.
bool has_fused_attention(cupyxx::Device device, cupyxx::dtype dtype, std::int64_t depth,
                         std::int64_t width, double scale);

/// Reads operands where they are when the last axis is contiguous and all else on multiples of 16
/// bytes; others are copied.
AttentionResult attention(const AttentionOperands& in, const AttentionForm& form, bool with_sums);
/// Writes the gradients to arrays like the operands, which lie as `attention` likes to read.
void attention_grad(const AttentionOperands& in, const AttentionResult& result, const ndarray& gy,
                    const AttentionForm& form, const AttentionOperands& out);
/// An array (batch, heads, rows, depth) that in memory is (batch, rows, heads, depth), to be
/// written by these.
ndarray empty_heads(const ndarray& beside, const cupyxx::Shape& shape);

/// The matrix of weights (..., queries, keys) of scores of a device, products of queries and keys:
/// 0 where they are hidden. The mask has the form's axes; `scores` as many elements.
ndarray attention_weights(const ndarray& scores, const AttentionForm& form);
/// The gradient by the scores, from the weights.
ndarray attention_weights_grad(const ndarray& weights, const ndarray& gy,
                               const AttentionForm& form);

/// How many blocks of random numbers the weights of `rows` queries take: each row's begin with a
/// block.
std::int64_t attention_blocks(std::int64_t rows, std::int64_t keys);
/// The factors of weights (..., keys) in dropout, 0 or 1 / (1 - ratio), by the same numbers.
ndarray attention_factors(const ndarray& weights, double ratio,
                          const cupyxx::random::PhiloxState& state);

}  // namespace chainerxx::internal
