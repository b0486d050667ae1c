// SPDX-License-Identifier: MIT
// How cuDNN is asked for a convolution: its descriptors, and which of its algorithms.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "chainerxx/internal/gpu/convolution_graph.h"
#include "chainerxx/internal/gpu/cudnn.h"
#include "chainerxx/internal/gpu/pass.h"
#include "chainerxx/internal/spatial/convolution.h"
#include "cupyxx/dtype.h"

namespace chainerxx::internal::gpu {

/// Descriptors and the algorithm of one convolution, or an engine of the backend's.
struct Plan {
  std::vector<GraphPlan> graphs;  // the first one runs; the others are there to be measured
  cudnnTensorDescriptor_t x = nullptr, y = nullptr;
  cudnnFilterDescriptor_t W = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  cudnnTensorDescriptor_t bias = nullptr;          // both only where the bias
  cudnnActivationDescriptor_t identity = nullptr;  // may be added in the same pass
  bool supported = false;
  int algorithm = 0;
  std::size_t workspace = 0;
  std::uint64_t last_use = 0;

  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    if (x != nullptr) cudnn().DestroyTensorDescriptor(x);
    if (y != nullptr) cudnn().DestroyTensorDescriptor(y);
    if (W != nullptr) cudnn().DestroyFilterDescriptor(W);
    if (convolution != nullptr) cudnn().DestroyConvolutionDescriptor(convolution);
    if (bias != nullptr) cudnn().DestroyTensorDescriptor(bias);
    if (identity != nullptr) cudnn().DestroyActivationDescriptor(identity);
  }
};

/// The plan of a convolution whose workspace is at most `most_bytes`; one that is not supported
/// where cuDNN has nothing deterministic in the arithmetic of the element type. Up to `most_graphs`
/// engines of the backend for images that lie channels last, which alone have forward_bias; without
/// one a classic algorithm.
std::unique_ptr<Plan> make_plan(cudnnHandle_t handle, const ConvolutionShape& s,
                                cupyxx::dtype dtype, Pass pass, std::size_t most_bytes,
                                std::size_t most_graphs);

}  // namespace chainerxx::internal::gpu
