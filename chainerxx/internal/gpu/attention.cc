// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/attention.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "chainerxx/internal/gpu/attention_graph.h"
#include "chainerxx/internal/gpu/cudnn_available.h"
#include "chainerxx/internal/gpu/cudnn_handle.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/device_limit.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal::gpu {
namespace {

namespace extension = cupyxx::extension;
using Name = AttentionTensor;
using Strides = AttentionShape::Strides;

// 9.14 is the earliest one that was measured; before 9.16 lengths that are no multiple of 128 need
// masks.
constexpr std::size_t kLeastVersion = 91400, kAnyLength = 91600;
// Multiplications from which a call is worth a second of compilation.
constexpr double kMuchWork = 1e8;

/// Whether there is a cuDNN whose graphs we may use on a device; asked once.
bool has_graphs(int device) {
  enum : signed char { kUnknown, kHas, kHasNot };
  static std::atomic<signed char> known[extension::kMaxDevices];
  signed char answer = known[device].load(std::memory_order_relaxed);
  if (answer == kUnknown) {
    const bool is_wanted = extension::environment_switch("CHAINERXX_CUDNN_GRAPHS", true);
    const bool has = is_wanted && cupyxx::cuda::Device(device).compute_capability() == "90" &&
                     cudnn_available() && cudnn().GetVersion() >= kLeastVersion;
    answer = has ? kHas : kHasNot;
    known[device].store(answer, std::memory_order_relaxed);  // other threads find the same
  }
  return answer == kHas;
}

Strides strides_of(const ndarray& x) {
  const cupyxx::Shape strides = x.strides();
  const std::int64_t size = x.itemsize();
  return {strides[0] / size, strides[1] / size, strides[2] / size};
}

AttentionShape shape_of(const AttentionCall& call, const ndarray& y) {
  const cupyxx::Shape query = call.query.shape(), value = call.value.shape();
  return {.batch = query[0],
          .heads = query[1],
          .queries = query[2],
          .keys = value[2],
          .depth = query[3],
          .width = value[3],
          .is_causal = call.is_causal,
          .has_sums = true,
          .is_gradient = false,
          .type = call.query.dtype() == cupyxx::float16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16,
          .query = strides_of(call.query),
          .key = strides_of(call.key),
          .value = strides_of(call.value),
          .y = strides_of(y)};
}

/// Null where cuDNN has nothing; under the handle's mutex. The last plans are kept.
const GraphPlan* plan_for(int device, cudnnHandle_t handle, const AttentionShape& shape) {
  constexpr std::size_t kMostPlans = 256;
  struct Kept {
    std::vector<GraphPlan> plan;  // none or one
    std::uint64_t last_use = 0;
  };
  struct Plans {
    std::map<std::vector<std::int64_t>, Kept> map;
    std::uint64_t clock = 0;
  };
  static Plans* const all = new Plans[extension::kMaxDevices];
  Plans& plans = all[device];
  const std::vector<std::int64_t> key = shape.numbers();
  auto found = plans.map.find(key);
  if (found == plans.map.end()) {
    if (plans.map.size() >= kMostPlans) {
      auto oldest = plans.map.begin();
      for (auto i = plans.map.begin(); i != plans.map.end(); ++i) {
        if (i->second.last_use < oldest->second.last_use) oldest = i;
      }
      plans.map.erase(oldest);
    }
    found = plans.map.emplace(key, Kept{}).first;
    found->second.plan = make_attention_plans(handle, shape, most_workspace(device));
  }
  found->second.last_use = ++plans.clock;
  return found->second.plan.empty() ? nullptr : &found->second.plan[0];
}

GraphOperand operand(AttentionTensor tensor, void* data) {
  return {static_cast<std::int64_t>(tensor), data};
}
GraphOperand operand(AttentionTensor tensor, const ndarray& x) {
  return operand(tensor, x.is_none() ? nullptr : x.elements());
}

/// Calls `execute(handle, plan, workspace)` on the current stream, with `more_bytes` of workspace
/// beyond the plan's, and notes the use of arrays; false without a plan or its memory.
template <class Execute>
bool run(const AttentionShape& shape, int device, std::size_t more_bytes,
         std::initializer_list<const ndarray*> arrays, Execute&& execute) {
  const extension::OnDevice on(device);
  const LockedHandle handle(device);
  const GraphPlan* const plan = plan_for(device, handle.get(), shape);
  if (plan == nullptr) return false;
  extension::Workspace workspace;
  try {
    workspace = extension::Workspace(device, plan->workspace + more_bytes);
  } catch (const cupyxx::OutOfMemoryError&) {
    return false;
  }
  for (const ndarray* array : arrays) {
    if (!array->is_none()) extension::note_use(*array, handle.stream());
  }
  check_cudnn(execute(handle.get(), *plan, workspace.data()), "cudnnBackendExecute");
  extension::await_library("cudnnBackendExecute", device, handle.stream());
  return true;
}

}  // namespace

bool is_attention_worth(const AttentionCall& call) {
  const std::int64_t queries = call.query.shape()[2], keys = call.key.shape()[2];
  const double work = static_cast<double>(call.query.size()) * static_cast<double>(keys);
  if (work < kMuchWork || queries < 128 || !has_graphs(call.query.device().index)) return false;
  return (queries % 128 == 0 && keys % 128 == 0) || cudnn().GetVersion() >= kAnyLength;
}

bool attention_forward(const AttentionCall& call, const ndarray& y, const ndarray& sums) {
  const int device = y.device().index;
  AttentionShape shape = shape_of(call, y);
  shape.has_sums = !sums.is_none();
  auto scale = static_cast<float>(call.scale);
  float hidden = -std::numeric_limits<float>::infinity();
  return run(shape, device, 0, {&call.query, &call.key, &call.value, &y, &sums},
             [&](cudnnHandle_t handle, const GraphPlan& plan, void* workspace) {
               return run_graph_plan(
                   handle, plan,
                   {operand(Name::query, call.query), operand(Name::key, call.key),
                    operand(Name::value, call.value), operand(Name::y, y),
                    operand(Name::sums, sums), operand(Name::scale, &scale),
                    operand(Name::hidden, call.is_causal ? &hidden : nullptr)},
                   workspace);
             });
}

bool attention_backward(const AttentionCall& call, const ndarray& y, const ndarray& sums,
                        const ndarray& grad_y, const AttentionCall& grads) {
  const int device = y.device().index;
  AttentionShape shape = shape_of(call, y);
  shape.is_gradient = true;
  shape.grad_y = strides_of(grad_y);
  shape.grad_query = strides_of(grads.query);
  shape.grad_key = strides_of(grads.key);
  shape.grad_value = strides_of(grads.value);
  auto scale = static_cast<float>(call.scale);
  float hidden = -std::numeric_limits<float>::infinity(), one = 1;
  const auto deltas_bytes = static_cast<std::size_t>(sums.size()) * sizeof(float);
  return run(
      shape, device, (deltas_bytes + 255) / 256 * 256,
      {&call.query, &call.key, &call.value, &y, &sums, &grad_y, &grads.query, &grads.key,
       &grads.value},
      [&](cudnnHandle_t handle, const GraphPlan& plan, void* workspace) {
        char* const rest = static_cast<char*>(workspace) + (deltas_bytes + 255) / 256 * 256;
        return run_graph_plan(
            handle, plan,
            {operand(Name::query, call.query), operand(Name::key, call.key),
             operand(Name::value, call.value), operand(Name::y, y), operand(Name::sums, sums),
             operand(Name::grad_y, grad_y), operand(Name::grad_query, grads.query),
             operand(Name::grad_key, grads.key), operand(Name::grad_value, grads.value),
             operand(Name::scale, &scale), operand(Name::one, &one),
             operand(Name::hidden, call.is_causal ? &hidden : nullptr),
             operand(Name::deltas, workspace)},
            rest);
      });
}

}  // namespace chainerxx::internal::gpu
