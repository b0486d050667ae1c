// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/convolution.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>

#include "chainerxx/internal/gpu/cudnn.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/body.h"
#include "cupyxx/internal/gpu/await.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace chainerxx::internal::gpu {
namespace {

namespace runtime = cupyxx::internal::gpu;

// What an algorithm may use beside the arrays: a part of the device's memory, or, when that much
// cannot be had, a little.
constexpr std::size_t kLittleWorkspace = std::size_t{256} << 20;
std::size_t most_workspace(int device) {
  return std::max(kLittleWorkspace, runtime::device_info(device).total_memory / 64);
}
// Below this many multiplications an algorithm that transforms its input has nothing to win, and
// the plain ones round less.
constexpr double kSmallWork = 1 << 26;
// From this many on Winograd's is ahead of what cuDNN proposes.
constexpr double kWinogradWork = 1 << 29;

enum class Pass { forward, data, weights };

/// Descriptors and the algorithm of one convolution.
struct Plan {
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

/// A handle serves one call at a time, so its mutex is held while it is used.
struct Handle {
  std::mutex mutex;
  cudnnHandle_t handle = nullptr;
  void* stream = nullptr;
};

Handle& handle_of(int device) {
  constexpr int kDevices = 64;
  static Handle* const handles = new Handle[kDevices];
  return handles[device];
}

cudnnDataType_t type_of(cupyxx::dtype dtype) {
  return dtype == cupyxx::float16   ? CUDNN_DATA_HALF
         : dtype == cupyxx::float32 ? CUDNN_DATA_FLOAT
                                    : CUDNN_DATA_DOUBLE;
}

void describe(Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype, cudnnMathType_t math) {
  const Cudnn& dnn = cudnn();
  const cudnnDataType_t type = type_of(dtype);
  const auto number = [](std::int64_t value) { return static_cast<int>(value); };
  check_cudnn(dnn.CreateTensorDescriptor(&plan.x), "cudnnCreateTensorDescriptor");
  check_cudnn(dnn.CreateTensorDescriptor(&plan.y), "cudnnCreateTensorDescriptor");
  check_cudnn(dnn.CreateFilterDescriptor(&plan.W), "cudnnCreateFilterDescriptor");
  check_cudnn(dnn.CreateConvolutionDescriptor(&plan.convolution),
              "cudnnCreateConvolutionDescriptor");
  check_cudnn(dnn.SetTensor4dDescriptor(plan.x, CUDNN_TENSOR_NCHW, type, number(s.n), number(s.c),
                                        number(s.h), number(s.w)),
              "cudnnSetTensor4dDescriptor");
  check_cudnn(dnn.SetTensor4dDescriptor(plan.y, CUDNN_TENSOR_NCHW, type, number(s.n), number(s.o),
                                        number(s.oh), number(s.ow)),
              "cudnnSetTensor4dDescriptor");
  const Windows& g = s.windows;
  check_cudnn(
      dnn.SetFilter4dDescriptor(plan.W, type, CUDNN_TENSOR_NCHW, number(s.o),
                                number(s.c / s.groups), number(g.ksize.h), number(g.ksize.w)),
      "cudnnSetFilter4dDescriptor");
  check_cudnn(
      dnn.SetConvolution2dDescriptor(
          plan.convolution, number(g.pad.h), number(g.pad.w), number(g.stride.h),
          number(g.stride.w), number(g.dilate.h), number(g.dilate.w), CUDNN_CROSS_CORRELATION,
          type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT),
      "cudnnSetConvolution2dDescriptor");
  check_cudnn(dnn.SetConvolutionGroupCount(plan.convolution, number(s.groups)),
              "cudnnSetConvolutionGroupCount");
  check_cudnn(dnn.SetConvolutionMathType(plan.convolution, math), "cudnnSetConvolutionMathType");
}

/// The only algorithm that cuDNN joins with a bias and nothing else.
bool may_add_bias(const Plan& plan) {
  return plan.supported && plan.algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
}

void describe_bias(Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype) {
  const Cudnn& dnn = cudnn();
  check_cudnn(dnn.CreateTensorDescriptor(&plan.bias), "cudnnCreateTensorDescriptor");
  check_cudnn(dnn.SetTensor4dDescriptor(plan.bias, CUDNN_TENSOR_NCHW, type_of(dtype), 1,
                                        static_cast<int>(s.o), 1, 1),
              "cudnnSetTensor4dDescriptor");
  check_cudnn(dnn.CreateActivationDescriptor(&plan.identity), "cudnnCreateActivationDescriptor");
  check_cudnn(dnn.SetActivationDescriptor(plan.identity, CUDNN_ACTIVATION_IDENTITY,
                                          CUDNN_NOT_PROPAGATE_NAN, 0),
              "cudnnSetActivationDescriptor");
}

/// Whether an algorithm computes in another domain, which costs accuracy.
template <class Algorithm>
bool transforms(Algorithm algorithm) {
  if constexpr (std::is_same_v<Algorithm, cudnnConvolutionFwdAlgo_t>) {
    return algorithm >= CUDNN_CONVOLUTION_FWD_ALGO_FFT;
  } else if constexpr (std::is_same_v<Algorithm, cudnnConvolutionBwdDataAlgo_t>) {
    return algorithm >= CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT;
  } else {
    return algorithm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT ||
           algorithm >= CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD;
  }
}

constexpr bool is_winograd(cudnnConvolutionFwdAlgo_t algorithm) {
  return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;
}
constexpr bool is_winograd(cudnnConvolutionBwdDataAlgo_t algorithm) {
  return algorithm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED;
}
constexpr bool is_winograd(cudnnConvolutionBwdFilterAlgo_t algorithm) {
  return algorithm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED;
}

/// cuDNN's estimates for windows of 3x3 in float32 put other algorithms first that take 1.1 to 5
/// times as long (measured on an H200 for 64 to 512 channels).
bool wants_winograd(const ConvolutionShape& s, cupyxx::dtype dtype) {
  const auto is = [](const auto& pair, std::int64_t value) {
    return pair.h == value && pair.w == value;
  };
  const Windows& g = s.windows;
  return dtype == cupyxx::float32 && !s.allow_tf32 && is(g.ksize, 3) && is(g.stride, 1) &&
         is(g.dilate, 1) && s.groups == 1 && std::min(s.c, s.o) >= 32 && s.work() >= kWinogradWork;
}

/// Whether a proposal of cuDNN is deterministic, keeps to the element type's arithmetic and needs
/// little enough memory.
template <class Result>
bool suits(const Result& r, const ConvolutionShape& s, cupyxx::dtype dtype, std::size_t most) {
  if (r.status != CUDNN_STATUS_SUCCESS || r.determinism != CUDNN_DETERMINISTIC) return false;
  if (r.memory > most || (s.work() < kSmallWork && transforms(r.algo))) return false;
  if (dtype == cupyxx::float32 && !s.allow_tf32) {
    return r.mathType == CUDNN_FMA_MATH || r.mathType == CUDNN_DEFAULT_MATH;
  }
  return r.mathType != CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION;
}

/// Takes the first of cuDNN's proposals that suits, but Winograd's where it is wanted.
template <class Result, class Get>
void choose(Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype, std::size_t most,
            Get&& get) {
  constexpr int kMost = 16;
  Result results[kMost];
  int count = 0;
  if (get(kMost, &count, results) != CUDNN_STATUS_SUCCESS) return;
  const bool winograd = wants_winograd(s, dtype);
  const Result* chosen = nullptr;
  for (int i = 0; i < count; ++i) {
    const Result& r = results[i];
    if (!suits(r, s, dtype, most)) continue;
    if (chosen == nullptr || (winograd && is_winograd(r.algo))) chosen = &r;
  }
  if (chosen == nullptr) return;
  // The descriptor of plain float32 stays with FMA: the default would allow TF32.
  if (dtype != cupyxx::float32 || s.allow_tf32) {
    check_cudnn(cudnn().SetConvolutionMathType(plan.convolution, chosen->mathType),
                "cudnnSetConvolutionMathType");
  }
  plan.supported = true;
  plan.algorithm = static_cast<int>(chosen->algo);
  plan.workspace = chosen->memory;
}

std::unique_ptr<Plan> make_plan(cudnnHandle_t handle, const ConvolutionShape& s,
                                cupyxx::dtype dtype, Pass pass, std::size_t most) {
  const Cudnn& dnn = cudnn();
  auto plan = std::make_unique<Plan>();
  // float32 is reduced to TF32 only where that is allowed; sums of float16 are those of float32.
  const bool tensor_cores = dtype == cupyxx::float16 || (dtype == cupyxx::float32 && s.allow_tf32);
  describe(*plan, s, dtype, tensor_cores ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH);
  if (pass == Pass::forward) {
    choose<cudnnConvolutionFwdAlgoPerf_t>(
        *plan, s, dtype, most, [&](int room, int* count, auto* results) {
          return dnn.GetConvolutionForwardAlgorithm_v7(handle, plan->x, plan->W, plan->convolution,
                                                       plan->y, room, count, results);
        });
    if (may_add_bias(*plan)) describe_bias(*plan, s, dtype);
  } else if (pass == Pass::data) {
    choose<cudnnConvolutionBwdDataAlgoPerf_t>(
        *plan, s, dtype, most, [&](int room, int* count, auto* results) {
          return dnn.GetConvolutionBackwardDataAlgorithm_v7(
              handle, plan->W, plan->y, plan->convolution, plan->x, room, count, results);
        });
  } else {
    choose<cudnnConvolutionBwdFilterAlgoPerf_t>(
        *plan, s, dtype, most, [&](int room, int* count, auto* results) {
          return dnn.GetConvolutionBackwardFilterAlgorithm_v7(
              handle, plan->x, plan->y, plan->convolution, plan->W, room, count, results);
        });
  }
  return plan;
}

/// Under the handle's mutex. The last plans are kept.
std::unique_ptr<Plan>& plan_for(int device, cudnnHandle_t handle, const ConvolutionShape& s,
                                cupyxx::dtype dtype, Pass pass) {
  constexpr std::size_t kMostPlans = 1024;
  using Key = std::array<std::int64_t, 19>;
  struct Plans {
    std::map<Key, std::unique_ptr<Plan>> map;
    std::uint64_t clock = 0;
  };
  static Plans* const all = new Plans[64];
  Plans& plans = all[device];
  const Windows& g = s.windows;
  const Key key = {s.n,
                   s.c,
                   s.h,
                   s.w,
                   s.o,
                   s.oh,
                   s.ow,
                   g.ksize.h,
                   g.ksize.w,
                   g.stride.h,
                   g.stride.w,
                   g.pad.h,
                   g.pad.w,
                   g.dilate.h,
                   g.dilate.w,
                   s.groups,
                   static_cast<std::int64_t>(pass),
                   static_cast<std::int64_t>(dtype.code()),
                   s.allow_tf32};
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

/// The workspace of a plan; null for none. A plan whose workspace cannot be had is replaced by one
/// that is content with little.
cupyxx::internal::Storage* take_workspace(std::unique_ptr<Plan>& plan, int device,
                                          cudnnHandle_t handle, const ConvolutionShape& s,
                                          cupyxx::dtype dtype, Pass pass) {
  if (plan->workspace > kLittleWorkspace) {
    try {
      return runtime::allocate(device, plan->workspace);
    } catch (const cupyxx::OutOfMemoryError&) {
      const std::uint64_t last_use = plan->last_use;
      plan = make_plan(handle, s, dtype, pass, kLittleWorkspace);
      plan->last_use = last_use;
    }
  }
  return plan->workspace != 0 ? runtime::allocate(device, plan->workspace) : nullptr;
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
  runtime::set_device(device);
  void* const stream = runtime::current_stream(device);
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
  cupyxx::internal::Storage* const workspace =
      take_workspace(plan, device, handle.handle, s, dtype, pass);
  if (!plan->supported) return false;  // nothing is content with little
  for (const ndarray* array : arrays) runtime::record_use(array->body()->storage, stream);
  const double wide[] = {1, 0};
  const float narrow[] = {1, 0};
  const bool is_double = dtype == cupyxx::float64;
  const void* const one = is_double ? static_cast<const void*>(&wide[0]) : &narrow[0];
  const void* const zero = is_double ? static_cast<const void*>(&wide[1]) : &narrow[1];
  const cudnnStatus_t status =
      body(handle.handle, *plan, one, zero, workspace != nullptr ? workspace->data : nullptr);
  if (workspace != nullptr) release(workspace);  // reused in the order of the stream
  check_cudnn(status, function);
  runtime::await_library(function, device, stream);
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
          runtime::record_use(b.body()->storage, runtime::current_stream(y.device().index));
          const cudnnStatus_t status = cudnn().ConvolutionBiasActivationForward(
              handle, one, plan.x, x.data(), plan.W, W.data(), plan.convolution, algorithm,
              workspace, plan.workspace, zero, plan.y, y.data(), plan.bias, b.data(), plan.identity,
              plan.y, y.data());
          added = status == CUDNN_STATUS_SUCCESS;
          if (added) return status;
          // Not for this type or shape: it is not asked again.
          cudnn().DestroyActivationDescriptor(plan.identity);
          plan.identity = nullptr;
        }
        return cudnn().ConvolutionForward(handle, one, plan.x, x.data(), plan.W, W.data(),
                                          plan.convolution, algorithm, workspace, plan.workspace,
                                          zero, plan.y, y.data());
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
                   handle, one, plan.W, W.data(), plan.y, gy.data(), plan.convolution,
                   static_cast<cudnnConvolutionBwdDataAlgo_t>(plan.algorithm), workspace,
                   plan.workspace, zero, plan.x, gx.data());
             });
}

bool convolution_weights(const ConvolutionShape& shape, const ndarray& x, const ndarray& gy,
                         const ndarray& gW) {
  return run(
      shape, Pass::weights, {&x, &gy, &gW}, "cudnnConvolutionBackwardFilter",
      [&](cudnnHandle_t handle, const Plan& plan, const void* one, const void*, void* workspace) {
        return cudnn().ConvolutionBackwardFilter(
            handle, one, plan.x, x.data(), plan.y, gy.data(), plan.convolution,
            static_cast<cudnnConvolutionBwdFilterAlgo_t>(plan.algorithm), workspace, plan.workspace,
            one, plan.W, gW.data());
      });
}

}  // namespace chainerxx::internal::gpu
