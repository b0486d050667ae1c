// SPDX-License-Identifier: MIT
// Engines of cuDNN's backend for a graph of operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "chainerxx/internal/gpu/graph_descriptor.h"

namespace chainerxx::internal::gpu {

/// An engine that is ready to run.
struct GraphPlan {
  GraphDescriptor configuration;  // which the plan refers to
  GraphDescriptor plan;
  std::size_t workspace = 0;
  std::int64_t engine = -1;  // its number in cuDNN
  std::int64_t rank = 0;     // among cuDNN's proposals
};

/// The graph of operations, which must live until its plans are made.
GraphDescriptor make_graph(cudnnHandle_t handle,
                           const std::vector<cudnnBackendDescriptor_t>& operations);

/// Plans in the order of cuDNN's proposals, at most `most`: deterministic, in the arithmetic that
/// is allowed, with a workspace of at most `most_bytes`. Empty where there is none.
std::vector<GraphPlan> make_graph_plans(cudnnHandle_t handle, const GraphDescriptor& graph,
                                        bool allow_tensor_cores, std::size_t most_bytes,
                                        std::size_t most);

/// A tensor of a graph, by its name there: the address of its elements, or of a number on the host.
struct GraphOperand {
  std::int64_t uid;
  void* data;
};

/// Enqueues a plan.
cudnnStatus_t run_graph_plan(cudnnHandle_t handle, const GraphPlan& plan,
                             std::initializer_list<GraphOperand> operands, void* workspace);

}  // namespace chainerxx::internal::gpu
