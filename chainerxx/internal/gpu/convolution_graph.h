// SPDX-License-Identifier: MIT
// Convolutions as graphs of cuDNN's backend, for images that lie channels last: its newer engines,
// and a bias that is added before the result is rounded.
#pragma once

#include <vector>

#include "chainerxx/internal/gpu/graph_plan.h"
#include "chainerxx/internal/gpu/pass.h"
#include "chainerxx/internal/spatial/convolution.h"

namespace chainerxx::internal::gpu {

/// Where the arrays of a call are; `b` where adds_bias.
struct GraphArrays {
  void *x, *W, *y, *b;
};

/// As make_graph_plans, in the arithmetic that the type and the shape allow. The bias is of the
/// dtype of the images.
std::vector<GraphPlan> make_convolution_plans(cudnnHandle_t handle, const ConvolutionShape& s,
                                              cudnnDataType_t type, Pass pass,
                                              std::size_t most_bytes, std::size_t most);

/// Enqueues a plan; overwrites y, or x or W for the gradients.
cudnnStatus_t run_convolution_plan(cudnnHandle_t handle, const GraphPlan& plan, Pass pass,
                                   const GraphArrays& arrays, void* workspace);

}  // namespace chainerxx::internal::gpu
