// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/graph_plan.h"

#include <algorithm>
#include <utility>

namespace chainerxx::internal::gpu {
namespace {

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

GraphDescriptor make_graph(cudnnHandle_t handle,
                           const std::vector<cudnnBackendDescriptor_t>& operations) {
  GraphDescriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph
      .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
           static_cast<std::int64_t>(operations.size()), operations.data())
      .set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle)
      .finalize();
  return graph;
}

std::vector<GraphPlan> make_graph_plans(cudnnHandle_t handle, const GraphDescriptor& graph,
                                        bool allow_tensor_cores, std::size_t most_bytes,
                                        std::size_t most) {
  std::vector<GraphPlan> plans;
  if (!graph.good()) return plans;
  std::int64_t rank = 0;
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    for (GraphDescriptor& proposal : proposals(graph, mode)) {
      ++rank;
      GraphDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
      cudnnBackendDescriptor_t raw = engine.get();
      if (proposal.read(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw) != 1 ||
          !suits(engine, allow_tensor_cores)) {
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

cudnnStatus_t run_graph_plan(cudnnHandle_t handle, const GraphPlan& plan,
                             std::initializer_list<GraphOperand> operands, void* workspace) {
  std::vector<std::int64_t> uids;
  std::vector<void*> pointers;
  for (const GraphOperand& operand : operands) {
    if (operand.data == nullptr) continue;
    uids.push_back(operand.uid);
    pointers.push_back(operand.data);
  }
  const auto count = static_cast<std::int64_t>(uids.size());
  GraphDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, uids)
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count, pointers.data())
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace)
      .finalize();
  if (!pack.good()) return CUDNN_STATUS_NOT_SUPPORTED;
  return cudnn().BackendExecute(handle, plan.plan.get(), pack.get());
}

}  // namespace chainerxx::internal::gpu
