// SPDX-License-Identifier: MIT
#include "chainerxx/internal/pointwise.h"

#include <iterator>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/kernel_library.h"
#include "cupyxx/creation.h"

namespace chainerxx::internal {
namespace {

const Kernel<kernels::ElementwiseArgs> kKernels[] = {
    {kLibrary, "relu", "activation.h", "unary<Relu, T>"},
    {kLibrary, "relu_grad", "activation.h", "binary<ReluGrad, T>"},
    {kLibrary, "sigmoid", "activation.h", "unary<Sigmoid, T>"},
    {kLibrary, "sigmoid_grad", "activation.h", "binary<SigmoidGrad, T>"},
    {kLibrary, "tanh_grad", "activation.h", "binary<TanhGrad, T>"},
    {kLibrary, "clipped_relu", "activation.h", "unary_with_parameters<ClippedRelu, T>"},
    {kLibrary, "clipped_relu_grad", "activation.h", "binary_with_parameters<ClippedReluGrad, T>"},
    {kLibrary, "leaky_relu", "activation.h", "unary_with_parameters<LeakyRelu, T>"},
    {kLibrary, "leaky_relu_grad", "activation.h", "binary_with_parameters<LeakyReluGrad, T>"},
    {kLibrary, "elu", "activation.h", "unary_with_parameters<Elu, T>"},
    {kLibrary, "elu_grad", "activation.h", "binary_with_parameters<EluGrad, T>"},
    {kLibrary, "softplus", "activation.h", "unary_with_parameters<Softplus, T>"},
    {kLibrary, "softplus_grad", "activation.h", "binary_with_parameters<SoftplusGrad, T>"},
    {kLibrary, "hard_sigmoid", "activation.h", "unary_with_parameters<HardSigmoid, T>"},
    {kLibrary, "hard_sigmoid_grad", "activation.h", "binary_with_parameters<HardSigmoidGrad, T>"},
    {kLibrary, "gelu", "activation.h", "unary_with_parameters<Gelu, T>"},
    {kLibrary, "gelu_grad", "activation.h", "binary_with_parameters<GeluGrad, T>"},
    {kLibrary, "swish", "activation.h", "unary_with_parameters<Swish, T>"},
    {kLibrary, "swish_grad", "activation.h", "binary_with_parameters<SwishGrad, T>"},
};
static_assert(std::size(kKernels) == static_cast<int>(PointwiseKernel::count));

}  // namespace

ndarray elementwise(PointwiseKernel name, const ndarray& first, const ndarray& second, double p,
                    double q) {
  const ndarray a = contiguous(first);
  const ndarray b = second.is_none() ? second : contiguous(second);
  ndarray out = cupyxx::empty_like(a);
  kernels::ElementwiseArgs args{
      a.elements(), b.is_none() ? nullptr : b.elements(), out.elements(), a.size(), {p, q}};
  if (args.size == 0) return out;
  if (a.device().is_cpu()) {
    cpu::elementwise(name, a.dtype(), args);
  } else {
    kKernels[static_cast<int>(name)].launch(a.dtype(), grid_for(args.size), args, {&a, &b, &out});
  }
  return out;
}

}  // namespace chainerxx::internal
