// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/convolution.h"

#include <map>
#include <memory>
#include <tuple>

#include "chainerxx/internal/gpu/convolution_plan.h"
#include "chainerxx/internal/gpu/cudnn_handle.h"
#include "chainerxx/internal/gpu/tune.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/device_limit.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal::gpu {
namespace {

namespace extension = cupyxx::extension;
using extension::Workspace;

/// Engines of the backend to be asked for: several where they are measured.
std::size_t graphs_to_try() {
  static const bool has_graphs = extension::environment_switch("CHAINERXX_CUDNN_GRAPHS", true);
  return !has_graphs ? 0 : tunes() ? kTunedGraphs : 1;
}

/// Under the handle's mutex. The last plans are kept.
std::unique_ptr<Plan>& plan_for(int device, cudnnHandle_t handle, const ConvolutionShape& s,
                                cupyxx::dtype dtype, Pass pass) {
  constexpr std::size_t kMostPlans = 1024;
  using Key = std::tuple<ConvolutionShape::Numbers, Pass, std::int64_t>;
  struct Plans {
    std::map<Key, std::unique_ptr<Plan>> map;
    std::uint64_t clock = 0;
  };
  static Plans* const all = new Plans[extension::kMaxDevices];
  Plans& plans = all[device];
  const Key key = {s.numbers(), pass, static_cast<std::int64_t>(dtype.code())};
  auto found = plans.map.find(key);
  if (found == plans.map.end()) {
    if (plans.map.size() >= kMostPlans) {
      auto oldest = plans.map.begin();
      for (auto i = plans.map.begin(); i != plans.map.end(); ++i) {
        if (i->second->last_use < oldest->second->last_use) oldest = i;
      }
      plans.map.erase(oldest);
    }
    const std::size_t most = most_workspace(device);
    found = plans.map.emplace(key, make_plan(handle, s, dtype, pass, most, graphs_to_try())).first;
  }
  found->second->last_use = ++plans.clock;
  return found->second;
}

/// The workspace of a plan. A plan whose workspace cannot be had is replaced by one
/// that is content with little.
Workspace take_workspace(std::unique_ptr<Plan>& plan, int device, cudnnHandle_t handle,
                         const ConvolutionShape& s, cupyxx::dtype dtype, Pass pass) {
  if (plan->workspace > kLittleWorkspace) {
    try {
      return Workspace(device, plan->workspace);
    } catch (const cupyxx::OutOfMemoryError&) {
      const std::uint64_t last_use = plan->last_use;
      plan = make_plan(handle, s, dtype, pass, kLittleWorkspace, 1);
      plan->last_use = last_use;
    }
  }
  return Workspace(device, plan->workspace);
}

/// cuDNN counts in 32 bits.
bool fits(const ConvolutionShape& s) {
  constexpr std::int64_t kMost = 0x7fffffff;
  return s.n * s.c * s.h * s.w <= kMost && s.n * s.o * s.oh * s.ow <= kMost;
}

/// A call as graphs have it, and for each array a note that it is used.
struct Arrays {
  const ndarray &x, &W, &y, &b;

  GraphArrays graph() const {
    return {x.elements(), W.elements(), y.elements(), b.is_none() ? nullptr : b.elements()};
  }
  void note_use(void* stream) const {
    for (const ndarray* array : {&x, &W, &y, &b}) {
      if (!array->is_none()) extension::note_use(*array, stream);
    }
  }
};

/// Runs an engine of the backend's. One that fails is not tried again: the plan becomes a classic
/// one, and false is returned.
bool run_graph(std::unique_ptr<Plan>& plan, int device, const LockedHandle& handle,
               const ConvolutionShape& s, cupyxx::dtype dtype, Pass pass, const Arrays& arrays,
               const Workspace& workspace) {
  const cudnnStatus_t status =
      run_convolution_plan(handle.get(), plan->graphs[0], pass, arrays.graph(), workspace.data());
  if (status == CUDNN_STATUS_SUCCESS) {
    extension::await_library("cudnnBackendExecute", device, handle.stream());
    return true;
  }
  const std::uint64_t last_use = plan->last_use;
  plan = make_plan(handle.get(), s, dtype, pass, most_workspace(device), 0);
  plan->last_use = last_use;
  return false;
}

/// Calls `body(handle, plan, one, zero, workspace)` on the current stream, unless the plan is an
/// engine of the backend's, which is run; false without a plan.
template <class Body>
bool run(const ConvolutionShape& s, Pass pass, const Arrays& arrays, const char* function,
         Body&& body) {
  if (!fits(s)) return false;
  const int device = arrays.x.device().index;
  const cupyxx::dtype dtype = arrays.x.dtype();
  const extension::OnDevice on(device);
  const LockedHandle handle(device);
  std::unique_ptr<Plan>& plan = plan_for(device, handle.get(), s, dtype, pass);
  arrays.note_use(handle.stream());
  if (plan->graphs.size() > 1) tune(handle.get(), *plan, s, dtype, pass, arrays.graph(), device);
  while (plan->supported) {
    const Workspace workspace = take_workspace(plan, device, handle.get(), s, dtype, pass);
    if (!plan->supported) break;  // nothing is content with little
    if (!plan->graphs.empty()) {
      if (run_graph(plan, device, handle, s, dtype, pass, arrays, workspace)) return true;
      continue;  // the plan is another one now
    }
    const double wide[] = {1, 0};
    const float narrow[] = {1, 0};
    const bool is_double = dtype == cupyxx::float64;
    const void* const one = is_double ? static_cast<const void*>(&wide[0]) : &narrow[0];
    const void* const zero = is_double ? static_cast<const void*>(&wide[1]) : &narrow[1];
    const cudnnStatus_t status = body(handle.get(), *plan, one, zero, workspace.data());
    check_cudnn(status, function);
    extension::await_library(function, device, handle.stream());
    return true;
  }
  return false;
}

}  // namespace

Forward convolution_forward(const ConvolutionShape& shape, const ndarray& x, const ndarray& W,
                            const ndarray& b, const ndarray& y, bool relu) {
  const auto runs = [&](Pass pass) {
    return run(shape, pass, {x, W, y, b}, "cudnnBackendExecute",
               [](cudnnHandle_t, const Plan&, const void*, const void*, void*) {
                 return CUDNN_STATUS_NOT_SUPPORTED;  // the backend alone has it
               });
  };
  if (!b.is_none() && shape.channels_last) {
    if (relu && runs(Pass::forward_bias_relu)) return Forward::convolved_with_bias_and_relu;
    if (runs(Pass::forward_bias)) return Forward::convolved_with_bias;
  }
  bool added = false;
  const ndarray none;
  const bool done = run(
      shape, Pass::forward, {x, W, y, none}, "cudnnConvolutionForward",
      [&](cudnnHandle_t handle, Plan& plan, const void* one, const void* zero, void* workspace) {
        const auto algorithm = static_cast<cudnnConvolutionFwdAlgo_t>(plan.algorithm);
        if (!b.is_none() && plan.identity != nullptr) {
          extension::note_use(b, extension::current_stream(y.device().index));
          const cudnnStatus_t status = cudnn().ConvolutionBiasActivationForward(
              handle, one, plan.x, x.elements(), plan.W, W.elements(), plan.convolution, algorithm,
              workspace, plan.workspace, zero, plan.y, y.elements(), plan.bias, b.elements(),
              plan.identity, plan.y, y.elements());
          added = status == CUDNN_STATUS_SUCCESS;
          if (added) return status;
          // Not for this type or shape: it is not asked again.
          cudnn().DestroyActivationDescriptor(plan.identity);
          plan.identity = nullptr;
        }
        return cudnn().ConvolutionForward(handle, one, plan.x, x.elements(), plan.W, W.elements(),
                                          plan.convolution, algorithm, workspace, plan.workspace,
                                          zero, plan.y, y.elements());
      });
  if (!done) return Forward::nothing;
  return added ? Forward::convolved_with_bias : Forward::convolved;
}

bool convolution_data(const ConvolutionShape& shape, const ndarray& W, const ndarray& gy,
                      const ndarray& gx) {
  const ndarray none;
  return run(shape, Pass::data, {gx, W, gy, none}, "cudnnConvolutionBackwardData",
             [&](cudnnHandle_t handle, const Plan& plan, const void* one, const void* zero,
                 void* workspace) {
               return cudnn().ConvolutionBackwardData(
                   handle, one, plan.W, W.elements(), plan.y, gy.elements(), plan.convolution,
                   static_cast<cudnnConvolutionBwdDataAlgo_t>(plan.algorithm), workspace,
                   plan.workspace, zero, plan.x, gx.elements());
             });
}

bool convolution_weights(const ConvolutionShape& shape, const ndarray& x, const ndarray& gy,
                         const ndarray& gW, bool accumulate) {
  const ndarray none;
  return run(shape, Pass::weights, {x, gW, gy, none}, "cudnnConvolutionBackwardFilter",
             [&](cudnnHandle_t handle, const Plan& plan, const void* one, const void* zero,
                 void* workspace) {
               return cudnn().ConvolutionBackwardFilter(
                   handle, one, plan.x, x.elements(), plan.y, gy.elements(), plan.convolution,
                   static_cast<cudnnConvolutionBwdFilterAlgo_t>(plan.algorithm), workspace,
                   plan.workspace, accumulate ? one : zero, plan.W, gW.elements());
             });
}

}  // namespace chainerxx::internal::gpu
