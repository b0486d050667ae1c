// SPDX-License-Identifier: MIT
// Attention of 16-bit arrays in cuDNN, which is opened on first use. Arrays are (batch, heads,
// rows, depth), contiguous in the last axis, at multiples of 16 bytes in all others, on one device
// and not empty.
#pragma once

#include "cupyxx/ndarray.h"

namespace chainerxx::internal::gpu {

using cupyxx::ndarray;

/// Operands, and what is known of the weights: softmax of the scaled products, of which those with
/// keys behind their query may be hidden.
struct AttentionCall {
  const ndarray &query, &key, &value;
  double scale;
  bool is_causal;
};

/// Whether cuDNN's kernels are worth their start, about a second for each shape: on devices and at
/// sizes where they were measured and are faster than ours.
bool is_attention_worth(const AttentionCall& call);

/// y = the attention; sums, unless null, (batch, heads, queries) of float32: the natural logarithm
/// of each row's sum of exponentials. False, and nothing is done, where cuDNN has nothing that
/// gives the same bits each time.
bool attention_forward(const AttentionCall& call, const ndarray& y, const ndarray& sums);

/// The gradients by the operands. False as above; then nothing is done.
bool attention_backward(const AttentionCall& call, const ndarray& y, const ndarray& sums,
                        const ndarray& grad_y, const AttentionCall& grads);

}  // namespace chainerxx::internal::gpu
