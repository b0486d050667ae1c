// SPDX-License-Identifier: MIT
// Device-safe. What the kernels of fused attention are given.
#pragma once

#include "cupyxx/ops/philox.h"

namespace chainerxx::internal::kernels {

/// An operand (batch, heads, rows, depth) whose last axis is contiguous; strides in elements.
/// Addresses and strides are multiples of 16 bytes.
struct AttentionOperand {
  void* data;
  long batch, head, row;
};

/// softmax(query key^T scale) value of 16-bit operands, and its gradients.
struct AttentionArgs {
  AttentionOperand query, key, value, y;
  AttentionOperand grad_y, grad_query, grad_key, grad_value;
  /// (batch, heads, queries): the logarithm to base 2 of each row's sum of exponentials, infinity
  /// where a query sees no key; and each row's sum of y * grad_y.
  float* log_sums;
  float* deltas;
  const bool* mask;                                  // null: none; else false hides
  long mask_batch, mask_head, mask_query, mask_key;  // its strides
  int heads, queries, keys, depth, width;
  int blocks;  // of a head, in the launch
  int is_causal;
  float scale, exponent_scale;  // the second one times log2(e)
  float ratio, keep_scale;      // of dropout: 0 and 1 without
  cupyxx::random::PhiloxState state;
};

}  // namespace chainerxx::internal::kernels
