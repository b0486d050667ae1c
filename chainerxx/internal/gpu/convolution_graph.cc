// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/convolution_graph.h"

#include <utility>

namespace chainerxx::internal::gpu {
namespace {

// Names of the tensors of a graph.
enum Uid : std::int64_t { kX = 1, kW, kY, kBias, kSum, kBiased };

std::vector<std::int64_t> channels_last_strides(const std::vector<std::int64_t>& s) {
  return {s[1] * s[2] * s[3], 1, s[1] * s[3], s[1]};
}

/// Of shape (n, c, h, w), channels last. A virtual one is never in memory.
GraphDescriptor tensor(Uid uid, cudnnDataType_t type, const std::vector<std::int64_t>& shape,
                       bool is_virtual = false) {
  constexpr std::int64_t kAlignment = 16;
  GraphDescriptor t(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type)
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, shape)
      .set(CUDNN_ATTR_TENSOR_STRIDES, channels_last_strides(shape))
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, static_cast<std::int64_t>(uid))
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, kAlignment);
  if (is_virtual) t.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, true);
  t.finalize();
  return t;
}

GraphDescriptor convolution(const Windows& g) {
  GraphDescriptor c(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  c.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION)
      .set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2})
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {g.pad.h, g.pad.w})
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {g.pad.h, g.pad.w})
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {g.dilate.h, g.dilate.w})
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {g.stride.h, g.stride.w})
      .finalize();
  return c;
}

/// The names of what differs between the operations of the three passes.
struct OperationNames {
  cudnnBackendDescriptorType_t operation;
  cudnnBackendAttributeName_t alpha, beta, convolution, x, W, y;
};
OperationNames names_of(Pass pass) {
  if (pass == Pass::data) {
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
  }
  if (pass == Pass::weights) {
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
  }
  return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
}

/// What is done to each element, computed in float32.
GraphDescriptor pointwise(cudnnPointwiseMode_t mode) {
  GraphDescriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode)
      .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  if (mode == CUDNN_POINTWISE_RELU_FWD) {
    how.set(CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, CUDNN_PROPAGATE_NAN);
  }
  how.finalize();
  return how;
}

/// sum + bias = y.
GraphDescriptor addition(const GraphDescriptor& sum, const GraphDescriptor& bias,
                         const GraphDescriptor& y) {
  GraphDescriptor operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, pointwise(CUDNN_POINTWISE_ADD))
      .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, sum)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, bias)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y)
      .finalize();
  return operation;
}

/// relu(biased) = y.
GraphDescriptor rectification(const GraphDescriptor& biased, const GraphDescriptor& y) {
  GraphDescriptor operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, pointwise(CUDNN_POINTWISE_RELU_FWD))
      .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, biased)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y)
      .finalize();
  return operation;
}

/// Everything that heuristics and plans of a convolution refer to.
struct Graph {
  std::vector<GraphDescriptor> parts;
  GraphDescriptor graph;
};

Graph make_graph_of(cudnnHandle_t handle, const ConvolutionShape& s, cudnnDataType_t type,
                    Pass pass) {
  const Windows& g = s.windows;
  const bool adds = adds_bias(pass), rectifies = pass == Pass::forward_bias_relu;
  const std::vector<std::int64_t> result = {s.n, s.o, s.oh, s.ow};
  GraphDescriptor x = tensor(kX, type, {s.n, s.c, s.h, s.w});
  GraphDescriptor W = tensor(kW, type, {s.o, s.c / s.groups, g.ksize.h, g.ksize.w});
  GraphDescriptor y = tensor(kY, type, result);
  GraphDescriptor sum, bias, biased, add, rectify, how = convolution(g);
  if (adds) {
    sum = tensor(kSum, CUDNN_DATA_FLOAT, result, true);
    bias = tensor(kBias, type, {1, s.o, 1, 1});
    if (rectifies) {
      biased = tensor(kBiased, CUDNN_DATA_FLOAT, result, true);
      rectify = rectification(biased, y);
    }
    add = addition(sum, bias, rectifies ? biased : y);
  }
  const OperationNames names = names_of(pass);
  const float one = 1, zero = 0;
  GraphDescriptor convolve(names.operation);
  convolve.set(names.x, x)
      .set(names.W, W)
      .set(names.y, adds ? sum : y)
      .set(names.convolution, how)
      .set(names.alpha, CUDNN_TYPE_FLOAT, one)
      .set(names.beta, CUDNN_TYPE_FLOAT, zero)
      .finalize();
  Graph made;
  if (!convolve.good() || (adds && !add.good()) || (rectifies && !rectify.good())) return made;
  std::vector<cudnnBackendDescriptor_t> operations = {convolve.get()};
  if (adds) operations.push_back(add.get());
  if (rectifies) operations.push_back(rectify.get());
  made.graph = make_graph(handle, operations);
  for (GraphDescriptor* part :
       {&x, &W, &y, &sum, &bias, &biased, &how, &convolve, &add, &rectify}) {
    made.parts.push_back(std::move(*part));
  }
  return made;
}

}  // namespace

std::vector<GraphPlan> make_convolution_plans(cudnnHandle_t handle, const ConvolutionShape& s,
                                              cudnnDataType_t type, Pass pass,
                                              std::size_t most_bytes, std::size_t most) {
  const Graph made = make_graph_of(handle, s, type, pass);
  const bool tensor_cores = type != CUDNN_DATA_FLOAT || s.allow_tf32;
  return make_graph_plans(handle, made.graph, tensor_cores, most_bytes, most);
}

cudnnStatus_t run_convolution_plan(cudnnHandle_t handle, const GraphPlan& plan, Pass pass,
                                   const GraphArrays& arrays, void* workspace) {
  void* const bias = adds_bias(pass) ? arrays.b : nullptr;
  return run_graph_plan(handle, plan,
                        {{kX, arrays.x}, {kW, arrays.W}, {kY, arrays.y}, {kBias, bias}}, workspace);
}

}  // namespace chainerxx::internal::gpu
