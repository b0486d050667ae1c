// SPDX-License-Identifier: MIT
// The operations of a graph of cuDNN's backend, one after another, and the tensors between them.
// Sums and whatever is computed are float32.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "chainerxx/internal/gpu/graph_descriptor.h"

namespace chainerxx::internal::gpu {

class GraphOperations {
 public:
  using Extents = std::vector<std::int64_t>;
  using Tensor = const GraphDescriptor&;  // as long as this lives

  /// An array on the device, at a multiple of 16 bytes, by its name in the graph.
  Tensor array(std::int64_t uid, cudnnDataType_t type, const Extents& shape,
               const Extents& strides);
  /// A float of the host, for tensors of four axes.
  Tensor number(std::int64_t uid);
  /// A tensor that is never in memory; in C order without strides.
  Tensor between(cudnnDataType_t type, const Extents& shape, const Extents& strides = {});

  /// out = left right, of the last two axes.
  Tensor multiply(Tensor left, Tensor right, Tensor out);
  /// out = mode(x), or mode(x, b) with b broadcast.
  Tensor apply(cudnnPointwiseMode_t mode, Tensor x, Tensor out);
  Tensor apply(cudnnPointwiseMode_t mode, Tensor x, Tensor b, Tensor out,
               cudnnDataType_t computes_in = CUDNN_DATA_FLOAT);
  /// out = the place of each element of x along an axis.
  Tensor places(Tensor x, std::int64_t axis, Tensor out);
  /// out = x where `choice`, elsewhere other.
  Tensor select(Tensor choice, Tensor x, Tensor other, Tensor out);
  /// out = x over those axes of which out has one element.
  Tensor reduce(cudnnReduceTensorOp_t how, Tensor x, Tensor out);
  /// out = x in out's shape, by its strides.
  Tensor reshape(Tensor x, Tensor out);

  /// Of all operations so far; not good if one of them is not. This must outlive its use.
  GraphDescriptor graph(cudnnHandle_t handle) const;

 private:
  GraphDescriptor& add(cudnnBackendDescriptorType_t type);
  GraphDescriptor& pointwise(cudnnPointwiseMode_t mode, cudnnDataType_t computes_in,
                             std::int64_t axis = -1);
  Tensor operation(GraphDescriptor& made, Tensor out);

  std::deque<GraphDescriptor> parts_;
  std::vector<cudnnBackendDescriptor_t> operations_;
  std::int64_t next_uid_ = 1000;  // of tensors between
};

}  // namespace chainerxx::internal::gpu
