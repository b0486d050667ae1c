// SPDX-License-Identifier: MIT
#include "chainerxx/internal/gpu/cudnn.h"

#include <cstdlib>
#include <cstring>

#include "chainerxx/internal/gpu/convolution.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/dynlib.h"

namespace chainerxx::internal::gpu {
namespace {

cupyxx::internal::DynamicLibrary& library() {
  static auto& cudnn_library = *new cupyxx::internal::DynamicLibrary(
      "cuDNN", {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"});
  return cudnn_library;
}

}  // namespace

Cudnn::Cudnn() {
#define CHAINERXX_CUDNN(name) name = library().symbol<decltype(name)>("cudnn" #name)
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
}

const Cudnn& cudnn() {
  static const Cudnn& functions = *new Cudnn;
  return functions;
}

void check_cudnn(cudnnStatus_t status, const char* function) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw cupyxx::CudaError(std::string("cuDNN: ") + function + " failed; " +
                          cudnn().GetErrorString(status));
}

bool cudnn_available() {
  static const bool available = [] {
    const char* const wanted = std::getenv("CHAINER_CUDNN");
    return (wanted == nullptr || std::strcmp(wanted, "0") != 0) && library().loaded();
  }();
  return available;
}

}  // namespace chainerxx::internal::gpu
