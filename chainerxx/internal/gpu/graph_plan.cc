// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/graph_plan.h"

#include <algorithm>

namespace chainerxx::internal::gpu {
namespace {

// Names of the tensors of a graph.
enum Uid : std::int64_t { kX = 1, kW, kY, kBias, kSum };

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

/// sum + bias = y, computed in float32.
GraphDescriptor addition(const GraphDescriptor& sum, const GraphDescriptor& bias,
                         const GraphDescriptor& y) {
  GraphDescriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, CUDNN_POINTWISE_ADD)
      .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .finalize();
  GraphDescriptor operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, sum)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, bias)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y)
      .finalize();
  return operation;
}

/// Everything that heuristics and plans of a convolution refer to.
struct Graph {
  std::vector<GraphDescriptor> parts;
  GraphDescriptor graph;
};

Graph make_graph(cudnnHandle_t handle, const ConvolutionShape& s, cudnnDataType_t type, Pass pass) {
  const Windows& g = s.windows;
  const bool adds = pass == Pass::forward_bias;
  const std::vector<std::int64_t> result = {s.n, s.o, s.oh, s.ow};
  GraphDescriptor x = tensor(kX, type, {s.n, s.c, s.h, s.w});
  GraphDescriptor W = tensor(kW, type, {s.o, s.c / s.groups, g.ksize.h, g.ksize.w});
  GraphDescriptor y = tensor(kY, type, result);
  GraphDescriptor sum, bias, add, how = convolution(g);
  if (adds) {
    sum = tensor(kSum, CUDNN_DATA_FLOAT, result, true);
    bias = tensor(kBias, type, {1, s.o, 1, 1});
    add = addition(sum, bias, y);
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
  if (!convolve.good() || (adds && !add.good())) return made;
  const cudnnBackendDescriptor_t operations[] = {convolve.get(), add.get()};
  made.graph = GraphDescriptor(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  made.graph
      .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, adds ? 2 : 1, operations)
      .set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle)
      .finalize();
  for (GraphDescriptor* part : {&x, &W, &y, &sum, &bias, &how, &convolve, &add}) {
    made.parts.push_back(std::move(*part));
  }
  return made;
}

/// cuDNN's proposals, best first.
std::vector<GraphDescriptor> proposals(const GraphDescriptor& graph, cudnnBackendHeurMode_t mode) {
  GraphDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode)
      .finalize();
  const std::int64_t count =
      heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, nullptr);
  std::vector<GraphDescriptor> found;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (std::int64_t i = 0; i < count; ++i) {
    found.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    if (!found.back().good()) return {};
    raw.push_back(found.back().get());
  }
  if (raw.empty()) return {};
  const std::int64_t got = heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                           CUDNN_TYPE_BACKEND_DESCRIPTOR, count, raw.data());
  found.resize(static_cast<std::size_t>(std::min(got, count)));
  return found;
}

/// Whether an engine gives the same bits each time, in the arithmetic that is allowed.
bool suits(const GraphDescriptor& engine, bool allow_tensor_cores) {
  cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT] = {};
  const std::int64_t count =
      engine.read(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                  CUDNN_NUMERICAL_NOTE_TYPE_COUNT, notes);
  return std::none_of(notes, notes + count, [&](cudnnBackendNumericalNote_t note) {
    switch (note) {
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
        return !allow_tensor_cores;
      case CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP:
        return false;
      default:  // nondeterministic, narrow sums, other domains
        return true;
    }
  });
}

}  // namespace

std::vector<GraphPlan> make_graph_plans(cudnnHandle_t handle, const ConvolutionShape& s,
                                        cudnnDataType_t type, Pass pass, std::size_t most_bytes,
                                        std::size_t most) {
  std::vector<GraphPlan> plans;
  const Graph made = make_graph(handle, s, type, pass);
  if (!made.graph.good()) return plans;
  const bool tensor_cores = type != CUDNN_DATA_FLOAT || s.allow_tf32;
  std::int64_t rank = 0;
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    for (GraphDescriptor& proposal : proposals(made.graph, mode)) {
      ++rank;
      GraphDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
      cudnnBackendDescriptor_t raw = engine.get();
      if (proposal.read(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw) != 1 ||
          !suits(engine, tensor_cores)) {
        continue;
      }
      GraphPlan one;
      one.rank = rank;
      engine.read(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &one.engine);
      one.plan = GraphDescriptor(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
      one.plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle)
          .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, proposal)
          .finalize();
      std::int64_t bytes = 0;
      if (one.plan.read(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &bytes) !=
              1 ||
          bytes < 0 || static_cast<std::size_t>(bytes) > most_bytes) {
        continue;
      }
      one.workspace = static_cast<std::size_t>(bytes);
      one.configuration = std::move(proposal);
      plans.push_back(std::move(one));
      if (plans.size() >= most) return plans;
    }
    if (!plans.empty()) return plans;
  }
  return plans;
}

cudnnStatus_t run_graph_plan(cudnnHandle_t handle, const GraphPlan& plan, Pass pass,
                             const GraphArrays& arrays, void* workspace) {
  const std::int64_t uids[] = {kX, kW, kY, kBias};
  void* const pointers[] = {arrays.x, arrays.W, arrays.y, arrays.b};
  const std::int64_t count = pass == Pass::forward_bias ? 4 : 3;
  GraphDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, uids)
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count, pointers)
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace)
      .finalize();
  if (!pack.good()) return CUDNN_STATUS_NOT_SUPPORTED;
  return cudnn().BackendExecute(handle, plan.plan.get(), pack.get());
}

}  // namespace chainerxx::internal::gpu
