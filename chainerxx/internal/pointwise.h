// SPDX-License-Identifier: MIT
// The functions of kernels/activation.h.
#pragma once

namespace chainerxx::internal {

enum class PointwiseKernel {
  relu,
  relu_grad,
  sigmoid,
  sigmoid_grad,
  tanh_grad,
  clipped_relu,
  clipped_relu_grad,
  leaky_relu,
  leaky_relu_grad,
  elu,
  elu_grad,
  softplus,
  softplus_grad,
  hard_sigmoid,
  hard_sigmoid_grad,
  gelu,
  gelu_grad,
  swish,
  swish_grad,
  count,
};
using KernelName = PointwiseKernel;

}  // namespace chainerxx::internal
