// SPDX-License-Identifier: MIT
// cuDNN's functions, the classic ones and those of its backend, found in the library when it is
// first needed.
#pragma once

#include <cudnn.h>

#include "cupyxx/extension/dynamic_library.h"

namespace chainerxx::internal::gpu {

/// Throws CudaError, naming the function, unless it succeeded.
void check_cudnn(cudnnStatus_t status, const char* function);

/// The library, which is opened with its first function.
cupyxx::extension::DynamicLibrary& cudnn_library();

/// The functions we use.
struct Cudnn {
#define CHAINERXX_CUDNN(name) \
  decltype(&::cudnn##name) name = cudnn_library().symbol<decltype(&::cudnn##name)>("cudnn" #name)
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
  CHAINERXX_CUDNN(GetVersion);
  CHAINERXX_CUDNN(BackendCreateDescriptor);
  CHAINERXX_CUDNN(BackendDestroyDescriptor);
  CHAINERXX_CUDNN(BackendSetAttribute);
  CHAINERXX_CUDNN(BackendGetAttribute);
  CHAINERXX_CUDNN(BackendFinalize);
  CHAINERXX_CUDNN(BackendExecute);
#undef CHAINERXX_CUDNN
};

/// Throws Error when the library or one of the functions is missing.
const Cudnn& cudnn();

}  // namespace chainerxx::internal::gpu
