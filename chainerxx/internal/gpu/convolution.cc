// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/convolution.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "chainerxx/internal/gpu/convolution_plan.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/device_limit.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal::gpu {
namespace {

namespace extension = cupyxx::extension;
using extension::Workspace;

// What an algorithm may use beside the arrays: a part of the device's memory, or, when that much
// cannot be had, a little.
constexpr std::size_t kLittleWorkspace = std::size_t{256} << 20;
std::size_t most_workspace(int device) {
  return std::max(kLittleWorkspace, extension::total_memory(device) / 64);
}

/// A handle serves one call at a time, so its mutex is held while it is used.
struct Handle {
  std::mutex mutex;
  cudnnHandle_t handle = nullptr;
  void* stream = nullptr;
};

Handle& handle_of(int device) {
  static Handle* const handles = new Handle[extension::kMaxDevices];
  return handles[device];
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
    found = plans.map.emplace(key, make_plan(handle, s, dtype, pass, most)).first;
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
      plan = make_plan(handle, s, dtype, pass, kLittleWorkspace);
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

/// Calls `body(handle, plan, one, zero, workspace)` on the current stream; false without a plan.
template <class Body>
bool run(const ConvolutionShape& s, Pass pass, std::array<const ndarray*, 3> arrays,
         const char* function, Body&& body) {
  if (!fits(s)) return false;
  const int device = arrays[0]->device().index;
  const cupyxx::dtype dtype = arrays[0]->dtype();
  const extension::OnDevice on(device);
  void* const stream = extension::current_stream(device);
  Handle& handle = handle_of(device);
  const std::lock_guard lock(handle.mutex);
  if (handle.handle == nullptr) check_cudnn(cudnn().Create(&handle.handle), "cudnnCreate");
  if (handle.stream != stream) {
    check_cudnn(cudnn().SetStream(handle.handle, static_cast<cudaStream_t>(stream)),
                "cudnnSetStream");
    handle.stream = stream;
  }
  std::unique_ptr<Plan>& plan = plan_for(device, handle.handle, s, dtype, pass);
  if (!plan->supported) return false;
  const Workspace workspace = take_workspace(plan, device, handle.handle, s, dtype, pass);
  if (!plan->supported) return false;  // nothing is content with little
  for (const ndarray* array : arrays) extension::note_use(*array, stream);
  const double wide[] = {1, 0};
  const float narrow[] = {1, 0};
  const bool is_double = dtype == cupyxx::float64;
  const void* const one = is_double ? static_cast<const void*>(&wide[0]) : &narrow[0];
  const void* const zero = is_double ? static_cast<const void*>(&wide[1]) : &narrow[1];
  const cudnnStatus_t status = body(handle.handle, *plan, one, zero, workspace.data());
  check_cudnn(status, function);
  extension::await_library(function, device, stream);
  return true;
}

}  // namespace

Forward convolution_forward(const ConvolutionShape& shape, const ndarray& x, const ndarray& W,
                            const ndarray& b, const ndarray& y) {
  bool added = false;
  const bool done = run(
      shape, Pass::forward, {&x, &W, &y}, "cudnnConvolutionForward",
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
  return run(shape, Pass::data, {&W, &gy, &gx}, "cudnnConvolutionBackwardData",
             [&](cudnnHandle_t handle, const Plan& plan, const void* one, const void* zero,
                 void* workspace) {
               return cudnn().ConvolutionBackwardData(
                   handle, one, plan.W, W.elements(), plan.y, gy.elements(), plan.convolution,
                   static_cast<cudnnConvolutionBwdDataAlgo_t>(plan.algorithm), workspace,
                   plan.workspace, zero, plan.x, gx.elements());
             });
}

bool convolution_weights(const ConvolutionShape& shape, const ndarray& x, const ndarray& gy,
                         const ndarray& gW) {
  return run(
      shape, Pass::weights, {&x, &gy, &gW}, "cudnnConvolutionBackwardFilter",
      [&](cudnnHandle_t handle, const Plan& plan, const void* one, const void*, void* workspace) {
        return cudnn().ConvolutionBackwardFilter(
            handle, one, plan.x, x.elements(), plan.y, gy.elements(), plan.convolution,
            static_cast<cudnnConvolutionBwdFilterAlgo_t>(plan.algorithm), workspace, plan.workspace,
            one, plan.W, gW.elements());
      });
}

}  // namespace chainerxx::internal::gpu
