// SPDX-License-Identifier: MIT
// A build without CUDA.
#include "chainerxx/internal/gpu/attention.h"

namespace chainerxx::internal::gpu {

bool is_attention_worth(const AttentionCall&) { return false; }

bool attention_forward(const AttentionCall&, const ndarray&, const ndarray&) { return false; }

bool attention_backward(const AttentionCall&, const ndarray&, const ndarray&, const ndarray&,
                        const AttentionCall&) {
  return false;
}

}  // namespace chainerxx::internal::gpu
