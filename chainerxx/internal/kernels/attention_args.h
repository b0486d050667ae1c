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

/// softmax(query key^T scale) value, and its gradients.
struct AttentionArgs {
  AttentionOperand query, key, value, y;
  AttentionOperand grad_y, grad_query, grad_key, grad_value;
  /// (batch, heads, queries): the logarithm of each row's sum of exponentials, infinity where a
  /// query sees no key. Forward writes it to base 2; times log_factor it is. And of the gradients
  /// that to base 2, and each row's sum of y * grad_y.
  float* log_sums;
  float* base_2_sums;
  float* deltas;
  float log_factor;
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
