// SPDX-License-Identifier: MIT
// Attention and its gradients as graphs of cuDNN's backend, in the form that its engines for
// attention know.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chainerxx/internal/gpu/graph_plan.h"

namespace chainerxx::internal::gpu {

/// Names of the tensors of the graphs.
enum class AttentionTensor : std::int64_t {
  query = 1,
  key,
  value,
  y,
  sums,  ///< (batch, heads, queries, 1): the natural logarithm of each row's sum of exponentials
  scale,
  hidden,  ///< minus infinity
  grad_y,
  grad_query,
  grad_key,
  grad_value,
  deltas,  ///< as sums: of each row the sum of y * grad_y
  one
};

/// What a plan depends on. Strides are those of batch, heads and rows, in elements.
struct AttentionShape {
  using Strides = std::array<std::int64_t, 3>;

  std::int64_t batch, heads, queries, keys, depth, width;
  bool is_causal;
  bool has_sums;  ///< forward writes them
  bool is_gradient;
  cudnnDataType_t type;
  Strides query, key, value, y;
  Strides grad_y{}, grad_query{}, grad_key{}, grad_value{};

  /// All of it, to compare with others.
  std::vector<std::int64_t> numbers() const;
};

/// As make_graph_plans, one plan at most.
std::vector<GraphPlan> make_attention_plans(cudnnHandle_t handle, const AttentionShape& shape,
                                            std::size_t most_bytes);

}  // namespace chainerxx::internal::gpu
