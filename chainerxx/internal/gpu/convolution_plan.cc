// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/convolution_plan.h"

#include <algorithm>
#include <type_traits>

namespace chainerxx::internal::gpu {
namespace {

// Below this many multiplications an algorithm that transforms its input has nothing to win, and
// the plain ones round less.
constexpr double kSmallWork = 1 << 26;
// From this many on Winograd's algorithm is ahead of what cuDNN proposes.
constexpr double kWinogradWork = 1 << 29;

cudnnDataType_t type_of(cupyxx::dtype dtype) {
  return dtype == cupyxx::float16     ? CUDNN_DATA_HALF
         : dtype == cupyxx::bfloat16_ ? CUDNN_DATA_BFLOAT16
         : dtype == cupyxx::float32   ? CUDNN_DATA_FLOAT
                                      : CUDNN_DATA_DOUBLE;
}

void describe(Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype, cudnnMathType_t math) {
  const Cudnn& dnn = cudnn();
  const cudnnDataType_t type = type_of(dtype);
  const cudnnTensorFormat_t format = s.channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
  const auto number = [](std::int64_t value) { return static_cast<int>(value); };
  check_cudnn(dnn.CreateTensorDescriptor(&plan.x), "cudnnCreateTensorDescriptor");
  check_cudnn(dnn.CreateTensorDescriptor(&plan.y), "cudnnCreateTensorDescriptor");
  check_cudnn(dnn.CreateFilterDescriptor(&plan.W), "cudnnCreateFilterDescriptor");
  check_cudnn(dnn.CreateConvolutionDescriptor(&plan.convolution),
              "cudnnCreateConvolutionDescriptor");
  check_cudnn(dnn.SetTensor4dDescriptor(plan.x, format, type, number(s.n), number(s.c), number(s.h),
                                        number(s.w)),
              "cudnnSetTensor4dDescriptor");
  check_cudnn(dnn.SetTensor4dDescriptor(plan.y, format, type, number(s.n), number(s.o),
                                        number(s.oh), number(s.ow)),
              "cudnnSetTensor4dDescriptor");
  const Windows& g = s.windows;
  check_cudnn(dnn.SetFilter4dDescriptor(plan.W, type, format, number(s.o), number(s.c / s.groups),
                                        number(g.ksize.h), number(g.ksize.w)),
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
  check_cudnn(
      dnn.SetTensor4dDescriptor(plan.bias, s.channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                                type_of(dtype), 1, static_cast<int>(s.o), 1, 1),
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

/// What is better than the first of cuDNN's proposals, if it proposes it.
enum class Better { nothing, winograd, transform };

/// In plain float32 cuDNN's estimates put algorithms first that take 1.1 to 5 times as long for
/// windows of 3x3, and up to 16 times for 5x5 (measured on an H200 for 16 to 512 channels).
Better better_choice(const ConvolutionShape& s, cupyxx::dtype dtype) {
  const Windows& g = s.windows;
  const auto is = [](const Size2D& size, std::int64_t value) {
    return size.h == value && size.w == value;
  };
  if (dtype != cupyxx::float32 || s.allow_tf32 || s.groups != 1) return Better::nothing;
  if (s.channels_last) return Better::nothing;  // these transform plain images
  if (!is(g.stride, 1) || !is(g.dilate, 1)) return Better::nothing;
  const std::int64_t channels = std::min(s.c, s.o);
  if (is(g.ksize, 3) && channels >= 32 && s.work() >= kWinogradWork) return Better::winograd;
  if (is(g.ksize, 5) && channels >= 16 && s.work() >= kSmallWork) return Better::transform;
  return Better::nothing;
}

template <class Algorithm>
bool is_better(Algorithm algorithm, Better better) {
  return better == Better::winograd    ? is_winograd(algorithm)
         : better == Better::transform ? transforms(algorithm)
                                       : false;
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

/// Takes the first of cuDNN's proposals that suits, or the first that is known to be better.
template <class Result, class Get>
void choose(Plan& plan, const ConvolutionShape& s, cupyxx::dtype dtype, std::size_t most,
            Get&& get) {
  constexpr int kMost = 16;
  Result results[kMost];
  int count = 0;
  if (get(kMost, &count, results) != CUDNN_STATUS_SUCCESS) return;
  const Better better = better_choice(s, dtype);
  const Result* chosen = nullptr;
  for (int i = 0; i < count; ++i) {
    const Result& r = results[i];
    if (!suits(r, s, dtype, most)) continue;
    if (chosen == nullptr) chosen = &r;
    if (is_better(r.algo, better)) {
      chosen = &r;
      break;
    }
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

}  // namespace

std::unique_ptr<Plan> make_plan(cudnnHandle_t handle, const ConvolutionShape& s,
                                cupyxx::dtype dtype, Pass pass, std::size_t most,
                                std::size_t most_graphs) {
  const Cudnn& dnn = cudnn();
  auto plan = std::make_unique<Plan>();
  if (most_graphs != 0 && s.channels_last && dtype != cupyxx::float64) {
    plan->graphs = make_convolution_plans(handle, s, type_of(dtype), pass, most, most_graphs);
    plan->supported = !plan->graphs.empty();
    if (plan->supported) {
      plan->workspace = plan->graphs[0].workspace;
      return plan;
    }
  }
  if (adds_bias(pass)) return plan;
  // float32 is reduced to TF32 only where that is allowed; sums of 16-bit types are those of
  // float32.
  const bool tensor_cores = dtype.itemsize() == 2 || (dtype == cupyxx::float32 && s.allow_tf32);
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

}  // namespace chainerxx::internal::gpu
