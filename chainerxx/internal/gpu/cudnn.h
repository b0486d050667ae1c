// SPDX-License-Identifier: MIT
// cuDNN's classic functions, found in the library when it is first needed.
#pragma once

#include <cudnn.h>

#include <string>

namespace chainerxx::internal::gpu {

/// Throws CudaError, naming the function, unless it succeeded.
void check_cudnn(cudnnStatus_t status, const char* function);

/// The functions we use. Throws Error when the library or one of them is missing.
struct Cudnn;
const Cudnn& cudnn();

struct Cudnn {
  Cudnn();

#define CHAINERXX_CUDNN(name) decltype(&::cudnn##name) name
  CHAINERXX_CUDNN(Create);
  CHAINERXX_CUDNN(SetStream);
  CHAINERXX_CUDNN(GetErrorString);
  CHAINERXX_CUDNN(CreateTensorDescriptor);
  CHAINERXX_CUDNN(SetTensor4dDescriptor);
  CHAINERXX_CUDNN(DestroyTensorDescriptor);
  CHAINERXX_CUDNN(CreateFilterDescriptor);
  CHAINERXX_CUDNN(SetFilter4dDescriptor);
  CHAINERXX_CUDNN(DestroyFilterDescriptor);
  CHAINERXX_CUDNN(CreateConvolutionDescriptor);
  CHAINERXX_CUDNN(SetConvolution2dDescriptor);
  CHAINERXX_CUDNN(SetConvolutionGroupCount);
  CHAINERXX_CUDNN(SetConvolutionMathType);
  CHAINERXX_CUDNN(DestroyConvolutionDescriptor);
  CHAINERXX_CUDNN(CreateActivationDescriptor);
  CHAINERXX_CUDNN(SetActivationDescriptor);
  CHAINERXX_CUDNN(DestroyActivationDescriptor);
  CHAINERXX_CUDNN(GetConvolutionForwardAlgorithm_v7);
  CHAINERXX_CUDNN(GetConvolutionBackwardDataAlgorithm_v7);
  CHAINERXX_CUDNN(GetConvolutionBackwardFilterAlgorithm_v7);
  CHAINERXX_CUDNN(ConvolutionForward);
  CHAINERXX_CUDNN(ConvolutionBiasActivationForward);
  CHAINERXX_CUDNN(ConvolutionBackwardData);
  CHAINERXX_CUDNN(ConvolutionBackwardFilter);
#undef CHAINERXX_CUDNN
};

}  // namespace chainerxx::internal::gpu
